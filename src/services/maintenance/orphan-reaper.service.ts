/**
 * Work whose job died for good: 15 minutes after its last sign of life a turn ends in error and its hold goes
 * back, so that nothing stays held for work that no job does. It only ever ends work that no live job has.
 */
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Database } from '../../kernel/database.ts';
import { settleHold } from '../../ledger/holds.ts';
import type { AccountExports } from '../accounts/account-export.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { SpeechRenders } from '../speech/speech-render.service.ts';
import type { Replies } from '../turns/reply.service.ts';
import type { TurnRenders } from '../turns/turn-render.service.ts';
import type { VideoRenders } from '../videos/video-render.service.ts';
import { StaleAttemptError } from '../work/attempt-failure.rules.ts';
import { lostExports, lostHolds, lostReplies, lostSpeech, lostTurns, lostVideos } from './orphan.queries.ts';

const ORPHAN_AFTER_MS = 15 * MINUTE_MS;
/** Most pieces of work of a kind that one round ends; the next round is a minute later. */
const BATCH = 200;
const MESSAGE = 'The work on this was lost.';

/** What ends each kind of work. */
export interface Endings {
  replies: Pick<Replies, 'failOrphan'>;
  turnRenders: Pick<TurnRenders, 'fail'>;
  speech: Pick<SpeechRenders, 'fail'>;
  videos: Pick<VideoRenders, 'fail'>;
  exports: Pick<AccountExports, 'fail'>;
}

type Find<Row> = (db: Database, given: { before: number; limit: number }) => Promise<Row[]>;

export class OrphanReaper {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #endings: Endings;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>, endings: Endings) {
    this.#p = platform;
    this.#endings = endings;
  }

  /**
   * Ends orphaned work; returns how many of each kind. Several workers may do so at once. An error in one kind does not keep the
   * others from being ended: it is thrown after all of them.
   */
  async reap(): Promise<{ replies: number; turns: number; generations: number; exports: number; holds: number }> {
    const { replies, turnRenders, speech, videos, exports } = this.#endings;
    const failed: unknown[] = [];
    const end = async <Row extends { id: string }>(find: Find<Row>, endOne: (row: Row) => Promise<void>) => {
      const found = find(this.#p.db, { before: this.#p.clock.now() - ORPHAN_AFTER_MS, limit: BATCH });
      const rows = await found.catch((error: unknown) => void failed.push(error));
      return this.#endEach(rows ?? [], endOne);
    };
    const ended = {
      // Replies that are next in their conversation and that no job writes; their end starts the ones that wait for them.
      replies: await end(lostReplies, ({ id }) => replies.failOrphan(id, MESSAGE)),
      // Turns that have their words, or will get none, and that no job renders.
      turns: await end(lostTurns, (turn) => turnRenders.fail(turn, MESSAGE)),
      // One-shot speech and videos that no job renders.
      generations:
        (await end(lostSpeech, (one) => speech.fail(one, MESSAGE))) +
        (await end(lostVideos, (one) => videos.fail(one, MESSAGE))),
      exports: await end(lostExports, (one) => exports.fail(one)),
      // Open holds without any work: it was never written.
      holds: await end(lostHolds, ({ id }) => this.#release(id)),
    };
    if (Object.values(ended).some((n) => n > 0)) this.#p.log.warn(ended, 'orphans reaped');
    if (failed.length > 1) throw new AggregateError(failed, failed.map(String).join(' '));
    if (failed.length > 0) throw failed[0];
    return ended;
  }

  async #release(holdId: string): Promise<void> {
    await this.#p.db.transaction(async (tx) => void (await settleHold(tx, holdId, 0n, this.#p.clock.now())));
  }

  /**
   * Ends each in a transaction of its own, so that an error in one does not keep the others from being ended. Returns how many
   * were ended; work that ended or was continued in the meantime does not count.
   */
  async #endEach<Row extends { id: string }>(rows: readonly Row[], end: (row: Row) => Promise<void>): Promise<number> {
    let ended = 0;
    for (const row of rows) {
      try {
        await end(row);
        ended += 1;
      } catch (error) {
        if (error instanceof StaleAttemptError) continue;
        this.#p.log.error({ err: error, id: row.id }, 'orphan not reaped');
      }
    }
    return ended;
  }
}
