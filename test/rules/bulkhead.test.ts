/** The bulkhead in front of dear work: how many run, who waits, who is refused, who may leave. */
import { expect, test } from '@jest/globals';
import { createBulkhead } from '../../src/kernel/bulkhead.ts';

/** Work that runs until the test ends it. */
function work(name: string, log: string[]) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const run = () => {
    log.push(name);
    return promise;
  };
  return { run, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
/** Until everything that can go on by itself has done so. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const asked = { account: 'ada' };
/** One account alone may have it all. */
const bulkheadOf = (atOnce: number, waiting: number) =>
  createBulkhead({ atOnce, atOnceOfOne: atOnce, waiting, waitingOfOne: waiting });

test('two run at once, the others in order, and beyond three that wait all are refused', async () => {
  const bulkhead = bulkheadOf(2, 3);
  const log: string[] = [];
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => work(name, log));
  const results = all.map(({ run }) => bulkhead(asked, run));
  await expect(bulkhead(asked, work('f', log).run)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await settled();
  expect(log).toEqual(['a', 'b']);
  all[1]!.end();
  await settled();
  expect(log).toEqual(['a', 'b', 'c']);
  for (const { end } of all) end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('without room to wait, what finds a free place still runs', async () => {
  const bulkhead = bulkheadOf(1, 0);
  const log: string[] = [];
  const first = work('a', log);
  const running = bulkhead(asked, first.run);
  await expect(bulkhead(asked, work('b', log).run)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  first.end();
  expect(await running).toBe('a');
  expect(log).toEqual(['a']);
});

test('work that fails gives its place back', async () => {
  const bulkhead = bulkheadOf(1, 1);
  const log: string[] = [];
  const [first, second] = [work('a', log), work('b', log)];
  const [failing, next] = [bulkhead(asked, first.run), bulkhead(asked, second.run)];
  first.fail();
  await expect(failing).rejects.toThrow('a');
  second.end();
  expect(await next).toBe('b');
});

test('who leaves while it waits hears so at once and never runs; who is behind it does', async () => {
  const bulkhead = bulkheadOf(1, 5);
  const log: string[] = [];
  const [first, leaving, behind] = ['a', 'b', 'c'].map((name) => work(name, log));
  const leave = new AbortController();
  const running = bulkhead(asked, first!.run);
  const left = bulkhead({ ...asked, signal: leave.signal }, leaving!.run);
  const next = bulkhead(asked, behind!.run);
  leave.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(bulkhead({ ...asked, signal: leave.signal }, leaving!.run)).rejects.toThrow('gone');
  behind!.end();
  first!.end();
  expect(await Promise.all([running, next])).toEqual(['a', 'c']);
  expect(log).toEqual(['a', 'c']);
});

test('a signal that aborts running work is for the work to heed', async () => {
  const bulkhead = bulkheadOf(1, 0);
  const running = work('a', []);
  const stop = new AbortController();
  const result = bulkhead({ ...asked, signal: stop.signal }, running.run);
  await settled();
  stop.abort(new Error('gone'));
  running.end();
  expect(await result).toBe('a');
});

test('an account has its part and no more; the next finds a free place beside it', async () => {
  const bulkhead = createBulkhead({ atOnce: 2, atOnceOfOne: 1, waiting: 4, waitingOfOne: 1 });
  const log: string[] = [];
  const [first, second, other] = ['a', 'b', 'c'].map((name) => work(name, log));
  const results = [bulkhead(asked, first!.run), bulkhead(asked, second!.run)];
  await expect(bulkhead(asked, work('d', log).run)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  results.push(bulkhead({ account: 'bob' }, other!.run));
  await settled();
  expect(log).toEqual(['a', 'c']);
  for (const one of [first, second, other]) one!.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c']);
});
