/**
 * A forgiving reader of HTML: text to a light tree, in one pass, linear in its length. It closes what authors leave
 * open (p, li, td ...) and bounds depth and size; it builds no full DOM and runs nothing.
 */

import { decodeEntities } from './entities.ts';

export interface Element {
  tag: string;
  attributes: Record<string, string>;
  children: (Element | string)[];
}

const MAX_DEPTH = 200;
const MAX_NODES = 200_000;
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Their content is text up to their own end tag. */
const RAW = new Set('script style textarea title noscript iframe xmp'.split(' '));
/** Opening the key closes an open element of the value, but not beyond a boundary. */
const BLOCKS = `
address article aside blockquote div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p
pre section table ul
`;
const CLOSES: Record<string, string[]> = {
  ...Object.fromEntries(
    BLOCKS.trim()
      .split(/\s+/)
      .map((tag) => [tag, ['p']]),
  ),
  li: ['li', 'p'],
  dt: ['dt', 'dd', 'p'],
  dd: ['dt', 'dd', 'p'],
  tr: ['td', 'th', 'tr', 'p'],
  td: ['td', 'th', 'p'],
  th: ['td', 'th', 'p'],
  tbody: ['td', 'th', 'tr', 'thead', 'tbody'],
  tfoot: ['td', 'th', 'tr', 'thead', 'tbody'],
  option: ['option'],
  body: ['head'],
};
const BOUNDARY = new Set('ul ol dl table div section article main body html blockquote'.split(' '));

const ATTRIBUTE = /[\s/]*([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/y;

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = Object.create(null);
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(source); match; match = ATTRIBUTE.exec(source)) {
    const name = match[1]!.toLowerCase();
    attributes[name] ??= decodeEntities(match[2] ?? match[3] ?? match[4] ?? '');
  }
  return attributes;
}

/** Where a tag ends that begins at `from`: the first > outside quotes, or the end of the text. */
function tagEnd(html: string, from: number): number {
  let quote = '';
  for (let i = from; i < html.length; i += 1) {
    const char = html[i]!;
    if (quote) {
      if (char === quote) quote = '';
    } else if (char === '>') return i;
    // A quote opens a value only after "="; a stray one in a tag must not swallow the page.
    else if ((char === '"' || char === "'") && /=\s*$/.test(html.slice(Math.max(from, i - 8), i))) quote = char;
  }
  return html.length;
}

/** The tree under construction: where text and elements go, and what is still open. */
class Builder {
  readonly root: Element = { tag: '#root', attributes: {}, children: [] };
  readonly #open: Element[] = [this.root];
  #nodes = 0;

  get full(): boolean {
    return this.#nodes >= MAX_NODES;
  }

  text(text: string): void {
    if (text === '') return;
    this.#nodes += 1;
    this.#open.at(-1)!.children.push(text);
  }

  start(tag: string, attributes: Record<string, string>, childless: boolean): void {
    for (const other of CLOSES[tag] ?? []) this.#close(other, true);
    const element: Element = { tag, attributes, children: [] };
    this.#nodes += 1;
    this.#open.at(-1)!.children.push(element);
    if (!childless && this.#open.length < MAX_DEPTH) this.#open.push(element);
  }

  end(tag: string): void {
    this.#close(tag, false);
  }

  #close(tag: string, implied: boolean): void {
    for (let i = this.#open.length - 1; i > 0; i -= 1) {
      const open = this.#open[i]!.tag;
      if (open === tag) {
        this.#open.length = i;
        return;
      }
      if (implied && BOUNDARY.has(open)) return;
    }
  }
}

/** Reads HTML into a tree. Never throws; what is beyond the bounds is left out. */
export function parseHtml(html: string): Element {
  const builder = new Builder();
  const lower = html.toLowerCase();
  let at = 0;
  while (at < html.length && !builder.full) {
    const open = html.indexOf('<', at);
    builder.text(decodeEntities(html.slice(at, open < 0 ? html.length : open)));
    if (open < 0) break;
    if (html.startsWith('<!--', open)) {
      const end = html.indexOf('-->', open + 4);
      at = end < 0 ? html.length : end + 3;
      continue;
    }
    if (!/[a-zA-Z/!?]/.test(html[open + 1] ?? '')) {
      builder.text('<');
      at = open + 1;
      continue;
    }
    const end = tagEnd(html, open + 1);
    const inside = html.slice(open + 1, end);
    at = end + 1;
    const name = /^\/?([a-zA-Z][^\s/>]*)/.exec(inside)?.[1]?.toLowerCase();
    if (!name) continue;
    if (inside.startsWith('/')) {
      builder.end(name);
      continue;
    }
    builder.start(name, readAttributes(inside.slice(name.length)), VOID.has(name) || inside.endsWith('/'));
    if (!RAW.has(name)) continue;
    const close = lower.indexOf(`</${name}`, at);
    const rawEnd = close < 0 ? html.length : close;
    builder.text(
      name === 'title' || name === 'textarea' ? decodeEntities(html.slice(at, rawEnd)) : html.slice(at, rawEnd),
    );
    builder.end(name);
    at = close < 0 ? html.length : tagEnd(html, close) + 1;
  }
  return builder.root;
}
