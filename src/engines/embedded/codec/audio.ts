/**
 * Speech to AAC packets and recordings back to mono PCM, on `@napi-rs/webcodecs`. Runs in the codec's and the talking
 * head's threads; it never touches files or the network.
 */
import { AudioData, AudioEncoder, type EncodedAudioChunk } from '@napi-rs/webcodecs';
import {
  ALL_FORMATS,
  type AudioSample,
  AudioSampleSink,
  BufferSource,
  type EncodedAudioPacketSource,
  EncodedPacket,
  Input,
  type InputAudioTrack,
} from 'mediabunny';
import { badInput } from '../../../kernel/errors.ts';

/** Sample rates that AAC-LC knows and browsers play. */
const AAC_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000];
export const AAC_CODEC = 'mp4a.40.2';
/** Samples in one AAC packet; the encoder also puts this much silence before the first sample. */
export const PACKET_SAMPLES = 1024;
/** Longest recording that is decoded, so that a small crafted file cannot fill the memory. */
const DECODE_LIMIT_S = 3_600;

export interface Pcm {
  /** Mono. */
  pcm: Int16Array;
  /** Samples per second. */
  rate: number;
}

/** What mediabunny wants with the packets of a track. */
export type AudioMeta = NonNullable<Parameters<EncodedAudioPacketSource['add']>[1]>;

export interface AacTrack {
  packets: EncodedPacket[];
  meta: AudioMeta;
}

/** 64 kbit/s carries speech up to 24 kHz; above that there is music and breath worth 96. */
export function bitrateFor(rate: number): number {
  return rate > 24_000 ? 96_000 : 64_000;
}

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
  encoder.configure({ codec: AAC_CODEC, sampleRate: rate, numberOfChannels: 1, bitrate: bitrateFor(rate) });
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

/** Windowed-sinc resampling (8 lobes, Hann); cuts above the lower Nyquist frequency, so nothing folds back. */
export function resample(pcm: Int16Array, from: number, to: number): Int16Array {
  if (from === to) return pcm;
  const out = new Int16Array(Math.round((pcm.length * to) / from));
  const cut = Math.min(1, to / from);
  const reach = 8 / cut;
  for (let i = 0; i < out.length; i++) {
    const centre = (i * from) / to;
    let sum = 0;
    let weights = 0;
    for (let k = Math.ceil(centre - reach); k <= centre + reach; k++) {
      const x = (k - centre) * cut;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      const weight = sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / 8));
      sum += weight * (pcm[Math.min(pcm.length - 1, Math.max(0, k))] ?? 0);
      weights += weight;
    }
    out[i] = Math.max(-32768, Math.min(32767, Math.round(sum / weights)));
  }
  return out;
}

/** Any recording (mp3, flac, wav, ogg, mp4, webm) as mono PCM at its own rate. Rejects with BAD_INPUT without audio. */
export async function decodeAudio(file: Uint8Array): Promise<Pcm> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const track = await input.getPrimaryAudioTrack().catch(() => null);
  if (!track) throw badInput('file', 'must hold audio (mp3, flac, wav, ogg or mp4).');
  const blocks: Int16Array[] = [];
  let rate = 0;
  let total = 0;
  for await (const sample of new AudioSampleSink(track).samples()) {
    const block = mono(sample);
    rate ||= sample.sampleRate;
    sample.close();
    blocks.push(block);
    total += block.length;
    if (total > DECODE_LIMIT_S * rate) throw badInput('file', `must be shorter than ${DECODE_LIMIT_S} seconds.`);
  }
  const length = Math.min(total, await wholeLength(track, rate, total));
  const pcm = new Int16Array(length);
  let at = 0;
  for (const block of blocks) {
    const part = block.subarray(0, Math.max(0, length - at));
    pcm.set(part, at);
    at += part.length;
  }
  return { pcm, rate };
}

/** A last packet may declare fewer samples than it decodes to (AAC): the declared length is the true one. */
async function wholeLength(track: InputAudioTrack, rate: number, total: number) {
  const declared = Math.round((await track.computeDuration()) * rate);
  return declared > total - 2 * PACKET_SAMPLES ? declared : total;
}

function mono(sample: AudioSample): Int16Array {
  const { numberOfChannels: channels, numberOfFrames: frames } = sample;
  const plane = new Float32Array(frames);
  const mix = new Float32Array(frames);
  for (let planeIndex = 0; planeIndex < channels; planeIndex++) {
    sample.copyTo(plane, { planeIndex, format: 'f32-planar' });
    for (let i = 0; i < frames; i++) mix[i] = (mix[i] ?? 0) + (plane[i] ?? 0) / channels;
  }
  return Int16Array.from(mix, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32767))));
}
