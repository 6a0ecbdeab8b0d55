/**
 * Claims the deliveries that are due. One statement, not the ORM: all workers ask twice a second, and each delivery goes to one of
 * them (as entities it costs 7.0 times as much: docs/decisions/0002).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';

/** Claims deliveries that are due, and those whose sending began before `lostMs`: their jobs were lost. */
export const takeDueWebhooks = prepared((tables, given: { nowMs: number; lostMs: number; limit: number }) =>
  tables
    .with('due', (db) =>
      db
        .selectFrom('webhook_delivery')
        .select('id')
        .where(({ or, and, eb }) =>
          or([
            and([eb('state', '=', sql.lit('waiting')), eb('due_at', '<=', given.nowMs)]),
            and([eb('state', '=', sql.lit('sending')), eb('due_at', '<=', given.lostMs)]),
          ]),
        )
        .orderBy('due_at')
        .limit(given.limit)
        .forUpdate()
        .skipLocked(),
    )
    .updateTable('webhook_delivery as d')
    .from(['due', 'webhook_endpoint as e'])
    .set({ state: 'sending', due_at: given.nowMs })
    .whereRef('d.id', '=', 'due.id')
    .whereRef('e.id', '=', 'd.endpoint_id')
    .returning(['d.id', 'e.user_id as userId']),
);
