/**
 * Notifications between the processes of one instance, by PostgreSQL LISTEN/NOTIFY. A notification is only a notification: whoever listens
 * reads the truth from the tables, and a lost one is covered by the reader's own sweep. One dedicated listening
 * connection per process; reconnecting is single-flight, because a naive retry leaves several listeners behind.
 */
import pg from 'pg';
import type { Database } from '../kernel/database.ts';

/**
 * `turn`: "conversationId version". `revoked`: "kind id", where kind is what lost its access. `avatar`: an id. `image`: the
 * id of a request that has ended. `draft`: "conversationId turnId text", the words of a reply so far: the one thing that is
 * in no table, so whoever misses it waits for the next one, or for the turn.
 */
export type Channel = 'turn' | 'revoked' | 'avatar' | 'image' | 'draft';

/** PostgreSQL refuses a payload of 8 000 bytes. */
export const MAX_PAYLOAD_BYTES = 7_999;

/** Tells the present version of conversation $1 to every process, from the connection that changed it. */
export const NOTIFY_TURN = `select pg_notify('avatar_turn', id || ' ' || version) from conversation where id = $1`;

const CHANNELS: Channel[] = ['turn', 'revoked', 'avatar', 'image', 'draft'];
const RECONNECT_MS = 250;

/** Tells every process of a change by PostgreSQL's NOTIFY. A notification may be lost. */
export interface Notifier {
  /** Tells every process, this one included, after the caller's transaction has committed. Never throws. */
  emit(channel: Channel, payload: string): void;
  /** Tells this process alone, where the others are told from the connection that committed (NOTIFY_TURN). */
  emitLocal(channel: Channel, payload: string): void;
  on(channel: Channel, listener: (payload: string) => void): () => void;
  /** Called after the connection was lost and is back: whatever was missed must be read again. */
  onReconnect(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * Starts listening; resolves once the first connection stands. Without `listens` the process only tells: each notification wakes
 * every listener, and one that only works has no use for any.
 */
export async function openNotifier(db: Pick<Database, 'pool'>, url: string, listens = true): Promise<Notifier> {
  const listeners: Record<Channel, Set<(payload: string) => void>> = {
    turn: new Set(),
    revoked: new Set(),
    avatar: new Set(),
    image: new Set(),
    draft: new Set(),
  };
  const onBack = new Set<() => void>();
  const pending: Record<Channel, Set<string>> = {
    turn: new Set(),
    revoked: new Set(),
    avatar: new Set(),
    image: new Set(),
    draft: new Set(),
  };
  let client: pg.Client | undefined;
  let closed = false;
  let connecting: Promise<void> | undefined;

  async function connect(): Promise<void> {
    while (!closed) {
      const next = new pg.Client({ connectionString: url, keepAlive: true });
      next.on('error', () => {});
      try {
        await next.connect();
        for (const channel of CHANNELS) await next.query(`listen avatar_${channel}`);
        if (closed) throw new Error('Closed while it connected.');
      } catch {
        await next.end().catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
        continue;
      }
      next.on('notification', ({ channel, payload }) => {
        const name = channel.replace('avatar_', '') as Channel;
        for (const listener of listeners[name] ?? []) listener(payload ?? '');
      });
      next.once('end', () => void reconnect(next));
      client = next;
      return;
    }
  }

  async function reconnect(lost: pg.Client): Promise<void> {
    if (closed || client !== lost) return;
    client = undefined;
    connecting ??= connect().finally(() => {
      connecting = undefined;
    });
    await connecting;
    if (!closed) for (const listener of onBack) listener();
  }

  /** Sends what has gathered in one statement: a burst of commits costs one round trip. */
  function flush(channel: Channel): void {
    const payloads = [...pending[channel]];
    pending[channel].clear();
    db.pool.query(`select pg_notify('avatar_${channel}', p) from unnest($1::text[]) as p`, [payloads]).catch(() => {});
  }

  function emitLocal(channel: Channel, payload: string): void {
    for (const listener of listeners[channel]) listener(payload);
  }

  if (listens) await connect();
  return {
    emitLocal,
    emit(channel, payload) {
      // Who just changed or took back something finds it so: this process does not wait for the database to tell it.
      emitLocal(channel, payload);
      if (pending[channel].size === 0) setImmediate(() => flush(channel));
      pending[channel].add(payload);
    },
    on(channel, listener) {
      listeners[channel].add(listener);
      return () => void listeners[channel].delete(listener);
    },
    onReconnect(listener) {
      onBack.add(listener);
      return () => void onBack.delete(listener);
    },
    async close() {
      closed = true;
      await client?.end().catch(() => {});
      await connecting;
    },
  };
}
