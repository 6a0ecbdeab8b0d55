/**
 * Headers of every answer: which origins may read it (all: the API takes bearer tokens and reads no cookie), that no cache
 * keeps it unless its handler says so, and that browsers stay with https where the instance is served by it.
 */
import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyReply, FastifyRequest } from 'fastify';

const YEAR_S = 31_536_000;

/** Every OPTIONS is answered, at whatever address. */
export const CORS = {
  origin: '*',
  methods: 'GET, POST, PATCH, DELETE, OPTIONS',
  allowedHeaders: 'authorization, content-type, if-none-match, idempotency-key, *',
  exposedHeaders:
    'allow, etag, link, www-authenticate, x-request-id, retry-after, idempotency-replayed, mcp-session-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
  maxAge: 86_400,
  strictPreflight: false,
} satisfies FastifyCorsOptions;

/** A hook of Fastify that sets headers. */
export type HeadersHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** The hook for an instance at this public address. Three plain headers: helmet costs a poll 19 µs for one of them. */
export function commonHeaders(baseUrl: string): HeadersHook {
  const always = {
    'x-content-type-options': 'nosniff',
    // The start: rows with a tag, pages' files and media say what else may be done with them.
    'cache-control': 'no-store',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
  return (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(always);
    done();
  };
}
