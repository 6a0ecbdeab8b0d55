/**
 * Workers beside a test's web server, on the same database and media: one in this process that can be stopped and
 * replaced, and real processes, as ROLE=worker runs them, that can be killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openApp } from '../../src/app/app.ts';
import { startWorker } from '../../src/app/worker.ts';
import type { Engines } from '../../src/engines/ports/index.ts';
import type { JobKind } from '../../src/kernel/job-kinds.ts';
import type { TestApp } from './app.ts';
import { sharedDecoders } from './decoders.ts';
import { freePort } from './machine.ts';

export interface TestWorker {
  /** Requeues what runs, as a worker that is stopped. */
  stop(): Promise<void>;
}

/** @param kinds of jobs that it takes; default all */
export async function openWorker(t: TestApp, engines: Engines, kinds?: JobKind[]): Promise<TestWorker> {
  const config = { ...t.app.config, ...(kinds ? { WORKER_KINDS: kinds } : {}) };
  const app = await openApp({
    config,
    databaseUrl: t.databaseUrl,
    work: true,
    engines: { ...engines, close: async () => {} },
    decoders: sharedDecoders(),
  });
  const worker = await startWorker(app);
  return {
    async stop() {
      await worker.stop();
      await app.close();
    },
  };
}

export interface WorkerProcesses {
  /** @param log the level of what it says; its output can be read where one is given */
  start(log?: 'info'): Promise<ChildProcess>;
  /** Kills all that run. */
  kill(): void;
}

export function workerProcesses(t: TestApp): WorkerProcesses {
  const workers: ChildProcess[] = [];
  return {
    async start(log) {
      const worker = spawn(process.execPath, ['--no-warnings', 'dist/src/main.js'], {
        env: {
          ...process.env,
          ROLE: 'worker',
          DATABASE_URL: t.databaseUrl,
          DATA_DIR: t.app.config.DATA_DIR,
          PORT: String(await freePort()),
          BASE_URL: t.app.config.BASE_URL,
          LOG_LEVEL: log ?? 'fatal',
          ENGINES: 'real',
          TALKING_HEAD_SIZE: String(t.app.config.TALKING_HEAD_SIZE),
          // What a test holds a worker up with is as long as the machine takes, and no statement of it fails for that.
          DATABASE_SECONDS: '3600',
        },
        stdio: ['ignore', log ? 'pipe' : 'ignore', 'ignore'],
      });
      workers.push(worker);
      return worker;
    },
    kill() {
      for (const worker of workers) worker.kill('SIGKILL');
    },
  };
}
