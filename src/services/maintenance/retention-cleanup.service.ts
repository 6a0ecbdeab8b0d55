/**
 * What an instance leaves behind in the course of its work and nobody asks for any more: answers kept for replay, ended
 * sessions, mailed links, old lines of the audit log, unused uploads, answered requests for images, and the fragments of
 * finished videos. Done hourly by every worker; what one has done the others do not find.
 */
import { ImageRequestEntity } from '../../../schema/entities/generations.ts';
import { IdempotencyKeyEntity } from '../../../schema/entities/platform.ts';
import { TurnEntity } from '../../../schema/entities/turns.ts';
import { UploadEntity } from '../../../schema/entities/uploads.ts';
import {
  AccountLinkEntity,
  AuditEventEntity,
  EmailVerificationEntity,
  SessionEntity,
} from '../../../schema/entities/users.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import { idsFrom } from '../../kernel/ids.ts';
import { REPLAY_MS } from '../accounts/idempotency.service.ts';
import type { MediaRemovals } from '../media-removal.service.ts';
import type { Platform } from '../platform.ts';
import { UPLOAD_MS } from '../uploads/upload.service.ts';

/** Links to a stream are given until its video is done, live one hour, and whoever follows one has it open for minutes. */
const STREAM_MS = 2 * HOUR_MS;
/** An ended session says for this long that it was revoked. */
const SESSION_MS = 7 * DAY_MS;
/** A link that confirms an address says for this long that it is too old, or was used. */
const LINK_MS = 7 * DAY_MS;
/** A link that sets a password, or takes an address, likewise. */
const ACCOUNT_LINK_MS = 8 * DAY_MS;
/** Whoever asked has its answer, or is gone. */
const IMAGE_REQUEST_MS = HOUR_MS;
/** Uploads, and turns whose fragments are removed, in one round. */
const BATCH = 1_000;

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
  }> {
    const nowMs = this.#p.clock.now();
    const ended = { $lt: nowMs - SESSION_MS };
    const em = this.#p.db.em();
    const done = {
      answers: await em.nativeDelete(IdempotencyKeyEntity, { createdAt: { $lt: nowMs - REPLAY_MS } }),
      sessions: await em.nativeDelete(SessionEntity, { $or: [{ expiresAt: ended }, { revokedAt: ended }] }),
      streams: await this.#removeStreams(nowMs - STREAM_MS),
      mailedLinks:
        (await em.nativeDelete(EmailVerificationEntity, { expiresAt: { $lt: nowMs - LINK_MS } })) +
        (await em.nativeDelete(AccountLinkEntity, { createdAt: { $lt: nowMs - ACCOUNT_LINK_MS } })),
      auditEvents: await this.#removeAuditEvents(nowMs - this.#p.config.AUDIT_DAYS * DAY_MS),
      uploads: await this.#removeUploads(nowMs - UPLOAD_MS),
      imageRequests: await em.nativeDelete(ImageRequestEntity, {
        createdAt: { $lt: nowMs - IMAGE_REQUEST_MS },
        state: { $ne: 'waiting' },
      }),
    };
    if (Object.values(done).some((n) => n > 0)) this.#p.log.info(done, 'retention cleanup');
    return done;
  }

  /** The log refuses to lose a line, but for whoever says in the transaction that it is the retention cleanup. */
  async #removeAuditEvents(beforeMs: number): Promise<number> {
    return this.#p.db.transaction(async (tx) => {
      // A setting of the transaction, which only SQL can make.
      await tx.rows(`select set_config('audit.retention', 'on', true)`);
      return tx.em.nativeDelete(AuditEventEntity, { id: { $lt: idsFrom('aud', beforeMs) } });
    });
  }

  /** Whoever used one has copied it. */
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
