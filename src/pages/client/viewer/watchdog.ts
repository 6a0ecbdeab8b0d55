/**
 * Notices a recording that neither moves nor loads any more: a connection that hangs and a decoder that is stuck send no
 * `error` event, and a long session must not end there. It only reports; what to do about it is the player's business.
 */

/** A server under load draws a fragment in less; a viewer would not wait longer. */
const PATIENCE_MS = 8_000;
/** One look counts for no more than this, so that a machine that slept does not wake to a recording given up. */
const MAX_STEP_MS = 1_000;

export class Watchdog {
  #life = '';
  #stillMs = 0;
  #lookedMs = 0;

  /** Looks at the recording that should be playing; true once it has been still for too long. Call it often. */
  isStuck(video: HTMLVideoElement, nowMs = performance.now()): boolean {
    const { buffered, currentTime, src } = video;
    const life = `${src} ${currentTime} ${buffered.length && buffered.end(buffered.length - 1)}`;
    this.#stillMs = life === this.#life ? this.#stillMs + Math.min(nowMs - this.#lookedMs, MAX_STEP_MS) : 0;
    this.#life = life;
    this.#lookedMs = nowMs;
    return this.#stillMs >= PATIENCE_MS;
  }

  /** A pause is no standstill: patience starts anew. */
  rest(): void {
    this.#life = '';
  }
}
