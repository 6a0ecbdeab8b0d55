/** A line to the database that a test cuts, freezes and mends: the database is away, or says nothing. */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';

export interface DatabaseLine {
  /** Connects through the line. */
  url: string;
  /** Connections that were made to it so far. */
  readonly connections: number;
  /** Ends what is connected and refuses what comes. */
  cut(): void;
  /** Takes what comes and answers nothing any more. */
  freeze(): void;
  /** Answers what is connected nothing any more, nor says that the other side has ended; lets through what comes. */
  freezeOpen(): void;
  /** Lets through what comes from now on; what was frozen goes on. */
  mend(): void;
  close(): void;
}

/** Key and certificate of this machine, signed by itself, which the address of a TLS line trusts alone. */
const CERTIFICATE = fileURLToPath(new URL('../fixtures/localhost.pem', import.meta.url));

/** @param isTls takes connections over TLS alone, as PostgreSQL does with `hostssl` */
export async function openDatabaseLine(databaseUrl: string, { isTls = false } = {}): Promise<DatabaseLine> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  if (isTls) {
    url.searchParams.set('sslmode', 'verify-full');
    url.searchParams.set('sslrootcert', CERTIFICATE);
  }
  const open = new Set<net.Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';
  let connections = 0;
  const server = net.createServer(async (caller) => {
    connections += 1;
    if (state === 'cut') return void caller.destroy();
    const client = isTls ? await upgrade(caller) : caller;
    const database = net.connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => other.write(bytes));
      socket.on('close', () => {
        other.destroy();
        open.delete(socket);
      });
      if (state === 'frozen') socket.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  const cut = (): void => {
    state = 'cut';
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href,
    get connections() {
      return connections;
    },
    cut,
    freeze() {
      state = 'frozen';
      for (const socket of open) socket.pause();
    },
    freezeOpen() {
      for (const socket of open) socket.pause();
    },
    mend() {
      state = 'open';
      for (const socket of open) socket.resume();
    },
    close() {
      cut();
      server.close();
    },
  };
}

/** What follows PostgreSQL's request for TLS, eight bytes. */
async function upgrade(caller: net.Socket): Promise<tls.TLSSocket> {
  caller.on('error', () => {});
  await new Promise((resolve) => caller.once('data', resolve));
  caller.write('S');
  const pem = readFileSync(CERTIFICATE);
  return new tls.TLSSocket(caller, { isServer: true, key: pem, cert: pem });
}
