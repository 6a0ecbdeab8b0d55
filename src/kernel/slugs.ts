/**
 * Share slugs: `c-yy-mm-xxxx` and its kin. Random, lower case, accepted in any case; uniqueness is the
 * table's business, so a writer retries on collision (`SLUG_ATTEMPTS`).
 */
import { customAlphabet } from 'nanoid';

export type SlugKind = 'c' | 't' | 'g' | 'v';

const randomSuffix = customAlphabet('abcdefghijklmnopqrstuvwxyz0123456789');
/** How often a writer draws again before it gives up: at 1.6 million slugs a month a collision is rare. */
export const SLUG_ATTEMPTS = 8;

/** A new slug of the month of `nowMs` (UTC). */
export function newSlug(kind: SlugKind, nowMs: number, suffixLength = 4): string {
  const date = new Date(nowMs);
  const year = String(date.getUTCFullYear() % 100).padStart(2, '0');
  const month = String(date.getUTCMonth() + 1).padStart(2, '0');
  return `${kind}-${year}-${month}-${randomSuffix(suffixLength)}`;
}

const PATTERN = /^([ctgv])-\d{2}-\d{2}-[a-z0-9]{4,12}$/;

/** The slug in its stored form, or undefined when the text is no slug of one of these kinds. */
export function readSlug(text: string, ...kinds: SlugKind[]): string | undefined {
  const slug = text.toLowerCase();
  const kind = PATTERN.exec(slug)?.[1] as SlugKind | undefined;
  return kind && kinds.includes(kind) ? slug : undefined;
}
