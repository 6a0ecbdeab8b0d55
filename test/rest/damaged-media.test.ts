/** A seeded round of damaged media of every format through the public API (`npm run fuzz` sends more). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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
import { openTestApp, type Person, type TestApp } from '../support/app.ts';
import { until } from '../support/until.ts';

const SEED = 11;

let t: TestApp;
let files: FileServer;
let ada: Person;
let caller: Caller;
let all: Format[];
const polls: string[] = [];

beforeAll(async () => {
  files = await serveCases();
  t = await openTestApp({ engines: 'real', work: true, env: { FETCH_ALLOW_HOSTS: files.host } });
  ada = await t.person('Ada', 500);
  caller = { url: t.url, apiKey: ada.apiKey };
  all = await formats();
});
afterAll(async () => {
  await t.close();
  await files.close();
});

test('every format with every damage, and bombs: 2xx, or a 400 that names the field in words of ours', async () => {
  const answers: Answer[] = [];
  for (let number = 0; number < fullRound(all); number++)
    answers.push(...(await send(damagedCase(all, SEED, number), files, caller, polls)));
  for (const bomb of await bombs()) answers.push(...(await send(bomb, files, caller, polls)));
  expect(faults(answers)).toEqual([]);
  expect(answers.filter(({ status }) => status === 400).length).toBeGreaterThan(fullRound(all) / 2);
});

test('afterwards whole files are taken, nothing hangs and nothing is held', async () => {
  const whole = all.map(({ name, kind, contentType, bytes }) => ({
    id: `${name}/whole/0`,
    kind,
    contentType,
    bytes,
  }));
  const answers: Answer[] = [];
  for (const one of whole) answers.push(...(await send(one, files, caller, polls)));
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  await until(async () => (await stillRunning(polls, caller)).length === 0);
  const { body } = await t.graphql<any>('{ me { balance { held } } }', {}, ada.session);
  expect(body.data.me.balance).toEqual({ held: 0 });
});
