/** Uploaded files: what becomes of them, which fields take their addresses, and what is refused. */
import { readdir, readFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { tone, wavOf } from '../support/sound-files.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real', env: { RATE_LIMITS: 'on' } });
  ada = await t.person('Ada', 100);
});
afterAll(() => t?.close());

const WAV = wavOf(tone(48_000, 0.6), { rate: 48_000, channels: 1, bits: 16 });

function formOf(bytes: Uint8Array, name = 'file'): FormData {
  const form = new FormData();
  form.set(name, new Blob([Uint8Array.from(bytes)]), 'whatever.txt');
  return form;
}

async function upload(
  body: FormData | string,
  as: string | undefined = ada.apiKey,
): Promise<{ status: number; body: any }> {
  const headers = as ? { authorization: `Bearer ${as}` } : {};
  const answer = await fetch(`${t.url}/uploads`, { method: 'POST', headers, body });
  return { status: answer.status, body: await answer.json() };
}

async function uploaded(bytes: Uint8Array): Promise<{ url: string; type: string | null; bytes: Buffer }> {
  const { status, body } = await upload(formOf(bytes));
  expect([status, body]).toEqual([200, { url: expect.stringContaining('/media/uploads/') }]);
  const answer = await fetch(body.url);
  return { url: body.url, type: answer.headers.get('content-type'), bytes: Buffer.from(await answer.arrayBuffer()) };
}

const made = async (body: object): Promise<any> => {
  const { status, body: answer } = await t.rest('POST', '/videos/generate', { as: ada.apiKey, body });
  expect([status, answer]).toEqual([202, expect.anything()]);
  return until(async () => {
    const { body: seen } = await t.rest('GET', answer.poll, { as: ada.apiKey });
    return (seen.status === 'ready' || seen.status === 'error') && seen;
  });
};

test('an image comes back upright and bare, and every field for images takes it', async () => {
  const turned = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#884422' } })
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { url, type, bytes } = await uploaded(turned);
  expect(type).toBe('image/jpeg');
  const { width, height, exif, orientation } = await sharp(bytes).metadata();
  expect({ width, height, exif, orientation }).toEqual({ width: 300, height: 400 });
  const as = ada.apiKey;
  const avatar = await t.rest('POST', '/avatars', { as, body: { displayName: 'Nova', imageUrl: url } });
  const add = 'mutation($id: ID!, $url: String!) { addAvatarImage(avatarId: $id, imageUrl: $url) { url } }';
  const added = await t.graphql<any>(add, { id: avatar.body.avatarId, url }, ada.session);
  const folder = await t.rest('POST', '/avatar-folders', { as, body: { name: 'Cast', icon: url } });
  const edited = await t.rest('POST', '/images/edit', { as, body: { prompt: 'make it blue', images: [url] } });
  expect([avatar.status, added.body.errors, folder.status, edited.status]).toEqual([200, undefined, 200, 200]);
});

test('sound and video come back written anew, and the fields for them take them', async () => {
  const sound = await uploaded(WAV);
  expect(sound.type).toBe('audio/mp4');
  const first = await made({ prompt: 'waves', draft: true, audio: sound.url });
  expect([first.status, Math.round(first.duration ?? first.seconds ?? 0)]).toEqual(['ready', 1]);
  // A small one: what was made above is of the usual size, and to edit it computes ten times as much.
  const file = await readFile(new URL('../fixtures/video/h264-aac.mp4', import.meta.url));
  const video = await uploaded(file);
  expect(video.type).toBe('video/mp4');
  expect(video.bytes.subarray(4, 8).toString()).toBe('ftyp');
  const second = await made({ prompt: 'make it night', draft: true, srcVideo: video.url });
  expect(second.status).toBe('ready');
  // Sound in a container for videos stays sound; a video that cannot be decoded does not become its sound.
  expect((await uploaded(sound.bytes)).type).toBe('audio/mp4');
  const unknown = Buffer.from(Buffer.from(file).toString('latin1').replaceAll('avc1', 'zzz1'), 'latin1');
  const { status, body } = await upload(formOf(unknown));
  expect([status, body.error]).toEqual([400, 'file must be a video (mp4, webm or mov) that can be decoded.']);
});

test('nothing else is taken, and no other user may', async () => {
  const cases: [string, FormData, number, string][] = [
    [
      'a text',
      formOf(Buffer.from('Hello, this is a text.')),
      400,
      'file must be an image (JPEG, PNG, WebP), a recording or a video.',
    ],
    [
      'a page',
      formOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      400,
      'file must be an image (JPEG, PNG, WebP), a recording or a video.',
    ],
    ['nothing', formOf(new Uint8Array()), 400, 'file is empty.'],
    [
      'a broken image',
      formOf(Buffer.from([0xff, 0xd8, 0xff, 0, 0])),
      400,
      'file is not a JPEG, PNG or WebP image that can be read.',
    ],
    ['another field', formOf(WAV, 'audio'), 400, 'audio is not a known field; known here: file.'],
    [
      'two minutes and more',
      formOf(wavOf(tone(8_000, 130), { rate: 8_000, channels: 1, bits: 8 })),
      400,
      'file must be at most 120 seconds long.',
    ],
  ];
  for (const [name, form, status, error] of cases) {
    const answer = await upload(form);
    expect([name, answer.status, answer.body.error]).toEqual([name, status, error]);
  }
  expect((await upload(formOf(WAV), '')).status).toBe(401);
  expect(await t.app.db.rows('select 1 from upload where media_key is null and token_hash is null')).toEqual([]);
});

async function addressFor({ session } = ada): Promise<string> {
  const { body } = await t.graphql<any>('mutation { createUpload { uploadUrl } }', {}, session);
  const { pathname, search } = new URL(body.data.createUpload.uploadUrl);
  return `${t.url}${pathname}${search}`;
}
const put = async (url: string, bytes: Uint8Array): Promise<{ status: number; body: any }> => {
  const answer = await fetch(url, { method: 'PUT', body: Uint8Array.from(bytes) });
  return { status: answer.status, body: await answer.json() };
};

test('an address takes one file, also when several are sent to it at once', async () => {
  const image = await sharp({ create: { width: 900, height: 900, channels: 3, background: '#884422' } })
    .jpeg()
    .toBuffer();
  const url = await addressFor();
  const answers = await Promise.all([image, image].map((bytes) => put(url, bytes)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const kept = await fetch(answers.find(({ status }) => status === 200)?.body.url);
  expect([kept.status, (await sharp(await kept.arrayBuffer()).metadata()).width]).toEqual([200, 900]);
  // What cannot be read uses it up as well: no one has files decoded for nothing again and again.
  const other = await addressFor();
  const junk = Buffer.from([0xff, 0xd8, 0xff, 0, 0]);
  expect([(await put(other, junk)).status, (await put(other, junk)).status]).toEqual([400, 404]);
});

/** Sends headers that announce megabytes, and of those no more than a beginning. Ending it frees its slot. */
function announce(
  url: string,
  bytes = 60_000_000,
  beginning?: Uint8Array,
): { status: Promise<number | undefined>; end(): void } {
  const sending = request(url, { method: 'PUT', headers: { 'content-length': bytes } });
  const status = new Promise<number | undefined>((resolve) => {
    sending.on('response', (answer) => resolve(answer.statusCode));
    sending.on('error', () => resolve(undefined));
  });
  if (beginning) sending.write(beginning);
  else sending.flushHeaders();
  return { status, end: () => sending.destroy() };
}

test('megabytes that are not allowed are refused before they are sent', async () => {
  const none = announce(`${t.url}/uploads/upl_none?token=nothing`);
  expect(await none.status).toBe(404);
  none.end();
  const many = await Promise.all([1, 2, 3].map(() => addressFor()));
  const announced = many.map((url) => announce(url));
  // Two of an owner are waited for.
  expect(await Promise.race(announced.map(({ status }) => status))).toBe(429);
  for (const { end } of announced) end();
  const [url] = many as [string];
  await until(async () => (await put(url, new Uint8Array())).status === 400);
});

test('what is only announced takes no room from others', async () => {
  const owners = await Promise.all(['Bo', 'Cy', 'Di', 'Ed'].map((name) => t.person(name, 1)));
  const announced = await Promise.all(
    owners.map(async (owner) => {
      const urls = await Promise.all([1, 2, 3].map(() => addressFor(owner)));
      const sent = urls.map((url) => announce(url, 256 * 1024 * 1024));
      // The third is refused once two are held.
      expect(await Promise.race(sent.map(({ status }) => status))).toBe(429);
      return sent;
    }),
  );
  const { status, body } = await upload(formOf(WAV));
  for (const { end } of announced.flat()) end();
  expect([status, body]).toEqual([200, { url: expect.any(String) }]);
});

test('each kind has its own limit, which is held before the rest is sent', async () => {
  const mb = 1024 * 1024;
  const cases: [string, number, Uint8Array | undefined, number][] = [
    ['an image', 32 * mb + 1, Buffer.from([0xff, 0xd8, 0xff, ...new Uint8Array(20)]), 400],
    ['sound', 64 * mb + 1, WAV.subarray(0, 64), 400],
    ['anything', 256 * mb + 1, undefined, 413],
  ];
  for (const [name, bytes, beginning, status] of cases) {
    const sending = announce(await addressFor(), bytes, beginning);
    expect([name, await sending.status]).toEqual([name, status]);
    sending.end();
  }
  const form = formOf(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(33 * mb)]));
  const { status, body } = await upload(form);
  expect([status, body.error]).toEqual([400, 'file must have at most 32 MB.']);
});

test('how the lips of a photograph are best shut is found once it is an avatar, and again for a face that its owner sets', async () => {
  const { url } = await uploaded(await readFile(new URL('../fixtures/astronaut.jpg', import.meta.url)));
  const { body } = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Eileen', imageUrl: url } });
  const stored = async () =>
    (await t.app.db.rows<any>('select rig from avatar_image where avatar_id = $1', [body.avatarId]))[0].rig;
  const fitted = () => until(async () => (await stored()).press !== undefined && stored());
  const found = await fitted();
  expect(found).toMatchObject({ source: 'detected', press: expect.any(Number) });

  const { x, y } = found.mouth;
  const input = {
    avatarId: body.avatarId,
    imageUrl: body.avatar.avatarImageUrl,
    face: {
      leftEye: { x: found.leftEye.x, y: found.leftEye.y },
      rightEye: { x: found.rightEye.x, y: found.rightEye.y },
      mouth: { x, y: y + 0.002 },
    },
  };
  const query = 'mutation($input: SetAvatarFaceInput!) { setAvatarFace(input: $input) { id } }';
  expect((await t.graphql<any>(query, { input }, ada.session)).body.errors).toBeUndefined();
  expect(await fitted()).toMatchObject({ source: 'manual', press: expect.any(Number), mouth: { y: y + 0.002 } });
});

/** A box of an MP4 that no decoder reads, as long as it says. */
async function* withRoom(file: Uint8Array, megabytes: number): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(1024 * 1024);
  const head = Buffer.from('\0\0\0\0free', 'latin1');
  head.writeUInt32BE(megabytes * piece.length + 8);
  yield file;
  yield head;
  for (let i = 0; i < megabytes; i++) {
    yield piece;
  }
}

test('a video of 200 MB goes through the disk: memory does not grow by it, and nothing of it is left', async () => {
  const file = await readFile(new URL('../fixtures/short.mp4', import.meta.url));
  const held = (): number => process.memoryUsage().arrayBuffers;
  let most = 0;
  const before = held();
  const watch = setInterval(() => {
    most = Math.max(most, held() - before);
  }, 10);
  const body = ReadableStream.from(withRoom(file, 200));
  const answer = await fetch(await addressFor(), { method: 'PUT', body, duplex: 'half' } as RequestInit);
  clearInterval(watch);
  const { url } = (await answer.json()) as { url: string };
  expect(answer.status).toBe(200);
  const kept = new Uint8Array(await (await fetch(url)).arrayBuffer());
  expect(Buffer.from(kept.subarray(4, 8)).toString()).toBe('ftyp');
  expect(kept.length).toBeLessThan(8 * 1024 * 1024);
  // V8 collects unreachable buffers when about 64 MB of them have gathered, so that much may be there at any time.
  expect(most).toBeLessThan(128 * 1024 * 1024);
  expect(await readdir(path.join(t.app.config.DATA_DIR, 'incoming'))).toEqual([]);
});
