/**
 * Subscriptions over one WebSocket a client (graphql-transport-ws); while none can be opened, each over Server-Sent Events
 * (`stream.ts`). A lost connection is dialled anew, and every subscription goes on behind the last update it saw: what has a
 * `cursor` is resumed by the variable `after`, so that nothing is missed and nothing comes twice.
 */
import type { Client } from './client.ts';
import { type AvatarError, connectionError, errorOf, type GraphqlError, graphqlError } from './errors.ts';
import type { Operation } from './operation.ts';
import { backoffMs } from './pause.ts';
import { readStream } from './stream.ts';

/** What a subscription reports. */
export interface LiveEvents<Data> {
  next(data: Data): void;
  /** True from when the server listens, false from the moment the connection is lost, or could not be made. */
  connected?(isConnected: boolean): void;
  /** It is over for good: the server has ended it, or refused it with this error. */
  ended?(error?: AvatarError): void;
}

interface Subscription {
  query: string;
  variables: Record<string, unknown>;
  isResumable: boolean;
  events: LiveEvents<object>;
  /** Ends its stream of events, where there is one. */
  stream?: AbortController;
}

interface Message {
  id?: string;
  type: string;
  payload?: unknown;
}

/** A connection that is dead without having been closed answers no ping: it is taken for lost after two of these. */
const PING_MS = 7_000;
const PROTOCOL = 'graphql-transport-ws';
const UNAUTHORIZED = 4401;
/** What would be refused again in the same words: a bad message, an unknown protocol, an id twice. */
const FATAL = new Set([4400, 4406, 4409]);

/** What is worth another try. */
const PASSING = new Set(['RATE_LIMITED', 'UNAVAILABLE', 'CONNECTION']);
/** So often a WebSocket is tried that has never come about; then the network seems to be one that lets none through. */
const MOST_DIALS = 3;
/** How long that is believed: it may have been a server that was starting. */
const RETRY_MS = 300_000;

const connections = new WeakMap<Client, Connection>();

/**
 * Follows a subscription until the function that is returned is called. Without the variable `after` it begins now, and what
 * comes before the first update cannot be resumed: hand a cursor, or '0' for everything so far.
 */
export function subscribe<Data, Variables extends object>(
  client: Client,
  operation: Operation<Data, Variables>,
  variables: Variables,
  events: LiveEvents<Data>,
): () => void {
  const connection = connections.get(client) ?? new Connection(client);
  connections.set(client, connection);
  const query = operation.toString();
  return connection.add({
    query,
    variables: { ...variables } as Record<string, unknown>,
    isResumable: /\$after\b/.test(query),
    events: {
      next: (data) => events.next(data as Data),
      connected: (isConnected) => events.connected?.(isConnected),
      ended: (error) => events.ended?.(error),
    },
  });
}

/** The same as an async iterable: ends with the subscription, throws its error, and the signal's reason where it aborts. */
export async function* updates<Data, Variables extends object>(
  client: Client,
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal?: AbortSignal,
): AsyncGenerator<Data, void, undefined> {
  signal?.throwIfAborted();
  const waiting: Data[] = [];
  let end: { error?: unknown } | undefined;
  let wake = (): void => {};
  const finish = (error?: unknown): void => {
    end ??= { error };
    wake();
  };
  const stop = subscribe(client, operation, variables, {
    next: (data) => {
      waiting.push(data);
      wake();
    },
    ended: finish,
  });
  const abort = (): void => finish(signal?.reason);
  signal?.addEventListener('abort', abort);
  try {
    for (;;) {
      for (let data = waiting.shift(); data !== undefined && !signal?.aborted; data = waiting.shift()) yield data;
      if (end?.error !== undefined) throw end.error;
      if (end) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    stop();
  }
}

class Connection {
  readonly #client: Client;
  readonly #subscriptions = new Map<string, Subscription>();
  #socket: WebSocket | undefined;
  #credential: string | undefined;
  #isOpening = false;
  #isReady = false;
  #failures = 0;
  /** How often a WebSocket may still fail to come about; streams are used at 0. */
  #dials = MOST_DIALS;
  /** When a WebSocket is tried again, in epoch ms; 0 where no streams are used. */
  #retryAt = 0;
  /** A WebSocket has come about once. */
  #isProven = false;
  #made = 0;
  #hasHeard = false;
  #beat: ReturnType<typeof setInterval> | undefined;
  #redial: ReturnType<typeof setTimeout> | undefined;

  constructor(client: Client) {
    this.#client = client;
  }

  add(subscription: Subscription): () => void {
    this.#made += 1;
    const id = String(this.#made);
    this.#subscriptions.set(id, subscription);
    if (this.#isReady) this.#start(id);
    else void this.#open();
    return () => {
      if (!this.#subscriptions.delete(id)) return;
      subscription.stream?.abort();
      if (this.#isReady) this.#send({ id, type: 'complete' });
      this.#closeUnused();
    };
  }

  #start(id: string): void {
    const subscription = this.#subscriptions.get(id);
    if (!subscription || !this.#isReady) return;
    const { query, variables, events, stream } = subscription;
    // From a stream it moves over to the WebSocket.
    delete subscription.stream;
    stream?.abort();
    this.#send({ id, type: 'subscribe', payload: { query, variables } });
    events.connected?.(true);
  }

  async #open(): Promise<void> {
    clearTimeout(this.#redial);
    if (this.#isOpening || this.#socket || this.#subscriptions.size === 0) return;
    this.#isOpening = true;
    const credential = await this.#client.authorization().then(
      (value) => ({ value }),
      () => undefined,
    );
    this.#isOpening = false;
    if (this.#subscriptions.size === 0) return;
    if (!credential) {
      this.#dialLater();
      return;
    }
    this.#credential = credential.value;
    const Socket = this.#client.options.WebSocket ?? globalThis.WebSocket;
    if (this.#dials === 0) this.#retryAt ||= Date.now() + (this.#client.options.webSocketRetryMs ?? RETRY_MS);
    if (this.#retryAt && Date.now() >= this.#retryAt) {
      this.#dials = 1;
      this.#retryAt = 0;
    }
    if (!Socket || this.#dials === 0) {
      if (Socket) this.#redial = setTimeout(() => void this.#open(), this.#retryAt - Date.now());
      for (const id of this.#subscriptions.keys()) void this.#follow(id);
      return;
    }
    try {
      this.#listen(new Socket(`${this.#client.url.replace(/^http/, 'ws')}/graphql`, PROTOCOL));
    } catch {
      // A policy, or the browser itself, allows none at present.
      await this.#lost(0);
    }
  }

  #listen(socket: WebSocket): void {
    this.#socket = socket;
    const payload = { ...this.#client.options.headers, ...(this.#credential && { authorization: this.#credential }) };
    socket.onopen = () => this.#send({ type: 'connection_init', payload });
    socket.onmessage = ({ data }) => {
      this.#hasHeard = true;
      this.#receive(JSON.parse(String(data)) as Message);
    };
    socket.onerror = () => {};
    socket.onclose = ({ code }) => void this.#lost(code);
    this.#hasHeard = true;
    this.#beat = setInterval(() => {
      if (!this.#hasHeard) {
        this.#detach();
        void this.#lost(0);
        return;
      }
      this.#hasHeard = false;
      if (this.#isReady) this.#send({ type: 'ping' });
    }, this.#client.options.pingMs ?? PING_MS);
  }

  #send(message: Message): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #receive({ id = '', type, payload }: Message): void {
    if (type === 'ping') this.#send({ type: 'pong' });
    if (type === 'connection_ack') {
      this.#isReady = this.#isProven = true;
      for (const each of this.#subscriptions.keys()) this.#start(each);
    }
    const subscription = this.#subscriptions.get(id);
    if (!subscription) return;
    if (type === 'complete') this.#end(id);
    if (type === 'error') this.#refused(id, payload as GraphqlError[]);
    if (type !== 'next') return;
    const { data, errors = [] } = payload as {
      data?: Record<string, { cursor?: string } | null> | null;
      errors?: GraphqlError[];
    };
    if (!data) {
      this.#refused(id, errors);
      return;
    }
    this.#failures = 0;
    const cursor = subscription.isResumable ? Object.values(data)[0]?.cursor : undefined;
    if (cursor !== undefined) subscription.variables.after = cursor;
    subscription.events.next(data);
  }

  /** What passes is asked for again; everything else ends the subscription. */
  #refused(id: string, errors: readonly GraphqlError[]): void {
    const error = graphqlError(errors, 0);
    if (!PASSING.has(error.code)) {
      this.#end(id, error);
      return;
    }
    // A stream is asked for anew as a lost one is.
    this.#subscriptions.get(id)?.stream?.abort();
    if (this.#isReady) {
      this.#failures += 1;
      setTimeout(() => this.#start(id), Math.max(error.retryAfterMs ?? 0, backoffMs(this.#failures)));
    }
  }

  #end(id: string, error?: AvatarError): void {
    const subscription = this.#subscriptions.get(id);
    this.#subscriptions.delete(id);
    subscription?.stream?.abort();
    this.#closeUnused();
    subscription?.events.ended?.(error);
  }

  #endAll(error: AvatarError): void {
    for (const id of [...this.#subscriptions.keys()]) this.#end(id, error);
  }

  /** One subscription over a stream of events, again and again until it has ended. */
  async #follow(id: string): Promise<void> {
    const subscription = this.#subscriptions.get(id);
    if (!subscription || subscription.stream || this.#socket) return;
    const { query, variables, events } = subscription;
    const stream = new AbortController();
    subscription.stream = stream;
    const { signal } = stream;
    const error = await readStream(this.#client, { query, variables }, signal, {
      opened: () => events.connected?.(true),
      message: (type, payload) => signal.aborted || this.#receive({ id, type, payload }),
    });
    if (!this.#subscriptions.has(id) || subscription.stream !== stream) return;
    delete subscription.stream;
    if (error && !PASSING.has(error.code)) return this.#end(id, error);
    events.connected?.(false);
    this.#failures += 1;
    setTimeout(() => void this.#follow(id), Math.max(error?.retryAfterMs ?? 0, backoffMs(this.#failures)));
  }

  #closeUnused(): void {
    if (this.#subscriptions.size > 0) return;
    clearTimeout(this.#redial);
    this.#detach();
  }

  /** Lets go of the socket, whether it notices or not. */
  #detach(): void {
    clearInterval(this.#beat);
    this.#isReady = false;
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  async #lost(code: number): Promise<void> {
    this.#detach();
    if (!this.#isProven) this.#dials -= 1;
    for (const { events, stream } of this.#subscriptions.values()) if (!stream) events.connected?.(false);
    if (FATAL.has(code)) return this.#endAll(connectionError(`The server has closed the connection (${code}).`, 0));
    // A credential that has run out may have been renewed meanwhile.
    if (code === UNAUTHORIZED && (await this.#client.authorization().catch(() => undefined)) === this.#credential) {
      const facts = { code: 'UNAUTHENTICATED', status: 401, details: {} };
      return this.#endAll(errorOf('The server does not let this caller in, or no longer.', facts));
    }
    if (this.#subscriptions.size > 0) this.#dialLater();
  }

  #dialLater(): void {
    clearTimeout(this.#redial);
    this.#redial = setTimeout(() => void this.#open(), backoffMs(this.#failures));
    this.#failures += 1;
  }
}
