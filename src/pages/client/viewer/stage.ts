/**
 * <avatar-stage>: one player made of many recordings. To media controls it is a media element (play, pause, muted, volume),
 * to the page it reports what happens; the playing itself is the player's. The avatar's still lies beneath it all, so that
 * the avatar is never gone: not before the first recording, not between two, not after the last.
 */
import type { TurnData } from '../../turn-data.ts';
import { type Interruption, Player, type StageEvents, type StageState } from './player.ts';
import type { Entry, Playlist } from './playlist.ts';

/** What media controls listen for. */
const MEDIA_EVENTS: { [K in keyof StageEvents]?: (detail: StageEvents[K]) => string[] } = {
  paused: (isPaused) => (isPaused ? ['pause'] : ['play', 'playing']),
  volume: () => ['volumechange'],
};

export class AvatarStage extends HTMLElement {
  #player!: Player;

  connectedCallback(): void {
    this.#player ??= new Player(this.querySelector<HTMLElement>('.figure') ?? this, (type, detail) => {
      for (const name of MEDIA_EVENTS[type]?.(detail) ?? []) this.dispatchEvent(new Event(name));
      this.dispatchEvent(new CustomEvent(type, { detail }));
    });
  }

  // What media controls ask of a media element.
  get paused(): boolean {
    return this.#player.paused;
  }
  get ended(): boolean {
    return false;
  }
  get muted(): boolean {
    return this.#player.muted;
  }
  set muted(value: boolean) {
    this.#player.setSound(value, this.volume);
  }
  get volume(): number {
    return this.#player.volume;
  }
  set volume(value: number) {
    this.#player.setSound(this.muted, value);
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
    this.#player.play();
  }
  pause(): void {
    this.#player.pause();
  }

  // What the page asks of it beyond that.
  get playlist(): Playlist {
    return this.#player.playlist;
  }
  get state(): StageState {
    return this.#player.state;
  }
  /** The turn that is being played. */
  get entry(): Entry | undefined {
    return this.#player.playback?.entry;
  }
  /** Where the current turn is, and how long it takes as far as is known, in ms. */
  get timeMs(): number {
    return this.#player.playback?.timeMs ?? 0;
  }
  get durationMs(): number {
    return this.#player.playback?.durationMs ?? 0;
  }
  set refresh(ask: (entry: Entry) => Promise<TurnData | undefined>) {
    this.#player.refresh = ask;
  }
  consider(): void {
    this.#player.consider();
  }
  hold(isHeld: boolean): void {
    this.#player.hold(isHeld);
  }
  replay(entry: Entry): void {
    this.#player.replay(entry);
  }
  skipToLatest(): void {
    this.#player.skipToLatest();
  }
  /** As `Player.interrupt`: for the page around the frame, which reports it to the server. */
  interrupt(options: { isWaitedFor: boolean }): Interruption | undefined {
    return this.#player.interrupt(options);
  }
  fallSilent(turnId: string): void {
    this.#player.fallSilent(turnId);
  }

  /** Listens to what happens on the stage, typed. */
  when<K extends keyof StageEvents>(type: K, listener: (detail: StageEvents[K]) => void): void {
    this.addEventListener(type, (event) => listener((event as CustomEvent<StageEvents[K]>).detail));
  }
}
