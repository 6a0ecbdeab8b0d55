/**
 * A file on its way in, on this machine's disk: written as it comes, then read piece by piece, so that its size is never
 * ours in memory. It has no name, so nothing is left of it when it is closed, nor when its process dies.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { PlatformError } from '../kernel/errors.ts';

/** How much of the beginning is kept, by which the file's kind is known. */
const HEAD_BYTES = 16;
/** No other user of the machine reads it in the moment in which it has a name. */
const [FILE_MODE, FOLDER_MODE] = [0o600, 0o700];

/** A file without a name, until it is closed. */
export class SpooledFile {
  readonly #handle: FileHandle;
  #size = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /**
   * Writes down what comes; whatever is thrown meanwhile, nothing is left. UNAVAILABLE when the disk is full.
   * @param mostBytes given the first bytes, how many there may be
   * @param refuse called with that limit when there are more
   */
  static async take(
    folder: string,
    pieces: AsyncIterable<Uint8Array>,
    { mostBytes, refuse }: { mostBytes(head: Uint8Array): number; refuse(most: number): never },
  ): Promise<SpooledFile> {
    let file: SpooledFile | undefined;
    let head = Buffer.alloc(0);
    let most = Number.POSITIVE_INFINITY;
    try {
      file = new SpooledFile(await openNameless(folder));
      for await (const piece of pieces) {
        if (head.length < HEAD_BYTES) {
          head = Buffer.concat([head, piece.subarray(0, HEAD_BYTES - head.length)]);
          if (head.length === HEAD_BYTES) most = mostBytes(head);
        }
        if (file.#size + piece.length > most) refuse(most);
        await file.#append(piece);
      }
      return file;
    } catch (error) {
      await file?.close();
      if ((error as NodeJS.ErrnoException).code === 'ENOSPC')
        throw new PlatformError('UNAVAILABLE', undefined, { cause: error });
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  /** Bytes from `from` on; fewer at the end. Rejects once it is closed. */
  async read(from: number, length: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(Math.max(0, Math.min(length, this.#size - from)));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await this.#handle.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }

  async #append(piece: Uint8Array): Promise<void> {
    for (let from = 0; from < piece.length; ) {
      const { bytesWritten } = await this.#handle.write(piece, from, piece.length - from, this.#size);
      from += bytesWritten;
      this.#size += bytesWritten;
    }
  }
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const name = path.join(folder, randomUUID());
  const handle = await open(name, 'wx+', FILE_MODE);
  await rm(name);
  return handle;
}
