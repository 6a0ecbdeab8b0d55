/**
 * Rows of conversations with what every reader of one needs, and their versions. By statements, not the ORM: each poll,
 * each turn and each live viewer begins with one (a row with its relations costs 12 times as much as entities:
 * docs/decisions/0002), each accepted turn and settled job ends with the version. Lists are pages of the same rows, cut
 * before they are joined (7.3 times as much), of several avatars at once, or by the words of their turns, of which the ORM
 * would read all. A slug that is taken leaves no row, and no failed transaction. Who may see a conversation is decided in `conversation.access.ts`.
 */
import { type InferResult, type Kysely, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Keyset } from '../../kernel/keyset.ts';
import { anyOf, bothOrders, inKeyset, unplannedLimit } from '../../kernel/prepared.ts';
import { readSlug } from '../../kernel/slugs.ts';
import type { Platform } from '../platform/platform.port.ts';

const conversations = (tables: Kysely<Tables>) =>
  tables
    .selectFrom('conversation as c')
    .innerJoin('avatar as a', 'a.id', 'c.avatar_id')
    .leftJoin('avatar_image as i', 'i.id', 'c.image_id')
    .leftJoin('visitor as v', 'v.id', 'c.visitor_id')
    .select([
      'c.id',
      'c.share_slug as shareSlug',
      'c.owner_user_id as ownerUserId',
      'c.client_id as clientId',
      'c.avatar_id as avatarId',
      'a.owner_user_id as avatarOwnerUserId',
      'a.display_name as avatarDisplayName',
      'a.tts_voice_id as avatarVoiceId',
      'a.publicly_renderable as avatarIsRenderable',
      'i.media_key as imageKey',
      'c.title',
      'c.viewer_token as viewerToken',
      'c.is_public as isPublic',
      'c.visitor_id as visitorId',
      'a.talk_audience as talkAudience',
      'v.blocked_at as visitorBlockedAt',
      'v.token_hash as visitorTokenHash',
      'c.version',
      'c.created_at as createdAt',
    ]);

/** A conversation's row with what access is decided by. */
export type OpenConversation = InferResult<ReturnType<typeof conversations>>[number];

const ofId = prepared((tables, given: { id: string }) => conversations(tables).where('c.id', '=', given.id));
const ofSlug = prepared((tables, given: { slug: string }) =>
  conversations(tables).where('c.share_slug', '=', given.slug),
);

/** The conversations with these internal ids. */
export const conversationsOfIds = prepared((tables, given: { ids: readonly string[] }) =>
  conversations(tables).where('c.id', '=', anyOf(given.ids)),
);

/** By internal id or `c-` slug; undefined when there is none. */
export async function findConversation(
  db: Pick<Platform['db'], 'rows'>,
  idOrSlug: string,
): Promise<OpenConversation | undefined> {
  const slug = readSlug(idOrSlug, 'c');
  const [row] = slug ? await ofSlug(db, { slug }) : await ofId(db, { id: idOrSlug });
  return row;
}

/** The one that a visitor has. */
export const conversationOfVisitor = prepared((tables, given: { visitorId: string }) =>
  conversations(tables).where('c.visitor_id', '=', given.visitorId),
);

/** By their ids; those that are held on avatars' pages are gone on with there alone. */
export const ownConversations = bothOrders((way) =>
  prepared((tables, given: { ownerId: string } & Keyset) =>
    conversations(tables)
      // The page first: joined before it is cut, all that the owner has would be read.
      .where('c.id', 'in', (of) =>
        of
          .selectFrom('conversation')
          .select('id')
          .where('owner_user_id', '=', given.ownerId)
          .where('visitor_id', 'is', null)
          .where(inKeyset('id', given))
          .orderBy('id', way)
          .limit(unplannedLimit(given.limit)),
      )
      .orderBy('c.id', way),
  ),
);

/** A page of those with each avatar. */
export const ownConversationsWith = bothOrders((way) =>
  prepared((tables, given: { ownerId: string; avatarIds: string[] } & Keyset) =>
    conversations(tables)
      .where('c.id', 'in', (of) =>
        of
          .selectFrom(
            of
              .selectFrom('conversation')
              .select([
                'id',
                sql<number>`row_number() over (partition by avatar_id order by id ${sql.raw(way)})`.as('place'),
              ])
              .where('owner_user_id', '=', given.ownerId)
              .where('visitor_id', 'is', null)
              .where('avatar_id', '=', anyOf(given.avatarIds))
              .where(inKeyset('id', given))
              .as('placed'),
          )
          .select('placed.id')
          .where('placed.place', '<=', given.limit),
      )
      .orderBy('c.id', way),
  ),
);

/** The same, of those whose title, face or words hold the text, in any case. */
export const searchedConversations = bothOrders((way) =>
  prepared((tables, given: { ownerId: string; pattern: string } & Keyset) =>
    conversations(tables)
      .where('c.owner_user_id', '=', given.ownerId)
      .where('c.visitor_id', 'is', null)
      .where(inKeyset('c.id', given))
      .where(({ eb, or, exists, selectFrom }) =>
        or([
          eb('c.title', 'ilike', given.pattern),
          eb('a.display_name', 'ilike', given.pattern),
          exists(
            selectFrom('conversation_turn as t')
              .select('t.id')
              .whereRef('t.conversation_id', '=', 'c.id')
              .where((turn) =>
                turn.or([turn('t.user_text', 'ilike', given.pattern), turn('t.avatar_text', 'ilike', given.pattern)]),
              ),
          ),
        ]),
      )
      .orderBy('c.id', way)
      .limit(given.limit),
  ),
);

/** What `ilike` takes for a text that may stand anywhere; its own signs stand for themselves. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A conversation to add. */
export interface NewConversation {
  id: string;
  shareSlug: string;
  ownerId: string;
  avatarId: string;
  imageId: string | null;
  viewerToken: string;
  clientId: string | null;
  visitorId: string | null;
  createdAt: number;
}

/** No row where the slug is taken. */
export const addConversation = prepared((tables, given: NewConversation) =>
  tables
    .insertInto('conversation')
    .values({
      id: given.id,
      share_slug: given.shareSlug,
      owner_user_id: given.ownerId,
      avatar_id: given.avatarId,
      image_id: given.imageId,
      viewer_token: given.viewerToken,
      client_id: given.clientId,
      visitor_id: given.visitorId,
      created_at: given.createdAt,
    })
    .onConflict((conflict) => conflict.column('share_slug').doNothing())
    .returning('id'),
);

/** An access link that stands: a viewer who came in by one brings its key with every poll. */
export const standingLink = prepared((tables, given: { keyHash: string; conversationId: string }) =>
  tables
    .selectFrom('access_link')
    .select('id')
    .where('key_hash', '=', given.keyHash)
    .where('conversation_id', '=', given.conversationId)
    .where('revoked_at', 'is', null),
);

interface Bump {
  conversationId: string;
  turnIds: string[];
  /** By how much the version is raised: one for each turn, at least one. */
  steps: number;
  /** 1 when an injection gets a number. */
  numbered: 0 | 1;
  injectionId: string | null;
}

/**
 * Raises the version and numbers what changed: the last statement of every accepted turn and every settled job. PostgreSQL does not know
 * how many turns there are when it plans: where it did, it planned anew each time, as long as all else takes.
 */
export const bump = prepared((tables, given: Bump) =>
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
        .updateTable('conversation_turn as t')
        .from([
          'bumped',
          sql<{ id: string; ord: number }>`unnest((select ${given.turnIds}::text[])) with ordinality`.as<'n'>(
            sql`n(id, ord)`,
          ),
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
