/** Text for training in passages that can be indexed: pieces of a few sentences that carry their heading. */
import { sentences } from '../../../text/sentences.ts';

const MAX_PASSAGE_CHARS = 800;
const MAX_HEADING_CHARS = 160;

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
