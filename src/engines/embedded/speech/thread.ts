/**
 * The synthesiser's own thread: loads eSpeak NG (compiled to JavaScript, GPL-3.0) once and speaks one task at a time,
 * posting audio and events as they come. Erasable TypeScript; it knows eSpeak's names and code points only, nothing
 * of presets or of the caller's text.
 */
// @ts-expect-error The package ships no types; `Espeak` below is what we use of it.
import load from '@echogarden/espeak-ng-emscripten';
import { serve, type TaskRun } from '../serve.ts';
import { createPolisher } from './polish.ts';
import type { SpeechEvent } from './words.ts';

export interface SpeechTask {
  lines: { spoken: string; language: string; pauseMs: number }[];
  variant: string;
  /** Factor on the timbre's own pitch. */
  pitch: number;
  wordsPerMinute: number;
}

/** Absolute times; `line` tells which line an event's position counts in. */
export interface SpeechChunk {
  pcm: Int16Array;
  rate: number;
  events: (SpeechEvent & { line: number })[];
}

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

const VARIANT_FOLDER = '/usr/share/espeak-ng-data/voices/!v';
/** eSpeak's own pitch range in Hz where a timbre names none. */
const DEFAULT_PITCH = 'pitch 82 118';
/** Audio is posted once this much of it is there: fewer messages, and still well ahead of playing. */
const PIECE_SECONDS = 0.5;
/** Signs that eSpeak passes over in silence still make a recording that a player accepts. */
const LEAST_SECONDS = 0.3;

let loaded: Promise<{ module: Espeak; voice: InstanceType<Espeak['eSpeakNGWorker']> }> | undefined;

async function espeak() {
  loaded ??= (load as () => Promise<Espeak>)().then((module) => ({ module, voice: new module.eSpeakNGWorker() }));
  return loaded;
}

serve<SpeechTask>(async (task, run) => {
  try {
    return await speak(task, run);
  } catch (error) {
    loaded = undefined; // Its memory may be in any state after a trap; the next task gets a fresh one.
    throw error;
  }
});

async function speak(task: SpeechTask, run: TaskRun): Promise<void> {
  const { module, voice } = await espeak();
  const rate = voice.samplerate;
  writeTuned(module, task.variant, task.pitch);
  const polisher = createPolisher(rate);
  let pcm: Int16Array[] = [];
  let ready = 0;
  let events: SpeechChunk['events'] = [];
  const post = (samples: Int16Array, last = false) => {
    pcm.push(samples);
    ready += samples.length;
    if (!last && ready < PIECE_SECONDS * rate) return;
    run.piece({ pcm: concat(pcm, ready), rate, events } satisfies SpeechChunk);
    pcm = [];
    ready = 0;
    events = [];
  };
  let samples = 0;
  for (const [line, { spoken, language, pauseMs }] of task.lines.entries()) {
    if (run.stopped()) return;
    voice.set_voice(`${language}+tuned`, '', 0, 0, 0);
    voice.set_rate(task.wordsPerMinute);
    const startMs = Math.round((samples / rate) * 1_000);
    events.push({ ms: startMs, kind: 'sentence', position: 0, line });
    voice.synthesize(spoken, (raw, found) => {
      for (const event of found) {
        const known = translate(event, startMs);
        if (known) events.push({ ...known, line });
      }
      samples += raw.length;
      if (raw.length > 0) post(polisher.push(raw));
      return run.stopped();
    });
    events.push({ ms: (samples / rate) * 1_000, kind: 'end', position: spoken.length, line });
    if (line === task.lines.length - 1) break;
    const pause = Math.round((pauseMs * rate) / 1_000);
    samples += pause;
    post(polisher.push(new Int16Array(pause)));
  }
  if (run.stopped()) return;
  const least = LEAST_SECONDS * rate - samples;
  const tail = Math.round(Math.max(least, ((task.lines.at(-1)?.pauseMs ?? 0) * rate) / 1_000));
  post(polisher.finish(tail), true);
}

/** eSpeak counts positions from 1; `(en)` marks a change of language inside a clause and is not a sound. */
function translate(event: RawEvent, startMs: number): SpeechEvent | undefined {
  const ms = startMs + event.audio_position;
  const position = event.text_position - 1;
  if (event.type === 'word') return { ms, kind: 'word', position };
  if (event.type !== 'phoneme') return undefined;
  const ipa = String(event.id ?? '');
  return ipa.startsWith('(') ? undefined : { ms, kind: 'phoneme', position, ipa };
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

function concat(parts: Int16Array[], length: number): Int16Array {
  const all = new Int16Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
