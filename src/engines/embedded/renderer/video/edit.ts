/**
 * Videos edited: every frame of `srcVideo` goes through the image edits that the prompt names, and its sound is kept.
 * What the image editor refuses is refused here with the same sentence.
 */
import { ALL_FORMATS, BufferSource, Input, type InputVideoTrack, type VideoSample, VideoSampleSink } from 'mediabunny';
import { badInput } from '../../../ports/errors.ts';
import type { MediaBytes, VideoFile } from '../../../ports/index.ts';
import type { TaskRun } from '../../../ports/serve.ts';
import type { Pcm } from '../../codec/audio.ts';
import { decodeAudio } from '../../codec/decode/index.ts';
import { sourceOf } from '../../codec/decode/media-source.ts';
import { checkVideo } from '../../codec/decode/video.ts';
import { durationSeconds, frameOf, free } from '../../codec/frames.ts';
import { type Canvas, type Context, emptyCanvas } from '../graphics/canvas.ts';
import { applyEdits } from '../graphics/edit/apply.ts';
import { readEdits } from '../graphics/edit/read.ts';
import type { Edit } from '../graphics/edit/rules.ts';
import { readCameraMoves } from './camera-moves.ts';
import { cardsOf, closingOf, type SeededVideoQuery, type StageOptions } from './compose.ts';
import { frameCanvas, toYuv } from './frame-canvas.ts';
import { type AirKind, air } from './particles.ts';
import { secondsOf, shapeOf } from './plan.ts';
import { encodeFrames, type Frames, soundOf } from './render.ts';
import type { Painter } from './scenery.ts';

/** Weather falls through an edited video as it does through a drawn one, instead of hanging before it. */
const FALLING: Partial<Record<string, AirKind>> = {
  rain: 'rain',
  snow: 'snow',
  stars: 'stars',
  fireflies: 'fireflies',
};

/**
 * Frames of the codec and canvases lie outside V8, which sees a few bytes of each and is in no hurry to collect them,
 * closed or not: a video of 1080p held 680 MB. So they are collected once they are of so many bytes, which in 1080p they are
 * after each frame. To collect after each of a small video too is most of what its edit computes.
 */
const UNCOLLECTED_BYTES = 32e6;
let uncollected = 0;

/** Counts frames and canvases of this size, which hold four bytes a pixel. */
function hold(count: number, width: number, height: number): void {
  uncollected += count * width * height * 4;
}

function collect(): void {
  if (uncollected < UNCOLLECTED_BYTES) return;
  uncollected = 0;
  globalThis.gc?.();
}

/** Seconds of a video. Rejects with badInput('srcVideo', ...) when it is none. */
export async function sourceSeconds(file: MediaBytes): Promise<number> {
  await checkVideo(file, 'srcVideo');
  using input = new Input({ formats: ALL_FORMATS, source: sourceOf(file) });
  await videoTrack(input);
  const seconds = await durationSeconds(file);
  // A damaged index may say nothing, or anything.
  if (!(seconds > 0 && Number.isFinite(seconds))) throw badInput('srcVideo', 'must be a video of some length.');
  return seconds;
}

/** The video track; throws where there is none. */
export async function videoTrack(input: Input): Promise<InputVideoTrack> {
  const track = await input.getPrimaryVideoTrack().catch(() => null);
  if (!track || !(await track.canDecode().catch(() => false)))
    throw badInput('srcVideo', 'must be a video (mp4, webm or mov) that can be decoded.');
  return track;
}

/** @param onRead called when nothing of the query is read any more */
export async function editVideo(
  query: SeededVideoQuery & { srcVideo: Uint8Array },
  run: TaskRun,
  onRead = (): void => undefined,
): Promise<VideoFile | undefined> {
  const { srcVideo, seed } = query;
  const edits = readEdits(query.prompt, 1);
  const sourceS = await sourceSeconds(srcVideo);
  const seconds = secondsOf(query, sourceS);
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(srcVideo) });
  const track = await videoTrack(input);
  const ratio = (await track.getDisplayWidth()) / (await track.getDisplayHeight());
  const shape = shapeOf(query, ratio);
  const stage = {
    ...shape,
    seconds,
    seed,
    moves: readCameraMoves(query.prompt, seed, seconds),
    draft: query.draft === true,
  };
  const over = await overlay(query, edits, stage);
  const steady = edits
    .filter((edit) => !(edit.op === 'weather' && FALLING[edit.kind]))
    .map((edit) => (edit.op === 'caption' ? { ...edit, isSteady: true } : edit));
  const sound =
    soundOf(query, () => undefined) ?? (query.saveAudio === false ? undefined : await ownSound(srcVideo, seconds));
  const change = (canvas: Canvas) => applyEdits([canvas], steady, seed);
  const source = { track, timeOf: (index: number) => (index / shape.fps) % sourceS, onRead };
  const frames = changedFrames(source, stage, change, over);
  const made = await encodeFrames(shape, sound, seconds, frames, run);
  return made && { ...made, ...shape, seed };
}

/** A video that is read frame by frame. */
export interface FrameSource {
  track: InputVideoTrack;
  /** The second of it that a frame shows. */
  timeOf(index: number): number;
  /** Called when its file is read no more. */
  onRead(): void;
}

/** Frames of another video, each changed and painted over. */
function changedFrames(
  source: FrameSource,
  { width, height, fps, draft }: StageOptions,
  change: (canvas: Canvas) => Canvas,
  over: Painter,
): (count: number) => Frames {
  const { ctx, frame, toFrame } = frameCanvas(width, height, draft);
  const k = draft ? 2 : 1;
  return (count) => {
    const shown = sourceFrames(source, count, (sample) => fitted(sample, width / k, height / k));
    return {
      frame,
      close: shown.close,
      async draw(index) {
        const canvas = (await shown.next()) ?? emptyCanvas(width / k, height / k).canvas;
        cover(ctx, toYuv(change(canvas)), width, height);
        // Changed, and in the encoder's colours.
        hold(2, width / k, height / k);
        collect();
        over(ctx, index / fps, count > 1 ? index / (count - 1) : 1);
        toFrame();
      },
    };
  };
}

/** What lies over the edited video: falling weather, references, the closing frame. */
async function overlay(query: SeededVideoQuery, edits: Edit[], stage: StageOptions): Promise<Painter> {
  const kinds = edits.flatMap((edit) => (edit.op === 'weather' ? (FALLING[edit.kind] ?? []) : []));
  const airs = kinds.map((kind) => air(kind, { ...stage, pace: stage.moves.pace, horizon: 0.6, wind: 1 }));
  const cards = await cardsOf(query, stage);
  const closing = query.lastFrameImage ? await closingOf(query.lastFrameImage, stage) : undefined;
  return (ctx, t, p) => {
    for (const one of airs) one(ctx, t, 0, 0);
    cards?.(ctx, t, p);
    closing?.(ctx, t, p);
  };
}

/** Frames of a source at the rate of the video to be made. */
export interface SourceFrames<T> {
  /** The next frame of the video to be made; undefined while none was ever read. */
  next(): Promise<T | undefined>;
  close(): Promise<void>;
}

/** The frames that a video to be made shows; a sound longer than the source shows it again from its start. */
export function sourceFrames<T>(
  { track, timeOf, onRead }: FrameSource,
  count: number,
  read: (sample: VideoSample) => Promise<T>,
): SourceFrames<T> {
  const times = function* () {
    for (let index = 0; index < count; index++) yield timeOf(index);
  };
  const samples = new VideoSampleSink(track).samplesAtTimestamps(times());
  let last: T | undefined;
  return {
    async next() {
      const { value: sample } = await samples.next();
      // Before the first frame of a video that starts late, and where one is missing, the nearest is shown.
      if (sample) {
        last = await read(sample);
        hold(1, sample.codedWidth, sample.codedHeight);
        sample.close();
        collect();
      }
      return last;
    },
    async close() {
      last = undefined;
      // Ends the decoder, which holds a dozen frames.
      await samples.return(undefined);
      onRead();
      uncollected = UNCOLLECTED_BYTES;
      collect();
    },
  };
}

/** A frame as it is to be seen, filling this size. */
export async function fitted(sample: VideoSample, width: number, height: number): Promise<Canvas> {
  const { rotation } = sample;
  const raw = await frameOf(sample);
  // Its pixels, their copy and the canvas that they are put on; what is seen of it, and that in the encoder's colours.
  hold(3, raw.width, raw.height);
  hold(2, width, height);
  const plain = emptyCanvas(raw.width, raw.height);
  const image = plain.ctx.createImageData(raw.width, raw.height);
  image.data.set(raw.rgba);
  free(raw.rgba);
  plain.ctx.putImageData(image, 0, 0);
  const { canvas, ctx } = emptyCanvas(width, height);
  const isTurned = rotation % 180 !== 0;
  const k = Math.max(width / (isTurned ? raw.height : raw.width), height / (isTurned ? raw.width : raw.height));
  ctx.translate(width / 2, height / 2);
  ctx.rotate((rotation * Math.PI) / 180);
  ctx.drawImage(plain.canvas, (-raw.width * k) / 2, (-raw.height * k) / 2, raw.width * k, raw.height * k);
  return canvas;
}

function cover(ctx: Context, image: Canvas, width: number, height: number): void {
  const k = Math.max(width / image.width, height / image.height);
  const [w, h] = [image.width * k, image.height * k];
  ctx.drawImage(image, (width - w) / 2, (height - h) / 2, w, h);
}

/** The source's own sound, cut to the length; a video without sound stays without. */
export async function ownSound(file: MediaBytes, seconds: number): Promise<Pcm | undefined> {
  const sound = await decodeAudio(file, { maxSeconds: seconds, isCut: true }).catch(() => undefined);
  if (!sound) return undefined;
  const length = Math.round(seconds * sound.rate);
  const pcm = new Int16Array(length);
  pcm.set(sound.pcm.subarray(0, length));
  return { pcm, rate: sound.rate };
}
