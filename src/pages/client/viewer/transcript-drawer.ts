/** The list of what was said, beside the stage: who, what, and a button that plays it again. */
import { spokenText } from '../../turn-data.ts';
import type { History } from './history.ts';
import type { Entry } from './playlist.ts';

/** Rows of one page. Only the newest page is kept in the document, until the viewer asks for what was said earlier. */
const PAGE_ROWS = 100;
/** This close to the end, the list follows what is said. */
const NEAR_PX = 80;

interface Parts {
  panel: HTMLElement;
  /** What scrolls: the list and the button above it. */
  scroller: HTMLElement;
  list: HTMLElement;
  earlier: HTMLElement;
  open: HTMLElement;
  close: HTMLElement;
}

export class TranscriptDrawer {
  readonly #parts: Parts;
  readonly #name: string;
  /** All turns in their order: the playlist's own list. */
  readonly #entries: readonly Entry[];
  readonly #history: Pick<History, 'hasMore'>;
  readonly #loadEarlier: () => Promise<unknown>;
  readonly #rows = new Map<string, HTMLElement>();
  #limit = PAGE_ROWS;
  #nowId: string | undefined;

  constructor(
    parts: Parts,
    {
      name,
      entries,
      history,
      loadEarlier,
      replay,
    }: {
      name: string;
      entries: readonly Entry[];
      history: Pick<History, 'hasMore'>;
      /** Puts the page before them before the entries. */
      loadEarlier: () => Promise<unknown>;
      replay: (entry: Entry) => void;
    },
  ) {
    this.#parts = parts;
    this.#name = name;
    this.#entries = entries;
    this.#history = history;
    this.#loadEarlier = loadEarlier;
    // One listener for all rows, however many come and go.
    parts.list.addEventListener('click', (event) => {
      const row = (event.target as Element).closest('button')?.closest('li');
      const entry = row && entries.find(({ turn }) => this.#rows.get(turn.id) === row);
      if (entry) replay(entry);
    });
    parts.earlier.addEventListener('click', () => void this.#showEarlier());
    parts.open.addEventListener('click', () => this.toggle());
    parts.close.addEventListener('click', () => this.toggle(false));
    parts.panel.addEventListener('keydown', (event) => event.key === 'Escape' && this.toggle(false));
  }

  toggle(open = this.#parts.panel.hidden): void {
    const { panel, list, open: button, close } = this.#parts;
    panel.hidden = !open;
    button.setAttribute('aria-expanded', String(open));
    if (open) {
      list.lastElementChild?.scrollIntoView({ block: 'nearest' });
      close.focus();
      return;
    }
    for (const entry of this.#entries.slice(0, -PAGE_ROWS)) this.#drop(entry);
    this.#limit = PAGE_ROWS;
    this.#settle();
    button.focus();
  }

  remove(turnId: string): void {
    this.#rows.get(turnId)?.remove();
    this.#rows.delete(turnId);
    this.#settle();
  }

  /** Shows a new or changed turn where it belongs. */
  put(entry: Entry): void {
    const place = this.#entries.lastIndexOf(entry);
    this.#settle();
    if (this.#entries.length - place > this.#limit) return;
    const { scroller } = this.#parts;
    const isNearEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
    this.#draw(entry, this.#rows.get(this.#entries[place + 1]?.turn.id ?? ''));
    const surplus = this.#entries[this.#entries.length - 1 - this.#limit];
    if (surplus) this.#drop(surplus);
    if (isNearEnd) scroller.scrollTop = scroller.scrollHeight;
  }

  /** Marks the turn that is being played. */
  mark(turnId: string | undefined): void {
    this.#rows.get(this.#nowId ?? '')?.removeAttribute('data-now');
    this.#rows.get(turnId ?? '')?.setAttribute('data-now', '');
    this.#nowId = turnId;
  }

  /** Earlier turns were put before the others: those that belong to the page that is shown are drawn. */
  fill(): void {
    let before = this.#parts.list.firstElementChild as HTMLElement | null;
    const rows = this.#entries.slice(-this.#limit);
    const known = rows.findIndex(({ turn }) => this.#rows.has(turn.id));
    const missing = known < 0 ? rows : rows.slice(0, known);
    for (const entry of missing.reverse()) {
      this.#draw(entry, before ?? undefined);
      before = this.#rows.get(entry.turn.id) ?? before;
    }
    this.#settle();
  }

  /** One page more, above what is shown, which stays where the eye is. */
  async #showEarlier(): Promise<void> {
    const { scroller, list } = this.#parts;
    if (this.#entries.length < this.#limit + PAGE_ROWS) await this.#loadEarlier();
    this.#limit += PAGE_ROWS;
    const fromEnd = scroller.scrollHeight - scroller.scrollTop;
    this.fill();
    scroller.scrollTop = scroller.scrollHeight - fromEnd;
    if (this.#parts.earlier.hidden) list.querySelector('button')?.focus({ preventScroll: true });
  }

  #settle(): void {
    this.#parts.earlier.hidden = this.#entries.length <= this.#limit && !this.#history.hasMore;
  }

  #draw(entry: Entry, before: HTMLElement | undefined): void {
    const { turn } = entry;
    let row = this.#rows.get(turn.id);
    if (!row) {
      row = document.createElement('li');
      this.#rows.set(turn.id, row);
      this.#parts.list.insertBefore(row, before ?? null);
    }
    row.className = `said ${turn.role}`;
    row.toggleAttribute('data-now', turn.id === this.#nowId);
    row.replaceChildren(this.#line(entry));
  }

  #drop({ turn }: Entry): void {
    this.#rows.get(turn.id)?.remove();
    this.#rows.delete(turn.id);
  }

  #line({ turn }: Entry): HTMLElement {
    const text = spokenText(turn);
    const isPlayable = turn.output !== null || (turn.role === 'avatar' && text !== '');
    const line = document.createElement(isPlayable ? 'button' : 'p');
    const who = document.createElement('span');
    who.className = 'who';
    who.textContent = turn.role === 'user' ? 'You' : this.#name;
    const words = document.createElement('span');
    words.className = 'words';
    words.dir = 'auto';
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
