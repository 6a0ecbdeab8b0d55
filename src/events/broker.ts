/**
 * A message broker beside the database, which carries notifications between processes where PostgreSQL's NOTIFY is the limit:
 * commits that notify wait there for one lock. Redis (pub/sub) or NATS, by the scheme of the address. It carries notifications alone:
 * while it is away they are lost, and each process finds the changes in the tables within a second.
 */
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Database, Notification } from '../kernel/database.ts';
import { one } from '../kernel/named-statements.ts';
import { onDemand } from '../kernel/on-demand.ts';
import { preparedOver } from '../kernel/prepared.ts';
import { countNotifications, setBrokerAway } from '../kernel/work-metrics.ts';
import { Listeners } from './listeners.ts';

const ioredis = onDemand<typeof import('ioredis')>('ioredis');
const nats = onDemand<typeof import('@nats-io/transport-node')>('@nats-io/transport-node');

const RECONNECT_MS = 250;
/** How often a broker is asked for a sign of life, and how long it may take for one. */
const PING_MS = 1_000;
const ANSWER_MS = 2_000;
/** How long connecting and subscribing may take together: some brokers accept connections and then say nothing. */
const CONNECT_MS = 5_000;

/** Called with each notification that comes: its channel and its text. */
type Listener = (channel: string, payload: string) => void;

/** A connection to the broker that is made again whenever it was lost. */
export interface Broker {
  /** Sends to every process that listens, this one included; drops what it cannot send. Never throws. */
  publish(notifications: readonly Notification[]): void;
  on(listener: Listener): () => void;
  /** Calls back when a lost connection is back. */
  onReconnect(listener: () => void): () => void;
  /** True while the connection is lost: nothing is sent or received. */
  readonly isAway: boolean;
  close(): Promise<void>;
}

/** One connection, open and subscribed. */
interface Connection {
  send(channel: string, payload: string): void;
  ping(): Promise<unknown>;
  /** Resolves when it is lost or was closed. */
  ended: Promise<unknown>;
  close(): void;
}

/**
 * Connects and subscribes to all channels of a topic; rejects where that does not work within `CONNECT_MS`, or at once when the
 * signal aborts, and then leaves nothing open. Without `onMessage` it only sends.
 */
type Connect = (
  url: string,
  topic: string,
  onMessage: Listener | undefined,
  signal: AbortSignal | undefined,
) => Promise<Connection>;

const connectRedis: Connect = async (url, topic, onMessage, signal) => {
  const { Redis } = ioredis();
  const options = { lazyConnect: true, enableOfflineQueue: false, maxRetriesPerRequest: 0, connectTimeout: ANSWER_MS };
  const open = () => new Redis(url, { ...options, retryStrategy: () => null }).on('error', () => {});
  // A connection that is subscribed cannot send.
  const sending = open();
  const hearing = onMessage && open();
  const both = hearing ? [sending, hearing] : [sending];
  const closed = Promise.withResolvers<void>();
  const ended = Promise.race([
    closed.promise,
    ...both.map((one) => new Promise((resolve) => one.once('end', resolve))),
  ]);
  const close = (): void => {
    // `quit` would wait for the server's answer.
    for (const one of both) one.disconnect();
    closed.resolve();
  };
  const subscribed = async (): Promise<void> => {
    await Promise.all(both.map((one) => one.connect()));
    hearing?.on('pmessage', (_pattern, channel, payload) => onMessage?.(channel.slice(topic.length + 1), payload));
    await hearing?.psubscribe(`${topic}.*`);
  };
  try {
    await withinTime(subscribed(), CONNECT_MS, signal);
  } catch (error) {
    close();
    throw error;
  }
  return {
    send: (channel, payload) => void sending.publish(`${topic}.${channel}`, payload).catch(() => {}),
    ping: () => Promise.all(both.map((one) => one.ping())),
    ended,
    close,
  };
};

const connectNats: Connect = async (url, topic, onMessage, signal) => {
  const { protocol, host, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const connecting = nats().connect({
    servers: host,
    name: 'avatar-platform',
    reconnect: false,
    timeout: ANSWER_MS,
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    // An address with a single word before the @ carries a token.
    ...(user && pass ? { user, pass } : user ? { token: user } : {}),
  });
  const connection = await withinTime(connecting, CONNECT_MS, signal).catch((error) => {
    void connecting.then((late) => late.close()).catch(() => {});
    throw error;
  });
  const refused = Promise.withResolvers<never>();
  refused.promise.catch(() => {});
  if (onMessage) {
    // A server that does not allow the subscription says so here, and answers everything else.
    const callback = (error: Error | null, message: { subject: string; string(): string }): void =>
      error ? refused.reject(error) : onMessage(message.subject.slice(topic.length + 1), message.string());
    connection.subscribe(`${topic}.*`, { callback });
  }
  const closed = Promise.withResolvers<void>();
  const close = (): void => {
    void connection.close().catch(() => {});
    closed.resolve();
  };
  try {
    // Answered once the server has the subscription.
    await withinTime(Promise.race([refused.promise, connection.flush()]), ANSWER_MS, signal);
  } catch (error) {
    close();
    throw error;
  }
  return {
    send(channel, payload) {
      if (!connection.isClosed()) connection.publish(`${topic}.${channel}`, payload);
    },
    ping: () => connection.flush(),
    ended: Promise.race([closed.promise, connection.closed()]),
    close,
  };
};

const connectorOf = (url: string): Connect => (/^rediss?:/.test(url) ? connectRedis : connectNats);

/** Rejects where the broker takes longer, or when the signal aborts. */
async function withinTime<T>(answer: Promise<T>, ms = ANSWER_MS, signal?: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>();
  const refuse = (): void => late.reject(new Error('The broker does not answer.'));
  const timer = setTimeout(refuse, ms);
  signal?.addEventListener('abort', refuse);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', refuse);
  }
}

/**
 * Subscribes to a broker and pings it, once. Resolves with '' (a broker has no version to show); rejects with the reason when it
 * does not answer, or does not let this user hear.
 */
export async function pingBroker(url: string): Promise<string> {
  const connection = await connectorOf(url)(url, 'avatar.doctor', () => {}, undefined);
  try {
    await withinTime(connection.ping());
    return '';
  } finally {
    connection.close();
  }
}

const databaseItself = preparedOver<{ c: { system_identifier: string } }>()((tables, _given: object) =>
  tables
    .selectFrom(sql<{ system_identifier: string }>`pg_control_system()`.as('c'))
    .select(sql<string>`md5(c.system_identifier || ' ' || current_database())`.as('id')),
);

/**
 * The prefix of an instance's channels. It is made from the database, so that all processes of an instance have the same one. A
 * physical copy of the database has it too: an instance on a copy needs a broker of its own.
 */
export const topicOf = async (db: Pick<Database, 'rows'>): Promise<string> =>
  `avatar.${one(await databaseItself(db, {})).id}`;

/** How a process reaches the broker. */
export interface BrokerOptions {
  url: string;
  /** See `topicOf`: instances may share a broker. */
  topic: string;
  /** False in a process that only sends. */
  hears: boolean;
  log: Pick<Logger, 'warn' | 'info'>;
}

/** Connects; resolves after the first attempt, whether or not it worked. */
export async function openBroker(options: BrokerOptions): Promise<Broker> {
  const broker = new ReconnectingBroker(options);
  await broker.tried;
  return broker;
}

/** Holds one connection at a time, and makes the next one when it was lost. */
class ReconnectingBroker implements Broker {
  readonly #options: BrokerOptions;
  readonly #listeners = new Listeners<[channel: string, payload: string]>();
  readonly #reconnected = new Listeners<[]>();
  readonly #tried = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  #connection: Connection | undefined;
  /** A lost connection was logged, and is not back yet. */
  #isLost = false;
  #endPause: (() => void) | undefined;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** Resolves after the first attempt to connect. */
  get tried(): Promise<void> {
    return this.#tried.promise;
  }

  get isAway(): boolean {
    return this.#connection === undefined;
  }

  publish(notifications: readonly Notification[]): void {
    const open = this.#connection;
    countNotifications(open ? 'sent' : 'unsent', notifications.length);
    if (open) for (const { channel, payload } of notifications) open.send(channel, payload);
  }

  on(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  onReconnect(listener: () => void): () => void {
    return this.#reconnected.add(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#connection?.close();
    this.#endPause?.();
    await this.#running;
  }

  /** Connects, and connects again whenever the connection was lost, until `close` is called. */
  async #run(): Promise<void> {
    const { url, topic, hears } = this.#options;
    const { signal } = this.#closing;
    const onMessage: Listener = (channel, payload) => {
      countNotifications('heard');
      this.#listeners.call(channel, payload);
    };
    while (!signal.aborted) {
      try {
        const open = await connectorOf(url)(url, topic, hears ? onMessage : undefined, signal);
        if (signal.aborted) return open.close();
        this.#onOpen(open);
        await pingUntilEnd(open);
        this.#onLost(new Error('The connection ended.'));
      } catch (error) {
        this.#onLost(error);
      } finally {
        this.#tried.resolve();
      }
      if (!signal.aborted) await this.#pause();
    }
  }

  #onOpen(open: Connection): void {
    this.#connection = open;
    this.#tried.resolve();
    setBrokerAway(false);
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#options.log.info('notifications back');
    this.#reconnected.call();
  }

  #onLost(error: unknown): void {
    this.#connection = undefined;
    setBrokerAway(true);
    // Logged once, not with each attempt to connect again.
    if (!this.#isLost && !this.#closing.signal.aborted) this.#options.log.warn({ err: error }, 'notifications lost');
    this.#isLost = true;
  }

  /** Waits before the next attempt to connect; `close` ends the wait. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#endPause = resolve;
      setTimeout(resolve, RECONNECT_MS);
    });
  }
}

/** Resolves when the connection has ended; closes one that answers no ping in time. */
async function pingUntilEnd(open: Connection): Promise<void> {
  const timer = setInterval(() => void withinTime(open.ping()).catch(() => open.close()), PING_MS);
  try {
    await open.ended;
  } finally {
    clearInterval(timer);
  }
}
