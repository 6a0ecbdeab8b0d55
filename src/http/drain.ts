/**
 * Answering what was taken when the server stops: no connection is accepted any more, requests that have come are
 * answered, for a while, and only then are the connections closed. Clients that were cut off could not know what they were charged.
 */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/**
 * Counts the requests that were taken; call it before any other hook that waits. Returns what waits, when the server closes,
 * for their answers: at most `longestMs`.
 */
export function trackTaken(fastify: FastifyInstance): (longestMs: number) => Promise<void> {
  const taken = new Set<ServerResponse>();
  let onAnswered = (): void => {};
  fastify.addHook('onRequest', (_request, { raw }, done) => {
    taken.add(raw);
    raw.once('close', () => {
      taken.delete(raw);
      if (taken.size === 0) onAnswered();
    });
    done();
  });
  return async (longestMs) => {
    fastify.server.close();
    if (taken.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    onAnswered = resolve;
    const timer = setTimeout(resolve, longestMs);
    await promise;
    clearTimeout(timer);
  };
}
