/** Worker threads for occasional work: started with the first task, ended when there was none for a while. */
import { PlatformError } from '../../kernel/errors.ts';
import { createPool, type Pool } from './threads.ts';

/** After so long without a task threads are ended, for the memory that they hold: models and stills. */
const IDLE_MS = 60_000;

/** @param entry as of `createPool` @param size as of `createPool` @param idleMs how long without a task ends the threads */
export function createIdlePool(entry: URL, size: number, idleMs = IDLE_MS): Pool {
  let pool: Pool | undefined;
  let idle: NodeJS.Timeout | undefined;
  let underWay = 0;
  let isClosed = false;

  function begin(): Pool {
    if (isClosed) throw new PlatformError('UNAVAILABLE', 'The media engine is closed.');
    clearTimeout(idle);
    underWay += 1;
    pool ??= createPool(entry, size);
    return pool;
  }

  function finish(): void {
    underWay -= 1;
    if (underWay === 0 && !isClosed) idle = setTimeout(end, idleMs).unref();
  }

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = pool;
    pool = undefined;
    await ended?.close();
  }

  return {
    async run<T>(...task: Parameters<Pool['run']>) {
      const threads = begin();
      try {
        return await threads.run<T>(...task);
      } finally {
        finish();
      }
    },
    async *stream<T>(...task: Parameters<Pool['stream']>) {
      const threads = begin();
      try {
        yield* threads.stream<T>(...task);
      } finally {
        finish();
      }
    },
    async close() {
      isClosed = true;
      await end();
    },
  };
}
