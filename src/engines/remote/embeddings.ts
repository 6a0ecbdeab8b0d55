/** The embedding model that `EMBEDDING_*` names: of an OpenAI-compatible server, or of any provider package of the AI SDK. */
import type { EmbeddingModelV4 } from '@ai-sdk/provider';
import { type Config, ConfigError } from '../../kernel/config.ts';
import type { RemoteCalls } from '../../kernel/remote-calls.ts';
import type { Engines } from '../ports/index.ts';
import { addressOf, guardedEmbeddings } from './guarded.ts';
import { createOpenAiCompatibleEmbeddings } from './openai-embeddings.ts';
import { loadEmbeddingModel, readModelName } from './providers.ts';

/** Nothing: memories are found by words alone. Throws ConfigError. */
export async function chooseEmbeddings(config: Config, calls: RemoteCalls): Promise<Pick<Engines, 'embedding'>> {
  const { EMBEDDING_BASE_URL: baseURL, EMBEDDING_API_KEY: apiKey, EMBEDDING_MODEL: name } = config;
  if (!name) {
    if (baseURL) throw new ConfigError('EMBEDDING_MODEL must be set when EMBEDDING_BASE_URL is.');
    return {};
  }
  const settings = { ...(apiKey ? { apiKey } : {}), ...(baseURL ? { baseURL } : {}) };
  // With an address, only a scope distinguishes a package from models that are named like `nomic-embed-text:v1.5`.
  const model =
    !baseURL || (name.startsWith('@') && readModelName(name))
      ? await loadEmbeddingModel('EMBEDDING_MODEL', name, settings)
      : createOpenAiCompatibleEmbeddings({ baseUrl: baseURL, model: name, ...(apiKey ? { apiKey } : {}) });
  const to = addressOf('embedding', baseURL, readModelName(name)?.packageName ?? name);
  return { embedding: withDimensions(guardedEmbeddings(model, calls, to), config.EMBEDDING_DIMENSIONS) };
}

/** The model, asked for vectors of this length; 0: of its own. */
function withDimensions(model: EmbeddingModelV4, dimensions: number): EmbeddingModelV4 {
  if (dimensions === 0) return model;
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    maxEmbeddingsPerCall: model.maxEmbeddingsPerCall,
    supportsParallelCalls: model.supportsParallelCalls,
    doEmbed: (call) => model.doEmbed({ ...call, dimensions }),
  };
}
