/** The rows of films and how one is shown. */
import type { ReferencedAvatar, Video } from '../../../schema/video.ts';
import type { Platform } from '../platform.ts';

export interface VideoRow extends Record<string, unknown> {
  id: string;
  shareSlug: string;
  userId: string;
  status: 'queued' | 'rendering' | 'ready' | 'error';
  progress: number;
  model: string;
  referencedAvatars: ReferencedAvatar[];
  isPublic: boolean;
  seconds: number;
  creditCost: string;
  mediaKey: string | null;
  stillKey: string | null;
  error: string | null;
  prompt: string;
  seed: number | null;
  createdAt: number;
}

export const VIDEO_COLUMNS = `v.id, v.share_slug as "shareSlug", v.user_id as "userId", v.status, v.progress, v.model,
  v.referenced_avatars as "referencedAvatars", v.is_public as "isPublic", v.seconds,
  v.credit_cost::text as "creditCost", v.media_key as "mediaKey", v.still_key as "stillKey", v.error_message as "error",
  v.request->>'prompt' as "prompt", v.seed, v.created_at::float8 as "createdAt"`;

export function showVideo({ links, config }: Pick<Platform, 'links' | 'config'>, row: VideoRow): Video {
  return {
    generationId: row.id,
    slug: row.shareSlug,
    url: `${config.SITE_URL}/${row.shareSlug}`,
    status: row.status,
    progress: row.progress,
    model: row.model,
    referencedAvatars: row.referencedAvatars,
    seconds: row.seconds,
    creditCost: BigInt(row.creditCost),
    videoUrl: row.mediaKey ? links.signPublic(row.mediaKey) : null,
    stillUrl: row.stillKey ? links.signPublic(row.stillKey) : null,
    error: row.error,
    poll: `/videos/${row.id}`,
    storePath: `videos/${row.id}`,
    visibility: row.isPublic ? 'public' : 'private',
    prompt: row.prompt,
    seed: row.seed,
    createdAt: row.createdAt,
  };
}
