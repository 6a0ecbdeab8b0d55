/**
 * Work that no job does: begun before a time, unfinished, and without a live job. Not the ORM's: jobs are in tables of pg-boss,
 * which have no entities, and what has no job is found by the statement, where entities would be all unfinished work, every
 * minute. Each statement returns `limit` rows at most. States are literals in the text, not values: only so do the partial
 * indexes on unfinished work serve a plan that is made once.
 */
import { type Expression, sql } from 'kysely';
import { prepared } from '../../../schema/entities/tables.ts';

interface Given {
  /** Epoch ms: only work that began, and whose last job ended, before this. */
  before: number;
  limit: number;
}

/** No live job has this id, and the last one that had it ended before `before`. */
const lost = (id: Expression<string>, { before }: Given) =>
  sql<boolean>`not exists (
    select 1 from pgboss.job j where j.data->>'id' = ${id}
      and (j.state < 'completed' or extract(epoch from j.completed_on) * 1000 >= ${before}))`;

/** Replies that are next in their conversation. */
export const lostReplies = prepared((tables, given: Given) =>
  tables
    .selectFrom('injection as i')
    .select('i.id')
    .where('i.state', '<>', sql.lit('done'))
    .where('i.created_at', '<', given.before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('injection as e')
            .select('e.id')
            .whereRef('e.conversation_id', '=', 'i.conversation_id')
            .whereRef('e.number', '<', 'i.number')
            .where('e.state', '<>', sql.lit('done')),
        ),
      ),
    )
    .where(({ ref }) => lost(ref('i.id'), given))
    .limit(given.limit),
);

/** Turns that have their words, or will get none. */
export const lostTurns = prepared((tables, given: Given) =>
  tables
    .selectFrom('conversation_turn as t')
    .innerJoin('injection as i', 'i.id', 't.injection_id')
    .select(['t.id', 't.conversation_id as conversationId', 't.attempt', 't.hold_id as holdId'])
    .select('t.audio_key as audioKey')
    .where(({ eb, or, and }) =>
      or([
        eb('t.status', '=', sql.lit('pending')),
        and([eb('t.status', '=', sql.lit('audio')), eb('t.output', '=', sql.lit('video'))]),
      ]),
    )
    .where('t.created_at', '<', given.before)
    .where('i.state', '=', sql.lit('done'))
    .where(({ ref }) => lost(ref('t.id'), given))
    .limit(given.limit),
);

/** Unfinished speech that no job works on. */
export const lostSpeech = prepared((tables, given: Given) =>
  tables
    .selectFrom('speech_generation as g')
    .select(['g.id', 'g.attempt', 'g.hold_id as holdId', 'g.audio_key as audioKey'])
    .where(({ eb, or, and }) =>
      or([
        eb('g.status', '=', sql.lit('pending')),
        and([eb('g.status', '=', sql.lit('audio')), eb('g.output', '=', sql.lit('video'))]),
      ]),
    )
    .where('g.created_at', '<', given.before)
    .where(({ ref }) => lost(ref('g.id'), given))
    .limit(given.limit),
);

/** Unfinished videos that no job works on. */
export const lostVideos = prepared((tables, given: Given) =>
  tables
    .selectFrom('video_generation as g')
    .select(['g.id', 'g.attempt', 'g.hold_id as holdId', sql<string | null>`null`.as('audioKey')])
    .where('g.status', 'in', [sql.lit<'queued'>('queued'), sql.lit<'rendering'>('rendering')])
    .where('g.created_at', '<', given.before)
    .where(({ ref }) => lost(ref('g.id'), given))
    .limit(given.limit),
);

/** Exports of accounts that no job makes. */
export const lostExports = prepared((tables, given: Given) =>
  tables
    .selectFrom('account_export as e')
    .select(['e.id', 'e.attempt'])
    .where('e.status', '=', sql.lit('waiting'))
    .where('e.created_at', '<', given.before)
    .where(({ ref }) => lost(ref('e.id'), given))
    .limit(given.limit),
);

/** The id behind a hold's source, whose form is always `kind:id`. */
const WORK = sql<string>`split_part(h.source, ':', 2)`;

/** Open holds that no work has. */
export const lostHolds = prepared((tables, given: Given) => {
  const hold = sql.ref<string>('h.id');
  const paid = [
    tables.selectFrom('conversation_turn').select('id').where('id', '=', WORK).where('hold_id', '=', hold),
    tables.selectFrom('speech_generation').select('id').where('id', '=', WORK).where('hold_id', '=', hold),
    tables.selectFrom('video_generation').select('id').where('id', '=', WORK).where('hold_id', '=', hold),
  ];
  return tables
    .selectFrom('ledger_hold as h')
    .select('h.id')
    .where('h.state', '=', sql.lit('open'))
    .where('h.created_at', '<', given.before)
    .where(({ and, not, exists }) => and(paid.map((work) => not(exists(work)))))
    .where(lost(WORK, given))
    .limit(given.limit);
});
