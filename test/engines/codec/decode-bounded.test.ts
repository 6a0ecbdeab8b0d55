/** A video is decoded no further ahead than its reader is: frames are large, packets are small. */
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import type { VideoFrame } from '@napi-rs/webcodecs';
import '@napi-rs/webcodecs/polyfill';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { BoundedVideoDecoder } from '../../../src/engines/embedded/codec/decode/bounded.ts';
import { until } from '../../support/until.ts';

/**
 * Four frames, and those inside the native decoder when the fourth came, which it may hand over late and together: 8 to
 * 11 on two idle cores, 28 at most. A decoder that runs ahead of its reader holds nearly all 120.
 */
const MOST_FRAMES = 40;

test('all packets may be handed over at once: a reader who is slow holds few frames and still gets every one', async () => {
  const file = await readFile(new URL('../../fixtures/short.mp4', import.meta.url));
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const track = (await input.getPrimaryVideoTrack())!;
  const held: VideoFrame[] = [];
  const errors: Error[] = [];
  const decoder = new BoundedVideoDecoder({
    output: (frame) => void held.push(frame),
    error: (error) => void errors.push(error),
  });
  decoder.configure((await track.getDecoderConfig()) as never);
  let packets = 0;
  for (let round = 0; round < 10; round += 1) {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      decoder.decode(packet.toEncodedVideoChunk() as never);
      packets += 1;
    }
  }
  expect(packets).toBeGreaterThan(2 * MOST_FRAMES);
  let isFlushed = false;
  const flushed = decoder.flush().then(() => {
    isFlushed = true;
  });
  let [read, most] = [0, 0];
  const take = (): void => {
    most = Math.max(most, held.length);
    held.shift()?.close();
    read += 1;
  };
  while (await until(async () => (held.length > 0 ? 'frame' : isFlushed && 'end')).then((what) => what === 'frame'))
    take();
  await flushed;
  decoder.close();
  expect(errors).toEqual([]);
  expect(read).toBe(packets);
  expect(most).toBeLessThanOrEqual(MOST_FRAMES);
});
