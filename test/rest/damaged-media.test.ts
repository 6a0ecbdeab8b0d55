/** A seeded round of damaged media of every format through the public API (`npm run fuzz` sends more). */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines } from '../../src/engines/ports/index.ts';
import { bombs, damagedCase, type Format, formats, fullRound } from '../fuzz/corpus.ts';
import {
  type Answer,
  type Caller,
  type FileServer,
  faults,
  send,
  serveCases,
  stillRunning,
} from '../fuzz/endpoints.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

const SEED = 11;

let t: TestApp;
let files: FileServer;
let ada: TestUser;
let caller: Caller;
let real: Pick<Engines, 'image' | 'talkingHead' | 'video'>;
let all: Format[];
const polls: string[] = [];

beforeAll(async () => {
  files = await serveCases();
  t = await openTestApp({ engines: 'real', work: true, env: { FETCH_ALLOW_HOSTS: files.host } });
  ada = await t.person('Ada', 500);
  const { image, talkingHead, video } = t.app.engines;
  real = { image, talkingHead, video };
  caller = { url: t.url, apiKey: ada.apiKey };
  all = await formats();
});
afterAll(async () => {
  await t.close();
  await files.close();
});

/**
 * Engines that open the videos that are edited, and do nothing else: images and sounds were decoded when they were accepted,
 * and what an engine is given is what our decoders wrote.
 */
async function editsOnly(): Promise<typeof real> {
  const file = await readFile(new URL('../fixtures/short.mp4', import.meta.url));
  const { image, talkingHead } = createNoopEngines();
  const video: Engines['video'] = {
    ...real.video,
    async *render(query) {
      if (query.srcVideo) yield* real.video.render(query);
      else yield { file, seconds: 1, width: 64, height: 64, fps: 24, seed: 1 };
    },
  };
  return { image, talkingHead, video };
}

test('every format with every damage, and bombs: 2xx, or a 400 that names the field in words of ours', async () => {
  Object.assign(t.app.engines, await editsOnly());
  const answers: Answer[] = [];
  for (let number = 0; number < fullRound(all); number++)
    answers.push(...(await send(damagedCase(all, SEED, number), files, caller, polls)));
  for (const bomb of await bombs()) answers.push(...(await send(bomb, files, caller, polls)));
  expect(faults(answers)).toEqual([]);
  expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThan(fullRound(all) / 2);
});

test('afterwards whole files are taken, one of each kind is rendered, nothing hangs and nothing is held', async () => {
  const whole = all.map(({ name, kind, contentType, bytes }) => ({
    id: `${name}/whole/0`,
    kind,
    contentType,
    bytes,
  }));
  const answers: Answer[] = [];
  for (const [i, one] of whole.entries()) {
    // A whole file was decoded when it was taken: of each kind the first is also drawn.
    const isFirst = whole.findIndex(({ kind }) => kind === one.kind) === i;
    Object.assign(t.app.engines, isFirst ? real : await editsOnly());
    answers.push(...(await send(one, files, caller, polls)));
    await until(async () => {
      // Each time of fewer: to ask of all would compute more than making them.
      polls.splice(0, polls.length, ...(await stillRunning(polls, caller)));
      return polls.length === 0;
    });
  }
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  const { body } = await t.graphql<any>('{ me { balance { held } } }', {}, ada.session);
  expect(body.data.me.balance).toEqual({ held: 0 });
});
