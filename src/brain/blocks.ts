/**
 * A tree of HTML written out as light Markdown: a block per paragraph, `#` before headings, "- " before list items,
 * cells parted by bars. What to leave out is the caller's to say.
 */
import type { Element } from './html.ts';

/** True for an element that is left out with all it holds. `inMain`: inside main or article. */
export type Skip = (element: Element, inMain: boolean) => boolean;

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

function write(element: Element, out: Writer, skip: Skip, inMain: boolean, inPre = false): void {
  for (const child of element.children) {
    if (typeof child === 'string') {
      out.inline(inPre ? child : collapse(child));
      continue;
    }
    const { tag } = child;
    if (skip(child, inMain)) continue;
    const main = inMain || tag === 'main' || tag === 'article';
    const heading = /^h([1-6])$/.exec(tag);
    if (heading) {
      const inner = new Writer();
      write(child, inner, skip, main);
      inner.flush();
      out.prefix(`${'#'.repeat(Number(heading[1]))} `);
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
      write(child, out, skip, main, inPre);
      out.prefix('');
    } else if (tag === 'td' || tag === 'th') {
      write(child, out, skip, main, inPre);
      out.inline(' | ');
    } else if (tag === 'dt') {
      out.flush();
      write(child, out, skip, main, inPre);
      out.inline(': ');
    } else if (tag === 'dd') {
      write(child, out, skip, main, inPre);
      out.flush();
    } else if (BLOCK.has(tag)) {
      out.flush();
      write(child, out, skip, main, inPre || tag === 'pre');
      out.flush();
    } else {
      write(child, out, skip, main, inPre);
    }
  }
}

/** The blocks of text under an element, in order, as light Markdown; those without a letter or digit left out. */
export function blocksOf(root: Element, skip: Skip, inMain: boolean): string[] {
  const out = new Writer();
  write(root, out, skip, inMain);
  out.flush();
  return out.blocks
    .map((block) => block.replace(/(?: ?\| ?)+$/gm, '').trim())
    .filter((block) => /[\p{L}\p{N}]/u.test(block));
}
