/** Decoded blocks put together: mixed to mono, without what lies before time 0, and no longer than allowed. */
import { checkSound, type Refuse } from './refusal.ts';

/** A decoded block; each plane is one channel of at least `frames` samples, from -1 to 1. */
export interface Block {
  planes: Float32Array[];
  frames: number;
  rate: number;
  /** Second of the first sample, where the container says. Before 0 is the decoder's run-up, which is not heard. */
  at?: number;
}

/** A last packet may decode to more than its declared length (AAC, Vorbis); more than this much is a lie. */
const LAST_PACKET = 8_192;

export class Collector {
  readonly #maxSeconds: number;
  readonly #slackS: number;
  readonly #refuse: Refuse;
  readonly #blocks: Int16Array[] = [];
  #rate = 0;
  #total = 0;

  constructor(maxSeconds: number, slackS: number, refuse: Refuse) {
    this.#maxSeconds = maxSeconds;
    this.#slackS = slackS;
    this.#refuse = refuse;
  }

  /** Adds a block. False once there is more than may be kept. */
  add({ planes, frames, rate, at = 0 }: Block): boolean {
    this.#rate ||= rate;
    if (rate !== this.#rate) this.#refuse('changes its sample rate on the way: it must keep one.');
    checkSound(rate, planes.length, this.#refuse);
    const skipped = at < 0 ? Math.min(frames, Math.round(-at * rate)) : 0;
    const block = mono(planes, skipped, frames);
    this.#blocks.push(block);
    this.#total += block.length;
    return this.#total <= (this.#maxSeconds + this.#slackS) * rate;
  }

  /** @param declaredS the length that the container gives, which is the true one when the last packet was filled up */
  finish(declaredS = Number.POSITIVE_INFINITY): { pcm: Int16Array; rate: number } {
    if (this.#total === 0) this.#refuse('has no sound in it.');
    const declared = Math.round(declaredS * this.#rate);
    const whole = declared > this.#total - LAST_PACKET ? Math.min(declared, this.#total) : this.#total;
    const pcm = new Int16Array(Math.min(whole, Math.floor(this.#maxSeconds * this.#rate)));
    let at = 0;
    for (const block of this.#blocks) {
      pcm.set(block.subarray(0, pcm.length - at), at);
      at = Math.min(pcm.length, at + block.length);
    }
    return { pcm, rate: this.#rate };
  }
}

function mono(planes: Float32Array[], from: number, to: number): Int16Array {
  const mixed = new Int16Array(to - from);
  for (let i = from; i < to; i++) {
    let sum = 0;
    for (const plane of planes) sum += plane[i] ?? 0;
    // A damaged float file may hold anything at all: not a number is silence.
    mixed[i - from] = Math.max(-32768, Math.min(32767, Math.round((sum / planes.length) * 32767) || 0));
  }
  return mixed;
}
