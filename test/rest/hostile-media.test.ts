/** Media made to break decoders, sent by fresh accounts: no other request is affected, nothing is charged, web and worker live. */
import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { largePng } from '../support/large-png.ts';
import { until } from '../support/until.ts';

const fixture = (name: string) => readFile(new URL(`../fixtures/${name}`, import.meta.url));

let t: TestApp;
let files: ImageServer;
const lines: { msg: string; decoderPid?: number; reason?: string; task?: string; field?: string }[] = [];
const log = pino(
  { base: undefined },
  new Writable({
    write(line, _encoding, done) {
      lines.push(JSON.parse(String(line)));
      done();
    },
  }),
);

/** A hole of ones in the middle: headers stay, and what they promise does not come. */
function damaged(bytes: Buffer): Buffer {
  return Buffer.from(bytes).fill(0xff, Math.round(bytes.length * 0.4), Math.round(bytes.length * 0.6));
}

/** Few bytes, 256 megapixels. */
const bomb = () => Buffer.from(largePng(16_000));

beforeAll(async () => {
  const [flac, webm, flacVideo, video] = (await Promise.all(
    ['plain.flac', 'short.webm', 'flac-sound.mp4', 'short.mp4'].map(fixture),
  )) as [Buffer, Buffer, Buffer, Buffer];
  const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#884422' } })
    .jpeg()
    .toBuffer();
  files = await serveImages({
    '/plain.flac': { type: 'audio/flac', body: flac },
    '/damaged.flac': { type: 'audio/flac', body: damaged(flac) },
    '/cut.flac': { type: 'audio/flac', body: flac.subarray(0, 900) },
    '/damaged.webm': { type: 'video/webm', body: damaged(webm) },
    '/cut.webm': { type: 'video/webm', body: webm.subarray(0, 700) },
    '/flac-sound.mp4': { type: 'video/mp4', body: flacVideo },
    '/short.mp4': { type: 'video/mp4', body: video },
    '/bomb.png': { type: 'image/png', body: bomb() },
    '/photo.jpg': { type: 'image/jpeg', body: photo },
  });
  t = await openTestApp({
    engines: 'real',
    work: true,
    log,
    env: { FETCH_ALLOW_HOSTS: files.host, SIGNUP_CREDITS: '0' },
  });
});
afterAll(async () => {
  await t.close();
  await files.close();
});

const generate = (who: TestUser, body: object) =>
  t.rest('POST', '/videos/generate', { as: who.apiKey, body: { prompt: 'Make it grey', draft: true, ...body } });
const balance = async (who: TestUser) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, who.session)).body.data.me.balance;
const ended = (poll: string, who: TestUser) =>
  until(async () => {
    const { body } = await t.rest('GET', poll, { as: who.apiKey });
    return ['ready', 'error'].includes(body.status) && body;
  });
const withImage = (who: TestUser) =>
  t.rest('POST', '/avatars', { as: who.apiKey, body: { displayName: 'Nova', imageUrl: `${files.url}/photo.jpg` } });

test.each([
  ['audio', 'plain.flac'],
  ['audio', 'damaged.flac'],
  ['audio', 'cut.flac'],
  ['audio', 'damaged.webm'],
  ['srcVideo', 'damaged.webm'],
  ['srcVideo', 'cut.webm'],
  ['srcVideo', 'plain.flac'],
  ['image', 'bomb.png'],
  ['lastFrameImage', 'damaged.webm'],
])(
  '%s %s of an account with nothing: an answer that is its own fault, and the next one is served',
  async (field, file) => {
    const fresh = await t.person('Fresh');
    const { status, body } = await generate(fresh, { [field]: `${files.url}/${file}` });
    // 402: it can be read, and has to be paid.
    if (field === 'audio' && file === 'plain.flac') expect(status).toBe(402);
    expect([400, 402]).toContain(status);
    if (status === 400) expect(body.error).toMatch(new RegExp(`^${field} `));
    expect(await balance(fresh)).toEqual({ available: 0, held: 0 });
    expect(await withImage(await t.person('Bystander'))).toMatchObject({ status: 200 });
  },
);

test('a video with FLAC sound ends, and its worker lives', async () => {
  const ada = await t.person('Ada', 5);
  const { status, body } = await generate(ada, { srcVideo: `${files.url}/flac-sound.mp4` });
  expect([202, 400]).toContain(status);
  if (status === 202) await ended(body.poll, ada);
  expect(await balance(ada)).toMatchObject({ held: 0 });
  expect(await withImage(ada)).toMatchObject({ status: 200 });
});

const pidsOfDecoders = () =>
  lines.flatMap(({ msg, decoderPid }) => (msg === 'decoder started' && decoderPid ? [decoderPid] : []));

/** As the kernel does when memory is short: the processes are not warned. */
function killAll(): void {
  for (const pid of pidsOfDecoders()) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended before.
    }
  }
}

/** Waits until a video is being edited by a decoder that has not been killed yet. */
const editing = (kills: number) =>
  until(async () => t.app.decoders.stats().running > 0 && lines.filter(isEditKilled).length === kills);
const isEditKilled = (line: (typeof lines)[number]) => line.msg === 'decoder killed' && line.task === 'edit';

test('a decoder killed once costs its job a second attempt, one killed twice ends it: uncharged, and no other request is affected', async () => {
  const [ada, bob] = [await t.person('Ada', 5), await t.person('Bob', 5)];
  const body = { srcVideo: `${files.url}/short.mp4`, draft: false };
  let charged = 0;
  for (const kills of [1, 2]) {
    lines.splice(0, lines.length, ...lines.filter(({ msg }) => msg === 'decoder started'));
    const accepted = await generate(ada, body);
    expect(accepted.status).toBe(202);
    const bystander = await generate(bob, { prompt: 'A red circle', duration: 1 });
    for (let kill = 0; kill < kills; kill += 1) {
      await editing(kill);
      killAll();
      await until(async () => lines.filter(isEditKilled).length === kill + 1);
    }
    const made = await ended(accepted.body.poll, ada);
    expect(made.status).toBe(kills === 1 ? 'ready' : 'error');
    if (kills === 1) charged = made.creditCost;
    else expect(made.error).toBe('srcVideo is not a video that can be read.');
    expect(await ended(bystander.body.poll, bob)).toMatchObject({ status: 'ready' });
  }
  expect(charged).toBeGreaterThan(0);
  expect(await balance(ada)).toEqual({ available: 5 - charged, held: 0 });
});

test('what ended decoders is counted for operators', async () => {
  const metrics = await (await fetch(`${t.url}/metrics`)).text();
  expect(metrics).toMatch(/^avatar_decoder_starts_total\{of="self"\} [1-9]/m);
  expect(metrics).toMatch(/^avatar_decoder_kills_total\{of="self",reason="crashed"\} [1-9]/m);
  expect(metrics).toMatch(/^avatar_decoder_tasks\{of="self",state="waiting"\} 0/m);
});
