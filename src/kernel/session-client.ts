/**
 * A connection to PostgreSQL of one's own, for what lasts as long as it: locks, `listen`. It can be dropped at once: `end`
 * waits for the other side, which may have been silent for long. So it has a socket that is known here; where the address asks for
 * TLS, `pg` speaks it over this socket.
 */
import { Socket } from 'node:net';
import pg from 'pg';

/** How a session reaches PostgreSQL. */
export interface SessionOptions {
  /** Address of PostgreSQL itself: a pooler gives a connection to one transaction at a time. */
  url: string;
  /** How long the connection, and each statement, is waited for. */
  waitMs: number;
}

/** One session; its `end` says that it is lost, whichever side ended it. */
export class SessionClient extends pg.Client {
  readonly #socket: Socket;

  constructor({ url, waitMs }: SessionOptions) {
    const socket = new Socket();
    super({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: waitMs,
      query_timeout: waitMs,
      stream: () => socket,
    });
    this.#socket = socket;
    // The statement under way rejects, and `end` follows.
    this.on('error', () => {});
  }

  /** Ends it without waiting for the other side; what is under way rejects. */
  drop(): void {
    this.#socket.destroy();
  }
}
