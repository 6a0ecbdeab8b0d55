/**
 * From the bytes that were fetched for training to text. It fetches nothing and stores nothing, and runs in `page.thread.ts`:
 * what parses a page is loaded there alone.
 */
import { refusedInput } from '../../../kernel/errors.ts';
import { type ReadablePage, readableHtml } from './readable-html.codec.ts';

export type { ReadablePage };

/** A page longer than this is cut; some 150 printed pages. */
const MAX_TEXT_CHARS = 500_000;

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
 * nothing to read; training names such a page and keeps the rest. Slow on a hostile page: see `page-reader.service.ts`, and
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
    throw refusedInput('knowledgeBaseUrls', `The page is ${type}, which cannot be read as text.`);
  }
  const raw = decode(bytes, contentType).slice(0, 4 * MAX_TEXT_CHARS);
  const bounded = ({ title, text }: ReadablePage): ReadablePage => ({ title, text: text.slice(0, MAX_TEXT_CHARS) });
  const page = HTML.test(type) || looksLikeHtml ? readableHtml(raw, (body) => onBody(bounded(body))) : plainPage(raw);
  if (!/[\p{L}\p{N}]/u.test(page.text)) throw refusedInput('knowledgeBaseUrls', 'The page holds no readable text.');
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
