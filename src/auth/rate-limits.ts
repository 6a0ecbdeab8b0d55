/**
 * Rate limits: failures are counted strictly, because four-character slugs and passwords can be guessed; requests
 * generously, so that a hundred honest parallel calls pass. Callers are counted by address, IPv6 by /64 and, in a wider
 * budget, by /48.
 */
import type { Logger } from 'pino';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AttemptLimits } from './attempt-limits.ts';
import { addressKeys } from './client-network.ts';
import { openRateStore, type Rate, type RateState, seconds, tooMany } from './rate-store.ts';
import { type Outcome, type Settle, SignInDelays } from './sign-in-delays.ts';
import { SlugMisses, type SlugStats } from './slug-misses.ts';

export type { Outcome } from './sign-in-delays.ts';

/** Points within a duration in seconds, by caller address (`request` too) where nothing else is said. */
export const RATES = {
  request: { points: 3_000, duration: 60 },
  signIn: { points: 10, duration: 300 },
  signUp: { points: 30, duration: 3_600 },
  /** Each may be a mail to an address that asked for none. */
  verificationMail: { points: 5, duration: 3_600 },
  token: { points: 20, duration: 300 },
  /** Apps that register themselves without an account. */
  registration: { points: 20, duration: 3_600 },
  /** One server may send those of all users who sign in to its app. */
  pushedRequest: { points: 300, duration: 300 },
  /** Each may be a call of a language model that is paid for. */
  translation: { points: 240, duration: 300 },
  personaTryOut: { points: 120, duration: 300 },
  voiceSample: { points: 60, duration: 300 },
  transcription: { points: 120, duration: 300 },
  /** By account too: each is decoded and written anew. */
  upload: { points: 120, duration: 300 },
  /** Opening an avatar's page, and talking there: many visitors may share an address. */
  visit: { points: 240, duration: 300 },
  visitorTurn: { points: 120, duration: 300 },
  /** Counted by conversation. */
  turnOfVisitor: { points: 12, duration: 60 },
  /** Counted by avatar and network address. */
  newVisitor: { points: 20, duration: 3_600 },
  slugMiss: { points: 60, duration: 300 },
} as const;

/** A /48 has this many times the budget of a /64: a site has many users, and a guesser can have a /48. */
const WIDE_FACTOR = 8;

/** A budget of `RATES`. */
export type RateName = keyof typeof RATES;

/** Counts requests and guesses; throws RATE_LIMITED with `retryAfterSeconds`. */
export interface RateLimits {
  readonly stats: Readonly<SlugStats>;
  /**
   * Counts points, or one, of an address or of a key of at most 64 characters; throws RATE_LIMITED when they are too many.
   * Undefined when limits are off.
   */
  count(name: RateName, address: string, points?: number): Promise<RateState | undefined>;
  /** Takes points for attempts that may fail; report how many did. Throws RATE_LIMITED when failures used them up. */
  attempt(name: RateName, address: string, points?: number): Promise<(failures: number) => Promise<void>>;
  /** An attempt to sign in to one account; throws RATE_LIMITED while its delay runs. */
  signIn(email: string, address: string): Promise<Settle>;
  /** Lookups by slug, undefined where the slug is not known beforehand; throws RATE_LIMITED. */
  lookUp(address: string, slugs: readonly (string | undefined)[]): Promise<(of: Outcome[]) => Promise<void>>;
  close(): void;
}

const settled = async (): Promise<void> => {};

const OFF: RateLimits = {
  stats: { slugMisses: 0, slugsRefused: 0, slugsDelayed: 0, slugWave: 0 },
  count: async () => undefined,
  attempt: async () => settled,
  signIn: async () => settled,
  lookUp: async () => settled,
  close: () => {},
};

/** The limits of one process; shared by all processes where there is Redis. */
export function createRateLimits(options: { enabled: boolean; redisUrl?: string; log: Logger }): RateLimits {
  if (!options.enabled) return OFF;
  const store = openRateStore(options.redisUrl, options.log);
  const names = Object.keys(RATES) as RateName[];
  const budgetOf = (name: RateName) => {
    const rate: Rate = RATES[name];
    const narrow = store.counter(name, rate);
    const wide = store.counter(`${name}:wide`, { ...rate, points: rate.points * WIDE_FACTOR });
    const reserve = (counter: typeof narrow) => new AttemptLimits(counter, store.isShared);
    return { rate, counters: { narrow, wide }, reservations: { narrow: reserve(narrow), wide: reserve(wide) } };
  };
  const budgets = new Map(names.map((name) => [name, budgetOf(name)]));
  const budget = (name: RateName): ReturnType<typeof budgetOf> => {
    const known = budgets.get(name);
    if (!known) throw new Error(`There is no rate ${name}.`);
    return known;
  };
  /** The one or two keys that an address is counted under, each with the counter of a budget that it belongs to. */
  const keysOf = (address: string): ['narrow' | 'wide', string][] => {
    const { narrow, wide } = addressKeys(address);
    return wide
      ? [
          ['narrow', narrow],
          ['wide', wide],
        ]
      : [['narrow', narrow]];
  };

  async function count(name: RateName, address: string, points = 1): Promise<RateState | undefined> {
    const { rate, counters } = budget(name);
    let state: RateState | undefined;
    for (const [prefix, key] of keysOf(address)) {
      try {
        const { remainingPoints, msBeforeNext } = await counters[prefix].consume(key, points);
        state ??= { limit: rate.points, remaining: remainingPoints, resetS: Math.ceil(msBeforeNext / 1_000) };
      } catch (error) {
        if (error instanceof RateLimiterRes) throw tooMany(seconds(error.msBeforeNext));
      }
    }
    return state;
  }

  async function attempt(name: RateName, address: string, points = 1): Promise<(failures: number) => Promise<void>> {
    const { rate, reservations } = budget(name);
    if (points > rate.points) throw tooMany(rate.duration);
    const taken: [AttemptLimits, string][] = [];
    const settle = async (failures: number): Promise<void> => {
      await Promise.all(taken.map(([reservation, key]) => reservation.settle(key, points, failures)));
    };
    for (const [prefix, key] of keysOf(address)) {
      const refused = await reservations[prefix].take(key, points);
      if (refused) {
        await settle(0);
        throw tooMany(seconds(refused.msBeforeNext));
      }
      taken.push([reservations[prefix], key]);
    }
    return settle;
  }

  const ownMisses = {
    take: (address: string, points: number) => attempt('slugMiss', address, points),
    spent: (address: string) => budget('slugMiss').reservations.narrow.spent(addressKeys(address).narrow),
  };
  const misses = new SlugMisses(store, ownMisses, options.log);
  const delays = new SignInDelays(store);
  return {
    stats: misses.stats,
    count,
    attempt,
    signIn: (email, address) => delays.attempt(email, address),
    lookUp: (address, slugs) => misses.lookUp(address, slugs),
    close: () => store.close(),
  };
}
