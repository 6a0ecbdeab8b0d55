/**
 * Headers of every answer: which origins may read it (all: the API takes bearer tokens and reads no cookie), that no cache
 * keeps it unless its handler says so, and that browsers stay with https where the instance is served by it.
 */
import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const YEAR_S = 31_536_000;

const CORS = {
  origin: '*',
  methods: 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  allowedHeaders: 'authorization, content-type, if-none-match, idempotency-key, *',
  exposedHeaders:
    'allow, etag, link, www-authenticate, x-request-id, retry-after, idempotency-replayed, mcp-session-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
  maxAge: 86_400,
  strictPreflight: false,
} satisfies FastifyCorsOptions;

/** A hook of Fastify that sets headers. */
export type HeadersHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/**
 * Answers every OPTIONS, at whatever address; call it after whatever else adds hooks. In a scope of its own: what the plugin says of
 * other requests is always the same, and among the headers of all.
 */
export function answerPreflights(fastify: FastifyInstance): void {
  void fastify.register(async (scope) => void (await scope.register(cors, CORS)));
}

/** The hook for an instance at this public address. Plain headers: helmet costs a poll 19 µs for one of them. */
export function commonHeaders(baseUrl: string): HeadersHook {
  const always = {
    'x-content-type-options': 'nosniff',
    // The start: rows with a tag, pages' files and media say what else may be done with them.
    'cache-control': 'no-store',
    'access-control-allow-origin': CORS.origin,
    'access-control-expose-headers': CORS.exposedHeaders,
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
  };
  return (request, reply, done) => {
    void reply.header('x-request-id', request.id).headers(always);
    done();
  };
}
