/**
 * The bare server: how it reads bodies, and what it answers to requests that cannot be read. It has no routes and no hooks.
 */
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { errorBody, publicError } from '../../rest-compat/errors.ts';
import { refuse } from '../../rest-compat/handler.ts';
import type { App } from '../app/app.ts';
import { badInput, PlatformError } from '../kernel/errors.ts';
import { LIMITS } from '../kernel/limits.ts';
import { answerBroken, type ConnectionLimits, httpDeadlines } from './connection-limits.ts';
import type { HeadersHook } from './headers.ts';
import { type RequestSpans, requestIdOf } from './tracing.ts';

const NO_FORM = /^(Unexpected end of|Part terminated early|Malformed part|Multipart: )/;
const NO_FORM_CODES = new Set(['FST_PROTO_VIOLATION', 'FST_INVALID_MULTIPART_CONTENT_TYPE', 'FST_NO_FORM_DATA']);

/** An instance that answers what never gets to a route, and serves nothing yet. */
export function createInstance(
  app: App,
  {
    connectionLimits,
    headers,
    spans,
  }: { connectionLimits: ConnectionLimits; headers: HeadersHook; spans: RequestSpans },
): FastifyInstance {
  const fastify: FastifyInstance = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    disableRequestLogging: true,
    genReqId: requestIdOf,
    requestIdLogLabel: 'requestId',
    childLoggerFactory: spans.logOf,
    // Without proxies the address is the socket's, and no header is parsed.
    trustProxy: app.config.TRUST_PROXY > 0 && ((_address, hop) => hop < app.config.TRUST_PROXY),
    bodyLimit: LIMITS.jsonBodyBytes,
    routerOptions: { maxParamLength: 300 },
    forceCloseConnections: true,
    // While it stops, what still comes on an open connection is answered as well, and the connection then closed.
    return503OnClosing: false,
    requestTimeout: connectionLimits.uploadMs,
    clientErrorHandler: answerBroken,
    http: {
      ...httpDeadlines(connectionLimits),
      // Java's HttpClient offers h2c with every request: what asks for anything but a WebSocket is served as it is.
      shouldUpgradeCallback: ({ headers }: IncomingMessage) => /^websocket$/i.test(headers.upgrade ?? ''),
    } as object,
    // An address that cannot be decoded, or has too long a part, never gets to a route, nor to a hook.
    frameworkErrors: ({ code }, request, reply) => {
      headers(request, reply, () => {});
      const isLong = code === 'FST_ERR_MAX_PARAM_LENGTH';
      const wrong = isLong ? 'has a part that is longer than any here.' : 'has a % that encodes nothing.';
      const seen = publicError(badInput('url', wrong), request.log);
      return (reply as FastifyReply).code(seen.status).send(errorBody(seen, request.id));
    },
  });
  readJson(fastify);
  fastify.setErrorHandler((error, request, reply) => refuse(asPlatformError(error, request), request, reply));
  return fastify;
}

function asPlatformError(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof PlatformError) return error;
  const { statusCode, code, message } = error as { statusCode?: number; code?: string; message: string };
  // The reader of forms throws bare errors for what is cut off or nested wrongly.
  if (NO_FORM.test(message) || NO_FORM_CODES.has(code ?? '')) return badInput('body', 'is not a valid multipart form.');
  if (statusCode === undefined || statusCode >= 500) return error;
  if (statusCode === 413) return new PlatformError('TOO_LARGE');
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return badInput('body', 'must be sent as application/json.');
  if (request.headers['content-encoding']) return badInput('body', 'must be sent without a Content-Encoding.');
  return badInput('body', 'is not valid JSON.');
}

/**
 * JSON as Fastify reads it, but for a body without a byte: clients that name the type of every request send those. Bytes of
 * another encoding are refused: read as UTF-8 they would be kept as replacement characters.
 */
function readJson(fastify: FastifyInstance): void {
  const parse = fastify.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  // Fastify reads it as a text, which is a body of nothing here.
  fastify.removeContentTypeParser('text/plain');
  fastify.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    let text: string;
    try {
      text = utf8.decode(body as Buffer);
    } catch {
      return done(badInput('body', 'is not valid UTF-8.'));
    }
    parse(request, text, (error, read) => {
      if (!error || !isJson(text)) done(error, read);
      // What is JSON is refused for names by which an object would get another prototype.
      else done(badInput('body', 'must not have a field __proto__, nor a field prototype in constructor.'));
    });
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
