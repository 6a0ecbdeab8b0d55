/**
 * The turns of a conversation in the order they are shown (injection, then chunk), and which of them is to be
 * played next. It knows nothing of media elements.
 */
import { spokenText } from '../../turn-data.ts';
import type { Update } from './feed.ts';
import { isBefore } from './history.ts';

/** A turn as the playlist keeps it. */
export interface Entry extends Omit<Update, 'cursor' | 'isDeleted' | 'isDraft'> {}

/** What is to be done with a turn now. */
export type Item =
  | { kind: 'video' | 'audio'; entry: Entry; src: string }
  | { kind: 'text'; entry: Entry }
  | { kind: 'asked'; entry: Entry }
  | { kind: 'failed'; entry: Entry }
  | { kind: 'waiting'; entry: Entry };

export class Playlist {
  readonly entries: Entry[] = [];
  readonly #byId = new Map<string, Entry>();
  /** Turns made before this moment are listed but not played by themselves (`since`). */
  sinceMs = 0;
  #done: Entry | undefined;
  /**
   * Came when something behind it was played already: updates come in the order of their changes, and one that was changed
   * twice since the last look comes behind what came after it. Rather out of order than not at all.
   */
  readonly #late = new Set<Entry>();
  /** What the viewer chose is played whatever became of it. */
  #chosen: Entry | undefined;
  /** Where this page interrupted: what follows of that injection is not played, whether the server has heard of it yet or not. */
  #interrupted: Entry | undefined;

  /** Puts a new or changed turn where it belongs. */
  put(update: Update): Entry {
    const known = this.#byId.get(update.turn.id);
    if (known) return Object.assign(known, { turn: update.turn });
    const { injection, chunk, turn } = update;
    const entry = { injection, chunk, turn };
    this.#byId.set(turn.id, entry);
    const place = this.entries.findLastIndex((other) => isBefore(other, entry)) + 1;
    this.entries.splice(place, 0, entry);
    if (this.#done && isBefore(entry, this.#done)) this.#late.add(entry);
    return entry;
  }

  /** Puts what was said before the others, in its order; what the feed has sent meanwhile is newer. Returns what is new. */
  putEarlier(updates: readonly Update[]): Entry[] {
    const first = this.entries[0];
    const entries = updates
      .filter(({ turn }) => !this.#byId.has(turn.id))
      .filter((update) => !first || isBefore(update, first))
      .map(({ injection, chunk, turn }) => ({ injection, chunk, turn }));
    for (const entry of entries) this.#byId.set(entry.turn.id, entry);
    this.entries.unshift(...entries);
    return entries;
  }

  /** Takes a turn out that was deleted. */
  remove(turnId: string): void {
    const entry = this.#byId.get(turnId);
    if (!entry) return;
    this.#byId.delete(turnId);
    this.#late.delete(entry);
    this.entries.splice(this.entries.indexOf(entry), 1);
  }

  /** The next item that was not played, without taking it; the next one after an entry, where one is given. */
  peek(after?: Entry): Item | undefined {
    const isNext = (entry: Entry) => !after || isBefore(after, entry);
    const entry = this.entries.find((other) => isNext(other) && this.#isAhead(other) && this.#isWanted(other));
    return entry && itemOf(entry);
  }

  /** The items that still wait to be played. */
  get backlog(): number {
    return this.entries.filter((entry) => this.#isAhead(entry) && this.#isWanted(entry) && isSpoken(entry)).length;
  }

  done(entry: Entry): void {
    this.#late.delete(entry);
    if (!this.#done || isBefore(this.#done, entry)) this.#done = entry;
  }

  /** Plays on from this turn: what comes before it counts as played. */
  rewindTo(entry: Entry): void {
    const place = this.entries.indexOf(entry);
    this.#done = this.entries[place - 1];
    this.#late.clear();
    this.#chosen = entry;
    this.sinceMs = Math.min(this.sinceMs, entry.turn.createdAt);
  }

  /** Drops the rest of this reply. */
  interrupt(entry: Entry): void {
    this.#interrupted = entry;
  }

  /** The viewer chose to play it, or a later reply is there: this one was heard before. */
  isReplay(entry: Entry): boolean {
    const isLater = ({ injection, turn }: Entry) =>
      injection > entry.injection && turn.role === 'avatar' && turn.status !== 'pending';
    return entry === this.#chosen || this.entries.some(isLater);
  }

  /** Leaves out everything but the newest injection. */
  skipToLatest(): void {
    const last = this.entries.at(-1);
    const first = this.entries.find((entry) => entry.injection === last?.injection);
    if (first) this.rewindTo(first);
  }

  /** The spoken turn before or after this one, for the arrow keys. */
  neighbour(entry: Entry | undefined, step: 1 | -1): Entry | undefined {
    const spoken = this.entries.filter(isSpoken);
    const place = entry ? spoken.indexOf(entry) : spoken.length;
    return spoken[place + step];
  }

  #isAhead(entry: Entry): boolean {
    return !this.#done || this.#late.has(entry) || isBefore(this.#done, entry);
  }

  #isWanted(entry: Entry): boolean {
    if (entry === this.#chosen) return true;
    const { heardText, createdAt } = entry.turn;
    return createdAt >= this.sinceMs && heardText === null && !this.#isCutOff(entry);
  }

  #isCutOff(entry: Entry): boolean {
    const cut = this.#interrupted;
    return cut?.injection === entry.injection && entry.chunk >= cut.chunk && entry.chunk > 0;
  }
}

const isSpoken = ({ turn }: Entry): boolean => turn.role === 'avatar' || turn.output !== null;

function itemOf(entry: Entry): Item {
  const { turn } = entry;
  if (turn.status === 'error') return { kind: 'failed', entry };
  if (turn.role === 'user' && turn.output === null) return { kind: 'asked', entry };
  if (turn.output === 'video') {
    const src = turn.videoUrl ?? turn.streamUrl;
    return src ? { kind: 'video', entry, src } : { kind: 'waiting', entry };
  }
  if (turn.output === 'audio') {
    return turn.audioUrl ? { kind: 'audio', entry, src: turn.audioUrl } : { kind: 'waiting', entry };
  }
  return turn.status === 'ready' && spokenText(turn) ? { kind: 'text', entry } : { kind: 'waiting', entry };
}
