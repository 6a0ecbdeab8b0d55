/**
 * What idempotency keys could not write while the database was away: one attempt at a time, until it is written. Over a database and
 * a clock of the test's own, because what must be seen is that nothing happens for seconds; test/rest/idempotency.test.ts does it
 * with PostgreSQL.
 */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { IdempotencyKeys } from '../../src/services/accounts/idempotency.service.ts';

const SECOND_MS = 1_000;

beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] }));
afterEach(() => void jest.useRealTimers());

/** Keys over a database that is away, then silent, then there. */
function keys() {
  const answers: ((rows: object[]) => void)[] = [];
  let asked = 0;
  const rows = (): Promise<object[]> => {
    asked += 1;
    if (asked <= 2) return Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    return new Promise((resolve) => answers.push(resolve));
  };
  const platform = { db: { rows }, clock: { now: () => 0 }, notifier: {} };
  return { keys: new IdempotencyKeys(platform as never, {} as never), answers, asked: () => asked };
}

test('a run that the database does not answer is not overtaken by the next', async () => {
  const { keys: owing, answers, asked } = keys();
  for (const key of ['a', 'b']) {
    await expect(owing.release({ caller: 'usr_ada', key, begunAt: 0 })).rejects.toThrow('refused');
  }
  await jest.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(asked()).toBe(3);
  answers[0]!([]);
  await jest.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(asked()).toBe(4);
  answers[1]!([]);
  await jest.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect([asked(), jest.getTimerCount()]).toEqual([4, 0]);
  owing.close();
});
