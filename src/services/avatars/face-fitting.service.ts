/**
 * How the lips of a new face are best drawn shut, found after the avatar is there: it takes seconds. Videos that are made before
 * press them as is usual.
 */
import { AvatarImageEntity } from '../../../schema/entities/avatars.ts';
import type { Rig } from '../../engines/ports/index.ts';
import { keepRig } from '../images/image-rig.queries.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Fits the faces of avatars' images for speaking. */
export class FaceFitting {
  readonly #p: Pick<Platform, 'db' | 'engines' | 'store'>;

  constructor(platform: Pick<Platform, 'db' | 'engines' | 'store'>) {
    this.#p = platform;
  }

  /** The job: finds it and keeps it with the image, unless the owner has set another face meanwhile, which has a job of its own. */
  async fit(imageKey: string, signal?: AbortSignal): Promise<void> {
    const { db, engines, store } = this.#p;
    const row = await db.em().findOne(AvatarImageEntity, { mediaKey: imageKey });
    const rig = row?.rig as Rig | null | undefined;
    const image = rig && (await store.readBytes(imageKey));
    if (!image) return;
    const found = await engines.talkingHead.fit(image, rig, signal);
    if (found !== rig) await keepRig(db, imageKey, { before: rig, found });
  }
}
