/**
 * Gifts of credits in two phases: an app or the sender proposes, which moves nothing; the sender
 * alone confirms, signed in, within ten minutes. Only global credits move, and only those that no hold has set aside.
 */

import type { Loaded } from '@mikro-orm/core';
import type { GiftIntentEntity } from '../../../schema/entities/gifts.ts';
import { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import type {
  GiftConfirmation,
  GiftIntent,
  GiftStatus,
  GivenGift,
  ReceivedGift,
  SentGift,
  SentGifts,
} from '../../../schema/gift.ts';
import type { ProposeGiftInput } from '../../../schema/inputs/gift.ts';
import type { Principal } from '../../auth/principal.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import { fromMicro } from '../../kernel/credits.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { one } from '../../kernel/named-statements.ts';
import { balanceOf } from '../../ledger/reads.ts';
import { giveGift, lockGiftAccounts } from '../../ledger/transfers.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { findUser, users } from '../accounts/user.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { SubjectOf } from '../tribes/tribe.service.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import { givenGifts, receivedGifts, sumOfSent } from './gift.queries.ts';
import { giftIntents, type IntentRow } from './gift.repository.ts';

/** How long an intent may wait for its sender. */
const GIFT_MS = 10 * MINUTE_MS;
const SENT: Listing<{ id: string }> = { name: 'SentGift', order: 'desc', keyOf: ({ id }) => id };
const RECEIVED: Listing<{ id: string }> = { name: 'ReceivedGift', order: 'desc', keyOf: ({ id }) => id };
const GIVEN: Listing<{ id: string }> = { name: 'GivenGift', order: 'desc', keyOf: ({ id }) => id };

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'log' | 'audit'>;

export class Gifts {
  readonly #p: Needs;
  readonly #subjectOf: SubjectOf;

  constructor(platform: Needs, subjectOf: SubjectOf) {
    this.#p = platform;
    this.#subjectOf = subjectOf;
  }

  /** Proposes a gift. Throws 400 (self-gift, too little to give, with both amounts) or 404. */
  async propose(principal: Principal, { to: asSent, amount, note = null }: ProposeGiftInput): Promise<GiftIntent> {
    const recipient = await findUser(this.#p.db, asSent, 'Recipient not found.');
    if (recipient.userId === principal.userId) throw new PlatformError('SELF_GIFT');
    const { transferable } = await balanceOf(this.#p.db, principal.userId);
    if (amount > transferable) throw tooLittle(transferable, amount);
    const id = newId('gft', this.#p.clock.now());
    const ends = { fromUserId: principal.userId, toUserId: recipient.userId, toAsSent: asSent };
    const clientId = principal.clientId ?? null;
    return this.#p.db.transaction(async (tx) => {
      await this.#holdEnds(tx, ends);
      const row = await giftIntents(tx.em).add({ id, ...ends, amount, note, clientId, ms: GIFT_MS });
      const proposed = this.#show(principal, row);
      keepResult(tx, principal, proposed);
      return proposed;
    });
  }

  /** An intent: for its sender, and for no other app than the one that proposed it. */
  async read(principal: Principal, intentId: string): Promise<GiftIntent> {
    return this.#show(principal, await this.#readable(principal, intentId));
  }

  async #readable(principal: Principal, intentId: string): Promise<IntentRow> {
    const row = await this.#find(intentId);
    if (row.fromUserId !== principal.userId) throw new PlatformError('FORBIDDEN', 'This is not your gift.');
    if (principal.kind === 'token' && row.clientId !== principal.clientId) throw otherApp();
    return row;
  }

  /** What the confirmation page shows its sender. */
  async confirmation(principal: Principal, intentId: string): Promise<GiftConfirmation> {
    const row = await this.#readable(principal, intentId);
    const intent = this.#show(principal, row);
    const recipient = await findUser(this.#p.db, intent.to, 'Recipient not found.');
    const { transferable } = await balanceOf(this.#p.db, principal.userId);
    const app = row.clientId === null ? null : await this.#p.db.em().findOne(OAuthClientEntity, { id: row.clientId });
    return {
      intent,
      transferable,
      toDisplayName: recipient.displayName,
      toStreamUsername: recipient.streamUsername,
      appName: app?.name ?? null,
      appHosts: app?.redirectDomains ?? [],
    };
  }

  /**
   * Moves the credits, once. Accounts are locked before the intent, and the clock is read under both locks: an intent
   * that ran out while this waited is expired. Throws 400 (too little to give), 403, 404, 409 or 410.
   */
  async confirm(principal: Principal, intentId: string): Promise<GiftIntent> {
    const seen = await this.#find(intentId);
    if (seen.fromUserId !== principal.userId) throw new PlatformError('FORBIDDEN', 'This is not your gift.');
    refuseEnded(seen);
    const { amount } = seen;
    return this.#p.db.transaction(async (tx) => {
      await this.#holdEnds(tx, seen);
      const gift = await lockGiftAccounts(tx, seen.fromUserId, seen.toUserId);
      const intents = giftIntents(tx.em);
      await intents.lock(intentId);
      if (!(await intents.resolve(intentId, 'confirmed'))) {
        const now = await intents.withId(intentId);
        if (now) refuseEnded(now);
        throw new Error(`Gift ${intentId} is ${now?.status ?? 'gone'} and could not be confirmed.`);
      }
      if (amount > gift.transferable) throw tooLittle(gift.transferable, amount);
      const ends = { fromUserId: seen.fromUserId, toUserId: seen.toUserId };
      const memo = seen.note ? { memo: seen.note } : {};
      await giveGift(tx, gift, { source: `gift:${intentId}`, amount, ...ends, ...memo }, this.#p.clock.now());
      notifyWebhooks(tx, 'gift', intentId, this.#p.clock.now());
      this.#p.audit.record(tx, principal, 'gift_confirmed', { userId: principal.userId, subject: intentId });
      tx.afterCommit(() => this.#p.log.info({ intentId }, 'gift confirmed'));
      const shown = this.#show(principal, { ...seen, status: 'confirmed' });
      keepResult(tx, principal, shown);
      return shown;
    });
  }

  /** Cancels a pending intent; one that has ended keeps and shows its status. Sender first-party, or the same app. */
  async cancel(principal: Principal, intentId: string): Promise<GiftStatus> {
    const row = await this.#find(intentId);
    if (principal.kind === 'token') {
      if (row.clientId !== principal.clientId) throw otherApp();
    } else if (row.fromUserId !== principal.userId) throw new PlatformError('FORBIDDEN', 'This is not your gift.');
    const isCancelled = await giftIntents(this.#p.db.em()).resolve(intentId, 'cancelled');
    return { intentId, status: isCancelled ? 'cancelled' : (await this.#find(intentId)).status };
  }

  /** The caller's confirmed gifts to another user, through whatever app. Throws 404. */
  async sent(principal: Principal, asSent: string): Promise<SentGifts> {
    const recipient = await findUser(this.#p.db, asSent, 'Recipient not found.');
    const ends = { from: principal.userId, to: recipient.userId };
    const sum = one(await sumOfSent(this.#p.db, ends));
    return {
      to: principal.kind === 'token' ? asSent : recipient.userId,
      total: BigInt(sum.total ?? 0),
      count: sum.count,
      toUserId: recipient.userId,
    };
  }

  /** The same one by one, newest first. */
  sentOneByOne(
    principal: Principal,
    { toUserId: to = '' }: SentGifts,
    page: PageRequest,
  ): Promise<Connection<SentGift>> {
    const read = (keyset: Keyset) => giftIntents(this.#p.db.em()).sent(principal.userId, to, keyset);
    return readPage(page, SENT, read, ({ amount, note = null, createdAt }) => ({ amount, note, createdAt }));
  }

  /** What the caller was given, newest first. */
  received(principal: Principal, page: PageRequest): Promise<Connection<ReceivedGift>> {
    const read = (keyset: Keyset) => receivedGifts(this.#p.db, { to: principal.userId, ...keyset });
    return readPage(page, RECEIVED, read, ({ id, amount, ...gift }) => ({
      ...gift,
      intentId: id,
      amount: BigInt(amount),
    }));
  }

  /** One that the caller was given; null where there is none. */
  async receivedOne(principal: Principal, intentId: string): Promise<ReceivedGift | null> {
    const [gift] = await this.receivedAll(principal, [intentId]);
    return gift ?? null;
  }

  /** Those of these that the caller was given; null for any other. For loaders. */
  async receivedAll({ userId }: Principal, ids: readonly string[]): Promise<(ReceivedGift | null)[]> {
    const gifts = await giftIntents(this.#p.db.em()).received(userId, ids);
    const byId = new Map(gifts.map((gift) => [gift.id, showReceived(gift)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** Those of these that the caller, who is no app, proposed; null for any other. For loaders. */
  async proposedAll(principal: Principal, ids: readonly string[]): Promise<(GiftIntent | null)[]> {
    const rows = await giftIntents(this.#p.db.em()).ofSender(principal.userId, ids);
    const byId = new Map(rows.map((row) => [row.id, this.#show(principal, row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** Confirmed gifts that the caller gave, newest first. */
  given(principal: Principal, page: PageRequest): Promise<Connection<GivenGift>> {
    const read = (keyset: Keyset) => givenGifts(this.#p.db, { from: principal.userId, ...keyset });
    return readPage(page, GIVEN, read, ({ id: _, amount, ...gift }) => ({ ...gift, amount: BigInt(amount) }));
  }

  /** Locks both accounts against deletion, and refuses a gift to one that is deleted. */
  async #holdEnds({ em }: Tx, { fromUserId, toUserId }: Pick<IntentRow, 'fromUserId' | 'toUserId'>): Promise<void> {
    await users(em).holdCaller(fromUserId);
    if (!(await users(em).hold(toUserId))) throw new PlatformError('NOT_FOUND', 'Recipient not found.');
  }

  async #find(intentId: string): Promise<IntentRow> {
    const row = await giftIntents(this.#p.db.em()).withId(intentId);
    if (!row) throw new PlatformError('NOT_FOUND', 'Gift not found.');
    return row;
  }

  #show(principal: Principal, row: IntentRow): GiftIntent {
    const isApp = principal.kind === 'token';
    return {
      intentId: row.id,
      status: row.status,
      amount: row.amount,
      to: isApp ? row.toAsSent : row.toUserId,
      from: isApp ? this.#subjectOf(principal) : row.fromUserId,
      note: row.note,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      confirmUrl: `${this.#p.config.SITE_URL}/gifts/${row.id}`,
    };
  }
}

const showReceived = (gift: Loaded<GiftIntentEntity, 'from'>): ReceivedGift => ({
  intentId: gift.id,
  amount: gift.amount,
  note: gift.note ?? null,
  createdAt: gift.createdAt,
  from: gift.from.id,
  fromDisplayName: gift.from.$.displayName ?? null,
});

const otherApp = (): PlatformError => new PlatformError('FORBIDDEN', 'Another app proposed this gift.');

/** 409 for an intent that was resolved, 410 for one that ran out. */
function refuseEnded(row: IntentRow): void {
  if (row.status === 'expired') throw new PlatformError('EXPIRED', 'This gift has expired.');
  if (row.status !== 'pending') throw new PlatformError('CONFLICT', `This gift was already ${row.status}.`);
}

function tooLittle(transferable: bigint, required: bigint): PlatformError {
  return new PlatformError('INSUFFICIENT_TRANSFERABLE', undefined, {
    details: { transferable: fromMicro(transferable), required: fromMicro(required) },
  });
}
