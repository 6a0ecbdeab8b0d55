/** Portraits that cost nothing wait for paid work that waits, for a while, and never keep each other's accounts waiting. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import type { Engines } from '../../src/engines/ports/index.ts';
import { LONGEST_WAIT_MS } from '../../src/services/avatars/portrait.queue.ts';
import { type Answer, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let worker: TestWorker | undefined;
let nowMs: number;
let drawn: string[];
let latch: PromiseWithResolvers<void>;

function engines(): Engines {
  const noop = createNoopEngines();
  const portrait: Engines['portrait'] = {
    ...noop.portrait,
    doGenerate: async (options) => {
      await latch.promise;
      // What no worker has begun, when this is drawn.
      drawn.push(`${options.prompt} (${await waiting()} wait)`);
      return noop.portrait.doGenerate(options);
    },
  };
  const image: Engines['image'] = (model) => ({
    ...noop.image(model),
    doGenerate: async (options) => {
      return noop.image(model).doGenerate(options);
    },
  });
  return { ...noop, portrait, image };
}

beforeEach(async () => {
  nowMs = Date.now();
  drawn = [];
  latch = Promise.withResolvers();
  latch.resolve();
  t = await openTestApp({ clock: { now: () => nowMs }, engines: { ...engines(), close: async () => {} } });
  [ada, bob] = [await t.person('Ada', 5), await t.person('Bob')];
});
afterEach(async () => {
  latch.resolve();
  await worker?.stop();
  worker = undefined;
  await t.close();
});

const draw = async (who: TestUser, description: string): Promise<any> =>
  (await t.graphql<any>(`mutation { drawPortrait(description: "${description}") { url } }`, {}, who.session)).body;
const avatar = (who: TestUser): Promise<Answer> =>
  t.rest('POST', '/avatars', { as: who.apiKey, body: { displayName: 'Nova' } });
const paid = () => t.rest('POST', '/images/generate', { as: ada.apiKey, body: { prompt: 'a boat' } });
const waiting = async (): Promise<number> =>
  (await t.app.db.rows(`select 1 from pgboss.job where name = 'image' and state = 'created'`)).length;

async function freePortraits(who: TestUser): Promise<number> {
  const [row] = await t.app.db.rows<{ used: number }>(
    `select used::int from account_usage where kind = 'freePortraits' and user_id = $1`,
    [who.userId],
  );
  return row?.used ?? 0;
}

test('a paid image that waits for a worker is made first, for any account', async () => {
  const image = paid();
  await until(async () => (await waiting()) === 1);
  const free = [draw(bob, 'a pilot'), avatar(bob)];
  worker = await openWorker(t, engines());
  expect((await image).status).toBe(200);
  for (const answer of await Promise.all(free)) expect(answer).not.toHaveProperty('errors');
  const behind = expect.stringContaining('(0 wait)');
  expect(drawn).toEqual([behind, behind]);
});

test('where no worker comes, a portrait is drawn all the same after a while', async () => {
  const image = paid();
  await until(async () => (await waiting()) === 1);
  let isDrawn = false;
  const free = draw(bob, 'a pilot').finally(() => {
    isDrawn = true;
  });
  // However late it comes to its turn.
  await until(async () => {
    nowMs += LONGEST_WAIT_MS;
    return isDrawn;
  });
  expect([(await free).data, drawn]).toEqual([expect.anything(), [expect.stringContaining('(1 wait)')]]);
  worker = await openWorker(t, engines());
  expect((await image).status).toBe(200);
});

test('accounts take turns, and what is more than an account’s part of the queue is refused and not counted', async () => {
  latch = Promise.withResolvers();
  const refused: any[] = [];
  const many = Array.from({ length: 70 }, async (_, i) => {
    const { errors } = await draw(ada, `baker ${i}`);
    if (errors) refused.push(errors[0].extensions);
  });
  await until(async () => refused.length === 6);
  const busy = expect.objectContaining({ code: 'UNAVAILABLE', retryAfterSeconds: expect.any(Number) });
  expect(refused).toEqual(Array(6).fill(busy));
  const other = draw(bob, 'a pilot');
  await until(async () => (await freePortraits(bob)) === 1);
  latch.resolve();
  expect((await other).data).toEqual({ drawPortrait: { url: expect.any(String) } });
  await Promise.all(many);
  expect([refused.length, await freePortraits(ada), drawn.length]).toEqual([6, 64, 65]);
  expect(drawn.findIndex((prompt) => prompt.includes('pilot'))).toBeLessThan(32);
});
