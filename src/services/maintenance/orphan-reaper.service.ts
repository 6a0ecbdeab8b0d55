/**
 * Work whose job died for good: 15 minutes after its last sign of life a turn ends in error and its hold goes
 * back, so that nothing stays held for work that no job does. It only ever ends work that no live job has.
 */
import { MINUTE_MS } from '../../kernel/clock.ts';
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
/** Ended in one round; the next round is a minute later. */
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

export class OrphanReaper {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #endings: Endings;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>, endings: Endings) {
    this.#p = platform;
    this.#endings = endings;
  }

  /** Ends orphaned work; returns how many of each. Several workers may do so at once. */
  async reap(): Promise<{ replies: number; turns: number; generations: number; exports: number; holds: number }> {
    const beforeMs = this.#p.clock.now() - ORPHAN_AFTER_MS;
    const ended = {
      replies: await this.#endReplies(beforeMs),
      turns: await this.#endTurns(beforeMs),
      generations: await this.#endGenerations(beforeMs),
      exports: await this.#endExports(beforeMs),
      holds: await this.#releaseHolds(beforeMs),
    };
    if (Object.values(ended).some((n) => n > 0)) this.#p.log.warn(ended, 'orphans reaped');
    return ended;
  }

  /** Replies that are next in their conversation and that no job writes; the ones behind them are woken by their end. */
  async #endReplies(beforeMs: number): Promise<number> {
    const rows = await lostReplies(this.#p.db, { before: beforeMs, limit: BATCH });
    return this.#endEach(rows, ({ id }) => this.#endings.replies.failOrphan(id, MESSAGE));
  }

  /** Turns that have their words, or will get none, and that no job renders. */
  async #endTurns(beforeMs: number): Promise<number> {
    const rows = await lostTurns(this.#p.db, { before: beforeMs, limit: BATCH });
    return this.#endEach(rows, (turn) => this.#endings.turnRenders.fail(turn, MESSAGE));
  }

  /** One-shot speech and videos that no job renders. */
  async #endGenerations(beforeMs: number): Promise<number> {
    const { speech, videos } = this.#endings;
    const unfinished = [
      { find: lostSpeech, by: speech },
      { find: lostVideos, by: videos },
    ];
    let ended = 0;
    for (const { find, by } of unfinished) {
      const rows = await find(this.#p.db, { before: beforeMs, limit: BATCH });
      ended += await this.#endEach(rows, (row) => by.fail(row, MESSAGE));
    }
    return ended;
  }

  async #endExports(beforeMs: number): Promise<number> {
    const rows = await lostExports(this.#p.db, { before: beforeMs, limit: BATCH });
    return this.#endEach(rows, (row) => this.#endings.exports.fail(row));
  }

  /** Open holds that no work has, of whatever was never written. */
  async #releaseHolds(beforeMs: number): Promise<number> {
    const rows = await lostHolds(this.#p.db, { before: beforeMs, limit: BATCH });
    return this.#endEach(rows, ({ id }) =>
      this.#p.db.transaction(async (tx) => void (await settleHold(tx, id, 0n, this.#p.clock.now()))),
    );
  }

  /**
   * Ends each by itself, so that one that cannot be ended keeps no other one waiting; returns how many were. What ended
   * or was taken up again in the meantime is not counted.
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
