/**
 * What a test file left behind in its worker: child processes, servers and connections that would keep the
 * process alive, and files in the temporary folder, of which each test file has one of its own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** What is being closed needs its moment, and a long one where the machine is busy; what was left stays for ever. */
const PATIENCE_MS = 30_000;
const IS_STRICT = process.env.LEFTOVERS === 'fail';
const STEP_MS = 50;

const KINDS = new Set(['ChildProcess', 'Server', 'Socket', 'TLSSocket']);

/** Handles of the event loop that tests make; the channel to jest and the console are none. */
const handles = () =>
  // Node's public list of what keeps it alive has only names.
  process
    ._getActiveHandles()
    .filter((handle) => KINDS.has(handle.constructor.name) && !(handle.fd >= 0 && handle.fd <= 2));

const described = (handle) => {
  const { spawnargs, pid, remotePort, localPort } = handle;
  const where = spawnargs ? `${pid} ${spawnargs.join(' ').slice(0, 200)}` : JSON.stringify({ remotePort, localPort });
  return `${handle.constructor.name} ${where}`;
};

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
        if (Number(parent) !== process.pid || state === 'Z') return [];
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
  const before = { handles: new WeakSet(handles()), children: new Set(children()), tmp: process.env.TMPDIR };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'test-'));
  // PostgreSQL runs as nobody where the tests run as root, and must get to its data.
  await chmod(folder, 0o755);
  process.env.TMPDIR = folder;
  env.TMPDIR = folder;
  /** Ends it and tells what it left: by an error where LEFTOVERS=fail, else as a warning. */
  return async () => {
    if (before.tmp === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before.tmp;
    const look = async () => [
      ...handles()
        .filter((handle) => !before.handles.has(handle))
        .map(described),
      ...children().filter((child) => !before.children.has(child)),
      ...(await readdir(folder)).map((name) => `file ${path.join(folder, name)}`),
    ];
    let left = await look();
    for (const end = Date.now() + PATIENCE_MS; left.length > 0 && Date.now() < end; left = await look())
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    await rm(folder, { recursive: true, force: true });
    if (left.length === 0) return;
    const told = `${file} left behind:\n${left.join('\n')}`;
    if (IS_STRICT) throw new Error(told);
    process.stderr.write(`${told}\n`);
  };
}
