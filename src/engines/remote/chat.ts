/**
 * A chat engine behind the OpenAI-compatible protocol (`POST {base}/chat/completions`, server-sent events): Ollama,
 * vLLM, llama.cpp, OpenAI and their kin. What is added to the package: thoughts in `<think>` tags are separated, and a
 * stream that ends without a reason is distinguished from one that broke off.
 */
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Message,
  type LanguageModelV4StreamPart,
  TypeValidationError,
} from '@ai-sdk/provider';
import { collect, NO_USAGE, streamOf, TextParts } from './chat-text.ts';
import { type EndOfStream, type OpenAiCompatibleServer, openAiCompatible } from './openai-compatible.ts';

/** Which model of which server. */
export interface OpenAiCompatibleOptions extends Omit<OpenAiCompatibleServer, 'name'> {
  model: string;
}

/** How much of an error's body is kept, in characters. */
const ERROR_BODY_CHARS = 2_000;

/**
 * `doStream` rejects with `APICallError` (`statusCode`, `isRetryable`) when the server refuses, is silent or cannot be
 * reached; with the signal's reason when aborted. What breaks later arrives as an `error` part before `finish`;
 * `doGenerate` throws it.
 */
export function createOpenAiCompatibleChat({ model, ...server }: OpenAiCompatibleOptions): LanguageModelV4 {
  const doStream = async (call: LanguageModelV4CallOptions) => {
    const end: EndOfStream = { isDone: false };
    const gone = new AbortController();
    const abortSignal = call.abortSignal ? AbortSignal.any([call.abortSignal, gone.signal]) : gone.signal;
    const chat = openAiCompatible({ ...server, name: 'The chat server' }, end).chatModel(model);
    const asked = chat.doStream({ ...call, abortSignal, prompt: call.prompt.map(joined) });
    const { stream, ...rest } = await asked.then(undefined, (error: unknown) => {
      throw reported(error);
    });
    return { stream: streamOf(withoutThoughts(stream, call.abortSignal, end), () => gone.abort()), ...rest };
  };
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: model,
    supportedUrls: {},
    doStream,
    doGenerate: async (call) => collect(await doStream(call)),
  };
}

/** The parts of one message become one text: rows of a reply with a space, what the user sent in a row on lines. */
function joined(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'user' && message.role !== 'assistant') return message;
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length < 2 || texts.length < message.content.length) return message;
  return { ...message, content: [{ type: 'text', text: texts.join(message.role === 'user' ? '\n' : ' ') }] };
}

async function* withoutThoughts(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  signal: AbortSignal | undefined,
  end: EndOfStream,
): AsyncGenerator<LanguageModelV4StreamPart, void> {
  const text = new TextParts();
  let isUnreasoned = false;
  try {
    for await (const part of stream) {
      if (part.type === 'text-delta') yield* text.push(part.delta, undefined);
      else if (part.type === 'reasoning-delta') yield* text.push(undefined, part.delta);
      else if (part.type === 'finish') {
        yield* text.end();
        yield isUnreasoned
          ? { ...part, finishReason: { unified: end.isDone ? 'stop' : 'interrupted', raw: undefined } }
          : part;
      } else if (part.type === 'error') {
        // Some servers end with `[DONE]` alone: what that means, their stream says.
        isUnreasoned ||= InvalidResponseDataError.isInstance(part.error) && part.error.data === undefined;
        if (isUnreasoned) continue;
        yield* text.end();
        yield { type: 'error', error: reported(part.error) };
      } else if (!/^(text|reasoning)-(start|end)$/.test(part.type)) yield part;
    }
  } catch (error) {
    signal?.throwIfAborted();
    yield* text.end();
    yield { type: 'error', error: reported(error) };
    yield { type: 'finish', usage: NO_USAGE, finishReason: { unified: 'error', raw: undefined } };
  }
}

/** The error in our words, without the request, which holds what a user said. */
function reported(given: unknown): unknown {
  const error = innermost(given);
  if (APICallError.isInstance(error)) {
    const { url, statusCode, responseHeaders, isRetryable, cause } = error;
    if (statusCode === undefined) return error;
    const responseBody = error.responseBody?.slice(0, ERROR_BODY_CHARS);
    const message = `The chat server answered ${statusCode}.`;
    return new APICallError({
      message,
      url,
      requestBodyValues: {},
      statusCode,
      responseHeaders,
      responseBody,
      isRetryable,
      cause,
    });
  }
  if (!(error instanceof Error)) {
    const responseBody = JSON.stringify(error);
    const message = 'The chat server reported an error.';
    return new APICallError({ message, url: '', requestBodyValues: {}, responseBody, isRetryable: true });
  }
  // What it sent is no answer.
  if (!JSONParseError.isInstance(error) && !TypeValidationError.isInstance(error)) return error;
  const message = 'The chat server broke off its reply.';
  return new APICallError({ message, url: '', requestBodyValues: {}, isRetryable: true, cause: error });
}

/** The package wraps what `fetch` said in a sentence of its own. */
function innermost(error: unknown): unknown {
  const cause = APICallError.isInstance(error) ? error.cause : undefined;
  return APICallError.isInstance(cause) ? innermost(cause) : error;
}
