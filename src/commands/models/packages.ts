/**
 * Installs the packages that run local models, by npm and from a lock of ours, into a folder beside the models. What npm
 * has put there is compared with the lock before any of it is run, and no install script runs.
 */
import { exec } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PACKAGES_MARK, packagesFolder } from '../../engines/local/installed.ts';
import { DownloadError, sentenceOf } from './download.ts';

type Name = 'llama' | 'onnx';

interface Lock {
  packages: Record<string, { version?: string; integrity?: string; optional?: boolean; link?: boolean }>;
}

const NPM_OUTPUT_BYTES = 16 * 1_048_576;

const SOURCES = fileURLToPath(new URL('../../engines/local/packages/', import.meta.url));

/** llama.cpp's binaries, by system and processor; all others of its optional packages are for graphics cards. */
const LLAMA_BINARIES: Record<string, string> = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'win32-x64': 'win-x64',
  'win32-arm64': 'win-arm64',
};

/** Paths in node_modules of what is for browsers, other systems and debuggers: two thirds of what is installed. */
const UNREAD = [
  /^onnxruntime-web\//,
  /^onnxruntime-node\/bin\/[\w-]+\/(?!PLATFORM\/ARCH\/)/,
  /^@huggingface\/transformers\/dist\/(?!transformers\.node\.)/,
  /^kokoro-js\/dist\/kokoro\.web\.js$/,
  /\.map$/,
].map(({ source }) => new RegExp(source.replace('PLATFORM', process.platform).replace('ARCH', process.arch)));

/**
 * Installs what is not there yet. Rejects with DownloadError when npm fails or brings something else than the lock names.
 * @returns whether it installed anything
 */
export async function installPackages(models: string, name: Name): Promise<boolean> {
  const folder = packagesFolder(models, name);
  const source = path.join(SOURCES, name);
  const mark = path.join(folder, PACKAGES_MARK);
  const lockText = readFileSync(path.join(source, 'package-lock.json'), 'utf8');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lockText) return false;
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(mark, { force: true });
    for (const file of ['package.json', 'package-lock.json', 'index.mjs'])
      cpSync(path.join(source, file), path.join(folder, file));
    const lock = JSON.parse(lockText) as Lock;
    await npm(folder, commandFor(name, lock));
    compare(lock, JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8')));
    await trim(path.join(folder, 'node_modules'));
    writeFileSync(mark, lockText);
  } catch (error) {
    throw sentenceOf(error, folder);
  }
  return true;
}

/** npm cannot leave out some of the optional packages: all of them are, and the one for this system is named. */
function commandFor(name: Name, lock: Lock): string[] {
  if (name === 'onnx') return ['ci'];
  const system = `${process.platform}-${process.arch}`;
  const binary = LLAMA_BINARIES[system];
  if (!binary) throw new DownloadError(`node-llama-cpp has no binary for ${system}: use a chat server of your own.`);
  const { version } = lock.packages['node_modules/node-llama-cpp'] ?? {};
  return ['install', '--no-save', '--omit=optional', `@node-llama-cpp/${binary}@${version}`];
}

async function npm(folder: string, command: string[]): Promise<void> {
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    // By a command line, because on Windows npm is a script.
    await promisify(exec)(['npm', ...command, ...quiet].join(' '), { cwd: folder, maxBuffer: NPM_OUTPUT_BYTES });
  } catch (cause) {
    const { stderr = '', message } = cause as Error & { stderr?: string };
    throw new DownloadError(`npm could not install the packages: ${stderr.trim() || message}`, { cause });
  }
}

/** Throws DownloadError unless all that is there is what the lock names, and nothing is missing. */
function compare(lock: Lock, found: Lock): void {
  const other = Object.entries(found.packages).find(([location, { version, integrity }]) => {
    const wanted = lock.packages[location];
    // Binaries of systems that the registry did not have when the lock was made go by their version.
    if (!wanted) return !location.startsWith('node_modules/@node-llama-cpp/');
    return wanted.version !== version || (wanted.integrity !== undefined && wanted.integrity !== integrity);
  });
  const missing = Object.entries(lock.packages).find(
    ([location, { optional }]) => location !== '' && !optional && !found.packages[location],
  );
  const [location] = other ?? missing ?? [];
  if (location) throw new DownloadError(`npm brought another ${location} than the lock names: nothing of it is used.`);
}

async function trim(modules: string): Promise<void> {
  for (const entry of await readdir(modules, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(modules, file).split(path.sep).join('/');
    if (entry.isFile() && UNREAD.some((one) => one.test(name)) && !/licen[cs]e|notice/i.test(entry.name))
      await rm(file);
  }
}
