/** The thread that reads one fetched page for training: HTML of others may occupy it, which nothing else notices. */
import { parentPort, workerData } from 'node:worker_threads';
import { PlatformError } from '../../../kernel/errors.ts';
import { type ReadablePage, readablePage } from './page-text.codec.ts';

/** The page to read. */
export interface PageTask {
  bytes: Uint8Array;
  contentType: string;
}

/** The thread's messages: the whole page first, then the page as it should be read, or why it cannot be read. */
export type PageReport = { body: ReadablePage } | { page: ReadablePage } | { refused: string };

const post = (report: PageReport): void => parentPort!.postMessage(report);

const { bytes, contentType } = workerData as PageTask;
try {
  post({ page: readablePage(bytes, contentType, (body) => post({ body })) });
} catch (error) {
  if (!(error instanceof PlatformError)) throw error;
  post({ refused: error.message });
}
