/**
 * One decoder process: how it is started, given a task and ended. It knows neither queue nor owner; `pool.ts` decides
 * what it works on.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { REPORTS_FD, receiveMessages, sendMessage, TASKS_FD } from './channel.ts';
import type { Confinement } from './confine.ts';
import type { FromDecoder, Task, TaskLimits, ToDecoder } from './tasks.ts';
import { usageOf } from './usage.ts';
import { type Watch, watchUsage } from './watch.ts';

/** Why a decoder ended before its time: it broke down, outgrew a limit, or its task was given up. */
export const KILL_REASONS = ['crashed', 'memory', 'cpu', 'time', 'stalled', 'aborted'] as const;
/** Why a decoder was killed. */
export type KillReason = (typeof KILL_REASONS)[number];
/** `closed`: it was no longer needed. */
export type EndReason = KillReason | 'closed';

/** How long a decoder may take to start. */
const START_MS = 30_000;
/** How much of what a dying codec writes is kept for the log. */
const STDERR_CHARS = 500;

/** All of the environment that a decoder has: how its allocator gives memory back, where that is set. */
const ALLOCATOR = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('MALLOC_')));

/** A decoder process. */
export interface DecoderChild {
  readonly pid: number;
  /** Resolves once it takes tasks; rejects when it ends before, with what it wrote. */
  readonly ready: Promise<void>;
  /** Resolves when its process is gone: why, and the end of what it wrote to stderr. Never rejects. */
  readonly ended: Promise<{ reason: EndReason; stderr: string }>;
  /** Hands it a task and watches it until `release`. Every report but `ready` goes to `onReport`. */
  assign(task: Task, limits: TaskLimits, onReport: (report: FromDecoder) => void): void;
  /** Answers a question for a piece of the task's file. */
  supply(number: number, bytes: Uint8Array): void;
  /** Says that the task is no longer waited for. */
  stop(): void;
  /** The task is done: nothing is watched, and it keeps our process alive no longer. Resident bytes, where known. */
  release(): number;
  kill(reason: EndReason): void;
}

/** Starts a decoder process; `ready` says whether it came up. */
export function startChild(confinement: Confinement): DecoderChild {
  const [command, ...args] = confinement.command();
  const child = spawn(command, args, {
    cwd: '/',
    env: ALLOCATOR,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const tasks = child.stdio[TASKS_FD] as Socket;
  const reports = child.stdio[REPORTS_FD] as Socket;
  let killedFor: EndReason | undefined;
  let stderr = '';
  let onReport: ((report: FromDecoder) => void) | undefined;
  let watch: Watch | undefined;
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<Awaited<DecoderChild['ended']>>();
  const late = setTimeout(() => kill('time'), START_MS);
  ready.promise.catch(() => {}).finally(() => clearTimeout(late));
  const onEnd = (): void => {
    watch?.end();
    ready.reject(new Error(`The decoder did not start: ${stderr.trim() || 'it wrote nothing.'}`));
    ended.resolve({ reason: killedFor ?? 'crashed', stderr });
  };
  const kill = (reason: EndReason): void => {
    killedFor ??= reason;
    child.kill('SIGKILL');
  };
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARS);
  });
  child.on('error', (error) => {
    stderr += error.message;
    // A program that is not there brings this and no exit.
    if (child.pid === undefined) onEnd();
  });
  child.on('exit', onEnd);
  const send = (message: ToDecoder): void => sendMessage(tasks, message);
  // A message to a process that has just died; or bytes that are no message.
  for (const socket of [tasks, reports]) socket.on('error', () => kill('crashed'));
  receiveMessages<FromDecoder>(reports, (report) => {
    if (report.kind === 'ready') ready.resolve();
    if (report.kind === 'piece') watch?.restart();
    if (report.kind !== 'ready') onReport?.(report);
  });
  return {
    pid: child.pid ?? 0,
    ready: ready.promise,
    ended: ended.promise,
    assign(task, limits, listener) {
      keepAlive(child, true);
      onReport = listener;
      watch = watchUsage(child.pid!, limits, kill);
      send({ kind: 'task', task });
    },
    supply: (number, bytes) => send({ kind: 'bytes', number, bytes }),
    stop: () => send({ kind: 'stop' }),
    release() {
      watch?.end();
      watch = undefined;
      onReport = undefined;
      keepAlive(child, false);
      return usageOf(child.pid!)?.rssBytes ?? 0;
    },
    kill,
  };
}

/** An idle decoder must not keep our process alive. */
function keepAlive(child: ChildProcess, isBusy: boolean): void {
  const handles = [child, ...child.stdio] as ({ ref?(): void; unref?(): void } | null)[];
  for (const handle of handles) {
    if (isBusy) handle?.ref?.();
    else handle?.unref?.();
  }
}
