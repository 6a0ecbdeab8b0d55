/** Waiting: longer with each failure, and never past a signal. */

const FIRST_MS = 400;
const MOST_MS = 8_000;

/** How long to wait after so many failures in a row, in ms; a part of it is left to chance, so that not all come at once. */
export const backoffMs = (failures: number): number =>
  Math.min(MOST_MS, FIRST_MS * 2 ** failures) * (0.6 + 0.4 * Math.random());

/** Resolves after so many ms; rejects with the signal's reason when that comes first. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
