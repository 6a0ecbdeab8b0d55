/**
 * Media in a folder of this machine. Every write goes to a temporary file that is renamed into place, so a reader, or
 * a crash, never meets half a file. It knows nothing of links, fragments or HTTP.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import path from 'node:path';
import { type ByteRange, contentTypeOf, type MediaContent, type MediaStat, type ObjectStore } from './objects.ts';

const TEMPORARY = '.tmp';
const STALE_TEMPORARY_MS = 3_600_000;
/** For the user that runs the platform, and its group: no other user of the machine reads private media. */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;
/** With less, the next video may not fit, nor what a database beside it writes. */
const LEAST_FREE_BYTES = 128 * 1024 * 1024;

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/** Undefined instead of a "no such file"; every other failure passes. */
async function orAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** The inode changes with every rename, so two writes of equal length within one clock tick still differ. */
async function describe(handle: FileHandle, key: string): Promise<MediaStat | undefined> {
  const facts = await handle.stat();
  if (!facts.isFile()) return undefined;
  const parts = [facts.size, Math.trunc(facts.mtimeMs * 1000), facts.ino].map((part) => part.toString(36));
  return { size: facts.size, contentType: contentTypeOf(key), etag: `"${parts.join('-')}"` };
}

/** Files that a crash left behind; a living writer never needs an hour. */
async function removeStaleTemporaries(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const file = path.join(folder, name);
    const facts = await orAbsent(stat(file));
    if (facts && Date.now() - facts.mtimeMs > STALE_TEMPORARY_MS) await rm(file, { force: true });
  }
}

class LocalObjects implements ObjectStore {
  readonly #root: string;
  #temporary: Promise<string> | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  async write(
    key: string,
    content: MediaContent,
    _contentType: string,
    durable: boolean,
    allowed?: Promise<unknown>,
  ): Promise<void> {
    const temporary = path.join(await this.#temporaryFolder(), randomUUID());
    const target = path.join(this.#root, key);
    try {
      const handle = await open(temporary, 'wx', FILE_MODE);
      try {
        await handle.writeFile(content);
        if (durable) await handle.datasync();
      } finally {
        await handle.close();
      }
      await allowed;
      // The folder nearly always exists: asking for it only when the rename fails saves a system call per write, and
      // also mends the case that someone removed the folder meanwhile.
      await rename(temporary, target).catch(async (error) => {
        if (!isAbsent(error)) throw error;
        await mkdir(path.dirname(target), { recursive: true, mode: FOLDER_MODE });
        await rename(temporary, target);
      });
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  async stat(key: string): Promise<MediaStat | undefined> {
    const handle = await this.#openFile(key);
    if (!handle) return undefined;
    try {
      return await describe(handle, key);
    } finally {
      await handle.close();
    }
  }

  async open(key: string, range?: ByteRange) {
    const handle = await this.#openFile(key);
    if (!handle) return undefined;
    const facts = await describe(handle, key);
    if (!facts) {
      await handle.close();
      return undefined;
    }
    return { ...facts, body: handle.createReadStream({ highWaterMark: 256 * 1024, ...range }) };
  }

  bytes(key: string): Promise<Uint8Array | undefined> {
    return orAbsent(readFile(path.join(this.#root, key)));
  }

  async list(folder: string): Promise<string[]> {
    const entries = await orAbsent(readdir(path.join(this.#root, folder), { withFileTypes: true }));
    return (entries ?? []).filter((entry) => entry.isFile()).map((entry) => entry.name);
  }

  async remove(key: string): Promise<void> {
    await orAbsent(rm(path.join(this.#root, key), { force: true }));
  }

  async removeFolder(folder: string): Promise<void> {
    await orAbsent(rm(path.join(this.#root, folder), { recursive: true, force: true }));
  }

  async missing(): Promise<readonly ('storage' | 'disk')[]> {
    await access(await this.#temporaryFolder(), constants.W_OK);
    const { bavail, bsize } = await statfs(this.#root);
    return bavail * bsize < LEAST_FREE_BYTES ? ['disk'] : [];
  }

  // A symbolic link in our folder is not ours: it is not followed.
  #openFile(key: string): Promise<FileHandle | undefined> {
    return orAbsent(open(path.join(this.#root, key), constants.O_RDONLY | constants.O_NOFOLLOW));
  }

  #temporaryFolder(): Promise<string> {
    this.#temporary ??= (async () => {
      const folder = path.join(this.#root, TEMPORARY);
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
      // Closes a folder that an earlier version made, and with it everything inside.
      await chmod(this.#root, FOLDER_MODE);
      await removeStaleTemporaries(folder);
      return folder;
    })().catch((error) => {
      this.#temporary = undefined;
      throw error;
    });
    return this.#temporary;
  }
}

/** Keeps media below `root` (an absolute path), which is made at the first write. */
export function localObjects(root: string): ObjectStore {
  return new LocalObjects(root);
}
