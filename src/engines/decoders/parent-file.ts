/** The file that a decoder works on, read by its parent: a decoder may open none itself, and need not hold all of it. */
import type { MediaBytes, MediaFile } from '../ports/index.ts';
import { MAX_READ_BYTES, type ReadRequest, type SentBytes } from './tasks.ts';

/** Asks the parent for pieces; each answer is handed to the question of its number. */
export class ParentFiles {
  readonly #ask: (request: ReadRequest) => void;
  readonly #asked = new Map<number, (bytes: Uint8Array) => void>();
  #number = 0;

  constructor(ask: (request: ReadRequest) => void) {
    this.#ask = ask;
  }

  /** What a task was sent, to be read. */
  open(sent: SentBytes): MediaBytes {
    if (sent instanceof Uint8Array) return sent;
    const { fileBytes: size } = sent;
    return { size, read: (from, length) => this.#read(from, Math.min(length, size - from)) };
  }

  /** The whole of it in memory, for what reads no files. */
  async whole(sent: SentBytes): Promise<Uint8Array> {
    const media = this.open(sent);
    return media instanceof Uint8Array ? media : readWhole(media);
  }

  answer(number: number, bytes: Uint8Array): void {
    this.#asked.get(number)?.(bytes);
    this.#asked.delete(number);
  }

  async #read(from: number, length: number): Promise<Uint8Array> {
    if (length <= MAX_READ_BYTES) return this.#piece(from, length);
    return readWhole({ size: length, read: (at, more) => this.#piece(from + at, more) });
  }

  #piece(from: number, length: number): Promise<Uint8Array> {
    if (length <= 0) return Promise.resolve(new Uint8Array());
    return new Promise((resolve) => {
      this.#number += 1;
      this.#asked.set(this.#number, resolve);
      this.#ask({ kind: 'read', number: this.#number, from, length });
    });
  }
}

async function readWhole({ size, read }: MediaFile): Promise<Uint8Array> {
  const all = Buffer.allocUnsafeSlow(size);
  for (let at = 0; at < size; ) {
    const piece = await read(at, Math.min(MAX_READ_BYTES, size - at));
    if (piece.length === 0) throw new Error('The file is shorter than it was.');
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
