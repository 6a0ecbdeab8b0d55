/**
 * One request at a time: where it goes, with which credential, and how often it is sent. What may have been done already
 * is sent again only where the server knows it again, by its Idempotency-Key.
 */
import { AvatarError, connectionError, type GraphqlError, graphqlError, restError } from './errors.ts';
import { hasKeyVariable, isMutation, type Operation, takesKey } from './operation.ts';
import { backoffMs, pause } from './pause.ts';

/** What the live feed needs of a WebSocket: the class of the platform, or of the package `ws`. */
export type WebSocketClass = new (url: string, protocol: string) => WebSocket;

/** Who is asked, and as whom. */
export interface ClientOptions {
  /** Address of the instance, e.g. `https://avatars.example`. */
  url: string | URL;
  /** An API key, an access token or a session; asked for anew with each request where it is a function. */
  token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** What every request carries beside that, and the live connection as the payload of its beginning. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Whether cookies go along, for a page that an instance has signed in itself; default `omit`. */
  credentials?: 'omit' | 'same-origin' | 'include' | undefined;
  /** How often what failed is sent again, where that is safe; default 2. */
  retries?: number | undefined;
  /** Until an attempt counts as unanswered, in ms; default two minutes: an image is drawn while its caller waits. */
  timeoutMs?: number | undefined;
  /** How often a live connection is asked whether it is still there, in ms; default 7 000. */
  pingMs?: number | undefined;
  /** After how long over streams of events, where no WebSocket came about, one is tried again, in ms; default 300 000. */
  webSocketRetryMs?: number | undefined;
  /** Default: that of the platform. */
  fetch?: typeof fetch | undefined;
  /** Default: that of the platform; Node 20 has none. */
  WebSocket?: WebSocketClass | undefined;
}

/** How one request is sent. */
export interface RequestOptions {
  /** Ends the request, and the wait for the next attempt; what is thrown is its reason. */
  signal?: AbortSignal | undefined;
  timeoutMs?: number | undefined;
  retries?: number | undefined;
  /** What the server knows the request by when it is sent again; default: one of its own for each call that takes one. */
  idempotencyKey?: string | undefined;
}

/** A request as it is sent. */
export interface HttpRequest<Answer> {
  method: string;
  path: string;
  /** JSON, a form with files, or the bytes of one. */
  body?: object | FormData | Blob | undefined;
  /** What the caller gave, to find the field that an error is about. */
  sent?: object | undefined;
  /** Whether it may be sent again though it may have been done. */
  isRepeatable: boolean;
  idempotencyKey?: string | undefined;
  /** The answer of a body; throws what it says went wrong. */
  read?(body: unknown, status: number): Answer;
}

/** An instance of the platform, as its other functions take it. */
export interface Client {
  readonly options: ClientOptions;
  /** The instance's address, without a slash at its end. */
  readonly url: string;
  /** The value of an Authorization header; undefined without a credential. */
  authorization(): Promise<string | undefined>;
  /** Sends a GraphQL query or mutation. Throws the first of its errors. */
  graphql<Data, Variables extends object>(
    operation: Operation<Data, Variables>,
    ...rest: Given<Variables>
  ): Promise<Data>;
  send<Answer>(request: HttpRequest<Answer>, options?: RequestOptions): Promise<Answer>;
}

/** Variables may be left out where none is required. */
export type Given<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

/** How often what failed is sent again, by default. */
export const RETRIES = 2;
/** Until an attempt counts as unanswered, by default. */
export const TIMEOUT_MS = 120_000;
/** A longer wait is an error at once. */
const MAX_WAIT_MS = 60_000;

/** A client of one instance; it holds no connection. */
export function createClient(options: ClientOptions): Client {
  const url = String(options.url).replace(/\/+$/, '');
  const authorization = async (): Promise<string | undefined> => {
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    return token ? `Bearer ${token}` : undefined;
  };
  const attempt = async <Answer>(request: HttpRequest<Answer>, given: RequestOptions): Promise<Answer> => {
    const { body, idempotencyKey, method, path } = request;
    const headers: Record<string, string> = { ...options.headers, accept: 'application/json' };
    const credential = await authorization();
    if (credential) headers.authorization = credential;
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    const isFile = body instanceof FormData || body instanceof Blob;
    const isJson = body !== undefined && !isFile;
    if (isJson) headers['content-type'] = 'application/json';
    const timeout = AbortSignal.timeout(given.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS);
    const signal = given.signal ? AbortSignal.any([given.signal, timeout]) : timeout;
    const sent = isFile ? body : isJson ? JSON.stringify(body) : null;
    try {
      const ask = options.fetch ?? fetch;
      const response = await ask(url + path, {
        method,
        headers,
        body: sent,
        signal,
        credentials: options.credentials ?? 'omit',
      });
      return read(request, response, await response.text());
    } catch (error) {
      given.signal?.throwIfAborted();
      if (error instanceof AvatarError) throw error;
      throw connectionError(`${method} ${path}: the server cannot be reached.`, 0, error);
    }
  };
  const client: Client = {
    options,
    url,
    authorization,
    async send(request, given = {}) {
      const most = given.retries ?? options.retries ?? RETRIES;
      for (let tried = 0; ; tried += 1) {
        given.signal?.throwIfAborted();
        try {
          return await attempt(request, given);
        } catch (error) {
          const waitMs = tried < most && error instanceof AvatarError ? waitBefore(error, tried, request) : undefined;
          if (waitMs === undefined) throw error;
          await pause(waitMs, given.signal);
        }
      }
    },
    graphql<Data, Variables extends object>(operation: Operation<Data, Variables>, ...rest: Given<Variables>) {
      const [variables, given] = rest;
      const query = operation.toString();
      const isChange = isMutation(query);
      const isKeyed = isChange && takesKey(query);
      const hasVariable = isKeyed && hasKeyVariable(query);
      const key = given?.idempotencyKey ?? (isKeyed ? keyOf(variables) : undefined);
      const request: HttpRequest<Data> = {
        method: 'POST',
        path: '/graphql',
        body: { query, variables: hasVariable ? { ...variables, idempotencyKey: key } : variables },
        isRepeatable: !isChange || key !== undefined,
        // A document without the variable may have one field that takes the header.
        idempotencyKey: hasVariable ? undefined : key,
        read: dataOf<Data>,
      };
      return client.send(request, given);
    },
  };
  return client;
}

/** The key among the variables, or a new one. */
const keyOf = (variables: Partial<Keyed> & { input?: Keyed } = {}): string =>
  variables.idempotencyKey ?? variables.input?.idempotencyKey ?? crypto.randomUUID();

interface Keyed {
  idempotencyKey?: string | null;
}

function dataOf<Data>(body: unknown, status: number): Data {
  const { data, errors } = (body ?? {}) as { data?: object | null; errors?: GraphqlError[] };
  if (errors?.length) throw graphqlError(errors, status, data);
  return data as Data;
}

function read<Answer>(
  { method, path, sent, read: own }: HttpRequest<Answer>,
  response: Response,
  text: string,
): Answer {
  const { status, headers } = response;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  const after = Number.isNaN(seconds) ? {} : { retryAfterSeconds: seconds };
  const failed = (): AvatarError =>
    connectionError(`${method} ${path}: answered with ${status}.`, status, undefined, after);
  let body: unknown;
  try {
    body = text ? JSON.parse(text) : undefined;
  } catch {
    throw failed();
  }
  if (own && (response.ok || (body as { errors?: unknown } | undefined)?.errors)) return own(body, status);
  if (!response.ok) throw restError({ ...after, ...(body as object) }, status, sent) ?? failed();
  return body as Answer;
}

/** What was refused before anything was done; everything else may have been. */
const UNDONE = new Set(['RATE_LIMITED', 'IN_FLIGHT']);
const PASSING = new Set([...UNDONE, 'CONNECTION', 'UNAVAILABLE']);

/** How long to wait before the request is sent again, in ms; undefined where it is not. */
function waitBefore(error: AvatarError, tried: number, { isRepeatable }: HttpRequest<unknown>): number | undefined {
  const isPassing =
    PASSING.has(error.code) && (error.code !== 'CONNECTION' || error.status === 0 || error.status >= 500);
  // What was done in part is not done again.
  const isUndone = UNDONE.has(error.code) && error.data === undefined;
  if (!isPassing || !(isRepeatable || isUndone)) return undefined;
  const waitMs = Math.max(error.retryAfterMs ?? 0, backoffMs(tried));
  return waitMs > MAX_WAIT_MS ? undefined : waitMs;
}
