/**
 * Fetches one file of a model: resumes where an earlier try stopped, verifies the SHA-256 of the whole, and puts it in its
 * place by a rename, so that a file is there whole or not at all.
 */
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Connections that may break one after another without a byte in between. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 500;
/** A server that sends nothing for so long has gone. */
const LONGEST_SILENCE_MS = 60_000;
/** Room that is left for the system. */
const SPARE_BYTES = 64 * 1_048_576;

/** What went wrong, as one sentence for the operator. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
}

/** A file and what it must be. */
export interface Wanted {
  url: string;
  /** Where it belongs; what is there so far lies beside it, with `.part` behind its name. */
  file: string;
  bytes: number;
  sha256: string;
}

/** How it is fetched; each has a default. */
export interface DownloadOptions {
  /** Takes how many bytes of the file are there. */
  progress?: (bytes: number) => void;
  /** Before the second try; each further one waits twice as long. */
  firstPauseMs?: number;
  silenceMs?: number;
}

/** Another try may help: the connection broke, or the server is away. */
class Interrupted extends Error {}

/** Resolves when the file is there and right. Rejects with DownloadError; what came stays for the next try. */
export async function download(wanted: Wanted, options: DownloadOptions = {}): Promise<void> {
  const part = `${wanted.file}.part`;
  await mkdir(path.dirname(part), { recursive: true });
  try {
    const before = (await stat(part).catch(() => undefined))?.size ?? 0;
    let hash = await fetchAll(wanted, part, options);
    if (hash !== wanted.sha256 && before > 0) {
      // What lay there from an earlier try may be what is wrong: once more from the beginning.
      await rm(part);
      hash = await fetchAll(wanted, part, options);
    }
    if (hash !== wanted.sha256) {
      await rm(part);
      throw new DownloadError(
        `${wanted.url} is not the file that is known: its SHA-256 is ${hash}, not ${wanted.sha256}. Nothing of it was kept.`,
      );
    }
    await rename(part, wanted.file);
  } catch (error) {
    throw sentenceOf(error, wanted.file);
  }
}

/** Throws DownloadError when the files cannot all be written. @param bytes that are still to come */
export async function checkRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + SPARE_BYTES) return;
  throw new DownloadError(
    `The disk of ${folder} is full: ${gigabytes(bavail * bsize)} are free, ${gigabytes(bytes)} are needed.`,
  );
}

/** Bytes as they are shown: `1.12 GB`, `3.5 MB`. */
export const gigabytes = (bytes: number): string =>
  bytes >= 1e8 ? `${(bytes / 1e9).toFixed(2)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Errors of the file system in words. */
export function sentenceOf(error: unknown, file: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new DownloadError(
      `The disk is full: ${file} could not be written. Run npm run models again when there is room.`,
    );
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new DownloadError(
      `${file} cannot be written: ${code === 'EROFS' ? 'the disk is read-only' : 'no permission'}.`,
    );
  return error;
}

/** @returns the SHA-256 of the whole. */
async function fetchAll(wanted: Wanted, part: string, options: DownloadOptions): Promise<string> {
  const { progress = () => undefined, firstPauseMs = FIRST_PAUSE_MS } = options;
  const handle = await open(part, 'a+');
  try {
    const state = { hash: createHash('sha256'), bytes: 0 };
    await readSoFar(handle, part, state, wanted.bytes);
    progress(state.bytes);
    let broken = 0;
    while (state.bytes < wanted.bytes) {
      const before = state.bytes;
      try {
        await fetchOn(wanted, handle, state, options);
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error;
        broken = state.bytes > before ? 1 : broken + 1;
        if (broken >= ATTEMPTS)
          throw new DownloadError(
            `${wanted.url} could not be fetched: ${error.message} Run npm run models again: it goes on at ${gigabytes(state.bytes)}.`,
          );
        await wait(firstPauseMs * 2 ** (broken - 1));
      }
    }
    await handle.sync();
    return state.hash.digest('hex');
  } finally {
    await handle.close();
  }
}

interface State {
  hash: Hash;
  bytes: number;
}

/** What an earlier try brought; more than there should be is none of it. */
async function readSoFar(handle: FileHandle, part: string, state: State, bytes: number): Promise<void> {
  const { size } = await handle.stat();
  if (size > bytes) await handle.truncate(0);
  if (size > bytes || size === 0) return;
  for await (const piece of createReadStream(part)) {
    state.hash.update(piece);
    state.bytes += piece.length;
  }
}

async function fetchOn(wanted: Wanted, handle: FileHandle, state: State, options: DownloadOptions): Promise<void> {
  const silence = new AbortController();
  const silent = () => silence.abort(new Interrupted('The server fell silent.'));
  const { silenceMs = LONGEST_SILENCE_MS, progress = () => undefined } = options;
  let timer = setTimeout(silent, silenceMs);
  try {
    const range: Record<string, string> = state.bytes > 0 ? { range: `bytes=${state.bytes}-` } : {};
    const response = await fetch(wanted.url, {
      headers: { ...range, 'accept-encoding': 'identity' },
      signal: silence.signal,
    });
    await startAt(response, handle, state, wanted);
    for await (const piece of response.body ?? []) {
      clearTimeout(timer);
      timer = setTimeout(silent, silenceMs);
      if (state.bytes + piece.length > wanted.bytes)
        throw new DownloadError(`${wanted.url} is longer than the ${wanted.bytes} bytes that are known.`);
      await handle.appendFile(piece);
      state.hash.update(piece);
      state.bytes += piece.length;
      progress(state.bytes);
    }
    if (state.bytes < wanted.bytes) throw new Interrupted('The connection broke.');
  } catch (error) {
    throw isOfNetwork(error) ? new Interrupted(`The connection broke (${reasonOf(error)}).`) : error;
  } finally {
    clearTimeout(timer);
    silence.abort();
  }
}

/** A server that knows no ranges begins anew. */
async function startAt(response: Response, handle: FileHandle, state: State, { url }: Wanted): Promise<void> {
  const { status } = response;
  if (status === 206) return;
  await (status === 200 ? undefined : response.body?.cancel());
  if (status === 408 || status === 429 || status >= 500) throw new Interrupted(`The server answered ${status}.`);
  if (status !== 200) throw new DownloadError(`${url} could not be fetched: the server answered ${status}.`);
  if (state.bytes === 0) return;
  await handle.truncate(0);
  state.hash = createHash('sha256');
  state.bytes = 0;
}

/** undici's errors: a TypeError with a cause before the answer, one named "terminated" within it. */
const isOfNetwork = (error: unknown): boolean => error instanceof TypeError;

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: why } = (cause ?? {}) as NodeJS.ErrnoException;
  return code ?? why ?? message;
}
