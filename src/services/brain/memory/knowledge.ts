/**
 * From what was fetched for training to passages that can be indexed: bytes to text, text to pieces of a few sentences
 * that carry their heading. It fetches nothing and stores nothing.
 */
import { PlatformError } from '../../../kernel/errors.ts';
import { sentences } from '../../../text/sentences.ts';
import { type ReadablePage, readableHtml } from './readable.ts';

export type { ReadablePage };

/** A page longer than this is cut; some 150 printed pages. */
const MAX_TEXT_CHARS = 500_000;
const MAX_PASSAGE_CHARS = 800;
const MAX_HEADING_CHARS = 160;

const HTML = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT = /^(?:text\/[\w.+-]+|application\/(?:markdown|x-markdown))$/;

/** Bytes as text, in the charset of the header, of a byte order mark, of a meta element, or UTF-8. */
function decode(bytes: Uint8Array, contentType: string): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  const bom = start.startsWith('ï»¿')
    ? 'utf-8'
    : start.startsWith('ÿþ')
      ? 'utf-16le'
      : start.startsWith('þÿ')
        ? 'utf-16be'
        : null;
  const named =
    /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType) ?? /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(start);
  try {
    return new TextDecoder(bom ?? named?.[1] ?? 'utf-8').decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Title and readable text (light Markdown) of a fetched page. BAD_INPUT with a sentence when it is no text, or holds
 * nothing to read; training names such a page and keeps the rest. Slow on a hostile page: see `page-reader.ts`, and
 * `onBody`, which is given the whole page before its article is looked for.
 */
export function readablePage(
  bytes: Uint8Array,
  contentType: string,
  onBody: (page: ReadablePage) => void = () => {},
): ReadablePage {
  const type = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  const looksLikeHtml =
    type === '' && /^\s*(?:<!doctype html|<html|<head|<body)/i.test(decode(bytes.subarray(0, 512), ''));
  if (!HTML.test(type) && !TEXT.test(type) && type !== '') {
    throw new PlatformError('BAD_INPUT', `The page is ${type}, which cannot be read as text.`);
  }
  const raw = decode(bytes, contentType).slice(0, 4 * MAX_TEXT_CHARS);
  const bounded = ({ title, text }: ReadablePage): ReadablePage => ({ title, text: text.slice(0, MAX_TEXT_CHARS) });
  const page = HTML.test(type) || looksLikeHtml ? readableHtml(raw, (body) => onBody(bounded(body))) : plainPage(raw);
  if (!/[\p{L}\p{N}]/u.test(page.text)) throw new PlatformError('BAD_INPUT', 'The page holds no readable text.');
  return bounded(page);
}

/** Plain text or Markdown: its first heading is its title; a heading underlined with === or --- becomes a # line. */
function plainPage(raw: string): ReadablePage {
  const text = raw
    .replace(/\r\n?/g, '\n')
    .replaceAll('\0', '')
    .replace(/^---\n[\s\S]{0,4000}?\n---\n/, '')
    .replace(/^(\S[^\n]{0,200})\n={3,}[ \t]*$/gm, '# $1')
    .replace(/^(\S[^\n]{0,200})\n-{3,}[ \t]*$/gm, '## $1')
    .replace(/!\[([^\]\n]{0,300})\]\([^)\s]{0,2000}\)/g, '$1')
    .replace(/\[([^\]\n]{1,300})\]\([^)\s]{1,2000}\)/g, '$1')
    .trim();
  return { title: /^#{1,2} (.+)$/m.exec(text)?.[1]?.trim() ?? null, text };
}

/** A piece of a page. `text` begins with its heading on a line of its own, so that it can be found by it. */
export interface Passage {
  heading: string | null;
  text: string;
}

/** A paragraph in pieces of at most `max` characters: by sentence, and where a sentence is longer, by word. */
function pieces(paragraph: string, max: number): string[] {
  if (paragraph.length <= max) return [paragraph];
  const found: string[] = [];
  let open = '';
  for (const sentence of sentences(paragraph)) {
    const parts = sentence.length <= max ? [sentence] : byWord(sentence, max);
    for (const part of parts) {
      if (open && open.length + 1 + part.length > max) {
        found.push(open);
        open = '';
      }
      open = open ? `${open} ${part}` : part;
    }
  }
  return open ? [...found, open] : found;
}

function byWord(text: string, max: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > max) {
    const space = rest.lastIndexOf(' ', max);
    let cut = space > max / 2 ? space : max;
    // Never through the middle of a surrogate pair.
    if (/[\ud800-\udbff]/.test(rest.charAt(cut - 1))) cut -= 1;
    found.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  return rest ? [...found, rest] : found;
}

/** The headings above a place: the nearest one, behind the one it stands under; the title where there is none. */
function headingOf(path: readonly (string | undefined)[], title: string | null): string | null {
  const known = path.filter((heading) => heading !== undefined);
  return known.length === 0 ? title : known.slice(-2).join(' – ').slice(0, MAX_HEADING_CHARS);
}

/**
 * Cuts light Markdown into passages of at most `maxChars` characters (heading not counted), without overlap: whole
 * paragraphs while they fit, under one heading each, or under `title` before the first heading.
 */
export function passages(text: string, options: { maxChars?: number; title?: string | null } = {}): Passage[] {
  const { maxChars = MAX_PASSAGE_CHARS, title = null } = options;
  const found: Passage[] = [];
  const path: (string | undefined)[] = [];
  let open = '';
  const flush = (): void => {
    if (open) {
      const heading = headingOf(path, title);
      found.push({ heading, text: heading ? `${heading}\n${open}` : open });
    }
    open = '';
  };
  for (const block of text.split(/\n\s*\n|\n(?=#{1,6} )|(?<=^#{1,6} [^\n]*)\n/m)) {
    const [, marks, title = ''] = /^(#{1,6}) +([^\n]*)$/.exec(block.trim()) ?? [];
    if (marks) {
      flush();
      const level = marks.length;
      path.length = Math.min(path.length, level - 1);
      path[level - 1] = title.replace(/\s*#+\s*$/, '').trim() || undefined;
      continue;
    }
    for (const piece of pieces(block.trim(), maxChars)) {
      if (open && open.length + 1 + piece.length > maxChars) flush();
      if (piece) open = open ? `${open}\n${piece}` : piece;
    }
  }
  flush();
  return found;
}
