/** The pool of threads: what a caller sees when threads work, fail, die, hang or are no longer wanted. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { createPool, type Pool, type PoolOptions } from '../../../src/engines/ports/threads.ts';
import { runAsAccount } from '../../../src/kernel/work-account.ts';

const entry = new URL('./threads-worker.ts', import.meta.url);
let pool: Pool;
const start = (size = 1, options: PoolOptions = {}) => {
  pool = createPool(entry, size, options);
  return pool;
};
afterEach(() => pool.close());

async function read(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += new TextDecoder().decode(piece);
  return text;
}

test('streams pieces in order and returns results', async () => {
  start();
  expect(await read(pool.stream<Uint8Array>('speech'))).toBe('speech');
  expect(await pool.run('four')).toBe(4);
});

test('does more tasks than it has threads', async () => {
  start(2);
  const all = await Promise.all(['a', 'bb', 'ccc', 'dddd', 'eeeee'].map((task) => pool.run<number>(task)));
  expect(all).toEqual([1, 2, 3, 4, 5]);
});

test('accounts take turns, in whatever order and however often they ask', async () => {
  start();
  const ask = (account: string, task: string) => runAsAccount(account, () => pool.run(task));
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((task) => ask(task.slice(0, 1), task));
  await Promise.all(all);
  expect(await pool.run('what began')).toBe('a1,a2,b1,c1,a3,b2,a4');
});

test("one account's tasks fill its own part of the queue, not that of others", async () => {
  start();
  const leave = new AbortController();
  const ask = (account: string) =>
    runAsAccount(account, () => pool.run('until stopped', { signal: leave.signal })).catch((error: unknown) => error);
  const all = Array.from({ length: 80 }, () => ask('a'));
  expect(await Promise.race(all)).toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The media engine is busy.',
    details: { retryAfterSeconds: 5 },
  });
  const other = ask('b');
  leave.abort('left');
  expect(await other).toBe('left');
  await Promise.all(all);
});

test('an error of the work reaches its caller with its code, and the thread lives on', async () => {
  start();
  await expect(pool.run('refuse')).rejects.toMatchObject({
    code: 'BAD_INPUT',
    message: 'task is refused.',
    details: { field: 'task' },
  });
  expect(await pool.run('next')).toBe(4);
});

test('a defect of the work is for the log alone', async () => {
  start();
  await expect(pool.run('break')).rejects.toMatchObject({
    code: 'UPSTREAM_FAILED',
    message: 'The media engine stopped unexpectedly.',
    cause: { message: 'hex.slice is not a function', stack: expect.stringContaining('threads-worker') },
  });
});

describe.each(['crash', 'exit'])('a thread that ends by %s', (how) => {
  test('rejects its task alone, and the next task gets a new thread', async () => {
    start(2);
    const [bad, good] = await Promise.allSettled([read(pool.stream<Uint8Array>(how)), pool.run('good')]);
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'UPSTREAM_FAILED' } });
    expect(good).toMatchObject({ status: 'fulfilled', value: 4 });
    expect(await Promise.all(['one', 'three'].map((task) => pool.run(task)))).toEqual([3, 5]);
  });
});

test('a thread that reports nothing of its task is ended: the task is rejected, and the next one has a new thread', async () => {
  start(1, { silentMs: 1_000 });
  const hung = pool.run('spin');
  await expect(hung).rejects.toMatchObject({
    code: 'UPSTREAM_FAILED',
    cause: { message: 'The thread reported nothing for 1000 ms.' },
  });
  expect(await pool.run('next')).toBe(4);
});

test('one that takes longer and reports is not', async () => {
  start(1, { silentMs: 2_000 });
  expect(await read(pool.stream<Uint8Array>('slow'))).toBe('.'.repeat(40));
});

describe('a task that is no longer wanted', () => {
  test('rejects at once with the reason, and its thread serves the next', async () => {
    start();
    const abort = new AbortController();
    const task = pool.run('until stopped', { signal: abort.signal });
    abort.abort(new Error('gone'));
    await expect(task).rejects.toThrow('gone');
    expect(await pool.run('next')).toBe(4);
  });

  test('is ended when it does not listen', async () => {
    start();
    const abort = new AbortController();
    const task = pool.run('spin', { signal: abort.signal });
    abort.abort(new Error('gone'));
    await expect(task).rejects.toThrow('gone');
    expect(await pool.run('next')).toBe(4);
  });

  test('never starts when it was aborted while waiting', async () => {
    start();
    const [first, abort] = [new AbortController(), new AbortController()];
    const busy = pool.run('until stopped', { signal: first.signal });
    const waiting = pool.run('waiting', { signal: abort.signal });
    abort.abort(new Error('never mind'));
    await expect(waiting).rejects.toThrow('never mind');
    first.abort(new Error('done'));
    await expect(busy).rejects.toThrow('done');
    // The same thread: it was given the first task alone.
    expect(await pool.run('what began')).toBe('until stopped');
  });
});

test('closing rejects what is held and what waits', async () => {
  start();
  const tasks = [pool.run('until stopped'), pool.run('waiting')];
  const settled = Promise.allSettled(tasks);
  await pool.close();
  for (const one of await settled) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } });
  await expect(pool.run('late')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
