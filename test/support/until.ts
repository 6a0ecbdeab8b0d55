/**
 * Waits for something to come true by asking again and again; a test's only way to wait. The patience is for what never
 * comes, and no verdict on speed.
 */
const STEP_MS = 20;
export const PATIENCE_MS = 240_000;

export async function until<T>(read: () => Promise<T | undefined | false>, patienceMs = PATIENCE_MS): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error('What the test waits for never came.');
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
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
