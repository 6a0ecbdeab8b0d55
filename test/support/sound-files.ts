/** Recordings made of bytes by hand: WAV and FLAC of every depth, with the lies that a test asks for. */

/** One channel of a sine of half of full scale. */
export function tone(rate: number, seconds: number, hz = 440): Float64Array {
  return Float64Array.from(
    { length: Math.round(rate * seconds) },
    (_, i) => 0.5 * Math.sin((2 * Math.PI * hz * i) / rate),
  );
}

/** Pieces of sound as one. */
export function joined(parts: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** What is written wrong on purpose; absent fields are right. */
export interface WavLies {
  rate?: number;
  channels?: number;
  bits?: number;
  block?: number;
  format?: number;
  dataBytes?: number;
}

export interface Shape {
  rate: number;
  channels: number;
  bits: number;
  isFloat?: boolean;
}

/** The same sound in every channel. */
export function wavOf(sound: Float64Array, shape: Shape, lies: WavLies = {}): Uint8Array {
  const { rate, channels, bits, isFloat = false } = shape;
  const block = (channels * bits) / 8;
  const file = new Uint8Array(44 + sound.length * block);
  const view = new DataView(file.buffer);
  const text = (at: number, value: string) => file.set(new TextEncoder().encode(value), at);
  text(0, 'RIFF');
  view.setUint32(4, file.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, lies.format ?? (isFloat ? 3 : 1), true);
  view.setUint16(22, lies.channels ?? channels, true);
  view.setUint32(24, lies.rate ?? rate, true);
  view.setUint32(28, rate * block, true);
  view.setUint16(32, lies.block ?? block, true);
  view.setUint16(34, lies.bits ?? bits, true);
  text(36, 'data');
  view.setUint32(40, lies.dataBytes ?? sound.length * block, true);
  for (let i = 0; i < sound.length * channels; i++)
    writeSample(view, 44, i, sound[Math.floor(i / channels)] ?? 0, shape);
  return file;
}

function writeSample(view: DataView, start: number, index: number, value: number, { bits, isFloat }: Shape): void {
  const at = start + (index * bits) / 8;
  if (isFloat && bits === 32) view.setFloat32(at, value, true);
  if (isFloat && bits === 64) view.setFloat64(at, value, true);
  if (isFloat) return;
  const level = Math.round(value * (2 ** (bits - 1) - 1));
  const unsigned = bits === 8 ? level + 128 : level;
  for (let byte = 0; byte < bits / 8; byte++) view.setUint8(at + byte, (unsigned >> (8 * byte)) & 255);
}

const RATE_CODES = new Map(
  [176_400, 192_000, 8_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000].map((r, i) => [r, i + 2]),
);
const FLAC_BITS = new Map([
  [8, 1],
  [16, 4],
  [24, 6],
  [32, 7],
]);
const BLOCK = 4_096;

/** FLAC of verbatim subframes, the same sound in every channel; constant ones where `isSilent`, which are tiny. */
export function flacOf(
  sound: Float64Array,
  { rate, channels, bits }: Shape,
  options: { samples?: number; isSilent?: boolean } = {},
): Uint8Array {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < sound.length; at += BLOCK)
    frames.push(flacFrame(sound.subarray(at, at + BLOCK), frames.length, { rate, channels, bits }, options.isSilent));
  const head = new Uint8Array(42);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode('fLaC'));
  view.setUint32(4, 0x80000022);
  view.setUint16(8, BLOCK);
  view.setUint16(10, BLOCK);
  const samples = options.samples ?? sound.length;
  view.setUint32(18, (rate << 12) | ((channels - 1) << 9) | ((bits - 1) << 4) | Math.floor(samples / 2 ** 32));
  view.setUint32(22, samples);
  return Uint8Array.from(Buffer.concat([head, ...frames]));
}

function flacFrame(sound: Float64Array, number: number, { rate, channels, bits }: Shape, isSilent = false): Uint8Array {
  const out = new Bits();
  out.write(0x3ffe << 2, 16); // Sync, fixed block size.
  out.write(7, 4); // Block size in 16 bits after the number.
  out.write(RATE_CODES.get(rate) ?? 0, 4);
  out.write(channels - 1, 4);
  out.write(FLAC_BITS.get(bits) ?? 0, 3);
  out.write(0, 1);
  for (const byte of utf8(number)) out.write(byte, 8);
  out.write(sound.length - 1, 16);
  out.write(out.checksum(8, 0x07), 8);
  for (let channel = 0; channel < channels; channel++) {
    out.write(isSilent ? 0 : 2, 8); // Constant or verbatim, no wasted bits.
    for (const value of isSilent ? [0] : sound) out.write(Math.round(value * (2 ** (bits - 1) - 1)), bits);
  }
  out.align();
  out.write(out.checksum(16, 0x8005), 16);
  return out.bytes();
}

/** Frame numbers below 65 536, in the manner of UTF-8. */
function utf8(number: number): Uint8Array {
  return new TextEncoder().encode(String.fromCharCode(number));
}

/** Bits put together, most significant first. */
class Bits {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  write(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      this.#held = (this.#held << 1) | ((value >>> bit) & 1);
      if (++this.#count < 8) continue;
      this.#bytes.push(this.#held);
      this.#held = 0;
      this.#count = 0;
    }
  }

  align(): void {
    while (this.#count !== 0) this.write(0, 1);
  }

  checksum(bits: 8 | 16, polynomial: number): number {
    const top = 1 << (bits - 1);
    let sum = 0;
    for (const byte of this.#bytes) {
      sum ^= byte << (bits - 8);
      for (let i = 0; i < 8; i++) sum = ((sum << 1) ^ (sum & top ? polynomial : 0)) & ((1 << bits) - 1);
    }
    return sum;
  }

  bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}
