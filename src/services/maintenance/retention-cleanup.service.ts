/**
 * What an instance leaves behind in the course of its work and nobody asks for any more: answers kept for replay, ended
 * sessions, mailed links, and the fragments of finished videos. Done hourly by every worker; what one has done the others
 * do not find.
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
import type { Platform } from '../platform.ts';
import { dropMedia } from '../speech/speech-media.ts';
import { UPLOAD_MS } from '../uploads/upload.service.ts';

/** Links to a stream live one hour, and whoever follows one has it open for minutes. */
const STREAM_MS = 2 * HOUR_MS;
/** An ended session says for this long that it was revoked. */
const SESSION_MS = 7 * DAY_MS;
/** A link that confirms an address says for this long that it is too old, or was used. */
const LINK_MS = 7 * DAY_MS;
/** A link that sets a password, or takes an address, likewise. */
const ACCOUNT_LINK_MS = 8 * DAY_MS;
/** Whoever asked has its answer, or is gone. */
const IMAGE_REQUEST_MS = HOUR_MS;
/** Turns whose fragments are removed in one round. */
const BATCH = 1_000;

export class RetentionCleanup {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'store' | 'log' | 'config'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'store' | 'log' | 'config'>) {
    this.#p = platform;
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
    const em = this.#p.db.em();
    const old = await em.find(UploadEntity, { createdAt: { $lt: beforeMs } }, { limit: BATCH });
    await dropMedia(
      this.#p,
      old.flatMap(({ mediaKey }) => mediaKey ?? []),
    );
    return em.nativeDelete(UploadEntity, { id: { $in: old.map(({ id }) => id) } });
  }

  /** Fragments of turns that have ended, and what attempts left that a killed worker could not remove itself. */
  async #removeStreams(beforeMs: number): Promise<number> {
    const em = this.#p.db.em();
    const turns = await em.find(
      TurnEntity,
      { streamKey: { $ne: null }, createdAt: { $lt: beforeMs }, status: { $in: ['video', 'error'] } },
      {
        fields: ['conversation', 'attempt', 'streamKey', 'audioKey', 'videoKey'],
        orderBy: { createdAt: 'asc' },
        limit: BATCH,
      },
    );
    for (const turn of turns) {
      await this.#p.store.removeFragments(turn.streamKey!);
      const base = `conversations/${turn.conversation.id}/turns/${turn.id}`;
      const lost = Array.from({ length: turn.attempt - 1 }, (_, index) =>
        ['.m4a', '.mp4', '-live.mp4'].map((ending) => `${base}-${index + 1}${ending}`),
      ).flat();
      const unused = lost.filter((key) => key !== turn.audioKey && key !== turn.videoKey);
      await dropMedia(this.#p, unused);
      await em.nativeUpdate(TurnEntity, { id: turn.id }, { streamKey: null });
    }
    return turns.length;
  }
}
