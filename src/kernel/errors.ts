/**
 * The one kind of error the rules throw. A code is a row of `ERRORS`; REST bodies and statuses, GraphQL
 * `extensions.code` and log levels derive from that row. An internal cause may be attached: it is logged
 * with the request id and never serialised.
 */

/** Every error a caller can meet: HTTP status and the default public sentence. */
export const ERRORS = {
  BAD_INPUT: { status: 400, text: 'The request is not valid.' },
  ALREADY_MEMBER: { status: 400, text: 'Already a member of this tribe.' },
  OWN_TRIBE: { status: 400, text: 'You cannot join your own tribe.' },
  SELF_GIFT: { status: 400, text: 'You cannot send a gift to yourself.' },
  INSUFFICIENT_BALANCE: { status: 400, text: 'Insufficient balance' },
  INSUFFICIENT_TRANSFERABLE: { status: 400, text: 'Insufficient transferable credits' },
  QUOTA_EXCEEDED: { status: 400, text: 'The account has as many of these as it may have.' },
  // RFC 6749, 6750: the text is the code that clients of these standards read in `error`.
  INVALID_REQUEST: { status: 400, text: 'invalid_request' },
  INVALID_GRANT: { status: 400, text: 'invalid_grant' },
  INVALID_SCOPE: { status: 400, text: 'invalid_scope' },
  INVALID_TARGET: { status: 400, text: 'invalid_target' },
  INVALID_REDIRECT_URI: { status: 400, text: 'invalid_redirect_uri' },
  INVALID_CLIENT_METADATA: { status: 400, text: 'invalid_client_metadata' },
  UNAUTHORIZED_CLIENT: { status: 400, text: 'unauthorized_client' },
  UNSUPPORTED_GRANT_TYPE: { status: 400, text: 'unsupported_grant_type' },
  INVALID_CLIENT: { status: 401, text: 'invalid_client' },
  INVALID_TOKEN: { status: 401, text: 'invalid_token' },
  UNAUTHENTICATED: { status: 401, text: 'Sign in or send a valid bearer token.' },
  INSUFFICIENT_CREDITS: { status: 402, text: 'Not enough credits.' },
  FORBIDDEN: { status: 403, text: 'You may not do this.' },
  EMAIL_NOT_VERIFIED: { status: 403, text: 'Confirm your e-mail address first: we sent you a link.' },
  MISSING_SCOPE: { status: 403, text: 'The access token lacks the scope this needs.' },
  NAME_LOCKED: { status: 403, text: 'The name of this avatar is managed by the streaming platform.' },
  NOT_FOUND: { status: 404, text: 'Not found.' },
  CONFLICT: { status: 409, text: 'This was already resolved.' },
  IN_FLIGHT: { status: 409, text: 'An identical request with this Idempotency-Key is still running.' },
  EXPIRED: { status: 410, text: 'This has expired.' },
  TOO_LARGE: { status: 413, text: 'The request is too large.' },
  KEY_REUSED: { status: 422, text: 'This Idempotency-Key was used with another request.' },
  RATE_LIMITED: { status: 429, text: 'Too many requests. Try again later.' },
  INTERNAL: { status: 500, text: 'Something went wrong on our side.' },
  UPSTREAM_FAILED: { status: 502, text: 'An upstream service failed.' },
  UNAVAILABLE: { status: 503, text: 'Not ready yet.' },
} as const;

/** A code of `ERRORS`. */
export type ErrorCode = keyof typeof ERRORS;

/** Values that go into the public body beside `error`, e.g. `{ requiredCredits, availableCredits }`. */
export type ErrorDetails = Record<string, string | number | boolean | null>;

/** An error for the caller: a code of `ERRORS` and a public sentence; `cause` is only logged. */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: ErrorCode;
  readonly details?: ErrorDetails;

  constructor(code: ErrorCode, text?: string, options?: { details?: ErrorDetails; cause?: unknown }) {
    super(text ?? ERRORS[code].text, options?.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    if (options?.details) this.details = options.details;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/**
 * Whether an error is for the caller to correct (a wrong request, a missing permission, too few credits), and no operator can do
 * anything about it.
 */
export const isRefusal = (error: unknown): error is PlatformError =>
  error instanceof PlatformError && error.status < 500;

/**
 * UNAVAILABLE for a short time: it says after how many seconds to ask again, as an HTTP header (`Retry-After`) and in GraphQL's
 * extensions.
 */
export function busy(
  sentence: string,
  { seconds = 5, cause }: { seconds?: number; cause?: unknown } = {},
): PlatformError {
  return new PlatformError('UNAVAILABLE', sentence, { details: { retryAfterSeconds: seconds }, cause });
}

/** A 400 that names the field at fault. */
export function badInput(field: string, sentence: string): PlatformError {
  return refusedInput(field, `${field} ${sentence}`);
}

/** Bad input in a sentence of its own. The only place that makes it: it always names the field. */
export function refusedInput(field: string, text: string, cause?: unknown): PlatformError {
  return new PlatformError('BAD_INPUT', text, { details: { field }, cause });
}
