/**
 * Gifts of credits in two phases: an app or the sender proposes, which moves nothing; the sender
 * alone confirms, signed in, within ten minutes. Only global credits move, and only those that no hold has set aside.
 */

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
import { PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { one } from '../../kernel/named-statements.ts';
import { balanceOf } from '../../ledger/reads.ts';
import { giveGift, lockGiftAccounts } from '../../ledger/transfers.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { findUser } from '../accounts/user.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { SubjectOf } from '../tribes/tribe.service.ts';
import { notifyWebhooks } from '../webhooks/webhook-events.queries.ts';
import {
  addIntent,
  appOfIntent,
  findIntent,
  givenGifts,
  type IntentRow,
  lockIntent,
  ownIntents,
  type ReceivedRow,
  receivedAmong,
  receivedGifts,
  resolveIntent,
  sentGifts,
  sumOfSent,
} from './gift.queries.ts';

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
      const row = one(await addIntent(tx, { id, ...ends, amount, note, clientId, ms: GIFT_MS }));
      const proposed = this.#show(principal, row);
      keepResult(tx, principal, proposed);
      return proposed;
    });
  }

  /** An intent: for its sender, and for no other app than the one that proposed it. */
  async read(principal: Principal, intentId: string): Promise<GiftIntent> {
    const row = await this.#find(intentId);
    if (row.fromUserId !== principal.userId) throw new PlatformError('FORBIDDEN', 'This is not your gift.');
    if (principal.kind === 'token' && row.clientId !== principal.clientId) throw otherApp();
    return this.#show(principal, row);
  }

  /** What the confirmation page shows its sender. */
  async confirmation(principal: Principal, intentId: string): Promise<GiftConfirmation> {
    const intent = await this.read(principal, intentId);
    const recipient = await findUser(this.#p.db, intent.to, 'Recipient not found.');
    const { transferable } = await balanceOf(this.#p.db, principal.userId);
    const [app] = await appOfIntent(this.#p.db, { id: intentId });
    return {
      intent,
      transferable,
      toDisplayName: recipient.displayName,
      toStreamUsername: recipient.streamUsername,
      appName: app?.name ?? null,
      appHosts: app?.hosts ?? [],
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
    const amount = BigInt(seen.amount);
    return this.#p.db.transaction(async (tx) => {
      const gift = await lockGiftAccounts(tx, seen.fromUserId, seen.toUserId);
      await lockIntent(tx, { id: intentId });
      const [confirmed] = await resolveIntent(tx, { id: intentId, status: 'confirmed' });
      if (!confirmed) {
        const now = one(await findIntent(tx, { id: intentId }));
        refuseEnded(now);
        throw new Error(`Gift ${intentId} is ${now.status} and could not be confirmed.`);
      }
      if (amount > gift.transferable) throw tooLittle(gift.transferable, amount);
      const ends = { fromUserId: seen.fromUserId, toUserId: seen.toUserId };
      const memo = seen.note ? { memo: seen.note } : {};
      await giveGift(tx, gift, { source: `gift:${intentId}`, amount, ...ends, ...memo }, this.#p.clock.now());
      notifyWebhooks(tx, 'gift', intentId, this.#p.clock.now());
      this.#p.audit.record(tx, principal, 'gift_confirmed', { userId: principal.userId, subject: intentId });
      tx.afterCommit(() => this.#p.log.info({ intentId }, 'gift confirmed'));
      const shown = this.#show(principal, confirmed);
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
    const [cancelled] = await resolveIntent(this.#p.db, { id: intentId, status: 'cancelled' });
    return { intentId, status: cancelled?.status ?? (await this.#find(intentId)).status };
  }

  /** The caller's confirmed gifts to somebody, through whatever app. Throws 404. */
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
    const read = (keyset: Keyset) => sentGifts(this.#p.db, { from: principal.userId, to, ...keyset });
    return readPage(page, SENT, read, ({ amount, note, createdAt }) => ({ amount: BigInt(amount), note, createdAt }));
  }

  /** What the caller was given, newest first. */
  received(principal: Principal, page: PageRequest): Promise<Connection<ReceivedGift>> {
    const read = (keyset: Keyset) => receivedGifts(this.#p.db, { to: principal.userId, ...keyset });
    return readPage(page, RECEIVED, read, showReceived);
  }

  /** One that the caller was given; null where there is none. */
  async receivedOne(principal: Principal, intentId: string): Promise<ReceivedGift | null> {
    const [gift] = await this.receivedAll(principal, [intentId]);
    return gift ?? null;
  }

  /** Those of these that the caller was given; null for any other. For loaders. */
  async receivedAll({ userId }: Principal, ids: readonly string[]): Promise<(ReceivedGift | null)[]> {
    const rows = await receivedAmong(this.#p.db, { to: userId, ids });
    const byId = new Map(rows.map((row) => [row.id, showReceived(row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** Those of these that the caller, who is no app, proposed; null for any other. For loaders. */
  async proposedAll(principal: Principal, ids: readonly string[]): Promise<(GiftIntent | null)[]> {
    const rows = await ownIntents(this.#p.db, { from: principal.userId, ids });
    const byId = new Map(rows.map((row) => [row.id, this.#show(principal, row)]));
    return ids.map((id) => byId.get(id) ?? null);
  }

  /** Confirmed gifts that the caller gave to anybody, newest first. */
  given(principal: Principal, page: PageRequest): Promise<Connection<GivenGift>> {
    const read = (keyset: Keyset) => givenGifts(this.#p.db, { from: principal.userId, ...keyset });
    return readPage(page, GIVEN, read, ({ id: _, amount, ...gift }) => ({ ...gift, amount: BigInt(amount) }));
  }

  async #find(intentId: string): Promise<IntentRow> {
    const [row] = await findIntent(this.#p.db, { id: intentId });
    if (!row) throw new PlatformError('NOT_FOUND', 'Gift not found.');
    return row;
  }

  #show(principal: Principal, row: IntentRow): GiftIntent {
    const isApp = principal.kind === 'token';
    return {
      intentId: row.id,
      status: row.status,
      amount: BigInt(row.amount),
      to: isApp ? row.toAsSent : row.toUserId,
      from: isApp ? this.#subjectOf(principal) : row.fromUserId,
      note: row.note,
      createdAt: row.createdAt,
      expiresAt: row.expiresAt,
      confirmUrl: `${this.#p.config.SITE_URL}/gifts/${row.id}`,
    };
  }
}

const showReceived = ({ id, amount, ...gift }: ReceivedRow): ReceivedGift => ({
  ...gift,
  intentId: id,
  amount: BigInt(amount),
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
