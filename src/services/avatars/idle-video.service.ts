/**
 * How an avatar looks while it is silent: a few seconds of blinking and swaying that begin and end in the pose of its
 * still, so that they may be played round and round. Made once for each image, when it is first watched, and
 * free of charge.
 */
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { AvatarImageEntity } from '../../../schema/entities/avatars.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Rig } from '../../engines/ports/index.ts';
import type { ViewerGrant } from '../conversations/conversation.access.ts';
import type { Conversations } from '../conversations/conversation.service.ts';
import { rigOf } from '../images/image-rig.queries.ts';
import { recordMedia } from '../media/media.repository.ts';
import type { Platform } from '../platform/platform.port.ts';

const SECONDS = 7;
const RATE = 16_000;
/** An image that could not be animated is not tried again for this long by one process. */
const REMEMBERED_IMAGES = 10_000;

type Needs = Pick<Platform, 'db' | 'engines' | 'store' | 'links' | 'jobs' | 'log'>;

/** Makes and serves the video of an avatar at rest. */
export class IdleVideos {
  readonly #p: Needs;
  readonly #conversations: Conversations;
  /** Images whose video was asked for by this process already. */
  readonly #asked = new LRUCache<string, true>({ max: REMEMBERED_IMAGES });

  constructor(platform: Needs, conversations: Conversations) {
    this.#p = platform;
    this.#conversations = conversations;
  }

  /** Address of the idle video of a conversation's avatar; null while it is being made. Throws like `conversationBySlug`. */
  async url(principal: Principal | undefined, slug: string, grant: ViewerGrant): Promise<string | null> {
    const [{ imageKey, ownerUserId }] = await this.#conversations.open(slug, principal, grant);
    if (!imageKey) return null;
    const key = idleKeyOf(imageKey);
    if (await this.#p.store.exists(key)) return this.#p.links.signPublic(key);
    if (!this.#asked.has(imageKey)) {
      this.#asked.set(imageKey, true);
      await this.#p.db.transaction((tx) => this.#p.jobs.enqueue(tx, 'idle', { id: imageKey, account: ownerUserId }));
    }
    return null;
  }

  /** The job: renders silence and stores it. Does nothing when another worker was first. */
  async render(imageKey: string, signal?: AbortSignal): Promise<void> {
    const { db, engines, store } = this.#p;
    if (await store.exists(idleKeyOf(imageKey))) return;
    const row = await db.em().findOne(AvatarImageEntity, { mediaKey: imageKey }, { populate: ['avatar'] });
    const image = row && (await store.readBytes(imageKey));
    if (!image) return;
    const pieces: Uint8Array[] = [];
    for await (const piece of engines.talkingHead.render({
      image,
      ...rigOf(this.#p, { imageKey, rig: row.rig as Rig | null, ownerUserId: row.avatar.$.owner.id }),
      pcm: new Int16Array(SECONDS * RATE),
      rate: RATE,
      marks: [],
      ...(signal ? { signal } : {}),
    })) {
      pieces.push(piece);
    }
    const video = await engines.codec.faststart(Buffer.concat(pieces));
    await store.put(idleKeyOf(imageKey), video, { contentType: 'video/mp4' });
    await recordMedia(db, row.avatar.$.owner.id, idleKeyOf(imageKey), video.length);
  }
}

/** Named after the image, so another image has another video. */
export const idleKeyOf = (imageKey: string): string => `idle/${path.posix.parse(imageKey).name}.mp4`;
