/**
 * Waits for something to come true by asking again and again; a test's only way to wait. The patience is for what never
 * comes, and no verdict on speed.
 */
const STEP_MS = 20;

export async function until<T>(read: () => Promise<T | undefined | false>, patienceMs = 120_000): Promise<T> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error('What the test waits for never came.');
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
