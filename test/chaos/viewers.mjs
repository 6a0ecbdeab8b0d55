/**
 * Viewers who watch a conversation live through all of it: one that loses the connection comes back, to either process, behind
 * the last cursor that was seen. Nothing may be missing in the end, and nothing may have come twice.
 */
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

const QUERY = `subscription($slug: String!, $after: String) {
  turnUpdated(slug: $slug, after: $after) { cursor turn { id status } }
}`;
const AGAIN_MS = 300;
export const ENDED = new Set(['ready', 'audio', 'video', 'error']);

export class Viewer {
  /** Turns whose end was seen, by how often. */
  ended = new Map();
  /** Sentences. */
  problems = [];
  connections = 0;
  #client;
  #stop;
  #after = '0';
  #isOver = false;

  constructor(urls, random, slug, key) {
    this.slug = slug;
    this.#client = createClient({
      url: () => `${urls[random() < 0.5 ? 0 : 1].replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${key}` },
      // Of one that is frozen while it is called: the next call may come to the other one.
      connectionAckWaitTimeout: 5_000,
      retryAttempts: Number.POSITIVE_INFINITY,
      retryWait: () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS)),
      shouldRetry: () => true,
      on: {
        connected: () => {
          this.connections += 1;
        },
      },
    });
    this.#watch();
  }

  /** Until it is over, from the last cursor on. */
  #watch() {
    const variables = { slug: this.slug, after: this.#after };
    const again = () => this.#isOver || setTimeout(() => this.#watch(), AGAIN_MS);
    this.#stop = this.#client.subscribe(
      { query: QUERY, variables },
      {
        next: ({ data }) => {
          const update = data?.turnUpdated;
          if (!update) return;
          if (Number(update.cursor) < Number(this.#after)) this.problems.push(`went back: ${JSON.stringify(update)}`);
          this.#after = update.cursor;
          // The client sends these variables again when it connects again.
          variables.after = update.cursor;
          const { id, status } = update.turn;
          if (ENDED.has(status)) this.ended.set(id, [...(this.ended.get(id) ?? []), `${update.cursor} ${status}`]);
        },
        error: again,
        complete: again,
      },
    );
  }

  async close() {
    this.#isOver = true;
    this.#stop();
    await this.#client.dispose();
  }
}
