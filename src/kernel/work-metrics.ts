/**
 * What a process measures of its work, in Prometheus' terms: how long the parts of a turn take, how long jobs wait and run,
 * how the media store answers. One of each for the whole process, because what is measured runs deep in the services;
 * `src/http/metrics.ts` shows them, and docs/operations.md says what to do when they rise.
 */
import type pg from 'pg';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { currentQueue, inSpan } from './work-account.ts';

/** The metrics of this file. */
const workMetrics = new Registry();

/** Buckets in seconds, from what is not noticed to what no caller waits for. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 180, 600];

const turns = new Histogram({
  name: 'avatar_turn_seconds',
  help: 'Parts of a turn: accept, words (accepted until its first text), speech, talking_head, store, settle; shown and done since it was accepted.',
  labelNames: ['phase', 'output'],
  buckets: SECONDS,
  registers: [workMetrics],
});
const waits = new Histogram({
  name: 'avatar_job_wait_seconds',
  help: 'How long jobs that begin have waited since they could.',
  labelNames: ['queue'],
  buckets: SECONDS,
  registers: [workMetrics],
});
const runs = new Histogram({
  name: 'avatar_job_seconds',
  help: 'Attempts at jobs by how they ended: done, retry (another follows), stopped (requeued), failed (none is left).',
  labelNames: ['queue', 'outcome'],
  buckets: SECONDS,
  registers: [workMetrics],
});
const failures = new Counter({
  name: 'avatar_work_failed_total',
  help: 'Work that ended in error for who waits for it; its hold was released.',
  labelNames: ['queue'],
  registers: [workMetrics],
});
const stores = new Histogram({
  name: 'avatar_media_store_seconds',
  help: 'Operations of the media store, the folder or the bucket, by outcome: done, absent, failed.',
  labelNames: ['operation', 'outcome'],
  buckets: [0.001, ...SECONDS],
  registers: [workMetrics],
});
const pushes = new Histogram({
  name: 'avatar_live_push_seconds',
  help: 'From the notification of a change until it was handed to every viewer of this process.',
  buckets: [0.001, 0.0025, ...SECONDS],
  registers: [workMetrics],
});

const notifications = new Counter({
  name: 'avatar_notifications_total',
  help: 'Notifications by the broker of HINTS_URL: sent, heard, and unsent because it was away.',
  labelNames: ['of'],
  registers: [workMetrics],
});
const brokerAway = new Gauge({
  name: 'avatar_notifications_away',
  help: '1 while the broker of HINTS_URL does not answer: changes are noticed up to a second late.',
  registers: [workMetrics],
});

/** A part of a turn that is measured. */
export type TurnPhase = 'accept' | 'words' | 'speech' | 'talking_head' | 'store' | 'settle' | 'shown' | 'done';
/** How an attempt at a job ended. */
export type JobOutcome = 'done' | 'retry' | 'stopped' | 'failed';

/** Notes how long a part of a turn took. @param output `text`, `audio` or `video`; null is text */
export function observeTurn(phase: TurnPhase, output: string | null, ms: number): void {
  turns.observe({ phase, output: output ?? 'text' }, Math.max(0, ms) / 1_000);
}

/** Does a part of a turn, and notes how long it took where it succeeds; it is a span where work is traced. */
export async function inPhase<T>(phase: TurnPhase, output: string | null, work: () => Promise<T>): Promise<T> {
  const startedAtMs = performance.now();
  const value = await inSpan(phase.replace('_', ' '), work);
  observeTurn(phase, output, performance.now() - startedAtMs);
  return value;
}

/** Notes that an attempt at a job begins. @param waitedMs since it could */
export function observeJobWait(queue: string, waitedMs: number): void {
  waits.observe({ queue }, Math.max(0, waitedMs) / 1_000);
}

/** Notes that an attempt at a job ended. */
export function observeJob(queue: string, outcome: JobOutcome, ms: number): void {
  runs.observe({ queue, outcome }, ms / 1_000);
}

/** Notes that the work under way ended in error. */
export function countFailure(): void {
  failures.inc({ queue: currentQueue() ?? 'none' });
}

/** Notes an operation of the media store. */
export function observeStore(operation: string, outcome: 'done' | 'absent' | 'failed', ms: number): void {
  stores.observe({ operation, outcome }, ms / 1_000);
}

/** Notes that a change was handed to all who watch. */
export function observePush(ms: number): void {
  pushes.observe(ms / 1_000);
}

/** Notes notifications that went by the broker, or did not. */
export function countNotifications(of: 'sent' | 'heard' | 'unsent', n = 1): void {
  notifications.inc({ of }, n);
}

/** Notes whether the broker is away. */
export function setBrokerAway(isAway: boolean): void {
  brokerAway.set(Number(isAway));
}

let ofNode: Registry | undefined;

/** Node's own figures: one for all servers of a process, because what watches garbage collection and the event loop never ends. */
function nodeMetrics(): Registry {
  if (!ofNode) {
    ofNode = new Registry();
    collectDefaultMetrics({ register: ofNode });
  }
  return ofNode;
}

/** What every process measures: Node itself, its work, and its connections to the database. */
export function processMetrics(
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>,
): Registry[] {
  const registry = new Registry();
  new Gauge({
    name: 'avatar_pool_connections',
    help: 'Connections to the database: open, idle, and how many there may be; waiting: work that waits for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'open' }, pool.totalCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
      this.set({ state: 'most' }, pool.options.max);
    },
  });
  return [nodeMetrics(), workMetrics, registry];
}

/** A metric with its values, as processes hand them to each other. */
export type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** The values of registries, each with the process that it is of. */
export async function familiesOf(registries: Registry[], process: 'web' | 'worker'): Promise<MetricFamily[]> {
  const families = (await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))).flat();
  return families.map((family) => ({
    ...family,
    values: family.values.map((value) => ({ ...value, labels: { process, ...value.labels } })),
  }));
}
