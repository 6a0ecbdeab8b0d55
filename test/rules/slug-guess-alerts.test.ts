/** A wave of guessed slugs is logged when it begins and when it is over, once each; clocks are the test's. */
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { createRateLimits } from '../../src/auth/rate-limits.ts';
import { INSTANCE } from '../../src/auth/slug-misses.ts';

const BY_ADDRESS = 10;

beforeAll(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterAll(() => void jest.useRealTimers());

test('its begin and its end are in the log and in the metric', async () => {
  const logged: string[] = [];
  const log = { warn: (_: object, event: string) => void logged.push(event) } as never;
  const limits = createRateLimits({ enabled: true, log });
  const miss = async (host: number, slugs: number) => {
    const settle = await limits.lookUp(`10.1.${host}.1`, Array(slugs).fill(undefined));
    await settle(Array(slugs).fill('failed'));
  };
  for (let host = 0; host < INSTANCE.points / BY_ADDRESS; host += 1) await miss(host, BY_ADDRESS);
  expect([limits.stats.slugMisses, limits.stats.slugWave, logged]).toEqual([INSTANCE.points, 0, []]);
  // Who has missed lately is refused; nothing is logged a second time.
  for (const host of [1, 2]) await expect(miss(host, 1)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  expect([limits.stats.slugWave, limits.stats.slugsRefused, logged]).toEqual([1, 2, ['slug miss wave began']]);
  jest.advanceTimersByTime((INSTANCE.duration + 1) * 1_000);
  for (const host of [1, 2]) await miss(host, 1);
  expect([limits.stats.slugWave, logged]).toEqual([0, ['slug miss wave began', 'slug miss wave ended']]);
  limits.close();
});
