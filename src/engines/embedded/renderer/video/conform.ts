/**
 * Another engine's video made into what the API promises: the size, rate and length that were asked for, given sound
 * under it or none at all, the closing frame at its end. A video that is all of that already is only remuxed. It adds no
 * image of its own.
 */
import { ALL_FORMATS, BufferSource, Input, type InputVideoTrack, type VideoSample } from 'mediabunny';
import { PlatformError } from '../../../ports/errors.ts';
import type { MediaBytes, VideoFile } from '../../../ports/index.ts';
import type { TaskRun } from '../../../ports/serve.ts';
import { sourceOf } from '../../codec/decode/media-source.ts';
import { remux } from '../../codec/files.ts';
import { durationSeconds } from '../../codec/frames.ts';
import { readCameraMoves } from './camera-moves.ts';
import { closesFrom, closingOf, type SeededVideoQuery, type StageOptions } from './compose.ts';
import { type FrameSource, fitted, ownSound, sourceFrames, sourceSeconds, videoTrack } from './edit.ts';
import { frameCanvas, putFrame, toYuv } from './frame-canvas.ts';
import { LONGEST_S, type Shape, secondsOf, shapeOf } from './plan.ts';
import { coverI420 } from './planes.ts';
import { encodeFrames, type Frames, openingRatio, soundOf } from './render.ts';
import type { Painter } from './scenery.ts';

/** A video that is too short is slowed down, at most by this; then it begins again. */
const SLOWEST = 1.5;

/** What a video is made into. */
export type FittedQuery = SeededVideoQuery & {
  /** Its lips follow the sound: frames keep their times, and of a video that is too short the last one stays. */
  keepsTime?: boolean;
};

/** A file of more than this many bytes for its size and length is written anew: it would be kept and sent whole. */
const MOST_REMUXED_BYTES = 24 * 1024 * 1024;

/**
 * Rejects with UPSTREAM_FAILED when `made` is no video; undefined when the caller has gone.
 * @param onRead called when nothing of the query and of `made` is read any more
 */
export async function conformVideo(
  query: FittedQuery,
  made: MediaBytes,
  run: TaskRun,
  onRead = (): void => undefined,
): Promise<VideoFile | undefined> {
  using input = new Input({ formats: ALL_FORMATS, source: sourceOf(made) });
  const track = await videoTrack(input).catch((cause: unknown) => {
    throw new PlatformError('UPSTREAM_FAILED', 'The video model returned what is no video.', { cause });
  });
  const madeS = await durationSeconds(made);
  const seconds = await lengthOf(query, madeS);
  // A user's file keeps its proportions; another engine's video has those that were asked for.
  const isFile = !(made instanceof Uint8Array);
  const shape = shapeOf(query, isFile ? await ratioOfTrack(track) : await ratioOf(query));
  const { seed } = query;
  const isSmall = !isFile || made.size <= MOST_REMUXED_BYTES;
  if (isSmall && (await conforms(query, track, shape, seconds, madeS))) {
    return { file: await remux(sourceOf(made)), seconds: madeS, ...shape, seed };
  }
  const sound =
    soundOf(query, () => undefined) ?? (query.saveAudio === false ? undefined : await ownSound(made, seconds));
  const stage = { ...shape, seconds, seed, moves: readCameraMoves('', seed, seconds), draft: false };
  const closing = query.lastFrameImage ? await closingOf(query.lastFrameImage, stage) : undefined;
  const slow = Math.min(SLOWEST, Math.max(1, seconds / madeS));
  const timeOf = (index: number) => (query.keepsTime ? index / shape.fps : (index / shape.fps / slow) % madeS);
  const source = { track, timeOf, onRead };
  const frames = fittedFrames(source, stage, closing);
  const video = await encodeFrames(shape, sound, seconds, frames, run);
  return video && { ...video, ...shape, seed };
}

/**
 * Frames of the video at the size asked for. They stay in the encoder's colours (measured, three seconds of 1080p to
 * 720p with decoding and encoding: 2.0 s of CPU instead of 5.9), but where the closing frame is laid over them.
 */
function fittedFrames(
  made: FrameSource,
  { width, height, fps, seconds }: StageOptions,
  closing: Painter | undefined,
): (count: number) => Frames {
  const { ctx, frame, toFrame } = frameCanvas(width, height, false);
  const from = closesFrom(seconds);
  // Black, for a video that begins after its own start.
  frame.fill(16, 0, width * height).fill(128, width * height);
  const fill = async (sample: VideoSample): Promise<Uint8Array> => {
    if (isOfOurs(sample)) {
      const i420 = new Uint8Array(sample.allocationSize());
      await sample.copyTo(i420);
      coverI420(i420, { width: sample.codedWidth, height: sample.codedHeight }, frame, { width, height });
    } else {
      ctx.drawImage(toYuv(await fitted(sample, width, height)), 0, 0);
      toFrame();
    }
    return frame;
  };
  return (count) => {
    const source = sourceFrames(made, count, async (sample) => (await fill(sample)).slice());
    return {
      frame,
      close: source.close,
      async draw(index) {
        const shown = await source.next();
        if (shown) frame.set(shown);
        const p = count > 1 ? index / (count - 1) : 1;
        if (!closing || p < from) return;
        putFrame(ctx, frame, width, height);
        closing(ctx, index / fps, p);
        toFrame();
      },
    };
  };
}

/** Upright and in the colours that our encoder is set to: such planes need no more than another size. */
function isOfOurs({ format, colorSpace, codedHeight, rotation }: VideoSample): boolean {
  const matrix = colorSpace.matrix ?? (codedHeight < 720 ? 'smpte170m' : 'bt709');
  return format === 'I420' && !colorSpace.fullRange && matrix === 'bt709' && rotation === 0;
}

/** What was asked for; where the model was to choose, what it chose. */
async function lengthOf(query: SeededVideoQuery, madeS: number): Promise<number> {
  const { audio, duration, srcVideo } = query;
  if (audio || duration !== undefined || srcVideo) return secondsOf(query, srcVideo && (await sourceSeconds(srcVideo)));
  return Math.min(madeS, LONGEST_S);
}

async function ratioOf(query: SeededVideoQuery): Promise<number | undefined> {
  if (!query.srcVideo) return openingRatio(query);
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(query.srcVideo) });
  const track = await videoTrack(input);
  return ratioOfTrack(track);
}

const ratioOfTrack = async (track: InputVideoTrack): Promise<number> =>
  (await track.getDisplayWidth()) / (await track.getDisplayHeight());

async function conforms(query: SeededVideoQuery, track: InputVideoTrack, shape: Shape, seconds: number, madeS: number) {
  if (query.audio || query.saveAudio === false || query.lastFrameImage) return false;
  if ((await track.getCodec()) !== 'avc' || (await track.getRotation()) !== 0) return false;
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const { averagePacketRate } = await track.computePacketStats();
  const isInTime = Math.abs(madeS - seconds) < 1 / shape.fps && Math.abs(averagePacketRate - shape.fps) < 0.1;
  return isInTime && width === shape.width && height === shape.height;
}
