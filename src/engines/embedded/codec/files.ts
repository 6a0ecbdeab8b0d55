/**
 * The files themselves: faststart MP4 out of packets or fragments. Remuxing copies packets and never re-encodes. Runs in
 * the codec's thread on what we wrote, and in decoder processes on what others did.
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
  type Source,
} from 'mediabunny';
import { badInput } from '../../ports/errors.ts';
import { encodeAac, type Pcm } from './audio.ts';

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
export const faststart = (file: Uint8Array): Promise<Uint8Array> => remux(new BufferSource(file));

/** As `faststart`, from wherever the file is. */
export async function remux(source: Source): Promise<Uint8Array> {
  using input = new Input({ formats: ALL_FORMATS, source });
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

/** The first video and audio track; null where there is none. */
export async function tracks(input: Input): Promise<[InputVideoTrack | null, InputAudioTrack | null]> {
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
