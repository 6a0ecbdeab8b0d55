/**
 * Plays the turns of a playlist one after another: recordings above the avatar's still, written turns and those whose recording
 * cannot be played as words. It knows when something is to be played, never how.
 */
import type { TurnData } from '../../turn-data.ts';
import { type Act, ReadingAct } from './act.ts';
import type { MediaItem } from './deck.ts';
import { Decks } from './decks.ts';
import { MediaAct } from './media-act.ts';
import { type Entry, Playlist } from './playlist.ts';

export type StageState = 'idle' | 'thinking' | 'playing' | 'paused';

export interface StageEvents {
  state: StageState;
  turnstart: Entry;
  turnend: Entry;
  asked: Entry;
  /** The reply itself failed: there is nothing to show. */
  failed: Entry;
  /** Its recording cannot be played; its words stand for it from now on. */
  unplayable: Entry;
  soundblocked: boolean;
  paused: boolean;
  volume: number;
}

/** Where a reply was interrupted; `heardMs` is 0 where nothing was heard yet. */
export interface Interruption {
  turnId: string;
  heardMs: number;
}

export type Emit = <K extends keyof StageEvents>(type: K, detail: StageEvents[K]) => void;

export class Player {
  readonly playlist = new Playlist();
  /** Asked for the turn with freshly signed links when a recording cannot be loaded. */
  refresh: (entry: Entry) => Promise<TurnData | undefined> = async () => undefined;
  readonly #emit: Emit;
  readonly #decks: Decks;
  #act: Act | undefined;
  #paused = true;
  #isHeld = false;
  #state: StageState = 'idle';

  constructor(figure: HTMLElement, emit: Emit) {
    this.#emit = emit;
    this.#decks = new Decks(figure);
  }

  get paused(): boolean {
    return this.#paused;
  }
  get muted(): boolean {
    return this.#decks.muted;
  }
  get volume(): number {
    return this.#decks.volume;
  }
  get state(): StageState {
    return this.#state;
  }
  /** The turn that is being played. */
  get act(): Act | undefined {
    return this.#act;
  }

  setSound(muted: boolean, volume: number): void {
    this.#decks.setSound(muted, volume);
    this.#emit('volume', this.volume);
    if (!muted) this.#emit('soundblocked', false);
  }

  play(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#emit('paused', false);
    if (this.#act) this.#act.play();
    else this.#advance();
    this.#settleState();
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#act?.pause();
    this.#emit('paused', true);
    this.#settleState();
  }

  /** The playlist changed: plays on when there was nothing to play, and loads what comes next. */
  consider(): void {
    this.#advance();
    this.#preload();
    this.#settleState();
  }

  /** Held: what is being played plays on, and nothing is begun until everything is there that could come before it. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.consider();
  }

  /** Plays this turn now, and on from there. */
  replay(entry: Entry): void {
    this.playlist.rewindTo(entry);
    this.#stop();
    if (this.#paused) this.play();
    else this.#advance();
  }

  /** Leaves what is left of the present turn, and everything before the newest exchange. */
  skipToLatest(): void {
    this.playlist.skipToLatest();
    this.#finish();
  }

  /**
   * Ends the reply that is being played, and with `isWaitedFor` one that has not begun: silence at once. Returns where it
   * was; undefined where there is nothing to tell: no avatar answers, its words are only shown, or they are a replay.
   */
  interrupt({ isWaitedFor }: { isWaitedFor: boolean }): Interruption | undefined {
    const act = this.#act;
    if (!isWaitedFor && !act?.hasBegun) return undefined;
    const item = this.playlist.peek();
    const entry = act?.entry ?? (item?.kind === 'waiting' ? item.entry : undefined);
    if (entry?.turn.role !== 'avatar') return undefined;
    const isNotified = !(act instanceof ReadingAct) && !this.playlist.isReplay(entry);
    const heardMs = Math.round(act?.timeMs ?? 0);
    this.playlist.interrupt(entry);
    this.#finish();
    return isNotified ? { turnId: entry.turn.id, heardMs } : undefined;
  }

  /** Somebody interrupted this turn: it falls silent here too. */
  fallSilent(turnId: string): void {
    if (this.#act?.entry.turn.id === turnId) this.#finish();
  }

  #advance(): void {
    while (!this.#act && !this.#paused && !this.#isHeld) {
      const item = this.playlist.peek();
      if (!item || item.kind === 'waiting') {
        this.#decks.clear(this.#upcoming());
        break;
      }
      this.playlist.done(item.entry);
      if (item.kind === 'asked' || item.kind === 'failed') this.#emit(item.kind, item.entry);
      else if (item.kind === 'text') this.#read(item.entry, () => this.#emit('turnstart', item.entry));
      else this.#start(item);
    }
    this.#settleState();
  }

  #read(entry: Entry, emit: () => void): void {
    this.#decks.clear(this.#upcoming());
    this.#act = new ReadingAct(entry, () => this.#finish());
    emit();
    if (!this.#paused) this.#act.play();
    this.#settleState();
  }

  #start(item: MediaItem): void {
    const { entry } = item;
    const act: MediaAct = new MediaAct(item, this.#decks, {
      begin: () => {
        this.#emit('turnstart', entry);
        this.#settleState();
      },
      end: () => this.#finish(),
      shown: () => this.#preload(),
      soundblocked: () => {
        this.#emit('volume', this.volume);
        this.#emit('soundblocked', true);
      },
      paused: () => this.pause(),
      unplayable: () => this.#replaceByWords(act),
      refresh: (one) => this.refresh(one),
    });
    this.#act = act;
    this.#settleState();
    act.play();
  }

  #replaceByWords(act: Act): void {
    const { entry, hasBegun } = act;
    act.stop();
    this.#read(entry, () => {
      if (!hasBegun) this.#emit('turnstart', entry);
      this.#emit('unplayable', entry);
    });
  }

  #finish(): void {
    this.#stop();
    this.#advance();
  }

  /** Ends the present turn where it is. */
  #stop(): void {
    const act = this.#act;
    this.#act = undefined;
    act?.stop();
    if (act?.hasBegun) this.#emit('turnend', act.entry);
  }

  #preload(): void {
    this.#decks.preload(this.#upcoming());
  }

  /** The next recording, past everything that is none. */
  #upcoming(): MediaItem | undefined {
    let item = this.playlist.peek();
    while (item && (item.kind === 'asked' || item.kind === 'failed' || item.kind === 'text')) {
      item = this.playlist.peek(item.entry);
    }
    return item?.kind === 'video' || item?.kind === 'audio' ? item : undefined;
  }

  #settleState(): void {
    const isWaiting = this.#act ? !this.#act.hasBegun : this.playlist.peek()?.kind === 'waiting';
    const shown = this.#paused ? 'paused' : isWaiting ? 'thinking' : this.#act ? 'playing' : 'idle';
    if (shown === this.#state) return;
    this.#state = shown;
    this.#emit('state', shown);
  }
}
