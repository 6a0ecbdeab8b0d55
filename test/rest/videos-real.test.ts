/** Videos and speech by the embedded engines, from the request to what is in the file. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALL_FORMATS, BufferSource, Input } from 'mediabunny';
import sharp from 'sharp';
import { difference } from '../engines/renderer/video/support.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type ImageServer, serveImages } from '../support/image-server.ts';
import { until } from '../support/until.ts';

const RED = { r: 220, g: 30, b: 30 };

let t: TestApp;
let imageServer: ImageServer;
let ada: TestUser;
let nova: any;

beforeAll(async () => {
  const red = await sharp({ create: { width: 640, height: 360, channels: 3, background: RED } })
    .png()
    .toBuffer();
  imageServer = await serveImages({ '/red.png': { type: 'image/png', body: red } });
  t = await openTestApp({ engines: 'real', work: true, env: { FETCH_ALLOW_HOSTS: imageServer.host } });
  ada = await t.person('Ada', 5);
  const { body } = await t.rest('POST', '/avatars', {
    as: ada.apiKey,
    body: { displayName: 'Nova', ttsVoiceId: t.app.engines.speech.voices()[0]!.id },
  });
  nova = body.avatar;
});
afterAll(async () => {
  await t.close();
  await imageServer.close();
});

/** What a finished file holds. */
async function contents(url: string) {
  const file = new Uint8Array(await (await fetch(url)).arrayBuffer());
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const video = (await input.getPrimaryVideoTrack())!;
  const stats = await video.computePacketStats();
  return {
    file,
    seconds: await input.computeDuration(),
    hasSound: (await input.getPrimaryAudioTrack()) !== null,
    width: video.displayWidth,
    height: video.displayHeight,
    fps: stats.averagePacketRate,
  };
}

async function video(body: object) {
  const accepted = await t.rest('POST', '/videos/generate', { as: ada.apiKey, body });
  expect(accepted.status).toBe(202);
  const done = await until(async () => {
    const answer = await t.rest('GET', accepted.body.poll, { as: ada.apiKey });
    return ['ready', 'error'].includes(answer.body.status) && answer.body;
  });
  expect(done).toMatchObject({ status: 'ready' });
  return { ...done, ...(await contents(done.videoUrl)), seconds: done.seconds as number };
}

const mean = (frame: { rgba: Uint8Array }) => {
  const sums = [0, 0, 0];
  for (let at = 0; at < frame.rgba.length; at += 4) for (const c of [0, 1, 2]) sums[c]! += frame.rgba[at + c]!;
  return sums.map((sum) => sum / (frame.rgba.length / 4));
};

test('a thing that cannot be drawn is a 400 that names it, uncharged', async () => {
  const held = async () =>
    (await t.graphql<any>('{ me { balance { available held } } }', {}, ada.session)).body.data.me.balance;
  const before = await held();
  const prompt = 'A slow pan over a beach with a gramophone';
  const { status, body } = await t.rest('POST', '/videos/generate', { as: ada.apiKey, body: { prompt, duration: 1 } });
  expect([status, body.error]).toEqual([
    400,
    'prompt asks for "gramophone", which the embedded illustrator cannot draw.',
  ]);
  expect(await held()).toEqual(before);
});

test('size, frame rate, silence and closing frame as asked for; the same seed, the same frames', async () => {
  const body = {
    prompt: 'A boat on the sea',
    duration: 1,
    aspectRatio: '9:16',
    fps: 48,
    draft: true,
    saveAudio: false,
    seed: 5,
  };
  const [one, two] = [await video(body), await video(body)];
  expect(one).toMatchObject({ width: 720, height: 1280, hasSound: false, creditCost: 0.02 });
  expect(one.fps).toBeCloseTo(48, 0);
  expect(one.seconds).toBeCloseTo(1, 1);
  const frames = await Promise.all([one, two].map(({ file }) => t.app.engines.codec.decodeFrames(file, [0, 500, 950])));
  // What is drawn is the same to the bit; the encoder gives one run in a hundred other bits to a frame.
  for (const index of [0, 1, 2]) expect(difference(frames[0]![index]!, frames[1]![index]!)).toBeLessThan(1);
  const shown = 'query($id: ID!) { video(generationId: $id) { stillUrl } }';
  const { body: read } = await t.graphql<any>(shown, { id: one.generationId }, ada.apiKey);
  const still = sharp(Buffer.from(await (await fetch(read.data.video.stillUrl)).arrayBuffer()));
  expect(await still.metadata()).toMatchObject({ format: 'jpeg', width: 720, height: 1280 });
  const { channels } = await still.stats();
  for (const [index, value] of mean(frames[0]![1]!).entries())
    expect(Math.abs(value - channels[index]!.mean)).toBeLessThan(12);
  const closing = await video({ ...body, fps: 24, lastFrameImage: `${imageServer.url}/red.png` });
  const [last] = await t.app.engines.codec.decodeFrames(closing.file, [10_000]);
  const [r, g, b] = mean(last!);
  expect(Math.abs(r! - RED.r) + Math.abs(g! - RED.g) + Math.abs(b! - RED.b)).toBeLessThan(30);
});

test('what the avatar says is heard and sets the length; the video opens on its still', async () => {
  const made = await video({
    prompt: 'A calm room',
    avatarId: nova.avatarId,
    speechText: 'Good morning.',
    draft: true,
  });
  expect(made).toMatchObject({ hasSound: true, referencedAvatars: [{ name: 'Nova' }] });
  const { pcm, rate } = await t.app.engines.codec.decodeAudio(made.file);
  expect(pcm.length / rate).toBeCloseTo(made.seconds, 0);
  expect(pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)).toBeGreaterThan(1_000);
  const [first] = await t.app.engines.codec.decodeFrames(made.file, [0]);
  const still = sharp(Buffer.from(await (await fetch(nova.avatarImageUrl)).arrayBuffer()));
  const { channels } = await still.stats();
  for (const [index, value] of mean(first!).entries()) expect(Math.abs(value - channels[index]!.mean)).toBeLessThan(25);
});

test('a one-shot speech as video shows and speaks', async () => {
  const path = `/avatars/${nova.avatarId}/speak`;
  const { body } = await t.rest('POST', path, {
    as: ada.apiKey,
    body: { text: 'Guten Tag.', language: 'de', output: 'video' },
  });
  const done = await until(async () => {
    const answer = await t.rest('GET', body.poll, { as: ada.apiKey });
    return ['video', 'error'].includes(answer.body.status) && answer.body;
  });
  expect(done.status).toBe('video');
  expect(await contents(done.videoUrl)).toMatchObject({ hasSound: true, width: 256 });
});
