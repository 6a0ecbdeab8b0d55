/**
 * What the baselines of poll and GraphQL share: the two statements that read a public conversation and its turns, and the
 * least work that makes the documented fields of them, with every media link signed by HMAC. No principal, no paging,
 * no ETag, no error table: hand-written for this one read.
 */
import { createHmac, createSecretKey } from 'node:crypto';
import pg from 'pg';

const CONVERSATION = `select c.id, c.share_slug as "shareSlug", c.avatar_id as "avatarId", c.is_public as "isPublic",
  a.owner_user_id as "avatarOwnerUserId", a.display_name as "avatarDisplayName", i.media_key as "imageKey",
  c.created_at::float8 as "createdAt"
  from conversation c join avatar a on a.id = c.avatar_id left join avatar_image i on i.id = c.image_id
  where c.share_slug = $1`;
const TURNS = `select t.id, t.role, t.user_text as "userText", t.avatar_text as "avatarText", t.output, t.status,
  t.audio_key as "audioKey", t.video_key as "videoKey", t.share_slug as "shareSlug", t.error_message as "errorMessage",
  t.media_error as "mediaError", t.created_at::float8 as "createdAt"
  from conversation_turn t where t.conversation_id = $1 order by t.number, t.chunk`;
const POOL = 12;

export function openReader(databaseUrl, site) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL });
  const key = createSecretKey(Buffer.from('a secret of the bench that is long enough'));
  const sign = (name, expiry) => {
    const signature = createHmac('sha256', key).update(`${expiry}\n${name}`).digest('base64url').slice(0, 22);
    return `${site}/media/${name}?${expiry && `e=${expiry}&`}s=${signature}`;
  };
  return {
    close: () => pool.end(),
    /** The conversation with its turns, or undefined when there is none that is public. */
    async read(slug) {
      const [row] = (await pool.query(CONVERSATION, [slug])).rows;
      if (!row?.isPublic) return undefined;
      const { rows } = await pool.query(TURNS, [row.id]);
      const expiry = Math.ceil(Date.now() / 1_000 + 3_600).toString(36);
      return {
        conversationId: row.id,
        conversation: showConversation(row),
        turns: rows.map((turn) => showTurn(turn, expiry)),
      };
    },
  };

  function showConversation({ id, imageKey, ...row }) {
    return {
      conversationId: id,
      shareSlug: row.shareSlug,
      shareUrl: `${site}/${row.shareSlug}`,
      liveUrl: `${site}/live/${row.shareSlug}`,
      isPublic: row.isPublic,
      avatarId: row.avatarId,
      avatarOwnerUserId: row.avatarOwnerUserId,
      avatarDisplayName: row.avatarDisplayName,
      avatarImageUrl: imageKey ? sign(imageKey, '') : null,
      createdAt: row.createdAt,
    };
  }

  function showTurn(row, expiry) {
    const shown = {
      id: row.id,
      role: row.role,
      userText: row.userText,
      avatarText: row.avatarText,
      output: row.output,
      status: row.status,
      audioUrl: row.audioKey ? sign(row.audioKey, expiry) : null,
      videoUrl: row.videoKey ? sign(row.videoKey, expiry) : null,
      shareSlug: row.shareSlug,
      shareUrl: row.shareSlug ? `${site}/${row.shareSlug}` : null,
      liveUrl: row.shareSlug ? `${site}/live/${row.shareSlug}` : null,
      createdAt: row.createdAt,
    };
    if (row.errorMessage) shown.errorMessage = row.errorMessage;
    if (row.mediaError) shown.mediaError = row.mediaError;
    return shown;
  }
}

/** A body without what differs from one signer to another, for checking that both sides answer the same. */
export function unsigned(body) {
  return JSON.stringify(body)
    .replace(/https?:\/\/[^/"]+/g, '')
    .replace(/\?[^"]*/g, '');
}
