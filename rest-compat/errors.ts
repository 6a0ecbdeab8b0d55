/**
 * Turns errors of an execution into answers of REST: one table (src/kernel/errors.ts) gives status and code, the documented API
 * the bodies. GraphQL's coercion errors are reported by the name of the REST field.
 */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { ERRORS, type ErrorCode, isRefusal, PlatformError } from '../src/kernel/errors.ts';
import { type Log, refusalFields } from '../src/kernel/log.ts';
import { isOutage } from '../src/kernel/outages.ts';

/** An error as REST answers it. */
export interface PublicError {
  status: number;
  code: string;
  message: string;
  details?: Record<string, unknown>;
}

/** `Retry-After` in seconds, where the error has none: of an exceeded limit, and of an overload. */
const LIMITED_RETRY_S = 1;
const UNAVAILABLE_RETRY_S = 5;
const AWAY = 'A part of the service does not answer: try again later.';

/** Reads one error of an execution; one that is not ours becomes INTERNAL, and only the log has its cause. */
export function publicError(error: unknown, log: Log): PublicError {
  const original = error instanceof GraphQLError ? (error.originalError ?? error) : error;
  if (original instanceof PlatformError) {
    if (!isRefusal(original)) log.warn({ err: original }, 'request failed');
    else if (original.cause !== undefined) log.info(refusalFields(original), 'request refused');
    return {
      status: original.status,
      code: original.code,
      message: original.message,
      ...(original.details ? { details: original.details } : {}),
    };
  }
  if (original instanceof GraphQLError && isInputError(original)) {
    const { field, sentence } = inputSentence(original.message);
    return { status: 400, code: 'BAD_INPUT', message: sentence, ...(field ? { details: { field } } : {}) };
  }
  if (isOutage(original)) {
    log.warn({ err: original }, 'dependency away');
    return { status: 503, code: 'UNAVAILABLE', message: AWAY, details: { retryAfterSeconds: UNAVAILABLE_RETRY_S } };
  }
  log.error({ err: original }, 'request failed unexpectedly');
  return { status: 500, code: 'INTERNAL', message: ERRORS.INTERNAL.text };
}

function isInputError(error: GraphQLError): boolean {
  const code = error.extensions?.code as ErrorCode | string | undefined;
  return (
    code === 'BAD_INPUT' ||
    code === 'BAD_USER_INPUT' ||
    code === 'GRAPHQL_VALIDATION_FAILED' ||
    code === 'GRAPHQL_PARSE_FAILED'
  );
}

const KINDS: [RegExp, string][] = [
  [/^String cannot/, 'must be a string.'],
  [/^ID cannot/, 'must be a string.'],
  [/^Boolean cannot/, 'must be true or false.'],
  [/^Int cannot/, 'must be a whole number.'],
  [/^Float cannot/, 'must be a number.'],
  [/^Expected non-nullable/, 'must not be null.'],
  [/^Expected type "\w+" to be an object/, 'must be an object.'],
];

/** Turns `Variable "$input" got invalid value ...` into a sentence about the field. */
function inputSentence(message: string): { field?: string; sentence: string } {
  const missing = /^Variable "\$(\w+)" of (?:required|non-null) type .* (?:was not provided|must not be null)/.exec(
    message,
  );
  if (missing?.[1]) return { field: missing[1], sentence: `${missing[1]} is required.` };
  const invalid = /^Variable "\$(\w+)" got invalid value [\s\S]*?(?: at "\w+\.?([^"]*)")?; ([\s\S]*)$/.exec(message);
  if (!invalid) return { sentence: message };
  const [, variable = '', path, reason = ''] = invalid;
  const lacking = /^Field "(\w+)" of required type/.exec(reason);
  const name = [path ?? (variable === 'input' ? '' : variable), lacking?.[1]].filter(Boolean).join('.');
  const field = name.split(/[.[]/)[0] || 'body';
  if (lacking) return { field, sentence: `${name} is required.` };
  const said = KINDS.find(([pattern]) => pattern.test(reason))?.[1];
  return { field, sentence: `${name || 'body'} ${said ?? reason.replace(/^.*?; /, '')}` };
}

/** The error, with its field named as the caller knows it. @param names the caller's names of fields, by those of the graph */
export function inCallersWords(error: PublicError, names: Readonly<Record<string, string>>): PublicError {
  const field = String(error.details?.field);
  const name = Object.hasOwn(names, field) ? names[field] : undefined;
  if (name === undefined) return error;
  return { ...error, message: error.message.replace(field, name), details: { ...error.details, field: name } };
}

/** The error body of the documented API: `{error}` and the documented details, with `code` and `requestId` beside. */
export function errorBody(error: PublicError, requestId: string): Record<string, unknown> {
  const { field: _, ...details } = error.details ?? {};
  const text = { error: error.message };
  return { ...text, ...details, code: error.code, requestId };
}

/** The first error of a result, or undefined when there is none. */
export const firstError = (result: ExecutionResult): GraphQLError | undefined => result.errors?.[0];

/** Sets `Retry-After` where a later attempt may succeed: over a limit, under overload, or while the same request still runs. */
export function retryAfter(error: PublicError, reply: { header(name: string, value: unknown): unknown }): void {
  const limited = error.code === 'RATE_LIMITED' || error.code === 'IN_FLIGHT';
  if (!limited && error.status !== 503) return;
  reply.header('retry-after', error.details?.retryAfterSeconds ?? (limited ? LIMITED_RETRY_S : UNAVAILABLE_RETRY_S));
}

/**
 * Status and wait, in seconds, of an error that may have passed by then; undefined for every other error, also where this
 * instance is not configured to do what was asked. Logs nothing.
 */
export function passing(error: GraphQLError): { status: number; seconds: number } | undefined {
  const original = error.originalError ?? error;
  if (!(original instanceof PlatformError)) {
    return isOutage(original) ? { status: 503, seconds: UNAVAILABLE_RETRY_S } : undefined;
  }
  const { code, status, details: { retryAfterSeconds } = {} } = original;
  if (code === 'RATE_LIMITED') return { status, seconds: Number(retryAfterSeconds ?? LIMITED_RETRY_S) };
  return status === 503 && retryAfterSeconds !== undefined ? { status, seconds: Number(retryAfterSeconds) } : undefined;
}
