/**
 * Addresses of our own media: `/media/<key>?e=<expiry>&s=<signature>`, checked by recomputing an HMAC, so a poll can
 * sign a whole page of turns for what one S3 presign costs. A link is the right to read one key and nothing else; who
 * may be given one is the services' decision.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { checkKey, isKey } from './objects.ts';

/** Links signed within one such span are equal, so an unchanged poll has equal bytes. */
export const LINK_BUCKET_MS = 30 * MINUTE_MS;
/** A link lives at least this long from the fetch that gave it. */
const LINK_TTL_MS = HOUR_MS;

// 132 bits: too many to guess, and they keep the links short.
const SIGNATURE_CHARS = 22;
const MIN_SECRET_CHARS = 16;
/** Links of one kind kept for the current half hour; at some 300 bytes each, 6 MB. */
const MAX_REMEMBERED = 20_000;

// Parameters that others append to links they pass on (`fbclid=...`) are ignored.
const FORM = /^\/(media|stream)\/([A-Za-z0-9._/-]+)\?(?:e=([0-9a-z]{1,9})&)?s=([A-Za-z0-9_-]{22})(?:&.*)?$/s;

const rememberedLinks = () => new LRUCache<string, string>({ max: MAX_REMEMBERED });

/** What a valid link lets its bearer read. */
export interface MediaGrant {
  key: string;
  /** True when the link is to a medium that may still be being written (`/stream/`). */
  stream: boolean;
  /** Seconds until the link expires; undefined for a public link, which never does. */
  maxAgeS: number | undefined;
}

/** Signs and checks links to media. */
export interface MediaLinks {
  /** A link that lives `ttlMs` (default one hour) from the end of the current half hour. */
  sign(key: string, ttlMs?: number): string;
  /** The same for a medium that is still being written (`Turn.streamUrl`); serve it with `streamResponse`. */
  signStream(key: string, ttlMs?: number): string;
  /** A link that never expires, for what is public by its nature (`imageUrl` of the image endpoints). */
  signPublic(key: string): string;
  /** Reads path and query as a server gets them (`request.url`); undefined when forged, altered or expired. */
  verify(pathAndQuery: string): MediaGrant | undefined;
  /** The key that an absolute address names, when it is one of ours; `granted`: its link is valid and has not expired. */
  parseOwnUrl(url: string): { key: string; granted: boolean } | undefined;
}

/** Addresses the links begin with, and the keys that sign them. */
export interface MediaLinksOptions {
  /** Public address of the API, without a trailing slash; links start with it. */
  baseUrl: string;
  /** Public address of the pages, when another: its `/media/` addresses are ours too. */
  siteUrl?: string;
  /**
   * At least 16 characters each, the same in every process: the first signs, all verify. The array is another one when
   * they change. Removing one ends every link that it signed, the public ones too.
   */
  secrets: () => readonly { value: string }[];
  clock: Clock;
}

interface OwnRoot {
  origin: string;
  path: string;
}

function rootOf(url: string): OwnRoot {
  const { origin, pathname } = new URL(url);
  return { origin, path: pathname.replace(/\/+$/, '') };
}

/** The path and query below one of our roots, or undefined when the address is of another server. */
function localPart(url: string, roots: OwnRoot[]): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { origin, pathname, search, username, password } = new URL(url);
  if (username || password) return undefined;
  const root = roots.find((own) => own.origin === origin && pathname.startsWith(`${own.path}/`));
  return root && pathname.slice(root.path.length) + search;
}

function hmacKeysOf(secrets: readonly { value: string }[]): KeyObject[] {
  if (secrets.some(({ value }) => value.length < MIN_SECRET_CHARS)) {
    throw new Error('The secret of media links is too short.');
  }
  return secrets.map(({ value }) => createSecretKey(Buffer.from(value)));
}

/** The links of one process; reads rotated keys by itself. */
export function createMediaLinks({ baseUrl, siteUrl, secrets, clock }: MediaLinksOptions): MediaLinks {
  let hmacKeys = hmacKeysOf(secrets());
  let readFrom = secrets();
  const root = baseUrl.replace(/\/+$/, '');
  const roots = [rootOf(baseUrl), ...(siteUrl ? [rootOf(siteUrl)] : [])];

  // The expiry comes first and holds no newline, so no two pairs sign the same text. An empty one is "never".
  const signature = (expiry: string, key: string, hmacKey = hmacKeys[0]!): string =>
    createHmac('sha256', hmacKey).update(`${expiry}\n${key}`).digest('base64url').slice(0, SIGNATURE_CHARS);

  // A poll signs the links of its turns again and again within a half hour: remembering them costs 0.2 µs a link where
  // the HMAC costs 1.5, and a poll of 20 turns has up to 40 links. The usual ones have no name but their key: to put one
  // together takes as long as finding it.
  const remembered = { media: rememberedLinks(), stream: rememberedLinks(), others: rememberedLinks() };
  let rememberedBucket = 0;
  const forget = (): void => {
    for (const links of Object.values(remembered)) links.clear();
  };

  const lasting = rememberedLinks();

  /** After a rotation links are signed anew. */
  const follow = (): void => {
    if (secrets() === readFrom) return;
    readFrom = secrets();
    hmacKeys = hmacKeysOf(readFrom);
    forget();
    lasting.clear();
  };

  const expiring = (route: 'media' | 'stream', key: string, ttlMs: number): string => {
    follow();
    const bucket = Math.floor(clock.now() / LINK_BUCKET_MS);
    if (bucket !== rememberedBucket) {
      forget();
      rememberedBucket = bucket;
    }
    const isUsual = ttlMs === LINK_TTL_MS;
    const links = isUsual ? remembered[route] : remembered.others;
    const id = isUsual ? key : `${route}/${ttlMs}/${key}`;
    const known = links.get(id);
    if (known) return known;
    const expiry = Math.ceil(((bucket + 1) * LINK_BUCKET_MS + ttlMs) / SECOND_MS).toString(36);
    const link = `${root}/${route}/${checkKey(key)}?e=${expiry}&s=${signature(expiry, key)}`;
    links.set(id, link);
    return link;
  };

  const signPublic = (key: string): string => {
    follow();
    const known = lasting.get(key);
    if (known) return known;
    const link = `${root}/media/${checkKey(key)}?s=${signature('', key)}`;
    lasting.set(key, link);
    return link;
  };

  const verify = (pathAndQuery: string): MediaGrant | undefined => {
    const [, route, key, expiry = '', given] = FORM.exec(pathAndQuery) ?? [];
    if (!key || !given || !isKey(key)) return undefined;
    follow();
    const isRight = (hmacKey: KeyObject) =>
      timingSafeEqual(Buffer.from(given), Buffer.from(signature(expiry, key, hmacKey)));
    if (!hmacKeys.some(isRight)) return undefined;
    const maxAgeS = expiry === '' ? undefined : Number.parseInt(expiry, 36) - Math.floor(clock.now() / SECOND_MS);
    if (maxAgeS !== undefined && maxAgeS <= 0) return undefined;
    return { key, stream: route === 'stream', maxAgeS };
  };

  return {
    sign: (key, ttlMs = LINK_TTL_MS) => expiring('media', key, ttlMs),
    signStream: (key, ttlMs = LINK_TTL_MS) => expiring('stream', key, ttlMs),
    signPublic,
    verify,
    parseOwnUrl(url) {
      const local = localPart(url, roots);
      const key = local && /^\/(?:media|stream)\/([^?]+)/.exec(local)?.[1];
      if (!local || !key || !isKey(key)) return undefined;
      return { key, granted: verify(local) !== undefined };
    },
  };
}
