/** How long work is tried again while something that it needs is away: an outage is counted by itself. */
import { expect, test } from '@jest/globals';
import { attemptsAfter, type Failures, failuresAt, failuresOf, withFailure } from '../../src/jobs/retry-policy.ts';

const OUTAGE_MS = 600_000;
const NONE = failuresOf(null);
const away = (before: Failures, nowMs: number) => withFailure(before, true, { outageMs: OUTAGE_MS, nowMs });

test('an outage is over for a job whose next attempt began long after it was due', () => {
  const beganMs = 1_000_000_000_000;
  const noted = away(NONE, beganMs).failures;
  const soonMs = beganMs + 61_000;
  const laterMs = beganMs + OUTAGE_MS + 60_000;
  expect(failuresAt(soonMs, noted)).toEqual(noted);
  const later = failuresAt(laterMs, noted);
  expect(attemptsAfter(later, OUTAGE_MS, laterMs)).toMatchObject({ isLastOutage: false, isAfterOutage: false });
  expect(away(later, laterMs)).toMatchObject({ isFree: true, failures: { outages: 1, awaySinceMs: laterMs } });
});

test('one that goes on ends the work in the end, however long the attempts take that meet it', () => {
  const minutes = 60_000;
  let nowMs = 1_000_000_000_000;
  let failures = NONE;
  let attempts = 0;
  while (!attemptsAfter(failures, OUTAGE_MS, nowMs).isLastOutage && attempts < 10) {
    const end = away(failures, nowMs + 5 * minutes);
    nowMs += 5 * minutes + end.waitS * 1_000;
    failures = failuresAt(nowMs, end.failures);
    attempts += 1;
  }
  expect(attempts).toBe(3);
});
