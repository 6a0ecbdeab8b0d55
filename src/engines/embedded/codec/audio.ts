/**
 * Speech to AAC packets, on `@napi-rs/webcodecs`. Runs in the codec's and the talking head's threads; it never touches
 * files or the network, and reads nothing that others made (`decode/` does).
 */
import { AudioData, type EncodedAudioChunk } from '@napi-rs/webcodecs';
import { type EncodedAudioPacketSource, EncodedPacket } from 'mediabunny';
import { badInput } from '../../ports/errors.ts';
import { AudioEncoder } from './webcodecs.ts';

/** Sample rates that AAC-LC knows and browsers play. */
const AAC_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000];
/** Codec string of AAC-LC. */
export const AAC_CODEC = 'mp4a.40.2';
/** Samples in one AAC packet; the encoder also puts this much silence before the first sample. */
export const PACKET_SAMPLES = 1024;

/** Sound that is not encoded. */
export interface Pcm {
  /** Samples of one channel. */
  pcm: Int16Array;
  /** Samples per second. */
  rate: number;
}

/** What mediabunny wants with the packets of a track. */
export type AudioMeta = NonNullable<Parameters<EncodedAudioPacketSource['add']>[1]>;

/** Encoded sound. */
export interface AacTrack {
  packets: EncodedPacket[];
  meta: AudioMeta;
}

/**
 * Bits per second, whatever is said: at 64 kbit/s the encoder spoils about one packet in seventy, heard as a click, whose
 * peaks lie up to 2.9 dB above what it was given; at this rate one in three hundred, 0.2 dB above (28 voices).
 */
export const AAC_BITRATE = 96_000;

/** The audio as AAC packets whose time 0 is the first sample of `pcm` and whose durations add up to it exactly. */
export async function encodeAac(input: Pcm): Promise<AacTrack> {
  const { pcm, rate } = toAacRate(input);
  const chunks: EncodedAudioChunk[] = [];
  let decoderConfig: unknown;
  let failure: Error | undefined;
  const encoder = new AudioEncoder({
    output: (chunk, meta) => {
      chunks.push(chunk);
      decoderConfig ??= meta?.decoderConfig;
    },
    error: (error) => {
      failure ??= error;
    },
  });
  encoder.configure({ codec: AAC_CODEC, sampleRate: rate, numberOfChannels: 1, bitrate: AAC_BITRATE });
  for (let at = 0; at < pcm.length; at += PACKET_SAMPLES * 16) {
    const data = pcm.subarray(at, at + PACKET_SAMPLES * 16);
    const timestamp = Math.round((at * 1e6) / rate);
    const init = { format: 's16', sampleRate: rate, numberOfFrames: data.length, numberOfChannels: 1 } as const;
    const block = new AudioData({ ...init, timestamp, data });
    encoder.encode(block);
    block.close();
  }
  await encoder.flush();
  encoder.close();
  if (failure) throw failure;
  return { packets: trimmed(chunks, pcm.length, rate), meta: { decoderConfig } as AudioMeta };
}

/**
 * The first packet holds only the encoder's 1024 samples of lead-in: dropping it puts sound and lips in step without
 * an edit list, which Media Source Extensions treat differently between browsers (measured: offset 0 samples).
 */
function trimmed(chunks: EncodedAudioChunk[], samples: number, rate: number): EncodedPacket[] {
  const packets: EncodedPacket[] = [];
  for (const [index, chunk] of chunks.slice(1).entries()) {
    const start = index * PACKET_SAMPLES;
    if (start >= samples) break;
    const data = new Uint8Array(chunk.byteLength);
    chunk.copyTo(data);
    packets.push(new EncodedPacket(data, 'key', start / rate, Math.min(PACKET_SAMPLES, samples - start) / rate));
  }
  return packets;
}

/** The same sound at a rate AAC knows; at least one packet long, since a track needs a packet. */
export function toAacRate({ pcm, rate }: Pcm): Pcm {
  if (!(rate >= 4_000 && rate <= 384_000)) throw badInput('rate', 'must be a sample rate between 4000 and 384000 Hz.');
  const samples = pcm.length > 0 ? pcm : new Int16Array(PACKET_SAMPLES); // A track needs a packet.
  if (AAC_RATES.includes(rate)) return { pcm: samples, rate };
  const nearest = AAC_RATES.find((one) => one >= rate) ?? 48_000;
  return { pcm: resample(samples, rate, nearest), rate: nearest };
}

/** Lobes of the resampling kernel on each side, and its samples per lobe: between two of them it is as good as straight. */
const LOBES = 8;
const KERNEL_STEPS = 512;

/** Windowed sinc (Hann), from its centre to its edge and one sample beyond. */
const KERNEL = Float64Array.from({ length: LOBES * KERNEL_STEPS + 2 }, (_, i) => {
  const x = Math.min(LOBES, i / KERNEL_STEPS);
  const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
  return sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / LOBES));
});

/** Windowed-sinc resampling; cuts above the lower Nyquist frequency, so nothing folds back. Rates need not be whole. */
export function resample(pcm: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return pcm;
  const out = new Int16Array(Math.round((pcm.length * to) / from));
  const cut = Math.min(1, to / from);
  const reach = LOBES / cut;
  const last = pcm.length - 1;
  for (let i = 0; i < out.length; i++) {
    const centre = (i * from) / to;
    let sum = 0;
    let weights = 0;
    for (let k = Math.ceil(centre - reach); k <= centre + reach; k++) {
      const place = Math.abs(k - centre) * cut * KERNEL_STEPS;
      const step = Math.floor(place);
      const low = KERNEL[step] as number;
      const weight = low + ((KERNEL[step + 1] as number) - low) * (place - step);
      sum += weight * (pcm[Math.max(0, Math.min(last, k))] as number);
      weights += weight;
    }
    out[i] = Math.max(-32768, Math.min(32767, Math.round(sum / weights)));
  }
  return out;
}
