/** What a task may use, held by looking at its process now and then. */
import type { TaskLimits } from './tasks.ts';
import { sleeps, usageOf } from './usage.ts';

/** Resident memory that ends a decoder. */
const MEMORY_LIMIT_BYTES = 512 * 1_024 * 1_024;
const SAMPLE_MS = 100;
/**
 * Samples in a row in which every thread slept, without a tick of CPU time: a codec that waits for itself. Counted, so
 * that a sleep of ours is none.
 */
const STALLED_SAMPLES = 50;

/** The limit that a task went over. */
export type Excess = 'memory' | 'cpu' | 'time' | 'stalled';

/** Samples what one decoder uses, until it is ended. */
export interface Watch {
  /** The task has got on: its CPU time is counted anew. */
  restart(): void;
  end(): void;
}

/** Samples process `pid` until `end`. @param onExcess called at each sample that is over a limit */
export function watchUsage(pid: number, limits: TaskLimits, onExcess: (limit: Excess) => void): Watch {
  const endsAt = performance.now() + limits.wallMs;
  let seenMs = usageOf(pid)?.cpuMs ?? 0;
  let countedFromMs = seenMs;
  let stillSamples = 0;
  const excess = (): Excess | undefined => {
    if (performance.now() > endsAt) return 'time';
    const usage = usageOf(pid);
    if (!usage) return undefined;
    stillSamples = usage.cpuMs > seenMs || !sleeps(pid) ? 0 : stillSamples + 1;
    seenMs = usage.cpuMs;
    if (usage.rssBytes > MEMORY_LIMIT_BYTES) return 'memory';
    if (usage.cpuMs - countedFromMs > limits.cpuMs) return 'cpu';
    return stillSamples > STALLED_SAMPLES ? 'stalled' : undefined;
  };
  const timer = setInterval(() => {
    const limit = excess();
    if (limit) onExcess(limit);
  }, SAMPLE_MS);
  return {
    restart() {
      countedFromMs = seenMs;
    },
    end: () => clearInterval(timer),
  };
}
