/** Files in one archive: tar, compressed with Zstandard, which `tar --zstd` reads too. Written and read as a stream. */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { PassThrough, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { createTarDecoder, createTarPacker, type TarHeader, type TarPackController } from 'modern-tar';

/** Fast, and as good as gzip; most of an archive is media, which are compressed already. */
const LEVEL = 3;
const CHUNK_BYTES = 1 << 18;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Writes entries into a tar archive one after another. */
export class ArchiveWriter {
  /** Files so far. */
  files = 0;
  /** Their bytes, not compressed. */
  bytes = 0;
  readonly #tar: TarPackController;

  constructor(tar: TarPackController) {
    this.#tar = tar;
  }

  async folder(name: string): Promise<void> {
    await this.#tar.add({ name: `${name}/`, size: 0, type: 'directory', mode: FOLDER_MODE }).close();
  }

  async text(name: string, content: string | Uint8Array): Promise<void> {
    const bytes = Buffer.from(content as Uint8Array);
    const writer = this.#begin({ name, size: bytes.length });
    await writer.write(bytes);
    await writer.close();
  }

  /**
   * As many bytes as the file has now: what is appended meanwhile is left out, and zeros stand for what is cut off, as
   * in a base backup of PostgreSQL. False when there is no such file.
   */
  async file(name: string, source: string): Promise<boolean> {
    const handle = await open(source).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (!handle) return false;
    try {
      const { size, mtime } = await handle.stat();
      const writer = this.#begin({ name, size, mtime });
      for await (const chunk of readExactly(handle, size)) await writer.write(chunk);
      await writer.close();
    } finally {
      await handle.close();
    }
    return true;
  }

  #begin(header: TarHeader): WritableStreamDefaultWriter<Uint8Array> {
    this.files += 1;
    this.bytes += header.size;
    return this.#tar.add({ mode: FILE_MODE, ...header }).getWriter();
  }
}

async function* readExactly(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    // A new one each time: the packer keeps what it was given.
    const chunk = Buffer.alloc(Math.min(left, CHUNK_BYTES));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length);
    left -= bytesRead || chunk.length;
    yield bytesRead ? chunk.subarray(0, bytesRead) : chunk;
  }
}

/** Makes the file `target` with what `fill` adds, whole or not at all. It must not be there. No other user may read it. */
export async function writeArchive(target: string, fill: (archive: ArchiveWriter) => Promise<void>): Promise<void> {
  const draft = `${target}.partial`;
  const { readable, controller } = createTarPacker();
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: LEVEL, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const output = createWriteStream(draft, { mode: FILE_MODE, flags: 'wx', flush: true });
  await once(output, 'open');
  try {
    const written = pipeline(Readable.fromWeb(readable), compress, output);
    const filled = fill(new ArchiveWriter(controller)).then(
      () => controller.finalize(),
      (error: unknown) => controller.error(error),
    );
    await Promise.all([written, filled]);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** One file of an archive. */
export interface ArchiveEntry {
  /** Path in the archive, with `/`. */
  name: string;
  isFolder: boolean;
  bytes(): Promise<Buffer>;
  /** Writes it to a file, replacing one that is there. */
  save(target: string, mode: number): Promise<void>;
}

/** Hands the entries of an archive on, in their order. Rejects for what is no archive, and for a damaged one. */
export async function readArchive(file: string, take: (entry: ArchiveEntry) => Promise<void>): Promise<void> {
  const { readable, writable } = createTarDecoder({ strict: true });
  const input = createReadStream(file);
  const unpacked = pipeline(input, createZstdDecompress(), Writable.fromWeb(writable));
  // Thrown by the entries as well, and awaited once they ended.
  unpacked.catch(() => {});
  try {
    for await (const { header, body } of readable) {
      const content = Readable.fromWeb(body as ReadableStream<Uint8Array>);
      await take({
        name: header.name.replace(/\/$/, ''),
        isFolder: header.type === 'directory',
        bytes: async () => Buffer.concat(await content.toArray()),
        save: (target, mode) => pipeline(content, createWriteStream(target, { mode })),
      });
      // The next entry comes when this one was read out, whether it was wanted or not.
      await pipeline(content, new PassThrough().resume()).catch(() => {});
    }
    await unpacked;
  } finally {
    input.destroy();
  }
}
