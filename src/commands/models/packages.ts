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
import { built } from '../../kernel/built.ts';
import { DownloadError, sentenceOf } from './download.ts';
import { compareWithLock, type Lock, type NamedPackage } from './lock.ts';

type Name = 'llama' | 'onnx';

const NPM_OUTPUT_BYTES = 16 * 1_048_576;

const SOURCES = fileURLToPath(built('src/engines/local/packages/'));

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
    const binary = name === 'llama' ? llamaBinary(lock) : undefined;
    await npm(folder, commandFor(binary));
    const found: Lock = JSON.parse(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
    compareWithLock(lock, found, binary);
    await trim(path.join(folder, 'node_modules'));
    writeFileSync(mark, lockText);
  } catch (error) {
    throw sentenceOf(error, folder);
  }
  return true;
}

/** The package with llama.cpp for this system. */
function llamaBinary(lock: Lock): NamedPackage {
  const system = `${process.platform}-${process.arch}`;
  const binary = LLAMA_BINARIES[system];
  if (!binary) throw new DownloadError(`node-llama-cpp has no binary for ${system}: use a chat server of your own.`);
  const { version = '' } = lock.packages['node_modules/node-llama-cpp'] ?? {};
  return { name: `@node-llama-cpp/${binary}`, version };
}

/** npm cannot leave out some of the optional packages: all of them are, and the one for this system is named. */
function commandFor(binary: NamedPackage | undefined): string[] {
  if (!binary) return ['ci'];
  return ['install', '--no-save', '--omit=optional', `${binary.name}@${binary.version}`];
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

async function trim(modules: string): Promise<void> {
  for (const entry of await readdir(modules, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(modules, file).split(path.sep).join('/');
    if (entry.isFile() && UNREAD.some((one) => one.test(name)) && !/licen[cs]e|notice/i.test(entry.name))
      await rm(file);
  }
}
