/**
 * Makes one video: draws each frame, encodes it, lays sound under it and closes the file. Holds the video
 * in memory only, so that one given up leaves nothing behind.
 */
import type { VideoFile } from '../../../ports/index.ts';
import type { TaskRun } from '../../../ports/serve.ts';
import type { Pcm } from '../../codec/audio.ts';
import { faststart } from '../../codec/files.ts';
import { startVideo, type VideoShape } from '../../codec/fragments.ts';
import { AMBIENCE_RATE, ambience, mixOf } from './ambience.ts';
import { compose, type SeededVideoQuery } from './compose.ts';
import { type Shape, secondsOf, shapeOf } from './plan.ts';
import { PlanesCanvas } from './planes-canvas.ts';
import { ratioOf } from './stills.ts';

/** Bits a pixel and second: scenes in motion need more than a talking head. Drawn images have no more than a bound from it. */
const BITS = 4.2;
/** Seconds between keyframes: a player goes to one of them, and the file is read only when it is whole. */
const KEY_EVERY_S = 2;
/** Progress is reported in steps of this: a video has hundreds of frames. */
const PROGRESS_STEP = 0.02;
/** Share of the work that is done when the last frame is encoded. */
const FRAMES_SHARE = 0.97;

/** One frame after another into `frame`, which may be reused by the next. */
export interface Frames {
  frame: Uint8Array;
  draw(index: number): Promise<void> | void;
  /** Ends the reading after the last frame: the file that is then put together takes memory of its own. */
  close?(): Promise<void>;
}

/**
 * Draws, encodes and closes; undefined when the caller has gone. Images of even quality that take far more than the
 * bitrate are drawn and encoded again at it.
 * @param framesOf called once more for that
 * @param before share of the work that was reported already: progress does not go back
 */
export async function encodeFrames(
  shape: Shape & Pick<VideoShape, 'isEven'>,
  sound: Pcm | undefined,
  seconds: number,
  framesOf: (count: number) => Frames,
  run: TaskRun,
  before = 0,
): Promise<Pick<VideoFile, 'file' | 'seconds'> | undefined> {
  const pieces: Uint8Array[] = [];
  const bitrate = Math.round(shape.width * shape.height * BITS * Math.sqrt(shape.fps / 24));
  const track = sound ? { audio: sound } : { seconds };
  const video = await startVideo({ ...shape, ...track, bitrate, keyEveryS: KEY_EVERY_S }, (piece) =>
    pieces.push(piece),
  );
  const again = () => encodeFrames({ ...shape, isEven: false }, sound, seconds, framesOf, run, reported);
  let reported = before;
  try {
    const frames = framesOf(video.frames);
    for (let index = 0; index < video.frames; index++) {
      if (run.stopped()) return undefined;
      await frames.draw(index);
      await video.add(frames.frame);
      if (video.isOver()) return again();
      const done = ((index + 1) / video.frames) * FRAMES_SHARE;
      if (done - reported < PROGRESS_STEP) continue;
      reported = done;
      run.piece({ progress: done });
    }
    await frames.close?.();
    await video.finish();
    if (video.isOver()) return again();
    const file = await faststart(Buffer.concat(pieces.splice(0)));
    return { file, seconds: video.seconds };
  } finally {
    video.close();
  }
}

/** A video from prompt and images. */
export async function makeVideo(query: SeededVideoQuery, run: TaskRun): Promise<VideoFile | undefined> {
  const shape = shapeOf(query, await openingRatio(query));
  const seconds = secondsOf(query);
  const { paint, heard, air } = await compose(query, shape, seconds);
  const sound = soundOf(query, () => ({
    pcm: ambience(mixOf(heard, air), seconds, query.seed),
    rate: AMBIENCE_RATE,
  }));
  const canvas = new PlanesCanvas(shape.width, shape.height);
  const frames = (count: number): Frames => ({
    get frame() {
      return canvas.frame;
    },
    draw: (index) => paint(canvas, index / shape.fps, count > 1 ? index / (count - 1) : 1),
  });
  const made = await encodeFrames({ ...shape, isEven: true }, sound, seconds, frames, run);
  return made && { ...made, ...shape, seed: query.seed };
}

/** Given sound, else what `own` makes; none when the video is to be silent. */
export function soundOf({ audio, saveAudio }: SeededVideoQuery, own: () => Pcm | undefined): Pcm | undefined {
  if (saveAudio === false) return undefined;
  return audio ?? own();
}

/** Proportions of the image that a video opens on, else of the one it closes on. */
export async function openingRatio({ image, lastFrameImage }: SeededVideoQuery): Promise<number | undefined> {
  if (image) return ratioOf(image, 'image');
  return lastFrameImage ? ratioOf(lastFrameImage, 'lastFrameImage') : undefined;
}
