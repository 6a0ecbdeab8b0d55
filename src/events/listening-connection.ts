/**
 * The connection to PostgreSQL on which a process listens and holds the lock that proves that it lives. It is replaced when it is
 * lost. Only one reconnect runs at a time, because parallel ones would leave several listeners behind.
 */
import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SECOND_MS } from '../kernel/clock.ts';
import { SessionClient } from '../kernel/session-client.ts';
import { holdLock, LOCK_CLASSES } from '../kernel/session-locks.ts';

const RECONNECT_MS = 250;
/** How often the connection is pinged. If one ping has no answer when the next is due, notifications may be missing. */
const PING_MS = SECOND_MS;
/** A connection that answers nothing for this long is replaced. */
const SILENT_MS = 5 * SECOND_MS;

/** What is listened to, and who is called. */
export interface ListeningOptions {
  /** Address of PostgreSQL itself, not of a pooler. */
  url: string;
  /** Channels of LISTEN; none where a broker carries the notifications. */
  channels: readonly string[];
  onMessage(channel: string, payload: string | undefined): void;
  /** The connection stopped answering: notifications may have been missed, and may be missed from now on. */
  onSilent(): void;
  /** A lost connection was replaced. */
  onReconnect(): void;
}

export class ListeningConnection {
  readonly #options: ListeningOptions;
  readonly #lockId = randomInt(1, 2_147_483_647);
  #client: SessionClient | undefined;
  #isAnswering = false;
  #isClosed = false;
  #connecting: Promise<void> | undefined;

  constructor(options: ListeningOptions) {
    this.#options = options;
  }

  /** The lock that this process holds (kernel/session-locks.ts); null while the connection is lost. */
  get lockId(): number | null {
    return this.#client ? this.#lockId : null;
  }

  /** False while the connection is silent or lost. */
  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Resolves once it is connected; tries again until it is, or closed. */
  async connect(): Promise<void> {
    while (!this.#isClosed) {
      const client = await this.#open();
      if (!client) {
        await pause(RECONNECT_MS);
        continue;
      }
      client.on('notification', ({ channel, payload }) => this.#options.onMessage(channel, payload));
      client.once('end', () => void this.#reconnect(client));
      this.#client = client;
      this.#isAnswering = true;
      this.#ping(client);
      return;
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#client?.end().catch(() => {});
    await this.#connecting;
  }

  /** A connection that listens and holds the lock; undefined where that failed. */
  async #open(): Promise<SessionClient | undefined> {
    const client = new SessionClient({ url: this.#options.url, waitMs: SILENT_MS });
    try {
      await client.connect();
      await holdLock(client, LOCK_CLASSES.web, this.#lockId);
      for (const channel of this.#options.channels) await client.query(`listen ${channel}`);
      if (this.#isClosed) throw new Error('Closed while it connected.');
      return client;
    } catch {
      client.drop();
      return undefined;
    }
  }

  /** Pings a connection until it ends: it may be dead for minutes before TCP reports that. */
  #ping(client: SessionClient): void {
    let isWaiting = false;
    const ping = (): void => {
      // An answer may have arrived that this process was too busy to read: it is read before `setImmediate` calls back.
      if (isWaiting) return void setImmediate(() => isWaiting && this.#onSilent());
      isWaiting = true;
      // PostgreSQL answers an empty statement too, after all notifications that came before it.
      client.query('').then(
        () => {
          isWaiting = false;
          if (this.#client === client) this.#isAnswering = true;
        },
        () => client.drop(),
      );
    };
    const timer = setInterval(ping, PING_MS).unref();
    client.once('end', () => clearInterval(timer));
  }

  #onSilent(): void {
    if (!this.#isAnswering) return;
    this.#isAnswering = false;
    this.#options.onSilent();
  }

  async #reconnect(lost: SessionClient): Promise<void> {
    if (this.#isClosed || this.#client !== lost) return;
    this.#client = undefined;
    this.#onSilent();
    this.#connecting ??= this.connect().finally(() => {
      this.#connecting = undefined;
    });
    await this.#connecting;
    if (!this.#isClosed) this.#options.onReconnect();
  }
}
