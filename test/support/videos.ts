/**
 * An instance whose video engine makes nothing and does as a test says, with a person and three avatars: what the files of
 * `test/rest/videos` share. One is open at a time, as a worker runs its test files one after the other.
 */
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines, VideoEngine, VideoQuery } from '../../src/engines/ports/index.ts';
import { badInput, PlatformError } from '../../src/kernel/errors.ts';
import { openTestApp, type TestApp, type TestUser } from './app.ts';
import { type ImageServer, serveImages } from './image-server.ts';
import { until } from './until.ts';
import { openWorker, type TestWorker } from './workers.ts';

export let t: TestApp;
export let ada: TestUser;
export let nova: any;
export let zed: any;
export let rose: any;
let worker: TestWorker;
let imageServer: ImageServer;

export const usual = createNoopEngines().video;
/** What the engine was asked for, and how it answers. */
export const engine = { queries: [] as VideoQuery[], render: usual.render as VideoEngine['render'] };

function engines(): Engines {
  const noop = createNoopEngines();
  return {
    ...noop,
    speech: { ...noop.speech, estimateSeconds: (text) => text.length * 0.1 },
    codec: {
      ...noop.codec,
      decodeAudio: async (file, { field = 'file', maxSeconds } = {}) => {
        if (Buffer.from(file).includes('RIFF')) return { pcm: new Int16Array(3 * 8_000), rate: 8_000 };
        if (Buffer.from(file).includes('long')) throw badInput(field, `must be at most ${maxSeconds} seconds long.`);
        throw badInput(field, 'is not a recording that can be read.');
      },
    },
    video: {
      ...noop.video,
      seconds: async (query) => {
        if (query.srcVideo && !Buffer.from(query.srcVideo).includes('ftyp')) {
          throw new PlatformError('BAD_INPUT', 'srcVideo is not a video that can be read.');
        }
        return query.srcVideo ? 4 : (query.duration ?? 5);
      },
      async *render(query) {
        engine.queries.push(query);
        yield* engine.render(query);
      },
    },
  };
}

export async function openVideos(): Promise<void> {
  imageServer = await serveImages({
    '/voice.wav': { type: 'audio/wav', body: 'RIFF....WAVE' },
    '/long.wav': { type: 'audio/wav', body: 'long' },
    '/noise.mp3': { type: 'audio/mpeg', body: 'nothing' },
    '/video.mp4': { type: 'video/mp4', body: '....ftypisom' },
    '/broken.mp4': { type: 'video/mp4', body: 'nothing' },
  });
  t = await openTestApp({
    env: { SIGNUP_CREDITS: '0', FETCH_ALLOW_HOSTS: imageServer.host },
    engines: { ...engines(), close: async () => {} },
  });
  await startWork();
  usualEngine();
  ada = await t.person('Ada', 100);
  nova = await make('Nova Star', 'noop');
  zed = await make('Zedekiah');
  rose = await make('Rose');
}

export async function closeVideos(): Promise<void> {
  await stopWork();
  await t.close();
  await imageServer.close();
}

export const stopWork = (): Promise<void> => worker.stop();
export async function startWork(): Promise<void> {
  worker = await openWorker(t, engines());
}

/** Forgets what was asked for, and how a test had it answered. */
export function usualEngine(): void {
  engine.queries.length = 0;
  engine.render = usual.render;
}

export const make = async (displayName: string, ttsVoiceId?: string, owner = ada) =>
  (await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName, ttsVoiceId } })).body.avatar;
export const generate = (body: object, as = ada.apiKey, headers = {}) =>
  t.rest('POST', '/videos/generate', { as, body, headers });
export const read = (generationId: string, as = ada.apiKey) => t.rest('GET', `/videos/${generationId}`, { as });
export const ended = (generationId: string, as = ada.apiKey) =>
  until(async () => {
    const { body } = await read(generationId, as);
    return ['ready', 'error'].includes(body.status) && body;
  });
/** One that is accepted, once it has ended: what was answered, and what the engine was asked for. */
export async function made(body: object) {
  const answer = await generate(body);
  if (answer.status !== 202) throw new Error(JSON.stringify(answer.body));
  await ended(answer.body.generationId);
  return { ...answer.body, query: engine.queries.at(-1)! };
}
export const balance = async (person: TestUser) =>
  (await t.graphql<any>('{ me { balance { available held } } }', {}, person.session)).body.data.me.balance;
/** Where what a video is made of lies. */
export const at = (path: string) => imageServer.url + path;
