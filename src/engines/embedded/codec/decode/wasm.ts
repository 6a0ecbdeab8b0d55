/**
 * FLAC, Vorbis, Opus and MPEG audio decoded in WebAssembly for mediabunny. The native codec panics on FLAC and on most
 * surround sound, refuses Vorbis and at times never answers for Opus: a panic ends the process, a fault in here is an
 * error that can be caught. AAC, which these packages lack, stays with the native codec.
 */
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { codecFrames, data, header, isLastPage, type OggPage, vorbisSetup } from 'codec-parser';
import {
  type AudioCodec,
  AudioSample,
  CustomAudioDecoder,
  type EncodedPacket,
  Logging,
  LogLevel,
  registerDecoder,
} from 'mediabunny';
import { MPEGDecoder } from 'mpg123-decoder';
import { OpusDecoder } from 'opus-decoder';

/** What every one of the decoders gives back for a packet. */
export interface Decoded {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
  errors: { message: string }[];
}

interface Engine {
  decode(packet: Uint8Array): Decoded | Promise<Decoded>;
  free(): void;
}

type Config = AudioDecoderConfig;

const ENGINES: Partial<Record<AudioCodec, (config: Config) => Promise<Engine>>> = {
  flac: async () => {
    const flac = new FLACDecoder();
    await flac.ready;
    return { decode: (packet) => flac.decodeFrames([packet]), free: () => flac.free() };
  },
  vorbis: vorbisEngine,
  opus: async (config) => {
    const opus = new OpusDecoder(opusOptions(bytesOf(config.description), config.numberOfChannels));
    await opus.ready;
    return { decode: (packet) => opus.decodeFrame(packet), free: () => opus.free() };
  },
  mp3: async () => {
    // Without the file's first frame, which the demuxer keeps, there is nothing to trim by.
    const mpeg = new MPEGDecoder({ enableGapless: false });
    await mpeg.ready;
    return { decode: (packet) => mpeg.decodeFrame(packet), free: () => mpeg.free() };
  },
};

/** The decoder wants pages; a page is made of each packet, after one with the identification and setup headers. */
async function vorbisEngine(config: Config): Promise<Engine> {
  const [identification, , setup] = xiphLaced(bytesOf(config.description));
  if (!identification || !setup) throw new Error('The Vorbis headers are missing.');
  const vorbis = new OggVorbisDecoder();
  await vorbis.ready;
  // The package's types know a page as its own parser makes it, with fields that its decoder does not read.
  const page = (packet: Uint8Array, frames: { [data]: Uint8Array }[]) =>
    ({
      [data]: packet,
      [codecFrames]: frames.map((frame) => ({ ...frame, [header]: { [vorbisSetup]: setup } })),
      [isLastPage]: false,
    }) as unknown as OggPage;
  await vorbis.decodeOggPages([page(identification, [])]);
  return {
    decode: (packet) => vorbis.decodeOggPages([page(packet, [{ [data]: packet }])]),
    free: () => vorbis.free(),
  };
}

/** The three headers as WebCodecs packs them: their count less one, the lengths of all but the last, the headers. */
function xiphLaced(bytes: Uint8Array): Uint8Array[] {
  let at = 1;
  const lengths: number[] = [];
  for (let i = 0; i < (bytes[0] ?? 0); i++) {
    let length = 0;
    while (bytes[at] === 255) length += bytes[at++] as number;
    lengths.push(length + (bytes[at++] ?? 0));
  }
  return [...lengths, bytes.length].map((length) => {
    const part = bytes.subarray(at, at + length);
    at += length;
    return part;
  });
}

/** RFC 7845, 5.1: streams and their mapping stand in the header where there are more than two channels. */
function opusOptions(head: Uint8Array, channels: number) {
  if (head.length < 21 || head[18] === 0) return { channels: Math.min(2, channels), preSkip: 0 };
  const [streamCount, coupledStreamCount] = [head[19] as number, head[20] as number];
  return { channels, preSkip: 0, streamCount, coupledStreamCount, channelMappingTable: [...head.subarray(21)] };
}

function bytesOf(source: AudioDecoderConfig['description']): Uint8Array {
  if (!source) return new Uint8Array(0);
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}

class WasmAudioDecoder extends CustomAudioDecoder {
  #engine: Engine | undefined;

  static override supports(codec: AudioCodec): boolean {
    return codec in ENGINES;
  }

  init(): Promise<void> {
    return this.#telling(async () => {
      this.#engine = await ENGINES[this.codec]?.(this.config);
    });
  }

  decode(packet: EncodedPacket): Promise<void> {
    return this.#telling(async () => {
      if (this.#engine) this.#give(await this.#engine.decode(packet.data), packet.timestamp);
    });
  }

  #give({ channelData, samplesDecoded, sampleRate, errors }: Decoded, timestamp: number): void {
    if (errors.length > 0) throw new Error(errors[0]?.message);
    if (samplesDecoded === 0) return;
    const data = new Float32Array(samplesDecoded * channelData.length);
    for (const [index, plane] of channelData.entries())
      data.set(plane.subarray(0, samplesDecoded), index * samplesDecoded);
    const shape = { format: 'f32-planar', numberOfChannels: channelData.length, sampleRate } as const;
    this.onSample(new AudioSample({ ...shape, data, timestamp }));
  }

  /** Failures are reported and never thrown: a rejected call also rejects `close`, which is not awaited, and ends the process. */
  async #telling(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.onError(error);
    }
  }

  flush(): void {
    // Each packet is decoded when it comes: nothing is left.
  }

  close(): void {
    this.#engine?.free();
    this.#engine = undefined;
  }
}

registerDecoder(WasmAudioDecoder);
// What is wrong with a caller's file is reported to the caller; the demuxer would log it.
Logging.level = LogLevel.Silent;
