/** The slug of a shared turn or speech, drawn when its first medium is ready. Slugs are random, so one may be taken already. */
import type { Tx } from '../../kernel/database.ts';
import { newSlug, SLUG_ATTEMPTS, type SlugKind } from '../../kernel/slugs.ts';
import type { Platform } from '../platform/platform.port.ts';

/** The unique constraint that a taken slug of each kind violates. */
const SLUG_CONSTRAINT: Partial<Record<SlugKind, string>> = {
  t: 'turn_share_slug_key',
  g: 'speech_generation_share_slug_key',
};

/**
 * Runs a transaction that writes `row.shareSlug`; draws another slug and runs it again when the slug is taken. A row that
 * has a slug keeps it. Throws what `work` throws.
 */
export async function withShareSlug(
  p: Pick<Platform, 'db' | 'clock' | 'config'>,
  kind: 't' | 'g',
  row: { shareSlug: string | null },
  work: (tx: Tx, shareSlug: string) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const slug = row.shareSlug ?? newSlug(kind, p.clock.now(), p.config.SLUG_LENGTH);
    try {
      await p.db.transaction((tx) => work(tx, slug));
      row.shareSlug = slug;
      return;
    } catch (error) {
      const isTaken = String((error as Error).message).includes(SLUG_CONSTRAINT[kind]!);
      if (!isTaken || attempt === SLUG_ATTEMPTS) throw error;
    }
  }
}
