/**
 * What the server hands to a page's script: JSON in `data-page` of the body, so that no page needs an inline script.
 */
import type { Place } from '../../turn-data.ts';

/** What the server hands to a live page. */
export interface LivePage {
  slug: string;
  name: string;
  still: string | null;
  viewerToken: string | null;
  key: string | null;
  /** Path of GraphQL on this origin. */
  graphql: string;
  /** Where the feed of the conversation stood when the page was made; null for a single turn. */
  cursor: string | null;
  /** Where the feed begins that sends the newest turns, or what comes behind them; null where the page does not know. */
  replayCursor: string | null;
  /** The first of the turns that the page begins with; null where none lie before them, or the page does not know. */
  earliest: Place | null;
  /** The server's clock when the page was made: `since=now` means this moment. */
  nowMs: number;
}

/** What the server put into `data-page`. */
export function pageData<T>(): T {
  return JSON.parse(document.body.dataset.page ?? '{}') as T;
}

/** An element by id of the server's HTML; its absence is a mistake of ours. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page lacks #${id}.`);
  return element as T;
}

/** The first match inside of an element, form or page; its absence is a mistake of ours. */
export function within<T extends HTMLElement = HTMLElement>(root: ParentNode, selector: string): T {
  const element = root.querySelector<T>(selector);
  if (!element) throw new Error(`The page lacks ${selector}.`);
  return element;
}

/**
 * True where the page may show an image of this address: one of our own, or of where our media lie (`page-headers.ts`).
 * Those of other sites are shown once the server has fetched them.
 */
export function mayShow(address: string, mediaOrigin: string): boolean {
  return URL.canParse(address) && [location.origin, ...mediaOrigin.split(' ')].includes(new URL(address).origin);
}

/** Sends a form of ours and reads its answer. Throws the sentence that says why not. */
export async function post<Answer>(path: string, body: FormData): Promise<Answer> {
  const headers = { accept: 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body }).catch(() => undefined);
  if (!response) throw new Error('The server cannot be reached. Please try again.');
  const answer = (await response.json().catch(() => ({}))) as Answer & { error?: string };
  if (!response.ok) throw new Error(answer.error ?? 'That did not work. Please try again.');
  return answer;
}
