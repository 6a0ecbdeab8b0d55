/** What a process has used, as Linux shows it in /proc. Elsewhere only the wall clock bounds a decoder. */
import { readdirSync, readFileSync } from 'node:fs';

/** What a process has used. */
export interface Usage {
  /** Of all its threads since it started. */
  cpuMs: number;
  /** Resident memory, shared libraries included. */
  rssBytes: number;
}

/** USER_HZ, which every Linux of our platforms shows to programs whatever its kernel ticks by. */
const TICK_MS = 10;

/** Undefined where there is no /proc, or no such process any more. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const fields = statOf(`/proc/${pid}/stat`);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rssKb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssBytes: rssKb * 1_024 };
  } catch {
    return undefined;
  }
}

/**
 * True when every thread sleeps: none wants a core, waits for a disk or was stopped, so that it stands still by itself
 * and not because the machine is busy. False where that cannot be known.
 */
export function sleeps(pid: number): boolean {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.every((thread) => statOf(`/proc/${pid}/task/${thread}/stat`)[0] === 'S');
  } catch {
    return false;
  }
}

/** The fields of a `stat` from the state on: the name before it, in brackets, may hold spaces. */
function statOf(file: string): string[] {
  const stat = readFileSync(file, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
