/**
 * Share slugs: `c-yy-mm-xxxx` and its kin. Random, lower case, accepted in any case; uniqueness is the
 * table's business, so a writer retries on collision (`SLUG_ATTEMPTS`).
 */
import { customAlphabet } from 'nanoid';

/** The letter a slug begins with. */
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

/** The last part of the address of an avatar's page: what of its name fits into one, and eight random characters. */
export function newTalkSlug(name: string): string {
  const readable = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 24)
    .replace(/^-+|-+$/g, '');
  return [readable, randomSuffix(8)].filter(Boolean).join('-');
}

/** Such a slug in its stored form, or undefined when the text is none. */
export function readTalkSlug(text: string): string | undefined {
  const slug = text.toLowerCase();
  return /^[a-z0-9-]{8,40}$/.test(slug) ? slug : undefined;
}

const PATTERN = /^([ctgv])-\d{2}-\d{2}-[a-z0-9]{4,12}$/;

/** The slug in its stored form, or undefined when the text is no slug of one of these kinds. */
export function readSlug(text: string, ...kinds: SlugKind[]): string | undefined {
  const slug = text.toLowerCase();
  const kind = PATTERN.exec(slug)?.[1] as SlugKind | undefined;
  return kind && kinds.includes(kind) ? slug : undefined;
}
