/**
 * Reads a fetched page off the main thread, within a limit of time and memory: parsing and finding the article take
 * minutes on a page that is made for it. A page whose article takes too long is read whole; one that cannot even be
 * parsed in time is refused.
 */
import { Worker } from 'node:worker_threads';
import { built } from '../../../kernel/built.ts';
import { refusedInput } from '../../../kernel/errors.ts';
import type { PageReport, PageTask } from './page.thread.ts';
import type { ReadablePage } from './page-text.codec.ts';

/** Of computing: the largest ordinary pages (two million characters) take about a second. */
const LIMIT_MS = 10_000;
/** How much longer it may take by the clock, where the thread is not given a core. */
const STANDSTILL = 12;
const LOOK_MS = 200;
const MAX_HEAP_MB = 512;
const THREAD = built('src/services/brain/memory/page.thread.js');

/** Title and readable text of a page. BAD_INPUT with a sentence when there is none; the signal's reason when aborted. */
export function readPage(
  task: PageTask,
  { limitMs = LIMIT_MS, signal }: { limitMs?: number; signal?: AbortSignal } = {},
): Promise<ReadablePage> {
  const { promise, resolve, reject } = Promise.withResolvers<ReadablePage>();
  const worker = new Worker(THREAD, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  let body: ReadablePage | undefined;
  const refuse = (sentence: string, cause?: unknown): void =>
    reject(refusedInput('knowledgeBaseUrls', sentence, cause));
  /** The whole page where it is known, though its article is not. */
  const settleWithBody = (cause: unknown): void => {
    if (body?.text) resolve(body);
    else refuse('The page is too large or too deeply nested to be read.', cause);
  };
  const isTooLong = (): void => settleWithBody(new Error(`not read within ${limitMs} ms`));
  const timer = setTimeout(isTooLong, limitMs * STANDSTILL);
  const meter = setInterval(() => {
    const tooMuch = ({ user, system }: NodeJS.CpuUsage): void => {
      if (user + system > limitMs * 1_000) isTooLong();
    };
    // Rejects for a thread that has ended, which is no error.
    worker.cpuUsage().then(tooMuch, () => {});
  }, LOOK_MS);
  const onAbort = (): void => reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  worker.on('message', (report: PageReport) => {
    if ('body' in report) body = report.body;
    else if ('page' in report) resolve(report.page);
    else refuse(report.refused);
  });
  worker.on('error', settleWithBody);
  worker.on('exit', (code) => settleWithBody(new Error(`the thread ended with code ${code}`)));
  if (signal?.aborted) onAbort();
  return promise.finally(() => {
    clearTimeout(timer);
    clearInterval(meter);
    signal?.removeEventListener('abort', onAbort);
    void worker.terminate();
  });
}
