/**
 * The thread's side of `threads.ts`: takes one assignment at a time and reports pieces, the result or the failure.
 * Runs in worker threads, so it stays erasable TypeScript. A failure of the work is reported and the thread lives on;
 * it never catches what ends a thread (native crashes, memory).
 */
import { parentPort } from 'node:worker_threads';
import { PlatformError } from '../../kernel/errors.ts';
import type { Assignment, Report } from './threads.ts';

export interface TaskRun {
  /** True once the caller has gone: leave at the next convenient point. */
  stopped(): boolean;
  /** Hands a piece to the caller; its buffer is moved, not copied, when it owns all of it. */
  piece(value: unknown): void;
}

/** Serves tasks until the thread is ended. @param perform does one task; what it returns is the task's result. */
export function serve<Task>(perform: (task: Task, run: TaskRun) => Promise<unknown>): void {
  const port = parentPort;
  if (!port) throw new Error('serve() runs in worker threads only.');
  const send = (report: Report) => {
    const owned = 'value' in report && report.value instanceof Uint8Array && isOwner(report.value);
    port.postMessage(report, owned ? [(report.value as Uint8Array).buffer as ArrayBuffer] : []);
  };
  port.on('message', async ({ task, stop }: Assignment) => {
    const run: TaskRun = {
      stopped: () => Atomics.load(stop, 0) !== 0,
      piece: (value) => send({ kind: 'piece', value }),
    };
    try {
      send({ kind: 'done', value: await perform(task as Task, run) });
    } catch (error) {
      const code = error instanceof PlatformError ? error.code : 'UPSTREAM_FAILED';
      send({ kind: 'failed', code, text: error instanceof Error ? error.message : String(error) });
    }
  });
}

function isOwner(bytes: Uint8Array): boolean {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}
