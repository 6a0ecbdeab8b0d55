/** When the eyes of a face shut. Knows nothing of pixels. */
import type { Random } from '../random.ts';

/** Blinks every 3 to 6 s, 120 to 180 ms each; the lids stay shut for at least one frame. */
export function blink(lids: Float32Array, fps: number, random: Random): void {
  const endMs = (lids.length / fps) * 1000;
  for (let at = 700 + 1800 * random(); at < endMs - 450; at += 3300 + 2600 * random()) {
    const length = 120 + 60 * random();
    const hold = Math.max(1000 / fps, length * 0.3);
    const close = (length - hold) * 0.4;
    const open = (length - hold) * 0.6;
    for (let frame = Math.floor((at * fps) / 1000); frame < lids.length; frame++) {
      const ms = (frame * 1000) / fps - at;
      if (ms > length) break;
      if (ms < 0) continue;
      const shut = ms < close ? ms / close : ms <= close + hold ? 1 : 1 - (ms - close - hold) / open;
      lids[frame] = Math.max(lids[frame] as number, Math.min(1, Math.max(0, shut)));
    }
  }
}
