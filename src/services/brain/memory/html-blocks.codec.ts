/**
 * A tree of HTML written out as light Markdown: a block per paragraph, `#` before headings, "- " before list items,
 * cells parted by bars. What to leave out is the caller's to say.
 */

/** What is used of a DOM here; linkedom's elements fit, and its text nodes as far as they are asked. */
export interface DomNode {
  nodeType: number;
  nodeValue: string | null;
  localName: string;
  childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
}

/** Deeper than any author nests; a recursion that followed a hostile page would end the thread. */
const MAX_DEPTH = 300;
/** Where a heading keeps its level when its element is renamed: Readability makes h1 an h2. */
export const LEVEL = 'data-heading-level';
const ELEMENT = 1;
const TEXT = 3;

/** True for an element that is left out with all it holds. `inMain`: inside main or article. */
export type Skip = (element: DomNode, inMain: boolean) => boolean;

const BLOCK = new Set(
  `
address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer
header hgroup html li main ol p pre section summary table tbody tfoot thead tr ul
`
    .trim()
    .split(/\s+/),
);
/** Collects blocks of text while walking the tree. */
class Writer {
  readonly blocks: string[] = [];
  #line = '';
  #prefix = '';

  inline(text: string): void {
    this.#line += text;
  }

  /** What the next block that holds text begins with. */
  prefix(prefix: string): void {
    this.flush();
    this.#prefix = prefix;
  }

  flush(): void {
    const text = this.#line
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n ?/g, '\n')
      .trim();
    this.#line = '';
    if (!text) return;
    this.blocks.push(this.#prefix + text);
    this.#prefix = '';
  }
}

const collapse = (text: string): string => text.replace(/\s+/g, ' ');

/** Where in the page the writing is. */
interface Position {
  inMain: boolean;
  inPre: boolean;
  depth: number;
}

function write(element: DomNode, out: Writer, skip: Skip, position: Position): void {
  const { inMain, inPre, depth } = position;
  if (depth > MAX_DEPTH) return;
  for (const child of element.childNodes) {
    if (child.nodeType === TEXT) out.inline(inPre ? (child.nodeValue ?? '') : collapse(child.nodeValue ?? ''));
    if (child.nodeType !== ELEMENT || skip(child, inMain)) continue;
    const tag = child.localName;
    const inside = {
      inMain: inMain || tag === 'main' || tag === 'article',
      inPre: inPre || tag === 'pre',
      depth: depth + 1,
    };
    const heading = /^h([1-6])$/.exec(tag);
    if (heading) {
      const inner = new Writer();
      write(child, inner, skip, inside);
      inner.flush();
      out.prefix(`${'#'.repeat(Number(child.getAttribute(LEVEL) ?? heading[1]))} `);
      // Permalink signs stand behind the headings of many manuals.
      out.inline(
        inner.blocks
          .join(' ')
          .replace(/\s+/g, ' ')
          .replace(/[\s¶§#🔗]+$/u, ''),
      );
      out.prefix('');
    } else if (tag === 'br') {
      out.inline('\n');
    } else if (tag === 'hr') {
      out.flush();
    } else if (tag === 'li') {
      out.prefix('- ');
      write(child, out, skip, inside);
      out.prefix('');
    } else if (tag === 'td' || tag === 'th') {
      write(child, out, skip, inside);
      out.inline(' | ');
    } else if (tag === 'dt') {
      out.flush();
      write(child, out, skip, inside);
      out.inline(': ');
    } else if (tag === 'dd') {
      write(child, out, skip, inside);
      out.flush();
    } else if (BLOCK.has(tag)) {
      out.flush();
      write(child, out, skip, inside);
      out.flush();
    } else {
      write(child, out, skip, inside);
    }
  }
}

/** The blocks of text under an element, in order, as light Markdown; those without a letter or digit left out. */
export function blocksOf(root: DomNode, skip: Skip, inMain: boolean): string[] {
  const out = new Writer();
  write(root, out, skip, { inMain, inPre: false, depth: 0 });
  out.flush();
  return out.blocks
    .map((block) => block.replace(/(?: ?\| ?)+$/gm, '').trim())
    .filter((block) => /[\p{L}\p{N}]/u.test(block));
}
