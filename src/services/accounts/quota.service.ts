/**
 * Holding accounts to their quotas. The counters are kept by the database (`account_usage`), whose row stays locked from
 * the statement that makes something to the commit: a check behind that statement, in its transaction, is exact.
 */
import { raw } from '@mikro-orm/core';
import { AccountUsageEntity } from '../../../schema/entities/usage.ts';
import type { Config } from '../../kernel/config.ts';
import type { Database, Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { QUOTAS, type QuotaName } from '../../kernel/quotas.ts';
import { lockCounters, oneMore, usage } from './quota.queries.ts';

type Reader = Pick<Tx | Database, 'rows'>;
type Limits = Pick<Config, 'QUOTAS'>;

/** The 400 of a quota that is used up: which one, and how much it is. */
function quotaExceeded(name: QuotaName, limit: number): PlatformError {
  return new PlatformError('QUOTA_EXCEEDED', `An account has at most ${limit} ${QUOTAS[name].what}.`, {
    details: { quota: name, limit },
  });
}

async function used(db: Reader, userId: string, name: QuotaName): Promise<number> {
  const [row] = await usage(db, { userId, name });
  return Number(row?.used ?? 0);
}

/** Behind the statement that made something, in its transaction: throws QUOTA_EXCEEDED when that was too much. */
export async function checkQuota(tx: Tx, { QUOTAS: limits }: Limits, userId: string, name: QuotaName): Promise<void> {
  if ((await used(tx, userId, name)) > limits[name]) throw quotaExceeded(name, limits[name]);
}

/** Throws when the account is full. For use before work that would be wasted, or whose size is only known at its end. */
export async function checkRoom(
  db: Reader,
  { QUOTAS: limits }: Limits,
  userId: string,
  name: QuotaName,
): Promise<void> {
  if (!(await hasRoom(db, { QUOTAS: limits }, userId, name))) throw quotaExceeded(name, limits[name]);
}

/** False for a full account, for work that is then silently left undone. */
export async function hasRoom(
  db: Reader,
  { QUOTAS: limits }: Limits,
  userId: string,
  name: QuotaName,
): Promise<boolean> {
  return (await used(db, userId, name)) < limits[name];
}

/**
 * Counts one more of what no table counts, outside of the caller's transaction; the returned function undoes it. Throws
 * QUOTA_EXCEEDED.
 */
export async function takeOne(
  db: Pick<Database, 'rows' | 'em'>,
  { QUOTAS: limits }: Limits,
  userId: string,
  name: QuotaName,
): Promise<() => Promise<void>> {
  const counted = await oneMore(db, { userId, name, limit: limits[name] });
  if (counted.length === 0) throw quotaExceeded(name, limits[name]);
  return async () => {
    const taken = { user: userId, kind: name, used: { $gt: 0 } };
    await db.em().nativeUpdate(AccountUsageEntity, taken, { used: raw('used - 1') });
  };
}

/**
 * Locks the counters of accounts, of conversations' owners and of files' owners in one order, each account's by their names: for
 * what changes several of them. What is made counts in that order too (an avatar, then its portrait's file).
 */
export async function lockUsage(
  tx: Tx,
  of: {
    userIds?: readonly string[];
    conversationIds: readonly string[];
    mediaKeys: readonly (string | null | undefined)[];
  },
): Promise<void> {
  const { userIds = [], conversationIds, mediaKeys } = of;
  await lockCounters(tx, { userIds, conversationIds, mediaKeys: mediaKeys.filter((key) => key != null) });
}
