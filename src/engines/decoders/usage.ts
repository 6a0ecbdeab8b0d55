/** What a process has used, as Linux tells it in /proc. Elsewhere only the wall clock bounds a decoder. */
import { readFileSync } from 'node:fs';

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
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, may hold spaces: fields are counted after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const rssKb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
    return { cpuMs: (Number(fields[11]) + Number(fields[12])) * TICK_MS, rssBytes: rssKb * 1_024 };
  } catch {
    return undefined;
  }
}
