/**
 * Guessed slugs. The documented form has four characters, so what keeps a guesser from another user's link is how many
 * misses there may be: so many from an address, and so many in the whole instance, however many addresses they come
 * from. When the instance's are used up (a wave), a caller who has missed lately is refused, and first lookups of all
 * others go through one by one, with delay. What an address has opened it may open again at any time: that is no guess.
 * At most INSTANCE.points + TRICKLE.points a second are missed in a window, by however many addresses.
 */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AttemptLimits } from './attempt-limits.ts';
import { addressKeys } from './client-network.ts';
import { type Rate, type RateStore, seconds, tooMany } from './rate-store.ts';
import type { Outcome } from './sign-in-delays.ts';

/** Lookups of unknown slugs that the whole instance answers at full speed. */
export const INSTANCE: Rate = { points: 1_200, duration: 300 };
const TRICKLE: Rate = { points: 2, duration: 1 };
const TRICKLE_WAIT_MS = 4_000;
const MAX_WAITING = 50;
const OPENED = { max: 50_000, ttl: 60 * 60_000 };
const ALL = 'all';

/** Counters for the metrics. */
export interface SlugStats {
  /** Lookups of unknown slugs. */
  slugMisses: number;
  /** Lookups that were refused during a wave. */
  slugsRefused: number;
  /** Lookups that were delayed during a wave. */
  slugsDelayed: number;
  /** 1 while a wave lasts, else 0. */
  slugWave: number;
}

/**
 * The budget of an address. `take` throws RATE_LIMITED, and returns what reports how many lookups missed; `spent` says how many
 * points misses have used up.
 */
export interface OwnBudget {
  take(address: string, points: number): Promise<(failures: number) => Promise<void>>;
  spent(address: string): Promise<number>;
}

/** Slows down and refuses lookups while too many of them miss: slugs are being guessed. */
export class SlugMisses {
  readonly stats: SlugStats = { slugMisses: 0, slugsRefused: 0, slugsDelayed: 0, slugWave: 0 };
  readonly #own: OwnBudget;
  readonly #all: AttemptLimits;
  readonly #trickle;
  readonly #log: Logger;
  /** Address and slug that were right together. */
  readonly #opened = new LRUCache<string, true>(OPENED);
  #waiting = 0;

  constructor(store: RateStore, own: OwnBudget, log: Logger) {
    this.#own = own;
    this.#all = new AttemptLimits(store.counter('slugMissAll', INSTANCE), store.isShared);
    this.#trickle = store.counter('slugTrickle', TRICKLE);
    this.#log = log;
  }

  /** Lets slugs be looked up; report what became of each. Throws RATE_LIMITED. Undefined: a slug that was not read. */
  async lookUp(address: string, slugs: readonly (string | undefined)[]): Promise<(of: Outcome[]) => Promise<void>> {
    const { narrow } = addressKeys(address);
    const pairs = slugs.map((slug) => slug && `${narrow} ${slug.toLowerCase()}`);
    const fresh = pairs.filter((pair) => !pair || !this.#opened.has(pair)).length;
    const settle = fresh > 0 ? await this.#take(address, fresh) : async () => {};
    return async (outcomes) => {
      let failures = 0;
      for (const [index, pair] of pairs.entries()) {
        const isFailed = outcomes[index] === 'failed';
        if (isFailed && !(pair && this.#opened.delete(pair))) failures += 1;
        if (pair && outcomes[index] === 'ok') this.#opened.set(pair, true);
      }
      this.stats.slugMisses += failures;
      await settle(Math.min(failures, fresh));
    };
  }

  async #take(address: string, points: number): Promise<(failures: number) => Promise<void>> {
    const settleOwn = await this.#own.take(address, points).catch((error) => this.#refuse(error));
    const wave = await this.#all.take(ALL, points);
    if (!wave) {
      this.#calm();
      return async (failures) => {
        await Promise.all([settleOwn(failures), this.#all.settle(ALL, points, failures)]);
      };
    }
    this.#noteWave();
    try {
      if ((await this.#own.spent(address)) > 0) throw tooMany(seconds(wave.msBeforeNext));
      for (let point = 0; point < points; point += 1) await this.#pass();
    } catch (error) {
      await settleOwn(0);
      this.#refuse(error);
    }
    return settleOwn;
  }

  /** One of the few a second that still go through. */
  async #pass(): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw tooMany(seconds(TRICKLE_WAIT_MS));
    this.#waiting += 1;
    try {
      for (const endMs = performance.now() + TRICKLE_WAIT_MS; ; ) {
        const refused = await this.#trickle.consume(ALL).then(
          () => undefined,
          (error: unknown) => (error instanceof RateLimiterRes ? error : undefined),
        );
        if (!refused) break;
        if (performance.now() > endMs) throw tooMany(seconds(TRICKLE_WAIT_MS));
        await new Promise((resolve) => setTimeout(resolve, Math.max(10, refused.msBeforeNext)));
      }
      this.stats.slugsDelayed += 1;
    } finally {
      this.#waiting -= 1;
    }
  }

  #refuse(error: unknown): never {
    this.stats.slugsRefused += 1;
    throw error;
  }

  #noteWave(): void {
    if (this.stats.slugWave === 1) return;
    this.stats.slugWave = 1;
    this.#log.warn({ misses: INSTANCE.points, seconds: INSTANCE.duration }, 'slug miss wave began');
  }

  #calm(): void {
    if (this.stats.slugWave === 0) return;
    this.stats.slugWave = 0;
    this.#log.warn({ misses: this.stats.slugMisses, refused: this.stats.slugsRefused }, 'slug miss wave ended');
  }
}
