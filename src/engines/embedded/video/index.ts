/**
 * The embedded video engine: the illustrator's scenes moved in layers, pictures panned and blended, films edited frame
 * by frame. It animates what it can draw or is given; it does not imagine new movements of people or things. Work runs
 * in worker threads.
 */

import { randomInt } from 'node:crypto';
import path from 'node:path';
import { badInput } from '../../../kernel/errors.ts';
import type { VideoEngine, VideoFile, VideoPiece, VideoQuery } from '../../ports.ts';
import { readEdits } from '../illustrator/edit/read.ts';
import { createPool } from '../threads.ts';
import { LONGEST_S, LONGEST_SOUND_S } from './plan.ts';
import type { VideoTask } from './thread.ts';

export type EmbeddedVideo = VideoEngine & {
  /**
   * Another engine's film for this query, made into what the API promises: size, rate, length, given sound or silence,
   * closing frame. Streams as `render` does; rejects with UPSTREAM_FAILED when it cannot be read.
   */
  conform(query: VideoQuery & { seed: number }, made: Uint8Array): AsyncIterable<VideoPiece>;
  /** Ends the threads; films under way reject with UNAVAILABLE. */
  close(): Promise<void>;
};

/** @param options.threads most films at once; default 1: a film occupies a core for seconds. */
export function createVideoEngine(options: { threads?: number } = {}): EmbeddedVideo {
  const entry = new URL(`./thread${path.extname(import.meta.url)}`, import.meta.url);
  const pool = createPool(entry, options.threads ?? 1);

  async function* render(query: VideoQuery): AsyncGenerator<VideoPiece> {
    check(query);
    const { signal, ...rest } = query;
    signal?.throwIfAborted();
    const seed = query.seed ?? randomInt(2 ** 31);
    yield* pool.stream<{ progress: number } | VideoFile>(
      { kind: 'film', query: { ...rest, seed } } satisfies VideoTask,
      { signal },
    );
  }

  return {
    about:
      'Moves the illustrator’s scenes in layers with a slow camera, weather and light; pans, zooms and blends given ' +
      'pictures; edits films frame by frame. It does not animate people or invent actions, and nobody is lip-synced.',
    async seconds(query) {
      check(query);
      const { signal, ...rest } = query;
      return pool.run<number>({ kind: 'seconds', query: { ...rest, seed: 0 } } satisfies VideoTask, { signal });
    },
    render,
    conform({ signal, ...query }, made) {
      return pool.stream<VideoPiece>({ kind: 'conform', query, made } satisfies VideoTask, { signal });
    },
    close: () => pool.close(),
  };
}

/** All that can be refused before a thread is occupied and anything is charged. */
function check({ prompt, duration, references, audio, srcVideo }: VideoQuery): void {
  if (!prompt.trim()) throw badInput('prompt', 'must not be empty.');
  if (duration !== undefined && !(duration >= 1 && duration <= LONGEST_S))
    throw badInput('duration', `must be 1 to ${LONGEST_S} seconds.`);
  if (references && references.length > 3) throw badInput('avatarIds', 'must be at most 3.');
  if (audio && audio.pcm.length > LONGEST_SOUND_S * audio.rate)
    throw badInput('audio', `must be at most ${LONGEST_SOUND_S} seconds.`);
  if (srcVideo) readEdits(prompt, 1);
}
