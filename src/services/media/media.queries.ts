/**
 * Whose stored files are. By statements, not the ORM: a file that an attempt stores again keeps its row, and a turn's or a
 * video's is sent with the transaction that shows it, without waiting (three such writes cost 2.7 times as much as
 * entities: docs/decisions/0002).
 */
import { sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';
import { anyOf } from '../../kernel/prepared.ts';

/** A file of an account; one that has its row keeps it. */
export const own = prepared((tables, given: { userId: string; key: string; bytes: number }) =>
  tables
    .insertInto('media_object')
    .values({ key: given.key, user_id: given.userId, bytes: given.bytes })
    .onConflict((conflict) => conflict.column('key').doNothing()),
);
/** The account that pays for a piece of work. */
export const payerOf = prepared((tables, given: { holdId: string }) =>
  tables.selectFrom('ledger_hold').select('user_id').where('id', '=', given.holdId),
);
/** A file of the account that pays. */
export const ownPaid = prepared((tables, given: { holdId: string; key: string; bytes: number }) =>
  tables
    .insertInto('media_object')
    .columns(['key', 'user_id', 'bytes'])
    .expression((eb) =>
      eb
        .selectFrom('ledger_hold')
        .select([sql<string>`${given.key}::text`.as('key'), 'user_id', sql<number>`${given.bytes}::bigint`.as('bytes')])
        .where('id', '=', given.holdId),
    )
    .onConflict((conflict) => conflict.column('key').doNothing()),
);
/** Files that are removed. */
export const disown = prepared((tables, given: { keys: readonly string[] }) =>
  tables.deleteFrom('media_object').where('key', '=', anyOf(given.keys)),
);
