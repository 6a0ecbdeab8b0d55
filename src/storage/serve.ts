/**
 * Media over HTTP without a web framework: what status, headers and bytes a GET or HEAD of a key gets. Ranges,
 * conditions and caching are decided here once; its caller has checked the link (`links.ts`) and writes the
 * answer out.
 */
import path from 'node:path';
import { Readable } from 'node:stream';
import { FragmentsError } from './fragments.ts';
import type { MediaGrant } from './links.ts';
import { type ByteRange, contentTypeOf, type MediaStat } from './objects.ts';
import type { MediaStore } from './store.ts';

/** A request for a file, its link already checked. */
export interface MediaRequest extends Pick<MediaGrant, 'key' | 'maxAgeS'> {
  method: string;
  /** Request headers, names in lower case, as node:http gives them. */
  headers: Record<string, string | string[] | undefined>;
}

/** The answer: status, headers, and the bytes as a stream. */
export interface MediaResponse {
  status: number;
  headers: Record<string, string>;
  /** Destroy it when the client leaves early. */
  body?: Readable;
}

const COMMON = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Accept-Ranges, Content-Length, Content-Range, ETag',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};
const YEAR_S = 31_536_000;

const NOT_FOUND: MediaResponse = { status: 404, headers: { ...COMMON, 'cache-control': 'no-store' } };

function cacheControl(maxAgeS: number | undefined): string {
  return maxAgeS === undefined ? `public, max-age=${YEAR_S}, immutable` : `private, max-age=${maxAgeS}`;
}

function header(request: MediaRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** True when the caller has it. If-None-Match compares weakly (RFC 9110, 13.1.2): `W/` makes no difference. */
export function hasTag(request: MediaRequest, etag: string): boolean {
  const condition = header(request, 'if-none-match');
  if (!condition) return false;
  if (condition.trim() === '*') return true;
  return condition.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/**
 * The one range asked for. Undefined: send everything (no range, several, a malformed one, or If-Range of another
 * version; RFC 9110, 14.2 allows it); 'unsatisfiable': 416.
 */
function wantedRange(request: MediaRequest, { size, etag }: MediaStat): ByteRange | 'unsatisfiable' | undefined {
  const condition = header(request, 'if-range');
  if (condition !== undefined && condition.trim() !== etag) return undefined;
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header(request, 'range')?.trim() ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const end = last === '' || first === '' ? size - 1 : Math.min(Number(last), size - 1);
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  if (first !== '' && last !== '' && Number(last) < start) return undefined;
  return start > end || size === 0 ? 'unsatisfiable' : { start, end };
}

async function get(store: MediaStore, request: MediaRequest, facts: MediaStat): Promise<MediaResponse> {
  const headers: Record<string, string> = {
    ...COMMON,
    'accept-ranges': 'bytes',
    etag: facts.etag,
    'cache-control': cacheControl(request.maxAgeS),
  };
  if (hasTag(request, facts.etag)) return { status: 304, headers };
  const range = request.method === 'HEAD' ? undefined : wantedRange(request, facts);
  if (range === 'unsatisfiable') {
    const refusal = { ...COMMON, 'content-range': `bytes */${facts.size}`, 'cache-control': 'no-store' };
    return { status: 416, headers: refusal };
  }
  headers['content-type'] = facts.contentType;
  // Keys hold no quotes or control characters, so the name needs no escaping.
  headers['content-disposition'] = `inline; filename="${path.posix.basename(request.key)}"`;
  headers['content-length'] = String(range ? range.end - range.start + 1 : facts.size);
  if (request.method === 'HEAD') return { status: 200, headers };
  const opened = await store.read(request.key, range);
  // Replaced or removed since the look: the announced length would be wrong, and the client may simply ask again.
  if (opened?.etag !== facts.etag) {
    opened?.body.destroy();
    return NOT_FOUND;
  }
  if (range) headers['content-range'] = `bytes ${range.start}-${range.end}/${facts.size}`;
  return { status: range ? 206 : 200, headers, body: opened.body };
}

/**
 * The answer to a GET or HEAD of a stored file: 200, 206, 304, 404 or 416. The body of a refusal is empty. `maxAgeS`
 * undefined means a public link, cached for good.
 */
export async function mediaResponse(store: MediaStore, request: MediaRequest): Promise<MediaResponse> {
  const facts = await store.stat(request.key);
  return facts ? get(store, request, facts) : NOT_FOUND;
}

/** Pieces as they come, as a stream that stops following when it is destroyed. */
async function follow(store: MediaStore, key: string): Promise<Readable | undefined> {
  const stop = new AbortController();
  const pieces = store.readFragments(key, stop.signal)[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array>;
  try {
    first = await pieces.next();
  } catch (error) {
    if (error instanceof FragmentsError) return undefined;
    throw error;
  }
  if (first.done) return undefined;
  let next: Promise<IteratorResult<Uint8Array>> = Promise.resolve(first);
  return new Readable({
    read() {
      next.then(
        ({ done, value }) => {
          if (done) return this.push(null);
          next = pieces.next();
          // The failure is seen at the next read; without this it would count as unhandled until then.
          next.catch(() => {});
          return this.push(value);
        },
        (error) => this.destroy(error),
      );
    },
    destroy(error, done) {
      stop.abort();
      // Ends the generator, so that its reader no longer counts; it settles at once because of the abort.
      Promise.resolve(pieces.return?.()).then(
        () => done(error),
        () => done(error),
      );
    },
  });
}

/**
 * The answer to a request for a medium that may still be being written (`Turn.streamUrl`): the finished file when it
 * is there, so that one address serves early and late viewers; else its fragments as they come, without length or
 * ranges; 404 when neither shows up within the store's idle timeout.
 */
export async function streamResponse(store: MediaStore, request: MediaRequest): Promise<MediaResponse> {
  if (request.method !== 'GET' || (await store.exists(request.key))) return mediaResponse(store, request);
  const body = await follow(store, request.key);
  // Finished while we waited for a first fragment.
  if (!body) return mediaResponse(store, request);
  const type = contentTypeOf(request.key);
  return { status: 200, headers: { ...COMMON, 'content-type': type, 'cache-control': 'no-store' }, body };
}
