/**
 * FLAC files (RFC 9639): the stream's header, and its frames cut out one after another. Ours because mediabunny does not
 * find the frames of 192 kHz, and searches a damaged file for its first frame for ever. One pass with a running checksum:
 * a frame ends where the checksum over it is right and another frame's header begins.
 */
import { checkSound, fourCharacters, type Refuse, viewOf } from './refusal.ts';

/** The header of a FLAC file. */
export interface FlacHeader {
  rate: number;
  channels: number;
  bits: number;
  /** Samples of each channel; 0 where the encoder did not know. */
  samples: number;
  /** Where the frames begin. */
  start: number;
}

const STREAMINFO_BYTES = 34;

/** @param start where `fLaC` stands, since tags may come before it. */
export function readFlacHeader(bytes: Uint8Array, start: number, refuse: Refuse): FlacHeader {
  const view = viewOf(bytes);
  const at = start + 8;
  if (at + STREAMINFO_BYTES > bytes.length) refuse('is a FLAC file that ends within its header.');
  const isFirst = ((bytes[start + 4] ?? 0) & 0x7f) === 0 && (view.getUint32(start + 4) & 0xffffff) === STREAMINFO_BYTES;
  if (!isFirst) refuse('is a FLAC file that does not begin with its stream information.');
  const packed = view.getUint32(at + 10);
  const header = {
    rate: packed >>> 12,
    channels: ((packed >>> 9) & 7) + 1,
    bits: ((packed >>> 4) & 31) + 1,
    samples: (packed & 15) * 2 ** 32 + view.getUint32(at + 14),
  };
  checkSound(header.rate, header.channels, refuse);
  if (header.bits < 4) refuse(`is a FLAC file of ${header.bits} bits a sample: it must have 4 to 32.`);
  return { ...header, start: afterBlocks(bytes, start + 4, refuse) };
}

function afterBlocks(bytes: Uint8Array, first: number, refuse: Refuse): number {
  const view = viewOf(bytes);
  for (let at = first; at + 4 <= bytes.length; ) {
    const isLast = ((bytes[at] ?? 0) & 0x80) !== 0;
    at += 4 + (view.getUint32(at) & 0xffffff);
    if (isLast && at < bytes.length) return at;
  }
  return refuse('is a FLAC file without any sound.');
}

/** The frames in order, each with its header and checksum; the rest of the file is the last one. */
export function* flacFrames(bytes: Uint8Array, { start }: Pick<FlacHeader, 'start'>): Generator<Uint8Array> {
  let from = start;
  let sum = 0;
  for (let at = start; at < bytes.length; at++) {
    if (sum === 0 && at > from && isFrameHeader(bytes, at)) {
      yield bytes.subarray(from, at);
      from = at;
    }
    sum = ((sum << 8) & 0xffff) ^ (CRC16[(sum >> 8) ^ (bytes[at] as number)] as number);
  }
  yield bytes.subarray(from);
}

/** Sync code, no reserved value, and the header's own checksum. */
function isFrameHeader(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xfe) !== 0xf8) return false;
  const [sizes, layout] = [bytes[at + 2] ?? 0, bytes[at + 3] ?? 1];
  const [size, rate] = [sizes >> 4, sizes & 15];
  if (size === 0 || rate === 15 || layout >> 4 > 10 || (layout & 1) !== 0) return false;
  // The frame's number in the manner of UTF-8: its first byte says how many follow.
  const lead = Math.clz32(~((bytes[at + 4] ?? 0) << 24));
  const length = 4 + Math.max(1, lead) + (size === 6 ? 1 : size === 7 ? 2 : 0) + (rate === 12 ? 1 : rate > 12 ? 2 : 0);
  let sum = 0;
  for (let i = at; i < at + length; i++) sum = CRC8[sum ^ (bytes[i] ?? 0)] as number;
  return at + length < bytes.length && sum === bytes[at + length];
}

/** True for a file that begins with FLAC's mark. */
export const isFlac = (bytes: Uint8Array, at: number): boolean => fourCharacters(bytes, at) === 'fLaC';

/** The checksum of each byte alone, most significant bit first. */
function checksums(bits: 8 | 16, polynomial: number): Uint16Array {
  const top = 1 << (bits - 1);
  const mask = (1 << bits) - 1;
  return Uint16Array.from({ length: 256 }, (_, byte) => {
    let sum = byte << (bits - 8);
    for (let i = 0; i < 8; i++) sum = ((sum << 1) ^ (sum & top ? polynomial : 0)) & mask;
    return sum;
  });
}

const CRC8 = checksums(8, 0x07);
const CRC16 = checksums(16, 0x8005);
