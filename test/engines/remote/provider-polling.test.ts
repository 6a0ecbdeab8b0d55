/** How long operations of providers are waited for. */
import { expect, test } from '@jest/globals';
import { polled } from '../../../src/engines/remote/provider-polling.ts';

const MINUTE_MS = 60_000;

/** Polls that take so many minutes each, the last of which is done; the minutes that had passed before each pause. */
async function waited(minutesOfPolls: number[]) {
  let nowMs = 0;
  const left = [...minutesOfPolls];
  const poll = async () => {
    nowMs += (left.shift() ?? 0) * MINUTE_MS;
    return left.length === 0 ? 'done' : undefined;
  };
  const minutes: number[] = [];
  const polls = polled(poll, { pollMs: 0, signal: undefined, now: () => nowMs });
  for (;;) {
    const { done, value } = await polls.next();
    if (done) return { value, minutes };
    minutes.push(value / MINUTE_MS);
  }
}

test('the time that polls take counts', async () => {
  expect(await waited([0, 10, 19, 0])).toEqual({ value: 'done', minutes: [0, 10, 29] });
  await expect(waited([10, 10, 10, 0])).rejects.toThrow('The operation took too long.');
});

test('what was done while the process stood still is not lost', async () => {
  expect(await waited([0, 600])).toEqual({ value: 'done', minutes: [0] });
});
