/** Bytes of others as mediabunny reads them, whole or from a file, and the part of a file by which its format is known. */
import { BufferSource, CustomSource, type Source } from 'mediabunny';
import type { MediaBytes, MediaFile } from '../../../ports/index.ts';
import { kindOf } from './containers.ts';
import { fourCharacters, type Refuse, viewOf } from './refusal.ts';

/** How much of a file is kept in memory, and read at once, where it is read piece by piece. */
const CACHE_BYTES = 16 * 1024 * 1024;
const WINDOW_BYTES = 1024 * 1024;
/** Boxes in which nothing is looked for: the media, and room that was left over. */
const NOT_READ = new Set(['mdat', 'free', 'skip']);
const HEADER_BYTES = 64 * 1024;
/** Of an MP4 without its media: more index than any video of the length that is taken has. */
const MOST_INDEX_BYTES = 32 * 1024 * 1024;

/** What mediabunny reads from. */
export function sourceOf(media: MediaBytes): Source {
  if (media instanceof Uint8Array) return new BufferSource(media);
  return new CustomSource({
    getSize: () => media.size,
    read: (start, end) => media.read(start, end - start),
    maxCacheSize: CACHE_BYTES,
    prefetchProfile: 'network',
  });
}

/** Size of the whole file in bytes. */
export const sizeOf = (media: MediaBytes): number => (media instanceof Uint8Array ? media.length : media.size);

/**
 * What is checked of a file before it is opened: all of it where it is in memory; of an MP4 every box but the media, which
 * stands there empty; of others the beginning.
 */
export async function headerOf(media: MediaBytes, refuse: Refuse): Promise<Uint8Array> {
  if (media instanceof Uint8Array) return media;
  const first = await media.read(0, HEADER_BYTES);
  return kindOf(first)?.name === 'mp4' ? indexOf(windowed(media), refuse) : first;
}

async function indexOf(file: MediaFile, refuse: Refuse): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (let at = 0; at + 8 <= file.size; ) {
    const head = await file.read(at, 16);
    const isMedia = NOT_READ.has(fourCharacters(head, 4));
    const size = boxBytes(head, file.size - at);
    // The checks of the boxes say what is wrong with one that has no length.
    const taken = isMedia ? 8 : Math.min(Math.max(8, size), file.size - at);
    bytes += taken;
    if (bytes > MOST_INDEX_BYTES) refuse('is an MP4 with too much in it that is no media.');
    parts.push(isMedia ? emptyBox() : await file.read(at, taken));
    if (size < 8) break;
    at += size;
  }
  return Buffer.concat(parts);
}

/** The length that a box names, in 32 or 64 bits; 0 is the rest of the file. */
function boxBytes(head: Uint8Array, rest: number): number {
  const view = viewOf(head);
  const short = view.getUint32(0);
  if (short === 1) return head.length < 16 ? rest : Number(view.getBigUint64(8));
  return short === 0 ? rest : short;
}

const emptyBox = (): Uint8Array => Buffer.from('\0\0\0\x08mdat', 'latin1');

/** Many small reads, each after the one before, cost one of a megabyte. */
function windowed({ size, read }: MediaFile): MediaFile {
  let start = 0;
  let window: Uint8Array = new Uint8Array();
  return {
    size,
    async read(from, length) {
      const wanted = Math.min(length, size - from);
      if (wanted > WINDOW_BYTES) return read(from, wanted);
      if (from < start || from + wanted > start + window.length) {
        window = await read(from, Math.min(WINDOW_BYTES, size - from));
        start = from;
      }
      return window.subarray(from - start, from - start + wanted);
    },
  };
}
