/**
 * Headers of every answer: which origins may read it (all: the API takes bearer tokens and reads no cookie), that nobody
 * keeps it unless its handler says so, and that browsers stay with https where the instance is served by it. Plain
 * tables instead of a plugin: this hook is on the way of every poll.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';

const EXPOSED =
  'etag, x-request-id, retry-after, idempotency-replayed, ratelimit-limit, ratelimit-remaining, ratelimit-reset';
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, if-none-match, idempotency-key, *',
  'access-control-max-age': '86400',
};
const YEAR_S = 31_536_000;

export type HeadersHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** The hook for an instance at this public address. It answers preflights itself. */
export function commonHeaders(baseUrl: string): HeadersHook {
  const always = {
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    // The start: rows with a tag, pages' files and media say what else may be done with them.
    'cache-control': 'no-store',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
  // Browsers read this on the answer itself, never on the preflight.
  const answers = { ...always, 'access-control-expose-headers': EXPOSED };
  const preflights = { ...always, ...PREFLIGHT };
  return (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    if (request.method !== 'OPTIONS') {
      void reply.headers(answers);
      done();
      return;
    }
    void reply.headers(preflights).code(204).send();
  };
}
