/** What was said long ago, and conversations in which nothing is left. */
import { prepared } from '../../../schema/entities/tables.ts';

interface Given {
  /** Ids before this one: they are sorted by time. */
  before: string;
  limit: number;
}

export const oldTurns = prepared((tables, given: Given) =>
  tables.selectFrom('turn').select('id').where('id', '<', given.before).orderBy('id').limit(given.limit),
);

/** Of those as old, none in which something was said, or is being answered. */
export const emptyConversations = prepared((tables, given: Given) =>
  tables
    .selectFrom('conversation as c')
    .select('c.id')
    .where('c.id', '<', given.before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('injection as i').select('i.id').whereRef('i.conversation_id', '=', 'c.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('turn as t').select('t.id').whereRef('t.conversation_id', '=', 'c.id'))),
    )
    .orderBy('c.id')
    .limit(given.limit),
);
