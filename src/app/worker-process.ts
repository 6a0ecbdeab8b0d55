/**
 * The worker process that ROLE=all keeps beside the web: forks it, starts it again when it crashes, and receives its reports.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Logger } from 'pino';
import type { DecoderStats } from '../engines/decoders/index.ts';
import { ConfigError } from '../kernel/config.ts';
import type { RemoteStats } from '../kernel/remote-calls.ts';
import type { MetricFamily } from '../kernel/work-metrics.ts';

const RESTART_MS = 500;
/** How long a stopping worker may take to give its jobs back before it is killed. */
const STOP_GRACE_MS = 10_000;
const REPORT_MS = 1_000;
/** After so many missing reports the worker is frozen, or computes without end: it is killed and started again. */
const MISSING_REPORTS = 30;
/** Longest wait for its metrics. */
const METRICS_MS = 2_000;

/** What a forked worker reports to the process that forked it. */
export type WorkerMessage =
  | { kind: 'ready' }
  /** It cannot start; the sentence goes to the operator who started the program. */
  | { kind: 'failed'; sentence: string }
  | { kind: 'stats'; stats: WorkerStats }
  /** The answer to a MetricsRequest. */
  | { kind: 'metrics'; id: number; families: MetricFamily[] };

/** Asks a forked worker for its metrics; numbered, because answers may come late. */
interface MetricsRequest {
  ask: 'metrics';
  id: number;
}

/** Counters of a worker that its web process shows. */
export interface WorkerStats {
  decoders: DecoderStats;
  remote: RemoteStats;
}

/** The worker that a web process keeps beside it. */
export interface WorkerProcess {
  /** Resolves when the first worker is ready; rejects with a ConfigError when it ends before. */
  ready: Promise<void>;
  /** At most about a second old; undefined until it is ready, and while it is down. */
  stats(): WorkerStats | undefined;
  /** Its metrics, read now; empty while it is down or does not answer. */
  metrics(): Promise<MetricFamily[]>;
  stop(): Promise<void>;
}

/** Notifies the parent, if this process was forked. @param onSent called when the message was sent */
export function notifyParent(message: WorkerMessage, onSent?: () => void): void {
  process.send?.(message, undefined, undefined, onSent);
}

/** Reports this process's counters to the parent at intervals; the returned function stops that. */
export function reportStats(stats: () => WorkerStats): () => void {
  const report = (): void => notifyParent({ kind: 'stats', stats: stats() });
  report();
  const timer = setInterval(report, REPORT_MS);
  return () => clearInterval(timer);
}

/** Answers the parent's questions for metrics. */
export function answerMetrics(families: () => Promise<MetricFamily[]>): void {
  process.on('message', ({ ask, id }: MetricsRequest) => {
    if (ask !== 'metrics') return;
    // The parent does not wait for an answer for ever.
    families().then(
      (read) => notifyParent({ kind: 'metrics', id, families: read }),
      () => {},
    );
  });
}

/** Keeps one worker process alive: a crash costs its jobs about a second. @param entry the program, which works by `env` */
export function superviseWorker(entry: string, env: NodeJS.ProcessEnv, log: Logger): WorkerProcess {
  return new SupervisedWorker(entry, env, log);
}

class SupervisedWorker implements WorkerProcess {
  readonly #entry: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #log: Logger;
  readonly #ready = Promise.withResolvers<void>();
  readonly #watch: NodeJS.Timeout;
  /** Whether some child was ready once: a first one that is not ends the program. */
  #wasReady = false;
  #isStopping = false;
  #child: ChildProcess | undefined;
  /** Whether the current child is ready: before that it is not expected to report. */
  #isChildReady = false;
  #missingReports = 0;
  #stats: WorkerStats | undefined;
  /** Requests for metrics without an answer yet, by number. */
  readonly #asked = new Map<number, (families: MetricFamily[]) => void>();
  #requests = 0;

  constructor(entry: string, env: NodeJS.ProcessEnv, log: Logger) {
    this.#entry = entry;
    this.#env = env;
    this.#log = log;
    this.#fork();
    this.#watch = setInterval(() => this.#countMissingReport(), REPORT_MS).unref();
    this.#ready.promise.catch(() => {});
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  stats(): WorkerStats | undefined {
    return this.#stats;
  }

  async metrics(): Promise<MetricFamily[]> {
    if (!this.#stats || !this.#child?.connected) return [];
    this.#requests += 1;
    const request: MetricsRequest = { ask: 'metrics', id: this.#requests };
    const answer = Promise.withResolvers<MetricFamily[]>();
    this.#asked.set(request.id, answer.resolve);
    const timer = setTimeout(() => answer.resolve([]), METRICS_MS);
    this.#child.send(request, (error) => error && answer.resolve([]));
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      this.#asked.delete(request.id);
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_GRACE_MS);
    await ended;
    clearTimeout(timer);
  }

  #fork(): void {
    const child = fork(this.#entry, { env: this.#env, execArgv: process.execArgv });
    this.#child = child;
    this.#isChildReady = false;
    child.on('message', (message: WorkerMessage) => this.#onMessage(message));
    child.on('exit', (code, signal) => this.#onExit(code, signal));
  }

  #onMessage(message: WorkerMessage): void {
    this.#missingReports = 0;
    if (message.kind === 'failed') this.#ready.reject(new ConfigError(message.sentence));
    if (message.kind === 'stats') this.#stats = message.stats;
    if (message.kind === 'metrics') this.#asked.get(message.id)?.(message.families);
    if (message.kind !== 'ready') return;
    this.#wasReady = true;
    this.#isChildReady = true;
    this.#ready.resolve();
  }

  #onExit(code: number | null, signal: NodeJS.Signals | null): void {
    this.#stats = undefined;
    if (this.#isStopping) return;
    // A first worker that cannot start is not tried again: its sentence ends the program.
    if (!this.#wasReady) {
      this.#ready.reject(new ConfigError(`The worker process ended while it started (${signal ?? code}).`));
      return;
    }
    this.#log.error({ code, signal }, 'worker ended');
    setTimeout(() => this.#fork(), RESTART_MS);
  }

  /** Missing reports are counted, not timed: where this process was frozen too, reports of that time are still to be read. */
  #countMissingReport(): void {
    this.#missingReports += 1;
    if (!this.#isChildReady || this.#isStopping || this.#missingReports < MISSING_REPORTS) return;
    this.#log.error({ workerPid: this.#child?.pid }, 'worker frozen');
    this.#child?.kill('SIGKILL');
    this.#missingReports = 0;
  }
}
