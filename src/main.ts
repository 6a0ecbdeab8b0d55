/**
 * The entrance. ROLE=all starts the embedded PostgreSQL (unless DATABASE_URL is set), serves the web and keeps a worker
 * process beside it, so that a crash of a native codec never takes the web along; `web` and `worker` are the same halves
 * on machines of their own. Whatever stops a start is one sentence and exit code 1. Errors of the configuration are
 * reported before the platform is loaded, which takes a second; the embedded PostgreSQL starts meanwhile.
 */
// Evaluated before the imports that need what it looks for.
import './app/native-packages.ts';
import { createServer } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { App } from './app/app.ts';
import { checkBucket, checkDataDir, checkTrustedDocuments, databaseError } from './app/start-checks.ts';
import { answerMetrics, notifyParent, reportStats, superviseWorker, type WorkerProcess } from './app/worker-process.ts';
import { type EmbeddedPostgres, startPostgres } from './embedded-postgres/server.ts';
import { built } from './kernel/built.ts';
import { type Config, ConfigError, readConfig } from './kernel/config.ts';

const WATCH_POSTGRES_MS = 1_000;
/** How often it is asked whether the database is still one for this release. */
const WATCH_SCHEMA_MS = 5_000;
/** Set in a worker that this process forked, so that it neither starts a database nor prints. */
const CHILD_DATABASE = 'AVATAR_CHILD_DATABASE_URL';

/** The platform's modules, loaded when they are first asked for. */
const loadApp = () => import('./app/app.ts');

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const childDatabase = process.env[CHILD_DATABASE];
  if (childDatabase) return runWorker(config, childDatabase);
  if (config.ROLE === 'worker') {
    await checkDataDir(config);
    await checkBucket(config);
    return runWorker(config, config.DATABASE_URL!);
  }
  await runWeb(config);
}

async function runWorker(config: Config, databaseUrl: string): Promise<void> {
  const { openApp } = await loadApp();
  const { startWorker } = await import('./app/worker.ts');
  const app = await openApp({ config, databaseUrl, work: true, listens: false }).catch((error: unknown) => {
    throw config.DATABASE_URL ? databaseError(databaseUrl, error) : error;
  });
  await app.engines.codec.selfTest();
  const worker = await startWorker(app);
  const health = process.env[CHILD_DATABASE]
    ? undefined
    : await (await import('./http/health-server.ts')).startHealthServer(app);
  app.log.info('worker ready');
  if (process.env[CHILD_DATABASE]) {
    const { familiesOf, processMetrics } = await import('./kernel/work-metrics.ts');
    answerMetrics(() => familiesOf(processMetrics(app.db.pool), 'worker'));
  }
  notifyParent({ kind: 'ready' });
  const stopReports = reportStats(() => ({ decoders: app.decoders.stats(), remote: app.remote.stats() }));
  const shut = async () => {
    stopReports();
    await health?.close();
    await worker.stop();
    await app.close();
  };
  const stop = once(async () => {
    await shut();
    process.exit(0);
  });
  process.on('SIGTERM', stop);
  process.on('SIGINT', process.env[CHILD_DATABASE] ? () => {} : stop);
  // The process that forked this one is gone, so nothing else would stop it.
  process.on('disconnect', stop);
  await watchSchema(app, shut);
}

/** True once a signal ends the program: what fails from then on fails because of it, and is no error. */
let isEnding = false;

/** What a signal does now; it changes as the start goes on. */
let onSignal: () => Promise<void> = async () => {};

const end = once(async () => {
  isEnding = true;
  await onSignal();
  process.exit(0);
});

async function runWeb(config: Config): Promise<void> {
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
  await checkPort(config);
  await checkTrustedDocuments(config);
  await checkDataDir(config);
  await checkBucket(config);
  // A signal came meanwhile: its handler ends this process.
  if (isEnding) return;
  const starting = config.DATABASE_URL ? undefined : startPostgres(path.join(config.DATA_DIR, 'postgres'));
  // PostgreSQL has a process group of its own: without us it would run on.
  const stopPostgres = async () => (await starting?.catch(() => undefined))?.stop();
  onSignal = stopPostgres;
  // A failure is reported where PostgreSQL is awaited, below.
  starting?.catch(() => {});
  const { app, databaseUrl, postgres, startServer } = await openWeb(config, starting).catch(async (error: unknown) => {
    await stopPostgres();
    throw error;
  });
  // A signal came while the database was opened: its handler ends this process.
  if (isEnding) return;
  const postgresWatch = postgres && watchPostgres(postgres, app);
  const workerEnv = { ...process.env, [CHILD_DATABASE]: databaseUrl };
  const worker =
    config.ROLE === 'all' ? superviseWorker(fileURLToPath(built('src/main.js')), workerEnv, app.log) : undefined;
  const server = await startServer(app, { worker }).catch(async (error: NodeJS.ErrnoException) => {
    await shutDown(app, worker, postgres, postgresWatch);
    throw cannotListen(config, error);
  });
  onSignal = async () => {
    app.log.info('stopping');
    await server.close();
    await shutDown(app, worker, postgres, postgresWatch);
  };
  try {
    if (worker) await worker.ready;
    if (postgres) await (await import('./commands/demo.ts')).runDemo(app);
  } catch (error) {
    if (isEnding) return;
    await server.close();
    await shutDown(app, worker, postgres, postgresWatch);
    throw error;
  }
  await watchSchema(app, onSignal);
  app.log.info({ url: config.BASE_URL }, 'ready');
}

/** Loads the platform while PostgreSQL starts, and opens its database. */
async function openWeb(config: Config, starting: Promise<EmbeddedPostgres> | undefined) {
  const [{ openApp }, { startServer }] = await Promise.all([loadApp(), import('./http/server.ts')]);
  const postgres = await starting;
  await postgres?.ensureDatabase('avatars');
  const databaseUrl = config.DATABASE_URL ?? postgres!.urlOf('avatars');
  const app = await openApp({ config, databaseUrl, work: false }).catch((error: unknown) => {
    throw postgres ? error : databaseError(databaseUrl, error);
  });
  return { app, databaseUrl, postgres, startServer };
}

/** Opens the port and closes it again, so that a second start by mistake is reported before anything is changed. */
async function checkPort(config: Config): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(config.PORT, config.HOST, resolve);
    });
    await new Promise((resolve) => probe.close(resolve));
  } catch (error) {
    throw cannotListen(config, error as NodeJS.ErrnoException);
  }
}

function cannotListen({ PORT, HOST }: Config, error: NodeJS.ErrnoException): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(`PORT ${PORT} is in use by another program: stop it or set PORT to another one.`);
  }
  if (error.code === 'EACCES') return new ConfigError(`PORT ${PORT} may not be opened by this user: set another one.`);
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') {
    return new ConfigError(`HOST ${HOST} is not an address of this machine.`);
  }
  return error;
}

async function shutDown(
  app: App,
  worker: WorkerProcess | undefined,
  postgres: EmbeddedPostgres | undefined,
  postgresWatch: Watch | undefined,
): Promise<void> {
  await postgresWatch?.stop();
  await worker?.stop();
  await app.close();
  await postgres?.stop();
}

interface Watch {
  stop(): Promise<void>;
}

/** Starts the embedded PostgreSQL again when it was killed; pools, jobs and feeds connect again by themselves. */
function watchPostgres(postgres: EmbeddedPostgres, app: App): Watch {
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= postgres
      .revive()
      .then((revived) => void (revived && app.log.error('embedded postgres restarted')))
      .catch((error: unknown) => app.log.error({ err: error }, 'embedded postgres not startable'))
      .finally(() => {
        looking = undefined;
      });
  }, WATCH_POSTGRES_MS);
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Ends the program with a sentence when a later release has made the database its own: nothing is taken that cannot be done. */
async function watchSchema(app: App, stop: () => Promise<void>): Promise<void> {
  const { checkSchema, NewerSchemaError } = await import('./kernel/migrations.ts');
  const timer = setInterval(() => {
    checkSchema(app.db).catch(async (error: unknown) => {
      // A database that is away says nothing of its schema.
      if (!(error instanceof NewerSchemaError) || isEnding) return;
      clearInterval(timer);
      app.log.error({ err: error }, 'database is of a later release');
      await stop().catch(() => {});
      fail(error);
    });
  }, WATCH_SCHEMA_MS);
  timer.unref();
}

function once(work: () => Promise<void>): () => void {
  let begun = false;
  return () => {
    if (begun) return;
    begun = true;
    work().catch((error: unknown) => {
      isEnding = false;
      fail(error);
    });
  };
}

function fail(error: unknown): void {
  if (isEnding) return;
  const sentence = error instanceof Error ? error.message : String(error);
  // A forked worker reports to its parent process, which says it once.
  if (process.env[CHILD_DATABASE] && process.send) {
    notifyParent({ kind: 'failed', sentence }, () => process.exit(1));
    return;
  }
  process.stderr.write(`${sentence}\n`);
  if (!(error instanceof ConfigError) && process.env.LOG_LEVEL === 'debug')
    process.stderr.write(`${(error as Error).stack}\n`);
  process.exit(1);
}

main().catch(fail);
