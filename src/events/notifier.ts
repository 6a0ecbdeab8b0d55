/**
 * Notifications between the processes of one instance, by PostgreSQL LISTEN/NOTIFY or by a broker (`broker.ts`). They only
 * say that something changed: listeners read the tables, and make up for lost notifications by polling. Each process has one
 * listening connection (`listening-connection.ts`).
 */
import { SECOND_MS } from '../kernel/clock.ts';
import type { Database, Notification } from '../kernel/database.ts';
import { currentSpan } from '../kernel/work-account.ts';
import type { Broker } from './broker.ts';
import { Listeners } from './listeners.ts';
import { ListeningConnection } from './listening-connection.ts';

/**
 * What a payload holds, by channel:
 * - `turn`: "conversationId version"; sent by the committing connection (`NOTIFY_TURN`) also the owner's id and, where the
 *   change is traced, its `traceparent`.
 * - `account`: a user's id, one of whose videos, images, gifts and so on has ended.
 * - `revoked`: "kind id" of what lost its access.
 * - `avatar`: an avatar's id.
 * - `image`: the id of an image request that has ended.
 * - `draft`: "conversationId turnId text", the text of a reply so far. It is in no table: a listener that misses it waits for the
 *   next draft, or for the turn.
 * - `call`: a tool call that its caller has cancelled.
 */
const CHANNELS = ['turn', 'account', 'revoked', 'avatar', 'image', 'draft', 'call'] as const;

/** One kind of notification. */
export type Channel = (typeof CHANNELS)[number];

/** PostgreSQL refuses a payload of 8 000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_999;

/** Notifies every process of the present version of conversation $1, on the connection that changed it; $2 is appended to the payload. */
export const NOTIFY_TURN = `select 'avatar_turn' as channel, id || ' ' || version || ' ' || owner_user_id || $2 as payload from conversation where id = $1`;

/** What follows the owner in a notification of `turn`: the `traceparent` of the span under way, where there is one. */
export function traceSuffix(): string {
  const span = currentSpan();
  return span ? ` ${span.traceparent}` : '';
}

const PREFIX = 'avatar_';
/** How long a cache may keep what it read while no notification of a change comes: PostgreSQL loses none unless the connection is lost. */
const LISTENED_MS = 5 * SECOND_MS;
/** The same where notifications may be lost unnoticed: with a broker, or on a connection that does not answer. */
const UNSURE_MS = SECOND_MS;

/** Notifies every process of a change. A notification may be lost. */
export interface Notifier {
  /** Notifies every process, this one included. Call it after the transaction has committed. Never throws. */
  emit(channel: Channel, payload: string): void;
  /** Notifies this process only; the others are notified by the connection that committed (NOTIFY_TURN). */
  emitLocal(channel: Channel, payload: string): void;
  on(channel: Channel, listener: (payload: string) => void): () => void;
  /** Calls back when a lost connection is back: listeners must read what they missed. */
  onReconnect(listener: () => void): () => void;
  /** Calls back whenever notifications may have been missed (the connection is silent, lost, or back), so that caches are emptied. */
  onMissed(listener: () => void): () => void;
  /** How long a cache may keep what it read, milliseconds: the notification of a change may be lost. */
  readonly keepMs: number;
  /** A broker is configured and cannot be reached: changes are noticed by polling, up to a second late. */
  readonly isAway: boolean;
  /** The lock by which other processes know that this one lives (src/kernel/session-locks.ts); null while it is not held. */
  readonly lockId: number | null;
  close(): Promise<void>;
}

/** How notifications are carried, and whether they are received. */
export interface NotifierOptions {
  /** False in a process that only sends: each notification wakes every listener, and a worker needs none. */
  listens?: boolean | undefined;
  /** Carries the notifications instead of PostgreSQL. */
  broker?: Broker | undefined;
}

/** Starts listening; resolves when the first connection is open. */
export async function openNotifier(
  db: Pick<Database, 'notify'>,
  url: string,
  { listens = true, broker }: NotifierOptions,
): Promise<Notifier> {
  const listeners = new Map(CHANNELS.map((channel) => [channel, new Listeners<[payload: string]>()]));
  const missed = new Listeners<[]>();
  const reconnected = new Listeners<[]>();
  /** Notifications of the same turn of the event loop, each once. */
  const pending = new Map<string, Notification>();

  const onMessage = (channel: string, payload = ''): void =>
    listeners.get(channel.replace(PREFIX, '') as Channel)?.call(payload);
  const onReconnect = (): void => {
    missed.call();
    reconnected.call();
  };
  const connection = new ListeningConnection({
    url,
    channels: broker ? [] : CHANNELS.map((channel) => `${PREFIX}${channel}`),
    onMessage,
    onSilent: () => missed.call(),
    onReconnect,
  });
  const emitLocal: Notifier['emitLocal'] = (channel, payload) => listeners.get(channel)?.call(payload);

  /** Sends all pending notifications in one statement: a burst of commits costs one round trip. */
  function flush(): void {
    const notifications = [...pending.values()];
    pending.clear();
    db.notify(notifications).catch(() => {});
  }

  if (listens) {
    broker?.on(onMessage);
    broker?.onReconnect(onReconnect);
    await connection.connect();
  }
  return {
    get lockId() {
      return connection.lockId;
    },
    get isAway() {
      return broker?.isAway ?? false;
    },
    get keepMs() {
      return connection.isAnswering && !broker ? LISTENED_MS : UNSURE_MS;
    },
    emitLocal,
    emit(channel, payload) {
      // At once, so that the caller sees its own change without waiting for the database.
      emitLocal(channel, payload);
      if (pending.size === 0) setImmediate(flush);
      pending.set(`${channel} ${payload}`, { channel: `${PREFIX}${channel}`, payload });
    },
    on: (channel, listener) => listeners.get(channel)?.add(listener) ?? (() => {}),
    onReconnect: (listener) => reconnected.add(listener),
    onMissed: (listener) => missed.add(listener),
    close: () => connection.close(),
  };
}
