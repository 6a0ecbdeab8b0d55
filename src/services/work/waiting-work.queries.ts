/**
 * Whether as much waits as may. By statements, not the ORM: the jobs are rows of pg-boss, which no entity describes, and every
 * accepted turn asks, with its other statements and without a flush between them.
 */
import { sql } from 'kysely';
import type { Tables } from '../../../schema/entities/tables.ts';
import type { JobKind } from '../../kernel/job-kinds.ts';
import { preparedOver } from '../../kernel/prepared.ts';

const prepared = preparedOver<
  Tables & { 'pgboss.job': { id: string; name: JobKind; state: string; group_id: string } }
>();

/** A row when more than `allBut` jobs of the account wait. */
export const fullQueue = prepared((tables, given: { kind: JobKind; account: string; allBut: number }) =>
  tables
    .selectFrom('pgboss.job')
    .select('id')
    .where('name', '=', given.kind)
    .where('group_id', '=', given.account)
    .where('state', '<', sql.lit('active'))
    .offset(given.allBut)
    .limit(sql.lit(1)),
);

/** A row when more than `allBut` replies of the conversation wait: one after another they have a job only when it is their turn. */
export const fullConversation = prepared((tables, given: { conversationId: string; allBut: number }) =>
  tables
    .selectFrom('injection')
    .select('id')
    .where('conversation_id', '=', given.conversationId)
    .where('state', '<>', sql.lit('done'))
    .offset(given.allBut)
    .limit(sql.lit(1)),
);
