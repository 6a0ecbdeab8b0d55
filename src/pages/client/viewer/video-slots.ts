/** The two slots as one: which is on stage, what the other loads ahead, and how loud both are. */
import { type MediaItem, VideoSlot } from './video-slot.ts';

/** What the slot on stage reports of its recording. */
export interface MediaEvents {
  playing(): void;
  /** Also when the browser or the system paused it: media keys, headphones pulled out, a phone put away. */
  pause(): void;
  ended(): void;
  error(): void;
}

export class VideoSlots {
  readonly #slots: readonly VideoSlot[];
  #onStage: VideoSlot | undefined;
  #events: MediaEvents | undefined;
  #muted = false;
  #volume = 1;

  constructor(figure: HTMLElement) {
    this.#slots = [new VideoSlot(figure), new VideoSlot(figure)];
    for (const slot of this.#slots) {
      for (const type of ['playing', 'pause', 'ended', 'error'] as const) {
        slot.video.addEventListener(type, () => slot.item && slot === this.#onStage && this.#events?.[type]());
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
    for (const { video } of this.#slots) {
      video.muted = this.#muted;
      video.volume = this.#volume;
    }
  }

  /** Puts the recording on stage, on the slot that has it loaded or else on one that is not to be seen. */
  take(item: MediaItem, events: MediaEvents): VideoSlot {
    const ready = this.#slots.find((slot) => slot.holds(item));
    const slot = ready ?? this.#slots.find((other) => other.isHidden) ?? this.#slots[0]!;
    if (!ready) slot.load(item);
    this.#onStage = slot;
    this.#events = events;
    return slot;
  }

  /** Shows the recording on stage as soon as it has a frame; the one before it stays until then. */
  reveal(slot: VideoSlot, then: () => void): void {
    const others = this.#slots.filter((other) => other !== slot);
    if (slot.item?.kind === 'audio') for (const other of others) other.leave();
    slot.reveal(() => {
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
    for (const slot of this.#slots) if (!next || !slot.holds(next) || !slot.isHidden) slot.leave();
  }

  preload(next: MediaItem | undefined): void {
    if (!next || this.#slots.some((slot) => slot.holds(next))) return;
    this.#slots.find((slot) => slot !== this.#onStage && slot.isHidden)?.load(next);
  }
}
