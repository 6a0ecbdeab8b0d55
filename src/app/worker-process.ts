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
  let child: ChildProcess | undefined;
  let stats: WorkerStats | undefined;
  let isStopping = false;
  let isReady = false;
  /** Whether the current child is ready: before that it is not expected to report. */
  let isChildReady = false;
  let missing = 0;
  const asked = new Map<number, (families: MetricFamily[]) => void>();
  let questions = 0;
  const ready = Promise.withResolvers<void>();
  const start = (): void => {
    const mine = fork(entry, { env, execArgv: process.execArgv });
    child = mine;
    isChildReady = false;
    mine.on('message', (message: WorkerMessage) => {
      if (message.kind === 'failed') ready.reject(new ConfigError(message.sentence));
      missing = 0;
      if (message.kind === 'stats') stats = message.stats;
      if (message.kind === 'metrics') asked.get(message.id)?.(message.families);
      if (message.kind !== 'ready') return;
      isReady = true;
      isChildReady = true;
      ready.resolve();
    });
    mine.on('exit', (code, signal) => {
      stats = undefined;
      if (isStopping) return;
      // A first worker that cannot start is not tried again: its sentence ends the program.
      if (!isReady) {
        ready.reject(new ConfigError(`The worker process ended while it started (${signal ?? code}).`));
        return;
      }
      log.error({ code, signal }, 'worker ended');
      setTimeout(start, RESTART_MS);
    });
  };
  start();
  // Missing reports are counted, not timed: where this process was frozen too, reports of that time are still to be read.
  const watch = setInterval(() => {
    missing += 1;
    if (!isChildReady || isStopping || missing < MISSING_REPORTS) return;
    log.error({ workerPid: child?.pid }, 'worker frozen');
    child?.kill('SIGKILL');
    missing = 0;
  }, REPORT_MS);
  watch.unref();
  ready.promise.catch(() => {});
  return {
    ready: ready.promise,
    stats: () => stats,
    async metrics() {
      if (!stats || !child?.connected) return [];
      questions += 1;
      const request: MetricsRequest = { ask: 'metrics', id: questions };
      const answer = Promise.withResolvers<MetricFamily[]>();
      asked.set(request.id, answer.resolve);
      const timer = setTimeout(() => answer.resolve([]), METRICS_MS);
      child.send(request, (error) => error && answer.resolve([]));
      try {
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        asked.delete(request.id);
      }
    },
    async stop() {
      isStopping = true;
      clearInterval(watch);
      const mine = child;
      if (!mine || mine.exitCode !== null || mine.signalCode !== null) return;
      const ended = new Promise((resolve) => mine.once('exit', resolve));
      mine.kill('SIGTERM');
      const timer = setTimeout(() => mine.kill('SIGKILL'), STOP_GRACE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}
