/**
 * `fetch` for services whose address a user chose (external memory systems): checked as in `safe-fetch.ts`, for calls
 * that carry a body. It follows no redirect, keeps no connection and unpacks nothing, so an answer is never longer than
 * what was sent.
 */
import { Agent, request } from 'undici';
import {
  checkUrl,
  FetchRefusal,
  type Resolver,
  readAllowHosts,
  safeConnector,
  systemResolver,
} from './safe-connect.ts';

const CONNECT_MS = 5_000;
/** Statuses that `Response` refuses a body for. */
const BODILESS = new Set([204, 205, 304]);

/** `fetch` for addresses that an owner named: public networks only, no redirects, bounded answers. */
export type GuardedFetch = (url: string, init: RequestInit) => Promise<Response>;

/** Makes the client. It throws FetchRefusal, or what the network threw; `init.body` must be text. */
export function createGuardedFetch(options: {
  /** FETCH_ALLOW_HOSTS, exempt from the private-address and port rules. */
  allowHosts: readonly string[];
  /** Longest answer. */
  maxBytes: number;
  resolver?: Resolver;
}): GuardedFetch {
  const allowHosts = readAllowHosts(options.allowHosts);
  const connect = safeConnector(allowHosts, options.resolver ?? systemResolver, CONNECT_MS);
  // How long an answer may take is its caller's to say, by `signal`: webhooks have longer than memory systems.
  const agent = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 });
  return async (text, init) => {
    const answer = await request(checkUrl(text, allowHosts), {
      dispatcher: agent,
      method: (init.method ?? 'GET') as 'GET',
      reset: true,
      signal: init.signal ?? null,
      headers: { ...(init.headers as Record<string, string>), 'accept-encoding': 'identity' },
      body: (init.body ?? null) as string | null,
    });
    const body = await collected(answer.body, options.maxBytes);
    const type = answer.headers['content-type'];
    return new Response(BODILESS.has(answer.statusCode) ? null : body, {
      status: answer.statusCode,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    });
  };
}

async function collected(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw new FetchRefusal(`More than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, size);
}
