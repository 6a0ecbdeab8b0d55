/**
 * Who is signed in on the pages: the ID token in an HttpOnly cookie, read by pages alone, never by REST or
 * GraphQL, and never inside another site's frame. Every form carries a token that only our own pages can know.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomText } from '../kernel/ids.ts';

/** The session of a cookie. */
export interface PageSession {
  idToken: string;
  /** Goes into every form of the page as `csrf`. */
  csrf: string;
}

/** Names of the cookies. */
export interface PageCookies {
  session: string;
  /** Stands in for the session in forms that are shown before there is one. */
  visit: string;
}

/**
 * Their names. By https the prefixes make browsers refuse what a neighbouring host put there; `__Host-` demands the root
 * path, so pages below one have the weaker prefix. Cookies of other names, as older versions made, are not read.
 */
export function pageCookies(siteUrl: string): PageCookies {
  const { protocol, pathname } = new URL(siteUrl);
  const prefix = protocol !== 'https:' ? '' : pathname === '/' ? '__Host-' : '__Secure-';
  return { session: `${prefix}avatar_session`, visit: `${prefix}avatar_visit` };
}

declare module 'fastify' {
  interface FastifyInstance {
    pageCookies: PageCookies;
  }
}

const MAX_TOKEN_CHARS = 4_096;
const FRAMES = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe']);

type WithCookies = FastifyRequest & { cookies: Record<string, string | undefined> };

/** The session of this request; undefined without a sign-in and inside frames. Whether it still stands, the executor says. */
export function pageSession(request: FastifyRequest): PageSession | undefined {
  if (FRAMES.has(String(request.headers['sec-fetch-dest']))) return undefined;
  const idToken = (request as WithCookies).cookies[request.server.pageCookies.session];
  if (!idToken || idToken.length > MAX_TOKEN_CHARS) return undefined;
  return { idToken, csrf: tokenOf(idToken) };
}

/** The session in whose name a script of our pages asks: it sends the token that only the page knows (`x-csrf`). */
export function scriptSession(request: FastifyRequest): PageSession | undefined {
  const session = pageSession(request);
  return session && equal(String(request.headers['x-csrf']), session.csrf) ? session : undefined;
}

/**
 * The Authorization header of who opens a socket from a page of ours: the session's, where its cookie comes with the token
 * that only the page knows (`x-csrf` of the first message). Undefined for all others, pages of other sites included.
 */
export function socketAuthorization(
  siteUrl: string,
  { cookie = '' }: IncomingHttpHeaders,
  params: Record<string, unknown> = {},
): string | undefined {
  const idToken = fastifyCookie.parse(cookie)[pageCookies(siteUrl).session];
  const csrf = params['x-csrf'];
  if (!idToken || idToken.length > MAX_TOKEN_CHARS || typeof csrf !== 'string') return undefined;
  return equal(csrf, tokenOf(idToken)) ? `Bearer ${idToken}` : undefined;
}

/** Sets the cookie of a new session. */
export function openPageSession(reply: FastifyReply, siteUrl: string, idToken: string, expiresAtMs: number): void {
  void reply.setCookie(pageCookies(siteUrl).session, idToken, {
    ...attributes(siteUrl),
    expires: new Date(expiresAtMs),
  });
}

/** Removes the session's cookie. */
export function closePageSession(reply: FastifyReply, siteUrl: string): void {
  void reply.clearCookie(pageCookies(siteUrl).session, attributes(siteUrl));
}

/** The form token of a visitor who is not signed in yet; remembers the visit by a cookie of its own. */
export function anonymousCsrf(request: FastifyRequest, reply: FastifyReply, siteUrl: string): string {
  const known = (request as WithCookies).cookies[request.server.pageCookies.visit];
  const visit = known && /^\w{32}$/.test(known) ? known : randomText(32);
  if (visit !== known) void reply.setCookie(request.server.pageCookies.visit, visit, attributes(siteUrl));
  return tokenOf(visit);
}

/** True when the form was made by a page of ours: for this very session or, before there is one, for this visit. */
export function hasValidCsrf(request: FastifyRequest, session?: PageSession): boolean {
  const { csrf } = (request.body ?? {}) as { csrf?: unknown };
  if (typeof csrf !== 'string') return false;
  // A visit is no session: its cookie could be put there by a neighbouring host, and would speak for the session then.
  if (session) return equal(csrf, session.csrf);
  const visit = (request as WithCookies).cookies[request.server.pageCookies.visit];
  return visit !== undefined && equal(csrf, tokenOf(visit));
}

/** An address of our own pages to go on to; anything else becomes the start page. */
export function safeNext(next: unknown, sitePath: string): string {
  const isOurs = typeof next === 'string' && /^\/(?![/\\])[\w\-./?=&%~+]*$/.test(next);
  return isOurs ? next : `${sitePath}/`;
}

function attributes(siteUrl: string) {
  const { protocol, pathname } = new URL(siteUrl);
  return { path: pathname, httpOnly: true, sameSite: 'lax', secure: protocol === 'https:' } as const;
}

/** Derived from a cookie that no other site can read; it gives nothing of it away. */
function tokenOf(secret: string): string {
  return createHash('sha256').update(`csrf\n${secret}`).digest('base64url');
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
