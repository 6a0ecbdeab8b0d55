/**
 * Calls of tools that wait, by their client's own number. A client of the revisions with a handshake says by a message of its own
 * that it has given a call up, which may come to another process than the call. It is known by the number that it was given at its
 * handshake (`Mcp-Session-Id`) and sends with every message since: nothing is kept of that, so no process need have given it.
 */
import { randomUUID } from 'node:crypto';
import type { Notifier } from '../events/notifier.ts';
import { sha256 } from '../kernel/ids.ts';

/** Where a client's number stands, in the answer to its handshake and in what it sends. */
export const CLIENT_HEADER = 'mcp-session-id';

/** Whose message it is. */
export interface Sender {
  userId: string;
  /** Undefined of a client that sends none: its calls cannot be distinguished from those of another one. */
  client: string | undefined;
}

interface Message {
  id?: unknown;
  method?: unknown;
  params?: unknown;
}

/** The calls of this process whose callers wait. */
export class OpenCalls {
  readonly #notifier: Pick<Notifier, 'emit'>;
  readonly #ends = new Map<string, () => void>();

  constructor(notifier: Pick<Notifier, 'emit' | 'on'>) {
    this.#notifier = notifier;
    notifier.on('call', (key) => this.#ends.get(key)?.());
  }

  /** A session id for a client that begins a handshake; undefined for every other message. */
  newSessionId({ method }: Message): string | undefined {
    return method === 'initialize' ? randomUUID() : undefined;
  }

  /** Calls back when the call of this message is cancelled; the returned function stops that. */
  onCancelled(sender: Sender, { id }: Message, end: () => void): () => void {
    const key = keyOf(sender, id);
    if (!key) return () => {};
    this.#ends.set(key, end);
    return () => {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    };
  }

  /** Where this message cancels a call: notifies the process that has it. */
  forwardCancellation(sender: Sender, { method, params }: Message): void {
    if (method !== 'notifications/cancelled') return;
    const key = keyOf(sender, (params as { requestId?: unknown } | undefined)?.requestId);
    if (key) this.#notifier.emit('call', key);
  }
}

function keyOf({ userId, client }: Sender, id: unknown): string | undefined {
  if (client === undefined || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
  return sha256(JSON.stringify([userId, client, id]));
}
