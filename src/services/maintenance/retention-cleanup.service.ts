/**
 * What an instance leaves behind in the course of its work and nobody asks for any more: answers kept for replay, ended
 * sessions, mailed links, old lines of the audit log, unused uploads, answered requests for images, what was sent to
 * webhooks, changes that nobody follows any more, apps that registered themselves and that nobody allowed, and the
 * fragments of finished videos. Done hourly by every worker; what one has done the others do not find.
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
import { idsFrom } from '../../kernel/ids.ts';
import { REPLAY_MS } from '../accounts/idempotency.service.ts';
import { closeFeeds, removeChanges } from '../live/account-changes.queries.ts';
import type { MediaRemovals } from '../media/media-removal.service.ts';
import { forgetUnusedApps } from '../oauth/oauth-client.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { UPLOAD_MS } from '../uploads/upload.service.ts';

/** Links to a stream are given until its video is done, live one hour, and whoever follows one has it open for minutes. */
const STREAM_MS = 2 * HOUR_MS;
/** An ended session says for this long that it was revoked. */
const SESSION_MS = 7 * DAY_MS;
/** A link that confirms an address says for this long that it is too old, or was used. */
const LINK_MS = 7 * DAY_MS;
/** A link that sets a password, or takes an address, likewise. */
const ACCOUNT_LINK_MS = 8 * DAY_MS;
/** By then whoever asked for an image has the answer, or has gone. */
const IMAGE_REQUEST_MS = HOUR_MS;
/** The log of what was sent to webhooks. */
const WEBHOOK_LOG_MS = 30 * DAY_MS;
/** A cursor of an account's changes resumes for so long, and its feed is kept for so long after it was last watched. */
const CHANGE_MS = DAY_MS;
/** A program that registers itself sends its user to the consent page at once. */
const UNUSED_APP_MS = DAY_MS;
/** Rows that one statement removes: in far less time than a statement has. */
const BATCH = 1_000;
/** Batches of each kind in one round, which a stopping worker waits for; the next round goes on. */
const BATCHES = 100;

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'config'>;

export class RetentionCleanup {
  readonly #p: Needs;
  readonly #removals: MediaRemovals;

  constructor(platform: Needs, removals: MediaRemovals) {
    this.#p = platform;
    this.#removals = removals;
  }

  /** Removes what is past its time; returns how much of each. */
  async run(): Promise<{
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
    await this.#step('account feeds', () => this.#closeFeeds(nowMs - CHANGE_MS));
    const done = {
      answers: await this.#step('answers', () => this.#removeAnswers(nowMs - REPLAY_MS)),
      sessions: await this.#step('sessions', () => this.#removeSessions(nowMs - SESSION_MS)),
      streams: await this.#step('streams', () => this.#removeStreams(nowMs - STREAM_MS)),
      mailedLinks:
        (await this.#step('verifications', () => this.#removeVerifications(nowMs - LINK_MS))) +
        (await this.#step('account links', () => this.#removeAccountLinks(nowMs - ACCOUNT_LINK_MS))),
      auditEvents: await this.#step('audit events', () =>
        this.#removeAuditEvents(nowMs - this.#p.config.AUDIT_DAYS * DAY_MS),
      ),
      uploads: await this.#step('uploads', () => this.#removeUploads(nowMs - UPLOAD_MS)),
      imageRequests: await this.#step('image requests', () => this.#removeImageRequests(nowMs - IMAGE_REQUEST_MS)),
      webhookDeliveries: await this.#step('webhook deliveries', () => this.#removeWebhookLog(nowMs - WEBHOOK_LOG_MS)),
      accountChanges: await this.#step('account changes', () => this.#removeChanges(nowMs - CHANGE_MS)),
      oauthRequests: await this.#step('oauth requests', () => this.#removeOAuth(nowMs)),
      unusedApps: await this.#step('unused apps', () =>
        this.#p.db.transaction((tx) => forgetUnusedApps(tx, nowMs - UNUSED_APP_MS, BATCH)),
      ),
    };
    if (Object.values(done).some((n) => n > 0)) this.#p.log.info(done, 'retention cleanup');
    return done;
  }

  /** Batches until nothing is left or the round was long enough; one that fails keeps no other step from its work. */
  async #step(step: string, removeBatch: () => Promise<number>): Promise<number> {
    let removed = 0;
    try {
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const more = await removeBatch();
        removed += more;
        if (more < BATCH) break;
      }
    } catch (error) {
      this.#p.log.warn({ err: error, step }, 'retention step failed');
    }
    return removed;
  }

  async #removeAnswers(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const [last] = await em.find(
      IdempotencyKeyEntity,
      { createdAt: { $lt: beforeMs } },
      { fields: ['createdAt'], orderBy: { createdAt: 'asc' }, offset: BATCH, limit: 1 },
    );
    const createdAt = last ? { $lte: last.createdAt } : { $lt: beforeMs };
    return em.nativeDelete(IdempotencyKeyEntity, { createdAt });
  }

  async #removeSessions(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const ended = { $lt: beforeMs };
    const old = await em.find(
      SessionEntity,
      { $or: [{ expiresAt: ended }, { revokedAt: ended }] },
      { fields: ['id'], limit: BATCH },
    );
    return em.nativeDelete(SessionEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  async #removeVerifications(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const old = await em.find(
      EmailVerificationEntity,
      { expiresAt: { $lt: beforeMs } },
      { fields: ['tokenHash'], limit: BATCH },
    );
    return em.nativeDelete(EmailVerificationEntity, { tokenHash: { $in: old.map(({ tokenHash }) => tokenHash) } });
  }

  async #removeAccountLinks(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const old = await em.find(AccountLinkEntity, { createdAt: { $lt: beforeMs } }, { fields: ['id'], limit: BATCH });
    return em.nativeDelete(AccountLinkEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  async #removeImageRequests(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const old = await em.find(
      ImageRequestEntity,
      { createdAt: { $lt: beforeMs }, state: { $ne: 'waiting' } },
      { fields: ['id'], limit: BATCH },
    );
    return em.nativeDelete(ImageRequestEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  /** Refresh tokens and requests that ended: one that is used again after that gives nothing anyway. */
  async #removeOAuth(nowMs: number): Promise<number> {
    const em = this.#p.db.em();
    const ended = { expiresAt: { $lt: nowMs } };
    const tokens = await em.find(OAuthRefreshEntity, ended, { fields: ['tokenHash'], limit: BATCH });
    const requests = await em.find(OAuthPushedRequestEntity, ended, { fields: ['requestHash'], limit: BATCH });
    await em.nativeDelete(OAuthRefreshEntity, { tokenHash: { $in: tokens.map(({ tokenHash }) => tokenHash) } });
    const hashes = requests.map(({ requestHash }) => requestHash);
    await em.nativeDelete(OAuthPushedRequestEntity, { requestHash: { $in: hashes } });
    return Math.max(tokens.length, requests.length);
  }

  async #removeWebhookLog(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const old = await em.find(
      WebhookDeliveryEntity,
      { createdAt: { $lt: beforeMs }, state: { $in: ['delivered', 'failed'] } },
      { fields: ['id'], limit: BATCH },
    );
    return em.nativeDelete(WebhookDeliveryEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  async #closeFeeds(beforeMs: number): Promise<number> {
    return (await closeFeeds(this.#p.db, { beforeMs, limit: BATCH })).length;
  }

  async #removeChanges(beforeMs: number): Promise<number> {
    const [old] = await removeChanges(this.#p.db, { beforeMs, limit: BATCH });
    return old?.removed ?? 0;
  }

  /** The log refuses to lose a line, but for whoever says in the transaction that it is the retention cleanup. */
  async #removeAuditEvents(beforeMs: number): Promise<number> {
    return this.#p.db.transaction(async (tx) => {
      // A setting of the transaction, which only SQL can make.
      await tx.rows(`select set_config('audit.retention', 'on', true)`);
      const old = await tx.em.find(
        AuditEventEntity,
        { id: { $lt: idsFrom('aud', beforeMs) } },
        { fields: ['id'], orderBy: { id: 'asc' }, limit: BATCH },
      );
      return tx.em.nativeDelete(AuditEventEntity, { id: { $in: old.map(({ id }) => id) } });
    });
  }

  /** Removes old uploads: whatever used one has made a copy of its own. */
  async #removeUploads(beforeMs: number): Promise<number> {
    return this.#p.db.transaction(async (tx) => {
      const old = await tx.em.find(UploadEntity, { createdAt: { $lt: beforeMs } }, { limit: BATCH });
      await this.#removals.add(tx, { owned: old.map(({ mediaKey }) => mediaKey ?? null) });
      return tx.em.nativeDelete(UploadEntity, { id: { $in: old.map(({ id }) => id) } });
    });
  }

  /** Fragments of turns that have ended, and what attempts left that a killed worker could not remove itself. */
  async #removeStreams(beforeMs: number): Promise<number> {
    return this.#p.db.transaction(async (tx) => {
      const turns = await tx.em.find(
        TurnEntity,
        {
          streamKey: { $ne: null },
          createdAt: { $lt: beforeMs },
          status: { $in: ['video', 'error'] },
          // A turn ends with its hold; it may have waited for long before it was rendered.
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
    });
  }
}

/** What attempts before the last one may have stored and the turn does not show. */
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
