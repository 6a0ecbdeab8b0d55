/**
 * When keys and tokens were last used. A request only records it in memory. One statement writes the records every two seconds,
 * and each key at most once a minute, so that no request waits for this or locks a row for it.
 */
import { SECOND_MS } from '../kernel/clock.ts';
import type { Database } from '../kernel/database.ts';
import { AT_MOST_EVERY_MS, writeUses } from './credential.queries.ts';

const FLUSH_MS = 2 * SECOND_MS;
export class CredentialUse {
  readonly #db: Pick<Database, 'rows'>;
  /** When each key was noted last; what is older than a minute is dropped. */
  readonly #noted = new Map<string, number>();
  #pending = new Map<string, number>();
  #flushing: Promise<void> | undefined;
  readonly #timer: NodeJS.Timeout;

  constructor(db: Pick<Database, 'rows'>) {
    this.#db = db;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  note(credentialId: string, nowMs: number): void {
    const before = this.#noted.get(credentialId);
    if (before !== undefined && nowMs - before < AT_MOST_EVERY_MS) return;
    this.#noted.set(credentialId, nowMs);
    this.#pending.set(credentialId, nowMs);
  }

  /** Writes the recorded uses. Never rejects: where that fails, the next use of the key is recorded anew. */
  async flush(): Promise<void> {
    await this.#flushing;
    if (this.#pending.size === 0) return;
    const used = this.#pending;
    this.#pending = new Map();
    const latest = Math.max(...used.values());
    for (const [id, at] of this.#noted) if (latest - at >= AT_MOST_EVERY_MS) this.#noted.delete(id);
    this.#flushing = this.#write(used).finally(() => {
      this.#flushing = undefined;
    });
    await this.#flushing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Where another process has written the same minute already, the row stays as it is. */
  async #write(used: Map<string, number>): Promise<void> {
    await writeUses(this.#db, { ids: [...used.keys()], moments: [...used.values()] }).catch(() => {
      for (const id of used.keys()) this.#noted.delete(id);
    });
  }
}
