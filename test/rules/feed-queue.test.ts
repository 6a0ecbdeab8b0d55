import { describe, expect, test } from '@jest/globals';
import { BoundedQueue } from '../../src/services/live/feeds/update.queue.ts';

describe('the queue of one subscriber', () => {
  test('return() settles a waiting next(), and reports once that there is no reader any more', async () => {
    let returned = 0;
    const queue = new BoundedQueue<number>(4, () => {
      returned += 1;
    });
    const waiting = [queue.next(), queue.next()];
    expect(await queue.return()).toEqual({ value: undefined, done: true });
    expect(await Promise.all(waiting)).toEqual([
      { value: undefined, done: true },
      { value: undefined, done: true },
    ]);
    await queue.return();
    expect(await queue.next()).toEqual({ value: undefined, done: true });
    expect(queue.push(1)).toBe(false);
    expect(returned).toBe(1);
  });

  test('hands over in order, to those who wait and to those who come', async () => {
    const queue = new BoundedQueue<number>(4, () => {});
    const early = queue.next();
    for (const item of [1, 2, 3]) queue.push(item);
    expect([await early, await queue.next(), await queue.next()].map(({ value }) => value)).toEqual([1, 2, 3]);
  });

  test('never holds more than its limit', async () => {
    const queue = new BoundedQueue<number>(2, () => {});
    expect([queue.push(1), queue.push(2), queue.push(3)]).toEqual([true, true, false]);
  });

  test('ends with what is queued, then the error, then the end', async () => {
    const queue = new BoundedQueue<number>(2, () => {});
    queue.push(1);
    queue.end(new Error('too slow'));
    expect(await queue.next()).toEqual({ value: 1, done: false });
    await expect(queue.next()).rejects.toThrow('too slow');
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });

  test('an error reaches the reader that waits', async () => {
    const queue = new BoundedQueue<number>(2, () => {});
    const waiting = queue.next();
    queue.end(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(await queue.next()).toEqual({ value: undefined, done: true });
  });
});
