/**
 * Deletes what an instance no longer needs: answers kept for replay, ended
 * sessions, mailed links, old lines of the audit log, unused uploads, answered requests for images, what was sent to
 * webhooks, changes that no feed reads any more and that lie in no partition of their time (`partition.service.ts` drops the others), apps that registered themselves and that no user allowed, and the
 * fragments of finished videos. Done hourly by the workers, in batches (`retention-batches.service.ts`).
 */
import { ImageRequestEntity } from '../../../schema/entities/generations.ts';
import { OAuthPushedRequestEntity, OAuthRefreshEntity } from '../../../schema/entities/oauth.ts';
import { IdempotencyKeyEntity } from '../../../schema/entities/platform.ts';
import { TurnEntity } from '../../../schema/entities/turns.ts';
import { UploadEntity } from '../../../schema/entities/uploads.ts';
import {
  AccountLinkEntity,
  AuditEventEntity,
  EmailVerificationEntity,
  SessionEntity,
} from '../../../schema/entities/users.ts';
import { WebhookDeliveryEntity } from '../../../schema/entities/webhooks.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { idsFrom } from '../../kernel/ids.ts';
import { closeFeeds, removeChanges } from '../live/account-changes.queries.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import { forgetUnusedApps } from '../oauth/oauth-client.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { UPLOAD_MS } from '../uploads/upload.service.ts';
import { inBatches } from './retention-batches.service.ts';

/** Links to a stream are given until its video is done, live one hour, and a viewer has one open for minutes. */
const STREAM_MS = 2 * HOUR_MS;
/** An ended session is kept for so long, to be refused as revoked. */
const SESSION_MS = 7 * DAY_MS;
/** A link that confirms an address is kept for so long, to be refused as too old or as used. */
const LINK_MS = 7 * DAY_MS;
/** The same for a link that sets a password or changes an address. */
const ACCOUNT_LINK_MS = 8 * DAY_MS;
/** By then the caller who asked for an image has the answer, or is gone. */
const IMAGE_REQUEST_MS = HOUR_MS;
/** The log of what was sent to webhooks. */
const WEBHOOK_LOG_MS = 30 * DAY_MS;
/** A program that registers itself sends its user to the consent page at once. */
const UNUSED_APP_MS = DAY_MS;
/** Rows that one statement removes, in far less time than its limit. */
const BATCH = 1_000;

/** Removes at most `BATCH` rows that are older than a time; returns how many. */
type RemoveBatch = (tx: Tx, beforeMs: number) => Promise<number>;

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'config'>;

export class RetentionCleanup {
  readonly #p: Needs;
  readonly #removals: MediaRemovals;

  constructor(platform: Needs, removals: MediaRemovals) {
    this.#p = platform;
    this.#removals = removals;
  }

  /** Removes what is past its time, until `signal` aborts; returns how much of each. */
  async run(signal?: AbortSignal): Promise<{
    answers: number;
    sessions: number;
    streams: number;
    mailedLinks: number;
    auditEvents: number;
    uploads: number;
    imageRequests: number;
    webhookDeliveries: number;
    accountChanges: number;
    unusedApps: number;
    oauthRequests: number;
  }> {
    const nowMs = this.#p.clock.now();
    const { AUDIT_DAYS, KEEP_FEED_DAYS, KEEP_IDEMPOTENCY_DAYS } = this.#p.config;
    // The time for which a cursor of an account can be resumed, and for which its feed is kept after it was last watched.
    const changesMs = KEEP_FEED_DAYS * DAY_MS;
    const older = (step: string, keptMs: number, remove: RemoveBatch) =>
      this.#step(step, (tx) => remove(tx, nowMs - keptMs), signal);
    await older('account feeds', changesMs, closeOldFeeds);
    const done = {
      answers: await older('answers', KEEP_IDEMPOTENCY_DAYS * DAY_MS, removeAnswers),
      sessions: await older('sessions', SESSION_MS, removeSessions),
      streams: await older('streams', STREAM_MS, (tx, beforeMs) => this.#removeStreams(tx, beforeMs)),
      mailedLinks:
        (await older('verifications', LINK_MS, removeVerifications)) +
        (await older('account links', ACCOUNT_LINK_MS, removeAccountLinks)),
      auditEvents: await older('audit events', AUDIT_DAYS * DAY_MS, removeAuditEvents),
      uploads: await older('uploads', UPLOAD_MS, (tx, beforeMs) => this.#removeUploads(tx, beforeMs)),
      imageRequests: await older('image requests', IMAGE_REQUEST_MS, removeImageRequests),
      webhookDeliveries: await older('webhook deliveries', WEBHOOK_LOG_MS, removeWebhookLog),
      accountChanges: await older('account changes', changesMs, removeOldChanges),
      oauthRequests: await older('oauth requests', 0, removeOAuth),
      unusedApps: await older('unused apps', UNUSED_APP_MS, (tx, beforeMs) => forgetUnusedApps(tx, beforeMs, BATCH)),
    };
    if (Object.values(done).some((n) => n > 0)) this.#p.log.info(done, 'retention cleanup');
    return done;
  }

  /** Runs one step; its error does not keep other steps from running. */
  async #step(step: string, remove: (tx: Tx) => Promise<number>, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    try {
      await inBatches(this.#p.db, { step, signal }, async (tx) => {
        const more = await remove(tx);
        removed += more;
        return more >= BATCH;
      });
    } catch (error) {
      this.#p.log.warn({ err: error, step }, 'retention step failed');
    }
    return removed;
  }

  /** Removes old uploads: whatever used one has made a copy of its own. */
  async #removeUploads(tx: Tx, beforeMs: number): Promise<number> {
    const old = await tx.em.find(UploadEntity, { createdAt: { $lt: beforeMs } }, { limit: BATCH });
    await this.#removals.add(tx, { owned: old.map(({ mediaKey }) => mediaKey ?? null) });
    return tx.em.nativeDelete(UploadEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  /** Fragments of turns that have ended, and what attempts left that a killed worker could not remove itself. */
  async #removeStreams(tx: Tx, beforeMs: number): Promise<number> {
    const turns = await tx.em.find(
      TurnEntity,
      {
        streamKey: { $ne: null },
        createdAt: { $lt: beforeMs },
        status: { $in: ['video', 'error'] },
        // By the hold, which ends with the turn, not by the turn's age: it may have waited for long before it was rendered.
        $or: [{ hold: null }, { hold: { settledAt: { $lt: beforeMs } } }],
      },
      {
        fields: ['conversation', 'attempt', 'streamKey', 'audioKey', 'videoKey'],
        orderBy: { createdAt: 'asc' },
        limit: BATCH,
      },
    );
    await this.#removals.add(tx, {
      owned: turns.flatMap(unshownFilesOf),
      others: turns.flatMap(({ streamKey }) => streamKey ?? []),
    });
    return tx.em.nativeUpdate(TurnEntity, { id: { $in: turns.map(({ id }) => id) } }, { streamKey: null });
  }
}

async function removeAnswers(tx: Tx, beforeMs: number): Promise<number> {
  const [last] = await tx.em.find(
    IdempotencyKeyEntity,
    { createdAt: { $lt: beforeMs } },
    { fields: ['createdAt'], orderBy: { createdAt: 'asc' }, offset: BATCH, limit: 1 },
  );
  const createdAt = last ? { $lte: last.createdAt } : { $lt: beforeMs };
  return tx.em.nativeDelete(IdempotencyKeyEntity, { createdAt });
}

async function removeSessions(tx: Tx, beforeMs: number): Promise<number> {
  const ended = { $lt: beforeMs };
  const old = await tx.em.find(
    SessionEntity,
    { $or: [{ expiresAt: ended }, { revokedAt: ended }] },
    { fields: ['id'], limit: BATCH },
  );
  return tx.em.nativeDelete(SessionEntity, { id: { $in: old.map(({ id }) => id) } });
}

async function removeVerifications(tx: Tx, beforeMs: number): Promise<number> {
  const old = await tx.em.find(
    EmailVerificationEntity,
    { expiresAt: { $lt: beforeMs } },
    { fields: ['tokenHash'], limit: BATCH },
  );
  return tx.em.nativeDelete(EmailVerificationEntity, { tokenHash: { $in: old.map(({ tokenHash }) => tokenHash) } });
}

async function removeAccountLinks(tx: Tx, beforeMs: number): Promise<number> {
  const old = await tx.em.find(AccountLinkEntity, { createdAt: { $lt: beforeMs } }, { fields: ['id'], limit: BATCH });
  return tx.em.nativeDelete(AccountLinkEntity, { id: { $in: old.map(({ id }) => id) } });
}

async function removeImageRequests(tx: Tx, beforeMs: number): Promise<number> {
  const old = await tx.em.find(
    ImageRequestEntity,
    { createdAt: { $lt: beforeMs }, state: { $ne: 'waiting' } },
    { fields: ['id'], limit: BATCH },
  );
  return tx.em.nativeDelete(ImageRequestEntity, { id: { $in: old.map(({ id }) => id) } });
}

/** Refresh tokens and requests that ended: they are refused whether or not their rows are there. */
async function removeOAuth(tx: Tx, nowMs: number): Promise<number> {
  const ended = { expiresAt: { $lt: nowMs } };
  const tokens = await tx.em.find(OAuthRefreshEntity, ended, { fields: ['tokenHash'], limit: BATCH });
  const requests = await tx.em.find(OAuthPushedRequestEntity, ended, { fields: ['requestHash'], limit: BATCH });
  await tx.em.nativeDelete(OAuthRefreshEntity, { tokenHash: { $in: tokens.map(({ tokenHash }) => tokenHash) } });
  const hashes = requests.map(({ requestHash }) => requestHash);
  await tx.em.nativeDelete(OAuthPushedRequestEntity, { requestHash: { $in: hashes } });
  return Math.max(tokens.length, requests.length);
}

async function removeWebhookLog(tx: Tx, beforeMs: number): Promise<number> {
  const old = await tx.em.find(
    WebhookDeliveryEntity,
    { createdAt: { $lt: beforeMs }, state: { $in: ['delivered', 'failed'] } },
    { fields: ['id'], limit: BATCH },
  );
  return tx.em.nativeDelete(WebhookDeliveryEntity, { id: { $in: old.map(({ id }) => id) } });
}

async function closeOldFeeds(tx: Tx, beforeMs: number): Promise<number> {
  return (await closeFeeds(tx, { beforeMs, limit: BATCH })).length;
}

async function removeOldChanges(tx: Tx, beforeMs: number): Promise<number> {
  const [old] = await removeChanges(tx, { beforeMs, limit: BATCH });
  return old?.removed ?? 0;
}

/** The log's table refuses deletes, except in a transaction that says that it is the retention cleanup. */
async function removeAuditEvents(tx: Tx, beforeMs: number): Promise<number> {
  // A setting of the transaction, which the ORM cannot make.
  await tx.rows(`select set_config('audit.retention', 'on', true)`);
  const old = await tx.em.find(
    AuditEventEntity,
    { id: { $lt: idsFrom('aud', beforeMs) } },
    { fields: ['id'], orderBy: { id: 'asc' }, limit: BATCH },
  );
  return tx.em.nativeDelete(AuditEventEntity, { id: { $in: old.map(({ id }) => id) } });
}

/** Files that attempts before the last one may have stored and that the turn does not show. */
function unshownFilesOf({
  id,
  conversation,
  attempt,
  audioKey,
  videoKey,
}: Pick<TurnEntity, 'id' | 'conversation' | 'attempt' | 'audioKey' | 'videoKey'>): string[] {
  const base = `conversations/${conversation.id}/turns/${id}`;
  return Array.from({ length: Math.max(0, attempt - 1) }, (_, index) =>
    ['.m4a', '.mp4', '-live.mp4'].map((ending) => `${base}-${index + 1}${ending}`),
  )
    .flat()
    .filter((key) => key !== audioKey && key !== videoKey);
}
