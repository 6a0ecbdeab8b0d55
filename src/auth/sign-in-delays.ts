/**
 * Guessed passwords of one account, from however many addresses: some wrong ones are free, then one attempt is made
 * each 2, 4, 8 ... 300 seconds. A user who has signed in from an address lately is not kept out by others' guesses: there
 * only the budget of the address counts. An account that does not exist is treated as one that does.
 */
import { RateLimiterRes } from 'rate-limiter-flexible';
import { sha256 } from '../kernel/ids.ts';
import { AttemptLimits } from './attempt-limits.ts';
import { addressKeys } from './client-network.ts';
import { type RateStore, seconds, tooMany } from './rate-store.ts';

/** How an attempt ended; `other`: it was not decided whether the password is right (bad input, database away). */
export type Outcome = 'ok' | 'failed' | 'other';

/** Reports how the attempt to sign in ended; call it exactly once. */
export type Settle = (outcome: Outcome) => Promise<void>;

const DAY_S = 86_400;
const FREE_FAILURES = 10;
const MAX_DELAY_S = 300;
const FAMILIAR_S = 14 * DAY_S;

export class SignInDelays {
  readonly #free: AttemptLimits;
  /** Wrong passwords beyond the free ones, and the one attempt that may be made at a time. */
  readonly #late;
  readonly #turn;
  readonly #familiar;

  constructor(store: RateStore) {
    const free = store.counter('signInFree', { points: FREE_FAILURES, duration: DAY_S });
    this.#free = new AttemptLimits(free, store.isShared);
    this.#late = store.counter('signInLate', { points: Number.MAX_SAFE_INTEGER, duration: DAY_S });
    this.#turn = store.counter('signInTurn', { points: 1, duration: 1 });
    this.#familiar = store.counter('signInFamiliar', { points: 1, duration: FAMILIAR_S });
  }

  /** Admits an attempt; report its outcome to the result. Throws RATE_LIMITED while the account's delay runs. */
  async attempt(email: string, address: string): Promise<Settle> {
    const account = sha256(email.trim().toLowerCase());
    const key = `${account}:${addressKeys(address).narrow}`;
    if (await this.#familiar.get(key).catch(() => null)) return async () => {};
    if (!(await this.#free.take(account, 1))) {
      return async (outcome) => {
        await this.#free.settle(account, 1, outcome === 'failed' ? 1 : 0);
        if (outcome === 'ok') await this.#reset(account, key);
      };
    }
    await this.#takeTurn(account);
    return async (outcome) => {
      if (outcome === 'ok') await this.#reset(account, key);
      else if (outcome === 'other') await this.#late.reward(account).catch(() => {});
    };
  }

  async #takeTurn(account: string): Promise<void> {
    try {
      const { consumedPoints } = await this.#late.consume(account);
      const customDuration = Math.min(2 ** consumedPoints, MAX_DELAY_S);
      await this.#turn.consume(account, 1, { customDuration });
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) return;
      await this.#late.reward(account).catch(() => {});
      throw tooMany(seconds(error.msBeforeNext));
    }
  }

  async #reset(account: string, key: string): Promise<void> {
    await this.#familiar.set(key, 1, FAMILIAR_S).catch(() => {});
    await this.#free.forget(account);
    for (const counter of [this.#late, this.#turn]) await counter.delete(account).catch(() => {});
  }
}
