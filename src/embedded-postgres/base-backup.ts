/**
 * A base backup of the embedded PostgreSQL while it runs, and putting one in place. The server brings no `pg_basebackup`,
 * so this is what PostgreSQL documents as a backup through its low-level interface: `pg_backup_start`, the files copied
 * in any state, `pg_backup_stop`, and the write-ahead log of that time, which makes them whole when the copy is started.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { directoryOf, findRunner, giveTo, runAs } from './runner.ts';

/** Takes the files of a backup, one after another. Names are paths in the data folder, with `/`. */
export interface BackupSink {
  folder(name: string): Promise<void>;
  /** Copies what `source` (absolute) holds now; one that is gone meanwhile is left out. */
  file(name: string, source: string): Promise<void>;
  text(name: string, content: string | Uint8Array): Promise<void>;
}

/** Folders that a server fills anew when it starts, and the log, of which only a part is wanted. */
const EMPTIED = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);
/** Of the running server, or of a start that never was; `pg_control` is copied last. */
const LEFT_OUT =
  /^(?:postmaster\.(?:pid|opts)|backup_label(?:\.old)?|tablespace_map(?:\.old)?|global\/pg_control)$|(?:^|\/)(?:pgsql_tmp|pg_internal\.init)/;
const WAL_SEGMENT = /^[0-9A-F]{24}$/;
const CONTROL = 'global/pg_control';

/**
 * Copies a running server, as it is at the end of the copy. Rejects when the server ends meanwhile.
 * @param url a superuser's connection to any database of the server.
 * @param data the server's PGDATA.
 */
export async function takeBaseBackup(url: string, data: string, sink: BackupSink): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    // Keeps the log from now on, however long the copy takes; it ends with this connection, as the backup does.
    const slot = `backup_${process.pid}`;
    await client.query('select pg_backup_start($1, true) from pg_create_physical_replication_slot($1, true, true)', [
      slot,
    ]);
    await copyFolder(data, '', sink);
    await sink.text(CONTROL, await readControl(path.join(data, CONTROL)));
    const { rows } = await client.query<{ label: string; last: string }>(
      'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)',
    );
    const { label, last } = rows[0] as { label: string; last: string };
    await sink.text('backup_label', label);
    const first = /\(file ([0-9A-F]{24})\)/.exec(label)?.[1];
    if (!first) throw new Error('PostgreSQL did not say where the log of its backup begins.');
    const segments = (await readdir(path.join(data, 'pg_wal'))).filter((name) => WAL_SEGMENT.test(name));
    for (const name of segments.filter((one) => one >= first && one <= last))
      await sink.file(`pg_wal/${name}`, path.join(data, 'pg_wal', name));
  } finally {
    await client.end().catch(() => {});
  }
}

async function copyFolder(data: string, folder: string, sink: BackupSink): Promise<void> {
  for (const entry of await readdir(path.join(data, folder), { withFileTypes: true })) {
    const name = folder ? `${folder}/${entry.name}` : entry.name;
    if (LEFT_OUT.test(name)) continue;
    if (entry.isFile()) await sink.file(name, path.join(data, name));
    if (!entry.isDirectory()) continue;
    await sink.folder(name);
    if (!EMPTIED.has(name)) await copyFolder(data, name, sink);
  }
}

/** The server may be writing it: read until two readings agree. */
async function readControl(file: string): Promise<Uint8Array> {
  let before = await readFile(file);
  for (;;) {
    const now = await readFile(file);
    if (now.equals(before)) return now;
    before = now;
  }
}

/** Major version of the server that is installed, e.g. `18`: its data are read by no other. */
export function serverVersion(): string {
  const said = execFileSync(path.join(findRunner().bin, 'postgres'), ['--version'], { encoding: 'utf8' });
  return /(\d+)\./.exec(said)?.[1] ?? said;
}

/** The data of a backup, ready to be started. */
export interface RestoredData {
  /** Absolute, empty: where the files of the backup are to be put. */
  folder: string;
  /** Makes it the data of the server, owned by the user that runs it. */
  keep(): void;
  /** Removes what was copied so far. */
  drop(): void;
}

/** Where the data lie that a server in `wanted` would start from; undefined when there are none. */
export function findData(wanted: string): string | undefined {
  const data = path.join(existsSync(wanted) ? directoryOf(wanted, findRunner()) : wanted, 'data');
  return existsSync(data) ? data : undefined;
}

/** Prepares a folder for a server in `wanted`, which must have no data yet. Throws when it has. */
export function prepareData(wanted: string): RestoredData {
  const runner = findRunner();
  const directory = directoryOf(wanted, runner);
  const data = path.join(directory, 'data');
  if (existsSync(data)) throw new Error(`There is a database in ${data}.`);
  // Put in place when it is whole, as in `server.ts`.
  const folder = path.join(directory, 'data-new');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  giveTo(runner, folder, 'folder');
  const { uid, gid } = runAs(runner);
  return {
    folder,
    keep() {
      if (uid !== undefined && gid !== undefined)
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
          chownSync(path.join(folder, name), uid, gid);
      renameSync(folder, data);
    },
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}
