/** POST /images/generate and /images/edit by the embedded illustrator. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../../support/app.ts';
import { drawSmall, EDITED_SIDE } from '../../support/small-images.ts';

let real: TestApp;
let eve: TestUser;
beforeAll(async () => {
  real = await openTestApp({ work: true, engines: 'real', env: { SIGNUP_CREDITS: '5' } });
  // What is changed is seen in small images too, at a quarter of the computing.
  drawSmall(real, EDITED_SIDE);
  eve = await real.person('Eve');
});
afterAll(() => real.close());
const make = (path: string, body: object) => real.rest('POST', path, { as: eve.apiKey, body });
const read = async (url: string) => sharp(Buffer.from(await (await fetch(url)).arrayBuffer()));

test('a portrait becomes an avatar with its exact rig, and an edited one keeps it', async () => {
  const made = await make('/images/generate', {
    prompt: 'Portrait of a smiling woman with red hair',
    aspectRatio: '3:4',
  });
  expect(made.status).toBe(200);
  const { width, height } = await (await read(made.body.imageUrl)).metadata();
  expect(width! / height!).toBeCloseTo(0.75, 1);
  const grey = await make('/images/edit', { prompt: 'Make it black and white', imageUrl: made.body.imageUrl });
  expect(grey.status).toBe(200);
  const { channels } = await (await read(grey.body.imageUrl)).stats();
  const [red, green, blue] = channels.map((channel) => channel.mean);
  expect(Math.abs(red! - green!)).toBeLessThan(2);
  expect(Math.abs(green! - blue!)).toBeLessThan(2);
  const faceOf = async (imageUrl: string) => {
    const { body } = await make('/avatars', { displayName: 'Ruby', imageUrl });
    const [row] = await real.app.db.rows<any>('select rig from avatar_image where avatar_id = $1', [body.avatarId]);
    return row!.rig;
  };
  const rig = await faceOf(made.body.imageUrl);
  expect(rig).toMatchObject({ source: 'rig', mouth: expect.anything() });
  expect(await faceOf(grey.body.imageUrl)).toMatchObject({ source: 'rig', mouth: rig.mouth, head: rig.head });
  const mirrored = await make('/images/edit', { prompt: 'Mirror it', imageUrl: made.body.imageUrl });
  const { leftEye } = await faceOf(mirrored.body.imageUrl);
  expect(leftEye).toMatchObject({ x: expect.closeTo(1 - rig.rightEye.x, 6), rx: rig.rightEye.rx });
  // Turned, it cannot be followed: the image is looked at anew.
  const turned = await make('/images/edit', { prompt: 'Rotate by 5 degrees', imageUrl: made.body.imageUrl });
  const found = await faceOf(turned.body.imageUrl);
  expect(found?.source ?? 'detected').toBe('detected');
});

test('changed words take the place of the old ones, through edits since', async () => {
  const pixels = async ({ body }: { body: { imageUrl: string } }) => (await read(body.imageUrl)).raw().toBuffer();
  const first = await make('/images/generate', { prompt: 'A wooden sign that says "OPEN" in a forest' });
  const change = (to: string, from: { body: { imageUrl: string } }) =>
    make('/images/edit', { prompt: `Change the text to "${to}"`, imageUrl: from.body.imageUrl });
  const changed = await change('CLOSED', first);
  expect([changed.status, changed.body.model]).toEqual([200, 'typo_edit']);
  expect(Buffer.compare(await pixels(first), await pixels(changed))).not.toBe(0);
  // Nothing of the other words is left: changed back, it is the first image.
  expect(Buffer.compare(await pixels(first), await pixels(await change('OPEN', changed)))).toBe(0);
  const grey = await make('/images/edit', { prompt: 'Make it black and white', imageUrl: first.body.imageUrl });
  const greyChanged = await change('CLOSED', grey);
  const changedGrey = await make('/images/edit', { prompt: 'Black and white', imageUrl: changed.body.imageUrl });
  const [one, other] = await Promise.all([pixels(greyChanged), pixels(changedGrey)]);
  const apart = one.reduce((sum, value, i) => sum + Math.abs(value - (other[i] as number)), 0) / one.length;
  // Once drawn grey, once decoded and made grey: JPEG's noise lies between them.
  expect(apart).toBeLessThan(4);
});

test('a thing of an image that we drew is coloured, removed and replaced; what it does not have is a 400', async () => {
  const pixels = async ({ body }: { body: { imageUrl: string } }) => (await read(body.imageUrl)).raw().toBuffer();
  const isSame = async (one: { body: any }, other: { body: any }) =>
    Buffer.compare(await pixels(one), await pixels(other)) === 0;
  const edit = (prompt: string, from: { body: any }) => make('/images/edit', { prompt, imageUrl: from.body.imageUrl });
  const red = await make('/images/generate', { prompt: 'A red car and a bicycle on a street' });
  const blue = await edit('Make the car blue', red);
  expect(blue.status).toBe(200);
  expect(await isSame(red, blue)).toBe(false);
  expect(await isSame(red, await edit('Change the colour of the car to red', blue))).toBe(true);
  const none = await edit('Remove the car', red);
  expect(await isSame(red, none)).toBe(false);
  // What is not named stays as it is, and nothing of the car is left, whatever its colour was.
  expect(await isSame(none, await edit('remove the car from the image', blue))).toBe(true);
  const bus = await edit('Replace the car with a bus', red);
  expect([await isSame(bus, red), await isSame(bus, none)]).toEqual([false, false]);
  // Neither the prompt's nor added since: the car is gone.
  const again = await edit('Make the car green', none);
  expect([again.status, again.body.error]).toEqual([
    400,
    'prompt asks to change "car", which the image does not have as a thing of its own.',
  ]);
  const dog = await edit('Add a dog', red);
  expect(await isSame(red, dog)).toBe(false);
  expect(await isSame(red, await edit('Remove the dog', dog))).toBe(true);
});

test('a name among other words is replaced', async () => {
  const pixels = async ({ body }: { body: { imageUrl: string } }) => (await read(body.imageUrl)).raw().toBuffer();
  const card = await make('/images/generate', { prompt: 'A card that says "Happy Birthday Tom"' });
  const edit = (prompt: string) => make('/images/edit', { prompt, imageUrl: card.body.imageUrl });
  const named = await edit('Replace Tom with Anna');
  expect(named.status).toBe(200);
  const whole = await edit('Change the text to "Happy Birthday Anna"');
  expect(Buffer.compare(await pixels(named), await pixels(whole))).toBe(0);
  expect((await edit('Replace To with Anna')).status).toBe(400);
});

test('clothes and hair take other colours, and weather ends; what an image was drawn without is a 400', async () => {
  const pixels = async ({ body }: { body: any }) => (await read(body.imageUrl)).raw().toBuffer();
  const isSame = async (one: { body: any }, other: { body: any }) =>
    Buffer.compare(await pixels(one), await pixels(other)) === 0;
  const draw = (prompt: string) => make('/images/generate', { prompt });
  const edit = (prompt: string, from: { body: any }) => make('/images/edit', { prompt, imageUrl: from.body.imageUrl });
  for (const [prompt, there, back] of [
    ['A woman in a red dress in a meadow', 'Make her dress blue', 'make the dress red'],
    ['Portrait of a woman with red hair', 'make her hair green', 'change her hair to red'],
  ] as const) {
    const first = await draw(prompt);
    const other = await edit(there, first);
    expect([other.status, await isSame(first, other)]).toEqual([200, false]);
    expect(await isSame(first, await edit(back, other))).toBe(true);
  }
  const plain = await draw('A lighthouse by the sea');
  for (const prompt of ['remove the rain', 'make her dress blue']) {
    const refused = await edit(prompt, plain);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/^prompt asks to change "(?:rain|dress)"/),
    ]);
  }
  expect(await isSame(plain, await edit('remove the rain', await edit('add rain', plain)))).toBe(true);
  const storm = await draw('A lighthouse in a storm');
  const calm = await edit('remove the storm', storm);
  expect([calm.status, await isSame(storm, calm)]).toEqual([200, false]);
});

test('words of an image that is not of ours, or has none, are not changed: 400, uncharged', async () => {
  const plain = await make('/images/generate', { prompt: 'A lighthouse by the sea' });
  const answer = await make('/images/edit', { prompt: 'Change the text to "X"', imageUrl: plain.body.imageUrl });
  expect([answer.status, answer.body.error]).toEqual([
    400,
    'prompt asks to change words that the image does not have.',
  ]);
  const wrong = await make('/images/edit', { prompt: 'Replace "A" with "B"', imageUrl: plain.body.imageUrl });
  expect(wrong.body.error).toBe('prompt asks to change "A" that the image does not have.');
});

test.each([
  ['of plain words', 'Remove the gramophone'],
  // Whole characters, though a sentence that quotes some of them is cut.
  ['of emoji only', `x${'👩‍👩‍👧'.repeat(100)}`],
])(
  'an edit that cannot be done, and a thing that cannot be drawn, are a 400 with a sentence, uncharged: %s',
  async (_, prompt) => {
    const made = await make('/images/generate', { prompt: 'A lighthouse by the sea' });
    const balanceOf = async () =>
      (await real.graphql<any>('{ me { balance { available held } } }', {}, eve.session)).body.data.me.balance;
    const before = await balanceOf();
    const answer = await make('/images/edit', { prompt, imageUrl: made.body.imageUrl });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatch(/^prompt /);
    expect(answer.body.error.isWellFormed()).toBe(true);
    const unknown = await make('/images/generate', { prompt: 'A gramophone at night' });
    expect([unknown.status, unknown.body.error]).toEqual([
      400,
      'prompt asks for "gramophone", which the embedded illustrator cannot draw.',
    ]);
    const beside = await make('/images/generate', { prompt: 'A hammock in a jungle with two parrots' });
    expect([beside.status, beside.body.error]).toEqual([
      400,
      'prompt asks for "hammock", which the embedded illustrator cannot draw.',
    ]);
    expect(await balanceOf()).toEqual(before);
  },
);

test('the same prompt gives the same image', async () => {
  const bodies = await Promise.all([1, 2].map(() => make('/images/generate', { prompt: 'A fox in the snow' })));
  const [one, two] = await Promise.all(bodies.map(async ({ body }) => (await read(body.imageUrl)).raw().toBuffer()));
  expect(Buffer.compare(one!, two!)).toBe(0);
});
