/**
 * What goes wrong, as classes: by the server's published code, whether REST or GraphQL says it. What is not in the table is
 * an `AvatarError` with its code.
 */

/** What the server says of an error beside its sentence. */
export interface ErrorFacts {
  /** A code of the published list, e.g. `NOT_FOUND`. */
  code: string;
  /** The HTTP status; of an error inside of a GraphQL answer that of the answer. */
  status: number;
  /** Names the request in the server's log. */
  requestId?: string | undefined;
  /** Everything else that was said, e.g. `quota` and `limit`. */
  details: Readonly<Record<string, unknown>>;
  /** What of a GraphQL document was answered, or done, beside the error. */
  data?: object | undefined;
  cause?: unknown;
}

/** An error of the platform, of the way to it, or of this client. */
export class AvatarError extends Error {
  override readonly name: string = 'AvatarError';
  readonly code: string;
  readonly status: number;
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
  readonly data: object | undefined;

  constructor(message: string, { code, status, requestId, details, data, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.requestId = requestId;
    this.details = details;
    this.data = data;
  }

  /** Milliseconds until it is worth another try; undefined where the server does not say. */
  get retryAfterMs(): number | undefined {
    const seconds = this.details.retryAfterSeconds;
    return typeof seconds === 'number' ? seconds * 1_000 : undefined;
  }
}

/** The server cannot be reached, does not answer in time, or something on the way answers for it. */
export class ConnectionError extends AvatarError {
  override readonly name: string = 'ConnectionError';
}

/** 400: `field` is what the sentence is about, where it is about one. */
export class BadInputError extends AvatarError {
  override readonly name: string = 'BadInputError';
  get field(): string | undefined {
    return this.details.field as string | undefined;
  }
}

/** 401: no credential, or one that does not hold any more. */
export class UnauthenticatedError extends AvatarError {
  override readonly name: string = 'UnauthenticatedError';
}

/** Too few credits, of the kind that is asked for: nothing was made and nothing charged. Both amounts are credits. */
export class InsufficientCreditsError extends AvatarError {
  override readonly name: string = 'InsufficientCreditsError';
  get required(): number {
    return Number(this.details.requiredCredits ?? this.details.required);
  }
  /** What there is; 0 where another user would pay. */
  get available(): number {
    return Number(this.details.availableCredits ?? this.details.balance ?? this.details.transferable);
  }
}

/** 403: not allowed to this caller, or to this access token. */
export class ForbiddenError extends AvatarError {
  override readonly name: string = 'ForbiddenError';
}

/** 404: not there, or not yours. */
export class NotFoundError extends AvatarError {
  override readonly name: string = 'NotFoundError';
}

/** 409, 410, 422: resolved, expired, still running, or the key was used for something else; `code` says which. */
export class ConflictError extends AvatarError {
  override readonly name: string = 'ConflictError';
}

/** The account has as many as it may have: `details.quota` of `details.limit`. */
export class QuotaExceededError extends AvatarError {
  override readonly name: string = 'QuotaExceededError';
}

/** 429: `retryAfterMs` says when to come back. */
export class RateLimitedError extends AvatarError {
  override readonly name: string = 'RateLimitedError';
}

/** 502, 503: a part of the service, or of what it relies on, does not answer. */
export class UnavailableError extends AvatarError {
  override readonly name: string = 'UnavailableError';
}

const CLASSES: Readonly<Record<string, typeof AvatarError>> = {
  CONNECTION: ConnectionError,
  BAD_INPUT: BadInputError,
  BAD_REQUEST: BadInputError,
  INVALID_REQUEST: BadInputError,
  GRAPHQL_PARSE_FAILED: BadInputError,
  GRAPHQL_VALIDATION_FAILED: BadInputError,
  TOO_LARGE: BadInputError,
  UNAUTHENTICATED: UnauthenticatedError,
  INVALID_TOKEN: UnauthenticatedError,
  INVALID_CLIENT: UnauthenticatedError,
  INSUFFICIENT_CREDITS: InsufficientCreditsError,
  INSUFFICIENT_BALANCE: InsufficientCreditsError,
  INSUFFICIENT_TRANSFERABLE: InsufficientCreditsError,
  FORBIDDEN: ForbiddenError,
  EMAIL_NOT_VERIFIED: ForbiddenError,
  MISSING_SCOPE: ForbiddenError,
  NAME_LOCKED: ForbiddenError,
  NOT_FOUND: NotFoundError,
  ALREADY_MEMBER: ConflictError,
  CONFLICT: ConflictError,
  IN_FLIGHT: ConflictError,
  EXPIRED: ConflictError,
  KEY_REUSED: ConflictError,
  QUOTA_EXCEEDED: QuotaExceededError,
  RATE_LIMITED: RateLimitedError,
  UPSTREAM_FAILED: UnavailableError,
  UNAVAILABLE: UnavailableError,
};

/** The error of these facts, of the class of its code. */
export const errorOf = (message: string, facts: ErrorFacts): AvatarError =>
  new (CLASSES[facts.code] ?? AvatarError)(message, facts);

/** What never reached the server, or was answered by something else than it. */
export const connectionError = (message: string, status: number, cause?: unknown, details = {}): ConnectionError =>
  new ConnectionError(message, { code: 'CONNECTION', status, details, cause });

/** An error as GraphQL writes it. */
export interface GraphqlError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: { code?: string; requestId?: string; [detail: string]: unknown };
}

/** The first of the errors of a GraphQL answer; `data` is what came beside them. */
export function graphqlError([first]: readonly GraphqlError[], status: number, data?: object | null): AvatarError {
  const { code = 'INTERNAL', requestId, ...details } = first?.extensions ?? {};
  const isPartial = Object.values(data ?? {}).some((value) => value !== null);
  const facts = { code, status, requestId, details, data: isPartial ? (data ?? undefined) : undefined };
  return errorOf(first?.message ?? 'The operation failed.', facts);
}

/**
 * The error of an answer of the documented paths. The sentence begins with the field at fault: it is taken for one when
 * `sent` has it.
 */
export function restError(body: unknown, status: number, sent: object | undefined): AvatarError | undefined {
  const { error, code, requestId, ...details } = (body ?? {}) as Record<string, unknown>;
  if (typeof error !== 'string' || typeof code !== 'string') return undefined;
  const field = /^([a-z]\w*)[.[ ]/i.exec(error)?.[1];
  const isField =
    code === 'BAD_INPUT' && field !== undefined && (field in (sent ?? {}) || /^\w+ is required\.$/.test(error));
  return errorOf(error, {
    code,
    status,
    requestId: requestId as string | undefined,
    details: isField ? { field, ...details } : details,
  });
}
