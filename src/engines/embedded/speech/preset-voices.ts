/**
 * The curated voices: a human name, an accent and a timbre each, bent by pitch and pace so that any two voices of a
 * language differ at once. English is said by recorded speakers (Flite), all else by eSpeak NG. Plain data; it
 * never touches a synthesiser.
 */
import { badInput } from '../../ports/errors.ts';
import type { VoicePreset, VoiceSettings } from '../../ports/index.ts';
import type { EspeakTimbre } from './espeak.ts';
import type { Speaker, SpeakerTuning } from './flite.ts';
import { REFERENCE_WORDS_PER_MINUTE } from './pace.ts';

/** How a voice is made: eSpeak language and timbre, semitones above the timbre's own pitch, pace factor. */
export interface Voice extends VoicePreset {
  espeak: string;
  variant: string;
  pitch: number;
  rate: number;
  /** The recorded speaker that says English in the place of eSpeak, and its tuning; absent where eSpeak does. */
  recorded?: SpeakerTuning;
}

type Row = [id: string, name: string, language: string, espeak: string, variant: string, pitch: number, rate: number];

const ROWS: Row[] = [
  ['amelia', 'Amelia (English)', 'en-GB', 'en', 'f2', 0, 1],
  ['oliver', 'Oliver (Scottish English)', 'en-GB', 'en-gb-x-rp', 'm3', 0, 1],
  ['margaret', 'Margaret (English, older)', 'en-GB', 'en-gb-x-rp', 'aunty', -3, 0.88],
  ['grace', 'Grace (American English)', 'en-US', 'en-us', 'f3', 1, 1],
  ['mason', 'Mason (American English)', 'en-US', 'en-us', 'Mario', 2, 1.04],
  ['walter', 'Walter (American English, older)', 'en-US', 'en-us', 'quincy', -2, 0.86],
  ['lily', 'Lily (American English, young)', 'en-US', 'en-us', 'Annie', 2, 1.06],
  ['isla', 'Isla (Scottish English)', 'en-GB', 'en-gb-scotland', 'f1', 0, 1],
  ['marlon', 'Marlon (American English, deep)', 'en-US', 'en-029', 'm1', -1, 0.96],
  ['hannah', 'Hannah (German)', 'de-DE', 'de', 'f3', -1, 1],
  ['lukas', 'Lukas (German)', 'de-DE', 'de', 'm3', 1, 1],
  ['chloe', 'Chloé (French)', 'fr-FR', 'fr', 'f2', 1, 1],
  ['hugo', 'Hugo (French)', 'fr-FR', 'fr', 'Mario', 0, 0.98],
  ['lucia', 'Lucía (Spanish)', 'es-ES', 'es', 'f1', 1, 1],
  ['mateo', 'Mateo (Latin American Spanish)', 'es-419', 'es-419', 'm7', 1, 0.96],
  ['giulia', 'Giulia (Italian)', 'it-IT', 'it', 'f3', 0, 1],
  ['beatriz', 'Beatriz (Brazilian Portuguese)', 'pt-BR', 'pt-br', 'f2', -1, 1],
  ['daan', 'Daan (Dutch)', 'nl-NL', 'nl', 'm1', 1, 1],
  ['astrid', 'Astrid (Swedish)', 'sv-SE', 'sv', 'f2', 0, 1],
  ['zofia', 'Zofia (Polish)', 'pl-PL', 'pl', 'f1', 0, 1],
  ['dmitri', 'Dmitri (Russian)', 'ru-RU', 'ru', 'm1', -2, 1],
  ['olena', 'Olena (Ukrainian)', 'uk-UA', 'uk', 'f3', -1, 1.1],
  ['elif', 'Elif (Turkish)', 'tr-TR', 'tr', 'f2', 1, 1],
  ['layla', 'Layla (Arabic)', 'ar', 'ar', 'f1', 2, 0.95],
  ['arjun', 'Arjun (Hindi)', 'hi-IN', 'hi', 'm7', 0, 1],
  ['mei', 'Mei (Mandarin Chinese)', 'zh-CN', 'cmn', 'f3', 1, 1],
  ['yuki', 'Yuki (Japanese)', 'ja-JP', 'ja', 'f2', 2, 1.05],
  ['minjun', 'Min-jun (Korean)', 'ko-KR', 'ko', 'm3', 2, 1],
];

/** The English voices: who speaks, factor on the formants, semitones, pace factor. */
const RECORDED: Record<string, [speaker: Speaker, formant: number, pitch: number, pace: number]> = {
  amelia: ['slt', 1.02, 0.6, 1],
  grace: ['slt', 1.07, 3.2, 1.03],
  lily: ['slt', 1.16, 5.5, 1.06],
  margaret: ['slt', 0.94, -3, 0.9],
  mason: ['rms', 1.07, 1, 1.04],
  walter: ['rms', 1, -0.6, 0.88],
  marlon: ['rms', 0.92, -1, 0.97],
  oliver: ['awb', 1, 0, 1],
  isla: ['awb', 1.13, 3.8, 1],
};

/** Factors on the pace that bring each speaker to the same words a minute. */
const SPEAKER_PACE: Record<Speaker, number> = { slt: 1, rms: 1.15, awb: 1.05 };

/** The voices by their ids, in the order in which they are listed. */
export const VOICES: ReadonlyMap<string, Voice> = new Map(
  ROWS.map(([id, name, language, espeak, variant, pitch, rate]) => [
    id,
    { id, name, language, espeak, variant, pitch, rate, ...recordedVoice(id) },
  ]),
);

function recordedVoice(id: string): { recorded?: SpeakerTuning } {
  const row = RECORDED[id];
  if (!row) return {};
  const [speaker, formant, semitones, pace] = row;
  return { recorded: { speaker, formant, pitch: 2 ** (semitones / 12), pace: pace * SPEAKER_PACE[speaker] } };
}

/** The timbre that makes an English voice speak as a machine does: eSpeak in place of the recording. */
export const ROBOT = 'robot';

/** Timbres of eSpeak NG worth hearing; its joke voices are left out. A voice that is given one speaks by eSpeak. */
export const VARIANTS: readonly string[] = (
  'robot m1 m2 m3 m4 m5 m6 m7 m8 f1 f2 f3 f4 f5 Andy Gene Mario Michael adam edward max quincy grandpa ' +
  'Annie Alicia Andrea aunty belinda grandma linda shelby steph whisper whisperf'
).split(' ');

/** A voice ready to speak. */
export interface Tuning {
  voice: Voice;
  timbre: EspeakTimbre;
  /** The recorded speaker that says English in the place of eSpeak, and its tuning; absent where eSpeak does. */
  recorded?: SpeakerTuning;
  /** Factor on the reference pace: what an estimate of seconds is divided by. */
  pace: number;
}

/** @throws BAD_INPUT naming the setting that is unknown or out of range. */
export function tune(settings: VoiceSettings): Tuning {
  const voice = VOICES.get(settings.base);
  if (!voice) throw badInput('ttsVoiceId', 'is not a voice of this platform.');
  const { variant } = settings;
  if (variant !== undefined && !VARIANTS.includes(variant))
    throw badInput('variant', 'is not a timbre of this engine.');
  const pitch = within('pitch', settings.pitch ?? 0, -12, 12);
  const rate = within('rate', settings.rate ?? 1, 0.5, 2);
  const recorded = variant === undefined ? voice.recorded : undefined;
  return {
    voice,
    timbre: {
      variant: variant === undefined || variant === ROBOT ? voice.variant : variant,
      pitch: 2 ** ((voice.pitch + pitch) / 12),
      wordsPerMinute: Math.round(REFERENCE_WORDS_PER_MINUTE * voice.rate * rate),
    },
    ...(recorded
      ? { recorded: { ...recorded, pitch: recorded.pitch * 2 ** (pitch / 12), pace: recorded.pace * rate } }
      : {}),
    pace: voice.rate * rate,
  };
}

function within(field: string, value: number, low: number, high: number): number {
  if (!(value >= low && value <= high)) throw badInput(field, `must be between ${low} and ${high}.`);
  return value;
}
