/**
 * Metrics for operators, in Prometheus' format at /metrics: requests by route and status, jobs waiting and running, credits,
 * live sockets, and what the process and a worker beside it measure of their work. Answered to this machine, and to callers
 * with METRICS_TOKEN.
 */
import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { App } from '../app/app.ts';
import type { WorkerProcess } from '../app/worker-process.ts';
import type { SlugStats } from '../auth/slug-misses.ts';
import type { DecoderStats } from '../engines/decoders/index.ts';
import { jobCounts } from '../jobs/job.queries.ts';
import { QUEUES } from '../jobs/queue.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { fromMicro } from '../kernel/credits.ts';
import { PlatformError } from '../kernel/errors.ts';
import { idsFrom, sha256 } from '../kernel/ids.ts';
import type { RemoteStats } from '../kernel/remote-calls.ts';
import type { Replicas } from '../kernel/replicas.ts';
import { familiesOf, processMetrics } from '../kernel/work-metrics.ts';
import { creditsHeld, creditsMoved } from '../ledger/ledger.queries.ts';
import type { ConnectionStats } from './connection-limits.ts';

const SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Which process it is, and what is counted elsewhere; one that serves no callers has none of that. */
export interface MetricSources {
  process: 'web' | 'worker';
  liveCounts?: () => Record<string, number>;
  connections?: Readonly<ConnectionStats>;
  guesses?: Readonly<SlugStats>;
  /** The worker beside this process. */
  worker?: Pick<WorkerProcess, 'stats' | 'metrics'> | undefined;
}

/** Mounts /metrics, which shows this process and what the database says of all. */
export function mountMetrics(fastify: FastifyInstance, app: App, sources: MetricSources): void {
  const registry = new Registry();
  const ofThisProcess = processMetrics(app.db.pool);
  const requests = new Histogram({
    name: 'avatar_http_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  jobMetrics(registry, app);
  new Gauge({
    name: 'avatar_partitions_left_seconds',
    help: 'For how long ahead a partitioned table has partitions of their time; 0: rows go to its default partition.',
    labelNames: ['table'],
    registers: [registry],
    async collect() {
      for (const { table, leftMs } of await app.partitions.left()) this.set({ table }, leftMs / SECOND_MS);
    },
  });
  creditMetrics(registry, app);
  new Gauge({
    name: 'avatar_live',
    help: 'Live sockets, subscriptions, feeds and deliveries of this process.',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      for (const [of, value] of Object.entries(sources.liveCounts?.() ?? {})) this.set({ of }, value);
    },
  });
  if (sources.connections) {
    gaugeOf(registry, sources.connections, {
      name: 'avatar_connections_refused',
      help: 'Since the start: requests that did not arrive in time, sockets and requests over the bound of their address.',
    });
  }
  if (sources.guesses) {
    gaugeOf(registry, sources.guesses, {
      name: 'avatar_guesses',
      help: 'Since the start: slugs that were not there, lookups refused and delayed for it; slugWave is 1 during a wave.',
    });
  }
  decoderMetrics(registry, () => ({ self: app.decoders.stats(), worker: sources.worker?.stats()?.decoders }));
  replicaMetrics(registry, app.replicas);
  remoteMetrics(registry, () => ({ self: app.remote.stats(), worker: sources.worker?.stats()?.remote }));
  new Gauge({
    name: 'avatar_audit_events',
    help: 'Lines of the audit log that this process wrote, by action.',
    labelNames: ['action'],
    registers: [registry],
    collect() {
      for (const [action, n] of app.audit.counts) this.set({ action }, n);
    },
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? 'unknown';
    requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  fastify.get('/metrics', async (request, reply) => {
    if (!mayRead(request, app.config.METRICS_TOKEN))
      throw new PlatformError('NOT_FOUND', 'There is nothing at this address.');
    const families = await Promise.all([
      registry.getMetricsAsJSON(),
      familiesOf(ofThisProcess, sources.process),
      sources.worker?.metrics() ?? [],
    ]);
    // Their labels differ, so that nothing is added up, nor left out as "aggregator" would have it.
    const all = families.map((some) => some.map((family) => ({ ...family, aggregator: 'sum' })));
    return reply.type(registry.contentType).send(await AggregatorRegistry.aggregate(all).metrics());
  });
}

/** Jobs of all processes: how many, and how long the oldest waits. */
function jobMetrics(registry: Registry, { db }: Pick<App, 'db'>): void {
  let asked: ReturnType<typeof jobCounts> | undefined;
  /** Asked once for both gauges, which are read together. */
  const read = () => {
    asked ??= jobCounts(db, {}).finally(() => {
      asked = undefined;
    });
    return asked;
  };
  new Gauge({
    name: 'avatar_jobs',
    help: 'Background jobs by queue and state.',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind, state, count } of await read()) this.set({ queue: kind, state }, Number(count));
    },
  });
  new Gauge({
    name: 'avatar_jobs_oldest_seconds',
    help: 'How long the oldest job of a queue has waited since it could begin; 0 while none waits.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const name of Object.keys(QUEUES)) this.set({ queue: name }, 0);
      for (const { kind, state, oldestS } of await read())
        if (state === 'created') this.set({ queue: kind }, Math.max(0, oldestS));
    },
  });
}

/** How long a transaction may take from the id of its transfer to its commit: later ids are not read yet. */
const UNCOMMITTED_MS = 15_000;

/** Credits of all processes, by what they are for, as the ledger has them. */
function creditMetrics(registry: Registry, { db, clock }: Pick<App, 'db' | 'clock'>): void {
  // Read as far as the ledger goes, from scrape to scrape: no turn waits for being counted.
  let from = idsFrom('tfr', clock.now());
  new Counter({
    name: 'avatar_credits_total',
    help: 'Credits that were moved since this process started, by kind: used by turn, speech, image, video; tribe, gift, grant.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const to = idsFrom('tfr', clock.now() - UNCOMMITTED_MS);
      if (to <= from) return;
      const after = from;
      from = to;
      const moved = await creditsMoved(db, { after, before: to }).catch((error: unknown) => {
        from = after;
        throw error;
      });
      for (const { kind, amount } of moved) this.inc({ kind }, fromMicro(BigInt(amount)));
    },
  });
  new Gauge({
    name: 'avatar_credits_held',
    help: 'Credits that are set aside for work that has not ended, by kind.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { kind, amount } of await creditsHeld(db, {})) this.set({ kind }, fromMicro(BigInt(amount)));
    },
  });
}

/** A gauge that shows counters kept elsewhere, one label each. */
function gaugeOf(registry: Registry, counts: object, about: { name: string; help: string }): void {
  new Gauge({
    ...about,
    labelNames: ['of'],
    registers: [registry],
    collect() {
      for (const [of, value] of Object.entries(counts)) this.set({ of }, value as number);
    },
  });
}

/**
 * The processes that open media of others: how often they were started, what ended them, who waits. By the process they
 * belong to: `self` answers here, `worker` is the one beside it.
 */
function decoderMetrics(registry: Registry, statsOf: () => Record<string, DecoderStats | undefined>): void {
  const all = () => Object.entries(statsOf()).flatMap(([of, stats]) => (stats ? [{ of, ...stats }] : []));
  new Counter({
    name: 'avatar_decoder_starts_total',
    help: 'Decoder processes started.',
    labelNames: ['of'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { of, started } of all()) this.inc({ of }, started);
    },
  });
  new Counter({
    name: 'avatar_decoder_kills_total',
    help: 'Decoder processes that broke down or were killed, by reason.',
    labelNames: ['of', 'reason'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { of, killed } of all())
        for (const [reason, value] of Object.entries(killed)) this.inc({ of, reason }, value);
    },
  });
  new Gauge({
    name: 'avatar_decoder_tasks',
    help: 'Tasks of the decoder processes by state.',
    labelNames: ['of', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { of, running, waiting } of all()) {
        this.set({ of, state: 'running' }, running);
        this.set({ of, state: 'waiting' }, waiting);
      }
    },
  });
}

/** Calls of remote services and the addresses that are left alone, by the process they belong to. */
function remoteMetrics(registry: Registry, statsOf: () => Record<string, RemoteStats | undefined>): void {
  const all = () => Object.entries(statsOf()).flatMap(([of, stats]) => (stats ? [{ of, ...stats }] : []));
  new Counter({
    name: 'avatar_remote_calls_total',
    help: 'Calls of remote services by outcome: answered, unanswered, refused (left alone, or too many wait).',
    labelNames: ['of', 'service', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { of, calls } of all())
        for (const [service, outcomes] of Object.entries(calls))
          for (const [outcome, value] of Object.entries(outcomes)) this.inc({ of, service, outcome }, value);
    },
  });
  new Gauge({
    name: 'avatar_circuits_open',
    help: 'Remote addresses that are left alone now because they did not answer.',
    labelNames: ['of', 'service'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { of, open } of all())
        for (const [service, value] of Object.entries(open)) this.set({ of, service }, value);
    },
  });
}

/** What becomes of reads that replicas may answer, and how each replica is. */
function replicaMetrics(registry: Registry, replicas: Pick<Replicas, 'stats' | 'states'>): void {
  new Counter({
    name: 'avatar_replica_reads_total',
    help: 'Reads that a replica may answer, by outcome: hits; else PostgreSQL itself did: behind, late, away, passed.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, value] of Object.entries(replicas.stats)) this.inc({ outcome }, value);
    },
  });
  let asked: ReturnType<Replicas['states']> | undefined;
  /** Asked once for both gauges, which are read together. */
  const states = () => {
    asked ??= replicas.states().finally(() => {
      asked = undefined;
    });
    return asked;
  };
  new Gauge({
    name: 'avatar_replica_lag_bytes',
    help: 'How much of the log of PostgreSQL a replica has yet to replay; nothing while it does not answer.',
    labelNames: ['replica'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, lagBytes } of await states())
        if (lagBytes !== undefined) this.set({ replica: name }, lagBytes);
    },
  });
  new Gauge({
    name: 'avatar_replica_connections',
    help: 'Connections to a replica: open, idle, and how many there may be; waiting: reads that wait for one.',
    labelNames: ['replica', 'state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name: replica, pool } of await states()) {
        this.set({ replica, state: 'open' }, pool.totalCount);
        this.set({ replica, state: 'idle' }, pool.idleCount);
        this.set({ replica, state: 'waiting' }, pool.waitingCount);
        this.set({ replica, state: 'most' }, pool.options.max);
      }
    },
  });
}

/** A proxy in front makes every caller local, so then only the token counts. */
function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token) return given !== undefined && timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
  const isProxied = request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined;
  return !isProxied && ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(request.socket.remoteAddress ?? '');
}
