/** The platform as the pages' scripts ask it: by the client package that other programs use. */
import { type Client, type ClientOptions, createClient } from '../../../../clients/typescript/src/client.ts';
import { ConnectionError } from '../../../../clients/typescript/src/errors.ts';
import { within } from './page.ts';

/** A server that has not answered by then will not: the caller goes on without. */
const TIMEOUT_MS = 10_000;
/** What draws or answers takes longer, and so does what waits for another service. */
export const WORK_MS = 60_000;

/** One for each address, so that a page has one connection. */
const clients = new Map<string, Client>();

function clientOf(url: string, options: Partial<ClientOptions>): Client {
  const known = clients.get(url) ?? createClient({ url: new URL(url || '/', globalThis.location?.href), ...options });
  clients.set(url, known);
  return known;
}

/** Without credentials, at this path of GraphQL: pages use what their address grants. */
export const clientAt = (graphql: string): Client =>
  clientOf(graphql.replace(/\/graphql$/, ''), { timeoutMs: TIMEOUT_MS });

/**
 * In the name of who is signed in on this page: by the session's cookie, which no script reads, and the page's own token,
 * which no other site knows.
 */
export function sessionClient(): Client {
  const form = within<HTMLFormElement>(document, 'form[action$="/signout"]');
  const csrf = within<HTMLInputElement>(form, '[name=csrf]').value;
  const site = new URL(form.action).pathname.replace(/\/signout$/, '');
  return clientOf(`${site}/studio`, { headers: { 'x-csrf': csrf }, credentials: 'same-origin', timeoutMs: WORK_MS });
}

/** What went wrong, in words for a person; `fields`: how the page calls what the server names. */
export function sentenceOf(error: unknown, fields: Readonly<Record<string, string>> = {}): string {
  if (error instanceof ConnectionError) return 'The server cannot be reached. Please try again.';
  const { message } = error as Error;
  const field = Object.keys(fields).find((name) => message.startsWith(`${name} `));
  return field === undefined ? message : `${fields[field]}${message.slice(field.length)}`;
}
