/** Rows of conversations, with what every reader of one needs. Who may see one is decided in `conversation-access.ts`. */
import { readSlug } from '../../kernel/slugs.ts';
import type { Platform } from '../platform.ts';

export interface OpenConversation extends Record<string, unknown> {
  id: string;
  shareSlug: string;
  ownerUserId: string;
  clientId: string | null;
  avatarId: string;
  avatarOwnerUserId: string;
  avatarDisplayName: string | null;
  avatarVoiceId: string | null;
  avatarIsRenderable: boolean;
  imageKey: string | null;
  viewerToken: string;
  isPublic: boolean;
  version: number;
  createdAt: number;
}

/** To be followed by a condition on `c`. */
export const CONVERSATION = `select c.id, c.share_slug as "shareSlug", c.owner_user_id as "ownerUserId",
  c.client_id as "clientId", c.avatar_id as "avatarId", a.owner_user_id as "avatarOwnerUserId",
  a.display_name as "avatarDisplayName", a.tts_voice_id as "avatarVoiceId",
  a.publicly_renderable as "avatarIsRenderable", i.media_key as "imageKey", c.viewer_token as "viewerToken",
  c.is_public as "isPublic", c.version::float8 as "version", c.created_at::float8 as "createdAt"
  from conversation c join avatar a on a.id = c.avatar_id left join avatar_image i on i.id = c.image_id`;

/** By internal id or `c-` slug; undefined when there is none. */
export async function findConversation(
  db: Pick<Platform['db'], 'rows'>,
  idOrSlug: string,
): Promise<OpenConversation | undefined> {
  const slug = readSlug(idOrSlug, 'c');
  const column = slug ? 'c.share_slug' : 'c.id';
  const [row] = await db.rows<OpenConversation>(`${CONVERSATION} where ${column} = $1`, [slug ?? idOrSlug]);
  return row;
}
