/** Whether a series of samples is level, and the words for it. No clock, no process: plain numbers in and out. */
import { median } from '../bench/support/rows.mjs';

/** The first part of a run fills caches, compiles code and starts threads: it says nothing about growth. */
const WARM_UP_SHARE = 0.35;
const WARM_UP_MINUTES = 10;
/** A shorter series says nothing. */
const COUNTED_MINUTES = 5;
/** What a level process may gain: garbage not collected yet, whatever the length of the run, and so much an hour. */
const NOISE_MB = 32;
const MB_PER_HOUR = 16;

/**
 * The slope of memory after the warm-up, as the median of the slopes between all pairs of samples (Theil and Sen): one
 * high sample while a video renders bends it no more than any other.
 * @param samples [{ minutes, mb }] in order of time
 * @returns { isLevel, mbPerHour, growthMb, fromMb, toMb } of the part that counts; undefined for a short run
 */
export function judge(samples) {
  const [begin, end] = [samples[0]?.minutes ?? 0, samples.at(-1)?.minutes ?? 0];
  const start = begin + Math.max(WARM_UP_MINUTES, (end - begin) * WARM_UP_SHARE);
  if (end - start < COUNTED_MINUTES) return undefined;
  const counted = samples.filter(({ minutes }) => minutes >= start);
  const slopes = [];
  for (const [index, one] of counted.entries()) {
    for (const other of counted.slice(index + 1)) {
      if (other.minutes > one.minutes) slopes.push((other.mb - one.mb) / (other.minutes - one.minutes));
    }
  }
  const slope = median(slopes);
  const minutes = end - start;
  const growthMb = slope * minutes;
  const third = Math.ceil(counted.length / 3);
  return {
    isLevel: growthMb <= NOISE_MB + (MB_PER_HOUR * minutes) / 60,
    mbPerHour: slope * 60,
    growthMb,
    fromMb: median(counted.slice(0, third).map(({ mb }) => mb)),
    toMb: median(counted.slice(-third).map(({ mb }) => mb)),
  };
}
