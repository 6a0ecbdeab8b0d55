/** One turn on stage, whatever it is made of; and the simplest kind, words that stand for a reading time. */
import { spokenText } from '../../turn-data.ts';
import type { Entry } from './playlist.ts';

/** A turn being played, whatever it is made of. */
export interface TurnPlayback {
  readonly entry: Entry;
  /** A recording begins when it is first heard or seen, not when it starts to load. */
  readonly hasBegun: boolean;
  /** Where it is, and how long it takes as far as is known, in ms. */
  readonly timeMs: number;
  readonly durationMs: number;
  play(): void;
  pause(): void;
  /** Takes it off the stage; it reports nothing more. */
  stop(): void;
}

/** A calm reader's pace, within bounds. */
const READ_MS_PER_CHAR = 62;
const READ_MS = { min: 1_800, max: 12_000 };
const TICK_MS = 100;

export class ReadingPlayback implements TurnPlayback {
  readonly entry: Entry;
  readonly hasBegun = true;
  readonly durationMs: number;
  timeMs = 0;
  readonly #end: () => void;
  #ticker: ReturnType<typeof setInterval> | undefined;

  constructor(entry: Entry, end: () => void) {
    this.entry = entry;
    this.durationMs = Math.min(READ_MS.max, Math.max(READ_MS.min, spokenText(entry.turn).length * READ_MS_PER_CHAR));
    this.#end = end;
  }

  play(): void {
    clearInterval(this.#ticker);
    this.#ticker = setInterval(() => {
      this.timeMs += TICK_MS;
      if (this.timeMs >= this.durationMs) this.#end();
    }, TICK_MS);
  }

  pause(): void {
    clearInterval(this.#ticker);
  }

  stop(): void {
    clearInterval(this.#ticker);
  }
}
