/**
 * Where limits are counted: in this process, or in Redis where several web processes share them. While Redis is away each process
 * counts by itself, so that limits neither refuse everything nor cease.
 */
import type { Logger } from 'pino';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import { ERRORS, PlatformError } from '../kernel/errors.ts';
import { onDemand } from '../kernel/on-demand.ts';

const ioredis = onDemand<typeof import('ioredis')>('ioredis');

/** Points within a duration in seconds. */
export interface Rate {
  points: number;
  duration: number;
}

/** Where counts are kept: Redis, or this process. */
export interface RateStore {
  isShared: boolean;
  counter(name: string, rate: Rate): RateLimiterAbstract;
  close(): void;
}

/** Opens the store. While Redis is down each process counts for itself. */
export function openRateStore(redisUrl: string | undefined, log: Pick<Logger, 'warn' | 'info'>): RateStore {
  const redis = redisUrl
    ? new (ioredis().Redis)(redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 1, lazyConnect: false })
    : undefined;
  let isLost = false;
  redis?.on('error', (error) => {
    // Logged once, not with each attempt to connect again.
    if (!isLost) log.warn({ err: error }, 'redis lost');
    isLost = true;
  });
  redis?.on('ready', () => {
    if (isLost) log.info('redis back');
    isLost = false;
  });
  return {
    isShared: redis !== undefined,
    counter(name, rate) {
      const own = new RateLimiterMemory({ keyPrefix: name, ...rate });
      if (!redis) return own;
      return new RateLimiterRedis({ storeClient: redis, keyPrefix: `rate:${name}`, ...rate, insuranceLimiter: own });
    },
    close: () => redis?.disconnect(),
  };
}

/** Asks Redis for a sign of life, once. Resolves with its version; rejects with the reason when it gives none. */
export async function pingRedis(url: string): Promise<string> {
  const redis = new (ioredis().Redis)(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: 10_000,
    commandTimeout: 10_000,
  });
  // The rejection below has the reason.
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
    const [, version] = /redis_version:(\S+)/.exec(await redis.info('server')) ?? [];
    return version ? `version ${version}` : '';
  } finally {
    redis.disconnect();
  }
}

/** The state of a budget, for response headers. */
export interface RateState {
  limit: number;
  remaining: number;
  /** Seconds until the count starts anew. */
  resetS: number;
}

/** The 429. @param afterSeconds when the caller may come back */
export function tooMany(afterSeconds: number): PlatformError {
  return new PlatformError('RATE_LIMITED', ERRORS.RATE_LIMITED.text, { details: { retryAfterSeconds: afterSeconds } });
}

/** Milliseconds in whole seconds, rounded up, at least 1. */
export const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));
