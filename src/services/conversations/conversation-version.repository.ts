/**
 * The version of a conversation, which numbers its changes. It is raised once per changed turn, by the last statement of
 * the transaction, after all ledger locks (measured on one conversation: 1 657 transactions a second; 270 as the first
 * statement). The notification is sent after the commit, because PostgreSQL serialises commits that notify.
 */
import { sql } from 'kysely';
import { DeletedTurnEntity } from '../../../schema/entities/deletions.ts';
import { prepared } from '../../../schema/entities/tables.ts';
import { NOTIFY_TURN, traceSuffix } from '../../events/notifier.ts';
import type { Tx } from '../../kernel/database.ts';
import type { Platform } from '../platform/platform.port.ts';
import { notifyOfTurns } from '../webhooks/webhook-events.queries.ts';

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

interface Bump {
  conversationId: string;
  turnIds: string[];
  /** By how much the version is raised: one for each turn, at least one. */
  steps: number;
  /** 1 when an injection gets a number. */
  numbered: 0 | 1;
  injectionId: string | null;
}

/** Prepared: the last statement of every accepted turn and every settled job (docs/decisions/0002). */
const bump = prepared((tables, given: Bump) =>
  tables
    .with('bumped', (db) =>
      db
        .updateTable('conversation')
        .set(({ eb }) => ({
          version: eb('version', '+', sql<number>`${given.steps}::int`),
          injections: eb('injections', '+', sql<number>`${given.numbered}::int`),
        }))
        .where('id', '=', given.conversationId)
        .returning(['version', 'injections']),
    )
    .with('numbered', (db) =>
      db
        .updateTable('injection as i')
        .from('bumped')
        .set(({ ref }) => ({ number: ref('bumped.injections') }))
        .where('i.id', '=', sql<string>`${given.injectionId}`)
        .returning('i.number'),
    )
    .with('stamped', (db) =>
      db
        .updateTable('turn as t')
        .from([
          'bumped',
          sql<{ id: string; ord: number }>`unnest(${given.turnIds}::text[]) with ordinality`.as<'n'>(sql`n(id, ord)`),
        ])
        .set(({ eb, ref }) => ({
          version: sql<number>`bumped.version - ${given.steps}::int + n.ord`,
          number: eb
            .case()
            .when('t.injection_id', '=', sql<string>`${given.injectionId}`)
            .then(ref('bumped.injections'))
            .else(ref('t.number'))
            .end(),
        }))
        .whereRef('t.id', '=', 'n.id'),
    )
    .selectFrom('bumped')
    .select('version'),
);

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
