/** A connection to the database that breaks once: when the answer to a certain commit comes. */
import net from 'node:net';

export interface BrokenConnection {
  /** Connects through it. */
  url: string;
  /** Commits whose answers were swallowed. */
  lost: number;
  close(): void;
}

/**
 * Swallows the answer to the commit behind the first statement that holds `marker`, calls `onLost`, and closes that
 * connection. A text is only sent when it is prepared: the marker is seen once a connection.
 */
export async function openBrokenConnection(
  databaseUrl: string,
  marker: string,
  onLost: () => void = () => {},
): Promise<BrokenConnection> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const open = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const database = net.connect(Number(port), hostname);
    let isMarked = false;
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        client.destroy();
        database.destroy();
      });
    }
    client.on('data', (bytes) => {
      isMarked ||= bytes.includes(marker);
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (isMarked && broken.lost === 0 && bytes.includes('COMMIT\0')) {
        broken.lost += 1;
        onLost();
        client.destroy();
      } else client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as net.AddressInfo).port);
  const broken: BrokenConnection = {
    url: url.href,
    lost: 0,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return broken;
}
