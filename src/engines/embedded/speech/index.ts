/**
 * The built-in speech engine, in a thread of its own, so that speaking never blocks a request: recorded speakers (Flite)
 * for English, eSpeak NG for all else. Gives audio with the times of sentences, words and phonemes in the caller's own
 * text. It does not imitate a person and cannot clone a voice.
 */
import { built } from '../../ports/built.ts';
import { badInput } from '../../ports/errors.ts';
import type { Mark, SpeechEngine, SpeechPiece, SpeechQuery } from '../../ports/index.ts';
import { createPool } from '../../ports/threads.ts';
import { estimateSpeechSeconds } from './estimate.ts';
import { languageOfSentence, resolveLanguage } from './languages.ts';
import { END_PAUSE_MS, NOTHING_SECONDS, PARAGRAPH_PAUSE_MS, SENTENCE_PAUSE_MS } from './pace.ts';
import { tune, VARIANTS, VOICES } from './preset-voices.ts';
import { sentencesOf } from './spoken-sentences.ts';
import type { SpeechChunk, SpeechTask } from './thread.ts';
import { createMarker, lineOf } from './word-marks.ts';

/** The speech engine and the end of its thread. */
export type EmbeddedSpeech = SpeechEngine & {
  /** Ends the thread; pending utterances reject with UNAVAILABLE. */
  close(): Promise<void>;
};

/** Characters of one utterance; callers' own limits are lower. */
const TEXT_LIMIT = 20_000;
const RATE_HZ = 22_050;
/** Starts no thread before the first utterance. */
export function createEmbeddedSpeech(): EmbeddedSpeech {
  const pool = createPool(built('src/engines/embedded/speech/thread.js'), 1);
  return {
    about:
      'English by the recorded speakers of CMU Flite, about 120 other languages by eSpeak NG, a formant synthesiser; ' +
      'word and phoneme times. It cannot imitate or clone a human voice; of Japanese kanji it knows the common ones.',
    voices: () => [...VOICES.values()].map(({ id, name, language }) => ({ id, name, language })),
    variants: () => [...VARIANTS],
    speaks: (language) => resolveLanguage(language) !== undefined,
    estimateSeconds: (text, voice, language) => estimateSpeechSeconds(text, voice, language),
    stream: (query) => speak(query, (task, signal) => pool.stream<SpeechChunk>(task, { signal })),
    close: () => pool.close(),
  };
}

type Perform = (task: SpeechTask, signal: AbortSignal | undefined) => AsyncIterable<SpeechChunk>;

async function* speak({ text, voice, language, signal }: SpeechQuery, perform: Perform): AsyncGenerator<SpeechPiece> {
  if (text.length > TEXT_LIMIT) throw badInput('text', `must not be longer than ${TEXT_LIMIT} characters.`);
  const tuning = tune(voice);
  const wanted = language === undefined ? tuning.voice.espeak : resolveLanguage(language, tuning.voice.espeak);
  if (!wanted) throw badInput('language', 'is not a language this platform can speak.');
  signal?.throwIfAborted();
  const sentences = sentencesOf(text);
  if (sentences.length === 0) {
    yield { pcm: new Int16Array(Math.round(NOTHING_SECONDS * RATE_HZ)), rate: RATE_HZ, marks: [] };
    return;
  }
  const lines = sentences.map((sentence, i) => {
    const end = sentence.at + sentence.len;
    const spokenIn = languageOfSentence(text.slice(sentence.at, end), wanted, text);
    const next = sentences[i + 1];
    const breath = next && /\n\s*\n/.test(text.slice(end, next.at)) ? PARAGRAPH_PAUSE_MS : SENTENCE_PAUSE_MS;
    return {
      line: lineOf(sentence, spokenIn),
      language: spokenIn,
      pauseMs: next ? breath / tuning.pace : END_PAUSE_MS,
    };
  });
  const markers = lines.map(({ line }) => createMarker(line));
  const { recorded: speaker, timbre } = tuning;
  const task: SpeechTask = {
    lines: lines.map(({ line, language, pauseMs }) => ({
      spoken: line.spoken,
      language,
      ...(speaker && language.split('-')[0] === 'en' ? { speaker } : {}),
      pauseMs,
    })),
    timbre,
  };
  for await (const { pcm, rate, events } of perform(task, signal)) {
    const marks: Mark[] = [];
    for (const { line, ...event } of events) marks.push(...(markers[line]?.(event) ?? []));
    yield { pcm, rate, marks };
  }
}
