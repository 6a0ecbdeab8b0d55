/**
 * Limits of failed attempts. An attempt takes points before it is made and gets them back when it was no failure. Taking is
 * one atomic step of the store (memory, or Redis for all processes), so that no burst outruns the count. Since honest
 * attempts give theirs back, an attempt that finds no points waits while some are still out, and is refused only when
 * failures have used them up.
 */
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';

interface Held {
  points: number;
  waiting: (() => void)[];
}

/**
 * This process does not know how attempts of other processes ended, so a refusal by a shared store is retried before it counts.
 */
const ASK_AGAIN = { times: 4, afterMs: 25 };

export class AttemptLimits {
  readonly #limiter: RateLimiterAbstract;
  readonly #isShared: boolean;
  readonly #held = new Map<string, Held>();
  /**
   * How many attempts were settled so far: if this rose while the store refused, the points may be free now, and it is asked
   * again.
   */
  #settled = 0;

  constructor(limiter: RateLimiterAbstract, isShared: boolean) {
    this.#limiter = limiter;
    this.#isShared = isShared;
  }

  /** Takes points of a key; the state of its budget when failures have used it up. */
  async take(key: string, points: number): Promise<RateLimiterRes | undefined> {
    for (let asked = 0; ; ) {
      const settled = this.#settled;
      const refused = await this.#consume(key, points);
      if (!refused) {
        this.#heldOf(key).points += points;
        return undefined;
      }
      if (settled !== this.#settled) continue;
      const held = this.#held.get(key);
      if (held) await new Promise<void>((resolve) => held.waiting.push(resolve));
      else if (!this.#isShared || asked === ASK_AGAIN.times) return refused;
      else {
        asked += 1;
        await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN.afterMs));
      }
    }
  }

  /** Returns all points but those of failures, and wakes the attempts that wait for points. */
  async settle(key: string, points: number, failures: number): Promise<void> {
    const back = points - failures;
    if (back > 0) await this.#limiter.reward(key, back).catch(() => {});
    this.#settled += 1;
    const held = this.#heldOf(key);
    held.points -= points;
    if (held.points === 0) this.#held.delete(key);
    const woken = held.waiting.splice(0, held.points === 0 ? held.waiting.length : back);
    for (const wake of woken) wake();
  }

  /** Points that failures have used up. */
  async spent(key: string): Promise<number> {
    const known = await this.#limiter.get(key).catch(() => null);
    return Math.max(0, (known?.consumedPoints ?? 0) - (this.#held.get(key)?.points ?? 0));
  }

  async forget(key: string): Promise<void> {
    await this.#limiter.delete(key).catch(() => {});
  }

  #heldOf(key: string): Held {
    const held = this.#held.get(key) ?? { points: 0, waiting: [] };
    this.#held.set(key, held);
    return held;
  }

  /** While the store is away no attempt is refused. */
  async #consume(key: string, points: number): Promise<RateLimiterRes | undefined> {
    try {
      await this.#limiter.consume(key, points);
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) return undefined;
      await this.#limiter.reward(key, points).catch(() => {});
      return error;
    }
  }
}
