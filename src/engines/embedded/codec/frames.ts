/** Opens files of whatever origin: their length, and single decoded frames. Runs in decoder processes only. */
import { ALL_FORMATS, BufferSource, Input, type VideoSample, VideoSampleSink } from 'mediabunny';
import { badInput } from '../../ports/errors.ts';
import type { MediaBytes } from '../../ports/index.ts';
import { BT601, BT709, planesOf, toRgba } from './colour.ts';
import { sourceOf } from './decode/media-source.ts';
import { tracks } from './files.ts';

/** A decoded frame: 4 bytes a pixel, rows from the top. */
export interface Frame {
  width: number;
  height: number;
  rgba: Uint8Array;
}

/** Seconds from 0 to the end of the last packet of any track. */
export async function durationSeconds(file: MediaBytes): Promise<number> {
  using input = new Input({ formats: ALL_FORMATS, source: sourceOf(file) });
  await tracks(input);
  return await input.computeDuration(); // `await` keeps the input open until then.
}

/** The frames shown at the given times, in the order asked; a time after the end shows the last frame. */
export async function decodeFrames(file: Uint8Array, atMs: number[]): Promise<Frame[]> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const [track] = await tracks(input);
  if (!track) throw badInput('file', 'has no video track.');
  const first = await track.getFirstTimestamp();
  const order = atMs.map((ms, index) => ({ index, seconds: Math.max(first, ms / 1000) }));
  order.sort((one, other) => one.seconds - other.seconds);
  const frames: Frame[] = [];
  let at = 0;
  const times = order.map((one) => one.seconds);
  for await (const sample of new VideoSampleSink(track).samplesAtTimestamps(times)) {
    if (!sample) throw badInput('file', 'has no frame at the time asked for.');
    const frame = await frameOf(sample);
    sample.close();
    frames[(order[at++] as { index: number }).index] = frame;
  }
  return frames;
}

/** Videos that do not say which matrix they were coded with follow the custom: BT.601 below 720 lines. */
export async function frameOf(sample: VideoSample): Promise<Frame> {
  const { codedWidth: width, codedHeight: height } = sample;
  const matrix = sample.colorSpace.matrix ?? (height < 720 ? 'smpte170m' : 'bt709');
  if (sample.format !== 'I420' || sample.colorSpace.fullRange) {
    const rgba = new Uint8Array(width * height * 4);
    await sample.copyTo(rgba, { format: 'RGBA' } as VideoFrameCopyToOptions);
    return { width, height, rgba };
  }
  const i420 = new Uint8Array(sample.allocationSize());
  await sample.copyTo(i420);
  const rgba = toRgba(planesOf(i420, width, height), matrix === 'bt709' ? BT709 : BT601);
  free(i420);
  return { width, height, rgba };
}

/** Gives memory back at once, not when V8 collects: a frame has megabytes. The array, and any other of its buffer, is empty then. */
export function free({ buffer }: Uint8Array): void {
  (buffer as ArrayBuffer).transfer(0);
}
