/**
 * Spans of a trace, as the platform sees them: what is under way, from when to when, and within what. They are collected by
 * `src/app/open-telemetry.ts`; where no collector is configured, there is no tracer, no span, and nothing here runs.
 */

/** Facts of a span, by the names of OpenTelemetry's conventions where it has one. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** A piece of work that is traced. */
export interface Span {
  /** W3C `traceparent` of this span, which whatever goes on with the work elsewhere is given. */
  readonly traceparent: string;
  /** Begins a part of this work. */
  begin(name: string, attributes?: SpanAttributes): Span;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param error what the work failed by */
  end(error?: unknown): void;
}

/** How a span begins. */
export interface SpanOptions {
  /** `server`: a request is answered; `consumer`: a job is run. */
  kind: 'server' | 'consumer' | 'internal';
  /** `traceparent` of what this goes on with; without a valid one it begins a trace. */
  parent?: string | undefined;
  attributes?: SpanAttributes;
}

/** Begins spans, and sends them to the collector. */
export interface Tracer {
  begin(name: string, options: SpanOptions): Span;
  /** Sends what is left. */
  close(): Promise<void>;
}

/** Version, trace, span, flags; a later version may have more behind them. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:$|-)/;

/** What a `traceparent` says; undefined where it is none. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Reads a `traceparent`; undefined for anything else. */
export function readTraceparent(text: unknown): TraceParent | undefined {
  if (typeof text !== 'string') return undefined;
  const [, traceId, spanId, flags] = TRACEPARENT.exec(text) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes it as version 00. */
export const traceparentOf = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
