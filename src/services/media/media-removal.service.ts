/**
 * Files of what was deleted: they are noted in the transaction that deletes it and leave the store behind its commit, at
 * once where the store answers, and within seconds of its coming back where it does not. Links to them end with them.
 */
import { MediaRemovalEntity } from '../../../schema/entities/deletions.ts';
import { MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { newId } from '../../kernel/ids.ts';
import type { Platform } from '../platform/platform.port.ts';
import { forgetMedia } from './media.repository.ts';

/** Removals at once behind commits: where more is deleted, the rounds do the rest. */
const AT_ONCE = 32;
/** Removals of one round. */
const BATCH = 100;
const RETRY_MS = 5 * SECOND_MS;
/**
 * Work on a thing may run while it is deleted, and be killed when it has stored a file and not yet found out. Longer than
 * any work runs.
 */
const AGAIN_MS = 70 * MINUTE_MS;

/** What is to go: keys of files that count in an account's storage, and whatever else, prefixes (ending in `/`) too. */
export interface Removal {
  owned: readonly (string | null)[];
  others?: readonly string[];
}

export class MediaRemovals {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'store' | 'log'>;
  #removing = 0;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'store' | 'log'>) {
    this.#p = platform;
  }

  /** Notes files in the transaction that deletes what they belong to. */
  async add(tx: Tx, { owned, others = [] }: Removal): Promise<void> {
    const keys = owned.filter((key) => key !== null);
    const paths = [...keys, ...others];
    if (paths.length === 0) return;
    await forgetMedia(tx, keys);
    const nowMs = this.#p.clock.now();
    const removal = { id: newId('rmv', nowMs), paths, dueAt: nowMs, isAgain: false };
    tx.em.create(MediaRemovalEntity, removal);
    tx.afterCommit(() => void this.#removeNow(removal));
  }

  async #removeNow(removal: Pick<MediaRemovalEntity, 'id' | 'paths' | 'isAgain'>): Promise<void> {
    if (this.#removing >= AT_ONCE) return;
    this.#removing += 1;
    await this.#remove(removal);
    this.#removing -= 1;
  }

  /** Removes what is due; how many removals were done. Called again and again; several workers may do so at once. */
  async round(): Promise<number> {
    const due = { dueAt: { $lte: this.#p.clock.now() } };
    const rows = await this.#p.db.em().find(MediaRemovalEntity, due, { orderBy: { dueAt: 'asc' }, limit: BATCH });
    let done = 0;
    for (const row of rows) if (await this.#remove(row)) done += 1;
    return done;
  }

  /** Never rejects. */
  async #remove({ id, paths, isAgain }: Pick<MediaRemovalEntity, 'id' | 'paths' | 'isAgain'>): Promise<boolean> {
    const { db, store, clock, log } = this.#p;
    try {
      for (const path of paths) await (path.endsWith('/') ? store.removePrefix(path) : store.remove(path));
      if (isAgain) await db.em().nativeDelete(MediaRemovalEntity, { id });
      else await this.#due(id, clock.now() + AGAIN_MS, true);
      return true;
    } catch (error) {
      log.warn({ err: error, removalId: id }, 'media not removed');
      // A database that is away finds the row due as it was.
      await this.#due(id, clock.now() + RETRY_MS, isAgain).catch(() => {});
      return false;
    }
  }

  async #due(id: string, dueAt: number, isAgain: boolean): Promise<void> {
    await this.#p.db.em().nativeUpdate(MediaRemovalEntity, { id }, { dueAt, isAgain });
  }
}
