/**
 * What the next page says of the form before it. A form is answered by a redirect, so that a reload repeats nothing;
 * what became of it travels in a cookie that the next page takes away. A secret that is shown once goes the same way: the
 * cookie is HttpOnly, of this browser alone, and gone when it was shown.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RENEWAL_HEADER } from './self-updating-data.ts';

/** What the last form did, shown once on the next page. */
export interface Flash {
  /** Section of the page it belongs to. */
  at?: string;
  done?: string;
  problem?: string;
  /** True where credits are missing: the page shows where there are more. */
  needsCredits?: boolean;
  /** Shown this once. */
  secret?: { of: string; value: string };
}

const NAME = 'avatar_flash';
const LIFE_S = 120;

type WithCookies = FastifyRequest & { cookies: Record<string, string | undefined> };

const attributes = (siteUrl: string) => {
  const { protocol, pathname } = new URL(siteUrl);
  return { path: pathname, httpOnly: true, sameSite: 'lax', secure: protocol === 'https:' } as const;
};

/** Keeps it in a cookie for the next page. */
export function setFlash(reply: FastifyReply, siteUrl: string, flash: Flash): void {
  const value = Buffer.from(JSON.stringify(flash)).toString('base64url');
  void reply.setCookie(NAME, value, { ...attributes(siteUrl), maxAge: LIFE_S });
}

/** Reads it and takes it away. What another site put there is not shown. */
export function takeFlash(request: FastifyRequest, reply: FastifyReply, siteUrl: string): Flash {
  const value = (request as WithCookies).cookies[NAME];
  if (!value || request.headers[RENEWAL_HEADER] !== undefined) return {};
  void reply.clearCookie(NAME, attributes(siteUrl));
  try {
    const { at, done, problem, needsCredits, secret } = JSON.parse(Buffer.from(value, 'base64url').toString()) as Flash;
    return {
      ...(typeof at === 'string' ? { at } : {}),
      ...(typeof done === 'string' ? { done } : {}),
      ...(typeof problem === 'string' ? { problem } : {}),
      ...(needsCredits === true ? { needsCredits } : {}),
      ...(secret ? { secret: { of: String(secret.of), value: String(secret.value) } } : {}),
    };
  } catch {
    return {};
  }
}
