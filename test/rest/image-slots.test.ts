/** Images are made while the caller waits, a few at a time: one account fills neither the running ones nor the waiting. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RunningEngines } from '../../src/engines/create.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

/** Beyond what one account may have running (3) and waiting (16). */
const BURST = 40;
const SLOW = 'This takes until the test lets it go.';

let t: TestApp;
let ada: TestUser;
let mallory: TestUser;
let slow = 0;
const { promise: letGo, resolve: release } = Promise.withResolvers<void>();

beforeAll(async () => {
  const noop = createNoopEngines();
  const engines: RunningEngines = {
    ...noop,
    image: (model) => ({
      ...noop.image(model),
      doGenerate: async (options) => {
        if (options.prompt === SLOW) {
          slow += 1;
          await letGo;
        }
        return noop.image(model).doGenerate(options);
      },
    }),
    close: async () => {},
  };
  t = await openTestApp({ work: true, engines });
  [ada, mallory] = [await t.person('Ada', 10), await t.person('Mallory', 10)];
});
afterAll(() => t.close());

const make = (person: TestUser, prompt: string) =>
  t.rest('POST', '/images/generate', { as: person.apiKey, body: { prompt, model: 'default' } });

test('a burst of one account is refused beyond its bound, uncharged, and another account’s image is made at once', async () => {
  const burst = Array.from({ length: BURST }, () => make(mallory, SLOW));
  const refused: Awaited<ReturnType<typeof make>>[] = [];
  for (const answer of burst) void answer.then((one) => one.status === 503 && refused.push(one));
  await until(async () => slow === 3 && refused.length === BURST - 19);
  for (const { headers, body } of refused) {
    expect(headers.get('retry-after')).toBe('5');
    expect(body.code).toBe('UNAVAILABLE');
  }
  const { status } = await make(ada, 'A boat');
  expect([status, slow]).toEqual([200, 3]);
  release();
  const made = (await Promise.all(burst)).filter((answer) => answer.status === 200);
  expect(made).toHaveLength(19);
  const { data } = (await t.graphql('{ me { balance { available held } } }', {}, mallory.session)).body;
  expect(data.me.balance).toEqual({ available: 10 + 5 - 19 * 0.005, held: 0 });
});
