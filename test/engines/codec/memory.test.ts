/** A video that was written, and a file that was read, leave nothing in memory: the process lives for months. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startVideo } from '../../../src/engines/embedded/codec/fragments.ts';
import { decodeFrames } from '../../../src/engines/embedded/codec/frames.ts';
import { until } from '../../support/until.ts';

const SHAPE = { width: 64, height: 64, fps: 25 };
const TIMES = 10;
const FRAME = new Uint8Array((64 * 64 * 3) / 2).fill(128);

let collect: () => void;
beforeAll(() => {
  setFlagsFromString('--expose-gc');
  collect = runInNewContext('gc');
});

/** A video of half a second with sound; the pieces go to `keep`. */
async function shoot(keep: Uint8Array[], end: 'finished' | 'given up'): Promise<void> {
  const audio = { pcm: new Int16Array(11_025), rate: 22_050 };
  const video = await startVideo({ ...SHAPE, audio }, (piece) => void keep.push(piece));
  for (let index = 0; index < video.frames; index += 1) await video.add(FRAME);
  if (end === 'finished') await video.finish();
  else video.close();
}

/** How many of the arrays that each `work` was given are still held by anything once it is over. */
async function heldAfter(work: (given: Uint8Array[]) => Promise<unknown>): Promise<() => number> {
  const references: WeakRef<object>[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    await (async () => {
      const given: Uint8Array[] = [];
      references.push(new WeakRef(given));
      await work(given);
    })();
  }
  return () => {
    collect();
    return references.filter((one) => one.deref()).length;
  };
}

describe('memory of codecs', () => {
  test.each(['finished', 'given up'] as const)('videos that were %s are let go of', async (end) => {
    const held = await heldAfter((keep) => shoot(keep, end));
    // The last one may still be on the stack of this very function.
    expect(await until(async () => held() <= 1)).toBe(true);
  });

  test('files whose frames were decoded are let go of', async () => {
    const pieces: Uint8Array[] = [];
    await shoot(pieces, 'finished');
    const file = Buffer.concat(pieces);
    const files: WeakRef<object>[] = [];
    for (let time = 0; time < TIMES; time += 1) {
      await (async () => {
        const own = new Uint8Array(file);
        files.push(new WeakRef(own));
        expect((await decodeFrames(own, [0, 200])).length).toBe(2);
      })();
    }
    const held = () => {
      collect();
      return files.filter((one) => one.deref()).length;
    };
    expect(await until(async () => held() <= 1)).toBe(true);
  });
});
