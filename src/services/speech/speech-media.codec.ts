/** What turns and one-shot speech share: an utterance collected from the engine's stream, and its captions. */
import type { Mark, SpeechPiece } from '../../engines/ports/index.ts';
import { PlatformError } from '../../kernel/errors.ts';

/** A whole utterance. */
export interface SpeechMedia {
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  seconds: number;
}

/** Gathers a streamed utterance. Throws UPSTREAM_FAILED when there is no sound in it. */
export async function gatherSpeech(pieces: AsyncIterable<SpeechPiece>): Promise<SpeechMedia> {
  const parts: Int16Array[] = [];
  const marks: Mark[] = [];
  let rate = 0;
  let length = 0;
  for await (const piece of pieces) {
    parts.push(piece.pcm);
    marks.push(...piece.marks);
    rate = piece.rate;
    length += piece.pcm.length;
  }
  if (length === 0) throw new PlatformError('UPSTREAM_FAILED', 'The speech engine returned no sound.');
  const pcm = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    pcm.set(part, at);
    at += part.length;
  }
  return { pcm, rate, marks, seconds: length / rate };
}

/** When each word is heard. */
export function wordMarks({ marks }: Pick<SpeechMedia, 'marks'>): { ms: number; at: number; len: number }[] {
  const words = marks.filter((mark) => mark.kind === 'word');
  return words.map(({ ms, at, len }) => ({ ms: Math.round(ms), at, len }));
}

/** The same as columns of a turn. */
export const captionColumns = (speech: SpeechMedia): { marks: string; seconds: number } => ({
  marks: JSON.stringify(wordMarks(speech)),
  seconds: speech.seconds,
});
