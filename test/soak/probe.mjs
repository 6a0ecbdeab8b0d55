/**
 * Loaded into every process and thread of the platform under `npm run soak` (NODE_OPTIONS=--import): appends what only
 * the process itself knows (its heaps, the buffers outside them, its open handles) to a file named after it. SIGUSR2
 * collects garbage first where `--expose-gc` is on, so that a leak can be distinguished from what is merely not collected yet.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { isMainThread, threadId } from 'node:worker_threads';

const EVERY_MS = 5_000;
const folder = process.env.SOAK_FOLDER;
const file = folder && path.join(folder, `${process.pid}-${isMainThread ? 0 : threadId}.json`);

function note() {
  const { heapTotal, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const handles = isMainThread ? process.getActiveResourcesInfo().length : 0;
  appendFileSync(file, `${JSON.stringify({ at: Date.now(), heapTotal, heapUsed, external, arrayBuffers, handles })}\n`);
}

if (file) {
  // The folder is gone once the soak has ended.
  const timer = setInterval(() => {
    try {
      note();
    } catch {
      clearInterval(timer);
    }
  }, EVERY_MS);
  timer.unref();
  if (isMainThread && globalThis.gc) process.on('SIGUSR2', () => globalThis.gc());
}
