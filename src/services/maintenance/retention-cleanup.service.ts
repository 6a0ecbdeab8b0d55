/**
 * What an instance leaves behind in the course of its work and nobody asks for any more: answers kept for replay, ended
 * sessions, mailed links, and the fragments of finished videos. Done hourly by every worker; what one has done the others
 * do not find.
 */
import { EmailVerificationEntity } from '../../../schema/entities/users.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import { idsFrom } from '../../kernel/ids.ts';
import { REPLAY_MS } from '../accounts/idempotency.service.ts';
import type { Platform } from '../platform.ts';
import { dropMedia } from '../speech/speech-media.ts';

/** Links to a stream live one hour, and whoever follows one has it open for minutes. */
const STREAM_MS = 2 * HOUR_MS;
/** An ended session says for this long that it was revoked. */
const SESSION_MS = 7 * DAY_MS;
/** A link that confirms an address says for this long that it is too old, or was used. */
const LINK_MS = 7 * DAY_MS;
/** Turns whose fragments are removed in one round. */
const BATCH = 1_000;

interface Streamed extends Record<string, unknown> {
  id: string;
  conversationId: string;
  attempt: number;
  streamKey: string;
  kept: (string | null)[];
}

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
  }> {
    const nowMs = this.#p.clock.now();
    const done = {
      answers: await this.#delete('delete from idempotency_key where created_at < $1', nowMs - REPLAY_MS),
      sessions: await this.#delete('delete from session where least(expires_at, revoked_at) < $1', nowMs - SESSION_MS),
      streams: await this.#removeStreams(nowMs - STREAM_MS),
      mailedLinks: await this.#removeLinks(nowMs - LINK_MS),
      auditEvents: await this.#removeAuditEvents(nowMs - this.#p.config.AUDIT_DAYS * DAY_MS),
    };
    if (Object.values(done).some((n) => n > 0)) this.#p.log.info(done, 'retention cleanup');
    return done;
  }

  async #delete(sql: string, beforeMs: number): Promise<number> {
    const [row] = await this.#p.db.rows<{ n: number }>(
      `with gone as (${sql} returning 1) select count(*)::int as n from gone`,
      [beforeMs],
    );
    return row!.n;
  }

  #removeLinks(expiredBeforeMs: number): Promise<number> {
    return this.#p.db.transaction((tx) =>
      tx.em.nativeDelete(EmailVerificationEntity, { expiresAt: { $lt: expiredBeforeMs } }),
    );
  }

  /** The log refuses to lose a line, but for whoever says in the transaction that it is the retention cleanup. */
  async #removeAuditEvents(beforeMs: number): Promise<number> {
    return this.#p.db.transaction(async (tx) => {
      await tx.rows(`select set_config('audit.retention', 'on', true)`);
      const [row] = await tx.rows<{ n: number }>(
        'with gone as (delete from audit_event where id < $1 returning 1) select count(*)::int as n from gone',
        [idsFrom('aud', beforeMs)],
      );
      return row!.n;
    });
  }

  /** Fragments of turns that have ended, and what attempts left that a killed worker could not remove itself. */
  async #removeStreams(beforeMs: number): Promise<number> {
    const rows = await this.#p.db.rows<Streamed>(
      `select id, conversation_id as "conversationId", attempt, stream_key as "streamKey",
         array[audio_key, video_key] as kept
       from turn where stream_key is not null and created_at < $1 and status in ('video', 'error')
       order by created_at limit $2`,
      [beforeMs, BATCH],
    );
    for (const turn of rows) {
      await this.#p.store.removeFragments(turn.streamKey);
      const base = `conversations/${turn.conversationId}/turns/${turn.id}`;
      const lost = Array.from({ length: turn.attempt - 1 }, (_, index) =>
        ['.m4a', '.mp4', '-live.mp4'].map((ending) => `${base}-${index + 1}${ending}`),
      ).flat();
      const unused = lost.filter((key) => !turn.kept.includes(key));
      await dropMedia(this.#p, unused);
      await this.#p.db.rows('update turn set stream_key = null where id = $1', [turn.id]);
    }
    return rows.length;
  }
}
