/** What the start, test and bench scripts share: installing once, finding the project's Node, running a child. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The Node 24 that the npm package `node` brings; the one running this script where that is missing. */
export function nodeBinary() {
  const own = path.join(root, 'node_modules/node/bin/node');
  return existsSync(own) ? own : process.execPath;
}

/**
 * Settings of glibc's allocator, read when a process starts; other allocators ignore them. By default every thread that
 * decodes or draws has an arena of its own, which keeps what was freed in it, and a block counts as large only beyond
 * 32 MB once one such was freed: a web process with a heap of 150 MB then held 1 100 MB after ten minutes of mixed load.
 * With two arenas, and pictures (whatever is over 1 MB) given back to the system when freed, it stays at 500 MB.
 * The Dockerfile sets the same.
 */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '1048576',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/** The command that runs the platform's main program, with its environment: for `npm start` and what measures it. */
export function platformCommand() {
  return {
    command: nodeBinary(),
    args: ['--enable-source-maps', '--no-warnings', path.join(root, 'dist/src/main.js')],
    env: { ...ALLOCATOR, ...process.env },
  };
}

export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd: root, ...options });
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/**
 * True when what npm noted of node_modules (`.package-lock.json` there) is what the lock names. Optional packages may be
 * missing, as those of other platforms are; those that the project itself names for this platform may not.
 */
export function isInstalled(lock, noted, { platform, arch } = process) {
  const ours = lock.packages[''].optionalDependencies ?? {};
  return Object.entries(lock.packages).every(([place, { version, integrity, optional, os, cpu }]) => {
    if (place === '') return true;
    const found = noted.packages[place];
    if (found) return found.version === version && (!integrity || found.integrity === integrity);
    const isOurs = place.slice('node_modules/'.length) in ours && os?.includes(platform) && cpu?.includes(arch);
    return Boolean(optional) && !isOurs;
  });
}

const readJson = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));

/**
 * Installs exactly what package-lock.json names when node_modules does not belong to it. No install script may tell
 * anybody that it ran.
 */
export async function ensureInstalled() {
  const noted = 'node_modules/.package-lock.json';
  if (existsSync(path.join(root, noted)) && isInstalled(readJson('package-lock.json'), readJson(noted))) return;
  console.log('Installing dependencies (once) ...');
  const code = await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
  });
  if (code !== 0) throw new Error('npm ci failed: see its message above.');
}
