/** POST /images/generate and /images/edit through REST: limits, routing, money, what comes back. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines, ImageModelV4 } from '../../src/engines/ports/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { until } from '../support/until.ts';

type Call = Parameters<ImageModelV4['doGenerate']>[0] & { model: string };
type Answer = Awaited<ReturnType<ImageModelV4['doGenerate']>>;

let t: TestApp;
let imageServer: ImageServer;
let ada: TestUser;
const calls: Call[] = [];
let draw: (call: Call) => Promise<Partial<Answer>>;
let chat: () => Promise<string>;

const drawn = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#3377aa' } })
    .png()
    .toBuffer();

/** Engines whose image model does what the test says, and whose chat answers what it says. */
function engines(): Engines {
  const noop = createNoopEngines();
  return {
    ...noop,
    chatIsEmbedded: false,
    chat: {
      ...noop.chat,
      doGenerate: async (call) => ({
        ...(await noop.chat.doGenerate(call)),
        content: [{ type: 'text', text: await chat() }],
      }),
    },
    image: (model) => ({
      ...noop.image(model),
      doGenerate: async (options) => {
        const call = { ...options, model };
        calls.push(call);
        const answer = { images: [await drawn(64, 48)], warnings: [], response: {} as never };
        return { ...answer, ...(await draw(call)) };
      },
    }),
  };
}

beforeAll(async () => {
  imageServer = await serveImages();
  t = await openTestApp({
    work: true,
    env: { FETCH_ALLOW_HOSTS: imageServer.host, SIGNUP_CREDITS: '0' },
    engines: { ...engines(), close: async () => {} },
  });
  ada = await t.person('Ada', 10);
});
afterAll(async () => {
  await t.close();
  await imageServer.close();
});
beforeEach(() => {
  calls.length = 0;
  draw = async () => ({});
  chat = async () => 'NONE';
});

const generate = (body: object, as = ada.apiKey, headers = {}) =>
  t.rest('POST', '/images/generate', { as, body, headers });
const edit = (body: object, as = ada.apiKey) => t.rest('POST', '/images/edit', { as, body });
const balance = async (person = ada) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
const face = () => `${imageServer.url}/face.png`;

describe('POST /images/generate', () => {
  test('answers the documented body; the address is public, long-lived and a real image', async () => {
    const { status, body } = await generate({ prompt: 'A quiet harbour', aspectRatio: '16:9' });
    expect(status).toBe(200);
    expect(body).toEqual({
      imageUrl: expect.stringMatching(new RegExp(`^${t.app.config.BASE_URL}/media/images/pic_\\w+-1\\.jpg\\?s=`)),
      aspectRatio: '16:9',
      creditCost: 0.005,
      model: 'default',
    });
    expect(body.imageUrl).not.toContain('e=');
    const file = await fetch(body.imageUrl);
    expect(file.headers.get('content-type')).toBe('image/jpeg');
    expect(await sharp(Buffer.from(await file.arrayBuffer())).metadata()).toMatchObject({ width: 64, height: 48 });
    expect(calls).toMatchObject([
      { model: 'default', prompt: 'A quiet harbour', aspectRatio: '16:9', files: undefined },
    ]);
  });

  test.each<[object, string]>([
    [{}, 'prompt is required.'],
    [{ prompt: ' ' }, 'prompt must not be empty.'],
    [{ prompt: 5 }, 'prompt must be a string.'],
    [{ prompt: '🙂'.repeat(2001) }, 'prompt must have at most 2000 characters.'],
    [{ prompt: 'x', aspectRatio: '5:4' }, 'aspectRatio must be one of 1:1, 16:9, 9:16, 4:3, 3:4, 3:2, 2:3.'],
    [
      { prompt: 'x', aspectRatio: 'match_input_image' },
      'aspectRatio must be one of 1:1, 16:9, 9:16, 4:3, 3:4, 3:2, 2:3.',
    ],
    [{ prompt: 'x', model: 'typo_edit' }, 'model must be one of default, typo_gen.'],
  ])('bad input %# is refused by name, nothing is held', async (body, error) => {
    const before = await balance();
    expect(await generate(body)).toMatchObject({ status: 400, body: { error } });
    expect(await balance()).toEqual(before);
    expect(calls).toEqual([]);
  });

  test('2000 characters pass, counted as code points', async () => {
    expect((await generate({ prompt: '🙂'.repeat(2000) })).status).toBe(200);
  });

  test.each<[string, object, string, number]>([
    ['double quotes', { prompt: 'A sign "OPEN"' }, 'typo_gen', 0.015],
    ['curly quotes', { prompt: 'A sign “OPEN”' }, 'typo_gen', 0.015],
    ['words by the wording', { prompt: 'A sign that says open' }, 'typo_gen', 0.015],
    ['no words', { prompt: 'A man reads a book' }, 'default', 0.005],
    ['the caller’s choice over quotes', { prompt: 'A sign "OPEN"', model: 'default' }, 'default', 0.005],
    ['the caller’s choice without quotes', { prompt: 'A boat', model: 'typo_gen' }, 'typo_gen', 0.015],
  ])('%s', async (_, body, model, creditCost) => {
    expect((await generate(body)).body).toMatchObject({ model, creditCost });
    expect(calls[0]!.model).toBe(model);
  });

  test('a configured chat model tells the words that no rule sees; its failure leaves the wording', async () => {
    chat = async () => '"Bakery Aurora"';
    expect((await generate({ prompt: 'A shop front for Aurora, my bakery' })).body.model).toBe('typo_gen');
    expect(calls[0]!.prompt).toBe('A shop front for Aurora, my bakery, with the words "Bakery Aurora"');
    chat = async () => {
      throw new Error('chat: down');
    };
    expect((await generate({ prompt: 'A shop front for Aurora, my bakery' })).body.model).toBe('default');
  });

  test('who cannot pay hears both amounts before anything is drawn', async () => {
    const poor = await t.person('Poor', 0.0149);
    const { status, body } = await generate({ prompt: 'A sign "OPEN"' }, poor.apiKey);
    expect([status, body]).toEqual([
      402,
      expect.objectContaining({ requiredCredits: 0.015, availableCredits: 0.0149 }),
    ]);
    expect(calls).toEqual([]);
    expect((await generate({ prompt: 'A boat' }, poor.apiKey)).status).toBe(200);
  });

  test.each<[string, () => Promise<Partial<Answer>>]>([
    [
      'throws',
      async () => {
        throw new Error('provider: key=hunter2');
      },
    ],
    ['returns nothing', async () => ({ images: [] })],
    ['returns no image', async () => ({ images: [new Uint8Array([1, 2, 3])] })],
  ])('an engine that %s is a 502 that tells nothing; nothing is charged, nothing stays held', async (_, fail) => {
    const before = await balance();
    draw = fail;
    const { status, body } = await generate({ prompt: 'A boat' });
    expect([status, body.error]).toEqual([502, 'The image could not be made.']);
    expect(await balance()).toEqual(before);
  });

  test('the price is held while it is drawn and charged once, under its label', async () => {
    const before = await balance();
    let during: { available: number; held: number } | undefined;
    draw = async () => {
      during = await balance();
      return {};
    };
    await generate({ prompt: 'A boat' });
    expect(during!.held).toBe(0.005);
    expect(await balance()).toEqual({ available: expect.closeTo(before.available - 0.005, 6), held: 0 });
    const { body } = await t.graphql<any>(
      '{ ledgerEntries(first: 1) { nodes { kind amount sourceRef } } }',
      {},
      ada.session,
    );
    expect(body.data.ledgerEntries.nodes[0]).toMatchObject({ kind: 'svc-image', amount: -0.005 });
  });

  test('an Idempotency-Key gives the same image again and charges once', async () => {
    const before = await balance();
    const key = { 'idempotency-key': 'image-1' };
    const first = await generate({ prompt: 'A boat' }, ada.apiKey, key);
    const again = await generate({ prompt: 'A boat' }, ada.apiKey, key);
    expect(again.body).toEqual(first.body);
    expect((await generate({ prompt: 'A ship' }, ada.apiKey, key)).status).toBe(422);
    expect(calls).toHaveLength(1);
    expect((await balance()).available).toBeCloseTo(before.available - 0.005, 6);
  });

  test('twenty at once by someone who can pay for seven: seven images, nothing below zero, nothing held', async () => {
    const few = await t.person('Few', 0.035);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => generate({ prompt: `Boat ${i}` }, few.apiKey)),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([...Array(7).fill(200), ...Array(13).fill(402)]);
    expect(await balance(few)).toEqual({ available: 0, held: 0 });
  });
});

describe('POST /images/edit', () => {
  test('takes one address or up to five, in order; keeps the proportions unless asked', async () => {
    const { status, body } = await edit({ prompt: 'Make it grey', imageUrl: face() });
    expect([status, body]).toEqual([
      200,
      { imageUrl: expect.any(String), aspectRatio: 'match_input_image', creditCost: 0.01, model: 'default' },
    ]);
    expect(calls[0]).toMatchObject({ model: 'default', aspectRatio: undefined, files: [{ type: 'file' }] });
    await edit({ prompt: 'Blend them', images: Array(5).fill(face()), aspectRatio: '3:2' });
    expect(calls[1]).toMatchObject({ aspectRatio: '3:2' });
    expect(calls[1]!.files).toHaveLength(5);
  });

  test.each<[() => object, string]>([
    [() => ({ prompt: 'grey' }), 'imageUrl or images is required.'],
    [() => ({ imageUrl: face() }), 'prompt is required.'],
    [() => ({ prompt: 'grey', images: [] }), 'images must have 1 to 5 items.'],
    [() => ({ prompt: 'grey', images: Array(6).fill(face()) }), 'images must have 1 to 5 items.'],
    [() => ({ prompt: 'grey', imageUrl: face(), images: [face()] }), 'images must not be given beside imageUrl.'],
    [() => ({ prompt: 'grey', imageUrl: 'ftp://a.b/c.png' }), 'imageUrl must be an http or https address.'],
    [() => ({ prompt: 'grey', imageUrl: 'http://127.0.0.1:1/x.png' }), 'imageUrl could not be fetched.'],
    [() => ({ prompt: 'grey', imageUrl: `${imageServer.url}/page.html` }), 'imageUrl could not be fetched.'],
    [
      () => ({ prompt: 'grey', images: [`${imageServer.url}/fake.png`] }),
      'images is not a JPEG, PNG or WebP image that can be read.',
    ],
    [() => ({ prompt: 'grey', images: [7] }), 'images[0] must be a string.'],
    [
      () => ({ prompt: 'grey', imageUrl: face(), aspectRatio: '5:4' }),
      'aspectRatio must be one of match_input_image, 1:1,',
    ],
    [() => ({ prompt: 'grey', imageUrl: face(), model: 'typo_gen' }), 'model must be one of default, typo_edit.'],
    [
      () => ({ prompt: 'grey', images: Array(3).fill(face()), model: 'typo_edit' }),
      'images must have at most 2 items for typo_edit.',
    ],
  ])('bad input %# is refused by name, nothing is charged or held', async (body, error) => {
    const before = await balance();
    const answer = await edit(body());
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(error);
    expect(await balance()).toEqual(before);
    expect(calls).toEqual([]);
  });

  test.each<[string, object, number, string, number]>([
    ['quoted words and two references', { prompt: 'Add "HELLO"' }, 2, 'typo_edit', 0.03],
    ['quoted words and three references', { prompt: 'Add "HELLO"' }, 3, 'default', 0.01],
    ['words by the wording', { prompt: 'Put the caption hello there below' }, 1, 'typo_edit', 0.03],
    ['no words', { prompt: 'Make it grey' }, 1, 'default', 0.01],
    ['the caller’s choice', { prompt: 'Add "HELLO"', model: 'default' }, 1, 'default', 0.01],
  ])('%s', async (_, body, count, model, creditCost) => {
    expect((await edit({ ...body, images: Array(count).fill(face()) })).body).toMatchObject({ model, creditCost });
  });

  test('our own addresses come from storage; a private medium only while its link holds', async () => {
    await t.app.store.put(
      'private/secret.jpg',
      await sharp(await drawn(9, 9))
        .jpeg()
        .toBuffer(),
      {
        contentType: 'image/jpeg',
      },
    );
    const signed = t.app.links.sign('private/secret.jpg');
    expect((await edit({ prompt: 'grey', imageUrl: signed })).status).toBe(200);
    for (const url of [signed.replace(/s=.{5}/, 's=AAAAA'), signed.split('?')[0]!]) {
      expect((await edit({ prompt: 'grey', imageUrl: url })).body.error).toBe('imageUrl could not be fetched.');
    }
  });
});

test('how an image was drawn, with the words it was asked for by, is known to edits of its owner alone', async () => {
  const drawing = { prompt: 'My secret garden' };
  draw = async () => ({ providerMetadata: { embedded: { images: [{ drawing }] } } });
  const { imageUrl } = (await generate({ prompt: drawing.prompt })).body;
  const bob = await t.person('Bob', 1);
  const seenBy = async (as: string) => {
    expect((await edit({ prompt: 'Make it blue', imageUrl }, as)).status).toBe(200);
    return calls.at(-1)?.providerOptions?.embedded;
  };
  expect(await seenBy(ada.apiKey)).toEqual({ drawing });
  expect(await seenBy(bob.apiKey)).toEqual({});
});

describe('with the embedded illustrator', () => {
  let real: TestApp;
  let eve: TestUser;
  beforeAll(async () => {
    real = await openTestApp({ work: true, engines: 'real', env: { SIGNUP_CREDITS: '5' } });
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
    ['of plain words', 'Remove the lighthouse'],
    // Whole characters, though a sentence that quotes some of them is cut.
    ['of pictures only', `x${'👩‍👩‍👧'.repeat(100)}`],
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
      const unknown = await make('/images/generate', { prompt: 'A submarine at night' });
      expect([unknown.status, unknown.body.error]).toEqual([
        400,
        'prompt asks for "submarine", which the embedded illustrator cannot draw.',
      ]);
      const beside = await make('/images/generate', { prompt: 'A waterfall in a jungle with two parrots' });
      expect([beside.status, beside.body.error]).toEqual([
        400,
        'prompt asks for "waterfall", which the embedded illustrator cannot draw.',
      ]);
      expect(await balanceOf()).toEqual(before);
    },
  );

  test('the same prompt gives the same image', async () => {
    const bodies = await Promise.all([1, 2].map(() => make('/images/generate', { prompt: 'A fox in the snow' })));
    const [one, two] = await Promise.all(bodies.map(async ({ body }) => (await read(body.imageUrl)).raw().toBuffer()));
    expect(Buffer.compare(one!, two!)).toBe(0);
  });
});

test('with every slot taken, one more image is 503 with Retry-After, and uncharged', async () => {
  const users = await Promise.all(['Ann', 'Bob', 'Cem', 'Dan', 'Eve'].map((name) => t.person(name, 20)));
  const [ann, bob, cem, dan, eve] = users as [TestUser, TestUser, TestUser, TestUser, TestUser];
  const gate = Promise.withResolvers<void>();
  let drawn = 0;
  draw = async () => {
    drawn += 1;
    await gate.promise;
    throw new Error('The provider gave up.');
  };
  const generate = (person: TestUser, images: number) =>
    Array.from({ length: images }, () =>
      t.rest('POST', '/images/generate', { as: person.apiKey, body: { prompt: 'A red bicycle', model: 'default' } }),
    );
  // Four are drawn at once, three of them at most of one account; 64 wait, 16 at most of one account.
  const begun = generate(ann, 3);
  await until(async () => drawn === 3);
  begun.push(...generate(bob, 1));
  await until(async () => drawn === 4);
  const waiting = [ann, bob, cem, dan].flatMap((person) => generate(person, 16));
  const all = [...begun, ...waiting, ...generate(eve, 1)];
  const more = await Promise.race(all);
  expect(more.status).toBe(503);
  expect(more.body.error).toBe('Too much is being made: try again later.');
  expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(0);
  gate.resolve();
  const answers = await Promise.all(all);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
  for (const { session } of users) {
    const { body } = await t.graphql<any>('{ me { balance { available held } } }', {}, session);
    expect(body.data.me.balance).toEqual({ available: 20, held: 0 });
  }
});
