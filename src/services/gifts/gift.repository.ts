/**
 * Gifts as they are stored. Their times are PostgreSQL's, not a process's: whether an intent has run out is decided where it
 * is locked, by one clock for all processes.
 */
import { type Loaded, LockMode, raw } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import { GiftIntentEntity } from '../../../schema/entities/gifts.ts';
import { byId, type Keyset } from '../../kernel/keyset.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** The time at which PostgreSQL received the statement; the same at every place in it. */
const ARRIVED = '(extract(epoch from statement_timestamp()) * 1000)::bigint';

/** A gift as it is stored; amounts in micro-credits. */
export interface IntentRow {
  id: string;
  fromUserId: string;
  toUserId: string;
  toAsSent: string;
  amount: bigint;
  note: string | null;
  clientId: string | null;
  createdAt: number;
  expiresAt: number;
  /** `expired`: it was not resolved in time. */
  status: GiftIntentEntity['status'] | 'expired';
}

/** A gift that is proposed. */
export interface NewIntent extends Pick<IntentRow, 'id' | 'fromUserId' | 'toUserId' | 'toAsSent' | 'amount'> {
  note: string | null;
  clientId: string | null;
  /** How long it may wait, in milliseconds. */
  ms: number;
}

class GiftIntentRepository extends SqlEntityRepository<GiftIntentEntity> {
  /** The intent, read anew; null where there is none. */
  async withId(id: string): Promise<IntentRow | null> {
    const intent = await this.findOne({ id }, { populate: ['hasRunOut'], refresh: true });
    return intent && rowOf(intent);
  }

  /** Those of these ids that one account proposed. */
  async ofSender(from: string, ids: readonly string[]): Promise<IntentRow[]> {
    return (await this.find({ id: { $in: [...ids] }, from }, { populate: ['hasRunOut'] })).map(rowOf);
  }

  /** Locks the intent: other transactions that would resolve it wait until this one ends. */
  async lock(id: string): Promise<void> {
    await this.findOne({ id }, { fields: ['id'], lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** Adds one, and reads the times that PostgreSQL gave it. */
  async add({ fromUserId: from, toUserId: to, ms, ...intent }: NewIntent): Promise<IntentRow> {
    const times = { createdAt: raw(ARRIVED), expiresAt: raw(`${ARRIVED} + ?`, [ms]) };
    await this.insert({ ...intent, ...times, from, to });
    return rowOf(await this.findOneOrFail({ id: intent.id }, { populate: ['hasRunOut'] }));
  }

  /**
   * Resolves an intent that is pending and has not run out; false for any other. One statement, so that of two callers only one
   * resolves it.
   */
  async resolve(id: string, status: 'confirmed' | 'cancelled'): Promise<boolean> {
    const open = { id, status: 'pending', expiresAt: { $gt: raw('now_ms()') } } as const;
    return (await this.nativeUpdate(open, { status, resolvedAt: raw('now_ms()') })) > 0;
  }

  /** Confirmed gifts from one user to another, by their ids. */
  sent(from: string, to: string, keyset: Keyset): Promise<GiftIntentEntity[]> {
    const [between, options] = byId(keyset);
    return this.find({ from, to, status: 'confirmed', ...between }, options);
  }

  /** Confirmed gifts to this account that are among these ids, with who gave them. */
  received(to: string, ids: readonly string[]): Promise<Loaded<GiftIntentEntity, 'from'>[]> {
    return this.find({ id: { $in: [...ids] }, to, status: 'confirmed' }, { populate: ['from'] });
  }
}
/** Gifts of an entity manager. */
export const giftIntents = repositoryOf(GiftIntentEntity, GiftIntentRepository);

const rowOf = ({ from, to, status, hasRunOut, ...intent }: GiftIntentEntity): IntentRow => ({
  id: intent.id,
  fromUserId: from.id,
  toUserId: to.id,
  toAsSent: intent.toAsSent,
  amount: intent.amount,
  note: intent.note ?? null,
  clientId: intent.clientId ?? null,
  createdAt: intent.createdAt,
  expiresAt: intent.expiresAt,
  status: status === 'pending' && hasRunOut ? 'expired' : status,
});
