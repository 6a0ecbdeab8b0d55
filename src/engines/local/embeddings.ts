/** A model of this machine that embeds texts. */
import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import type { Pool } from '../ports/threads.ts';
import type { InstalledModel } from './installed.ts';
import type { EmbedTask } from './onnx-thread.ts';

const TEXTS_PER_CALL = 32;

export function createLocalEmbeddings(
  { model, models, packages }: InstalledModel<'embedding'>,
  thread: Pool,
): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: model.name,
    maxEmbeddingsPerCall: TEXTS_PER_CALL,
    supportsParallelCalls: false,
    async doEmbed({ values, abortSignal }) {
      const task: EmbedTask = { model, models, packages, texts: values };
      return { embeddings: await thread.run<number[][]>(task, { signal: abortSignal }), warnings: [] };
    },
  };
}
