/** The list of what was said, beside the stage: who, what, and a button that plays it again. */
import { spokenText } from '../lib/page.ts';
import type { Entry } from './playlist.ts';

/** Rows that are kept: an evening's list would hold ever more of them, and the transcript page shows all. */
const MAX_ROWS = 100;

interface Row {
  element: HTMLElement;
  entry: Entry;
}

export class Drawer {
  readonly #panel: HTMLElement;
  readonly #list: HTMLElement;
  readonly #button: HTMLElement;
  readonly #rows = new Map<string, Row>();
  readonly #name: string;

  constructor(
    parts: { panel: HTMLElement; list: HTMLElement; button: HTMLElement; close: HTMLElement },
    name: string,
    replay: (entry: Entry) => void,
  ) {
    this.#panel = parts.panel;
    this.#list = parts.list;
    this.#button = parts.button;
    this.#name = name;
    // One listener for all rows, however many come and go.
    parts.list.addEventListener('click', (event) => {
      const element = (event.target as Element).closest('button')?.closest('li');
      const row = [...this.#rows.values()].find((one) => one.element === element);
      if (row) replay(row.entry);
    });
    parts.button.addEventListener('click', () => this.toggle());
    parts.close.addEventListener('click', () => this.toggle(false));
    parts.panel.addEventListener('keydown', (event) => event.key === 'Escape' && this.toggle(false));
  }

  toggle(open = this.#panel.hidden): void {
    this.#panel.hidden = !open;
    this.#button.setAttribute('aria-expanded', String(open));
    if (open) {
      this.#list.lastElementChild?.scrollIntoView({ block: 'nearest' });
      this.#panel.querySelector<HTMLElement>('button')?.focus();
    } else this.#button.focus();
  }

  /** Shows the turn where it belongs among `entries`. */
  put(entry: Entry, entries: readonly Entry[]): void {
    const { turn } = entry;
    const place = entries.indexOf(entry);
    if (entries.length - place > MAX_ROWS) return;
    const isNearEnd = this.#list.scrollHeight - this.#list.scrollTop - this.#list.clientHeight < 80;
    const row = this.#rows.get(turn.id)?.element ?? document.createElement('li');
    if (!this.#rows.has(turn.id)) {
      this.#rows.set(turn.id, { element: row, entry });
      const next = entries[place + 1];
      this.#list.insertBefore(row, (next && this.#rows.get(next.turn.id)?.element) ?? null);
      this.#drop(entries[entries.length - 1 - MAX_ROWS]);
    }
    row.className = `said ${turn.role}`;
    row.replaceChildren(this.#line(entry));
    if (isNearEnd) this.#list.scrollTop = this.#list.scrollHeight;
  }

  mark(turnId: string | undefined): void {
    for (const [id, { element }] of this.#rows) element.toggleAttribute('data-now', id === turnId);
  }

  #drop(entry: Entry | undefined): void {
    if (!entry) return;
    this.#rows.get(entry.turn.id)?.element.remove();
    this.#rows.delete(entry.turn.id);
  }

  #line(entry: Entry): HTMLElement {
    const { turn } = entry;
    const text = spokenText(turn);
    const isPlayable = turn.output !== null || (turn.role === 'avatar' && text !== '');
    const line = document.createElement(isPlayable ? 'button' : 'p');
    const who = document.createElement('span');
    who.className = 'who';
    who.textContent = turn.role === 'user' ? 'You' : this.#name;
    const words = document.createElement('span');
    words.className = 'words';
    words.textContent = turn.status === 'error' ? (turn.errorMessage ?? 'This reply failed.') : text || '…';
    if (turn.status === 'error') words.classList.add('failed');
    line.append(who, words);
    if (line instanceof HTMLButtonElement) {
      line.type = 'button';
      line.title = 'Play this again';
    }
    return line;
  }
}
