/** The two decks as one: which is on stage, what the other loads ahead, and how loud both are. */
import { Deck, type MediaItem } from './deck.ts';

/** What the deck on stage tells of its recording. */
export interface MediaEvents {
  playing(): void;
  /** Also when the browser or the system paused it: media keys, headphones pulled out, a phone put away. */
  pause(): void;
  ended(): void;
  error(): void;
}

export class Decks {
  readonly #decks: readonly Deck[];
  #onStage: Deck | undefined;
  #events: MediaEvents | undefined;
  #muted = false;
  #volume = 1;

  constructor(figure: HTMLElement) {
    this.#decks = [new Deck(figure), new Deck(figure)];
    for (const deck of this.#decks) {
      for (const type of ['playing', 'pause', 'ended', 'error'] as const) {
        deck.video.addEventListener(type, () => deck.item && deck === this.#onStage && this.#events?.[type]());
      }
    }
  }

  get muted(): boolean {
    return this.#muted;
  }
  get volume(): number {
    return this.#volume;
  }

  setSound(muted: boolean, volume: number): void {
    this.#muted = muted;
    this.#volume = Math.min(1, Math.max(0, volume));
    for (const { video } of this.#decks) {
      video.muted = this.#muted;
      video.volume = this.#volume;
    }
  }

  /** Puts the recording on stage, on the deck that has it loaded or else on one that is not to be seen. */
  take(item: MediaItem, events: MediaEvents): Deck {
    const ready = this.#decks.find((deck) => deck.holds(item));
    const deck = ready ?? this.#decks.find((other) => other.isHidden) ?? this.#decks[0]!;
    if (!ready) deck.load(item);
    this.#onStage = deck;
    this.#events = events;
    return deck;
  }

  /** Shows the recording on stage as soon as it has a frame; the one before it stays until then. */
  reveal(deck: Deck, then: () => void): void {
    const others = this.#decks.filter((other) => other !== deck);
    if (deck.item?.kind === 'audio') for (const other of others) other.leave();
    deck.reveal(() => {
      for (const other of others) if (other !== this.#onStage) other.drop();
      then();
    });
  }

  /** The recording on stage is over; its last frame stays until something else is shown. */
  release(): void {
    this.#onStage?.video.pause();
    this.#onStage = undefined;
    this.#events = undefined;
  }

  /** Lets the still shine through; what is loaded ahead stays. */
  clear(next: MediaItem | undefined): void {
    for (const deck of this.#decks) if (!next || !deck.holds(next) || !deck.isHidden) deck.leave();
  }

  preload(next: MediaItem | undefined): void {
    if (!next || this.#decks.some((deck) => deck.holds(next))) return;
    this.#decks.find((deck) => deck !== this.#onStage && deck.isHidden)?.load(next);
  }
}
