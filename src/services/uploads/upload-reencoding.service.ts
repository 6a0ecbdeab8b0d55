/**
 * What was uploaded, written anew from the disk: an image upright and bare, sound as AAC, a video as H.264 (one that is as ours are gets a
 * new container). Its own bytes decide what it is, not its name; only decoder processes open it.
 */
import { type InputSource, type MediaFile, ONLY_SOUND } from '../../engines/ports/index.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import type { Platform } from '../platform/platform.port.ts';

/** An uploaded file as it is stored. */
export interface ReencodedUpload {
  bytes: Uint8Array;
  contentType: string;
  /** For the storage key, without a dot. */
  extension: string;
}

type Needs = Pick<Platform, 'decoders' | 'engines'>;

type Sender = Pick<InputSource, 'owner' | 'signal'>;

const FIELD = 'file';
const HEAD_BYTES = 16;
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide']);
/** What a video becomes; its ratio stays. One that is so already gets a new container only. */
const SHAPE = { resolution: '720p', fps: 24 } as const;

/** How many bytes a file that begins like this may have. */
export function mostBytesOf(head: Uint8Array): number {
  if (isImage(head)) return LIMITS.uploadImageBytes;
  return mayBeVideo(head) ? LIMITS.uploadBytes : LIMITS.uploadSoundBytes;
}

/** The refusal of what has more: a 400 where another kind of file may have as many, else TOO_LARGE. */
export function refuseLarge(most: number): never {
  throw most < LIMITS.uploadBytes
    ? badInput(FIELD, `must have at most ${most / 1024 / 1024} MB.`)
    : new PlatformError('TOO_LARGE');
}

/** Throws BAD_INPUT that names `file` for what is too large, too long or cannot be read. @param of whose upload it is */
export async function reencodeUpload(p: Needs, file: MediaFile, of: Sender): Promise<ReencodedUpload> {
  const head = await file.read(0, HEAD_BYTES);
  if (isImage(head)) return p.decoders.image(file, { field: FIELD, ...of });
  if (mayBeVideo(head)) {
    const video = await asVideo(p, file, of);
    if (video) return video;
    if (file.size > LIMITS.uploadSoundBytes) refuseLarge(LIMITS.uploadSoundBytes);
  }
  return asSound(p, file, of);
}

const text = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.subarray(from, to)).toString('latin1');

function isImage(bytes: Uint8Array): boolean {
  return (
    text(bytes, 0, 3) === '\xff\xd8\xff' ||
    text(bytes, 0, 4) === '\x89PNG' ||
    (text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === 'WEBP')
  );
}

/** MP4, QuickTime (also of the time before it named its kind), WebM and Matroska, which hold sound alone as well. */
function mayBeVideo(bytes: Uint8Array): boolean {
  return FIRST_BOXES.has(text(bytes, 4, 8)) || text(bytes, 0, 4) === '\x1aE\xdf\xa3';
}

/** Undefined for a file without frames. */
async function asVideo({ decoders }: Needs, file: MediaFile, of: Sender): Promise<ReencodedUpload | undefined> {
  const source = { field: FIELD, ...of };
  const seconds = await decoders.videoSeconds(file, source).catch((error: unknown) => {
    if (!(error instanceof PlatformError && error.code === 'BAD_INPUT')) throw error;
    // It begins with the field that videos come by elsewhere.
    const sentence = error.message.replace(/^\S+ /, '');
    if (sentence === ONLY_SOUND) return undefined;
    throw badInput(FIELD, sentence);
  });
  if (seconds === undefined) return undefined;
  if (seconds > LIMITS.videoSeconds) throw badInput(FIELD, `must have at most ${LIMITS.videoSeconds} seconds.`);
  const query = { ...SHAPE, prompt: '', model: 'motion', seed: 0 } as const;
  for await (const piece of decoders.conform(query, file, source)) {
    if ('file' in piece) return { bytes: piece.file, contentType: 'video/mp4', extension: 'mp4' };
  }
  throw new PlatformError('UNAVAILABLE');
}

async function asSound({ decoders, engines }: Needs, sent: MediaFile, of: Sender): Promise<ReencodedUpload> {
  const { pcm, rate } = await decoders
    .sound(sent, { field: FIELD, ...of, maxSeconds: LIMITS.uploadSoundSeconds })
    .catch((error: unknown) => {
      // Of no format for sound: then it is of none at all.
      const isOther = error instanceof PlatformError && error.message.startsWith(`${FIELD} must be a recording`);
      throw isOther ? badInput(FIELD, 'must be an image (JPEG, PNG, WebP), a recording or a video.') : error;
    });
  const file = await engines.codec.encodeAudio(pcm, rate);
  return { bytes: file, contentType: 'audio/mp4', extension: 'm4a' };
}
