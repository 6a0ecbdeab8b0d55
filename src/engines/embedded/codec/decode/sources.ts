/** The ways to the samples of a recording: FLAC and MPEG audio straight from the file, all else through mediabunny. */
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import {
  ADTS,
  AudioSampleSink,
  BufferSource,
  type Source as Bytes,
  Input,
  type InputFormat,
  MATROSKA,
  MP3,
  MP4,
  OGG,
  QTFF,
  WAVE,
  WEBM,
} from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import type { Block } from './collector.ts';
import { flacFrames, readFlacHeader } from './flac.ts';
import { checkSound, type Refuse } from './refusal.ts';
import './wasm.ts';

/** Every container that is read; mediabunny knows more, some of which name other files. */
export const FORMATS = [MP4, QTFF, MATROSKA, WEBM, WAVE, OGG, MP3, ADTS];

const STATES_END = new Set<InputFormat>([MP4, QTFF, OGG]);

/** Takes decoded sound, and refuses. */
export interface Sink {
  refuse: Refuse;
  /** Called with the length that a header gives, before anything is decoded; throws when it is too long. */
  claim(seconds: number | null): void;
  /** False when enough was taken; throws when it is too much. */
  take(block: Block): boolean;
}

/** Decodes a file in memory until the sink has enough. Resolves to the seconds that the container declares, where it does. */
export type Source = (bytes: Uint8Array, sink: Sink) => Promise<number | undefined>;

/** Bytes of MPEG audio decoded at once, so that no more than about a minute is decoded beyond the limit. */
const MPEG_BYTES = 16_384;

/** Decodes FLAC. */
export const fromFlac: Source = async (bytes, { refuse, take }) => {
  const header = readFlacHeader(bytes, 0, refuse);
  const flac = new FLACDecoder();
  await flac.ready;
  let decoded = 0;
  try {
    for (const frame of flacFrames(bytes, header)) {
      const { channelData, samplesDecoded: frames, sampleRate: rate, errors } = await flac.decodeFrames([frame]);
      if (errors.length > 0) refuse('is a damaged FLAC file.');
      decoded += frames;
      if (frames > 0 && !take({ planes: channelData, frames, rate })) return undefined;
    }
  } finally {
    flac.free();
  }
  if (decoded < header.samples) refuse('is a FLAC file that ends before its header says.');
  return undefined;
};

/** The file's first frame says how many samples the encoder put before and after the sound; the decoder drops them. */
export const fromMpeg: Source = async (bytes, { refuse, claim, take }) => {
  using input = new Input({ formats: [MP3], source: new BufferSource(bytes) });
  claim(await input.getDurationFromMetadata());
  const mpeg = new MPEGDecoder();
  await mpeg.ready;
  try {
    for (let at = 0; at < bytes.length; at += MPEG_BYTES) {
      const piece = mpeg.decode(bytes.subarray(at, at + MPEG_BYTES));
      const { channelData: planes, samplesDecoded: frames, sampleRate: rate, errors } = piece;
      if (errors.length > 0) refuse('is a damaged MP3 file.');
      if (frames > 0 && !take({ planes, frames, rate })) break;
    }
  } finally {
    mpeg.free();
  }
  return undefined;
};

/** Decodes the sound of MP4, WebM and the like. */
export async function fromContainer(source: Bytes, { refuse, claim, take }: Sink): Promise<number | undefined> {
  using input = new Input({ formats: FORMATS, source });
  const track = (await input.getPrimaryAudioTrack()) ?? refuse('has no sound in it.');
  if (!(await track.canDecode())) refuse('has sound in a format that is not known: send mp3, flac, wav, ogg or mp4.');
  checkSound(await track.getSampleRate(), await track.getNumberOfChannels(), refuse);
  claim(await track.getDurationFromMetadata());
  for await (const sample of new AudioSampleSink(track).samples()) {
    const { numberOfChannels, numberOfFrames: frames, sampleRate: rate, timestamp: at } = sample;
    const planes = Array.from({ length: numberOfChannels }, (_, planeIndex) => {
      const plane = new Float32Array(frames);
      sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
      return plane;
    });
    sample.close();
    if (!take({ planes, frames, rate, at })) return undefined;
  }
  // The last packet decodes whole; these containers say how much of it is meant.
  return STATES_END.has(await input.getFormat()) ? await track.computeDuration() : undefined;
}
