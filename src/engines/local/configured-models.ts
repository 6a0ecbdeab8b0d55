/** The models of this machine that the configuration names; one that is not there stops the start with a sentence. */
import type { EmbeddingModelV4, LanguageModelV4, TranscriptionModelV4 } from '@ai-sdk/provider';
import { built } from '../../kernel/built.ts';
import type { Config } from '../../kernel/config.ts';
import type { EmbeddedSpeech } from '../embedded/speech/index.ts';
import type { SpeechEngine } from '../ports/index.ts';
import type { Pool } from '../ports/threads.ts';
import type { Use } from './catalogue.ts';
import { createLocalChat } from './chat.ts';
import { createLocalEmbeddings } from './embeddings.ts';
import { createModelThread } from './host.ts';
import { findInstalled, type InstalledModel, localName } from './installed.ts';
import { createLocalSpeech } from './speech.ts';
import { createLocalTranscription } from './transcription.ts';

/** What of this machine takes the place of other engines. */
export interface LocalModels {
  /** Each undefined unless its variable names a model of this machine. */
  chat: LanguageModelV4 | undefined;
  embedding: EmbeddingModelV4 | undefined;
  transcription: TranscriptionModelV4 | undefined;
  speech: ((embedded: EmbeddedSpeech) => SpeechEngine) | undefined;
  /** Ends their threads. */
  close(): Promise<void>;
}

/** Loads nothing: that is done by the first who asks. Throws ConfigError. */
export function chooseLocal(config: Config): LocalModels {
  const threads: Pool[] = [];
  const open = <U extends Use, T>(
    use: U,
    thread: 'llama' | 'onnx',
    create: (installed: InstalledModel<U>, thread: Pool) => T,
  ): T | undefined => {
    const variable = `${use.toUpperCase() as Uppercase<U>}_MODEL` as const;
    const name = localName(config[variable]);
    if (name === undefined) return undefined;
    const installed = findInstalled(config.DATA_DIR, variable, name, use);
    const entry = built(`src/engines/local/${thread}-thread.js`);
    const pool = createModelThread(entry, config.MODELS_IDLE_SECONDS * 1_000);
    threads.push(pool);
    return create(installed, pool);
  };
  return {
    chat: open('chat', 'llama', createLocalChat),
    embedding: open('embedding', 'onnx', createLocalEmbeddings),
    transcription: open('transcription', 'onnx', createLocalTranscription),
    speech: open(
      'speech',
      'onnx',
      (installed, thread) => (embedded: EmbeddedSpeech) => createLocalSpeech(installed, thread, embedded),
    ),
    close: async () => void (await Promise.all(threads.map((thread) => thread.close()))),
  };
}
