/**
 * Our own images, smaller: `?w=` behind a media link, for lists of faces. The decoder processes make them, in a few sizes
 * only, and they are kept in memory: a deleted image leaves none behind, and no disk fills up.
 */
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Decoders, ReencodedImage } from '../engines/decoders/index.ts';
import { hasTag, type MediaRequest, type MediaResponse, mediaResponse } from '../storage/serve.ts';
import type { MediaStore } from '../storage/store.ts';

/** Longest sides in pixels. */
const SIDES = new Set(['96', '192', '384', '640']);
const IS_IMAGE = /\.(jpg|png|webp)$/;
/** All that are kept, in this process. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Images that are held for decoding; who asks for a further one gets it whole. */
const MAX_RUNNING = 32;
/** They take turns with the accounts for a decoder, and never have all. */
const OWNER = 'thumbnails';

export class Thumbnails {
  readonly #store: MediaStore;
  readonly #decoders: Pick<Decoders, 'image'>;
  readonly #kept = new LRUCache<string, ReencodedImage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes.length,
  });
  readonly #running = new Map<string, Promise<ReencodedImage | undefined>>();

  constructor(store: MediaStore, decoders: Pick<Decoders, 'image'>) {
    this.#store = store;
    this.#decoders = decoders;
  }

  /**
   * The answer for an image in this size. Another size, what is no image, and what cannot be read in time is answered as
   * it is.
   */
  async respond(request: MediaRequest, side: string): Promise<MediaResponse> {
    const whole = () => mediaResponse(this.#store, request);
    const isAsked = request.method === 'GET' || request.method === 'HEAD';
    if (!isAsked || !SIDES.has(side) || !IS_IMAGE.test(request.key)) return whole();
    const { status, headers } = await mediaResponse(this.#store, { ...request, method: 'HEAD', headers: {} });
    if (status !== 200) return whole();
    // The tag is the whole image's: another image has other thumbnails.
    const etag = `${headers.etag?.slice(0, -1)}-${side}"`;
    const name = `${request.key} ${etag}`;
    const { 'accept-ranges': _ranges, 'content-disposition': _name, ...common } = headers;
    if (hasTag(request, etag)) return { status: 304, headers: { ...common, etag } };
    const thumbnail = this.#kept.get(name) ?? (await this.#make(name, request.key, Number(side)));
    if (!thumbnail) {
      // No cache may keep it in place of the small one.
      const answer = await whole();
      return { ...answer, headers: { ...answer.headers, 'cache-control': 'no-store' } };
    }
    const { bytes, contentType } = thumbnail;
    return {
      status: 200,
      headers: { ...common, etag, 'content-type': contentType, 'content-length': String(bytes.length) },
      ...(request.method === 'GET' && { body: Readable.from([bytes]) }),
    };
  }

  /** One decoding for all who ask at once; undefined where it fails or too many are made. */
  #make(name: string, key: string, maxSide: number): Promise<ReencodedImage | undefined> {
    const running = this.#running.get(name);
    if (running) return running;
    if (this.#running.size >= MAX_RUNNING) return Promise.resolve(undefined);
    const made = this.#decode(key, maxSide)
      .then((thumbnail) => {
        if (thumbnail) this.#kept.set(name, thumbnail);
        return thumbnail;
      })
      .catch(() => undefined)
      .finally(() => this.#running.delete(name));
    this.#running.set(name, made);
    return made;
  }

  async #decode(key: string, maxSide: number): Promise<ReencodedImage | undefined> {
    const bytes = await this.#store.readBytes(key);
    return bytes && this.#decoders.image(bytes, { field: 'w', owner: OWNER, maxSide });
  }
}
