/**
 * The files themselves: faststart MP4 out of packets or fragments, durations, and single decoded frames. Remuxing
 * copies packets and never re-encodes. Runs in the codec's thread.
 */
import {
  ALL_FORMATS,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Mp4OutputFormat,
  Output,
  type VideoSample,
  VideoSampleSink,
} from 'mediabunny';
import { badInput } from '../../../kernel/errors.ts';
import { encodeAac, type Pcm } from './audio.ts';
import { BT601, BT709, planesOf, toRgba } from './colour.ts';

/** A decoded picture: 4 bytes a pixel, rows from the top. */
export interface Frame {
  width: number;
  height: number;
  rgba: Uint8Array;
}

function newFile() {
  return new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target: new BufferTarget() });
}

async function finish(output: ReturnType<typeof newFile>): Promise<Uint8Array> {
  await output.finalize();
  const { buffer } = output.target;
  if (!buffer) throw new Error('The muxer wrote nothing.');
  return new Uint8Array(buffer);
}

/** Mono PCM as AAC in a faststart MP4. */
export async function encodeAudio(input: Pcm): Promise<Uint8Array> {
  const { packets, meta } = await encodeAac(input);
  const output = newFile();
  const source = new EncodedAudioPacketSource('aac');
  output.addAudioTrack(source);
  await output.start();
  for (const packet of packets) await source.add(packet, meta);
  return finish(output);
}

/** The same packets with the index (moov) before the media (mdat). Rejects with BAD_INPUT when it is no recording. */
export async function faststart(file: Uint8Array): Promise<Uint8Array> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const [video, audio] = await tracks(input);
  const output = newFile();
  const copies: (() => Promise<void>)[] = [];
  if (video) copies.push(await copyVideo(video, output));
  if (audio) copies.push(await copyAudio(audio, output));
  await output.start();
  // Both at once: the muxer interleaves and holds a track back until the other has caught up.
  await Promise.all(copies.map((copy) => copy()));
  return finish(output);
}

async function tracks(input: Input): Promise<[InputVideoTrack | null, InputAudioTrack | null]> {
  try {
    const found = [await input.getPrimaryVideoTrack(), await input.getPrimaryAudioTrack()] as const;
    if (found[0] || found[1]) return [...found];
  } catch {
    // Not a container we know: the same answer as one without tracks.
  }
  throw badInput('file', 'must be a video or audio file.');
}

async function copyVideo(track: InputVideoTrack, output: Output): Promise<() => Promise<void>> {
  const codec = await track.getCodec();
  const decoderConfig = await track.getDecoderConfig();
  if (!codec || !decoderConfig) throw badInput('file', 'has a video track of an unknown codec.');
  const source = new EncodedVideoPacketSource(codec);
  output.addVideoTrack(source, { rotation: await track.getRotation() });
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig });
    source.close();
  };
}

async function copyAudio(track: InputAudioTrack, output: Output): Promise<() => Promise<void>> {
  const codec = await track.getCodec();
  const decoderConfig = await track.getDecoderConfig();
  if (!codec || !decoderConfig) throw badInput('file', 'has an audio track of an unknown codec.');
  const source = new EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets()) await source.add(packet, { decoderConfig });
    source.close();
  };
}

/** Seconds from 0 to the end of the last packet of any track. */
export async function durationSeconds(file: Uint8Array): Promise<number> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
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
    const frame = await picture(sample);
    sample.close();
    frames[(order[at++] as { index: number }).index] = frame;
  }
  return frames;
}

/** Videos that do not say which matrix they were coded with follow the custom: BT.601 below 720 lines. */
export async function picture(sample: VideoSample): Promise<Frame> {
  const { codedWidth: width, codedHeight: height } = sample;
  const matrix = sample.colorSpace.matrix ?? (height < 720 ? 'smpte170m' : 'bt709');
  if (sample.format !== 'I420' || sample.colorSpace.fullRange) {
    const rgba = new Uint8Array(width * height * 4);
    await sample.copyTo(rgba, { format: 'RGBA' } as VideoFrameCopyToOptions);
    return { width, height, rgba };
  }
  const i420 = new Uint8Array(sample.allocationSize());
  await sample.copyTo(i420);
  return { width, height, rgba: toRgba(planesOf(i420, width, height), matrix === 'bt709' ? BT709 : BT601) };
}
