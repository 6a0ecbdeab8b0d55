/**
 * The readable part of a web page as light Markdown: headings as `#` lines, one block per paragraph, list items behind
 * "- ". Navigation, banners, forms and scripts are left out. It guesses the main part by the page's own landmarks first
 * and never drops so much that little is left.
 */
import { blocksOf } from './blocks.ts';
import { type Element, parseHtml } from './html.ts';

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
const DROPPED_ROLES = /^(?:navigation|banner|contentinfo|complementary|search|dialog|alert|menu|menubar)$/;
/** Names authors give to what surrounds the text; matched as whole words of class and id. */
const SURROUNDING_NAMES = [
  'cookies?|consent|breadcrumbs?|sidebar|navbar|nav|menu|skip-?link|advert(?:isement)?s?|newsletter|popup',
  'share-?(?:buttons|links)|social-?(?:links|media)',
];
const SURROUNDINGS = new RegExp(`(?:^|[\\s_-])(?:${SURROUNDING_NAMES.join('|')})(?:$|[\\s_-])`, 'i');
/** A part chosen as the main one must hold this much text. */
const ENOUGH_CHARS = 200;
/** Lists that are mostly links are menus: at least so many links, holding so much of the text, in such short items. */
const MENU = { links: 4, share: 0.8, averageChars: 30, maxElements: 400 };

function textOf(element: Element): string {
  let text = '';
  const walk = (node: Element | string): void => {
    if (typeof node === 'string') text += node;
    else if (!DROPPED.has(node.tag)) {
      for (const child of node.children) walk(child);
      text += ' ';
    }
  };
  for (const child of element.children) walk(child);
  return text.replace(/\s+/g, ' ').trim();
}

function* elements(root: Element): Generator<Element> {
  for (const child of root.children) {
    if (typeof child === 'string') continue;
    yield child;
    yield* elements(child);
  }
}

/** The elements that pass, but none inside another that does. */
function outermost(root: Element, test: (element: Element) => boolean): Element[] {
  return root.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    return test(child) ? [child] : outermost(child, test);
  });
}

function isMenu(element: Element): boolean {
  if (element.tag !== 'ul' && element.tag !== 'ol') return false;
  const links: Element[] = [];
  let seen = 0;
  for (const inner of elements(element)) {
    // Nested lists would otherwise be read once per level: a hostile page took half a minute.
    seen += 1;
    if (seen > MENU.maxElements) return false;
    if (inner.tag === 'a') links.push(inner);
  }
  if (links.length < MENU.links) return false;
  const linked = links.reduce((sum, link) => sum + textOf(link).length, 0);
  return linked >= MENU.share * textOf(element).length && linked / links.length < MENU.averageChars;
}

/** True for what no reader came for. `inMain`: inside main or article, where a header holds the headline. */
function isSurrounding(element: Element, inMain: boolean): boolean {
  const { tag, attributes } = element;
  if (DROPPED.has(tag) || DROPPED_ROLES.test(attributes.role ?? '')) return true;
  if ('hidden' in attributes || attributes['aria-hidden'] === 'true') return true;
  if (/display:\s*none|visibility:\s*hidden/i.test(attributes.style ?? '')) return true;
  if ((tag === 'header' && !inMain) || tag === 'footer') return true;
  if (tag === 'body' || tag === 'html' || tag === 'main' || tag === 'article') return false;
  return SURROUNDINGS.test(`${attributes.class ?? ''} ${attributes.id ?? ''}`) || isMenu(element);
}

const size = (blocks: string[]): number => blocks.reduce((sum, block) => sum + block.length, 0);

/** Title and readable text of a web page; `text` is '' when it holds none. */
export function readableHtml(html: string): ReadablePage {
  const root = parseHtml(html);
  const [title] = outermost(root, ({ tag }) => tag === 'title');
  const parts = (test: (element: Element) => boolean): string[] =>
    outermost(root, test).flatMap((element) => blocksOf(element, isSurrounding, true));
  const choices = [
    () => parts(({ tag, attributes }) => tag === 'main' || attributes.role === 'main'),
    () => parts(({ tag }) => tag === 'article'),
    () => blocksOf(root, isSurrounding, false),
  ];
  let best: string[] = [];
  for (const choose of choices) {
    const blocks = choose();
    if (size(blocks) > size(best)) best = blocks;
    if (size(best) >= ENOUGH_CHARS) break;
  }
  if (size(best) < ENOUGH_CHARS) {
    const everything = blocksOf(root, ({ tag }) => DROPPED.has(tag), true);
    if (size(everything) > 2 * size(best)) best = everything;
  }
  const named = title
    ? title.children
        .filter((child) => typeof child === 'string')
        .join('')
        .replace(/\s+/g, ' ')
        .trim()
    : '';
  return { title: named || null, text: best.join('\n\n') };
}
