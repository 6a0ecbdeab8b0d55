/** The processes of a running platform as the operating system sees them, with what the probe noted in each. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const MB = 1024 * 1024;

/** The process `rootPid` and all below it: [{ pid, name, rssMb, heapMb, externalMb, handles }]. */
export function look(rootPid, folder) {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8', maxBuffer: 64 * MB })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter(Boolean)
    .map(([, pid, parent, kb, args]) => ({ pid: Number(pid), parent: Number(parent), rssMb: Number(kb) / 1024, args }));
  const found = all.filter(({ pid }) => pid === rootPid);
  for (const one of found) found.push(...all.filter(({ parent }) => parent === one.pid));
  return found
    .filter(({ args }) => args.includes('.js'))
    .map(({ pid, rssMb, args }) => ({ pid, rssMb, name: nameOf(pid, rootPid, args), ...noted(pid, folder) }));
}

/** main.js is the web process at the top and the worker below it; everything else is named after its folder. */
function nameOf(pid, rootPid, args) {
  const file = /(\S+)\.js\b/.exec(args)?.[1] ?? 'other';
  if (path.basename(file) !== 'main') return path.basename(path.dirname(file));
  return pid === rootPid ? 'web' : 'worker';
}

/** Heaps of all the process's threads together. */
function noted(pid, folder) {
  const sum = { heapMb: 0, externalMb: 0, handles: 0, threads: 0 };
  if (!existsSync(folder)) return sum;
  for (const name of readdirSync(folder).filter((one) => one.startsWith(`${pid}-`))) {
    const line = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n').at(-1);
    // Just made, and nothing noted yet.
    if (!line) continue;
    const { at, heapUsed, external, handles } = JSON.parse(line);
    // A thread that has ended notes nothing any more.
    if (Date.now() - at > 60_000) continue;
    sum.heapMb += heapUsed / MB;
    sum.externalMb += external / MB;
    sum.handles += handles;
    sum.threads += 1;
  }
  return sum;
}
