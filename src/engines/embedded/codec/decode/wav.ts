/**
 * The header of a WAV file, read before any of its sound: what it claims must be possible, and fit the file. The sound
 * itself is read by mediabunny, which trusts these numbers.
 */
import { checkSound, fourCharacters, type Refuse, viewOf } from './refusal.ts';

/** Bits a sample may have, by format tag: integers, floats, A-law, mu-law. */
const BITS: Record<number, number[]> = { 1: [8, 16, 24, 32], 3: [32, 64], 6: [8], 7: [8] };
const EXTENSIBLE = 0xfffe;
const FMT_BYTES = 16;
/** A file with more chunks than this was made to take long, and is refused. */
const MOST_CHUNKS = 1_000;

interface Chunk {
  at: number;
  size: number;
}

/** Seconds of sound by the header. Refuses a header that contradicts itself or the file's length. */
export function checkWav(bytes: Uint8Array, refuse: Refuse): number {
  const view = viewOf(bytes);
  const little = fourCharacters(bytes, 0) !== 'RIFX';
  if (fourCharacters(bytes, 0) === 'RF64') refuse('is a 64-bit WAV (RF64): send a plain WAV, FLAC or MP3.');
  const { fmt, sound } = chunksOf(bytes, little, refuse);
  if (!fmt) refuse('is a WAV without a "fmt " chunk.');
  if (!sound) refuse('is a WAV without a "data" chunk.');
  if (fmt.size < FMT_BYTES || fmt.at + fmt.size > bytes.length) refuse('is a WAV whose "fmt " chunk is cut off.');
  const [channels, rate] = [view.getUint16(fmt.at + 2, little), view.getUint32(fmt.at + 4, little)];
  const [block, bits] = [view.getUint16(fmt.at + 12, little), view.getUint16(fmt.at + 14, little)];
  checkSound(rate, channels, refuse);
  const format = view.getUint16(fmt.at, little);
  // The extension's first two bytes of the GUID say what the samples are.
  const tag = format === EXTENSIBLE && fmt.size >= 40 ? view.getUint16(fmt.at + 24, little) : format;
  const allowed = BITS[tag] ?? refuse('is a WAV of a format other than PCM, float, A-law and mu-law.');
  if (!allowed.includes(bits)) refuse(`is a WAV of ${bits} bits a sample: it must have ${allowed.join(', ')}.`);
  if (block !== (channels * bits) / 8)
    refuse(`is a WAV whose block size is ${block} bytes, where its channels and bits make ${(channels * bits) / 8}.`);
  if (sound.size < block) refuse('is a WAV without any sound.');
  if (sound.at + sound.size > bytes.length)
    refuse(`is a WAV that claims ${sound.size} bytes of sound, of which only ${bytes.length - sound.at} are there.`);
  if (sound.size % block !== 0) refuse(`is a WAV whose sound ends within a sample of ${block} bytes.`);
  return sound.size / block / rate;
}

function chunksOf(bytes: Uint8Array, little: boolean, refuse: Refuse): { fmt?: Chunk; sound?: Chunk } {
  const view = viewOf(bytes);
  const found: { fmt?: Chunk; sound?: Chunk } = {};
  let chunks = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    if (++chunks > MOST_CHUNKS) refuse(`is a WAV of more than ${MOST_CHUNKS} chunks.`);
    const chunk = { at: at + 8, size: view.getUint32(at + 4, little) };
    const name = fourCharacters(bytes, at);
    // A second one would be read by some programs and not by others.
    if (name === 'fmt ' && found.fmt) refuse('is a WAV with two "fmt " chunks.');
    if (name === 'data' && found.sound) refuse('is a WAV with two "data" chunks.');
    if (name === 'fmt ') found.fmt = chunk;
    if (name === 'data') found.sound = chunk;
    at = chunk.at + chunk.size + (chunk.size & 1);
  }
  return found;
}
