/**
 * Decoding of bytes that we did not make. A native codec can panic, hang or grow without bound on a file of a few
 * kilobytes, so that no such file is ever opened in web or worker: a small pool of supervised processes does it, which
 * are confined (`confine.ts`), watched (`watch.ts`) and replaced. What comes back has been decoded and written anew, and
 * is ours. Processes start with the first task and stay warm; nothing is left of them when their parent ends.
 */
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Logger, pino } from 'pino';
import { built } from '../../kernel/built.ts';
import type { Frame } from '../embedded/codec/frames.ts';
import type { SeededVideoQuery } from '../embedded/renderer/video/compose.ts';
import type { FittedQuery } from '../embedded/renderer/video/conform.ts';
import type { InputSource, MediaBytes, SoundRules, VideoPiece } from '../ports/index.ts';
import { confinements } from './confine.ts';
import type { ReencodedImage } from './image.ts';
import { DecoderPool, type DecoderStats } from './pool.ts';
import type { SentBytes } from './tasks.ts';

export { isDecoderKilled } from './failures.ts';
export type { ReencodedImage } from './image.ts';
export type { DecoderStats } from './pool.ts';

/**
 * Every call rejects with BAD_INPUT naming `source.field` when the bytes cannot be read, end the decoder or outgrow its
 * limits of CPU time and memory; with UNAVAILABLE when no decoder is free in time, or the machine is too busy for it.
 */
export interface Decoders {
  /** An image written anew: JPEG, or WebP where it is transparent, upright and bare. @param maxSide default 2048 */
  image(bytes: MediaBytes, source: InputSource & { maxSide?: number }): Promise<ReencodedImage>;
  /** An image cut to a ratio of width to height around its middle; as it is where it has that ratio already. */
  cut(bytes: Uint8Array, ratio: number, source: InputSource): Promise<Uint8Array>;
  /** Mono samples of a recording, at its own rate. */
  sound(bytes: MediaBytes, source: InputSource & SoundRules): Promise<{ pcm: Int16Array; rate: number }>;
  /** Length of a recording, of sound or of video. */
  seconds(bytes: Uint8Array, source: InputSource): Promise<number>;
  /** Length of a video whose frames can be decoded. */
  videoSeconds(bytes: MediaBytes, source: InputSource): Promise<number>;
  /** The frames shown at these times, in the order asked. */
  frames(bytes: Uint8Array, atMs: number[], source: InputSource): Promise<Frame[]>;
  /** Edits `query.srcVideo` as the prompt says: progress, then the file. */
  edit(query: SeededVideoQuery & { srcVideo: Uint8Array }, source: InputSource): AsyncIterable<VideoPiece>;
  /** Fits another engine's video, or a user's file, to the query: progress, then the file. */
  conform(query: FittedQuery, made: MediaBytes, source: InputSource): AsyncIterable<VideoPiece>;
  stats(): DecoderStats;
  /** Ends every decoder; tasks reject with UNAVAILABLE. */
  close(): Promise<void>;
}

/** How many decoders run, and where they log. */
export interface DecodersOptions {
  /** Most processes at once are one a core, up to 4, and at least this; default 2. */
  atLeast?: number;
  log?: Pick<Logger, 'info' | 'warn' | 'error'>;
}

const sentAs = (bytes: MediaBytes): SentBytes => (bytes instanceof Uint8Array ? bytes : { fileBytes: bytes.size });

const readFrom = (bytes: MediaBytes, source: InputSource): InputSource =>
  bytes instanceof Uint8Array ? source : { ...source, file: bytes };

export function createDecoders(options: DecodersOptions = {}): Decoders {
  const entry = fileURLToPath(built('src/engines/decoders/process.js'));
  const pool = new DecoderPool({
    size: Math.max(options.atLeast ?? 2, Math.min(4, os.availableParallelism())),
    confinements: confinements(entry),
    log: options.log ?? pino({ level: 'silent' }),
  });
  return {
    image: (bytes, { maxSide, ...source }) =>
      pool.run(
        ['image', sentAs(bytes), { field: source.field, ...(maxSide ? { maxSide } : {}) }],
        readFrom(bytes, source),
      ),
    cut: (bytes, ratio, source) => pool.run(['cut', ratio, bytes], source),
    sound: (bytes, { owner, signal, ...rules }) =>
      pool.run(['sound', sentAs(bytes), rules], readFrom(bytes, { ...rules, owner, signal })),
    seconds: (bytes, source) => pool.run(['seconds', bytes], source),
    videoSeconds: (bytes, source) => pool.run(['videoSeconds', sentAs(bytes)], readFrom(bytes, source)),
    frames: (bytes, atMs, source) => pool.run(['frames', bytes, atMs], source),
    edit: (query, source) => pool.stream(['edit', query], source),
    conform: (query, made, source) => pool.stream(['conform', query, sentAs(made)], readFrom(made, source)),
    stats: () => pool.stats(),
    close: () => pool.close(),
  };
}
