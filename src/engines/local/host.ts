/** One thread for one model: started by its first task, ended when it has not been used for a while, so that its memory is free. */
import { PlatformError } from '../../kernel/errors.ts';
import { createPool, type Pool } from '../ports/threads.ts';

/**
 * How long a thread may go on with work that no caller waits for any more: loading the model anew would take longer than
 * most of it.
 */
const ABORT_GRACE_MS = 60_000;
/** A long prompt is read for minutes on few cores before the first word of the answer. */
const SILENT_MS = 900_000;

/** @param entry the thread's file. @param idleMs 0: it stays. */
export function createModelThread(entry: URL, idleMs: number): Pool {
  let pool: Pool | undefined;
  let users = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function enter(): Pool {
    if (isClosed) throw new PlatformError('UNAVAILABLE', 'The model is closed.');
    clearTimeout(timer);
    users += 1;
    pool ??= createPool(entry, 1, { abortGraceMs: ABORT_GRACE_MS, silentMs: SILENT_MS });
    return pool;
  }

  function leave(): void {
    users -= 1;
    if (users > 0 || idleMs === 0 || isClosed) return;
    timer = setTimeout(() => {
      const idle = pool;
      pool = undefined;
      void idle?.close();
    }, idleMs);
    timer.unref();
  }

  return {
    async run<T>(task: unknown, options?: { signal?: AbortSignal | undefined }): Promise<T> {
      const own = enter();
      try {
        return await own.run<T>(task, options);
      } finally {
        leave();
      }
    },
    async *stream<T>(task: unknown, options?: { signal?: AbortSignal | undefined }): AsyncGenerator<T> {
      const own = enter();
      try {
        yield* own.stream<T>(task, options);
      } finally {
        leave();
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pool?.close();
    },
  };
}
