/** Every recording that is documented decodes to its length, level and pitch; what is none is refused with a sentence. */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import type { SoundRules } from '../../../src/engines/ports/index.ts';
import { createPool } from '../../../src/engines/ports/threads.ts';
import { flacOf, type Shape, tone, type WavLies, wavOf } from '../../support/sound-files.ts';

const pool = createPool(new URL('./decode-worker.ts', import.meta.url), 1);
afterAll(() => pool.close());
const decodeAudio = (file: Uint8Array, options?: SoundRules) =>
  pool.run<{ pcm: Int16Array; rate: number }>([file, options]);

const FIXTURES = new URL('../../fixtures/sound/', import.meta.url);
const SECONDS = 0.5;
/** Of what is made by hand: enough for a hundred waves. */
const PLAIN_SECONDS = 0.25;
const HZ = 440;
/** Root mean square of a sine of half of full scale. */
const LEVEL = 0.5 / Math.SQRT2;

/** Seconds, level and pitch of what was decoded; level and pitch of its middle, where no encoder fades. */
function measure({ pcm, rate }: { pcm: Int16Array; rate: number }) {
  const [from, to] = [Math.floor(pcm.length * 0.2), Math.floor(pcm.length * 0.8)];
  let squares = 0;
  const rises: number[] = [];
  for (let i = from; i < to; i++) {
    const [before, value] = [pcm[i - 1] ?? 0, pcm[i] ?? 0];
    squares += value * value;
    if (before < 0 && value >= 0) rises.push(i - value / (value - before));
  }
  const waves = ((rises.at(-1) ?? 0) - (rises[0] ?? 0)) / (rises.length - 1);
  return { seconds: pcm.length / rate, level: Math.sqrt(squares / (to - from)) / 32_768, hz: rate / waves };
}

function expectTone(
  heard: ReturnType<typeof measure>,
  { seconds = SECONDS, within = 0.001, level = LEVEL, levelWithin = 0.01 } = {},
) {
  expect(Math.abs(heard.seconds - seconds)).toBeLessThanOrEqual(within);
  expect(Math.abs(heard.level / level - 1)).toBeLessThanOrEqual(levelWithin);
  expect(Math.abs(heard.hz - HZ)).toBeLessThanOrEqual(1);
}

const CHANNELS = [1, 2, 6];
const RATES = [8_000, 44_100, 96_000, 192_000];
const shapes = (kinds: Pick<Shape, 'bits' | 'isFloat'>[]): [string, Shape][] =>
  RATES.flatMap((rate) =>
    CHANNELS.flatMap((channels) =>
      kinds.map((kind): [string, Shape] => [
        `${kind.bits} bit${kind.isFloat ? ' float' : ''}, ${channels} channels, ${rate} Hz`,
        { rate, channels, ...kind },
      ]),
    ),
  );

describe('plain bytes', () => {
  const depths = [{ bits: 8 }, { bits: 16 }, { bits: 24 }, { bits: 32 }];
  const floats = [
    { bits: 32, isFloat: true },
    { bits: 64, isFloat: true },
  ];

  test.each(shapes([...depths, ...floats]))('WAV of %s', async (_, shape) => {
    const heard = await decodeAudio(wavOf(tone(shape.rate, PLAIN_SECONDS), shape));
    expect(heard.rate).toBe(shape.rate);
    expectTone(measure(heard), { seconds: PLAIN_SECONDS });
  });

  test.each(shapes(depths))('FLAC of %s', async (_, shape) => {
    const heard = await decodeAudio(flacOf(tone(shape.rate, PLAIN_SECONDS), shape));
    expect(heard.rate).toBe(shape.rate);
    expectTone(measure(heard), { seconds: PLAIN_SECONDS });
  });

  test('FLAC of 16 bits is read exactly, behind tags too', async () => {
    const shape = { rate: 16_000, channels: 1, bits: 16 };
    const sound = tone(16_000, SECONDS);
    const tag = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 0, ...new Array<number>(128).fill(0)];
    const heard = await decodeAudio(Uint8Array.from([...tag, ...flacOf(sound, shape)]));
    const off = heard.pcm.map((value, i) => Math.abs(value - Math.round((sound[i] ?? 0) * 32_767)));
    expect(Math.max(...off)).toBeLessThanOrEqual(1);
  });
});

/** LAME takes 0.5 dB off at fixed rates; the low channel of 5.1 loses the tone in lossy formats. */
const LAME = LEVEL * 0.95;
const NO_LOW = (LEVEL * 5) / 6;
/** Encoders fill up their first and last packet where the container cannot say what is meant. */
const PADDED = 0.055;

/** Made by an encoder (test/fixtures/make-sound.sh): file, rate, and where it may differ. */
const MADE: [file: string, rate: number, than?: Parameters<typeof expectTone>[1]][] = [
  ['flac-16-8000-1.flac', 8_000],
  ['flac-16-44100-2.flac', 44_100],
  ['flac-16-48000-6.flac', 48_000],
  ['flac-16-192000-1.flac', 192_000],
  ['flac-24-96000-1.flac', 96_000],
  ['flac-44100-2.mp4', 44_100],
  ['mp3-8000-1.mp3', 8_000, { level: LAME }],
  ['mp3-22050-2.mp3', 22_050, { level: LAME }],
  ['mp3-44100-2.mp3', 44_100, { level: LAME }],
  ['mp3-48000-1-vbr.mp3', 48_000],
  ['mp3-44100-1-no-header.mp3', 44_100, { level: LAME, within: PADDED }],
  ['vorbis-8000-1.ogg', 8_000],
  ['vorbis-44100-2.ogg', 44_100],
  ['vorbis-48000-6.ogg', 48_000, { level: NO_LOW }],
  ['vorbis-96000-2.ogg', 96_000],
  ['vorbis-44100-2.webm', 44_100, { within: PADDED }],
  ['opus-48000-1.ogg', 48_000],
  ['opus-48000-2.ogg', 48_000],
  ['opus-48000-6.ogg', 48_000],
  ['opus-48000-2.webm', 48_000, { within: PADDED }],
  ['opus-48000-2.mp4', 48_000],
  ['aac-8000-1.m4a', 8_000],
  ['aac-44100-2.m4a', 44_100],
  ['aac-48000-6.m4a', 48_000, { level: NO_LOW }],
  ['aac-96000-2.m4a', 96_000],
  ['aac-44100-2-fragments.mp4', 44_100, { within: PADDED }],
  ['aac-44100-2.aac', 44_100, { within: PADDED }],
  ['pcm-16000-1.mov', 16_000],
];

test.each(MADE)('%s', async (file, rate, than = {}) => {
  const heard = await decodeAudio(readFileSync(new URL(file, FIXTURES)));
  expect(heard.rate).toBe(rate);
  expectTone(measure(heard), { levelWithin: 0.02, ...than });
});

describe('what is refused', () => {
  const shape = { rate: 16_000, channels: 1, bits: 16 };
  const wav = (lies: WavLies) => wavOf(tone(16_000, 0.1), shape, lies);
  const flac = () => flacOf(tone(16_000, SECONDS), shape);
  const changed = (bytes: Uint8Array, at: number, ...values: number[]) => {
    const copy = bytes.slice();
    copy.set(values, at);
    return copy;
  };
  const wavOfChunks = (chunks: number) => {
    const file = new Uint8Array(12 + chunks * 8);
    file.set(new TextEncoder().encode('RIFF'));
    file.set(new TextEncoder().encode('WAVE'), 8);
    for (let at = 12; at < file.length; at += 8) file.set(new TextEncoder().encode('JUNK'), at);
    return file;
  };
  /** Cut where a frame begins, it has no damage, only too little. */
  const withoutLastFrame = (file: Uint8Array) => file.subarray(0, Buffer.from(file).lastIndexOf('fff8', 'hex'));
  /** The MP4 with a number in one of its boxes changed. @param offset from the box's name, in bytes */
  const mp4 = (box: string, offset: number, ...values: number[]) => {
    const file = readFileSync(new URL('aac-44100-2.m4a', FIXTURES));
    return changed(new Uint8Array(file), file.indexOf(box) + offset, ...values);
  };

  test.each<[string, () => Uint8Array, RegExp]>([
    ['nothing', () => new Uint8Array(0), /must be a recording/],
    ['text', () => new TextEncoder().encode('not a recording at all'.repeat(20)), /must be a recording/],
    ['WAV without samples', () => wavOf(new Float64Array(0), shape), /is a WAV without any sound/],
    ['WAV of rate 0', () => wav({ rate: 0 }), /has a sample rate of 0 Hz/],
    ['WAV of 4 GHz', () => wav({ rate: 0xffffffff }), /has a sample rate of 4294967295 Hz/],
    ['WAV of no channel', () => wav({ channels: 0 }), /has 0 channels/],
    ['WAV of odd blocks', () => wav({ block: 3 }), /block size is 3 bytes/],
    ['WAV of no block size', () => wav({ block: 0 }), /block size is 0 bytes/],
    ['WAV of 12 bits', () => wav({ bits: 12 }), /12 bits a sample/],
    ['WAV of ADPCM', () => wav({ format: 2 }), /a format other than PCM/],
    ['WAV that claims 4 GB', () => wav({ dataBytes: 0xffffffff }), /claims 4294967295 bytes of sound/],
    ['WAV that ends within a sample', () => wav({ dataBytes: 3_199 }), /ends within a sample/],
    ['WAV that is only a header', () => wav({}).subarray(0, 36), /without a "data" chunk/],
    ['WAV of a thousand empty chunks', () => wavOfChunks(1_001), /is a WAV of more than 1000 chunks/],
    ['WAV without a format', () => wav({}).subarray(0, 12), /without a "fmt " chunk/],
    ['FLAC of rate 0', () => changed(flac(), 18, 0, 0, 0x01), /has a sample rate of 0 Hz/],
    ['FLAC that is only a header', () => flac().subarray(0, 42), /without any sound/],
    ['FLAC cut off', () => flac().subarray(0, 9_000), /is a (damaged FLAC file|FLAC file that ends before)/],
    ['FLAC without its last frame', () => withoutLastFrame(flac()), /is a FLAC file that ends before its header says/],
    ['FLAC with a bit turned', () => changed(flac(), 5_000, 0xa5), /is a damaged FLAC file/],
    [
      'FLAC without its first frame',
      () => changed(flac(), 42, 0, 0, 0, 0),
      /is a (damaged FLAC file|FLAC file that ends)/,
    ],
    ['MP4 of endless times', () => mp4('stts', 8, 0xff, 0xff, 0xff, 0xff), /"stts" box counts more entries/],
    ['MP4 of endless samples', () => mp4('stts', 12, 0xff, 0xff, 0xff, 0xff), /"stts" and "stsz" boxes/],
    ['MP4 of endless sizes', () => mp4('stsz', 12, 0xff, 0xff, 0xff, 0xff), /"stsz" box counts more samples/],
    ['MP4 of one size', () => mp4('stsz', 8, 0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff), /"stsz" box counts more samples/],
    ['MP4 of endless edits', () => mp4('elst', 8, 0xff, 0xff, 0xff, 0xff), /"elst" box counts more entries/],
    ['MP4 of endless chunks', () => mp4('stco', 8, 0xff, 0xff, 0xff, 0xff), /"stco" box counts more entries/],
    ['MP4 of no time scale', () => mp4('mdhd', 16, 0, 0, 0, 0), /"mdhd"/],
    ['MP4 with a box too long', () => mp4('stbl', -4, 0x7f), /"stbl" box has a wrong size/],
    ['MP4 without moov', () => mp4('moov', 0, 0x66, 0x72, 0x65, 0x65), /without its "moov" box/],
  ])('%s', async (_, file, sentence) => {
    await expect(decodeAudio(file(), { field: 'audio' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringMatching(new RegExp(`^audio .*${sentence.source}`)),
    });
  });
});

describe('length', () => {
  const shape = { rate: 8_000, channels: 1, bits: 16 };
  const long = new Float64Array(8_000 * 61);
  const tooLong = { code: 'BAD_INPUT', message: 'audio must be at most 60 seconds long.' };
  const rule = { field: 'audio', maxSeconds: 60 };

  test.each<[string, () => Uint8Array]>([
    ['WAV', () => wavOf(long, shape)],
    ['FLAC', () => flacOf(long, shape, { isSilent: true })],
    ['FLAC whose header says a tenth', () => flacOf(long, shape, { isSilent: true, samples: 800 })],
    ['FLAC whose header does not say', () => flacOf(long, shape, { isSilent: true, samples: 0 })],
  ])('%s of 61 seconds', async (_, file) => {
    await expect(decodeAudio(file(), rule)).rejects.toMatchObject(tooLong);
  });

  test('the header decides where there is next to nothing behind it', async () => {
    const file = flacOf(new Float64Array(4_096), shape, { samples: 8_000 * 3_600 });
    await expect(decodeAudio(file, rule)).rejects.toMatchObject(tooLong);
  });

  test('60 seconds are taken, and more is cut off on request', async () => {
    const whole = await decodeAudio(flacOf(long.subarray(0, 480_000), shape, { isSilent: true }), rule);
    expect(whole.pcm.length).toBe(480_000);
    const cut = await decodeAudio(flacOf(long, shape, { isSilent: true }), { maxSeconds: 2, isCut: true });
    expect(cut.pcm.length).toBe(16_000);
  });
});
