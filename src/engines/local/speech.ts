/**
 * English by a neural voice of this machine (Kokoro), sentence by sentence so that sound starts soon; every other language,
 * and every timbre, by the embedded engine, which also times words and lips. The embedded engine's own English voices keep
 * their names and are said by the neural voice that is nearest to each.
 */
import type { SpeechModelV4 } from '@ai-sdk/provider';
import { badInput } from '../../kernel/errors.ts';
import type { EmbeddedSpeech } from '../embedded/speech/index.ts';
import { languageOfSentence, resolveLanguage } from '../embedded/speech/languages.ts';
import { sentencesOf } from '../embedded/speech/spoken-sentences.ts';
import type { SpeechEngine, SpeechPiece, SpeechQuery, VoicePreset } from '../ports/index.ts';
import type { Pool } from '../ports/threads.ts';
import { createRemoteSpeech, phonemiseWith } from '../remote/speech.ts';
import { readWav, wavFile } from '../wav.ts';
import type { InstalledModel } from './installed.ts';
import type { Sound, SpeakTask } from './onnx-thread.ts';

/** The model's American and British voices, as it calls them: `af_` is an American woman, `bm_` a British man. */
const VOICES = {
  a: {
    name: 'American English',
    language: 'en-US',
    f: 'heart alloy aoede bella jessica kore nicole nova river sarah sky',
    m: 'adam echo eric fenrir liam michael onyx puck santa',
  },
  b: { name: 'British English', language: 'en-GB', f: 'alice emma isabella lily', m: 'daniel fable george lewis' },
} as const;

/** Who says what an embedded English voice says, and the embedded voice that speaks other languages for a neural one. */
const NEAREST: Record<string, string> = {
  amelia: 'bf_emma',
  oliver: 'bm_george',
  margaret: 'bf_isabella',
  grace: 'af_heart',
  mason: 'am_michael',
  walter: 'am_fenrir',
  lily: 'af_bella',
  isla: 'bf_alice',
  marlon: 'am_onyx',
};
const STANDS_FOR: Record<string, string> = { af: 'grace', am: 'mason', bf: 'amelia', bm: 'oliver' };

/** Longer ones are said in parts: the model hears 510 sounds at most. */
const LONGEST_SENTENCE = 300;

export function createLocalSpeech(
  installed: InstalledModel<'speech'>,
  thread: Pool,
  embedded: EmbeddedSpeech,
): SpeechEngine {
  const neural = Object.entries(VOICES).flatMap(([accent, { name, language, f, m }]) =>
    Object.entries({ f, m }).flatMap(([sex, names]) =>
      names.split(' ').map((one): VoicePreset => {
        const id = `${accent}${sex}_${one}`;
        return { id, name: `${one.charAt(0).toUpperCase()}${one.slice(1)} (${name})`, language };
      }),
    ),
  );
  const ids = new Set(neural.map(({ id }) => id));
  const byModel = createRemoteSpeech({
    model: modelOf(installed, thread),
    voices: neural,
    phonemise: phonemiseWith(embedded),
    decode: async (bytes) => readWav(bytes) ?? { pcm: new Int16Array(0), rate: 1 },
  });
  /** The neural voice of the settings, where there is one. */
  const neuralOf = ({ base, variant }: SpeechQuery['voice']): string | undefined => {
    if (variant !== undefined) return undefined;
    return ids.has(base) ? base : NEAREST[base];
  };
  const embeddedOf = ({ base, ...rest }: SpeechQuery['voice']): SpeechQuery['voice'] => ({
    base: ids.has(base) ? (STANDS_FOR[base.slice(0, 2)] ?? base) : base,
    ...rest,
  });
  return {
    about: `English by ${installed.model.name} on this machine, other languages by the embedded voices.`,
    voices: () => [...neural.map((voice) => ({ ...voice })), ...embedded.voices()],
    variants: () => embedded.variants(),
    speaks: (language) => embedded.speaks(language),
    estimateSeconds(text, voice, language) {
      const base = neuralOf(voice);
      const byEmbedded = embedded.estimateSeconds(text, embeddedOf(voice), language);
      return base ? Math.max(byEmbedded, byModel.estimateSeconds(text, { ...voice, base }, language)) : byEmbedded;
    },
    async *stream(query) {
      const base = neuralOf(query.voice);
      const isEnglish = base !== undefined && isAllEnglish(query);
      if (!isEnglish) yield* embedded.stream({ ...query, voice: embeddedOf(query.voice) });
      else yield* sentenceBySentence(byModel, { ...query, voice: { ...query.voice, base } });
    },
  };
}

/** One engine says an utterance: a voice that changes within it is worse than one that is plain. */
function isAllEnglish({ text, language }: SpeechQuery): boolean {
  const wanted = resolveLanguage(language ?? 'en', 'en');
  if (!wanted) throw badInput('language', 'is not a language this platform can speak.');
  const isEnglish = (name: string) => name.split('-')[0] === 'en';
  return (
    isEnglish(wanted) &&
    sentencesOf(text).every(({ at, len }) => isEnglish(languageOfSentence(text.slice(at, at + len), wanted, text)))
  );
}

async function* sentenceBySentence(engine: SpeechEngine, query: SpeechQuery): AsyncGenerator<SpeechPiece> {
  const parts = sentencesOf(query.text).flatMap(({ at, len }) => partsOf(query.text, at, at + len));
  // Nothing to say has a length of its own.
  if (parts.length === 0) yield* engine.stream(query);
  let samples = 0;
  for (const { at, end } of parts) {
    for await (const { pcm, rate, marks } of engine.stream({ ...query, text: query.text.slice(at, end) })) {
      const startMs = (samples / rate) * 1_000;
      yield {
        pcm,
        rate,
        marks: marks.map((mark) => ({ ...mark, ms: Math.round(mark.ms + startMs), at: mark.at + at })),
      };
      samples += pcm.length;
    }
  }
}

/** A sentence in parts that the model can say, cut behind a comma or else between words. */
function partsOf(text: string, at: number, end: number): { at: number; end: number }[] {
  if (end - at <= LONGEST_SENTENCE) return [{ at, end }];
  const most = text.slice(at, at + LONGEST_SENTENCE);
  const cuts = [...most.matchAll(/[,;:—–]\s/g)].map(({ index }) => index + 2);
  const cut = cuts.findLast((one) => one > LONGEST_SENTENCE / 3) ?? Math.max(most.lastIndexOf(' ') + 1, 0);
  const middle = at + (cut > 0 ? cut : LONGEST_SENTENCE);
  return [{ at, end: middle }, ...partsOf(text, middle, end)];
}

function modelOf({ model, models, packages }: InstalledModel<'speech'>, thread: Pool): SpeechModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: model.name,
    async doGenerate({ text, voice = 'af_heart', speed = 1, abortSignal }) {
      const task: SpeakTask = { model, models, packages, text, voice, speed };
      const { audio, rate } = await thread.run<Sound>(task, { signal: abortSignal });
      const pcm = Int16Array.from(audio, (x) => Math.round(Math.max(-1, Math.min(1, x)) * 32_767));
      return {
        audio: wavFile([pcm], rate),
        warnings: [],
        response: { timestamp: new Date(), modelId: model.name, headers: {} },
      };
    },
  };
}
