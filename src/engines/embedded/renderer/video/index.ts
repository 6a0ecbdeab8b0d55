/**
 * The embedded video engine: the illustrator's scenes moved in layers, images panned and blended, videos edited frame
 * by frame. It animates what it can draw or is given; people walk, wave or stand, and it imagines no other movements. Work runs
 * in worker threads, and in decoder processes where a user's video is opened.
 */

import { randomInt } from 'node:crypto';
import { built } from '../../../ports/built.ts';
import { badInput, PlatformError } from '../../../ports/errors.ts';
import type { InputSource, VideoEngine, VideoPiece, VideoQuery } from '../../../ports/index.ts';
import { createPool } from '../../../ports/threads.ts';
import { readEdits } from '../graphics/edit/read.ts';
import { checkDrawable } from '../graphics/prompt.ts';
import type { SeededVideoQuery } from './compose.ts';
import type { FittedQuery } from './conform.ts';
import { LONGEST_S, LONGEST_SOUND_S, secondsOf } from './plan.ts';
import { readSubject } from './subject.ts';
import type { VideoTask } from './thread.ts';

/** Where videos that may come from anywhere are opened, away from this process. Streams and rejects as the engine does. */
export interface VideoDecoders {
  videoSeconds(file: Uint8Array, source: InputSource): Promise<number>;
  edit(query: SeededVideoQuery & { srcVideo: Uint8Array }, source: InputSource): AsyncIterable<VideoPiece>;
  conform(query: FittedQuery, made: Uint8Array, source: InputSource): AsyncIterable<VideoPiece>;
}

/** The engine with its threads. */
export type EmbeddedVideo = VideoEngine & {
  /**
   * Another engine's video for this query, made into what the API promises: size, rate, length, given sound or silence,
   * closing frame. Streams as `render` does; rejects with UPSTREAM_FAILED when it cannot be read. @param query.keepsTime see `FittedQuery`
   */
  conform(query: FittedQuery & Pick<VideoQuery, 'signal'>, made: Uint8Array): AsyncIterable<VideoPiece>;
  /** Ends the threads; videos under way reject with UNAVAILABLE. */
  close(): Promise<void>;
};

/** @param options.threads most videos at once; default 1: a video occupies a core for seconds. */
export function createVideoEngine(options: { decoders: VideoDecoders; threads?: number }): EmbeddedVideo {
  const { decoders } = options;
  const entry = built('src/engines/embedded/renderer/video/thread.js');
  const pool = createPool(entry, options.threads ?? 1);

  async function* render(query: VideoQuery): AsyncGenerator<VideoPiece> {
    check(query);
    const { signal, ...rest } = query;
    signal?.throwIfAborted();
    const seed = query.seed ?? randomInt(2 ** 31);
    const { srcVideo } = rest;
    if (srcVideo) yield* decoders.edit({ ...rest, srcVideo, seed }, sourceOf(query));
    else yield* pool.stream<VideoPiece>({ query: { ...rest, seed } } satisfies VideoTask, { signal });
  }

  return {
    about:
      'Moves the illustrator’s scenes in layers with a slow camera, weather and light; pans, zooms and blends given ' +
      'images; edits videos frame by frame. People walk, wave or stand; it invents no other actions, and nobody is lip-synced.',
    async seconds(query) {
      check(query);
      const { srcVideo } = query;
      return secondsOf(query, srcVideo && (await decoders.videoSeconds(srcVideo, sourceOf(query))));
    },
    render,
    async *conform({ signal, ...query }, made) {
      const { owner } = query;
      try {
        yield* decoders.conform(query, made, { field: MADE, owner, signal });
      } catch (cause) {
        const isRefused = cause instanceof PlatformError && cause.details?.field === MADE;
        if (!isRefused) throw cause;
        throw new PlatformError('UPSTREAM_FAILED', 'The video model returned a video that cannot be read.', { cause });
      }
    },
    close: () => pool.close(),
  };
}

/** What decoders call another engine's video: no field of the API. */
const MADE = 'made';

const sourceOf = ({ owner, signal }: VideoQuery) => ({ field: 'srcVideo', owner, signal });

/** All that can be refused before a thread is occupied and anything is charged. */
function check({ prompt, duration, references, audio, image, srcVideo }: VideoQuery): void {
  if (!prompt.trim()) throw badInput('prompt', 'must not be empty.');
  if (duration !== undefined && !(duration >= 1 && duration <= LONGEST_S))
    throw badInput('duration', `must be 1 to ${LONGEST_S} seconds.`);
  if (references && references.length > 3) throw badInput('avatarIds', 'must be at most 3.');
  if (audio && audio.pcm.length > LONGEST_SOUND_S * audio.rate)
    throw badInput('audio', `must be at most ${LONGEST_SOUND_S} seconds.`);
  if (srcVideo) readEdits(prompt, 1);
  else if (!image) checkSubject(prompt, references);
}

/** A video shows all that its prompt names, or is refused. */
function checkSubject(prompt: string, references: VideoQuery['references'] = []): void {
  const names = references.flatMap(({ name }) => name ?? []);
  checkDrawable(readSubject(prompt, names));
}
