/**
 * Fetches what a user named (`imageUrl`, `knowledgeBaseUrls`, audio, video) without letting them reach our own network
 * or exhaust us: scheme, port and address rules at every redirect, a cap on bytes after decompression, three timeouts.
 * Whatever went wrong, the caller of the API hears one sentence; the reason is the error's `cause`, for the log.
 * It sends no credentials and no cookies, and keeps no connection.
 */
import { Agent, type Dispatcher, request } from 'undici';
import { PlatformError, refusedInput } from '../kernel/errors.ts';
import { isTimeout, type RemoteCalls } from '../kernel/remote-calls.ts';
import { currentAccount } from '../kernel/work-account.ts';
import type { MediaLinks } from './links.ts';
import { contentTypeOf, FALLBACK_TYPE } from './objects.ts';
import { acceptOf, checkType, type FetchKind, readBody } from './safe-body.ts';
import {
  type AllowHosts,
  checkUrl,
  FetchRefusal,
  type Resolver,
  readAllowHosts,
  safeConnector,
  systemResolver,
} from './safe-connect.ts';
import type { MediaStore } from './store.ts';

/** Deadlines of a fetch, milliseconds. */
export interface FetchTimeouts {
  /** The name, then TCP and TLS together. */
  connectMs: number;
  /** Without a byte, of the head or of the body. */
  idleMs: number;
  /** All of it, redirects and name resolution included. */
  totalMs: number;
}

/** What fetching addresses of callers needs. */
export interface SafeFetchOptions {
  /** FETCH_ALLOW_HOSTS: `host` or `host:port`, exempt from the private-address and port rules. */
  allowHosts: readonly string[];
  /**
   * Media of our own, straight from storage: the bytes, undefined when the address is not ours, or a throw when it is
   * ours and may not be read (`ownMedia` below).
   */
  ownMedia?: (url: string) => Promise<OwnMedia | undefined>;
  timeouts?: Partial<FetchTimeouts>;
  resolver?: Resolver;
  /** What bounds an account's fetches and leaves silent addresses alone; absent: nothing does. */
  calls?: RemoteCalls;
}

/** A file from our own store. */
export interface OwnMedia {
  bytes: Uint8Array;
  contentType: string;
}

export type { FetchKind };

/** One address to fetch, and what is taken. */
export interface SafeFetchRequest {
  /** The field of the API that named the URL; the public error begins with it. */
  field: string;
  /** Longest body, after decompression. */
  maxBytes: number;
  accept: FetchKind;
  signal?: AbortSignal;
}

/** What the address held. */
export interface Fetched extends OwnMedia {
  /** Where the redirects led; the same as asked for our own media. */
  finalUrl: string;
}

/**
 * Throws PlatformError BAD_INPUT "`field` could not be fetched." with the reason as its cause, and the signal's reason
 * when the caller aborted.
 */
export type SafeFetch = (url: string, request: SafeFetchRequest) => Promise<Fetched>;

const TIMEOUTS: FetchTimeouts = { connectMs: 5_000, idleMs: 10_000, totalMs: 30_000 };
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** Aborted by the caller's signal or by the clock, whichever comes first. */
function deadline(signal: AbortSignal | undefined, totalMs: number): AbortSignal {
  const clock = AbortSignal.timeout(totalMs);
  return signal ? AbortSignal.any([signal, clock]) : clock;
}

/** Undici looks at the signal only once it is connected: a slow name or handshake would outlast every deadline. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  return Promise.race([work, aborted.promise]).finally(() => signal.removeEventListener('abort', abort));
}

class Fetcher {
  readonly #agent: Agent;
  readonly #allowHosts: AllowHosts;
  readonly #timeouts: FetchTimeouts;

  constructor({ allowHosts, timeouts, resolver = systemResolver }: SafeFetchOptions) {
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    this.#allowHosts = readAllowHosts(allowHosts);
    const { connectMs, idleMs } = this.#timeouts;
    const connect = safeConnector(this.#allowHosts, resolver, connectMs);
    this.#agent = new Agent({ connect, headersTimeout: idleMs, bodyTimeout: idleMs, pipelining: 1 });
  }

  async fetch(text: string, { maxBytes, accept, signal }: SafeFetchRequest): Promise<Fetched> {
    const stop = deadline(signal, this.#timeouts.totalMs);
    let url = checkUrl(text, this.#allowHosts);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      stop.throwIfAborted();
      const answer = await orAborted(this.#request(url, accept, stop), stop);
      try {
        const location = single(answer.headers.location);
        if (!REDIRECTS.has(answer.statusCode) || !location) {
          return { ...(await this.#take(answer, accept, maxBytes)), finalUrl: url.href };
        }
        url = checkUrl(location, this.#allowHosts, url.href);
      } finally {
        // Read to its end already, or of no interest; a destroyed body emits an error for the abort, which is ignored.
        answer.body.on('error', () => {}).destroy();
      }
    }
    throw new FetchRefusal(`More than ${MAX_REDIRECTS} redirects`);
  }

  #request(url: URL, kind: FetchKind, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    url.hash = '';
    return request(url, {
      dispatcher: this.#agent,
      method: 'GET',
      // A kept connection would be one more thing to reason about, for hosts we hardly ever meet twice.
      reset: true,
      signal,
      headers: {
        accept: acceptOf(kind),
        'accept-encoding': kind === 'page' ? 'gzip, deflate, br' : 'identity',
        'user-agent': 'avatar-platform/1.2 (+media fetch)',
      },
    });
  }

  async #take(answer: Dispatcher.ResponseData, kind: FetchKind, maxBytes: number): Promise<OwnMedia> {
    if (answer.statusCode !== 200) throw new FetchRefusal(`Status ${answer.statusCode}`);
    const contentType = checkType(single(answer.headers['content-type']) || FALLBACK_TYPE, kind);
    if (Number(single(answer.headers['content-length'])) > maxBytes) throw new FetchRefusal('Announced too large');
    const encoding = single(answer.headers['content-encoding'])?.trim().toLowerCase() ?? '';
    return { bytes: await readBody(answer.body, encoding, maxBytes), contentType };
  }
}

/** The network failed, or the time was over. */
function isNoAnswer(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return isTimeout(error) || (typeof code === 'string' && /^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code));
}

/** Makes the one fetcher of what users name. It holds nothing open between fetches, so there is nothing to close. */
export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  const fetcher = new Fetcher(options);
  const guarded = (url: string, request: SafeFetchRequest): Promise<Fetched> => {
    const { calls } = options;
    if (!calls || !URL.canParse(url)) return fetcher.fetch(url, request);
    // By account, so that no account closes an address to others by naming what is slow there.
    const address = `${currentAccount() ?? ''} ${new URL(url).origin}`;
    const to = { service: 'fetch', address, isNoAnswer } as const;
    return calls.call(to, request.signal, (signal) => fetcher.fetch(url, { ...request, signal }));
  };
  return async (url, request) => {
    request.signal?.throwIfAborted();
    try {
      const own = await options.ownMedia?.(url);
      if (!own) return await guarded(url, request);
      if (own.bytes.length > request.maxBytes) throw new FetchRefusal(`More than ${request.maxBytes} bytes`);
      checkType(own.contentType, request.accept);
      return { ...own, finalUrl: url };
    } catch (cause) {
      request.signal?.throwIfAborted();
      if (cause instanceof PlatformError && cause.code === 'UNAVAILABLE') throw cause;
      const text = `${request.field} could not be fetched.`;
      throw refusedInput(request.field, text, cause);
    }
  };
}

/** The usual `ownMedia`: a valid link permits reading what it names, so private media need a fresh one. */
export function ownMedia(links: MediaLinks, store: MediaStore): (url: string) => Promise<OwnMedia | undefined> {
  return async (url) => {
    const own = links.parseOwnUrl(url);
    if (!own) return undefined;
    const bytes = own.granted ? await store.readBytes(own.key) : undefined;
    if (!bytes) throw new FetchRefusal('Our own address, but expired, forged or removed.');
    return { bytes, contentType: contentTypeOf(own.key) };
  };
}
