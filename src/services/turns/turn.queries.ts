/**
 * Reading turns: the hot statement behind polls, subscriptions and the live page, and how a row is shown. Named SQL
 * with camelCase aliases on the pool, because it is read every two seconds by every waiting client.
 */
import type { Turn, WordMark } from '../../../schema/turn.ts';
import type { Platform } from '../platform.ts';

/** A turn's row as the statement below returns it. */
export interface TurnRow extends Record<string, unknown> {
  id: string;
  role: string;
  userText: string | null;
  avatarText: string | null;
  output: 'audio' | 'video' | null;
  status: string;
  audioKey: string | null;
  videoKey: string | null;
  streamKey: string | null;
  shareSlug: string | null;
  errorMessage: string | null;
  mediaError: string | null;
  words: WordMark[] | null;
  seconds: number | null;
  createdAt: number;
  version: number;
}

export const TURN_COLUMNS = `t.id, t.role, t.user_text as "userText", t.avatar_text as "avatarText", t.output, t.status,
  t.audio_key as "audioKey", t.video_key as "videoKey", t.stream_key as "streamKey", t.share_slug as "shareSlug",
  t.error_message as "errorMessage", t.media_error as "mediaError", t.marks as "words", t.seconds,
  t.created_at::float8 as "createdAt", t.version::float8 as "version"`;

/** Order in which turns are shown: injection number, then user row, then chunk number; never creation time. */
export const TURN_ORDER = 't.number, t.chunk';

type Shown = Pick<Platform, 'links' | 'config'>;

/** The row as a turn is documented, its media freshly signed. */
export function showTurn({ links, config }: Shown, row: TurnRow): Turn {
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
    createdAt: row.createdAt,
  };
}

/** What a page of turns may ask for: everything, or the part that changed after a version. */
export interface TurnPage {
  limit?: number | null;
  /** Id of a turn: only turns shown before it, the newest of them. */
  before?: string | null;
  /** A version: only turns that changed after it. */
  afterVersion?: number | null;
}

/** Turns of a conversation in the order they are shown, with the greatest version among them as the cursor. */
export async function readTurns(
  db: Pick<Platform['db'], 'rows'>,
  conversationId: string,
  page: TurnPage = {},
): Promise<TurnRow[]> {
  const { limit, before, afterVersion } = page;
  const values: unknown[] = [conversationId];
  const given = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['t.conversation_id = $1'];
  // A statement of its own for each kind of page: in one for all, the plan that suits the usual, short conversation read
  // every turn of a long one for its newest (10 ms for 20 000 turns instead of 0.05).
  if (afterVersion) conditions.push(`t.version > ${given(afterVersion)}`);
  if (before != null) {
    const id = given(before);
    conditions.push(
      `(t.number, t.chunk) < (select b.number, b.chunk from turn b where b.id = ${id} and b.conversation_id = $1)`,
    );
  }
  const from = `select ${TURN_COLUMNS} from turn t where ${conditions.join(' and ')}`;
  if (before == null && limit == null) return db.rows<TurnRow>(`${from} order by ${TURN_ORDER}`, values);
  const newestFirst = await db.rows<TurnRow>(
    `${from} order by t.number desc, t.chunk desc limit ${given(limit ?? 1_000)}`,
    values,
  );
  return newestFirst.reverse();
}
