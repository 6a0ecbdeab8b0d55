/**
 * Access to the embedded PostgreSQL: by password, over TCP of this machine. The password is
 * random, lies in a file of mode 600 beside the data, and is checked by SCRAM, so that it never crosses the wire. There
 * is no Unix socket: `peer` would admit the user the server runs as (`nobody`, for root), a password there adds nothing.
 * A data folder of an earlier version, which trusted every account of the machine, is converted before it is started.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Runner, runAs } from './runner.ts';

const SUPERUSER = 'postgres';

/** The whole of pg_hba.conf. What it does not name is refused: other addresses, sockets, replication. */
const HBA = `# Written by the platform at every start: see src/embedded-postgres/access.ts.
host all all 127.0.0.1/32 scram-sha-256
`;

/** How the embedded server is reached, and whether its data asks for a password. */
export interface Access {
  /** Connection URL; it holds the password, so it belongs in no log. */
  urlOf(port: number, database: string): string;
  /** True when the data folder asks for this password; else `enforce` it before the server is started. */
  isEnforced: boolean;
  /** Sets the password and the rules in the data of a server that does not run. Rejects with one sentence. */
  enforce(): Promise<void>;
}

/** @param directory holds the password's file and `data`. @param applicationName says in the server who connects. */
export function openAccess(directory: string, runner: Runner, applicationName: string): Access {
  const data = path.join(directory, 'data');
  const file = path.join(directory, 'password');
  const hba = path.join(data, 'pg_hba.conf');
  const isKnown = existsSync(file);
  // Random before the file is there: a crash in between leaves rules that are not ours, and is gone on with.
  if (!isKnown) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  const password = readFileSync(file, 'utf8').trim();
  return {
    urlOf: (port, database) =>
      `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${database}?application_name=${applicationName}`,
    isEnforced: isKnown && existsSync(hba) && readFileSync(hba, 'utf8') === HBA,
    async enforce() {
      await setPassword(data, runner, password);
      writeRules(hba);
    },
  };
}

/** In single-user mode, which asks for no password and opens no port. */
async function setPassword(data: string, runner: Runner, password: string): Promise<void> {
  const options = { ...runAs(runner), cwd: data };
  const args = ['--single', '-D', data, '-c', 'password_encryption=scram-sha-256', 'postgres'];
  const child = spawn(path.join(runner.bin, 'postgres'), args, { ...options, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(`alter role ${SUPERUSER} password '${password}'\n`);
  const code = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  // Its log quotes a statement that failed, and the statement is the password.
  const failure = /(?:ERROR|FATAL|PANIC):.*/.exec(said)?.[0].replaceAll(password, '***');
  if (code !== 0 || failure) throw new Error(failure ?? `the password could not be set (code ${code})`);
}

/** Whole or not at all. The server may read it; the folder keeps all others out. */
function writeRules(hba: string): void {
  const fresh = `${hba}.new`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, HBA, { mode: 0o644, flag: 'wx' });
  renameSync(fresh, hba);
}
