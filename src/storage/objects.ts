/**
 * What a place that keeps media must be able to do, and the rules of keys and content types that hold for every such
 * place. Only media types that a browser never runs as a document are in the table: no HTML, no SVG, so serving what
 * users brought from our own origin is safe. Nothing here reads a disk or a network.
 */
import path from 'node:path';
import type { Readable } from 'node:stream';

/** What is known of stored bytes without reading them. */
export interface MediaStat {
  /** Bytes of the whole file. */
  size: number;
  contentType: string;
  /** Strong HTTP entity tag, quotes included. */
  etag: string;
}

/** First and last byte wanted, both inclusive, as in an HTTP Content-Range. */
export interface ByteRange {
  start: number;
  end: number;
}

/** An opened file. `body` must be read to its end or destroyed, else it holds a descriptor or a connection. */
export interface OpenMedia extends MediaStat {
  body: Readable;
}

/** Bytes of a file: whole, or piece by piece where it may be larger than memory. */
export type MediaContent = Uint8Array | AsyncIterable<Uint8Array>;

/** The primitive an adapter implements. Keys come checked (`checkKey`); folders end in `/`. */
export interface ObjectStore {
  /**
   * Writes all or nothing: a reader never sees half a file. `durable`: flushed to disk first. The file gets its name only once
   * `allowed` has resolved.
   */
  write(
    key: string,
    content: MediaContent,
    contentType: string,
    durable: boolean,
    allowed?: Promise<unknown>,
  ): Promise<void>;
  stat(key: string): Promise<MediaStat | undefined>;
  open(key: string, range?: ByteRange): Promise<OpenMedia | undefined>;
  bytes(key: string): Promise<Uint8Array | undefined>;
  /** Names of the files directly inside a folder, in no particular order; empty when there is no such folder. */
  list(folder: string): Promise<string[]>;
  /** Removes one file; silent when it is not there. */
  remove(key: string): Promise<void>;
  /** Removes a folder and all below it; silent when it is not there. */
  removeFolder(folder: string): Promise<void>;
  /** What keeps it from taking files: `storage`, or `disk` where that is full; empty when nothing does. May reject. */
  missing(signal: AbortSignal): Promise<readonly ('storage' | 'disk')[]>;
}

/** Content type of a file whose ending says nothing. */
export const FALLBACK_TYPE = 'application/octet-stream';

/** The content type is kept in the key's ending, so that every adapter agrees without a second file. */
const TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  mp4: 'video/mp4',
  webm: 'video/webm',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  vtt: 'text/vtt',
  json: 'application/json',
  zip: 'application/zip',
  txt: 'text/plain; charset=utf-8',
  bin: FALLBACK_TYPE,
};

/** The ending of a content type, without the dot (`video/mp4` -> `mp4`); undefined when we keep no such type. */
export function extensionOf(contentType: string): string | undefined {
  const bare = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  return Object.keys(TYPES).find((extension) => TYPES[extension]!.split(';', 1)[0] === bare);
}

/** The content type of a key, by its ending; `application/octet-stream` when the ending is not in the table. */
export function contentTypeOf(key: string): string {
  return TYPES[path.posix.extname(key).slice(1)] ?? FALLBACK_TYPE;
}

const MAX_KEY_CHARS = 512;
// A segment never starts with a dot: that alone rules out `..`, hidden files and our own temporary folder.
const SEGMENT = '[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}';
const KEY = new RegExp(`^${SEGMENT}(?:/${SEGMENT})*$`);
const FRAGMENTS_ENDING = '.fragments';

/** True when a text can be a key: relative, `/`-separated, plain characters, no way up and out. */
export function isKey(text: string): boolean {
  return text.length <= MAX_KEY_CHARS && KEY.test(text) && !text.includes(`${FRAGMENTS_ENDING}/`);
}

/** Returns the key. Throws a plain Error (a fault of ours, never of a caller of the API) when it is none. */
export function checkKey(key: string): string {
  if (!isKey(key)) throw new Error(`Not a media key: ${JSON.stringify(key.slice(0, 80))}`);
  return key;
}

/** Returns the folder. Throws when it is not a key followed by a slash. */
export function checkFolder(folder: string): string {
  if (!folder.endsWith('/')) throw new Error('A media prefix ends in a slash.');
  checkKey(folder.slice(0, -1));
  return folder;
}

/** Where the fragments of a key live while it is being written. No key of a file can lie in there. */
export function fragmentsFolder(key: string): string {
  return `${checkKey(key)}${FRAGMENTS_ENDING}/`;
}
