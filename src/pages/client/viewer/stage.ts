/**
 * <avatar-stage>: one player made of many clips. To media controls it is a media element (play, pause, muted, volume);
 * inside it plays the turns of a playlist in order, two decks taking turns above the avatar's still, so that the avatar
 * is never gone: not before the first clip, not between two, not after the last.
 */
import { spokenText, type TurnView } from '../lib/page.ts';
import { Deck, type MediaItem } from './deck.ts';
import { type Entry, type Item, Playlist } from './playlist.ts';

export type StageState = 'idle' | 'thinking' | 'playing' | 'paused';

export interface StageEvents {
  state: StageState;
  turnstart: Entry;
  turnend: Entry;
  asked: Entry;
  failed: Entry;
  soundblocked: boolean;
}

/** Reading time of a text turn: a calm reader's pace, within bounds. */
const READ_MS_PER_CHAR = 62;
const READ_MS = { min: 1_800, max: 12_000 };
const TICK_MS = 100;

interface Current {
  item: Exclude<Item, { kind: 'waiting' | 'failed' | 'asked' }>;
  deck?: Deck;
  /** Of a text turn: how long it has been shown, in ms. */
  shownMs: number;
  retried: boolean;
  /** A clip begins when it is first heard or seen, not when it starts to load. */
  hasBegun: boolean;
}

export class AvatarStage extends HTMLElement {
  readonly playlist = new Playlist();
  /** Asked for the turn with freshly signed links when a clip cannot be loaded. */
  refresh: (entry: Entry) => Promise<TurnView | undefined> = async () => undefined;
  #decks: Deck[] = [];
  #current: Current | undefined;
  #paused = true;
  #muted = false;
  #volume = 1;
  #state: StageState = 'idle';
  #ticker: ReturnType<typeof setInterval> | undefined;

  connectedCallback(): void {
    const figure = this.querySelector<HTMLElement>('.figure') ?? this;
    if (this.#decks.length === 0) this.#decks = [this.#makeDeck(figure), this.#makeDeck(figure)];
  }

  // What media controls ask of a media element.
  get paused(): boolean {
    return this.#paused;
  }
  get ended(): boolean {
    return false;
  }
  get muted(): boolean {
    return this.#muted;
  }
  set muted(value: boolean) {
    this.#muted = value;
    this.#applySound();
    if (!value) this.#tell('soundblocked', false);
  }
  get volume(): number {
    return this.#volume;
  }
  set volume(value: number) {
    this.#volume = Math.min(1, Math.max(0, value));
    this.#applySound();
  }
  get currentTime(): number {
    return this.timeMs / 1000;
  }
  get duration(): number {
    return Number.POSITIVE_INFINITY;
  }
  get readyState(): number {
    return 4;
  }

  async play(): Promise<void> {
    if (!this.#paused) return;
    this.#paused = false;
    this.dispatchEvent(new Event('play'));
    this.dispatchEvent(new Event('playing'));
    const current = this.#current;
    if (current?.deck) await this.#run(current.deck);
    else if (!current) this.#advance();
    this.#settleState();
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#current?.deck?.video.pause();
    this.dispatchEvent(new Event('pause'));
    this.#settleState();
  }

  /** The turn that is being played. */
  get entry(): Entry | undefined {
    return this.#current?.item.entry;
  }
  get state(): StageState {
    return this.#state;
  }
  /** Where the current turn is, in ms. */
  get timeMs(): number {
    const current = this.#current;
    return current?.deck ? current.deck.video.currentTime * 1000 : (current?.shownMs ?? 0);
  }
  /** How long the current turn takes, in ms, as far as is known. */
  get durationMs(): number {
    const item = this.#current?.item;
    if (!item) return 0;
    return item.kind === 'text' ? readingMs(item.entry.turn) : (item.entry.turn.seconds ?? 0) * 1000;
  }

  /** The playlist changed: plays on when there was nothing to play, and loads what comes next. */
  consider(): void {
    if (!this.#current && !this.#paused) this.#advance();
    this.#preload();
    this.#settleState();
  }

  /** Plays this turn now, and on from there. */
  replay(entry: Entry): void {
    this.playlist.rewindTo(entry);
    this.#stop();
    if (this.#paused) void this.play();
    else this.#advance();
  }

  /** Leaves what is left of the present turn, and everything before the newest exchange. */
  skipToLatest(): void {
    this.playlist.skipToLatest();
    this.#stop();
    this.#advance();
  }

  #makeDeck(figure: HTMLElement): Deck {
    const deck = new Deck(figure);
    deck.video.addEventListener('ended', () => this.#isCurrent(deck) && this.#finish());
    deck.video.addEventListener('playing', () => this.#isCurrent(deck) && this.#begin(this.#current!));
    deck.video.addEventListener('error', () => this.#isCurrent(deck) && void this.#recover());
    return deck;
  }

  #isCurrent(deck: Deck): boolean {
    return deck.item !== undefined && this.#current?.deck === deck;
  }

  #advance(): void {
    for (;;) {
      if (this.#current || this.#paused) return;
      const item = this.playlist.peek();
      if (!item || item.kind === 'waiting') {
        for (const deck of this.#decks) if (!this.#isNext(deck)) deck.leave();
        this.#settleState();
        return;
      }
      this.playlist.done(item.entry);
      if (item.kind === 'asked' || item.kind === 'failed') this.#tell(item.kind, item.entry);
      else if (item.kind === 'text') this.#show(item);
      else this.#start(item);
    }
  }

  #show(item: Extract<Item, { kind: 'text' }>): void {
    for (const deck of this.#decks) if (!this.#isNext(deck)) deck.leave();
    const current: Current = { item, shownMs: 0, retried: false, hasBegun: false };
    this.#current = current;
    this.#begin(current);
    this.#ticker = setInterval(() => {
      if (this.#paused) return;
      current.shownMs += TICK_MS;
      if (current.shownMs >= readingMs(item.entry.turn)) this.#finish();
    }, TICK_MS);
  }

  #start(item: MediaItem): void {
    const ready = this.#decks.find((deck) => deck.holds(item));
    const deck = ready ?? this.#decks.find((other) => Number(other.video.style.opacity || 0) === 0) ?? this.#decks[0]!;
    if (!ready) deck.load(item);
    const others = this.#decks.filter((other) => other !== deck);
    this.#current = { item, deck, shownMs: 0, retried: false, hasBegun: false };
    this.#settleState();
    if (item.kind === 'audio') for (const other of others) other.leave();
    deck.reveal(() => {
      for (const other of others) if (!this.#isCurrent(other)) other.drop();
      this.#preload();
    });
    void this.#run(deck);
  }

  #begin(current: Current): void {
    if (!current.hasBegun) {
      current.hasBegun = true;
      this.#tell('turnstart', current.item.entry);
    }
    this.#settleState();
  }

  /** Plays a deck with sound, without it when the browser insists, and pauses when it refuses even that. */
  async #run(deck: Deck): Promise<void> {
    this.#applySound();
    try {
      await deck.video.play();
    } catch (error) {
      if ((error as DOMException).name !== 'NotAllowedError' || !this.#isCurrent(deck)) return;
      if (this.#muted) return this.pause();
      this.#muted = true;
      this.#tell('soundblocked', true);
      this.#applySound();
      await this.#run(deck);
    }
  }

  #applySound(): void {
    for (const { video } of this.#decks) {
      video.muted = this.#muted;
      video.volume = this.#volume;
    }
    this.dispatchEvent(new Event('volumechange'));
  }

  #finish(): void {
    const current = this.#current;
    if (!current) return;
    clearInterval(this.#ticker);
    this.#current = undefined;
    if (current.hasBegun) this.#tell('turnend', current.item.entry);
    this.#advance();
  }

  /** Ends the present turn where it is. */
  #stop(): void {
    const current = this.#current;
    clearInterval(this.#ticker);
    this.#current = undefined;
    if (!current) return;
    current.deck?.video.pause();
    if (current.hasBegun) this.#tell('turnend', current.item.entry);
  }

  /** A clip that cannot be loaded is tried once more with a fresh link, then passed over. */
  async #recover(): Promise<void> {
    const current = this.#current;
    if (!current?.deck) return;
    const { entry } = current.item;
    const fresh = current.retried ? undefined : await this.refresh(entry).catch(() => undefined);
    if (this.#current !== current) return;
    const src = fresh && (fresh.output === 'video' ? (fresh.videoUrl ?? fresh.streamUrl) : fresh.audioUrl);
    if (fresh && src) {
      current.retried = true;
      entry.turn = fresh;
      const item = { ...(current.item as MediaItem), src };
      current.item = item;
      current.deck.load(item);
      current.deck.reveal(() => this.#preload());
      return void this.#run(current.deck);
    }
    current.deck.drop();
    this.#tell('failed', entry);
    this.#finish();
  }

  /** Loads the next clip into the deck that is not on stage. */
  #preload(): void {
    const next = this.#upcoming();
    if (!next || this.#decks.some((deck) => deck.holds(next))) return;
    const free = this.#decks.find((deck) => !this.#isCurrent(deck) && Number(deck.video.style.opacity || 0) === 0);
    free?.load(next);
  }

  #upcoming(): MediaItem | undefined {
    let item = this.playlist.peek();
    while (item && (item.kind === 'asked' || item.kind === 'failed' || item.kind === 'text')) {
      item = this.playlist.peek(item.entry);
    }
    return item?.kind === 'video' || item?.kind === 'audio' ? item : undefined;
  }

  #isNext(deck: Deck): boolean {
    const next = this.#upcoming();
    return next !== undefined && deck.holds(next) && Number(deck.video.style.opacity || 0) === 0;
  }

  #settleState(): void {
    const isSpeaking = this.#current?.hasBegun ?? false;
    const isWaiting = this.#current ? !isSpeaking : this.playlist.peek()?.kind === 'waiting';
    const shown = this.#paused ? 'paused' : isSpeaking ? 'playing' : isWaiting ? 'thinking' : 'idle';
    if (shown === this.#state) return;
    this.#state = shown;
    this.#tell('state', shown);
  }

  #tell<K extends keyof StageEvents>(type: K, detail: StageEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Listens to what happens on the stage, typed. */
  when<K extends keyof StageEvents>(type: K, listener: (detail: StageEvents[K]) => void): void {
    this.addEventListener(type, (event) => listener((event as CustomEvent<StageEvents[K]>).detail));
  }
}

function readingMs(turn: TurnView): number {
  return Math.min(READ_MS.max, Math.max(READ_MS.min, spokenText(turn).length * READ_MS_PER_CHAR));
}
