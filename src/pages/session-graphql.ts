/**
 * GraphQL for the scripts of our own pages, the IDE's included, in the name of who is signed in. Their sockets come to the same
 * address (`http/server.ts`).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scriptSession } from './session.ts';

/** Where those scripts ask. */
export const OWN_GRAPHQL = '/studio/graphql';
/** The type of a stream of events. */
const EVENTS = 'text/event-stream';

/** Mounts that address. */
export function mountSessionGraphql(fastify: FastifyInstance): void {
  fastify.post(OWN_GRAPHQL, (request, reply) => asSession(fastify, request, reply));
}

/** The same request to `/graphql`, which reads no cookie, with the session's token: every limit holds there. */
async function asSession(
  fastify: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = scriptSession(request);
  void reply.removeHeader('access-control-allow-origin').header('cache-control', 'no-store');
  if (!session) {
    const message = 'You are signed out, or this page was open for too long. Load it again.';
    return reply.code(403).send({ errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] });
  }
  const { accept = '', 'idempotency-key': key } = request.headers;
  const isStream = accept === EVENTS;
  // A caller who goes away in the middle of a stream ends the request behind this handler too.
  const gone = new AbortController();
  if (isStream) reply.raw.once('close', () => gone.abort());
  const answer = await fastify.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress: request.ip,
    headers: {
      authorization: `Bearer ${session.idToken}`,
      'content-type': 'application/json',
      accept: isStream ? EVENTS : 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: JSON.stringify(request.body ?? {}),
    payloadAsStream: true,
    signal: gone.signal,
  });
  for (const name of ['content-type', 'retry-after', 'x-accel-buffering']) {
    const value = answer.headers[name];
    if (value !== undefined) void reply.header(name, value);
  }
  return reply.code(answer.statusCode).send(answer.stream());
}
