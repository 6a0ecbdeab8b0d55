/**
 * Writes fragmented MP4 (H.264 + AAC) while its frames are being drawn: a viewer may start on the first fragment.
 * Used by worker threads that draw; it knows nothing of what is drawn.
 */
import { EncodedAudioPacketSource, EncodedVideoPacketSource, Mp4OutputFormat, NullTarget, Output } from 'mediabunny';
import { type Pcm, toAacRate } from './audio.ts';
import { startVoice } from './sound-track.ts';
import { startFrames } from './video-track.ts';

/** A keyframe, and with it a fragment, every half second at the start, then every second: small files, quick start. */
const FIRST_FRAGMENT_S = 0.5;
const LATER_FRAGMENT_S = 1;
const QUICK_START_S = 2;
/** Sound is handed over this far ahead of the frames, since a fragment closes only when both tracks reach its end. */
const AUDIO_LEAD_S = 0.3;

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
   * Each image gets the bits that it needs to look as good as the others; where they come to too many, the video's `isOver`
   * says so. For drawn images: at the bitrate of busy ones, calm ones took up to four times the bytes, and a third more of the
   * encoder's time.
   */
  isEven?: boolean;
  /**
   * Seconds from one keyframe, and fragment, to the next, for what is watched only when it is whole: at 2 a drawn video takes 3 to
   * 8 % less of the encoder and 7 to 18 % fewer bytes. Absent: as it is best for viewers who start on the first.
   */
  keyEveryS?: number;
}

/** The frames that a recording of this length needs; the last one is shown until both tracks end. */
function frameCount(seconds: number, fps: number): number {
  return Math.max(1, Math.ceil(seconds * fps - 0.25));
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

  const bitrate = shape.bitrate ?? Math.max(300_000, Math.round(width * height * 3.2));
  const track = { width, height, fps, frames, seconds, bitrate, isEven: shape.isEven ?? false };
  const images = startFrames(track, (packet, meta) => inOrder(() => video.add(packet, meta)), fail);
  const voice = audio && startVoice(audio, (packet, meta) => inOrder(() => sound.add(packet, meta)), fail);
  let index = 0;
  let nextKeyS = 0;

  return {
    frames,
    seconds,
    /**
     * Images of even quality took far more than the bitrate; the encoder knows no limit in that mode, and noise took seven
     * times it, more than the H.264 level admits. The video is to be made again without `isEven`.
     */
    isOver: images.isOver,
    /** Encodes one I420 frame; its buffer may be reused at once. */
    async add(i420: Uint8Array): Promise<void> {
      if (failure) throw failure;
      const at = index / fps;
      const keyFrame = at + 1e-6 >= nextKeyS;
      if (keyFrame) nextKeyS = at + (shape.keyEveryS ?? (at < QUICK_START_S ? FIRST_FRAGMENT_S : LATER_FRAGMENT_S));
      images.encode(i420, at, keyFrame);
      index += 1;
      voice?.upTo(at + AUDIO_LEAD_S);
      do await new Promise((resolve) => setImmediate(resolve));
      while (!images.hasRoom() && !failure);
    },
    async finish(): Promise<void> {
      await voice?.finish();
      await images.flush();
      await pending;
      if (failure) throw failure;
      tail = [];
      await output.finalize();
      this.close();
      emit(concat(tail));
    },
    /** Frees the encoders; for a video that is given up. */
    close(): void {
      images.close();
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
