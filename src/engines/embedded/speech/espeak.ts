/**
 * eSpeak NG (compiled to JavaScript, GPL-3.0), loaded once a thread: speaks a line in any of its languages, or only
 * finds which sounds it would make where in the text.
 */
// @ts-expect-error The package ships no types; `Espeak` below is what we use of it.
import load from '@echogarden/espeak-ng-emscripten';
import type { SpeechEvent } from './word-marks.ts';

interface RawEvent {
  type: string;
  text_position: number;
  audio_position: number;
  id: string | number | undefined;
}

interface Espeak {
  FS: { readFile(path: string, options: { encoding: 'utf8' }): string; writeFile(path: string, text: string): void };
  eSpeakNGWorker: new () => {
    set_voice(name: string, language: string, gender: number, age: number, variant: number): number;
    set_rate(wordsPerMinute: number): void;
    samplerate: number;
    /** The callback returns true to stop. */
    synthesize(text: string, callback: (pcm: Int16Array, events: RawEvent[]) => boolean): void;
  };
}

/** How eSpeak sounds: a variant of its own, by name, higher or lower, slower or faster. */
export interface EspeakTimbre {
  variant: string;
  /** Factor on the timbre's own pitch. */
  pitch: number;
  wordsPerMinute: number;
}

/** eSpeak in this thread; `rate` is its samples per second. Both calls block until they are done. */
export interface EspeakSynthesiser {
  readonly rate: number;
  /** Times of the events count from the line's start. The listener returns true to stop. */
  speak(
    line: string,
    language: string,
    timbre: EspeakTimbre,
    listen: (pcm: Int16Array, events: SpeechEvent[]) => boolean,
  ): void;
  /** The words and sounds of a line with their positions; their times mean nothing. */
  soundsOf(line: string, language: string): SpeechEvent[];
}

const VARIANT_FOLDER = '/usr/share/espeak-ng-data/voices/!v';
/** eSpeak's own pitch range in Hz where a timbre names none. */
const DEFAULT_PITCH = 'pitch 82 118';
/** Its fastest pace: sounds are found several times sooner when the audio is thrown away. */
const HURRIED_WORDS_PER_MINUTE = 450;

export async function loadEspeak(): Promise<EspeakSynthesiser> {
  const module = await (load as () => Promise<Espeak>)();
  const voice = new module.eSpeakNGWorker();
  return {
    rate: voice.samplerate,
    speak(line, language, { variant, pitch, wordsPerMinute }, listen) {
      writeTuned(module, variant, pitch);
      voice.set_voice(`${language}+tuned`, '', 0, 0, 0);
      voice.set_rate(wordsPerMinute);
      voice.synthesize(line, (pcm, found) => listen(pcm, found.flatMap(translate)));
    },
    soundsOf(line, language) {
      const events: SpeechEvent[] = [];
      voice.set_voice(language, '', 0, 0, 0);
      voice.set_rate(HURRIED_WORDS_PER_MINUTE);
      voice.synthesize(line, (_, found) => {
        events.push(...found.flatMap(translate));
        return false;
      });
      return events;
    },
  };
}

/** eSpeak counts positions from 1; `(en)` marks a change of language inside a clause and is not a sound. */
function translate({ type, text_position, audio_position: ms, id }: RawEvent): SpeechEvent[] {
  const position = text_position - 1;
  if (type === 'word') return [{ ms, kind: 'word', position }];
  if (type !== 'phoneme') return [];
  const ipa = String(id ?? '');
  return ipa.startsWith('(') ? [] : [{ ms, kind: 'phoneme', position, ipa }];
}

/** A timbre file like the asked one with its pitch moved: eSpeak's own pitch setting reaches 6 semitones at most. */
function writeTuned(module: Espeak, variant: string, factor: number): void {
  const source = module.FS.readFile(`${VARIANT_FOLDER}/${variant}`, { encoding: 'utf8' });
  const based = /^pitch\s/m.test(source) ? source : `${source.trimEnd()}\n${DEFAULT_PITCH}\n`;
  const tuned = based.replace(
    /^pitch\s+(\d+)\s+(\d+).*$/m,
    (_, low: string, high: string) => `pitch ${Math.round(Number(low) * factor)} ${Math.round(Number(high) * factor)}`,
  );
  module.FS.writeFile(`${VARIANT_FOLDER}/tuned`, tuned);
}
