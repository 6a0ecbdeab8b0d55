/**
 * An embedding model behind the OpenAI-compatible protocol (`POST {base}/embeddings`): OpenAI, Ollama, vLLM, llama.cpp,
 * text-embeddings-inference and their kin. What is added to the package: vectors stand in the order of the texts, whatever
 * order the server sends them in, and no error holds the texts.
 */
import { APICallError, type EmbeddingModelV4 } from '@ai-sdk/provider';
import { z } from 'zod';
import { type OpenAiCompatibleServer, openAiCompatible } from './openai-compatible.ts';

/** Which model of which server. */
export interface OpenAiCompatibleEmbeddingsOptions extends Omit<OpenAiCompatibleServer, 'name'> {
  model: string;
}

const ERROR_BODY_CHARS = 2_000;
/** Servers such as text-embeddings-inference refuse more by default. */
const TEXTS_PER_CALL = 32;
/** The package leaves out which text a vector is of. */
const ORDER = z.object({ data: z.array(z.object({ index: z.int() })) });

/** `doEmbed` rejects with `APICallError` when the server refuses or answers with no vectors; aborted, with the reason. */
export function createOpenAiCompatibleEmbeddings({
  model,
  ...server
}: OpenAiCompatibleEmbeddingsOptions): EmbeddingModelV4 {
  const embedding = openAiCompatible({ ...server, name: 'The embedding server' }).embeddingModel(model);
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: model,
    maxEmbeddingsPerCall: TEXTS_PER_CALL,
    supportsParallelCalls: true,
    async doEmbed(call) {
      const answer = await embedding.doEmbed(call).then(undefined, (error: unknown) => {
        throw reported(error, model);
      });
      const { data: order } = ORDER.safeParse(answer.response?.body);
      const vectors = call.values.flatMap((_, text) => {
        const place = order?.data.findIndex(({ index }) => index === text) ?? -1;
        return answer.embeddings[place]?.every(Number.isFinite) ? [answer.embeddings[place]] : [];
      });
      if (vectors.length !== call.values.length) throw noVectors(model);
      return { ...answer, embeddings: vectors };
    },
  };
}

function reported(error: unknown, model: string): unknown {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) return error;
  if (error.statusCode === 200) return noVectors(model, error);
  const { url, statusCode, isRetryable } = error;
  const responseBody = error.responseBody?.slice(0, ERROR_BODY_CHARS);
  const message = `The embedding server answered ${statusCode}.`;
  return new APICallError({ message, url, requestBodyValues: { model }, statusCode, responseBody, isRetryable });
}

function noVectors(model: string, cause?: unknown): APICallError {
  const message = 'The embedding server answered with no vectors.';
  return new APICallError({
    ...{ message, url: '', requestBodyValues: { model }, statusCode: 200, isRetryable: true, cause },
  });
}
