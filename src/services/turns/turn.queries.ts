/**
 * Reading turns, and how one is shown. By statements, not the ORM: every waiting client reads them every two seconds (a
 * page of 20 rows costs 7.3 times as much as entities: docs/decisions/0002).
 */
import { type InferResult, type Kysely, type NotNull, sql } from 'kysely';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Turn, TurnUpdate } from '../../../schema/turn.ts';
import type { Row } from '../../kernel/database.ts';
import type { Keyset } from '../../kernel/keyset.ts';
import { bothOrders, unplanned, unplannedAnyOf, unplannedLimit } from '../../kernel/prepared.ts';
import type { Platform } from '../platform/platform.port.ts';

/** What is read of a turn to show it. */
export const SHOWN_COLUMNS = [
  't.id',
  't.role',
  't.user_text as userText',
  't.avatar_text as avatarText',
  't.output',
  't.status',
  't.audio_key as audioKey',
  't.video_key as videoKey',
  't.stream_key as streamKey',
  't.share_slug as shareSlug',
  't.error_message as errorMessage',
  't.media_error as mediaError',
  't.marks as words',
  't.seconds',
  't.heard_text as heardText',
  't.created_at as createdAt',
  't.version',
] as const;

/** The one that a `t-` slug names. */
export const turnOfSlug = prepared((tables, given: { slug: string }) =>
  tables
    .selectFrom('conversation_turn as t')
    .select(SHOWN_COLUMNS)
    .where('t.share_slug', '=', given.slug)
    .$narrowType<{ version: NotNull }>(),
);

/** Those of these ids, each with its conversation. */
export const turnsOfIds = prepared((tables, given: { ids: readonly string[] }) =>
  tables
    .selectFrom('conversation_turn as t')
    .select(SHOWN_COLUMNS)
    .select('t.conversation_id as conversationId')
    .where('t.id', '=', unplannedAnyOf(given.ids))
    .$narrowType<{ version: NotNull }>(),
);

/** A page of each conversation, by number and chunk; the places that it lies between are arrays of the two. */
const turnsWithin = bothOrders((way) =>
  prepared((tables, given: { conversationIds: string[]; over: number[]; under: number[] } & Keyset) =>
    tables
      .selectFrom(sql<{ id: string }>`unnest(${given.conversationIds}::text[])`.as<'c'>(sql`c(id)`))
      .crossJoinLateral((lateral) =>
        lateral
          .selectFrom('conversation_turn as turn')
          .selectAll()
          .whereRef('turn.conversation_id', '=', 'c.id')
          .where(sql<boolean>`(turn.number, turn.chunk) > ((${given.over}::int[])[1], (${given.over}::int[])[2])`)
          .where(sql<boolean>`(turn.number, turn.chunk) < ((${given.under}::int[])[1], (${given.under}::int[])[2])`)
          .orderBy('turn.number', way)
          .orderBy('turn.chunk', way)
          .limit(unplannedLimit(given.limit))
          .as('t'),
      )
      .select(SHOWN_COLUMNS)
      .select(['t.conversation_id as conversationId', 't.number', 't.chunk'])
      .orderBy('t.number', way)
      .orderBy('t.chunk', way)
      .$narrowType<{ version: NotNull; number: NotNull }>(),
  ),
);

const place = (key: string | null, otherwise: number): number[] => key?.split('.').map(Number) ?? [otherwise, 0];

/** A page of the turns of each conversation; the keys of the keyset are number and chunk with a dot between. */
export const turnsOf = (db: Pick<Platform['db'], 'rows'>, conversationIds: string[], keyset: Keyset) =>
  turnsWithin(db, {
    ...keyset,
    conversationIds,
    over: place(keyset.above, -1),
    under: place(keyset.below, 2 ** 31 - 1),
  });

/** Which avatar voices each turn. */
export const voicesOfTurns = prepared((tables, given: { ids: string[] }) =>
  tables
    .selectFrom('conversation_turn')
    .select(['id', 'voiced_by_avatar_id as avatarId'])
    .where('id', '=', unplannedAnyOf(given.ids)),
);

/** A turn as it is read. */
export type TurnRow = Row & InferResult<ReturnType<typeof ofConversation>>[number];

/** What is shown of it. */
export type ShownTurn = Omit<InferResult<ReturnType<typeof ofConversation>>[number], 'version' | 'number' | 'chunk'>;

/** A turn is read after the transaction that wrote it, whose end gave it its version. */
const ofConversation = (tables: Kysely<Tables>, conversationId: string) =>
  tables
    .selectFrom('conversation_turn as t')
    .select([...SHOWN_COLUMNS, 't.number', 't.chunk'])
    .where('t.conversation_id', '=', unplanned(conversationId))
    .$narrowType<{ version: NotNull; number: NotNull }>();

/** The image that turn `t` of conversation `c` is shown with: the conversation's for its own avatar, else `a`'s primary one. */
export const SHOWN_IMAGE = sql<string>`case when t.voiced_by_avatar_id = c.avatar_id then c.image_id
  else (select p.id from avatar_image p where p.avatar_id = a.id and p.is_primary) end`;

/** A turn behind its `t-` slug, with who speaks it. */
export const turnCard = prepared((tables, given: { slug: string }) =>
  tables
    .selectFrom('conversation_turn as t')
    .innerJoin('conversation as c', 'c.id', 't.conversation_id')
    .innerJoin('avatar as a', 'a.id', 't.voiced_by_avatar_id')
    .leftJoin('avatar_image as i', (join) => join.on('i.id', '=', SHOWN_IMAGE))
    .select(SHOWN_COLUMNS)
    .select(['a.display_name as avatarDisplayName', 'i.media_key as imageKey'])
    .where('t.share_slug', '=', given.slug)
    .$narrowType<{ version: NotNull }>(),
);

/** What is spoken in a turn, and where it may be watched: by its id or its slug. */
const spoken = (tables: Kysely<Tables>) =>
  tables
    .selectFrom('conversation_turn as t')
    .innerJoin('conversation as c', 'c.id', 't.conversation_id')
    .select(({ fn }) => [
      't.id',
      'c.share_slug as conversationSlug',
      fn.coalesce('t.avatar_text', 't.user_text').as('text'),
    ]);
/** What a turn said and when, by the turn's id. */
export const captionedById = prepared((tables, given: { id: string }) => spoken(tables).where('t.id', '=', given.id));
/** What a turn said and when, by its share slug. */
export const captionedBySlug = prepared((tables, given: { slug: string }) =>
  spoken(tables).where('t.share_slug', '=', given.slug),
);

type Shown = Pick<Platform, 'links' | 'config'>;

/** The row as a turn is documented, its media freshly signed. */
export function showTurn({ links, config }: Shown, row: ShownTurn): Turn {
  const page = row.shareSlug ? `${config.SITE_URL}/${row.shareSlug}` : null;
  return {
    id: row.id,
    role: row.role,
    userText: row.userText,
    avatarText: row.avatarText,
    output: row.output,
    status: row.status,
    audioUrl: row.audioKey ? links.sign(row.audioKey) : null,
    videoUrl: row.videoKey ? links.sign(row.videoKey) : null,
    streamUrl: row.streamKey && row.status === 'audio' ? links.signStream(row.streamKey) : null,
    shareSlug: row.shareSlug,
    shareUrl: page,
    liveUrl: row.shareSlug ? `${config.SITE_URL}/live/${row.shareSlug}` : null,
    errorMessage: row.errorMessage,
    mediaError: row.mediaError,
    words: row.words,
    seconds: row.seconds,
    heardText: row.heardText,
    createdAt: row.createdAt,
  };
}

/** The row as viewers get it: what changed, its place, and the turn. */
export function showUpdate(
  shown: Shown,
  row: ShownTurn & { version: number; number: number; chunk: number; isDeleted?: boolean; isDraft?: boolean },
): TurnUpdate {
  const { version, number: injection, chunk, isDeleted = false, isDraft = false } = row;
  return { cursor: String(version), injection, chunk, isDeleted, isDraft, turn: showTurn(shown, row) };
}

/** What a page of turns may ask for: everything, or the part that changed after a version. */
export interface TurnPage {
  limit?: number | null;
  /** Id of a turn: only turns shown before it, the newest of them. */
  before?: string | null;
  /** A version: only turns that changed after it. */
  afterVersion?: number | null;
}

interface Values {
  conversationId: string;
  limit: number;
  before: string;
  afterVersion: number;
}

/**
 * A statement of its own for each kind of page: in one for all, the plan that suits the usual, short conversation read
 * every turn of a long one for its newest (10 ms for 20 000 turns instead of 0.05).
 */
const pageStatement = ({ after, before, newest }: { after: boolean; before: boolean; newest: boolean }) =>
  prepared((tables, given: Values) => {
    let turns = ofConversation(tables, given.conversationId);
    if (after) turns = turns.where('t.version', '>', given.afterVersion);
    if (before)
      turns = turns.where(
        sql<boolean>`(t.number, t.chunk) < (select b.number, b.chunk from conversation_turn b
          where b.id = ${given.before} and b.conversation_id = ${given.conversationId}
          union all select d.number, d.chunk from deleted_turn d
          where d.id = ${given.before} and d.conversation_id = ${given.conversationId})`,
      );
    return newest
      ? turns.orderBy('t.number', 'desc').orderBy('t.chunk', 'desc').limit(given.limit)
      : turns.orderBy('t.number').orderBy('t.chunk');
  });
const PAGES = new Map<string, ReturnType<typeof pageStatement>>();

/** Turns of a conversation in the order they are shown, with the greatest version among them as the cursor. */
export async function readTurns(
  db: Pick<Platform['db'], 'rows'>,
  conversationId: string,
  { limit, before, afterVersion }: TurnPage = {},
): Promise<TurnRow[]> {
  const kind = { after: Boolean(afterVersion), before: before != null, newest: before != null || limit != null };
  const name = JSON.stringify(kind);
  const statement = PAGES.get(name) ?? pageStatement(kind);
  PAGES.set(name, statement);
  const values = { conversationId, limit: limit ?? 1_000, before: before ?? '', afterVersion: afterVersion ?? 0 };
  const turns = await statement(db, values);
  return kind.newest ? turns.reverse() : turns;
}
