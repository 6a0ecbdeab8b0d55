/**
 * What the server tells a page's script: JSON in `data-page` of the body, so that no page needs an inline script.
 */

export interface TurnView {
  id: string;
  role: string;
  userText: string | null;
  avatarText: string | null;
  output: string | null;
  status: string | null;
  audioUrl: string | null;
  videoUrl: string | null;
  streamUrl: string | null;
  shareUrl: string | null;
  errorMessage: string | null;
  mediaError: string | null;
  words: { ms: number; at: number; len: number }[] | null;
  seconds: number | null;
  createdAt: number;
}

/** The same fields wherever a turn is asked for. */
export const TURN_FIELDS = `id role userText avatarText output status audioUrl videoUrl streamUrl shareUrl
  errorMessage mediaError words { ms at len } seconds createdAt`;

export interface LivePage {
  slug: string;
  name: string;
  still: string | null;
  viewerToken: string | null;
  key: string | null;
  /** Path of the GraphQL door on this origin. */
  graphql: string;
  /** The server's clock when the page was made: `since=now` means this moment. */
  nowMs: number;
}

export function pageData<T>(): T {
  return JSON.parse(document.body.dataset.page ?? '{}') as T;
}

/** The words that are spoken, or shown when nothing is. */
export function spokenText(turn: TurnView): string {
  return turn.avatarText ?? turn.userText ?? '';
}

/** An element by id of the server's HTML; its absence is a mistake of ours. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page lacks #${id}.`);
  return element as T;
}

export interface GraphqlAnswer<T> {
  data?: T | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** One GraphQL operation over HTTP, without credentials: pages use what their address grants. */
export async function ask<T>(path: string, query: string, variables: object): Promise<GraphqlAnswer<T>> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphqlAnswer<T>;
}
