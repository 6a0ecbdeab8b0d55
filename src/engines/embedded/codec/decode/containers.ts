/** What kind of file these bytes are, by their first ones, and the check of its header. */
import { isFlac, readFlacHeader } from './flac.ts';
import { checkMp4 } from './mp4.ts';
import { fourCharacters, type Refuse, viewOf } from './refusal.ts';
import { checkWav } from './wav.ts';

/** The container of a file. */
export interface Kind {
  name: 'wav' | 'flac' | 'ogg' | 'mp4' | 'webm' | 'mp3' | 'adts';
  /** Where the file proper begins: tags may come before it. */
  start: number;
}

const MP4_FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide']);
/** Most tags before the sound; a file with more was made to take long, and is refused. */
const MOST_TAGS = 8;

/** Undefined for what is no recording and no video. */
export function kindOf(bytes: Uint8Array): Kind | undefined {
  const first = fourCharacters(bytes, 0);
  if ((first === 'RIFF' || first === 'RIFX' || first === 'RF64') && fourCharacters(bytes, 8) === 'WAVE')
    return { name: 'wav', start: 0 };
  if (first === 'OggS') return { name: 'ogg', start: 0 };
  if (MP4_FIRST_BOXES.has(fourCharacters(bytes, 4))) return { name: 'mp4', start: 0 };
  if (first === '\x1aE\xdf\xa3') return { name: 'webm', start: 0 };
  const start = afterTags(bytes);
  if (isFlac(bytes, start)) return { name: 'flac', start };
  // Eleven bits of sync; the layer is 0 in AAC's frames and 1 to 3 in those of MPEG audio.
  const [one, two] = [bytes[start] ?? 0, bytes[start + 1] ?? 0];
  if (one !== 0xff || two < 0xe0) return undefined;
  return { name: (two & 6) === 0 ? 'adts' : 'mp3', start };
}

/**
 * Seconds by the header, where it is read here. Refuses what no decoder should be given.
 * @param fileBytes length of the file, where `bytes` is its header alone
 */
export function checkContainer(
  bytes: Uint8Array,
  kind: Kind,
  refuse: Refuse,
  fileBytes = bytes.length,
): number | undefined {
  if (kind.name === 'wav') return checkWav(bytes, refuse);
  if (kind.name === 'mp4') return checkMp4(bytes, refuse, fileBytes);
  if (kind.name !== 'flac') return undefined;
  const { samples, rate } = readFlacHeader(bytes, kind.start, refuse);
  return samples / rate;
}

/** ID3v2 tags stand before the sound; their length has seven bits a byte. */
function afterTags(bytes: Uint8Array): number {
  let at = 0;
  for (
    let tags = 0;
    tags < MOST_TAGS && fourCharacters(bytes, at).startsWith('ID3') && at + 10 <= bytes.length;
    tags++
  ) {
    const size = viewOf(bytes).getUint32(at + 6);
    const length = (size & 127) | ((size >> 1) & 0x3f80) | ((size >> 2) & 0x1fc000) | ((size >> 3) & 0xfe00000);
    at += 10 + length + ((bytes[at + 5] ?? 0) & 16 ? 10 : 0);
  }
  return at;
}
