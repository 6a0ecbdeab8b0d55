/**
 * Waits for something to come true by asking again and again; a test's only way to wait. The patience is for what never
 * comes, and no verdict on speed.
 */
const FIRST_STEP_MS = 20;
const LAST_STEP_MS = 250;
/** A wait is at most this part longer than it had to be: asking is computing too, which what it waits for may need. */
const LATE_PART = 0.1;
export const PATIENCE_MS = 240_000;

export async function until<T>(read: () => Promise<T | undefined | false>, patienceMs = PATIENCE_MS): Promise<T> {
  const begin = Date.now();
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    const waited = Date.now() - begin;
    if (waited > patienceMs) throw new Error('What the test waits for never came.');
    const step = Math.min(Math.max(FIRST_STEP_MS, waited * LATE_PART), LAST_STEP_MS);
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}

/** The first value that is as wanted; the error shows the last one that was not. */
export async function untilIs<T>(read: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  let last: T | undefined;
  const found = await until(async () => {
    last = await read();
    return isWanted(last) && { value: last };
  }).catch((error) => {
    throw last === undefined ? error : new Error(`${error.message} Last: ${JSON.stringify(last)}`, { cause: error });
  });
  return found.value;
}
