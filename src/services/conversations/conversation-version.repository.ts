/**
 * The version of a conversation, which numbers its changes. It is raised once per changed turn, by the last statement of
 * the transaction, after all ledger locks (measured on one conversation: 1 657 transactions a second; 270 as the first
 * statement). The notification is sent after the commit, because PostgreSQL serialises commits that notify.
 */
import { DeletedTurnEntity } from '../../../schema/entities/deletions.ts';
import { NOTIFY_TURN, traceSuffix } from '../../events/notifier.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform/platform.port.ts';
import { notifyOfTurns } from '../webhooks/webhook-events.queries.ts';
import { bump } from './conversation.queries.ts';

interface Pending {
  turnIds: Set<string>;
  injectionId?: string;
}

const pending = new WeakMap<Tx, Map<string, Pending>>();

/**
 * Marks these turns as changed, or the conversation itself when there are none, for viewers and webhooks. With `injectionId`, also gives that
 * injection and its turns the next number.
 */
export function bumpVersion(
  tx: Tx,
  { notifier, clock }: Pick<Platform, 'notifier' | 'clock'>,
  conversationId: string,
  change: { turnIds?: string[]; injectionId?: string },
): void {
  const all = pending.get(tx) ?? new Map<string, Pending>();
  pending.set(tx, all);
  const mine = all.get(conversationId) ?? { turnIds: new Set<string>() };
  all.set(conversationId, mine);
  for (const id of change.turnIds ?? []) mine.turnIds.add(id);
  if (change.injectionId) mine.injectionId = change.injectionId;
  const suffix = traceSuffix();
  tx.beforeCommit(`version:${conversationId}`, () => ({
    ...bump.filled({
      conversationId,
      turnIds: [...mine.turnIds],
      steps: Math.max(mine.turnIds.size, 1),
      numbered: mine.injectionId ? 1 : 0,
      injectionId: mine.injectionId ?? null,
    }),
    committed: ([row]) =>
      row && notifier.emitLocal('turn', `${conversationId} ${row.version}${suffix && ` ${suffix}`}`),
  }));
  if (mine.turnIds.size > 0) {
    // Whatever ends a turn raises the version: so webhooks of all of them are notified here.
    tx.beforeCommit(`webhooks:${conversationId}`, () => ({
      ...notifyOfTurns([...mine.turnIds], clock.now()),
      committed: () => {},
    }));
  }
  tx.notify(NOTIFY_TURN, [conversationId, suffix]);
}

/** A deleted turn, and its position in the conversation. */
interface GoneTurn {
  id: string;
  /** Absent while the turn is being accepted. */
  number?: number | null | undefined;
  chunk: number;
  role: 'user' | 'avatar';
}

/** Raises the version once for each deleted turn and records it, so that viewers receive the deletion as a change. */
export async function bumpDeleted(
  tx: Tx,
  notifier: Platform['notifier'],
  conversationId: string,
  turns: readonly GoneTurn[],
  nowMs: number,
): Promise<void> {
  const [row] = await bump(tx, {
    conversationId,
    turnIds: [],
    steps: turns.length,
    numbered: 0,
    injectionId: null,
  });
  // The conversation itself was deleted.
  if (!row) return;
  const from = row.version - turns.length + 1;
  for (const [index, { id, number, chunk, role }] of turns.entries()) {
    const gone = {
      id,
      conversation: conversationId,
      number: number ?? 0,
      chunk,
      role,
      version: from + index,
      createdAt: nowMs,
    };
    tx.em.create(DeletedTurnEntity, gone);
  }
  const suffix = traceSuffix();
  tx.notify(NOTIFY_TURN, [conversationId, suffix]);
  tx.afterCommit(() => notifier.emitLocal('turn', `${conversationId} ${row.version}${suffix && ` ${suffix}`}`));
}
