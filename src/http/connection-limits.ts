/**
 * Slow and greedy connections. A request must arrive whole within a deadline and at a least rate, and one address may
 * hold only so many sockets, open requests and unfinished bodies: what is over is refused, what stops half way is
 * answered with 408 and closed. Deadlines hold always; the counts are lifted by RATE_LIMITS=off.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { addressKeys } from '../auth/client-network.ts';
import { PlatformError } from '../kernel/errors.ts';

/** How many connections there may be, and how slowly they may send. */
export interface ConnectionLimits {
  /** From the opening of a socket, or from the first byte of a further request, to the end of the headers. */
  headersMs: number;
  /** From the first byte of a request to the last one of its body. */
  requestMs: number;
  /** The same for an upload, which may have hundreds of megabytes. */
  uploadMs: number;
  /** How often the deadlines are checked. */
  checkMs: number;
  /** A body may be slower than `bytesPerSecond` for so long after its headers. */
  graceMs: number;
  /**
   * Least rate of a body, averaged since its headers; of an upload more, where its length would not arrive before its deadline
   * otherwise.
   */
  bytesPerSecond: number;
  /** How long a stopping server keeps idle connections, for requests that are on their way. */
  lingerMs: number;
  /** How long a stopping server goes on answering requests that it has accepted. */
  answerMs: number;
  /** At once from one address (IPv6: /64). A media answer is an open request until its last byte is taken. */
  sockets: number;
  requests: number;
  bodies: number;
}

/** The limits of a web process. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 30_000,
  uploadMs: 900_000,
  checkMs: 1_000,
  graceMs: 5_000,
  bytesPerSecond: 1_024,
  lingerMs: 500,
  answerMs: 30_000,
  // More than the 1 000 live sockets that an address may have, and what is fetched beside them.
  sockets: 2_000,
  requests: 1_000,
  bodies: 200,
};

/** Counters for the metrics. */
export interface ConnectionStats {
  /** Requests closed because they did not arrive in time. */
  timedOut: number;
  refusedSockets: number;
  refusedRequests: number;
}

/** Options of node's HTTP server that hold the deadlines of headers and of the whole request. */
export function httpDeadlines(limits: ConnectionLimits): object {
  // Node has one deadline for all requests, that of uploads; `SlowBodies` keeps the shorter one of all others.
  const { headersMs: headersTimeout, uploadMs: requestTimeout, checkMs: connectionsCheckingInterval } = limits;
  return { headersTimeout, requestTimeout, connectionsCheckingInterval };
}

/** What limiting a server's connections needs. */
export interface LimitOptions {
  limits: ConnectionLimits;
  /** False: nothing is counted by address (RATE_LIMITS=off). */
  counts: boolean;
  /** Behind a proxy every socket is the proxy's: then only requests are counted, by the address in their headers. */
  trustsProxy: boolean;
  log: Logger;
}

/** Mounts the limits; call it before any other hook, so that what is refused costs nothing more. */
export function limitConnections(fastify: FastifyInstance, options: LimitOptions): Readonly<ConnectionStats> {
  const { limits, counts } = options;
  const stats: ConnectionStats = { timedOut: 0, refusedSockets: 0, refusedRequests: 0 };
  const bodies = new SlowBodies(limits, (socket) => timeOut(fastify.server, socket));
  fastify.server.on('request', ({ socket }: IncomingMessage) => void seeminglyLate.delete(socket));
  fastify.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== LATE) return;
    // Behind the verdict of `answerBroken`.
    setImmediate(() => {
      if (socket.destroyed) stats.timedOut += 1;
    });
  });
  if (counts && !options.trustsProxy) limitSockets(fastify.server, options, stats);
  const openRequests = new Tally(limits.requests);
  const openBodies = new Tally(limits.bodies);
  fastify.addHook('onRequest', (request, reply, done) => {
    const key = addressKeys(request.ip).narrow;
    const sendsBody = hasBody(request.raw);
    const held = counts ? hold(openRequests, key, reply.raw, 'close') : true;
    const bodyHeld = counts && sendsBody && held ? hold(openBodies, key, request.raw, 'end', 'close') : held;
    if (!bodyHeld) {
      stats.refusedRequests += 1;
      // The rest of the body is not waited for.
      void reply.header('connection', 'close');
      done(new PlatformError('RATE_LIMITED', 'Too many requests at once from this address.'));
      return;
    }
    if (sendsBody) bodies.watch(request.raw, UPLOADS.test(request.url));
    done();
  });
  fastify.addHook('onClose', async () => bodies.stop());
  return stats;
}

const UPLOADS = /^\/uploads(?:[/?]|$)/;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Counts things that are open, by address. */
class Tally {
  readonly #max: number;
  readonly #open = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** False when there is no room for one more. */
  take(key: string): boolean {
    const open = this.#open.get(key) ?? 0;
    if (open >= this.#max) return false;
    this.#open.set(key, open + 1);
    return true;
  }

  release(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}

/** Takes a place until the first of the events. False when there is none. */
function hold(tally: Tally, key: string, until: IncomingMessage | ServerResponse, ...events: string[]): boolean {
  if (!tally.take(key)) return false;
  let isHeld = true;
  const release = (): void => {
    if (isHeld) tally.release(key);
    isHeld = false;
  };
  for (const event of events) until.once(event, release);
  return true;
}

function limitSockets(server: Server, { limits, log }: LimitOptions, stats: ConnectionStats): void {
  const sockets = new Tally(limits.sockets);
  server.on('connection', (socket: Socket) => {
    const key = addressKeys(socket.remoteAddress ?? '').narrow;
    if (sockets.take(key)) {
      socket.once('close', () => sockets.release(key));
      return;
    }
    stats.refusedSockets += 1;
    // Once for each thousand: the client that opens them must not fill the log as well.
    if (stats.refusedSockets % 1_000 === 1) {
      log.warn({ address: key, refused: stats.refusedSockets }, 'too many sockets from one address');
    }
    socket.destroy();
  });
}

const LATE = 'ERR_HTTP_REQUEST_TIMEOUT';

const BROKEN: Readonly<Record<string, { status: string; error: string; code: string }>> = {
  [LATE]: {
    status: '408 Request Timeout',
    error: 'The request did not arrive in time.',
    code: 'TIMEOUT',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'The headers are too large.',
    code: 'BAD_INPUT',
  },
};
const UNREADABLE = { status: '400 Bad Request', error: 'This is no HTTP request.', code: 'BAD_INPUT' };

/** Sockets that are read once more before they count as late; a listener removes those whose request has arrived. */
const seeminglyLate = new WeakSet<Socket>();

/**
 * Answers what never became a request, in the form of every other error, and closes its socket. What counts as late may have
 * come while this process stood still: sockets are read once more before. Needs `limitConnections` on the same server.
 */
export function answerBroken(cause: NodeJS.ErrnoException, socket: Socket): void {
  if (cause.code !== LATE) {
    refuseBroken(cause, socket);
    return;
  }
  seeminglyLate.add(socket);
  setImmediate(() => {
    if (seeminglyLate.delete(socket)) refuseBroken(cause, socket);
  });
}

function refuseBroken(cause: NodeJS.ErrnoException, socket: Socket): void {
  if (cause.code === 'ECONNRESET' || socket.destroyed) return;
  const { status, error, code } = BROKEN[cause.code ?? ''] ?? UNREADABLE;
  const body = JSON.stringify({ error, code });
  const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
  socket.destroy();
}

/** As node itself does it when a request misses its deadline. */
function timeOut(server: Server, socket: Socket): void {
  const error = Object.assign(new Error('Request timeout'), { code: LATE });
  server.emit('clientError', error, socket);
}

/** Bodies that are being received. One timer checks all of them: most are complete before its first tick. */
class SlowBodies {
  readonly #limits: ConnectionLimits;
  readonly #timeOut: (socket: Socket) => void;
  readonly #open = new Map<IncomingMessage, { sinceMs: number; mostMs: number; rate: number; bytes: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(limits: ConnectionLimits, timeOut: (socket: Socket) => void) {
    this.#limits = limits;
    this.#timeOut = timeOut;
    this.#timer = setInterval(() => {
      // After a standstill of this process, bytes that arrived meanwhile are read first.
      if (this.#late().length > 0) setImmediate(() => this.#late().forEach((one) => void this.#timeOut(one)));
    }, limits.checkMs);
    this.#timer.unref();
  }

  watch(request: IncomingMessage, isUpload: boolean): void {
    const { requestMs, uploadMs, bytesPerSecond } = this.#limits;
    const mostMs = isUpload ? uploadMs : requestMs;
    const needed = isUpload ? (Number(request.headers['content-length'] ?? 0) * 1_000) / uploadMs : 0;
    const rate = Math.max(bytesPerSecond, needed);
    this.#open.set(request, { sinceMs: performance.now(), mostMs, rate, bytes: request.socket.bytesRead });
    const forget = (): void => void this.#open.delete(request);
    request.once('end', forget);
    request.once('close', forget);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #late(): Socket[] {
    const nowMs = performance.now();
    const late = [...this.#open].filter(([{ socket }, { sinceMs, mostMs, rate, bytes }]) => {
      const ms = nowMs - sinceMs;
      const isSlow = (socket.bytesRead - bytes) * 1_000 < rate * ms;
      return ms > mostMs || (ms > this.#limits.graceMs && isSlow);
    });
    return late.map(([{ socket }]) => socket);
  }
}
