/**
 * The sound track of a video, encoded as far as its frames have come: a long speech does not delay the first fragment.
 */
import { AudioData, type EncodedAudioChunk } from '@napi-rs/webcodecs';
import { type EncodedAudioPacketSource, EncodedPacket } from 'mediabunny';
import { AAC_BITRATE, AAC_CODEC, PACKET_SAMPLES, type Pcm } from './audio.ts';
import { AudioEncoder } from './webcodecs.ts';

type AddSound = (packet: EncodedPacket, meta: Parameters<EncodedAudioPacketSource['add']>[1]) => void;

/** Feeds `pcm`, at a rate AAC knows, to an encoder; its packets go to `add`, its failures to `fail`. */
export function startVoice({ pcm, rate }: Pcm, add: AddSound, fail: (error: unknown) => void) {
  let fed = 0;
  let arrived = -1; // The first packet is the encoder's lead-in (see `encodeAac`) and is dropped.
  let decoderConfig: unknown;
  const encoder = new AudioEncoder({
    error: fail,
    output: (chunk: EncodedAudioChunk, meta) => {
      decoderConfig ??= meta?.decoderConfig;
      const start = arrived++ * PACKET_SAMPLES;
      if (start < 0 || start >= pcm.length) return;
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      const length = Math.min(PACKET_SAMPLES, pcm.length - start) / rate;
      const packet = new EncodedPacket(data, 'key', start / rate, length);
      add(packet, { decoderConfig } as Parameters<EncodedAudioPacketSource['add']>[1]);
    },
  });
  encoder.configure({ codec: AAC_CODEC, sampleRate: rate, numberOfChannels: 1, bitrate: AAC_BITRATE });
  const upTo = (second: number) => {
    const end = Math.min(pcm.length, Math.ceil((second * rate) / PACKET_SAMPLES) * PACKET_SAMPLES);
    if (end <= fed) return;
    const data = pcm.subarray(fed, end);
    const init = { format: 's16', sampleRate: rate, numberOfFrames: data.length, numberOfChannels: 1 } as const;
    const block = new AudioData({ ...init, timestamp: Math.round((fed * 1e6) / rate), data });
    encoder.encode(block);
    block.close();
    fed = end;
  };
  return {
    upTo,
    async finish() {
      upTo(Number.POSITIVE_INFINITY);
      await encoder.flush();
    },
    close() {
      if (encoder.state !== 'closed') encoder.close();
    },
  };
}
