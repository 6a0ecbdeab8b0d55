/**
 * Any speech model of the AI SDK in place of eSpeak. Such models return audio without times, so the text is phonemised
 * by eSpeak and its marks are stretched onto the voiced parts of the audio: good enough for lips and captions. One
 * request speaks one utterance; it never retries (jobs do).
 */
import type { SpeechModelV4 } from '@ai-sdk/provider';
import { badInput } from '../../kernel/errors.ts';
import { upstreamFailure } from '../../kernel/remote-calls.ts';
import { createLeveler } from '../embedded/codec/loudness.ts';
import { estimateSeconds } from '../embedded/speech/estimate.ts';
import { resolveLanguage } from '../embedded/speech/languages.ts';
import { NOTHING_SECONDS } from '../embedded/speech/pace.ts';
import { ROBOT } from '../embedded/speech/preset-voices.ts';
import { sentencesOf } from '../embedded/speech/spoken-sentences.ts';
import type { Mark, SpeechEngine, SpeechPiece, SpeechQuery, VoicePreset, VoiceSettings } from '../ports/index.ts';
import { stretchMarks, voicedSpans } from './speech-align.ts';

/** Marks of a text as eSpeak would say it in `ms` milliseconds. */
export type Phonemise = (
  text: string,
  language: string,
  signal?: AbortSignal,
) => Promise<{ marks: Mark[]; ms: number }>;

/** The model, its voices, and how its sounds are aligned. */
export interface RemoteSpeechOptions {
  model: SpeechModelV4;
  /** Ids are the model's own voice names. */
  voices: VoicePreset[];
  phonemise: Phonemise;
  /** Any common audio file to mono PCM. */
  decode: (bytes: Uint8Array) => Promise<{ pcm: Int16Array; rate: number }>;
}

/** The shortest limit among the known services. */
const TEXT_LIMIT = 4_096;
const SILENCE_RATE_HZ = 24_000;
/** eSpeak's nominal rate at which our estimate fits neural voices, which speak about a quarter slower than it. */
const NEURAL_WORDS_PER_MINUTE = 130;

/** Rejects with BAD_INPUT for what the caller got wrong and UPSTREAM_FAILED when the model or its audio fails. */
export function createRemoteSpeech(options: RemoteSpeechOptions): SpeechEngine {
  const { model, voices } = options;
  const presetOf = (settings: VoiceSettings): VoicePreset => {
    const preset = voices.find(({ id }) => id === settings.base);
    if (!preset) throw badInput('ttsVoiceId', 'is not a voice of this platform.');
    if (settings.variant !== undefined) throw badInput('variant', 'is not a timbre of this engine.');
    within('pitch', settings.pitch ?? 0, -12, 12);
    within('rate', settings.rate ?? 1, 0.5, 2);
    return preset;
  };
  return {
    about: `Speech by ${model.provider} (${model.modelId}); word and phoneme times are aligned, not measured.`,
    voices: () => voices.map((voice) => ({ ...voice })),
    variants: () => [],
    speaks: (language) => resolveLanguage(language) !== undefined,
    estimateSeconds(text, voice, language) {
      const spokenIn = resolveLanguage(language ?? presetOf(voice).language) ?? 'en';
      return estimateSeconds(text, spokenIn, NEURAL_WORDS_PER_MINUTE * (voice.rate ?? 1));
    },
    stream: (query) => speak(query, presetOf, options),
  };
}

/** @returns a phonemiser that listens to the embedded engine speak, with its voice nearest to the language. */
export function phonemiseWith(engine: SpeechEngine): Phonemise {
  return async (text, language, signal) => {
    const voices = engine.voices();
    const near = (length: number) =>
      voices.find((voice) => voice.language.slice(0, length).toLowerCase() === language.slice(0, length).toLowerCase());
    const base = (near(35) ?? near(2) ?? (voices[0] as VoicePreset)).id;
    const marks: Mark[] = [];
    let ms = 0;
    for await (const piece of engine.stream({
      text,
      voice: { base, variant: ROBOT },
      language,
      ...(signal ? { signal } : {}),
    })) {
      marks.push(...piece.marks);
      ms += (piece.pcm.length / piece.rate) * 1_000;
    }
    return { marks, ms };
  };
}

async function* speak(
  { text, voice, language, signal }: SpeechQuery,
  presetOf: (settings: VoiceSettings) => VoicePreset,
  options: RemoteSpeechOptions,
): AsyncGenerator<SpeechPiece> {
  if (text.length > TEXT_LIMIT) throw badInput('text', `must not be longer than ${TEXT_LIMIT} characters.`);
  const preset = presetOf(voice);
  const spokenIn = language ?? preset.language;
  if (!resolveLanguage(spokenIn)) throw badInput('language', 'is not a language this platform can speak.');
  signal?.throwIfAborted();
  if (sentencesOf(text).length === 0) {
    yield { pcm: new Int16Array(NOTHING_SECONDS * SILENCE_RATE_HZ), rate: SILENCE_RATE_HZ, marks: [] };
    return;
  }
  const shift = 2 ** ((voice.pitch ?? 0) / 12);
  const [audio, plan] = await Promise.all([
    generate(options, { text, voice: preset.id, language: spokenIn, speed: (voice.rate ?? 1) / shift }, signal),
    options.phonemise(text, spokenIn, signal),
  ]);
  const pcm = evenlyLoud(shift === 1 ? audio.pcm : resample(audio.pcm, shift), audio.rate);
  yield {
    pcm,
    rate: audio.rate,
    marks: stretchMarks(plan, voicedSpans(pcm, audio.rate), (pcm.length / audio.rate) * 1_000),
  };
}

function evenlyLoud(pcm: Int16Array, rate: number): Int16Array {
  const leveler = createLeveler(rate);
  const start = leveler.push(Float32Array.from(pcm), true);
  const rest = leveler.finish(0);
  const all = new Int16Array(pcm.length);
  all.set(start);
  all.set(rest, start.length);
  return all;
}

async function generate(
  { model, decode }: RemoteSpeechOptions,
  wanted: { text: string; voice: string; language: string; speed: number },
  signal: AbortSignal | undefined,
): Promise<{ pcm: Int16Array; rate: number }> {
  try {
    const { audio } = await model.doGenerate({
      text: wanted.text,
      voice: wanted.voice,
      language: wanted.language.split('-')[0] as string,
      ...(wanted.speed === 1 ? {} : { speed: wanted.speed }),
      ...(signal ? { abortSignal: signal } : {}),
    });
    signal?.throwIfAborted();
    const decoded = await decode(typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio);
    if (decoded.pcm.length === 0) throw new Error('The audio is empty.');
    return decoded;
  } catch (cause) {
    signal?.throwIfAborted();
    throw upstreamFailure('The speech service failed.', cause);
  }
}

/**
 * Raises pitch by playing faster; the model was asked to speak that much slower, so the length stays. Timbre moves
 * along with pitch: the models have no setting of their own for it.
 */
function resample(pcm: Int16Array, factor: number): Int16Array {
  const out = new Int16Array(Math.max(1, Math.floor(pcm.length / factor)));
  for (let i = 0; i < out.length; i++) {
    const position = i * factor;
    const left = Math.floor(position);
    const a = pcm[left] ?? 0;
    out[i] = Math.round(a + ((pcm[left + 1] ?? a) - a) * (position - left));
  }
  return out;
}

function within(field: string, value: number, low: number, high: number): void {
  if (!(value >= low && value <= high)) throw badInput(field, `must be between ${low} and ${high}.`);
}
