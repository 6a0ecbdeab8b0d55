/** What was said before what is shown, a page at a time from the newest on: it is read only as far as the viewer scrolls. */
import { earliestOf, type Place, TRANSCRIPT_TURNS } from '../../turn-data.ts';
import { clientAt } from '../lib/client.ts';
import { EARLIER } from '../lib/operations.ts';
import type { FeedRequest, Update } from './feed.ts';

/** Whether one turn is shown before another. */
export function isBefore(a: Pick<Place, 'injection' | 'chunk'>, b: Pick<Place, 'injection' | 'chunk'>): boolean {
  return a.injection < b.injection || (a.injection === b.injection && a.chunk < b.chunk);
}

/** The turns before those that a page shows. */
export class History {
  readonly #request: Pick<FeedRequest, 'slug' | 'viewerToken' | 'key' | 'graphql'>;
  #earliest: Place | null;
  #loading: Promise<Update[] | undefined> | undefined;
  /** What changed of earlier turns while their page was read: it may have been read before that. By turn, the last. */
  readonly #meanwhile = new Map<string, Update>();

  /** @param earliest the first turn that is shown, with more before it; null where all is shown */
  constructor(request: Pick<FeedRequest, 'slug' | 'viewerToken' | 'key' | 'graphql'>, earliest: Place | null) {
    this.#request = request;
    this.#earliest = earliest;
  }

  /** Whether something may lie before what is shown. */
  get hasMore(): boolean {
    return this.#earliest !== null;
  }

  /** Whether this turn lies before what is shown: it will come with its page, as it is then. */
  holds(update: Update): boolean {
    const isHeld = this.#earliest !== null && isBefore(update, this.#earliest);
    if (isHeld && this.#loading) this.#meanwhile.set(update.turn.id, update);
    return isHeld;
  }

  /** The page before what is shown, in the order of showing; undefined when there is none, or it could not be had. */
  load(): Promise<Update[] | undefined> {
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
      this.#meanwhile.clear();
    });
    return this.#loading;
  }

  async #load(): Promise<Update[] | undefined> {
    if (!this.#earliest) return undefined;
    const { graphql, slug, viewerToken, key } = this.#request;
    const page = { slug, viewerToken, key, before: this.#earliest.turnId, limit: TRANSCRIPT_TURNS };
    const answer = await clientAt(graphql)
      .graphql(EARLIER, page)
      .catch(() => undefined);
    const updates = answer?.conversationBySlug.updates;
    if (!updates) return undefined;
    this.#earliest = earliestOf(updates, TRANSCRIPT_TURNS);
    return updates.map((read) => this.#newest(read)).filter(({ isDeleted }) => !isDeleted);
  }

  #newest(read: Update): Update {
    const changed = this.#meanwhile.get(read.turn.id);
    return changed && Number(changed.cursor) >= Number(read.cursor) ? changed : read;
  }
}
