/**
 * One decoder process and the watch over it: how it is started, what it may use for a task, and how it ends. It knows
 * neither queue nor owner; `pool.ts` decides what it works on.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Confinement } from './confine.ts';
import type { DecoderTask, FromDecoder, TaskLimits, ToDecoder } from './tasks.ts';
import { usageOf } from './usage.ts';

/** Why a decoder ended before its time: it broke down, outgrew a limit, or its task was given up. */
export const KILL_REASONS = ['crashed', 'memory', 'cpu', 'time', 'stalled', 'aborted'] as const;
export type KillReason = (typeof KILL_REASONS)[number];
/** `closed`: it was no longer needed. */
export type EndReason = KillReason | 'closed';

/** Resident memory that ends a decoder. */
export const MEMORY_LIMIT_BYTES = 512 * 1_024 * 1_024;
/** How long a decoder may take to start. */
const START_MS = 30_000;
const LOOK_MS = 100;
/** Looks in a row without a tick of CPU time: a codec that waits for itself. Counted, so that a sleep of ours is none. */
const STALLED_LOOKS = 50;
/** How much of what a dying codec says is kept for the log. */
const LAST_WORDS_CHARS = 500;

/** All of the environment that a decoder has: how its allocator gives memory back, where that is set. */
const ALLOCATOR = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MALLOC_')));

export interface DecoderChild {
  readonly pid: number;
  /** Resolves once it takes tasks; rejects when it ends before, with what it said. */
  readonly ready: Promise<void>;
  /** Resolves when its process is gone: why, and its last words. Never rejects. */
  readonly ended: Promise<{ reason: EndReason; lastWords: string }>;
  /** Hands it a task, and watches it until `rest`. Every report but `ready` goes to `report`. */
  work(task: DecoderTask, limits: TaskLimits, report: (message: FromDecoder) => void): void;
  /** Says that nobody waits for the task any more. */
  stop(): void;
  /** The task is done: nothing is watched, and it keeps this process no longer alive. Resident bytes, where known. */
  rest(): number;
  kill(reason: EndReason): void;
}

export function startChild({ command, args }: Confinement): DecoderChild {
  const child = spawn(command, args, {
    cwd: '/',
    env: ALLOCATOR,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });
  let killedFor: EndReason | undefined;
  let lastWords = '';
  let report: ((message: FromDecoder) => void) | undefined;
  let watch: Watch | undefined;
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Awaited<DecoderChild['ended']>>();
  const late = setTimeout(() => kill('time'), START_MS);
  ready.promise.catch(() => {}).finally(() => clearTimeout(late));
  const leave = (): void => {
    watch?.end();
    ready.reject(new Error(`The decoder did not start: ${lastWords.trim() || 'it said nothing.'}`));
    ended.resolve({ reason: killedFor ?? 'crashed', lastWords });
  };
  const kill = (reason: EndReason): void => {
    killedFor ??= reason;
    child.kill('SIGKILL');
  };
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS_CHARS);
  });
  child.on('error', (error) => {
    lastWords += error.message;
    // A program that is not there brings this and no exit.
    if (child.pid === undefined) leave();
  });
  child.on('exit', leave);
  child.on('message', (message: FromDecoder) => {
    if (message.kind === 'ready') ready.resolve();
    if (message.kind === 'piece') watch?.again();
    if (message.kind !== 'ready') report?.(message);
  });
  return {
    pid: child.pid ?? 0,
    ready: ready.promise,
    ended: ended.promise,
    work(task, limits, onReport) {
      keepAlive(child, true);
      report = onReport;
      watch = watchUsage(child.pid!, limits, kill);
      tell(child, { kind: 'task', task });
    },
    stop: () => tell(child, { kind: 'stop' }),
    rest() {
      watch?.end();
      watch = undefined;
      report = undefined;
      keepAlive(child, false);
      return usageOf(child.pid!)?.rssBytes ?? 0;
    },
    kill,
  };
}

/** A message to a process that has just died is nobody's mistake: its exit tells. */
function tell(child: ChildProcess, message: ToDecoder): void {
  if (child.connected) child.send(message, () => {});
}

/** An idle decoder must not keep the process alive. */
function keepAlive(child: ChildProcess, isBusy: boolean): void {
  const handles = [child, child.channel, child.stderr as unknown as { ref?(): void; unref?(): void } | null];
  for (const handle of handles) {
    if (isBusy) handle?.ref?.();
    else handle?.unref?.();
  }
}

interface Watch {
  /** The task has got on: its CPU time is counted anew. */
  again(): void;
  end(): void;
}

function watchUsage(pid: number, limits: TaskLimits, kill: (reason: EndReason) => void): Watch {
  const endsAt = performance.now() + limits.wallMs;
  const first = usageOf(pid);
  let seenMs = first?.cpuMs ?? 0;
  let countedFromMs = seenMs;
  let still = 0;
  const outgrown = (): KillReason | undefined => {
    if (performance.now() > endsAt) return 'time';
    const usage = usageOf(pid);
    if (!usage) return undefined;
    still = usage.cpuMs > seenMs ? 0 : still + 1;
    seenMs = usage.cpuMs;
    if (usage.rssBytes > MEMORY_LIMIT_BYTES) return 'memory';
    if (usage.cpuMs - countedFromMs > limits.cpuMs) return 'cpu';
    return still > STALLED_LOOKS ? 'stalled' : undefined;
  };
  const timer = setInterval(() => {
    const reason = outgrown();
    if (reason) kill(reason);
  }, LOOK_MS);
  return {
    again() {
      countedFromMs = seenMs;
    },
    end: () => clearInterval(timer),
  };
}
