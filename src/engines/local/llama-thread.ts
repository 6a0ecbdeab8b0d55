/**
 * A thread that runs one language model by llama.cpp (node-llama-cpp). It loads the model with its first task and keeps it,
 * with what it has read of the last conversation, until the thread ends. Pieces of text are posted as they are written.
 */
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { serve, type TaskRun } from '../ports/serve.ts';
import type { ModelFor } from './catalogue.ts';

/** A reply to be written. */
export interface WriteTask {
  models: string;
  packages: string;
  model: ModelFor<'chat'>;
  system: string;
  /** In order; the last one is the user's, and is answered. */
  turns: { by: 'user' | 'model'; text: string }[];
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  stop?: string[];
  /** The reply must be JSON of this schema; `true`: any JSON. */
  json?: object | true;
}

/** What is said, or thought before it. */
export type WrittenPiece = { text: string } | { thought: string };

/** How a reply ended. */
export interface Written {
  /** Tokens that were read anew and written. */
  read: number;
  wrote: number;
  isCut: boolean;
}

interface Sequence {
  tokenMeter: { getState(): { usedInputTokens: number; usedOutputTokens: number } };
}

interface Llama {
  loadModel(options: { modelPath: string }): Promise<{
    trainContextSize: number;
    createContext(options: {
      contextSize: number;
      sequences: number;
      threads: number;
    }): Promise<{ getSequence(): Sequence }>;
  }>;
  getGrammarFor(type: 'json'): Promise<object>;
  createGrammarForJsonSchema(schema: object): Promise<object>;
}

interface Session {
  setChatHistory(history: object[]): void;
  promptWithMeta(text: string, options: object): Promise<{ stopReason: string }>;
  dispose(): void;
}

interface Library {
  getLlama(options: object): Promise<Llama>;
  LlamaChatSession: new (options: { contextSequence: Sequence; systemPrompt?: string }) => Session;
}

interface Loaded {
  library: Library;
  llama: Llama;
  sequence: Sequence;
}

let loaded: Promise<Loaded> | undefined;

serve<WriteTask>(async (task, run) => {
  loaded ??= open(task);
  const model = await loaded.catch((error: unknown) => {
    loaded = undefined;
    throw error;
  });
  return write(model, task, run);
});

async function open({ models, packages, model }: WriteTask): Promise<Loaded> {
  const { load } = await import(pathToFileURL(packages).href);
  const library: Library = await load('node-llama-cpp');
  // Nothing is fetched or compiled; of binaries for graphics cards only Apple's is installed.
  const gpu = process.platform === 'darwin' ? 'auto' : false;
  const llama = await library.getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    logLevel: 'error',
    progressLogs: false,
  });
  const [{ path: file }] = model.files as [ModelFor<'chat'>['files'][number]];
  const weights = await llama.loadModel({ modelPath: path.join(models, model.name, file) });
  const contextSize = Math.min(model.contextTokens, weights.trainContextSize);
  // Its threads wait for each other by spinning: with one a core they starve whatever else runs, and that them.
  const threads = Math.max(1, os.availableParallelism() - 1);
  const context = await weights.createContext({ contextSize, sequences: 1, threads });
  return { library, llama, sequence: context.getSequence() };
}

/** Posts what it writes, and what that took as the last piece. */
async function write({ library, llama, sequence }: Loaded, task: WriteTask, run: TaskRun): Promise<void> {
  const { system, turns, json, stop, maxTokens, temperature, topP, topK, seed } = task;
  const last = turns.at(-1);
  const before = sequence.tokenMeter.getState();
  const session = new library.LlamaChatSession({ contextSequence: sequence });
  const left = new AbortController();
  try {
    session.setChatHistory([
      ...(system === '' ? [] : [{ type: 'system', text: system }]),
      ...turns
        .slice(0, -1)
        .map(({ by, text }) => (by === 'user' ? { type: 'user', text } : { type: 'model', response: [text] })),
    ]);
    const { stopReason } = await session.promptWithMeta(last?.text ?? '', {
      signal: left.signal,
      stopOnAbortSignal: true,
      ...defined({ maxTokens, temperature, topP, topK, seed, customStopTriggers: stop }),
      ...(json && {
        grammar: await (json === true ? llama.getGrammarFor('json') : llama.createGrammarForJsonSchema(json)),
      }),
      onResponseChunk: ({ text, segmentType }: { text: string; segmentType?: string }) => {
        if (run.stopped()) left.abort();
        if (text !== '') run.piece((segmentType ? { thought: text } : { text }) satisfies WrittenPiece);
      },
    });
    const after = sequence.tokenMeter.getState();
    run.piece({
      read: after.usedInputTokens - before.usedInputTokens,
      wrote: after.usedOutputTokens - before.usedOutputTokens,
      isCut: stopReason === 'maxTokens',
    } satisfies Written);
  } finally {
    session.dispose();
    await turn();
  }
}

/** Without what is undefined: to this library that is a value. */
const defined = (options: object): object =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
