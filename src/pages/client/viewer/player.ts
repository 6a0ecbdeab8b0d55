/**
 * Plays the turns of a playlist one after another: recordings above the avatar's still, written turns and those whose recording
 * cannot be played as words. It knows when something is to be played, never how.
 */
import type { TurnData } from '../../turn-data.ts';
import { MediaPlayback } from './media-playback.ts';
import { type Entry, Playlist } from './playlist.ts';
import { ReadingPlayback, type TurnPlayback } from './turn-playback.ts';
import type { MediaItem } from './video-slot.ts';
import { VideoSlots } from './video-slots.ts';

/** What the stage is doing. */
export type StageState = 'idle' | 'thinking' | 'playing' | 'paused';

/** Events of the stage, with their details. */
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

/** Dispatches an event of the stage. */
export type Emit = <K extends keyof StageEvents>(type: K, detail: StageEvents[K]) => void;

export class Player {
  readonly playlist = new Playlist();
  /** Asked for the turn with freshly signed links when a recording cannot be loaded. */
  refresh: (entry: Entry) => Promise<TurnData | undefined> = async () => undefined;
  readonly #emit: Emit;
  readonly #slots: VideoSlots;
  #playback: TurnPlayback | undefined;
  #paused = true;
  #isHeld = false;
  #state: StageState = 'idle';

  constructor(figure: HTMLElement, emit: Emit) {
    this.#emit = emit;
    this.#slots = new VideoSlots(figure);
  }

  get paused(): boolean {
    return this.#paused;
  }
  get muted(): boolean {
    return this.#slots.muted;
  }
  get volume(): number {
    return this.#slots.volume;
  }
  get state(): StageState {
    return this.#state;
  }
  /** The turn that is being played. */
  get playback(): TurnPlayback | undefined {
    return this.#playback;
  }

  setSound(muted: boolean, volume: number): void {
    this.#slots.setSound(muted, volume);
    this.#emit('volume', this.volume);
    if (!muted) this.#emit('soundblocked', false);
  }

  play(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#emit('paused', false);
    if (this.#playback) this.#playback.play();
    else this.#advance();
    this.#settleState();
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#playback?.pause();
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
   * was; undefined where there is nothing to report: no avatar answers, its words are only shown, or they are a replay.
   */
  interrupt({ isWaitedFor }: { isWaitedFor: boolean }): Interruption | undefined {
    const playback = this.#playback;
    if (!isWaitedFor && !playback?.hasBegun) return undefined;
    const item = this.playlist.peek();
    const entry = playback?.entry ?? (item?.kind === 'waiting' ? item.entry : undefined);
    if (entry?.turn.role !== 'avatar') return undefined;
    const isNotified = !(playback instanceof ReadingPlayback) && !this.playlist.isReplay(entry);
    const heardMs = Math.round(playback?.timeMs ?? 0);
    this.playlist.interrupt(entry);
    this.#finish();
    return isNotified ? { turnId: entry.turn.id, heardMs } : undefined;
  }

  /** This turn was interrupted elsewhere: it falls silent here too. */
  fallSilent(turnId: string): void {
    if (this.#playback?.entry.turn.id === turnId) this.#finish();
  }

  #advance(): void {
    while (!this.#playback && !this.#paused && !this.#isHeld) {
      const item = this.playlist.peek();
      if (!item || item.kind === 'waiting') {
        this.#slots.clear(this.#upcoming());
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
    this.#slots.clear(this.#upcoming());
    this.#playback = new ReadingPlayback(entry, () => this.#finish());
    emit();
    if (!this.#paused) this.#playback.play();
    this.#settleState();
  }

  #start(item: MediaItem): void {
    const { entry } = item;
    const playback: MediaPlayback = new MediaPlayback(item, this.#slots, {
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
      unplayable: () => this.#replaceByWords(playback),
      refresh: (one) => this.refresh(one),
    });
    this.#playback = playback;
    this.#settleState();
    playback.play();
  }

  #replaceByWords(playback: TurnPlayback): void {
    const { entry, hasBegun } = playback;
    playback.stop();
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
    const playback = this.#playback;
    this.#playback = undefined;
    playback?.stop();
    if (playback?.hasBegun) this.#emit('turnend', playback.entry);
  }

  #preload(): void {
    this.#slots.preload(this.#upcoming());
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
    const isWaiting = this.#playback ? !this.#playback.hasBegun : this.playlist.peek()?.kind === 'waiting';
    const shown = this.#paused ? 'paused' : isWaiting ? 'thinking' : this.#playback ? 'playing' : 'idle';
    if (shown === this.#state) return;
    this.#state = shown;
    this.#emit('state', shown);
  }
}
