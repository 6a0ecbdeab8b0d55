/**
 * The thread's side of `threads.ts`: takes one assignment at a time and reports pieces, the result or the failure.
 * Runs in worker threads, so it stays erasable TypeScript. A failure of the work is reported and the thread lives on;
 * it never catches what ends a thread (native crashes, memory).
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { PlatformError } from '../../kernel/errors.ts';
import type { Assignment, Failure, Report } from './threads.ts';

/**
 * Buffers outside V8's heap, beyond what is kept, that make a thread collect after its task. V8 itself waits for 64 MB
 * more than the last time: in a thread with little else, that is an hour of growth, in each of six threads.
 */
const COLLECT_ABOVE_BYTES = 16 * 1_024 * 1_024;

/** What one task knows of its caller, and how it reports to it. */
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
  const garbage = collector();
  port.on('message', async ({ task, stop }: Assignment) => {
    garbage.before();
    const run: TaskRun = {
      stopped: () => Atomics.load(stop, 0) !== 0,
      piece: (value) => send({ kind: 'piece', value }),
    };
    try {
      send({ kind: 'done', value: await perform(task as Task, run) });
    } catch (error) {
      send({ kind: 'failed', ...failureOf(error) });
    }
    garbage.after();
  });
}

/** What the caller may read of a refusal; of everything else nothing: that is for the log. */
function failureOf(error: unknown): Failure {
  if (error instanceof PlatformError) return { code: error.code, text: error.message, details: error.details };
  return error instanceof Error ? { broke: error.message, stack: error.stack } : { broke: String(error) };
}

/** Collects what tasks left behind, once that is much more than what the thread keeps. */
function collector(): { before(): void; after(): void } {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  let keptBytes = 0;
  let hasCollected = false;
  return {
    // Buffers are freed beside the collection, a moment later.
    before() {
      if (hasCollected) keptBytes = process.memoryUsage().arrayBuffers;
      hasCollected = false;
    },
    after() {
      if (process.memoryUsage().arrayBuffers < keptBytes + COLLECT_ABOVE_BYTES) return;
      gc();
      hasCollected = true;
    },
  };
}

function isOwner(bytes: Uint8Array): boolean {
  return bytes.buffer instanceof ArrayBuffer && bytes.byteLength === bytes.buffer.byteLength;
}
