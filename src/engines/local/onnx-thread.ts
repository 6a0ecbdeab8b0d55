/**
 * A thread that runs one ONNX model by transformers.js: speech, embeddings or transcription. It loads the model with its
 * first task and keeps it until the thread ends. The packages are not the platform's own: their shapes are said here.
 */
import { pathToFileURL } from 'node:url';
import { resample } from '../embedded/codec/audio.ts';
import { serve, type TaskRun } from '../ports/serve.ts';
import type { ModelFor } from './catalogue.ts';

interface Source {
  /** Holds the folder of each model, and the module that imports the packages. */
  models: string;
  packages: string;
}

/** A text to be said; gives `Sound`. */
export interface SpeakTask extends Source {
  model: ModelFor<'speech'>;
  text: string;
  voice: string;
  /** Factor of the pace. */
  speed: number;
}
/** Mono, -1 to 1. */
export interface Sound {
  audio: Float32Array;
  rate: number;
}

/** Texts to be embedded; gives a vector each. */
export interface EmbedTask extends Source {
  model: ModelFor<'embedding'>;
  texts: string[];
}

/** A recording, 16-bit mono; gives its words. */
export interface TranscribeTask extends Source {
  model: ModelFor<'transcription'>;
  pcm: Int16Array;
  rate: number;
  /** As `de`; absent: it is heard. */
  language?: string;
}

type OnnxTask = SpeakTask | EmbedTask | TranscribeTask;

/** Texts that are embedded at once: more would need memory by the longest of them. */
const TEXTS_AT_ONCE = 8;
const HEARING_HZ = 16_000;
/** Whisper hears half a minute at a time; where two meet, it hears a little twice. */
const CHUNK_SECONDS = 30;
const OVERLAP_SECONDS = 5;

interface Tensor {
  data: ArrayLike<number>;
  dims: number[];
  tolist(): number[][];
}

interface Transformers {
  env: { allowRemoteModels: boolean; allowLocalModels: boolean; localModelPath: string; useFSCache: boolean };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: number[]) => Tensor;
  pipeline(task: 'feature-extraction', name: string, options: object): Promise<Extractor>;
  pipeline(task: 'automatic-speech-recognition', name: string, options: object): Promise<Recogniser>;
}

type Extractor = (texts: string[], options: object) => Promise<Tensor>;

interface Recogniser {
  (audio: Float32Array, options: object): Promise<{ text: string }>;
  processor(audio: Float32Array): Promise<{ input_features: Tensor }>;
  model: {
    (inputs: { input_features: Tensor; decoder_input_ids: Tensor }): Promise<{ logits: Tensor }>;
    generation_config: {
      is_multilingual?: boolean;
      decoder_start_token_id: number;
      /** `<|de|>` to its number. */
      lang_to_id?: Record<string, number>;
    };
  };
}

interface Kokoro {
  KokoroTTS: {
    from_pretrained(
      name: string,
      options: object,
    ): Promise<{
      generate(
        text: string,
        options: { voice: string; speed: number },
      ): Promise<{ audio: Float32Array; sampling_rate: number }>;
    }>;
  };
}

async function load<T>(packages: string, name: string): Promise<T> {
  const { load: importFrom } = await import(pathToFileURL(packages).href);
  return importFrom(name);
}

async function transformers({ models, packages }: Source): Promise<Transformers> {
  const library = await load<Transformers>(packages, '@huggingface/transformers');
  // Nothing is fetched: what is missing is an error.
  Object.assign(library.env, {
    allowRemoteModels: false,
    allowLocalModels: true,
    localModelPath: models,
    useFSCache: false,
  });
  return library;
}

/** Of the first task; each thread is given the tasks of one model. */
let loaded: Promise<(task: OnnxTask, run: TaskRun) => Promise<unknown>> | undefined;

serve<OnnxTask>(async (task, run) => {
  loaded ??= open(task);
  const perform = await loaded.catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return perform(task, run);
});

async function open(task: OnnxTask): Promise<(task: OnnxTask, run: TaskRun) => Promise<unknown>> {
  const { name, use, dtype } = task.model;
  const library = await transformers(task);
  const options = { dtype, device: 'cpu' };
  if (use === 'speech') {
    const { KokoroTTS } = await load<Kokoro>(task.packages, 'kokoro-js');
    const speaker = await KokoroTTS.from_pretrained(name, options);
    return only<SpeakTask>('text', async ({ text, voice, speed }) => {
      const { audio, sampling_rate: rate } = await speaker.generate(text, { voice, speed });
      return { audio, rate } satisfies Sound;
    });
  }
  if (use === 'embedding') {
    const extract = await library.pipeline('feature-extraction', name, options);
    return only<EmbedTask>('texts', (given, run) => embed(extract, given, run));
  }
  const recognise = await library.pipeline('automatic-speech-recognition', name, options);
  return only<TranscribeTask>('pcm', (given) => transcribe(library, recognise, given));
}

/** Recognises a task by a field that it alone has. */
function only<T extends OnnxTask>(field: keyof T, perform: (task: T, run: TaskRun) => Promise<unknown>) {
  const isOfKind = (task: OnnxTask): task is T => field in task;
  return async (task: OnnxTask, run: TaskRun): Promise<unknown> => {
    if (!isOfKind(task)) throw new Error('This thread has another model.');
    return perform(task, run);
  };
}

async function embed(extract: Extractor, { model, texts }: EmbedTask, run: TaskRun): Promise<number[][]> {
  const vectors: number[][] = [];
  for (let at = 0; at < texts.length && !run.stopped(); at += TEXTS_AT_ONCE) {
    const some = texts.slice(at, at + TEXTS_AT_ONCE).map((text) => `${model.prefix}${text}`);
    const tensor = await extract(some, { pooling: model.pooling, normalize: true });
    vectors.push(...tensor.tolist());
  }
  return vectors;
}

async function transcribe(library: Transformers, recognise: Recogniser, task: TranscribeTask): Promise<string> {
  const audio = Float32Array.from(resample(task.pcm, task.rate, HEARING_HZ), (sample) => sample / 32_768);
  const { is_multilingual: isMultilingual } = recognise.model.generation_config;
  const languageOptions = isMultilingual
    ? { language: task.language ?? (await heard(library, recognise, audio)), task: 'transcribe' }
    : {};
  const { text } = await recognise(audio, {
    ...languageOptions,
    ...(audio.length > CHUNK_SECONDS * HEARING_HZ && {
      chunk_length_s: CHUNK_SECONDS,
      stride_length_s: OVERLAP_SECONDS,
    }),
  });
  return text;
}

/** The language whose mark the model finds likeliest at the beginning: left to itself, the library takes all for English. */
async function heard({ Tensor }: Transformers, recognise: Recogniser, audio: Float32Array): Promise<string> {
  const { decoder_start_token_id: start, lang_to_id: marks = {} } = recognise.model.generation_config;
  const { input_features } = await recognise.processor(audio.subarray(0, CHUNK_SECONDS * HEARING_HZ));
  const decoder_input_ids = new Tensor('int64', BigInt64Array.of(BigInt(start)), [1, 1]);
  const { logits } = await recognise.model({ input_features, decoder_input_ids });
  const likely = Object.entries(marks).map(
    ([mark, id]) => [mark, logits.data[id] ?? Number.NEGATIVE_INFINITY] as const,
  );
  const [best] = likely.toSorted(([, a], [, b]) => b - a);
  return best?.[0].replace(/^<\||\|>$/g, '') ?? 'en';
}
