/** A worker beside a test's web server, on the same database and media, that can be stopped and replaced. */
import { openApp } from '../../src/app.ts';
import type { Engines } from '../../src/engines/ports.ts';
import { startWorker } from '../../src/worker.ts';
import type { TestApp } from './app.ts';

export interface TestWorker {
  /** Gives back what runs, as a worker that is told to stop. */
  stop(): Promise<void>;
}

export async function openWorker(t: TestApp, engines: Engines): Promise<TestWorker> {
  const { config } = t.app;
  const app = await openApp({
    config,
    databaseUrl: t.databaseUrl,
    work: true,
    engines: { ...engines, close: async () => {} },
  });
  const worker = await startWorker(app);
  return {
    async stop() {
      await worker.stop();
      await app.close();
    },
  };
}
