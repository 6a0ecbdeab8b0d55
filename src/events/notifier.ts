/**
 * Notifications between the processes of one instance, by PostgreSQL LISTEN/NOTIFY or by a broker (`broker.ts`). They only
 * say that something changed: listeners read the tables, and their own sweep makes up for lost ones. Each process has one
 * listening connection; only one reconnect runs at a time, because parallel ones would leave several listeners behind.
 */
import { randomInt } from 'node:crypto';
import { SECOND_MS } from '../kernel/clock.ts';
import type { Database, Notification } from '../kernel/database.ts';
import { SessionClient } from '../kernel/session-client.ts';
import { holdLock, LOCK_CLASSES } from '../kernel/session-locks.ts';
import { currentSpan } from '../kernel/work-account.ts';
import type { Broker } from './broker.ts';

/**
 * `turn`: "conversationId version", from the connection that committed with the owner's id behind; then the `traceparent` of
 * what changed it, where that is traced. `account`: the id of a
 * user of whose something ended. `revoked`: "kind id", where kind is what lost its access. `avatar`: an id. `image`: the
 * id of a request that has ended. `draft`: "conversationId turnId text", the text of a reply so far, which is in no table:
 * a listener that misses it waits for the next one, or for the turn. `call`: a tool's call whose caller has given it up.
 */
export type Channel = 'turn' | 'account' | 'revoked' | 'avatar' | 'image' | 'draft' | 'call';

/** PostgreSQL refuses a payload of 8 000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_999;

/** Notifies every process of the present version of conversation $1, on the connection that changed it; $2 is appended to the payload. */
export const NOTIFY_TURN = `select 'avatar_turn' as channel, id || ' ' || version || ' ' || owner_user_id || $2 as payload from conversation where id = $1`;

/** What follows the owner in a notification of `turn`: the `traceparent` of the span under way, where there is one. */
export function traceSuffix(): string {
  const span = currentSpan();
  return span ? ` ${span.traceparent}` : '';
}

const CHANNELS: Channel[] = ['turn', 'account', 'revoked', 'avatar', 'image', 'draft', 'call'];
const PREFIX = 'avatar_';
const RECONNECT_MS = 250;
/** How often the listening connection is asked for a sign of life: one that has not answered when the next is due may have lost any. */
const PING_MS = SECOND_MS;
/** One that is silent for so long is replaced. */
const SILENT_MS = 5 * SECOND_MS;

/** How long something read is believed without a notification that it changed: PostgreSQL loses them with its connection alone. */
const LISTENED_MS = 5 * SECOND_MS;
/** The same where it may be lost already: a broker, before it is noticed, or a connection that is silent. */
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
  /** Calls back whenever notifications may have been missed: the connection is silent, lost, or back. What is kept is to be forgotten. */
  onMissed(listener: () => void): () => void;
  /** How long what was read may be kept at most, milliseconds: a notification that it changed may be lost. */
  readonly keepMs: number;
  /** There is a broker, and it does not answer: every change is noticed, up to a second late. */
  readonly isAway: boolean;
  /** The lock by which other processes know that this one lives (src/kernel/session-locks.ts); null while it is not held. */
  readonly lockId: number | null;
  close(): Promise<void>;
}

/** By which way, and which way round. */
export interface NotifierOptions {
  /** False in a process that only sends: each notification wakes every listener, and a worker needs none. */
  listens?: boolean | undefined;
  /** Instead of PostgreSQL. */
  broker?: Broker | undefined;
}

/** Starts listening; resolves when the first connection is open. */
export async function openNotifier(
  db: Pick<Database, 'notify'>,
  url: string,
  { listens = true, broker }: NotifierOptions,
): Promise<Notifier> {
  const listeners: Record<Channel, Set<(payload: string) => void>> = {
    turn: new Set(),
    account: new Set(),
    revoked: new Set(),
    avatar: new Set(),
    image: new Set(),
    draft: new Set(),
    call: new Set(),
  };
  const onBack = new Set<() => void>();
  const onMissed = new Set<() => void>();
  const pending = new Map<string, Notification>();
  const lockId = randomInt(1, 2_147_483_647);
  let client: SessionClient | undefined;
  let isHeard = false;
  let closed = false;
  let connecting: Promise<void> | undefined;

  async function connect(): Promise<void> {
    while (!closed) {
      const next = new SessionClient({ url, waitMs: SILENT_MS });
      try {
        await next.connect();
        await holdLock(next, LOCK_CLASSES.web, lockId);
        if (!broker) for (const channel of CHANNELS) await next.query(`listen ${PREFIX}${channel}`);
        if (closed) throw new Error('Closed while it connected.');
      } catch {
        next.drop();
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
        continue;
      }
      next.on('notification', ({ channel, payload }) => onMessage(channel, payload));
      next.once('end', () => void reconnect(next));
      client = next;
      isHeard = true;
      watch(next);
      return;
    }
  }

  /** Asks for signs of life: a connection may be dead for minutes before TCP says so. */
  function watch(line: SessionClient): void {
    let isAsked = false;
    const ask = (): void => {
      // An answer that is here, and that this process was too busy to read, is not missing.
      if (isAsked) return void setImmediate(() => isAsked && lose());
      isAsked = true;
      // An empty statement is answered too, behind all notifications of before.
      line.query('').then(
        () => {
          isAsked = false;
          if (client === line) isHeard = true;
        },
        () => line.drop(),
      );
    };
    const timer = setInterval(ask, PING_MS);
    timer.unref();
    line.once('end', () => clearInterval(timer));
  }

  function lose(): void {
    if (!isHeard) return;
    isHeard = false;
    for (const listener of onMissed) listener();
  }

  async function reconnect(lost: SessionClient): Promise<void> {
    if (closed || client !== lost) return;
    client = undefined;
    lose();
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    await connecting;
    if (!closed) back();
  }

  function back(): void {
    for (const listener of [...onMissed, ...onBack]) listener();
  }

  function onMessage(channel: string, payload = ''): void {
    const name = channel.replace(PREFIX, '') as Channel;
    for (const listener of listeners[name] ?? []) listener(payload);
  }

  /** Sends all collected notifications in one statement: a burst of commits costs one round trip. */
  function flush(): void {
    const notifications = [...pending.values()];
    pending.clear();
    db.notify(notifications).catch(() => {});
  }

  function emitLocal(channel: Channel, payload: string): void {
    for (const listener of listeners[channel]) listener(payload);
  }

  if (listens) {
    broker?.on(onMessage);
    broker?.onBack(back);
    await connect();
  }
  return {
    get lockId() {
      return client ? lockId : null;
    },
    get isAway() {
      return broker?.isAway ?? false;
    },
    get keepMs() {
      return isHeard && !broker ? LISTENED_MS : UNSURE_MS;
    },
    emitLocal,
    emit(channel, payload) {
      // At once, so that the caller sees its own change without waiting for the database.
      emitLocal(channel, payload);
      if (pending.size === 0) setImmediate(flush);
      pending.set(`${channel} ${payload}`, { channel: `${PREFIX}${channel}`, payload });
    },
    on(channel, listener) {
      listeners[channel].add(listener);
      return () => void listeners[channel].delete(listener);
    },
    onReconnect(listener) {
      onBack.add(listener);
      return () => void onBack.delete(listener);
    },
    onMissed(listener) {
      onMissed.add(listener);
      return () => void onMissed.delete(listener);
    },
    async close() {
      closed = true;
      await client?.end().catch(() => {});
      await connecting;
    },
  };
}
