/** Replaces the keys that sign ID tokens and media links: by command, or by age in the hourly maintenance of a worker. */
import { keyAges, ROTATED, type RotatedName, rotateKey } from '../../auth/secrets.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Platform } from '../platform/platform.port.ts';

export class KeyRotation {
  readonly #p: Pick<Platform, 'db' | 'clock' | 'config' | 'audit' | 'log'>;

  constructor(platform: Pick<Platform, 'db' | 'clock' | 'config' | 'audit' | 'log'>) {
    this.#p = platform;
  }

  /**
   * The new key is used a minute from now. A signing key before verifies for KEY_OVERLAP_DAYS; a media key for good,
   * because public links never expire. `isCompromised`: the new one is used at once and everything before is void: all
   * sessions end, or all links. Returns the id of the new key.
   */
  async rotate(name: RotatedName, isCompromised = false): Promise<string> {
    const { db, clock, config, audit } = this.#p;
    const overlapMs = name === 'signing' ? config.KEY_OVERLAP_DAYS * DAY_MS : null;
    const id = await db.transaction(async (tx) => {
      const made = await rotateKey(tx, config, { name, overlapMs, isCompromised, nowMs: clock.now() });
      audit.record(tx, {}, 'instance_keys_rotated', { userId: null, subject: made });
      return made;
    });
    this.#p.log.info({ key: id, isCompromised }, 'instance key rotated');
    return id;
  }

  /** Rotates what is older than KEY_ROTATION_DAYS; returns the ids of new keys. */
  async rotateOld(): Promise<string[]> {
    const { db, clock, config } = this.#p;
    if (config.KEY_ROTATION_DAYS === 0) return [];
    const ages = await keyAges(db);
    const before = clock.now() - config.KEY_ROTATION_DAYS * DAY_MS;
    const old = ROTATED.filter((name) => (ages[name] ?? Number.POSITIVE_INFINITY) <= before);
    const made: string[] = [];
    for (const name of old) made.push(await this.rotate(name));
    return made;
  }
}
