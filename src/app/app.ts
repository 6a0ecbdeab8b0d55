/**
 * The composition root: opens the ports and builds the services on them. Every process of an instance (web, worker, tests) is
 * made here; which transports it serves, with the schema over the services, is `server.ts`' and `worker.ts`' business.
 */

import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Services } from '../../resolvers/context.ts';
import { AuditLog } from '../auth/audit-log.ts';
import { Credentials } from '../auth/credentials.ts';
import { IdTokens } from '../auth/id-tokens.ts';
import { PASSWORD_COST, type PasswordCost } from '../auth/passwords.ts';
import { createRateLimits, type RateLimits } from '../auth/rate-limits.ts';
import { InstanceSecrets } from '../auth/secrets.ts';
import { createEngines, type RunningEngines } from '../engines/create.ts';
import { createDecoders, type Decoders } from '../engines/decoders/index.ts';
import type { Download } from '../engines/remote/configured-models.ts';
import { type Broker, openBroker, topicOf } from '../events/broker.ts';
import { type Notifier, openNotifier } from '../events/notifier.ts';
import { type JobQueue, jobsOf, openBoss } from '../jobs/queue.ts';
import { type Clock, SECOND_MS, systemClock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { ConnectionBudget } from '../kernel/connection-budget.ts';
import { type Database, openDatabase } from '../kernel/database.ts';
import { PlatformError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { createLog } from '../kernel/log.ts';
import { migrate } from '../kernel/migrations.ts';
import { RemoteCalls } from '../kernel/remote-calls.ts';
import { openReplicas } from '../kernel/replicas.ts';
import type { Tracer } from '../kernel/spans.ts';
import { IdempotencyKeys } from '../services/accounts/idempotency.service.ts';
import { Embeddings } from '../services/brain/embedding.service.ts';
import { type Graph, openGraph } from '../services/brain/memory/graph.service.ts';
import type { MemoryPort } from '../services/brain/memory.port.ts';
import { ImageRenders } from '../services/images/image-render.service.ts';
import { KeyRotation } from '../services/maintenance/key-rotation.service.ts';
import { OrphanReaper } from '../services/maintenance/orphan-reaper.service.ts';
import { Partitions } from '../services/maintenance/partition.service.ts';
import { Retention } from '../services/maintenance/retention.service.ts';
import { RetentionCleanup } from '../services/maintenance/retention-cleanup.service.ts';
import { MediaRemovals } from '../services/media/media-removal.service.ts';
import type { Platform } from '../services/platform/platform.port.ts';
import { SpeechRenders } from '../services/speech/speech-render.service.ts';
import { TalkingHeadCancellations } from '../services/speech/talking-head-cancellations.service.ts';
import { Replies } from '../services/turns/reply.service.ts';
import { TurnRenders } from '../services/turns/turn-render.service.ts';
import { VideoRenders } from '../services/videos/video-render.service.ts';
import { VisitorCleanup } from '../services/visitors/visitor-cleanup.service.ts';
import { WebhookDeliveries } from '../services/webhooks/webhook-delivery.service.ts';
import { createMediaLinks } from '../storage/links.ts';
import { createSafeFetch, ownMedia, type SafeFetch } from '../storage/safe-fetch.ts';
import { openStore } from '../storage/store.ts';
import { examine } from './doctor-process.ts';
import { openSchema } from './open-schema.ts';
import { createServices } from './services.ts';

/** An instance's process, ready to serve transports or to work. */
export interface App extends Platform {
  services: Services;
  /** What replies recall from and remember to. */
  memory: MemoryPort;
  replies: Replies;
  turnRenders: TurnRenders;
  speechRenders: SpeechRenders;
  imageRenders: ImageRenders;
  videoRenders: VideoRenders;
  orphanReaper: OrphanReaper;
  /** Files of what was deleted. */
  removals: MediaRemovals;
  talkingHeadCancellations: TalkingHeadCancellations;
  partitions: Partitions;
  retentionCleanup: RetentionCleanup;
  visitorCleanup: VisitorCleanup;
  /** Deletes old media and conversations, where the operator configured it. */
  retention: Retention;
  keyRotation: KeyRotation;
  embeddings: Embeddings;
  webhookDeliveries: WebhookDeliveries;
  idempotency: IdempotencyKeys;
  credentials: Credentials;
  boss: PgBoss;
  /** Carries notifications between processes; undefined where PostgreSQL carries them. */
  broker: Broker | undefined;
  limits: RateLimits;
  /** Address at which a connection is a session of PostgreSQL, not of a pooler: for locks that last, and LISTEN. */
  sessionUrl: string;
  secrets: InstanceSecrets;
  engines: RunningEngines;
  jobs: JobQueue;
  close(): Promise<void>;
}

/** How a process opens the platform. */
export interface AppOptions {
  config: Config;
  databaseUrl: string;
  /** True in a process that also runs jobs. */
  work: boolean;
  /** False in a process without viewers and sign-ins: it needs no notifications. */
  listens?: boolean;
  clock?: Clock;
  log?: Logger;
  engines?: RunningEngines;
  /** Used instead of decoders of its own; closing the app leaves them open. */
  decoders?: Decoders;
  /** Cost of hashing a password; less than the default is for tests, which make accounts by the hundred. */
  passwordCost?: PasswordCost;
}

/** The tracer; undefined where no collector is configured, and then the SDK is not loaded. */
async function openTracing(config: Config, role: 'web' | 'worker', log: Logger): Promise<Tracer | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return undefined;
  const { openTracer } = await import('./open-telemetry.ts');
  return openTracer({
    endpoint,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: config.OTEL_SERVICE_NAME,
    role,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    log,
  });
}

/** Opens ports and services of one process; close it when done. Throws ConfigError, or what a port throws. */
export async function openApp(options: AppOptions): Promise<App> {
  const { config, databaseUrl, clock = systemClock, log = createLog(config.LOG_LEVEL) } = options;
  const { passwordCost = PASSWORD_COST } = options;
  const sessionUrl = config.DATABASE_DIRECT_URL ?? databaseUrl;
  // Engines come first, so that a wrong name of a model is reported before anything is open. They fetch videos by what is opened
  // after them: hence the late binding.
  let fetchVideo: Download = () => Promise.reject(new PlatformError('UNAVAILABLE'));
  const tracer = await openTracing(config, options.work ? 'worker' : 'web', log);
  const decoders =
    options.decoders ?? createDecoders({ log, atLeast: options.work ? config.VIDEO_CONCURRENCY + 1 : 2 });
  const remote = new RemoteCalls({ seconds: config.REMOTE_SECONDS, log });
  const download: Download = (url, signal) => fetchVideo(url, signal);
  const engines = options.engines ?? (await createEngines(config, { download, decoders, calls: remote, log }));
  const schema = openSchema(databaseUrl, config.DATABASE_POOL);
  const db = await openDatabase({ ...schema, directUrl: config.DATABASE_DIRECT_URL });
  await migrate(db);
  await db.boundWaits(config.DATABASE_SECONDS * SECOND_MS);
  const secrets = new InstanceSecrets({ db, clock, config });
  await secrets.open();
  secrets.watch((error) => log.error({ err: error }, 'instance keys not readable'));
  const broker = await brokerFor(config.HINTS_URL, options, db, log);
  const notifier = await openNotifier(db, sessionUrl, { listens: options.listens, broker });
  // Behind a pooler the pooler limits the connections.
  const budget = config.DATABASE_DIRECT_URL
    ? undefined
    : new ConnectionBudget(db, (found) => log.info(found, 'connection pool resized'));
  await budget?.adjust();
  const keepHours = config.KEEP_JOB_HOURS;
  const boss = await openBoss({ db, url: databaseUrl, log, work: options.work, keepHours });
  const opened = { config, clock, log, db, notifier, secrets, engines, decoders, remote, tracer, passwordCost };
  const platform = openPlatform(opened);
  fetchVideo = (url, signal) => videoAt(platform.safeFetch, url, signal);
  const idTokens = new IdTokens({
    issuer: config.BASE_URL,
    keys: () => secrets.versions('signing'),
    external: config.OIDC_ISSUERS,
    fetch: remote.fetch('identity'),
  });
  const graph = engines.embedding ? openMeaning(db, log) : null;
  const limits = createRateLimits({
    enabled: config.RATE_LIMITS === 'on',
    log,
    ...(config.REDIS_URL ? { redisUrl: config.REDIS_URL } : {}),
  });
  const examineSelf = () => examine(config.DATA_DIR);
  const { services, memory, removals, webhookDeliveries } = createServices(platform, {
    idTokens,
    secrets,
    graph,
    limits,
    examineSelf,
  });
  const credentials = openCredentials(platform, idTokens, services);
  await services.accounts.ensureOperators();
  return {
    ...platform,
    services,
    credentials,
    secrets,
    boss,
    broker,
    sessionUrl,
    memory,
    removals,
    webhookDeliveries,
    idempotency: services.idempotency,
    ...workOf(platform, services, { memory, removals }),
    limits,
    close: async () => {
      services.live.close();
      services.idempotency.close();
      limits.close();
      budget?.close();
      await boss.stop({ graceful: false, close: true });
      await notifier.close();
      await broker?.close();
      await credentials.close();
      secrets.close();
      await graph?.close();
      await platform.engines.close();
      if (!options.decoders) await decoders.close();
      await platform.replicas.close();
      await db.close();
      await tracer?.close();
    },
  };
}

/** Reads credentials; what other processes revoke is removed from this one's cache. */
function openCredentials(
  { db, clock, notifier }: Platform,
  idTokens: IdTokens,
  { accounts, emailVerification }: Services,
): Credentials {
  const credentials = new Credentials({
    db,
    keepMs: () => notifier.keepMs,
    idTokens,
    clock,
    onNewUser: (tx, userId, emailVerified) => accounts.welcome(tx, userId, emailVerified),
    onVerifiedEmail: (tx, userId) => emailVerification.confirm(tx, userId),
    asksForVerifiedEmail: emailVerification.isAsked,
  });
  notifier.on('revoked', (payload) => credentials.forget(payload.split(' ').slice(1).join(' ')));
  // Revocations may have been among the missed notifications: everything cached is read again.
  notifier.onMissed(() => credentials.forgetAll());
  return credentials;
}

/** The services behind jobs and periodic tasks. */
function workOf(platform: Platform, services: Services, { memory, removals }: Pick<App, 'memory' | 'removals'>) {
  const replies = new Replies(platform, services.voices, memory);
  const turnRenders = new TurnRenders(platform, services.voices);
  const speechRenders = new SpeechRenders(platform, services.voices);
  const videoRenders = new VideoRenders(platform);
  return {
    replies,
    turnRenders,
    speechRenders,
    videoRenders,
    imageRenders: new ImageRenders(platform),
    orphanReaper: new OrphanReaper(platform, {
      replies,
      turnRenders,
      speech: speechRenders,
      videos: videoRenders,
      exports: services.accountExports,
    }),
    talkingHeadCancellations: new TalkingHeadCancellations(platform),
    partitions: new Partitions(platform),
    retentionCleanup: new RetentionCleanup(platform, removals),
    visitorCleanup: new VisitorCleanup(platform, services.conversationDeletion),
    retention: new Retention(platform, {
      images: services.generatedImages,
      videos: services.videos,
      speech: services.speeches,
      turns: services.turnDeletion,
      conversations: services.conversationDeletion,
    }),
    keyRotation: new KeyRotation(platform),
    embeddings: new Embeddings(platform),
  };
}

/** The broker of notifications, where there is one. */
async function brokerFor(
  url: string | undefined,
  { work, listens }: AppOptions,
  db: Database,
  log: Logger,
): Promise<Broker | undefined> {
  if (!url) return undefined;
  const broker = await openBroker({ url, topic: await topicOf(db), hears: work || listens !== false, log });
  db.publishBy((notifications) => broker.publish(notifications));
  return broker;
}

interface Opened {
  config: Config;
  clock: Clock;
  log: Logger;
  db: Database;
  notifier: Notifier;
  secrets: InstanceSecrets;
  engines: RunningEngines;
  decoders: Decoders;
  remote: RemoteCalls;
  tracer: Tracer | undefined;
  passwordCost: PasswordCost;
}

function openPlatform(opened: Opened): Platform & Pick<App, 'engines' | 'jobs'> {
  const { config, clock, log, db, notifier, secrets, engines, decoders, remote, tracer, passwordCost } = opened;
  const store = openStore(config.MEDIA_URL, config.DATA_DIR, { answerMs: config.MEDIA_SECONDS * SECOND_MS });
  const links = createMediaLinks({
    baseUrl: config.BASE_URL,
    siteUrl: config.SITE_URL,
    secrets: () => secrets.versions('media'),
    clock,
  });
  const audit = new AuditLog({ db, clock });
  const replicas = openReplicas({
    primary: db,
    urls: config.DATABASE_REPLICA_URLS,
    poolSize: config.DATABASE_POOL,
    onAway: (error) => log.warn({ err: error }, 'replica away'),
  });
  const safeFetch = createSafeFetch({
    allowHosts: config.FETCH_ALLOW_HOSTS,
    ownMedia: ownMedia(links, store),
    calls: remote,
  });
  const jobs = jobsOf({ db, clock, keepHours: config.KEEP_JOB_HOURS });
  const ports = { config, clock, log, db, notifier, store, links, safeFetch, engines, remote, decoders, jobs, audit };
  return { ...ports, replicas, tracer, passwordCost };
}

/**
 * Fetches what a provider of videos made, with the checks for addresses that users name: this one comes from outside as well.
 */
export async function videoAt(safeFetch: SafeFetch, url: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const limits = { field: 'video', accept: 'video', maxBytes: LIMITS.videoBytes } as const;
  return (await safeFetch(url, { ...limits, ...(signal ? { signal } : {}) })).bytes;
}

/** Search of memories by meaning; logs whether pgvector serves it. */
function openMeaning(db: Database, log: Logger): Graph {
  return openGraph(db.sessions, (outcome) => {
    if ('error' in outcome) log.warn({ err: outcome.error }, 'pgvector not ready');
    else if ('version' in outcome) log.info({ pgvector: outcome.version }, 'pgvector ready');
    else log.info({ reason: outcome.without }, 'pgvector absent');
  });
}
