/** A person who posts turns by REST and watches the conversation over graphql-ws, with the clock in hand. */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const PATIENCE_MS = 30_000;
const QUERY = `subscription Watch($slug: String!) { turnUpdated(slug: $slug, after: "0") {
  turn { id role status output audioUrl videoUrl streamUrl } } }`;

export class Watcher {
  #client;
  #stop;
  #base;
  #token;
  #conversationId;
  #seen = new Map();
  #waiting = new Set();

  constructor({ port, token, conversationId, shareSlug }) {
    this.#base = `http://127.0.0.1:${port}`;
    this.#token = token;
    this.#conversationId = conversationId;
    this.#client = createClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket });
    this.#stop = this.#client.subscribe(
      { query: QUERY, variables: { slug: shareSlug } },
      {
        next: ({ data }) => this.#saw(data.turnUpdated.turn),
        error: (error) => console.error('The watcher was cut off:', error),
        complete: () => {},
      },
    );
  }

  /** Posts a turn; ms from then until the first update of the reply that fulfils each of `marks`. */
  async time(body, marks) {
    const startedAt = performance.now();
    const answer = await fetch(`${this.#base}/conversations/${this.#conversationId}/turn`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#token}` },
      body: JSON.stringify(body),
    });
    const accepted = await answer.json();
    if (!answer.ok) throw new Error(`POST turn answered ${answer.status}: ${JSON.stringify(accepted)}`);
    const acceptedMs = performance.now() - startedAt;
    const times = [];
    for (const mark of marks) {
      const { turn, at } = await this.#until(accepted.turn.id, mark);
      times.push({ ms: at - startedAt, turn });
    }
    return { acceptedMs, times };
  }

  async close() {
    this.#stop();
    await this.#client.dispose();
  }

  #saw(turn) {
    const all = this.#seen.get(turn.id) ?? [];
    this.#seen.set(turn.id, all);
    all.push({ turn, at: performance.now() });
    for (const check of [...this.#waiting]) check();
  }

  async #until(id, mark) {
    const { promise, resolve, reject } = Promise.withResolvers();
    const timer = setTimeout(() => reject(new Error(`Nothing came of ${id}.`)), PATIENCE_MS);
    const check = () => {
      const found = this.#seen.get(id)?.find(({ turn }) => mark(turn));
      const failed = this.#seen.get(id)?.find(({ turn }) => turn.status === 'error');
      if (found) resolve(found);
      else if (failed) reject(new Error(`The turn ended in error: ${JSON.stringify(failed.turn)}`));
    };
    this.#waiting.add(check);
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(check);
    }
  }
}
