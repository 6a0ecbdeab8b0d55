/** Damaged recordings of every format straight into the decoders: samples or BAD_INPUT, and the thread lives on. */
import { afterAll, expect, test } from '@jest/globals';
import { createPool } from '../../../src/engines/ports/threads.ts';
import { damagedCase, formats, fullRound } from '../../fuzz/corpus.ts';

const SEED = 7;
const ROUNDS = 3;
const pool = createPool(new URL('./decode-worker.ts', import.meta.url), 1);
afterAll(() => pool.close());

test('samples or BAD_INPUT, whatever comes', async () => {
  const all = (await formats()).filter(({ kind }) => kind !== 'image');
  const others: string[] = [];
  let taken = 0;
  for (let number = 0; number < ROUNDS * fullRound(all); number++) {
    const { id, bytes } = damagedCase(all, SEED, number);
    const failure = await pool.run([bytes, { field: 'audio', maxSeconds: 60 }]).catch((error: unknown) => error);
    if (!(failure instanceof Error)) taken += 1;
    else if (!failure.message.startsWith('audio ')) others.push(`${id}: ${failure.message}`);
  }
  expect(others).toEqual([]);
  // Some damage is none: a title, or samples that sound different.
  expect(taken).toBeGreaterThan(0);
});
