/**
 * The embedded media codec: AAC and MP4 in and out, on `@napi-rs/webcodecs` and `mediabunny`, with no system ffmpeg.
 * What we make is encoded in worker threads because native `encode()` occupies its thread; whatever is decoded goes to
 * the decoder processes, since its bytes may come from anywhere. It stores nothing.
 */
import { built } from '../../ports/built.ts';
import { PlatformError } from '../../ports/errors.ts';
import type { InputSource, MediaCodec, SoundRules } from '../../ports/index.ts';
import { createPool } from '../../ports/threads.ts';
import type { Frame } from './frames.ts';
import type { CodecTask } from './thread.ts';

/** Where bytes that may come from anywhere are decoded, away from this process. Rejects as the codec does. */
export interface MediaDecoders {
  seconds(file: Uint8Array, source: InputSource): Promise<number>;
  sound(file: Uint8Array, source: InputSource & SoundRules): Promise<{ pcm: Int16Array; rate: number }>;
  frames(file: Uint8Array, atMs: number[], source: InputSource): Promise<Frame[]>;
}

/** The codec with its threads. */
export type EmbeddedCodec = MediaCodec & {
  /** Ends the threads; later calls reject with UNAVAILABLE. */
  close(): Promise<void>;
};

/** @param options.threads most threads at once; default 1, since recordings are short and rarely two at a time. */
export function createCodec(options: { decoders: MediaDecoders; threads?: number }): EmbeddedCodec {
  const { decoders } = options;
  const entry = built('src/engines/embedded/codec/thread.js');
  const pool = createPool(entry, options.threads ?? 1);
  const call = <T>(...task: CodecTask) => pool.run<T>(task);
  return {
    selfTest: () =>
      call<void>('selfTest').catch((cause: unknown) => {
        // A missing binary throws while the thread loads, before the self-test can speak for itself.
        if (cause instanceof PlatformError && cause.code === 'UNAVAILABLE') throw cause;
        const sentence =
          'The package @napi-rs/webcodecs 1.3.1 has no binary that loads on this machine: npm install it.';
        throw new PlatformError('UNAVAILABLE', sentence, { cause });
      }),
    encodeAudio: (pcm, rate) => call('encodeAudio', { pcm, rate }),
    faststart: (fragmented) => call('faststart', fragmented),
    durationSeconds: (file, of) => decoders.seconds(file, { field: 'file', ...of }),
    decodeAudio: (file, of) => decoders.sound(file, { field: 'file', ...of }),
    decodeFrames: (file, atMs, of) => decoders.frames(file, atMs, { field: 'file', ...of }),
    close: () => pool.close(),
  };
}
