/** What `npm run soak` calls level, and what it says grows. */
import { describe, expect, test } from '@jest/globals';
// @ts-expect-error: plain JavaScript, as the soak itself is.
import { judge } from '../soak/verdict.mjs';

/** A sample every quarter minute of `minutes`, by the minute. */
const series = (minutes: number, mbAt: (minute: number) => number) =>
  Array.from({ length: minutes * 4 + 1 }, (_, index) => ({ minutes: index / 4, mb: mbAt(index / 4) }));

describe('the verdict of a soak', () => {
  test.each<[string, number, (minute: number) => number, boolean]>([
    ['a flat line', 120, () => 500, true],
    ['a warm-up, then flat', 120, (m) => 300 + Math.min(m, 30) * 10, true],
    ['rendering now and then', 120, (m) => 500 + (Math.floor(m * 4) % 7 === 0 ? 300 : 0), true],
    ['a saw-tooth of collections', 120, (m) => 500 + (m % 10) * 8, true],
    ['10 MB an hour', 120, (m) => 500 + m / 6, true],
    ['60 MB an hour', 120, (m) => 500 + m, false],
    ['60 MB an hour below spikes', 120, (m) => 500 + m + (Math.floor(m * 4) % 5 === 0 ? 300 : 0), false],
    ['a leak in a short run', 20, (m) => 500 + m * 5, false],
    ['what shrinks', 120, (m) => 900 - m, true],
  ])('%s', (_, minutes, mbAt, isLevel) => {
    expect(judge(series(minutes, mbAt)).isLevel).toBe(isLevel);
  });

  test('a run of ten minutes says nothing', () => {
    expect(judge(series(10, () => 500))).toBe(undefined);
    expect(judge([])).toBe(undefined);
  });

  test('gives the slope and where it went from and to', () => {
    const { mbPerHour, fromMb, toMb } = judge(series(100, (m) => 400 + 2 * m));
    expect(mbPerHour).toBeCloseTo(120);
    expect(toMb - fromMb).toBeGreaterThan(80);
  });
});
