/**
 * Where finished media live, and media that are still being written. One port over a folder of this machine or an
 * S3-compatible bucket; a key is a logical path such as `conversations/<id>/turns/<id>.mp4` and its ending is its
 * content type. Who may read a key is not decided here (`links.ts`, services).
 */
import path from 'node:path';
import { observeStore } from '../kernel/work-metrics.ts';
import { Fragments, type FragmentTiming } from './fragments.ts';
import { localObjects } from './local.ts';
import {
  type ByteRange,
  checkFolder,
  checkKey,
  contentTypeOf,
  type MediaContent,
  type MediaStat,
  type ObjectStore,
  type OpenMedia,
} from './objects.ts';
import { s3Objects } from './s3.ts';

/** Stores media by key: local disk or a bucket. */
export interface MediaStore {
  /**
   * Stores a whole file, all or nothing, replacing an older one; the bytes are on disk before they get their name. What
   * comes piece by piece is never held whole; where it fails, nothing is stored and its error passes. Throws when the key's ending does not stand for `contentType` (`extensionOf` gives the right one).
   * @param options with `allowed` the bytes may be written at once, and get their name when it has resolved; where it rejects
   * nothing is stored and its error passes
   */
  put(
    key: string,
    content: MediaContent,
    options: { contentType: string; allowed?: Promise<unknown> | undefined },
  ): Promise<void>;
  /** Size, type and entity tag, without opening; undefined when there is no such file. */
  stat(key: string): Promise<MediaStat | undefined>;
  exists(key: string): Promise<boolean>;
  /** Opens a file, or its bytes `start`..`end` inclusive; undefined when absent. Read `body` out or destroy it. */
  read(key: string, range?: ByteRange): Promise<OpenMedia | undefined>;
  /** The whole file in memory, for engines; undefined when there is none. */
  readBytes(key: string): Promise<Uint8Array | undefined>;
  /** Removes a file and its fragments; silent when it is not there. */
  remove(key: string): Promise<void>;
  /** Removes all below a prefix, which ends in `/` (`conversations/<id>/`). */
  removePrefix(prefix: string): Promise<void>;

  /**
   * Appends piece `index` (from 0, without gaps) of a file that is still being written. A retried writer takes another
   * key: readers may already have the pieces of the first attempt.
   */
  putFragment(key: string, index: number, bytes: Uint8Array): Promise<void>;
  /** Says that all fragments are there. Call it after every `putFragment` has resolved. */
  endFragments(key: string): Promise<void>;
  /**
   * All fragments from the first, following the writer in whichever process it runs; ends when ended. Throws
   * FragmentsError when they are removed or nothing comes for 30 s, and the signal's reason when aborted.
   */
  readFragments(key: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Removes the fragments; the finished file, if any, stays. */
  removeFragments(key: string): Promise<void>;

  /** What keeps it from taking files: `storage`, or `disk` where that is full; empty when nothing does. May reject. */
  missing(signal: AbortSignal): Promise<readonly ('storage' | 'disk')[]>;
}

/** The port over any object store. */
function createStore(objects: ObjectStore, timing?: FragmentTiming): MediaStore {
  const fragments = new Fragments(objects, timing);
  return {
    async put(key, content, { contentType, allowed }) {
      if (contentTypeOf(checkKey(key)).split(';', 1)[0] !== contentType.split(';', 1)[0]) {
        throw new Error(`The ending of ${key} does not stand for ${contentType}.`);
      }
      await objects.write(key, content, contentType, true, allowed);
    },
    stat: async (key) => objects.stat(checkKey(key)),
    exists: async (key) => (await objects.stat(checkKey(key))) !== undefined,
    read: async (key, range) => objects.open(checkKey(key), range),
    readBytes: async (key) => objects.bytes(checkKey(key)),
    async remove(key) {
      await objects.remove(checkKey(key));
      await fragments.remove(key);
    },
    removePrefix: async (prefix) => objects.removeFolder(checkFolder(prefix)),
    putFragment: async (key, index, bytes) => fragments.put(key, index, bytes),
    endFragments: async (key) => fragments.end(key),
    readFragments: (key, signal) => fragments.read(key, signal),
    removeFragments: async (key) => fragments.remove(key),
    missing: (signal) => objects.missing(signal),
  };
}

/** Longest wait for the beginning of an answer of a bucket, where nothing else is said. */
const ANSWER_MS = 10_000;

/** Timing of the store. */
export interface StoreOptions {
  fragments?: FragmentTiming;
  /** How long the beginning of an answer of a bucket may take, milliseconds. */
  answerMs?: number;
}

/**
 * The store of this process: `MEDIA_URL` (`s3://bucket/prefix?endpoint=...&region=...`) when set, else
 * `<dataDir>/media`. Opens no connection and makes no folder before the first use.
 */
export function openStore(
  mediaUrl: string | undefined,
  dataDir: string,
  { fragments, answerMs = ANSWER_MS }: StoreOptions = {},
): MediaStore {
  const objects = mediaUrl ? s3Objects(mediaUrl, answerMs) : localObjects(path.join(dataDir, 'media'));
  return createStore(measured(objects), fragments);
}

/** The same store, whose operations are noted by how long they took and how they ended. */
function measured(objects: ObjectStore): ObjectStore {
  const noting =
    <Given extends unknown[], Result>(operation: string, work: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      const startedAtMs = performance.now();
      const note = (outcome: 'done' | 'absent' | 'failed') =>
        observeStore(operation, outcome, performance.now() - startedAtMs);
      try {
        const result = await work.apply(objects, given);
        note(result === undefined && ABSENT.has(operation) ? 'absent' : 'done');
        return result;
      } catch (error) {
        note('failed');
        throw error;
      }
    };
  return {
    write: noting('write', objects.write),
    stat: noting('stat', objects.stat),
    open: noting('open', objects.open),
    bytes: noting('read', objects.bytes),
    list: noting('list', objects.list),
    remove: noting('remove', objects.remove),
    removeFolder: noting('removeFolder', objects.removeFolder),
    // Asked by probes, which are to see it as it is.
    missing: (signal) => objects.missing(signal),
  };
}

/** Operations that answer nothing where nothing is there. */
const ABSENT = new Set(['stat', 'open', 'read']);
