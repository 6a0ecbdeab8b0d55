/**
 * What a request is called in logs and answers. A caller, or a proxy, that has a name for it already keeps it
 * (`X-Request-Id`), and the trace that it belongs to (W3C `traceparent`) stands in each of its log lines. Where spans are
 * collected, a request is one, which goes on with the caller's trace.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify';
import { newRequestId } from '../kernel/ids.ts';
import { redactText } from '../kernel/log.ts';
import { readTraceparent, type Span, type Tracer } from '../kernel/spans.ts';

/** What trace ids, UUIDs and the ids of proxies are made of; nothing that a log or a header could be broken with. */
const REQUEST_ID = /^[A-Za-z0-9][\w.:=+/@-]{0,127}$/;
/** Asked again and again by machines. */
const UNTRACED = /^\/(?:health|metrics)(?:[/?]|$)/;

/** The caller's name for its request where it is one that may be written down, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  if (typeof given !== 'string' || !REQUEST_ID.test(given)) return newRequestId();
  // A credential that was sent by mistake is in no log.
  return redactText(given) === given ? given : newRequestId();
}

/** The spans of requests under way; none where there is no tracer. */
export class RequestSpans {
  readonly #tracer: Tracer | undefined;
  readonly #open = new WeakMap<IncomingMessage, Span>();

  constructor(tracer: Tracer | undefined) {
    this.#tracer = tracer;
  }

  /** Makes the log of one request: its id, and its trace and span, or those that the caller sent. */
  readonly logOf: NonNullable<FastifyServerOptions['childLoggerFactory']> = (log, bindings, options, raw) => {
    const { traceId, spanId } = readTraceparent(this.#begin(raw)?.traceparent ?? raw.headers.traceparent) ?? {};
    return log.child(traceId ? { ...bindings, traceId, spanId } : bindings, options) as FastifyBaseLogger;
  };

  /** What the operations of a request are given of its trace. */
  of({ raw }: FastifyRequest): Span | undefined {
    return this.#tracer && this.#open.get(raw);
  }

  /** The caller's `traceparent`, where it is one. */
  parentOf({ headers: { traceparent } }: FastifyRequest): string | undefined {
    return traceparent !== undefined && readTraceparent(traceparent) ? String(traceparent) : undefined;
  }

  /** Ends the span of a request that was answered. */
  end(request: FastifyRequest, reply: FastifyReply): void {
    const span = this.of(request);
    if (!span) return;
    const route = request.routeOptions.url ?? 'unknown';
    span.rename(`${request.method} ${route}`);
    span.set({ 'http.route': route, 'http.response.status_code': reply.statusCode });
    span.end(reply.statusCode >= 500 ? new Error(`Answered with ${reply.statusCode}.`) : undefined);
  }

  #begin(raw: IncomingMessage): Span | undefined {
    if (!this.#tracer) return undefined;
    const path = raw.url?.split('?')[0] ?? '/';
    if (UNTRACED.test(path)) return undefined;
    const method = raw.method ?? 'GET';
    const parent = typeof raw.headers.traceparent === 'string' ? raw.headers.traceparent : undefined;
    const span = this.#tracer.begin(method, {
      kind: 'server',
      parent,
      attributes: { 'http.request.method': method },
    });
    this.#open.set(raw, span);
    return span;
  }
}
