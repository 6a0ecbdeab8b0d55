/**
 * What feeds read. By statements, not the ORM: each change of an open conversation is read once a process, and every open
 * feed is looked at once a second (a page of 20 rows costs 7.3 times as much as entities: docs/decisions/0002).
 */
import { type InferResult, type Kysely, type NotNull, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Row } from '../../kernel/database.ts';
import { anyOf, unnest, unplanned } from '../../kernel/prepared.ts';
import { SHOWN_COLUMNS } from '../turns/turn.queries.ts';

const GONE = sql.lit('This turn was deleted.');
const NOTHING = sql.lit(null);

/** What changed, and what was deleted: of that nothing is left but its place. */
const changed = (tables: Kysely<Tables>, given: { conversationId: string; after: number; limit: number }) =>
  tables
    .selectFrom('conversation_turn as t')
    .select([...SHOWN_COLUMNS, 't.number', 't.chunk', sql.lit<boolean>(false).as('isDeleted')])
    .where('t.conversation_id', '=', unplanned(given.conversationId))
    .where('t.version', '>', given.after)
    .unionAll(
      tables
        .selectFrom('deleted_turn as t')
        .select([
          't.id',
          't.role',
          NOTHING.as('userText'),
          NOTHING.as('avatarText'),
          NOTHING.as('output'),
          sql.lit<'error'>('error').as('status'),
          NOTHING.as('audioKey'),
          NOTHING.as('videoKey'),
          NOTHING.as('streamKey'),
          NOTHING.as('shareSlug'),
          GONE.as('errorMessage'),
          NOTHING.as('mediaError'),
          NOTHING.as('words'),
          NOTHING.as('seconds'),
          NOTHING.as('heardText'),
          't.created_at as createdAt',
          't.version',
          't.number',
          't.chunk',
          sql.lit<boolean>(true).as('isDeleted'),
        ])
        .where('t.conversation_id', '=', given.conversationId)
        .where('t.version', '>', given.after),
    )
    .orderBy('version')
    .limit(given.limit)
    // Both are given by the transaction that wrote the turn.
    .$narrowType<{ version: NotNull; number: NotNull }>();

/** A turn as a feed reads it. `isDraft`: its words are those that are written so far. */
export type LiveRow = Row & InferResult<ReturnType<typeof changed>>[number] & { isDraft?: boolean };

/** Turns with a version beyond `after`, deleted ones included, by ascending version. */
export const changedTurns = prepared(changed);

/** A turn whose words are still being written. */
export const unwrittenTurn = prepared((tables, given: { conversationId: string; id: string }) =>
  tables
    .selectFrom('conversation_turn as t')
    .select([...SHOWN_COLUMNS, 't.number', 't.chunk', sql.lit<boolean>(false).as('isDeleted')])
    .where('t.id', '=', given.id)
    .where('t.conversation_id', '=', given.conversationId)
    .where('t.status', '=', sql.lit('pending'))
    .where('t.avatar_text', 'is', null)
    .$narrowType<{ version: NotNull; number: NotNull }>(),
);

/** The greatest version among a conversation's turns, deleted ones too; 0 where it has none. */
export const latestVersion = prepared((tables, given: { conversationId: string }) =>
  tables.selectNoFrom(({ fn, selectFrom }) =>
    fn<number>('greatest', [
      sql.lit(0),
      selectFrom('conversation_turn')
        .select((eb) => eb.fn.max('version').as('version'))
        .where('conversation_id', '=', given.conversationId),
      selectFrom('deleted_turn')
        .select((eb) => eb.fn.max('version').as('version'))
        .where('conversation_id', '=', given.conversationId),
    ]).as('version'),
  ),
);

/** The present versions of conversations. */
export const conversationVersions = prepared((tables, given: { ids: string[] }) =>
  tables.selectFrom('conversation').select(['id', 'version']).where('id', '=', anyOf(given.ids)),
);

/** The turn of a slug, its version and its conversation's. */
export const turnOfSlug = prepared((tables, given: { slug: string }) =>
  tables
    .selectFrom('conversation_turn as t')
    .innerJoin('conversation as c', 'c.id', 't.conversation_id')
    .select(['t.id as turnId', 't.conversation_id as conversationId', 't.version as turnVersion', 'c.version'])
    .where('t.share_slug', '=', given.slug)
    .$narrowType<{ turnVersion: NotNull }>(),
);

/** Those of these access grants, by kind and id, that no longer give access. */
export const lapsedGrants = prepared((tables, given: { kinds: string[]; ids: string[]; nowMs: number }) =>
  tables
    .selectFrom(
      unnest<{ kind: string; id: string }, 'k'>('k', { kind: ['text', given.kinds], id: ['text', given.ids] }),
    )
    .select(['k.kind', 'k.id'])
    .where(({ eb, exists, not, or, selectFrom }) =>
      not(
        eb
          .case('k.kind')
          .when(sql.lit('link'))
          .then(
            exists(
              selectFrom('access_link as l')
                .select('l.id')
                .whereRef('l.id', '=', 'k.id')
                .where('l.revoked_at', 'is', null),
            ),
          )
          .when(sql.lit('public'))
          .then(
            exists(
              selectFrom('conversation as c')
                .select('c.id')
                .whereRef('c.id', '=', 'k.id')
                .where('c.is_public', '=', true),
            ),
          )
          .when(sql.lit('visitor'))
          .then(
            exists(
              selectFrom('visitor as v')
                .innerJoin('avatar as a', 'a.id', 'v.avatar_id')
                .innerJoin('conversation as c', 'c.visitor_id', 'v.id')
                .select('v.id')
                .whereRef('v.id', '=', 'k.id')
                .where('v.blocked_at', 'is', null)
                .where((visit) =>
                  visit.or([
                    visit('a.talk_audience', '=', sql.lit('everyone')),
                    visit.and([visit('a.talk_audience', '=', sql.lit('signed_in')), visit('v.token_hash', 'is', null)]),
                  ]),
                ),
            ),
          )
          .else(
            or([
              exists(
                selectFrom('session as s')
                  .select('s.id')
                  .whereRef('s.id', '=', 'k.id')
                  .where('s.revoked_at', 'is', null)
                  .where('s.expires_at', '>', given.nowMs),
              ),
              exists(
                selectFrom('api_key as a')
                  .select('a.id')
                  .whereRef('a.id', '=', 'k.id')
                  .where('a.revoked_at', 'is', null)
                  .where((key) => key.or([key('a.expires_at', 'is', null), key('a.expires_at', '>', given.nowMs)])),
              ),
            ]),
          )
          .end(),
      ),
    ),
);
