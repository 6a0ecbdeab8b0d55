/**
 * The embedded talking head: a portrait, speech and its phoneme marks become a video in which the mouth forms the
 * sounds, the eyes blink and the head moves. It bends the image's own pixels; it does not invent other views of a
 * face, and it needs to know where the face is. Work runs in worker threads.
 */

import { built } from '../../../ports/built.ts';
import { badInput } from '../../../ports/errors.ts';
import type { FaceAnalysis, Rig, TalkingHeadEngine, TalkingHeadQuery } from '../../../ports/index.ts';
import { createPool } from '../../../ports/threads.ts';
import { createFaceSearch, type FaceSearchOptions } from './face-search.ts';
import { createPressFitter, type PressFitterOptions } from './fit-press.ts';
import type { VideoTask } from './thread.ts';

export { mouthTimeline } from './mouth-track.ts';

const DEFAULT_SIZE = 512;
const DEFAULT_FPS = 25;
const FASTEST_FPS = 60;
/** One grey pixel as PNG, and a face in it: what `warm` draws. */
const BLANK = {
  image: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
  rig: {
    version: 1,
    source: 'rig',
    face: { x: 0.25, y: 0.3, w: 0.5, h: 0.5 },
    leftEye: { x: 0.4, y: 0.4, rx: 0.06, ry: 0.03 },
    rightEye: { x: 0.6, y: 0.4, rx: 0.06, ry: 0.03 },
    mouth: { x: 0.5, y: 0.65, w: 0.2, h: 0.05 },
    chin: { x: 0.5, y: 0.8 },
  } satisfies Rig,
  rate: 16_000,
  size: 256,
  fps: 25,
};

/** The engine with its threads. */
export type EmbeddedTalkingHead = TalkingHeadEngine & {
  /** Starts a thread and draws a moment of nothing, so that the first video starts as fast as later ones. */
  warm(): Promise<void>;
  /** Ends the threads; videos under way reject with UNAVAILABLE. */
  close(): Promise<void>;
};

/** What the engine needs: without `detect`, stills without a rig are shown without a moving face. */
export interface TalkingHeadOptions extends FaceSearchOptions, PressFitterOptions {
  /** Most videos at once; default 2. */
  threads?: number;
  /** Longest side of videos that name none, in pixels; those of smaller images stay at 512. Default 512. */
  size?: number;
}

export function createTalkingHead(options: TalkingHeadOptions = {}): EmbeddedTalkingHead {
  const entry = built('src/engines/embedded/renderer/talking-head/thread.js');
  const pool = createPool(entry, options.threads ?? 2);
  const faces = createFaceSearch(options);
  const presses = createPressFitter(options);

  async function analyse(image: Uint8Array, known?: Rig): Promise<FaceAnalysis> {
    const given = known && isUsable(known) ? known : undefined;
    if (given?.source === 'rig' || (given?.landmarks && given.version >= 6))
      return { rig: given, source: given.source, confidence: 1 };
    const clicked = given?.source === 'manual' ? given : undefined;
    const found = await faces.find(image, clicked);
    // What the owner said stays; the points of the face found there are only added.
    if (clicked) return { rig: withPoints(clicked, found?.rig), source: 'manual', confidence: 1 };
    if (found && isUsable(found.rig)) return { rig: found.rig, source: 'detected', confidence: found.confidence };
    return { source: 'none', confidence: 0 };
  }

  async function* render(query: TalkingHeadQuery): AsyncGenerator<Uint8Array> {
    const { image, pcm, rate, marks, size = DEFAULT_SIZE, fps = DEFAULT_FPS, signal } = query;
    if (!(fps >= 1 && fps <= FASTEST_FPS)) throw badInput('fps', `must be between 1 and ${FASTEST_FPS}.`);
    signal?.throwIfAborted();
    const { rig } = await analyse(image, query.rig);
    if (query.rig && rig && rig !== query.rig) await query.keepRig?.(rig);
    const task: VideoTask = { image, rig, pcm, rate, marks, size, fps };
    // What names no size may be larger, where its image is.
    if (query.size === undefined && options.size) Object.assign(task, sizeOf(options.size));
    yield* pool.stream<Uint8Array>(task, { signal });
  }

  return {
    about:
      'Bends a still portrait to speech: lips by phoneme, blinks, brows and small head motion, at about seven times ' +
      'real time on one core. It does not turn the head far, and an image without a face gets a pan and a waveform.',
    analyse,
    fit: presses.fit,
    render,
    async warm() {
      const task: VideoTask = { ...BLANK, pcm: new Int16Array(BLANK.rate), marks: [] };
      for await (const _ of pool.stream<Uint8Array>(task));
    },
    async close() {
      await Promise.all([pool.close(), presses.close()]);
    },
  };
}

/** A smaller size than the usual one is meant for every image, a larger one for images that have the pixels. */
const sizeOf = (wanted: number): Pick<VideoTask, 'size' | 'upTo'> =>
  wanted <= DEFAULT_SIZE ? { size: wanted } : { size: DEFAULT_SIZE, upTo: wanted };

function withPoints(clicked: Rig, found: Rig | undefined): Rig {
  if (!found?.landmarks) return clicked;
  return { ...clicked, version: 6, landmarks: found.landmarks };
}

/** A rig may come from an owner's form or an old row: one that describes no face is treated as none. */
function isUsable(rig: Rig): boolean {
  const { face, mouth, leftEye, rightEye, chin } = rig;
  const within = [
    face.x + face.w / 2,
    face.y + face.h / 2,
    mouth.x,
    mouth.y,
    leftEye.x,
    leftEye.y,
    rightEye.x,
    rightEye.y,
  ];
  const sizes = [face.w, face.h, mouth.w, mouth.h, leftEye.rx, leftEye.ry, rightEye.rx, rightEye.ry];
  return (
    within.every((value) => value > 0 && value < 1) &&
    sizes.every((value) => value > 0.002 && value <= 1.2) &&
    chin.y > mouth.y &&
    mouth.y > leftEye.y &&
    rightEye.x > leftEye.x
  );
}
