/**
 * Writes fragmented MP4 (H.264 + AAC) while its frames are being drawn: a viewer may start on the first fragment.
 * Used by worker threads that draw; it knows nothing of what is drawn.
 */
import { VideoFrame } from '@napi-rs/webcodecs';
import {
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  NullTarget,
  Output,
} from 'mediabunny';
import { type Pcm, toAacRate } from './audio.ts';
import { startVoice } from './sound-track.ts';
import { VideoEncoder } from './webcodecs.ts';

const COLOUR = { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const;
/** A keyframe, and with it a fragment, every half second at the start, then every second: small files, quick start. */
const FIRST_FRAGMENT_S = 0.5;
const LATER_FRAGMENT_S = 1;
const QUICK_START_S = 2;
/** Sound is handed over this far ahead of the frames, since a fragment closes only when both tracks reach its end. */
const AUDIO_LEAD_S = 0.3;
/** Frames inside the encoder at once, and what they may hold: more would use memory for nothing. */
const ENCODER_QUEUE = 12;
const ENCODER_QUEUE_BYTES = 16 * 1_024 * 1_024;
/**
 * Images of even quality may take this many times the bitrate, and beyond it once what the bitrate gives in a second: snow
 * and storms pass (0.53 to 0.74 MB a second of 720p), and twenty seconds of the largest size stay below 64 MiB.
 */
const MOST_OF_BITRATE = 1.5;

/** Size, rate and sound of a video. */
export interface VideoShape {
  /** In pixels, even as H.264 asks for. */
  width: number;
  /** In pixels, even as H.264 asks for. */
  height: number;
  fps: number;
  /** The sound track, which sets the length. Absent: no track at all, and `seconds` sets it. */
  audio?: Pcm;
  /** Length of a video without sound. */
  seconds?: number;
  /** Bits per second of video; default 3.2 bits a pixel and second, at least 300 kbit/s. */
  bitrate?: number;
  /**
   * Each image gets the bits that it needs to look as good as the others; `isOver`: they came to too many. For
   * drawn images: at the bitrate of busy ones, calm ones took up to four times the bytes, and a third more of the
   * encoder's time.
   */
  isEven?: boolean;
  /**
   * Seconds from one keyframe, and fragment, to the next, for what is watched only when it is whole: at 2 a drawn video takes 3 to
   * 8 % less of the encoder and 7 to 18 % fewer bytes. Absent: as it is best for viewers who start on the first.
   */
  keyEveryS?: number;
}

/** The frames a recording of this length needs, and how long the last one is shown so that both tracks end together. */
function frameCount(seconds: number, fps: number): number {
  return Math.max(1, Math.ceil(seconds * fps - 0.25));
}

/** H.264 level that admits this size and rate (ITU-T H.264 table A-1, rounded up to what encoders write). */
function avcCodec(width: number, height: number, fps: number): string {
  const macroblocks = Math.ceil(width / 16) * Math.ceil(height / 16);
  const each = macroblocks * fps;
  if (macroblocks <= 1_620 && each <= 108_000) return 'avc1.42001f';
  if (macroblocks > 8_704) return 'avc1.420033';
  return macroblocks <= 8_192 && each <= 245_760 ? 'avc1.420028' : 'avc1.42002a';
}

/** One video: `add` its frames in order, then `finish`. Pieces go to `emit`: the init segment, then whole fragments. */
export async function startVideo(shape: VideoShape, emit: (piece: Uint8Array) => void) {
  const { width, height, fps } = shape;
  const audio = shape.audio && toAacRate(shape.audio);
  const seconds = audio ? audio.pcm.length / audio.rate : (shape.seconds ?? 1);
  const frames = frameCount(seconds, fps);
  // What finalising writes is one piece: the last packets of sound may start after the last frame, and the muxer then
  // gives them a fragment without a frame.
  let tail: Uint8Array[] | undefined;
  const { output, video, sound } = newOutput(audio !== undefined, emit, (piece) =>
    tail ? tail.push(piece) : emit(piece),
  );
  await output.start();

  let failure: unknown;
  const fail = (error: unknown) => {
    failure ??= error;
  };
  let pending: Promise<unknown> = Promise.resolve();
  // The muxer wants packets one after another; the encoders' callbacks do not wait.
  const inOrder = (work: () => Promise<unknown>) => {
    pending = pending.then(work).catch(fail);
  };

  let videoConfig: unknown;
  let written = 0;
  const bitrate = shape.bitrate ?? Math.max(300_000, Math.round(width * height * 3.2));
  let ahead = 0;
  let isOver = false;
  const encoder = new VideoEncoder({
    error: fail,
    output: (chunk, meta) => {
      if (meta?.decoderConfig) videoConfig ??= { ...meta.decoderConfig, colorSpace: COLOUR };
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      ahead = Math.max(0, ahead + 8 * data.length - (MOST_OF_BITRATE * bitrate) / fps);
      isOver ||= ahead > bitrate;
      const at = written++ / fps;
      const length = written === frames ? Math.max(1e-3, seconds - at) : 1 / fps;
      const packet = new EncodedPacket(data, chunk.type, at, length);
      inOrder(() => video.add(packet, { decoderConfig: videoConfig } as Parameters<typeof video.add>[1]));
    },
  });
  encoder.configure({
    codec: avcCodec(width, height, fps),
    width,
    height,
    framerate: fps,
    bitrate,
    ...(shape.isEven ? { bitrateMode: 'quantizer' } : {}),
    latencyMode: 'quality',
  });

  const voice = audio && startVoice(audio, (packet, meta) => inOrder(() => sound.add(packet, meta)), fail);
  const queueLength = Math.min(ENCODER_QUEUE, Math.floor(ENCODER_QUEUE_BYTES / (width * height * 1.5)));
  let index = 0;
  let nextKeyS = 0;

  return {
    frames,
    seconds,
    /**
     * Images of even quality took far more than the bitrate; the encoder knows no limit in that mode, and noise took seven
     * times it, more than the H.264 level admits. The video is to be made again without `isEven`.
     */
    isOver: () => shape.isEven === true && isOver,
    /** Encodes one I420 frame; its buffer may be reused at once. */
    async add(i420: Uint8Array): Promise<void> {
      if (failure) throw failure;
      const at = index / fps;
      const keyFrame = at + 1e-6 >= nextKeyS;
      if (keyFrame) nextKeyS = at + (shape.keyEveryS ?? (at < QUICK_START_S ? FIRST_FRAGMENT_S : LATER_FRAGMENT_S));
      const times = { timestamp: Math.round(at * 1e6), duration: Math.round(1e6 / fps), colorSpace: COLOUR };
      const frame = new VideoFrame(i420, { format: 'I420', codedWidth: width, codedHeight: height, ...times });
      encoder.encode(frame, { keyFrame });
      frame.close();
      index += 1;
      voice?.upTo(at + AUDIO_LEAD_S);
      do await new Promise((resolve) => setImmediate(resolve));
      while (encoder.encodeQueueSize > queueLength && !failure);
    },
    async finish(): Promise<void> {
      await voice?.finish();
      await encoder.flush();
      await pending;
      if (failure) throw failure;
      tail = [];
      await output.finalize();
      this.close();
      emit(concat(tail));
    },
    /** Frees the encoders; for a video that is given up. */
    close(): void {
      if (encoder.state !== 'closed') encoder.close();
      voice?.close();
    },
  };
}

function newOutput(
  hasSound: boolean,
  emitInit: (piece: Uint8Array) => void,
  emitFragment: (piece: Uint8Array) => void,
) {
  let head: Uint8Array | undefined;
  const hold = (data: Uint8Array) => {
    head = data.slice();
  };
  const join = (emit: (piece: Uint8Array) => void) => (data: Uint8Array) => {
    emit(concat(head ? [head, data] : [data]));
    head = undefined;
  };
  const format = new Mp4OutputFormat({
    fastStart: 'fragmented',
    minimumFragmentDuration: 0.1, // Keyframes alone decide where fragments end.
    onFtyp: hold,
    onMoov: join(emitInit),
    onMoof: hold,
    onMdat: join(emitFragment),
  });
  const output = new Output({ format, target: new NullTarget() });
  const video = new EncodedVideoPacketSource('avc');
  const sound = new EncodedAudioPacketSource('aac');
  output.addVideoTrack(video);
  if (hasSound) output.addAudioTrack(sound);
  return { output, video, sound };
}

/** One array that owns its memory, so that it can be moved between threads. */
function concat(parts: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
