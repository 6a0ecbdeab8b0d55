/**
 * Talking heads that were ordered elsewhere for work that ended without them: deleted, failed, or shown by the preview.
 * The database notes them as it ends (migration 0056), so that none is forgotten whatever ends it; here providers are notified.
 */
import { TalkingHeadCancellationEntity } from '../../../schema/entities/deletions.ts';
import type { TalkingHeadOrder } from '../../engines/ports/index.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Most cancellations that one round sends. */
const BATCH = 50;
const RETRY_MS = MINUTE_MS;
/** Operations end by themselves in half an hour. */
const MAX_ATTEMPTS = 30;

export class TalkingHeadCancellations {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'engines' | 'log'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'engines' | 'log'>) {
    this.#p = platform;
  }

  /** Notifies providers of what is due; how many were notified. Several workers may do so at once: twice does no harm. */
  async round(): Promise<number> {
    const { db, clock } = this.#p;
    const due = { dueAt: { $lte: clock.now() } };
    const rows = await db.em().find(TalkingHeadCancellationEntity, due, { orderBy: { id: 'asc' }, limit: BATCH });
    let notified = 0;
    for (const row of rows) if (await this.#notify(row)) notified += 1;
    return notified;
  }

  /** Never rejects but for the database. */
  async #notify({ id, talkingHeadOrder, attempts }: TalkingHeadCancellationEntity): Promise<boolean> {
    const { db, clock, engines, log } = this.#p;
    const order = talkingHeadOrder as TalkingHeadOrder;
    try {
      await engines.remoteTalkingHead?.cancel(order);
      await db.em().nativeDelete(TalkingHeadCancellationEntity, { id });
      return true;
    } catch (error) {
      log.warn({ err: error, model: order.model, attempts }, 'talking head not cancelled');
      if (attempts + 1 >= MAX_ATTEMPTS) await db.em().nativeDelete(TalkingHeadCancellationEntity, { id });
      else {
        const next = { attempts: attempts + 1, dueAt: clock.now() + RETRY_MS };
        await db.em().nativeUpdate(TalkingHeadCancellationEntity, { id }, next);
      }
      return false;
    }
  }
}
