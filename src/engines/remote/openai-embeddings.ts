/**
 * An embedding model behind the OpenAI-compatible protocol (`POST {base}/embeddings`): OpenAI, Ollama, vLLM, llama.cpp,
 * text-embeddings-inference and their kin. It never retries (whoever has texts to embed does), and never lets the key
 * into an error.
 */
import { APICallError, type EmbeddingModelV4, type EmbeddingModelV4CallOptions } from '@ai-sdk/provider';

/** How the server is reached. */
export interface OpenAiCompatibleEmbeddingsOptions {
  /** Up to and including the version, e.g. `http://localhost:11434/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  apiKey?: string;
  model: string;
}

const ERROR_BODY_CHARS = 2_000;
/** Servers such as text-embeddings-inference refuse more by default. */
const TEXTS_PER_CALL = 32;

/** `doEmbed` rejects with `APICallError` when the server refuses or answers with no vectors; aborted, with the reason. */
export function createOpenAiCompatibleEmbeddings(options: OpenAiCompatibleEmbeddingsOptions): EmbeddingModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: options.model,
    maxEmbeddingsPerCall: TEXTS_PER_CALL,
    supportsParallelCalls: true,
    async doEmbed(call) {
      const { answer, headers } = await request(options, call);
      const tokens = answer.usage?.prompt_tokens;
      return {
        embeddings: answer.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding),
        ...(tokens === undefined ? {} : { usage: { tokens } }),
        warnings: [],
        response: { headers },
      };
    },
  };
}

interface Answer {
  data: { index: number; embedding: number[] }[];
  usage?: { prompt_tokens?: number };
}

async function request(options: OpenAiCompatibleEmbeddingsOptions, call: EmbeddingModelV4CallOptions) {
  const url = `${options.baseUrl.replace(/\/+$/, '')}/embeddings`;
  const { dimensions } = call;
  const fields = { model: options.model, encoding_format: 'float', ...(dimensions ? { dimensions } : {}) };
  const fail = (message: string, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
    new APICallError({ message, url, requestBodyValues: fields, isRetryable: true, ...more });
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}),
        ...(call.headers as Record<string, string>),
      },
      body: JSON.stringify({ ...fields, input: call.values }),
      signal: call.abortSignal ?? null,
    });
    text = await response.text();
  } catch (error) {
    call.abortSignal?.throwIfAborted();
    throw fail('The embedding server could not be reached.', { cause: error });
  }
  const { status } = response;
  if (!response.ok) {
    throw fail(`The embedding server answered ${status}.`, {
      statusCode: status,
      responseBody: text.slice(0, ERROR_BODY_CHARS),
      isRetryable: status === 408 || status === 409 || status === 429 || status >= 500,
    });
  }
  const answer = readAnswer(text, call.values.length);
  if (!answer) throw fail('The embedding server answered with no vectors.', { statusCode: status });
  return { answer, headers: Object.fromEntries(response.headers) };
}

/** The answer, when it holds one vector of numbers for each text. */
function readAnswer(text: string, count: number): Answer | undefined {
  try {
    const answer = JSON.parse(text) as Answer;
    const isWhole =
      answer.data.length === count &&
      answer.data.every(({ index, embedding }) => Number.isInteger(index) && embedding.every(Number.isFinite));
    return isWhole ? answer : undefined;
  } catch {
    return undefined;
  }
}
