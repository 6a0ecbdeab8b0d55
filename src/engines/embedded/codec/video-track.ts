/** The video track of a video: its frames as H.264, encoded as they are drawn. */
import { VideoFrame } from '@napi-rs/webcodecs';
import { EncodedPacket, type EncodedVideoPacketSource } from 'mediabunny';
import { VideoEncoder } from './webcodecs.ts';

const COLOUR = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;
/** Frames inside the encoder at once, and what they may hold: more would use memory for nothing. */
const ENCODER_QUEUE = 12;
const ENCODER_QUEUE_BYTES = 16 * 1_024 * 1_024;
/**
 * Images of even quality may take this many times the bitrate, and beyond it once what the bitrate gives in a second: snow
 * and storms pass (0.53 to 0.74 MB a second of 720p), and twenty seconds of the largest size stay below 64 MiB.
 */
const MOST_OF_BITRATE = 1.5;

/** The frames of a video. */
export interface TrackShape {
  /** In pixels, even as H.264 asks for. */
  width: number;
  /** In pixels, even as H.264 asks for. */
  height: number;
  fps: number;
  /** How many frames there will be; the last one is shown until `seconds`. */
  frames: number;
  /** Length of the track. */
  seconds: number;
  /** Bits per second. */
  bitrate: number;
  /** Each image gets the bits that it needs to look as good as the others, instead of an equal part of `bitrate`. */
  isEven: boolean;
}

type AddVideo = (packet: EncodedPacket, meta: Parameters<EncodedVideoPacketSource['add']>[1]) => void;

/** H.264 level that admits this size and rate (ITU-T H.264 table A-1, rounded up to what encoders write). */
function avcCodec(width: number, height: number, fps: number): string {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const each = macroblocks * fps;
  if (macroblocks <= 1_620 && each <= 108_000) return 'avc1.42001f';
  if (macroblocks > 8_704) return 'avc1.420033';
  return macroblocks <= 8_192 && each <= 245_760 ? 'avc1.420028' : 'avc1.42002a';
}

/** Whether a track has come to more bits than images of even quality may take. */
function bitCount({ bitrate, fps }: TrackShape) {
  let ahead = 0;
  let isOver = false;
  return {
    count(bytes: number): void {
      ahead = Math.max(0, ahead + 8 * bytes - (MOST_OF_BITRATE * bitrate) / fps);
      isOver ||= ahead > bitrate;
    },
    isOver: () => isOver,
  };
}

/** Opens an encoder for frames that are given in order; its packets go to `add`, its failures to `fail`. */
export function startFrames(shape: TrackShape, add: AddVideo, fail: (error: unknown) => void) {
  const { width, height, fps, frames, seconds, bitrate, isEven } = shape;
  const bits = bitCount(shape);
  let decoderConfig: unknown;
  let written = 0;
  const encoder = new VideoEncoder({
    error: fail,
    output: (chunk, meta) => {
      if (meta?.decoderConfig) decoderConfig ??= { ...meta.decoderConfig, colorSpace: COLOUR };
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      bits.count(data.length);
      const at = written++ / fps;
      const length = written === frames ? Math.max(1e-3, seconds - at) : 1 / fps;
      const packet = new EncodedPacket(data, chunk.type, at, length);
      add(packet, { decoderConfig } as Parameters<AddVideo>[1]);
    },
  });
  encoder.configure({
    codec: avcCodec(width, height, fps),
    width,
    height,
    framerate: fps,
    bitrate,
    ...(isEven ? { bitrateMode: 'quantizer' } : {}),
    latencyMode: 'quality',
  });
  const queueLength = Math.min(ENCODER_QUEUE, Math.floor(ENCODER_QUEUE_BYTES / (width * height * 1.5)));
  return {
    /** Whether images of even quality took more bits than they may. */
    isOver: () => isEven && bits.isOver(),
    /** False while as many frames wait in the encoder as may. */
    hasRoom: () => encoder.encodeQueueSize <= queueLength,
    /** Encodes one I420 frame, shown from `at` seconds on; its buffer may be reused at once. */
    encode(i420: Uint8Array, at: number, keyFrame: boolean): void {
      const times = { timestamp: Math.round(at * 1e6), duration: Math.round(1e6 / fps), colorSpace: COLOUR };
      const frame = new VideoFrame(i420, { format: 'I420', codedWidth: width, codedHeight: height, ...times });
      encoder.encode(frame, { keyFrame });
      frame.close();
    },
    flush: () => encoder.flush(),
    close(): void {
      if (encoder.state !== 'closed') encoder.close();
    },
  };
}
