/**
 * What turns and one-shot speech share on the way to their media: an utterance gathered from the engine's stream, its
 * captions, the slug that is minted with the first finished medium, and the files a failed attempt leaves.
 */
import type { Mark, SpeechPiece } from '../../engines/ports.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { newSlug, SLUG_ATTEMPTS, type SlugKind } from '../../kernel/slugs.ts';
import { disownMedia } from '../media.repository.ts';
import type { Platform } from '../platform.ts';

/** A whole utterance. */
export interface SpeechMedia {
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  seconds: number;
}

/** Gathers a streamed utterance. Throws UPSTREAM_FAILED when there is no sound in it. */
export async function gatherSpeech(pieces: AsyncIterable<SpeechPiece>): Promise<SpeechMedia> {
  const parts: Int16Array[] = [];
  const marks: Mark[] = [];
  let rate = 0;
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece.pcm);
    marks.push(...piece.marks);
    rate = piece.rate;
    length += piece.pcm.length;
  }
  if (length === 0) throw new PlatformError('UPSTREAM_FAILED', 'The speech engine returned no sound.');
  const pcm = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return { pcm, rate, marks, seconds: length / rate };
}

/** When each word is heard. */
export function wordsOf({ marks }: Pick<SpeechMedia, 'marks'>): { ms: number; at: number; len: number }[] {
  const words = marks.filter((mark) => mark.kind === 'word');
  return words.map(({ ms, at, len }) => ({ ms: Math.round(ms), at, len }));
}

/** The same as columns of a turn. */
export const captions = (spoken: SpeechMedia): { marks: string; seconds: number } => ({
  marks: JSON.stringify(wordsOf(spoken)),
  seconds: spoken.seconds,
});

/** Table whose slugs a kind shares; the name of its unique constraint tells a collision. */
const SLUG_CONSTRAINT: Partial<Record<SlugKind, string>> = {
  t: 'turn_share_slug_key',
  g: 'speech_generation_share_slug_key',
};

/**
 * Runs a transaction that writes `row.shareSlug`, drawing another slug when the one it drew is taken. A row that has its
 * slug keeps it.
 */
export async function withSlug(
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

/**
 * Removes the files of an attempt that failed, as well as it goes: one that cannot be removed is only logged, for the next
 * attempt removes it again (`dropEarlier`). Files after which nobody looks again go by `MediaRemovals`.
 */
export async function dropMedia(p: Pick<Platform, 'db' | 'store' | 'log'>, keys: string[]): Promise<void> {
  await disownMedia(p.db, keys).catch((error: unknown) => p.log.warn({ err: error, keys }, 'media not disowned'));
  for (const key of keys) {
    await p.store.remove(key).catch((error: unknown) => p.log.warn({ err: error, key }, 'media not removed'));
  }
}

/**
 * Removes what the attempts before this one stored, `kept` excepted: one that was killed, stopped or failed did not do it
 * itself. One that still lives finds that it was overtaken and removes its own. @param keysOf the files of an attempt
 */
export async function dropEarlier(
  p: Pick<Platform, 'db' | 'store' | 'log'>,
  attempt: number,
  keysOf: (attempt: number) => string[],
  kept: string | null = null,
): Promise<void> {
  const earlier = Array.from({ length: attempt - 1 }, (_, index) => keysOf(index + 1)).flat();
  await dropMedia(
    p,
    earlier.filter((key) => key !== kept),
  );
}
