/**
 * What a request is called in logs and answers. A caller, or a proxy, that has a name for it already keeps it
 * (`X-Request-Id`), and the trace that it belongs to (W3C `traceparent`) stands in each of its log lines.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import type { Bindings } from 'pino';
import { newRequestId } from '../kernel/ids.ts';
import { redactText } from '../kernel/log.ts';

/** What trace ids, UUIDs and the ids of proxies are made of; nothing that a log or a header could be broken with. */
const REQUEST_ID = /^[A-Za-z0-9][\w.:=+/@-]{0,127}$/;
/** Version, trace, span, flags; a later version may have more behind them. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-[\da-f]{2}(?:$|-)/;

/** The caller's name for its request where it is one that may be written down, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !REQUEST_ID.test(given)) return newRequestId();
  // A credential that was sent by mistake is in no log.
  return redactText(given) === given ? given : newRequestId();
}

/** The log of one request: its id, and the trace and the caller's span where it told them. */
export function requestLog(
  log: FastifyBaseLogger,
  bindings: Bindings,
  options: object,
  { headers }: Pick<IncomingMessage, 'headers'>,
): FastifyBaseLogger {
  const { traceparent } = headers;
  const [, traceId, spanId] = (typeof traceparent === 'string' && TRACEPARENT.exec(traceparent)) || [];
  return log.child(traceId ? { ...bindings, traceId, spanId } : bindings, options);
}
