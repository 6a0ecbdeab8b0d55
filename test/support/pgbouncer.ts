/** Debian's PgBouncer in transaction mode before a test's database; undefined on a machine that has none. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { freePort, isInstalled } from './machine.ts';
import { until } from './until.ts';

export interface Pooler {
  /** The same database through the pooler. */
  url: string;
  close(): Promise<void>;
}

export const hasPgBouncer = isInstalled('pgbouncer');

/** The settings that docker-compose runs it with, on this machine: other addresses, nothing set for a connection, and what Debian's of 1.18 does not know left out. */
function settingsOf(composed: string, replaced: Record<string, string>): string {
  const lines = composed.split('\n').map((line) => {
    const [name = ''] = line.split(' = ');
    return name in replaced ? `${name} = ${replaced[name]}` : line;
  });
  return lines.filter((line) => !line.startsWith('max_prepared_statements')).join('\n');
}

/** @param connections of the pooler to the database, which all clients share */
export async function openPgBouncer(databaseUrl: string, connections: number): Promise<Pooler> {
  const url = new URL(databaseUrl);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pgbouncer-'));
  const port = await freePort();
  const { hostname, port: of, username, password, pathname } = url;
  const users = path.join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const { services } = parse(await readFile('deploy/compose/pgbouncer.yaml', 'utf8'));
  const settings = settingsOf(services.pgbouncer.environment.SETTINGS, {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    auth_file: users,
    default_pool_size: String(connections),
    avatars: `host=${hostname} port=${of} dbname=${pathname.slice(1)}`,
  });
  const file = path.join(folder, 'pgbouncer.ini');
  await writeFile(file, settings);
  await chmod(folder, 0o755);
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, file], { stdio: 'ignore' });
  await until(() => answers(port));
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.pathname = '/avatars';
  return {
    url: url.href,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
