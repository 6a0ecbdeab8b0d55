/** The embedded codec on real bytes: what goes in comes out, at the right time, with the index in front. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { createCodec } from '../../../src/engines/embedded/codec/index.ts';
import { sharedDecoders } from '../../support/decoders.ts';

const decoders = sharedDecoders();
const codec = createCodec({ decoders });
afterAll(() => codec.close());

/** A tone with one loud burst, so that offsets can be measured. */
function recording(rate: number, seconds: number, burstAt: number): Int16Array {
  const pcm = new Int16Array(Math.round(rate * seconds));
  for (let i = 0; i < pcm.length; i++) {
    const loud = i >= burstAt * rate && i < (burstAt + 0.02) * rate;
    pcm[i] = Math.round((loud ? 20_000 : 300) * Math.sin((2 * Math.PI * 700 * i) / rate));
  }
  return pcm;
}

const firstLoud = (pcm: Int16Array) => pcm.findIndex((value) => Math.abs(value) > 6_000);

/** Names of the boxes at the top of an MP4. */
function boxes(file: Uint8Array): string[] {
  const names: string[] = [];
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  for (let at = 0; at + 8 <= file.length; at += view.getUint32(at)) {
    names.push(String.fromCharCode(...file.subarray(at + 4, at + 8)));
  }
  return names;
}

function wav(pcm: Int16Array, rate: number): Uint8Array {
  const file = new Uint8Array(44 + pcm.length * 2);
  const view = new DataView(file.buffer);
  const text = (at: number, value: string) => file.set(new TextEncoder().encode(value), at);
  text(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, pcm.length * 2, true);
  file.set(new Uint8Array(pcm.buffer), 44);
  return file;
}

describe('encodeAudio and decodeAudio', () => {
  test.each([22_050, 24_000, 44_100, 48_000])('%i Hz keeps its rate, its length and its moments', async (rate) => {
    const pcm = recording(rate, 1.234, 0.7);
    const file = await codec.encodeAudio(pcm, rate);
    expect(boxes(file)).toEqual(['ftyp', 'moov', 'mdat']);
    expect(await codec.durationSeconds(file)).toBeCloseTo(1.234, 2);
    const back = await codec.decodeAudio(file);
    expect(back.rate).toBe(rate);
    expect(Math.abs(back.pcm.length - pcm.length)).toBeLessThan(rate / 500);
    expect(Math.abs(firstLoud(back.pcm) - firstLoud(pcm)) / rate).toBeLessThan(0.003);
  });

  test('a rate AAC does not know is resampled', async () => {
    const pcm = recording(20_000, 1, 0.5);
    const back = await codec.decodeAudio(await codec.encodeAudio(pcm, 20_000));
    expect(back.rate).toBe(22_050);
    expect(firstLoud(back.pcm) / back.rate).toBeCloseTo(0.5, 2);
  });

  test('speech costs no more than about 100 kbit/s', async () => {
    expect((await codec.encodeAudio(recording(22_050, 4, 1), 22_050)).length).toBeLessThan(50_000);
  });

  test('WAV is read exactly', async () => {
    const pcm = recording(16_000, 0.5, 0.2);
    const back = await codec.decodeAudio(wav(pcm, 16_000));
    expect(back.rate).toBe(16_000);
    expect(back.pcm.length).toBe(pcm.length);
    expect(Math.max(...back.pcm.map((value, i) => Math.abs(value - (pcm[i] ?? 0))))).toBeLessThanOrEqual(1);
  });

  test('an empty recording still gives a file that plays', async () => {
    expect(await codec.durationSeconds(await codec.encodeAudio(new Int16Array(0), 22_050))).toBeGreaterThan(0);
  });
});

describe('files that are not recordings', () => {
  const garbage = new TextEncoder().encode('this is not a recording at all'.repeat(20));
  test.each(['faststart', 'durationSeconds', 'decodeAudio'] as const)('%s answers BAD_INPUT', async (name) => {
    await expect(codec[name](garbage)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('frames of a sound file: BAD_INPUT', async () => {
    const file = await codec.encodeAudio(recording(22_050, 0.2, 0.1), 22_050);
    await expect(codec.decodeFrames(file, [0])).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

test('the self-test passes where the binary is installed', async () => {
  await expect(codec.selfTest()).resolves.toBeUndefined();
});

test('a closed codec says so', async () => {
  const other = createCodec({ decoders });
  await other.close();
  await expect(other.faststart(new Uint8Array(4))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});
