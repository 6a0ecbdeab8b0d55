/**
 * Proves at start that this machine encodes: one H.264 frame and one AAC packet. Says which package is at fault when
 * it does not, since `@napi-rs/webcodecs` installs without error even where its binary is missing.
 */
import { VideoFrame } from '@napi-rs/webcodecs';
import { PlatformError } from '../../ports/errors.ts';
import { encodeAac } from './audio.ts';
import { VideoEncoder } from './webcodecs.ts';

const SIDE = 64;

/** Rejects with UNAVAILABLE and one sentence naming the package that is missing or broken. */
export async function selfTest(): Promise<void> {
  const bytes = await encodeFrame().catch((cause: unknown) => fail('H.264 video', cause));
  if (bytes === 0) fail('H.264 video', undefined);
  const { packets } = await encodeAac({ pcm: new Int16Array(4096), rate: 22_050 }).catch((cause: unknown) =>
    fail('AAC audio', cause),
  );
  if (packets.length === 0) fail('AAC audio', undefined);
}

function fail(what: string, cause: unknown): never {
  const detail = cause instanceof Error ? ` (${cause.message})` : '';
  const sentence = `The package @napi-rs/webcodecs 1.3.1 does not encode ${what} on this machine${detail}.`;
  throw new PlatformError('UNAVAILABLE', sentence, { cause });
}

async function encodeFrame(): Promise<number> {
  let bytes = 0;
  let failure: Error | undefined;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      bytes += chunk.byteLength;
    },
    error: (error) => {
      failure ??= error;
    },
  });
  encoder.configure({ codec: 'avc1.42001f', width: SIDE, height: SIDE, framerate: 25, latencyMode: 'quality' });
  const grey = new Uint8Array((SIDE * SIDE * 3) / 2).fill(128);
  const shape = { format: 'I420', codedWidth: SIDE, codedHeight: SIDE } as const;
  const frame = new VideoFrame(grey, { ...shape, timestamp: 0, duration: 40_000 });
  encoder.encode(frame, { keyFrame: true });
  frame.close();
  await encoder.flush();
  encoder.close();
  if (failure) throw failure;
  return bytes;
}
