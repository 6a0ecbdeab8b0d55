/**
 * A turn that is a recording. One that fails or stalls is tried once more from where it stood, under a fresh address; when
 * that does not help either it says so, and leaves what to do about it to the player.
 */
import type { TurnData } from '../../turn-data.ts';
import type { Entry } from './playlist.ts';
import type { TurnPlayback } from './turn-playback.ts';
import type { MediaItem, VideoSlot } from './video-slot.ts';
import type { VideoSlots } from './video-slots.ts';
import { Watchdog } from './watchdog.ts';

/** What a playback reports to the player. */
export interface MediaPlaybackEvents {
  begin(): void;
  end(): void;
  /** Its frame is there: what comes next may be loaded. */
  shown(): void;
  /** The browser wants a tap before there is sound; the recording plays on without. */
  soundblocked(): void;
  /** Something else than the player paused it, or the browser plays nothing at all before a tap. */
  paused(): void;
  unplayable(): void;
  /** The turn with freshly signed links. */
  refresh(entry: Entry): Promise<TurnData | undefined>;
}

const LOOK_MS = 500;
/** A recording that stops this close before its end has been heard. */
const HEARD_MS = 300;

export class MediaPlayback implements TurnPlayback {
  hasBegun = false;
  readonly #slots: VideoSlots;
  readonly #events: MediaPlaybackEvents;
  readonly #slot: VideoSlot;
  readonly #watchdog = new Watchdog();
  #item: MediaItem;
  #isPaused = true;
  #isRetried = false;
  #isOver = false;
  #ticker: ReturnType<typeof setInterval>;

  constructor(item: MediaItem, slots: VideoSlots, events: MediaPlaybackEvents) {
    this.#item = item;
    this.#slots = slots;
    this.#events = events;
    this.#slot = slots.take(item, {
      playing: () => this.#begin(),
      ended: () => events.end(),
      error: () => void this.#recover(),
      pause: () => this.#onPause(),
    });
    this.#ticker = setInterval(() => this.#look(), LOOK_MS);
    slots.reveal(this.#slot, events.shown);
  }

  get entry(): Entry {
    return this.#item.entry;
  }
  get timeMs(): number {
    return this.#slot.video.currentTime * 1000;
  }
  get durationMs(): number {
    return (this.entry.turn.seconds ?? 0) * 1000;
  }

  play(): void {
    this.#isPaused = false;
    void this.#run();
  }

  pause(): void {
    this.#isPaused = true;
    this.#slot.video.pause();
  }

  stop(): void {
    this.#isOver = true;
    clearInterval(this.#ticker);
    this.#slots.release();
  }

  #begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.#events.begin();
  }

  #onPause(): void {
    const { paused, ended, error } = this.#slot.video;
    if (paused && !ended && !error && !this.#isPaused) this.#events.paused();
  }

  /** Plays with sound, without it when the browser insists, and pauses when it refuses even that. */
  async #run(): Promise<void> {
    this.#slots.setSound(this.#slots.muted, this.#slots.volume);
    try {
      await this.#slot.video.play();
    } catch (error) {
      if ((error as DOMException).name !== 'NotAllowedError' || this.#isOver) return;
      if (this.#slots.muted) return this.#events.paused();
      this.#slots.setSound(true, this.#slots.volume);
      this.#events.soundblocked();
      await this.#run();
    }
  }

  #look(): void {
    if (this.#isPaused) this.#watchdog.rest();
    else if (this.#watchdog.isStuck(this.#slot.video)) void this.#recover();
  }

  async #recover(): Promise<void> {
    const { entry, timeMs } = this;
    if (this.hasBegun && this.durationMs > 0 && timeMs >= this.durationMs - HEARD_MS) return this.#events.end();
    this.#watchdog.rest();
    const isFirst = !this.#isRetried;
    this.#isRetried = true;
    const fresh = isFirst ? await this.#events.refresh(entry).catch(() => undefined) : undefined;
    if (this.#isOver) return;
    const file = this.#item.kind === 'video' ? fresh?.videoUrl : fresh?.audioUrl;
    const src = file ?? fresh?.streamUrl;
    if (!fresh || !src) return this.#events.unplayable();
    entry.turn = fresh;
    this.#item = { ...this.#item, src };
    // What is still being drawn can only be had from its start.
    this.#slot.load(this.#item, file ? timeMs / 1000 : 0);
    this.#slots.reveal(this.#slot, this.#events.shown);
    if (!this.#isPaused) await this.#run();
  }
}
