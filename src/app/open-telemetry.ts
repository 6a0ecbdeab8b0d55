/**
 * Sends spans to an OpenTelemetry collector by OTLP over HTTP, with the official SDK. Loaded only where
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set: it costs a process 25 MB and a seventh of a second. A collector that is away costs its spans, nothing else.
 */
import { randomUUID } from 'node:crypto';
import {
  type Context,
  DiagLogLevel,
  diag,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

import { MINUTE_MS } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { readTraceparent, type Span, type SpanAttributes, type Tracer, traceparentOf } from '../kernel/spans.ts';
import { VERSION } from '../kernel/version.ts';

/** How long spans wait to be sent together. */
const BATCH_MS = 2_000;
/** A process that stops does not wait longer for its collector. */
const CLOSE_MS = 3_000;

const KINDS = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };

/** Where spans go, and which. */
export interface TelemetryOptions {
  /** Base address of the collector; spans go to `v1/traces` below it. */
  endpoint: string;
  /** Headers of each request to it, `name=value` with commas between. */
  headers: string | undefined;
  serviceName: string;
  /** `web` or `worker`. */
  role: string;
  /** Which part of the traces that begin here is sent, 0 to 1; a trace that a caller began is as its caller decided. */
  share: number;
  log: Pick<Log, 'warn'>;
}

/** Begins spans of one process. */
export function openTracer({ endpoint, headers, serviceName, role, share, log }: TelemetryOptions): Tracer {
  reportFailures(log);
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, ...(headers ? { headers: parseKeyPairsIntoRecord(headers) } : {}) });
  const resource = resourceFromAttributes({
    'service.name': serviceName,
    'service.namespace': 'avatar-platform',
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
    'process.role': role,
  });
  const provider = new TracerProvider({
    // What the operator adds by OTEL_RESOURCE_ATTRIBUTES.
    resource: detectResources({ detectors: [envDetector] }).merge(resource),
    sampler: new ParentBasedSampler({ root: share < 1 ? new TraceIdRatioBasedSampler(share) : new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: BATCH_MS })],
  });
  const tracer = provider.getTracer('avatar-platform', VERSION);
  return {
    begin(name, { kind, parent, attributes = {} }) {
      const context = contextOf(parent);
      return new TracedSpan(tracer, tracer.startSpan(name, { kind: KINDS[kind], attributes }, context), context);
    },
    async close() {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, CLOSE_MS);
      await Promise.race([provider.shutdown().catch(() => {}), late.promise]);
      clearTimeout(timer);
      diag.disable();
    },
  };
}

class TracedSpan implements Span {
  readonly traceparent: string;
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;
  readonly #context: Context;

  constructor(tracer: OtelTracer, span: OtelSpan, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
    const { traceId, spanId, traceFlags } = span.spanContext();
    this.traceparent = traceparentOf({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
  }

  begin(name: string, attributes: SpanAttributes = {}): Span {
    return new TracedSpan(this.#tracer, this.#tracer.startSpan(name, { attributes }, this.#context), this.#context);
  }

  rename(name: string): void {
    this.#span.updateName(name);
  }

  set(attributes: SpanAttributes): void {
    this.#span.setAttributes(attributes);
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      // Its name alone: messages may hold what callers said.
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : 'Error' });
    }
    this.#span.end();
  }
}

function contextOf(parent: string | undefined): Context {
  const read = readTraceparent(parent);
  if (!read) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = read;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Logs at most once a minute that spans were not taken; the SDK reports each batch, but logs nothing. */
function reportFailures(log: Pick<Log, 'warn'>): void {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const say = (reason: string): void => {
    const nowMs = performance.now();
    if (nowMs - saidAtMs < MINUTE_MS) return;
    saidAtMs = nowMs;
    log.warn({ reason: reason.slice(0, 500) }, 'spans not sent');
  };
  const nothing = (): void => {};
  diag.setLogger(
    { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
