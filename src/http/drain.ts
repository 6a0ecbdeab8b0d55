/**
 * Answering what was taken when the server stops: no connection is accepted any more, requests that have come are
 * answered, for a while, and only then are the connections closed. Clients that were cut off could not know what they were charged.
 */
import type { ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ConnectionLimits } from './connection-limits.ts';

/**
 * After so many turns of the event loop without a new connection none is waiting: a turn accepts one, and the first ends before
 * it accepts.
 */
const QUIET_TURNS = 5;

/** For how long, in milliseconds, connections are kept for requests on their way, and for answers. */
export type DrainLimits = Pick<ConnectionLimits, 'lingerMs' | 'answerMs'>;

/**
 * Counts connections and the requests that were taken; call it before any other hook that waits. Returns what waits, when the
 * server closes, for their answers. A connection on which nothing is asked may have a request on its way: it is answered too, for a moment,
 * and its connection closed behind the answer.
 */
export function trackTaken(fastify: FastifyInstance): (limits: DrainLimits) => Promise<void> {
  const open = new Set<Socket>();
  const taken = new Set<ServerResponse>();
  let onChange = (): void => {};
  const keep = <T extends Socket | ServerResponse>(among: Set<T>, one: T): void => {
    among.add(one);
    one.once('close', () => {
      among.delete(one);
      onChange();
    });
  };
  let accepted = 0;
  fastify.server.on('connection', (socket: Socket) => {
    accepted += 1;
    keep(open, socket);
  });
  fastify.addHook('onRequest', (_request, { raw }, done) => {
    keep(taken, raw);
    done();
  });
  const none = async (of: Set<unknown>, longestMs: number): Promise<void> => {
    if (of.size === 0 || longestMs === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    onChange = () => of.size === 0 && resolve();
    const timer = setTimeout(resolve, longestMs);
    await promise;
    clearTimeout(timer);
  };
  return async ({ lingerMs, answerMs }) => {
    // Connections that the system has accepted for us would be reset: first they are taken, until there are none for a few turns.
    const endMs = performance.now() + lingerMs;
    for (let quiet = 0; quiet < QUIET_TURNS && performance.now() < endMs; ) {
      const before = accepted;
      await setImmediate();
      quiet = accepted === before ? quiet + 1 : 0;
    }
    // As node closes what listens, without what its HTTP server does beforehand: closing every connection on which nothing was read yet.
    NetServer.prototype.close.call(fastify.server);
    await none(open, lingerMs);
    // A busy process may not have looked at them meanwhile.
    await setImmediate();
    fastify.server.close();
    await none(taken, answerMs);
  };
}
