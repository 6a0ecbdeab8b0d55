/**
 * What may come back from a fetch of something a user named: which types, and how much of it, before and after
 * decompression. It never asks for anything itself (`safe-fetch.ts`).
 */
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FALLBACK_TYPE } from './objects.ts';
import { FetchRefusal } from './safe-connect.ts';

/** What a fetched address shall hold. */
export type FetchKind = 'image' | 'page' | 'audio' | 'video';

/** What each kind asks for and takes. Servers often name no type or the general one: the bytes are judged later. */
const KINDS: Record<FetchKind, { accept: string; takes: RegExp }> = {
  image: { accept: 'image/webp,image/png,image/jpeg;q=0.9,*/*;q=0.1', takes: /^image\// },
  page: {
    accept: 'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.1',
    takes: /^(?:text\/(?:html|plain|markdown|x-markdown)|application\/xhtml\+xml)$/,
  },
  audio: { accept: 'audio/*,*/*;q=0.1', takes: /^(?:audio\/|video\/mp4$|application\/ogg$)/ },
  video: { accept: 'video/*,*/*;q=0.1', takes: /^video\// },
};

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The `Accept` header of a kind. */
export function acceptOf(kind: FetchKind): string {
  return KINDS[kind].accept;
}

/** Returns the content type. Throws FetchRefusal when it is not of the kind asked for. */
export function checkType(contentType: string, kind: FetchKind): string {
  const bare = contentType.replace(/;.*$/s, '').trim().toLowerCase();
  if (bare !== FALLBACK_TYPE && !KINDS[kind].takes.test(bare)) throw new FetchRefusal(`Type ${bare}`);
  return contentType;
}

async function collect(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes) throw new FetchRefusal(`More than ${maxBytes} bytes`);
    parts.push(chunk);
  }
  return Buffer.concat(parts, size);
}

/** The decoded body. What is sent and what it unpacks to are both capped: no bomb and no endless padding gets by. */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Uint8Array> {
  if (encoding === '' || encoding === 'identity') return collect(body, maxBytes);
  const decoder = DECODERS[encoding]?.();
  if (!decoder) throw new FetchRefusal(`Encoding ${encoding}`);
  let sent = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      sent += chunk.length;
      if (sent > maxBytes) throw new FetchRefusal(`More than ${maxBytes} bytes sent`);
      yield chunk;
    }
  };
  let decoded: Uint8Array = new Uint8Array();
  await pipeline(body, counted, decoder, async (chunks: AsyncIterable<Uint8Array>) => {
    decoded = await collect(chunks, maxBytes);
  });
  return decoded;
}
