/**
 * A browser that loads an avatar's page without an account becomes a visitor with a conversation and an account row. Those who never
 * said anything and have not come for a day are removed with both; one that comes again later is a new visitor. Done hourly by
 * every worker; what one has removed the others do not find.
 */
import { UserEntity } from '../../../schema/entities/users.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { ConversationDeletion } from '../conversations/conversation-deletion.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { lockedAnew } from '../turns/turn-locks.service.ts';
import { silentVisitor, silentVisitors } from './visitor.queries.ts';

/** In one round; the next hour takes the rest. */
const BATCH = 1_000;

export class VisitorCleanup {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'log'>;
  readonly #conversations: Pick<ConversationDeletion, 'drop'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'log'>, conversations: Pick<ConversationDeletion, 'drop'>) {
    this.#p = platform;
    this.#conversations = conversations;
  }

  /** How many visitors were removed. */
  async run(): Promise<number> {
    const beforeMs = this.#p.clock.now() - DAY_MS;
    let removed = 0;
    for (const visitor of await silentVisitors(this.#p.db, { beforeMs, limit: BATCH })) {
      try {
        if (await this.#remove(visitor, beforeMs)) removed += 1;
      } catch (error) {
        // A visitor who cannot be removed does not keep the others from it.
        this.#p.log.warn({ err: error, visitorId: visitor.id }, 'visitor not removed');
      }
    }
    if (removed > 0) this.#p.log.info({ removed }, 'silent visitors removed');
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
