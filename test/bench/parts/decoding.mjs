/** A recording and a photograph, opened in this process and by the decoder processes. */
import '@napi-rs/webcodecs/polyfill';
import { AudioSample, AudioSampleSource, BufferTarget, Mp3OutputFormat, Output } from 'mediabunny';
import sharp from 'sharp';
import { reencodeImage } from '../../../dist/src/engines/decoders/image.js';
import { createDecoders } from '../../../dist/src/engines/decoders/index.js';
import { decodeAudio } from '../../../dist/src/engines/embedded/codec/decode/index.js';
import { servePart } from '../support/parts.mjs';

const SECONDS = 30;
const RATE = 44_100;
const PHOTO = { width: 3_000, height: 2_000 };

async function mp3() {
  const output = new Output({ format: new Mp3OutputFormat(), target: new BufferTarget() });
  const source = new AudioSampleSource({ codec: 'mp3', bitrate: 128_000 });
  output.addAudioTrack(source);
  await output.start();
  for (let second = 0; second < SECONDS; second += 1) {
    const data = Float32Array.from(
      { length: RATE },
      (_, i) => 0.3 * Math.sin(((second * RATE + i) * 440 * 6.283) / RATE),
    );
    const init = { format: 'f32', sampleRate: RATE, numberOfChannels: 1, timestamp: second };
    await source.add(new AudioSample({ ...init, data }));
  }
  await output.finalize();
  return new Uint8Array(output.target.buffer);
}

servePart(async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 };
  const photo = await sharp({ create: { ...PHOTO, channels: 3, noise } })
    .blur(2)
    .jpeg()
    .toBuffer();
  const sound = await mp3();
  const decoders = createDecoders();
  return {
    facts: { seconds: SECONDS, ...PHOTO },
    soundHere: async () => void (await decodeAudio(sound)),
    soundThere: async () => void (await decoders.sound(sound, { field: 'audio' })),
    photoHere: async () => void (await reencodeImage(photo, { field: 'image' })),
    photoThere: async () => void (await decoders.image(photo, { field: 'image' })),
    close: () => decoders.close(),
  };
});
