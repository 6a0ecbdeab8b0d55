/**
 * A browser that loads an avatar's page without an account becomes a visitor with a conversation and an account row. Those who never
 * said anything and have not come for a day are removed with both; one that comes again later is a new visitor. Done hourly
 * in batches, by one worker.
 */
import { UserEntity } from '../../../schema/entities/users.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { ConversationDeletion } from '../conversations/conversation-deletion.service.ts';
import { inBatches } from '../maintenance/retention-batches.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { lockedAnew } from '../turns/turn-locks.service.ts';
import { silentVisitor, silentVisitors } from './visitor.queries.ts';

/** Visitors that are looked for at once. */
const BATCH = 100;

export class VisitorCleanup {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #conversations: Pick<ConversationDeletion, 'drop'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>, conversations: Pick<ConversationDeletion, 'drop'>) {
    this.#p = platform;
    this.#conversations = conversations;
  }

  /** Removes them until `signal` aborts; how many visitors. */
  async run(signal?: AbortSignal): Promise<number> {
    const { db, clock, log } = this.#p;
    const beforeMs = clock.now() - DAY_MS;
    let removed = 0;
    let after = '';
    await inBatches(db, { step: 'silent visitors', signal }, async () => {
      const visitors = await silentVisitors(db, { beforeMs, after, limit: BATCH });
      for (const visitor of visitors) {
        if (signal?.aborted) break;
        after = visitor.id;
        try {
          if (await this.#remove(visitor, beforeMs)) removed += 1;
        } catch (error) {
          // A visitor who cannot be removed does not keep the others from it.
          log.warn({ err: error, visitorId: visitor.id }, 'visitor not removed');
        }
      }
      return visitors.length === BATCH;
    });
    if (removed > 0) log.info({ removed }, 'silent visitors removed');
    return removed;
  }

  #remove(
    { id, userId, conversationId }: { id: string; userId: string; conversationId: string | null },
    beforeMs: number,
  ): Promise<boolean> {
    return lockedAnew(this.#p.db, async (tx) => {
      // The visitor may speak just now: behind the locks that is seen.
      const isSilent = async () => (await silentVisitor(tx, { id, beforeMs })).length > 0;
      if (!(await this.#conversations.drop(tx, conversationId === null ? [] : [conversationId], { isMeant: isSilent })))
        return false;
      await tx.em.nativeDelete(VisitorEntity, { id });
      await tx.em.nativeDelete(UserEntity, { id: userId });
      return true;
    });
  }
}
