/**
 * What a test file left behind in its worker: child processes, threads, timers, servers, connections and other handles that
 * would keep the process alive, and files in the temporary folder, of which each test file has one of its own.
 */
import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** What is being closed needs its moment, and a long one where the machine is busy; what was left stays for ever. */
const PATIENCE_MS = 120_000;
const STEP_MS = 50;

/** The threads of this process that run. */
const threads = new Set();
subscribe('worker_threads', ({ worker }) => {
  threads.add(worker);
  worker.once('exit', () => threads.delete(worker));
});

/** Handles of the event loop: servers, sockets, programs, watchers. The console may open when it is first written to. */
const handles = () =>
  // Node's public list of what keeps it alive has only names.
  process._getActiveHandles().filter(({ fd }) => !(fd >= 0 && fd <= 2));

/** How many timers keep the process alive; Node does not say which. */
const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const described = (handle) => {
  const { spawnargs, pid, remotePort, localPort } = handle;
  const where = spawnargs ? `${pid} ${spawnargs.join(' ').slice(0, 200)}` : JSON.stringify({ remotePort, localPort });
  return `${handle.constructor.name} ${where}`;
};

/** Ids of child processes that a worker keeps for all its files. */
export const keptProcesses = new Set();

/** Of this process, as Linux lists them; elsewhere the handles have to do. */
function children() {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        if (Number(parent) !== process.pid || state === 'Z' || keptProcesses.has(Number(pid))) return [];
        return [`process ${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 200)}`];
      } catch {
        // It has just ended.
        return [];
      }
    });
}

/**
 * Begins a file: gives it a temporary folder, also in the environment `env` that its programs get, and notes what was
 * there before it.
 */
export async function beginFile(env, file) {
  const before = {
    handles: new WeakSet(handles()),
    threads: new WeakSet(threads),
    timers: timers(),
    children: new Set(children()),
    tmp: process.env.TMPDIR,
  };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'test-'));
  // PostgreSQL runs as `nobody` where the tests run as root, and must get to its data.
  await chmod(folder, 0o755);
  process.env.TMPDIR = folder;
  env.TMPDIR = folder;
  /** Ends it; throws, naming it, when something is left. */
  return async () => {
    if (before.tmp === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before.tmp;
    const look = async () => [
      ...handles()
        .filter((handle) => !before.handles.has(handle))
        .map(described),
      ...[...threads].filter((thread) => !before.threads.has(thread)).map(({ threadId }) => `thread ${threadId}`),
      ...(timers() > before.timers ? [`${timers() - before.timers} timers that keep the process alive`] : []),
      ...children().filter((child) => !before.children.has(child)),
      ...(await readdir(folder)).map((name) => `file ${path.join(folder, name)}`),
    ];
    let left = await look();
    for (const end = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < end; left = await look())
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    await rm(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    throw new Error(`${file} left behind:\n${left.join('\n')}`);
  };
}
