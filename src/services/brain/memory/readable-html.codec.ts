/**
 * The readable part of a web page as light Markdown: headings as `#` lines, one block per paragraph, list items behind
 * "- ". linkedom parses, Mozilla's Readability finds the article; where it finds less than the page itself says is the
 * main part, or little of the page, more is kept: facts stand in tables and lists that an article has not. It runs in
 * `page.thread.ts`, for a hostile page can hold both up.
 */
import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { blocksOf, type DomNode, LEVEL } from './html-blocks.codec.ts';

/** The readable part of a web page. */
export interface ReadablePage {
  title: string | null;
  text: string;
}

const DROPPED = new Set(
  `
script style template noscript svg math iframe object embed canvas video audio nav aside form button select
input textarea dialog menu head
`
    .trim()
    .split(/\s+/),
);
const DROPPED_ROLES = /^(?:navigation|banner|contentinfo|complementary|search|dialog|alertdialog|alert|menu|menubar)$/;
/** An article is the page when it holds this share of the main part that the page marks. */
const SHARE_OF_MAIN = 0.6;
/** The same of a page without such a mark: around its article stand menus, comments and notices. */
const SHARE_OF_BODY = 0.35;
/** A part the page marks as its main one must hold this much text to be believed. */
const ENOUGH_CHARS = 200;
/** Readability looks for a better article below this. */
const ARTICLE_CHARS = 200;

/** Elements of a document, as far as they are used here. */
interface DomElement extends DomNode {
  textContent: string | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  querySelector(selector: string): DomElement | null;
  closest(selector: string): DomElement | null;
  setAttribute(name: string, value: string): void;
  parentElement: DomElement | null;
}

interface DomDocument extends DomElement {
  documentElement: DomElement | null;
  body: DomElement;
}

/** True for what no reader came for. `inMain`: inside main or article, where a header holds the headline. */
function isSurrounding(element: DomNode, inMain: boolean): boolean {
  const tag = element.localName;
  if (DROPPED.has(tag) || DROPPED_ROLES.test(element.getAttribute('role') ?? '')) return true;
  if (element.getAttribute('hidden') !== null || element.getAttribute('aria-hidden') === 'true') return true;
  if (/display:\s*none|visibility:\s*hidden/i.test(element.getAttribute('style') ?? '')) return true;
  return (tag === 'header' && !inMain) || tag === 'footer';
}

/** A document that has html and body, which linkedom does not make where the author left them out. */
function parse(html: string): DomDocument {
  const body = /<body[\s>]/i.test(html) ? html : `<body>${html}</body>`;
  const whole = /<html[\s>]/i.test(html) && body === html ? html : `<html>${body}</html>`;
  // linkedom's types are those of a browser, which this program has not: here and below they are named as far as used.
  return parseHTML(whole).document as unknown as DomDocument;
}

const size = (blocks: string[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

/** What the page itself says is its main part: main, else its articles; [] when it says nothing. */
function marked(document: DomDocument): string[] {
  for (const selector of ['main, [role="main"]', 'article']) {
    const parts = [...document.querySelectorAll(selector)].filter((part) => !part.parentElement?.closest(selector));
    const blocks = parts.flatMap((part) => blocksOf(part, isSurrounding, true));
    if (size(blocks) >= ENOUGH_CHARS) return blocks;
  }
  return [];
}

/** The article as Readability finds it, which changes the document; [] when it finds none, or gives up on the page. */
function article(document: DomDocument): string[] {
  for (const heading of document.querySelectorAll('h1')) heading.setAttribute(LEVEL, '1');
  try {
    const found = new Readability(document as never, {
      charThreshold: ARTICLE_CHARS,
      disableJSONLD: true,
      serializer: (node) => node as unknown as DomNode,
    }).parse();
    return found?.content ? blocksOf(found.content, isSurrounding, true) : [];
  } catch {
    // Nested too deep for its recursion: the page is kept as it is.
    return [];
  }
}

/**
 * Title and readable text of a web page; `text` is '' when it holds none. `onBody` is given the page before the article
 * is looked for, which is what may take long.
 */
export function readableHtml(html: string, onBody: (page: ReadablePage) => void = () => {}): ReadablePage {
  const document = parse(html);
  const title = document.querySelector('title')?.textContent?.replace(/\s+/g, ' ').trim() || null;
  const main = marked(document);
  let body = main.length > 0 ? main : blocksOf(document.body, isSurrounding, false);
  // A page whose all stands in a header or a form is better than none.
  if (body.length === 0)
    body = blocksOf(
      document.body,
      ({ localName }) => /^(?:script|style|noscript|template|head)$/.test(localName),
      true,
    );
  const page = { title, text: body.join('\n\n') };
  onBody(page);
  const found = article(document);
  // Readability leaves out a headline that repeats the title; passages are found by it.
  const headline = body.find((block) => block.startsWith('# '));
  if (headline && !found.includes(headline)) found.unshift(headline);
  const isWhole = size(found) >= (main.length > 0 ? SHARE_OF_MAIN : SHARE_OF_BODY) * size(body);
  return isWhole ? { title, text: found.join('\n\n') } : page;
}
