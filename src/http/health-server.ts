/** Health and metrics of a worker on a machine of its own, which loads nothing else of what a web process serves. */
import Fastify, { type FastifyBaseLogger } from 'fastify';
import type { App } from '../app/app.ts';
import { mountHealth } from './health.ts';
import { mountMetrics } from './metrics.ts';

/** The health checks of a process without a web server. */
export interface RunningHealth {
  close(): Promise<void>;
}

/** Listens on PORT at HOST. */
export async function startHealthServer(app: App): Promise<RunningHealth> {
  const fastify = Fastify({ loggerInstance: app.log as FastifyBaseLogger, disableRequestLogging: true });
  mountHealth(fastify, app);
  mountMetrics(fastify, app, { process: 'worker' });
  await fastify.listen({ port: app.config.PORT, host: app.config.HOST });
  return { close: () => fastify.close() };
}
