/**
 * What the server tells a page's script: JSON in `data-page` of the body, so that no page needs an inline script.
 */
import type { Place } from '../../turn-data.ts';
import type { OperationText } from './operations.ts';

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
  /** Where the feed begins that tells the newest turns, or what comes behind them; null where the page does not know. */
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

/** An answer of GraphQL over HTTP. */
export interface GraphqlAnswer<T> {
  data?: T | null;
  errors?: { message: string; extensions?: { code?: string } }[];
}

/** A server that has not answered by then will not: whoever asked goes on without. */
const ANSWER_MS = 10_000;

/** One GraphQL operation over HTTP, without credentials: pages use what their address grants. */
export async function ask<Data, Variables>(
  path: string,
  query: OperationText<Data, Variables>,
  variables: Variables,
  answerMs = ANSWER_MS,
): Promise<GraphqlAnswer<Data>> {
  const response = await fetch(path, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.timeout(answerMs),
  });
  return (await response.json()) as GraphqlAnswer<Data>;
}

/** Why a form was refused. */
export class Refusal extends Error {
  /** Of the error, as GraphQL has it. */
  readonly code: string | undefined;
  /** The way on. */
  readonly link: { href: string; text: string } | undefined;

  constructor({ error, code, link }: { error?: string; code?: string; link?: { href: string; text: string } }) {
    super(error ?? 'That did not work. Please try again.');
    this.code = code;
    this.link = link;
  }
}

/** Sends a form of ours and reads its answer. Throws the sentence that says why not: a Refusal where the server says so. */
export async function post<Answer>(path: string, body: URLSearchParams | FormData): Promise<Answer> {
  const headers = { accept: 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body }).catch(() => undefined);
  if (!response) throw new Error('The server cannot be reached. Please try again.');
  const answer = (await response.json().catch(() => ({}))) as Answer & ConstructorParameters<typeof Refusal>[0];
  if (!response.ok) throw new Refusal(answer);
  return answer;
}
