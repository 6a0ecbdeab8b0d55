/**
 * Recordings of others to mono PCM: bytes in, samples or BAD_INPUT out. Headers are read and checked before anything is
 * decoded, and decoding stops at the longest length whatever the header said. Runs where a crash and an endless loop
 * are contained, since below it are a native decoder and parsers of others.
 */
import { badInput, PlatformError } from '../../../ports/errors.ts';
import type { MediaBytes, SoundRules } from '../../../ports/index.ts';
import { Collector } from './collector.ts';
import { checkContainer, type Kind, kindOf } from './containers.ts';
import { headerOf, sizeOf, sourceOf } from './media-source.ts';
import type { Refuse } from './refusal.ts';
import { fromContainer, fromFlac, fromMpeg, type Sink, type Source } from './sources.ts';

const LONGEST_S = 3_600;
/** Encoders fill up their last packet: that much more is taken for the length allowed, and cut off. */
const SLACK_S = 0.1;

const SOURCES: Partial<Record<Kind['name'], Source>> = { flac: fromFlac, mp3: fromMpeg };

/**
 * Any recording (mp3, flac, wav, ogg, mp4, webm, aac) as mono PCM at its own rate, samples per second. Rejects with
 * BAD_INPUT, a sentence that begins with the field, for everything that is none, is damaged or too long.
 */
export async function decodeAudio(
  file: MediaBytes,
  { field = 'file', maxSeconds = LONGEST_S, isCut = false }: SoundRules = {},
): Promise<{ pcm: Int16Array; rate: number }> {
  const refuse: Refuse = (sentence) => {
    throw badInput(field, sentence);
  };
  const tooLong = () => refuse(`must be at most ${maxSeconds} seconds long.`);
  const claim = (seconds: number | null | undefined) => {
    if (!isCut && seconds && seconds > maxSeconds + SLACK_S) tooLong();
  };
  try {
    const header = await headerOf(file, refuse);
    const kind = kindOf(header) ?? refuse('must be a recording: mp3, flac, wav, ogg, mp4 or webm.');
    claim(checkContainer(header, kind, refuse, sizeOf(file)));
    const collector = new Collector(maxSeconds, SLACK_S, refuse);
    const sink: Sink = { refuse, claim, take: (block) => collector.add(block) || (isCut ? false : tooLong()) };
    const declaredS = await decode(file, kind, sink);
    return collector.finish(declaredS);
  } catch (error) {
    if (error instanceof PlatformError) throw error;
    // The decoder's message is for its author and of no use to a caller.
    throw badInput(field, 'is damaged, or not a recording that can be read.');
  }
}

/** FLAC and MPEG audio are read from memory, all else from wherever it is. */
async function decode(file: MediaBytes, { name, start }: Kind, sink: Sink): Promise<number | undefined> {
  const fromMemory = SOURCES[name];
  if (!fromMemory) return fromContainer(sourceOf(file), sink);
  const bytes = file instanceof Uint8Array ? file : await file.read(0, file.size);
  return fromMemory(bytes.subarray(start), sink);
}
