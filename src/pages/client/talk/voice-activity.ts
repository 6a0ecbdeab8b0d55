/**
 * Detects speech from the loudness of a microphone: louder than the room for a moment begins an utterance, as
 * quiet as the room for a while ends it. The room's own noise is learnt as it goes.
 */

/** Below this there is no speech, however quiet the room: root mean square of samples from -1 to 1. */
const QUIETEST_SPEECH = 0.012;
/** Speech is this much louder than the room. */
const ABOVE_ROOM = 3;
/** A click or a cough is shorter. */
const BEGINS_AFTER_MS = 150;
/** Speakers pause within a sentence; a longer silence ends the utterance. */
const ENDS_AFTER_MS = 900;
/** The room is as loud as the quietest moment of the last two stretches of this length: who speaks pauses, a fan does not. */
const STRETCH_MS = 2_000;

export class VoiceActivity {
  /** The quietest moment of the stretch before, and of this one, which began at `#stretchMs`. */
  #before = QUIETEST_SPEECH / ABOVE_ROOM;
  #quietest = Number.POSITIVE_INFINITY;
  #stretchMs: number | undefined;
  #isSpeaking = false;
  /** Since when it has been loud without an utterance, or quiet within one. */
  #since: number | undefined;

  get isSpeaking(): boolean {
    return this.#isSpeaking;
  }

  /** @param level root mean square of the last moment. @returns what begins or ends with it */
  push(level: number, nowMs: number): 'begins' | 'ends' | undefined {
    this.#stretchMs ??= nowMs;
    if (nowMs - this.#stretchMs >= STRETCH_MS) {
      this.#before = this.#quietest;
      this.#quietest = level;
      this.#stretchMs = nowMs;
    }
    this.#quietest = Math.min(this.#quietest, level);
    const room = Math.min(this.#before, this.#quietest);
    const isLoud = level > Math.max(QUIETEST_SPEECH, room * ABOVE_ROOM);
    if (isLoud === this.#isSpeaking) {
      this.#since = undefined;
      return undefined;
    }
    this.#since ??= nowMs;
    if (nowMs - this.#since < (isLoud ? BEGINS_AFTER_MS : ENDS_AFTER_MS)) return undefined;
    this.#since = undefined;
    this.#isSpeaking = isLoud;
    return isLoud ? 'begins' : 'ends';
  }
}
