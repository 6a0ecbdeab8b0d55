/** Time as the platform sees it: epoch milliseconds, from a clock that tests can hold still. */

/** The time, injected so that tests can set it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() };

/** A second in milliseconds. */
export const SECOND_MS = 1_000;
/** A minute in milliseconds. */
export const MINUTE_MS = 60 * SECOND_MS;
/** An hour in milliseconds. */
export const HOUR_MS = 60 * MINUTE_MS;
/** A day in milliseconds. */
export const DAY_MS = 24 * HOUR_MS;
