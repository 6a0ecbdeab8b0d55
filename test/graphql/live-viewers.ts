/** Viewers for the tests of live updates: the stock graphql-ws client, and a bare socket that may misbehave. */
import { type Client, createClient } from 'graphql-ws';
import { type RawData, WebSocket } from 'ws';
import { PATIENCE_MS } from '../support/until.ts';

export const TURN_UPDATED = `subscription Watch($slug: String!, $viewerToken: String, $key: String, $after: String) {
  turnUpdated(slug: $slug, viewerToken: $viewerToken, key: $key, after: $after) {
    cursor injection chunk turn { id role status userText avatarText output audioUrl words { ms at len } createdAt }
  }
}`;

/** What a subscription's variables may not hold, whichever transport brings it: query, variables, the field that is named. */
export const REFUSED_VARIABLES: [string, Record<string, unknown>, string][] = [
  ['subscription($s: String = "c-1") { turnUpdated(slug: $s) { cursor } }', { s: null }, 'slug'],
  [
    'subscription($s: String = "c-1") { ...F } fragment F on Subscription { turnUpdated(slug: $s) { cursor } }',
    { s: null },
    'slug',
  ],
  ['subscription($k: AccountUpdateKind = video) { events(kinds: [$k]) { cursor } }', { k: null }, 'kinds'],
  ['subscription($slug: String!) { turnUpdated(slug: $slug) { cursor } }', { slug: 'c-\u0000' }, 'slug'],
  ['subscription($after: String) { events(after: $after) { cursor } }', { after: '\ud800' }, 'after'],
];

export interface Update {
  cursor: string;
  injection: number;
  chunk: number;
  turn: { id: string; role: string; status: string; userText: string | null; avatarText: string | null };
}

export interface WatchOptions {
  as?: string;
  viewerToken?: string;
  key?: string;
  after?: string;
  query?: string;
  /** How often the client connects again by itself; default never. */
  retryAttempts?: number;
}

/** Calls back those who wait for something to become true. */
class Waiters {
  readonly #waiting = new Set<() => void>();

  changed(): void {
    for (const check of [...this.#waiting]) check();
  }

  async until(isTrue: () => boolean, what: () => string): Promise<void> {
    if (isTrue()) return;
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`It did not happen: ${what()}`)), PATIENCE_MS);
      const check = (): void => {
        if (!isTrue()) return;
        clearTimeout(timer);
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
    });
  }
}

/** Someone who watches with the stock client. After a resumable close it goes on behind its last cursor. */
export class Watcher {
  readonly updates: Update[] = [];
  readonly errors: any[] = [];
  connections = 0;
  closed: { code: number; reason: string } | undefined;
  isComplete = false;
  readonly #waiters = new Waiters();
  readonly #client: Client;
  readonly #stop: () => void;

  constructor(url: string, slug: string, options: WatchOptions = {}) {
    const variables: Record<string, unknown> = {
      slug,
      viewerToken: options.viewerToken,
      key: options.key,
      after: options.after,
    };
    this.#client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      ...(options.as ? { connectionParams: { authorization: `Bearer ${options.as}` } } : {}),
      retryAttempts: options.retryAttempts ?? 0,
      // Not at once: a database that recovers refuses for a while.
      retryWait: () => new Promise((resolve) => setTimeout(resolve, 20)),
      shouldRetry: () => true,
      on: {
        connected: () => {
          this.connections += 1;
          this.#waiters.changed();
        },
        closed: (event) => {
          this.closed = event as { code: number; reason: string };
          this.#waiters.changed();
        },
      },
    });
    this.#stop = this.#client.subscribe<{ turnUpdated: Update }>(
      { query: options.query ?? TURN_UPDATED, variables },
      {
        next: ({ data, errors }) => {
          if (errors) this.errors.push(...errors);
          if (data?.turnUpdated) {
            this.updates.push(data.turnUpdated);
            // The client sends these variables again when it connects again.
            variables.after = data.turnUpdated.cursor;
          }
          this.#waiters.changed();
        },
        error: (error) => {
          this.errors.push(...(Array.isArray(error) ? error : [error]));
          this.#waiters.changed();
        },
        complete: () => {
          this.isComplete = true;
          this.#waiters.changed();
        },
      },
    );
  }

  get cursors(): number[] {
    return this.updates.map(({ cursor }) => Number(cursor));
  }

  async until(isTrue: (watcher: this) => boolean): Promise<this> {
    await this.#waiters.until(
      () => isTrue(this),
      () => JSON.stringify({ closed: this.closed?.code, errors: this.errors, updates: this.updates.slice(-3) }),
    );
    return this;
  }

  /** Loses the connection, as on a train. */
  drop(): void {
    this.#client.terminate();
  }

  async stop(): Promise<void> {
    this.#stop();
    await this.#client.dispose();
  }
}

/** A socket that speaks the protocol by hand. */
export class BareSocket {
  readonly socket: WebSocket;
  readonly messages: any[] = [];
  closed: { code: number; reason: string } | undefined;
  /** The status of a refused upgrade. */
  refused: number | undefined;
  readonly #waiters = new Waiters();

  constructor(url: string, options: { path?: string; protocol?: string; headers?: Record<string, string> } = {}) {
    const { path = '/graphql', protocol = 'graphql-transport-ws', headers = {} } = options;
    this.socket = new WebSocket(url.replace('http', 'ws') + path, protocol, { headers });
    this.socket.on('message', (data: RawData) => {
      this.messages.push(JSON.parse(String(data)));
      this.#waiters.changed();
    });
    this.socket.on('open', () => this.#waiters.changed());
    this.socket.on('error', () => {});
    this.socket.on('unexpected-response', (_request, response) => {
      this.refused = response.statusCode;
      this.#waiters.changed();
    });
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#waiters.changed();
    });
  }

  send(message: unknown): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  async until(isTrue: (socket: this) => boolean): Promise<this> {
    await this.#waiters.until(
      () => isTrue(this),
      () => JSON.stringify({ closed: this.closed, messages: this.messages.slice(-3) }),
    );
    return this;
  }

  /** Opens the connection of the protocol. */
  async ready(payload?: unknown): Promise<this> {
    await this.until(({ socket }) => socket.readyState === WebSocket.OPEN);
    this.send({ type: 'connection_init', ...(payload === undefined ? {} : { payload }) });
    return this.until(({ messages }) => messages.some(({ type }) => type === 'connection_ack'));
  }

  /** Sends an operation and waits for what comes first of next and error. */
  async ask(query: string, variables: Record<string, unknown> = {}, id = 'q'): Promise<any> {
    this.send({ id, type: 'subscribe', payload: { query, variables } });
    const isAnswer = (message: any): boolean => message.id === id && ['next', 'error'].includes(message.type);
    await this.until(({ messages }) => messages.some(isAnswer));
    return this.messages.find(isAnswer);
  }
}
