/**
 * The speech thread: speaks one task at a time, line after line, and posts audio and events as they come. eSpeak runs
 * here, recorded speakers in two threads beside it. It knows nothing of presets or of the caller's
 * text.
 */
import { built } from '../../ports/built.ts';
import { serve, type TaskRun } from '../../ports/serve.ts';
import { createPool } from '../../ports/threads.ts';
import { createLeveler } from '../codec/loudness.ts';
import { alignSounds } from './align-recording.ts';
import { type Clause, clausesOf, plainEnglish } from './english-clauses.ts';
import { createEqualiser } from './equaliser.ts';
import { type EspeakTimbre, loadEspeak } from './espeak.ts';
import type { SpeakerTuning, Utterance } from './flite.ts';
import type { RecordedTask } from './recorded-thread.ts';
import type { SpeechEvent } from './word-marks.ts';

/** A sentence as its synthesiser reads it, and the silence after it in milliseconds. */
export interface SpeechLine {
  spoken: string;
  /** eSpeak's name of the language. */
  language: string;
  /** The recorded speaker who says it; without one, and for what the speaker cannot read, eSpeak does. */
  speaker?: SpeakerTuning;
  pauseMs: number;
}

/** A whole utterance: its lines in order, in one timbre. */
export interface SpeechTask {
  lines: SpeechLine[];
  timbre: EspeakTimbre;
}

/** Absolute times; `line`: which line an event's position counts in. */
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

/** Clauses that recorded speakers say at the same time, and those made ahead of the one that is being joined. */
const RECORDED_THREADS = 2;
const CLAUSES_AHEAD = 3;

let espeakLoaded: ReturnType<typeof loadEspeak> | undefined;
const recordedPool = createPool(built('src/engines/embedded/speech/recorded-thread.js'), RECORDED_THREADS);

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
  const clauses = lines.map(recordedClauses);
  const recordings = createRecordings(
    clauses.flatMap((some) => some ?? []),
    espeak.rate,
  );
  try {
    for (const [index, line] of lines.entries()) {
      if (run.stopped()) return;
      output.begin(index);
      const some = clauses[index];
      if (some) await recorded(some, line.language);
      else formant(line);
      output.event({ ms: 0, kind: 'end', position: line.spoken.length }, true);
      if (index < lines.length - 1) output.silence(line.pauseMs);
    }
    if (!run.stopped()) output.end(lines.at(-1)?.pauseMs ?? 0);
  } finally {
    recordings.close();
  }

  function formant({ spoken, language }: SpeechLine): void {
    const equalise = createEqualiser(espeak.rate);
    espeak.speak(spoken, language, timbre, (pcm, events) => {
      for (const event of events) output.event(event);
      if (pcm.length > 0) output.audio(equalise(pcm));
      return run.stopped();
    });
  }

  async function recorded(some: RecordedClause[], language: string): Promise<void> {
    for (const clause of some) {
      if (run.stopped()) return;
      // Recorded speakers say the line in threads of their own; meanwhile eSpeak finds here which sounds it has.
      const sounds = espeak.soundsOf(clause.spoken, language);
      const { pcm, phones } = await recordings.next();
      output.rebase();
      for (const event of alignSounds(sounds, phones))
        output.event({ ...event, position: event.position + clause.position });
      output.audio(Float32Array.from(pcm), true);
      if (clause.more) output.silence(CLAUSE_PAUSE_MS / clause.speaker.pace);
    }
  }
}

interface RecordedClause extends Clause {
  /** What is said, in plain ASCII. */
  text: string;
  speaker: SpeakerTuning;
}

/** What a recorded speaker says of a line; undefined when it has none, or one who cannot read it. */
function recordedClauses({ spoken, speaker }: SpeechLine): RecordedClause[] | undefined {
  if (!speaker || plainEnglish(spoken) === undefined) return undefined;
  return clausesOf(spoken).flatMap((clause) => {
    const text = plainEnglish(clause.spoken);
    return text === undefined ? [] : [{ ...clause, text, speaker }];
  });
}

/** Recordings of the clauses in their order, a few of them made ahead. Rejects when one cannot be made. */
function createRecordings(clauses: RecordedClause[], rate: number) {
  const gone = new AbortController();
  const started: Promise<Utterance>[] = [];
  let from = 0;
  const start = (): void => {
    for (const { text, speaker } of clauses.slice(from, from + CLAUSES_AHEAD - started.length)) {
      const said = recordedPool.run<Utterance>({ text, speaker, rate } satisfies RecordedTask, { signal: gone.signal });
      said.catch(() => undefined); // Told to who waits for it; one that nobody waits for any more has nothing to tell.
      started.push(said);
      from += 1;
    }
  };
  start();
  return {
    next(): Promise<Utterance> {
      const said = started.shift();
      start();
      return said ?? Promise.reject(new RangeError('All clauses have been spoken.'));
    },
    /** Ends what is under way: clauses that no caller has waited for are not spoken. */
    close(): void {
      gone.abort();
    },
  };
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
