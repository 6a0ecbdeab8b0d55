/**
 * The synthesisers' own thread: loads each once, speaks one task at a time and posts audio and events as they come.
 * Erasable TypeScript; it knows nothing of presets or of the caller's text.
 */
import { createLeveler } from '../codec/loudness.ts';
import { serve, type TaskRun } from '../serve.ts';
import { alignSounds } from './align.ts';
import { clausesOf, plainEnglish } from './clauses.ts';
import { createEqualiser } from './equaliser.ts';
import { type EspeakTimbre, loadEspeak } from './espeak.ts';
import { loadFlite, type SpeakerTuning } from './flite.ts';
import type { SpeechEvent } from './words.ts';

export interface SpeechLine {
  spoken: string;
  /** eSpeak's name of the language. */
  language: string;
  /** The recorded speaker who says it; without one, and for what the speaker cannot read, eSpeak does. */
  speaker?: SpeakerTuning;
  pauseMs: number;
}

export interface SpeechTask {
  lines: SpeechLine[];
  timbre: EspeakTimbre;
}

/** Absolute times; `line` tells which line an event's position counts in. */
export interface SpeechChunk {
  pcm: Int16Array;
  rate: number;
  events: (SpeechEvent & { line: number })[];
}

/** Audio is posted once this much of it is there: fewer messages, and still well ahead of playing. */
const PIECE_SECONDS = 0.5;
/** Signs that no synthesiser voices still make a recording that a player accepts. */
const LEAST_SECONDS = 0.3;
/** The breath of a comma, where a line is spoken in clauses. */
const CLAUSE_PAUSE_MS = 150;

let espeakLoaded: ReturnType<typeof loadEspeak> | undefined;
let fliteLoaded: ReturnType<typeof loadFlite> | undefined;

serve<SpeechTask>(async (task, run) => {
  try {
    return await speak(task, run);
  } catch (error) {
    espeakLoaded = undefined; // Its memory may be in any state after a trap; the next task gets a fresh one.
    throw error;
  }
});

async function speak({ lines, timbre }: SpeechTask, run: TaskRun): Promise<void> {
  espeakLoaded ??= loadEspeak();
  const espeak = await espeakLoaded;
  const output = createOutput(espeak.rate, run);
  for (const [index, line] of lines.entries()) {
    if (run.stopped()) return;
    output.begin(index);
    if (!(line.speaker && (await recorded(line, line.speaker)))) formant(line);
    output.event({ ms: 0, kind: 'end', position: line.spoken.length }, true);
    if (index < lines.length - 1) output.silence(line.pauseMs);
  }
  if (!run.stopped()) output.end(lines.at(-1)?.pauseMs ?? 0);

  function formant({ spoken, language }: SpeechLine): void {
    const equalise = createEqualiser(espeak.rate);
    espeak.speak(spoken, language, timbre, (pcm, events) => {
      for (const event of events) output.event(event);
      if (pcm.length > 0) output.audio(equalise(pcm));
      return run.stopped();
    });
  }

  /** @returns false when the speaker cannot read the line. */
  async function recorded({ spoken, language }: SpeechLine, speaker: SpeakerTuning): Promise<boolean> {
    if (plainEnglish(spoken) === undefined) return false;
    fliteLoaded ??= loadFlite();
    const flite = await fliteLoaded;
    for (const clause of clausesOf(spoken)) {
      if (run.stopped()) return true;
      const text = plainEnglish(clause.spoken);
      if (text === undefined) continue;
      const { pcm, phones } = await flite.speak(text, speaker, espeak.rate);
      output.rebase();
      for (const event of alignSounds(espeak.soundsOf(clause.spoken, language), phones))
        output.event({ ...event, position: event.position + clause.position });
      output.audio(Float32Array.from(pcm), true);
      if (clause.more) output.silence(CLAUSE_PAUSE_MS / speaker.pace);
    }
    return true;
  }
}

/** Joins lines to one evenly loud stream and counts its time. */
function createOutput(rate: number, run: TaskRun) {
  const leveler = createLeveler(rate);
  let parts: Int16Array[] = [];
  let ready = 0;
  let events: SpeechChunk['events'] = [];
  let samples = 0;
  let line = 0;
  let startMs = 0;
  const nowMs = () => (samples / rate) * 1_000;

  function post(pcm: Int16Array, last = false): void {
    parts.push(pcm);
    ready += pcm.length;
    if (!last && ready < PIECE_SECONDS * rate) return;
    run.piece({ pcm: concat(parts, ready), rate, events } satisfies SpeechChunk);
    parts = [];
    ready = 0;
    events = [];
  }

  function audio(pcm: Float32Array, phrase = false): void {
    samples += pcm.length;
    post(leveler.push(pcm, phrase));
  }

  return {
    begin(index: number): void {
      line = index;
      startMs = Math.round(nowMs());
      events.push({ ms: startMs, kind: 'sentence', position: 0, line });
    },
    /** Times of the events that follow count from now. */
    rebase(): void {
      startMs = nowMs();
    },
    event(event: SpeechEvent, now = false): void {
      events.push({ ...event, ms: now ? nowMs() : startMs + event.ms, line });
    },
    audio,
    silence(ms: number): void {
      audio(new Float32Array(Math.round((ms * rate) / 1_000)));
    },
    end(pauseMs: number): void {
      post(leveler.finish(Math.round(Math.max(LEAST_SECONDS * rate - samples, (pauseMs * rate) / 1_000))), true);
    },
  };
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
