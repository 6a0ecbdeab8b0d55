/**
 * Media made to break what reads them: a sound file of every format, and ways to damage it. All of it follows from a
 * seed and a number, so that a case which was found once can be made again. Erasable TypeScript: Node runs it as it is.
 */
import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { largePng } from '../support/large-png.ts';
import { flacOf, tone, wavOf } from '../support/sound-files.ts';

export type Random = () => number;

export interface Format {
  name: string;
  kind: 'image' | 'sound' | 'video';
  contentType: string;
  bytes: Uint8Array;
}

export interface FuzzCase {
  /** `format/mutation/number`: with the seed it says everything. */
  id: string;
  kind: Format['kind'];
  contentType: string;
  bytes: Uint8Array;
}

/** Mulberry32. */
function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const fixture = async (name: string) => new Uint8Array(await readFile(new URL(`../fixtures/${name}`, import.meta.url)));

/** One whole file of each format, before anything is done to it. */
export async function formats(): Promise<Format[]> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = sharp({ create: { width: 96, height: 64, channels: 3, background: '#8899aa', noise } });
  const shape = { rate: 16_000, channels: 2, bits: 16 };
  const image = async (name: 'jpeg' | 'png' | 'webp'): Promise<Format> => {
    const bytes = new Uint8Array(await photo.clone().toFormat(name).toBuffer());
    return { name, kind: 'image', contentType: `image/${name}`, bytes };
  };
  const of = (kind: Format['kind'], name: string, contentType: string, bytes: Uint8Array): Format => ({
    ...{ kind, name, contentType, bytes },
  });
  return [
    ...(await Promise.all((['jpeg', 'png', 'webp'] as const).map(image))),
    of('sound', 'wav', 'audio/wav', wavOf(tone(16_000, 0.2), shape)),
    of('sound', 'flac', 'audio/flac', flacOf(tone(16_000, 0.5), shape)),
    of('sound', 'flac-encoded', 'audio/flac', await fixture('sound/flac-16-8000-1.flac')),
    of('sound', 'mp3', 'audio/mpeg', await fixture('sound/mp3-22050-2.mp3')),
    of('sound', 'vorbis', 'audio/ogg', await fixture('sound/vorbis-8000-1.ogg')),
    of('sound', 'opus', 'audio/ogg', await fixture('sound/opus-48000-1.ogg')),
    of('sound', 'm4a', 'audio/mp4', await fixture('sound/aac-8000-1.m4a')),
    of('video', 'mp4', 'video/mp4', await fixture('video/h264-aac.mp4')),
    of('video', 'webm', 'video/webm', await fixture('video/vp8-opus.webm')),
  ];
}

const pick = (random: Random, below: number) => Math.floor(random() * below);
/** Headers stand at the start; half of the damage goes there. */
const offset = (random: Random, length: number) => pick(random, random() < 0.5 ? Math.min(length, 512) : length);
const EXTREMES = [0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x10000, 0x00ffffff];

/** Each returns a damaged copy. */
const MUTATIONS: Record<string, (bytes: Uint8Array, random: Random) => Uint8Array> = {
  flip(bytes, random) {
    const copy = bytes.slice();
    for (let left = 1 + pick(random, 24); left > 0; left--) {
      const at = offset(random, copy.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << pick(random, 8));
    }
    return copy;
  },
  truncate: (bytes, random) => bytes.slice(0, offset(random, bytes.length)),
  /** A number of one, two or four bytes becomes the least or most it can be, in either order of bytes. */
  lie(bytes, random) {
    const copy = bytes.slice();
    const view = new DataView(copy.buffer);
    for (let left = 1 + pick(random, 3); left > 0; left--) {
      const at = Math.min(offset(random, copy.length), copy.length - 4);
      const value = EXTREMES[pick(random, EXTREMES.length)] as number;
      const width = pick(random, 3);
      if (width === 0) view.setUint8(at, value & 255);
      else if (width === 1) view.setUint16(at, value & 65_535, random() < 0.5);
      else view.setUint32(at, value, random() < 0.5);
    }
    return copy;
  },
  hole(bytes, random) {
    const from = offset(random, bytes.length);
    return bytes.slice().fill(random() < 0.5 ? 0 : 255, from, from + 1 + pick(random, bytes.length / 4));
  },
  repeat(bytes, random) {
    const from = offset(random, bytes.length);
    const part = bytes.subarray(from, from + 1 + pick(random, 2_000));
    const times = 1 + pick(random, 20);
    return Uint8Array.from(
      Buffer.concat([bytes.subarray(0, from), ...Array.from({ length: times }, () => part), bytes.subarray(from)]),
    );
  },
  swap(bytes, random) {
    const [one, other] = [pick(random, bytes.length), pick(random, bytes.length)].sort((a, b) => a - b) as [
      number,
      number,
    ];
    return Uint8Array.from(Buffer.concat([bytes.subarray(other), bytes.subarray(one, other), bytes.subarray(0, one)]));
  },
};

/** Case `number` of a seed: formats and mutations take turns, so that few cases already cover each pair. */
export function damagedCase(all: Format[], seed: number, number: number): FuzzCase {
  const names = Object.keys(MUTATIONS);
  const format = all[number % all.length] as Format;
  const mutation = names[Math.floor(number / all.length) % names.length] as string;
  const random = seeded(seed * 1_000_003 + number);
  const { kind, contentType } = format;
  const bytes = (MUTATIONS[mutation] as (typeof MUTATIONS)[string])(format.bytes, random);
  return { id: `${format.name}/${mutation}/${number}`, kind, contentType, bytes };
}

/** How many cases it takes until every format has met every mutation. */
export const fullRound = (all: Format[]): number => all.length * Object.keys(MUTATIONS).length;

/** Small files that say they are, or become, very large. */
export async function bombs(): Promise<FuzzCase[]> {
  const of = (id: string, kind: Format['kind'], contentType: string, bytes: Uint8Array): FuzzCase => ({
    ...{ id: `bomb/${id}`, kind, contentType, bytes },
  });
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
    .png()
    .toBuffer();
  // Grey: a third of the bytes to make, and as many pixels.
  const square = sharp(Buffer.alloc(6_400 * 6_400), { raw: { width: 6_400, height: 6_400, channels: 1 } });
  const shape = { rate: 8_000, channels: 1, bits: 16 };
  const hour = flacOf(new Float64Array(8_000 * 600), shape, { isSilent: true, samples: 0 });
  return [
    of('png of two million columns', 'image', 'image/png', announced(png, 2_000_000, 19)),
    of('png of 144 megapixels', 'image', 'image/png', largePng(12_000)),
    of('jpeg of 41 megapixels', 'image', 'image/jpeg', new Uint8Array(await square.jpeg().toBuffer())),
    of('flac of ten silent minutes', 'sound', 'audio/flac', hour),
    of('wav of 4 GB', 'sound', 'audio/wav', wavOf(tone(8_000, 0.1), shape, { dataBytes: 0xffffffff })),
    of('wav of rate 0', 'sound', 'audio/wav', wavOf(tone(8_000, 0.1), shape, { rate: 0 })),
    of('wav of nothing', 'sound', 'audio/wav', wavOf(new Float64Array(0), shape)),
  ];
}

/** A PNG's head that announces a size, with the checksum that belongs to it. */
function announced(png: Buffer, width: number, height: number): Uint8Array {
  const forged = Buffer.from(png);
  forged.writeUInt32BE(width, 16);
  forged.writeUInt32BE(height, 20);
  forged.writeUInt32BE(crc32(forged.subarray(12, 29)), 29);
  return new Uint8Array(forged);
}
