/**
 * Rate limits: failures are counted strictly, because four-character slugs and passwords can be guessed; requests
 * generously, so that a hundred honest parallel calls pass. Counted in this process, or in Redis where several web
 * processes share them; while Redis is away each process counts by itself, and no door is closed or left open.
 */
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { ERRORS, PlatformError } from '../kernel/errors.ts';

/** Points within a duration in seconds, by caller address (`request` too). */
export const RATES = {
  request: { points: 3_000, duration: 60 },
  signIn: { points: 10, duration: 300 },
  signUp: { points: 30, duration: 3_600 },
  token: { points: 20, duration: 300 },
  /** Each may be a call of a language model that somebody pays. */
  translation: { points: 240, duration: 300 },
  voiceSample: { points: 60, duration: 300 },
  slugMiss: { points: 60, duration: 300 },
} as const;

export type RateName = keyof typeof RATES;

export interface RateState {
  limit: number;
  remaining: number;
  /** Seconds until the count starts anew. */
  resetS: number;
}

export interface RateLimits {
  /** Counts one; throws RATE_LIMITED when it is one too many. Undefined when limits are off. */
  count(name: RateName, address: string): Promise<RateState | undefined>;
  /** Throws RATE_LIMITED when fewer than `points` (default one) are left; counts nothing. */
  check(name: RateName, address: string, points?: number): Promise<void>;
  close(): void;
}

const OFF: RateLimits = { count: async () => undefined, check: async () => {}, close: () => {} };

export function createRateLimits(options: { enabled: boolean; redisUrl?: string }): RateLimits {
  if (!options.enabled) return OFF;
  const redis = options.redisUrl
    ? new Redis(options.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, lazyConnect: false })
    : undefined;
  redis?.on('error', () => {});
  const limiters = Object.fromEntries(
    Object.entries(RATES).map(([name, rate]) => [name, limiterOf(name, rate, redis)]),
  ) as Record<RateName, RateLimiterMemory | RateLimiterRedis>;

  const stateOf = (name: RateName, result: RateLimiterRes): RateState => ({
    limit: RATES[name].points,
    remaining: Math.max(0, result.remainingPoints),
    resetS: Math.ceil(result.msBeforeNext / 1000),
  });
  return {
    async count(name, address) {
      try {
        return stateOf(name, await limiters[name].consume(address));
      } catch (error) {
        if (error instanceof RateLimiterRes) throw tooMany(stateOf(name, error));
        return undefined;
      }
    },
    async check(name, address, points = 1) {
      const known = await limiters[name].get(address).catch(() => null);
      if (known && known.remainingPoints < points) throw tooMany(stateOf(name, known));
      const { points: limit, duration: resetS } = RATES[name];
      if (points > limit) throw tooMany({ limit, remaining: limit, resetS });
    },
    close: () => redis?.disconnect(),
  };
}

function limiterOf(name: string, rate: { points: number; duration: number }, redis: Redis | undefined) {
  const own = new RateLimiterMemory({ keyPrefix: name, ...rate });
  if (!redis) return own;
  return new RateLimiterRedis({ storeClient: redis, keyPrefix: `rate:${name}`, ...rate, insuranceLimiter: own });
}

function tooMany(state: RateState): PlatformError {
  return new PlatformError('RATE_LIMITED', ERRORS.RATE_LIMITED.text, { details: { retryAfterSeconds: state.resetS } });
}
