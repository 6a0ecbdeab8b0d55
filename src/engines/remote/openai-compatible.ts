/**
 * Servers of the OpenAI-compatible protocol through `@ai-sdk/openai-compatible`: one call each, by a `fetch` that notices
 * a server that falls silent or never ends. It never retries (jobs do), and no error holds the key.
 */

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError } from '@ai-sdk/provider';

/** A server, and how long it may be silent. */
export interface OpenAiCompatibleServer {
  /** How its sentences call it: "The chat server". */
  name: string;
  /** Up to and including the version, e.g. `http://localhost:11434/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  apiKey?: string | undefined;
  /** Longest silence, before its first byte and between two pieces; default 60 000. */
  silenceMs?: number | undefined;
}

/** How a stream of events ended, which the package does not say. */
export interface EndOfStream {
  /** As it should, by `[DONE]`. */
  isDone: boolean;
}

const DEFAULT_SILENCE_MS = 60_000;
/** No answer that is text is longer. */
const ANSWER_BYTES = 32 * 1_048_576;
/** Where the end of a stream is looked for. */
const TAIL_CHARS = 64;

/** Made for each call: `end` is of that call alone. */
export function openAiCompatible(server: OpenAiCompatibleServer, end?: EndOfStream) {
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: server.baseUrl,
    ...(server.apiKey ? { apiKey: server.apiKey } : {}),
    includeUsage: true,
    supportsStructuredOutputs: true,
    fetch: (input, init) => attentiveFetch(server, String(input), init ?? {}, end),
  });
}

/** Rejects, and fails the body, with an APICallError in our words, or with the caller's reason. */
async function attentiveFetch(
  { name, silenceMs = DEFAULT_SILENCE_MS }: OpenAiCompatibleServer,
  url: string,
  init: RequestInit,
  end: EndOfStream | undefined,
): Promise<Response> {
  const outer = init.signal ?? undefined;
  const silence = new AbortController();
  const silent = () => silence.abort();
  let timer = setTimeout(silent, silenceMs);
  const failure = (cause: unknown, otherwise: string): unknown => {
    clearTimeout(timer);
    if (outer?.aborted) return outer.reason;
    if (APICallError.isInstance(cause)) return cause;
    const message = silence.signal.aborted ? `${name} was silent for ${silenceMs} ms.` : otherwise;
    return new APICallError({ message, url, requestBodyValues: {}, isRetryable: true, cause });
  };
  const signal = outer ? AbortSignal.any([outer, silence.signal]) : silence.signal;
  const response = await fetch(url, { ...init, signal }).catch((error: unknown) => {
    throw failure(error, `${name} could not be reached.`);
  });
  const reader = response.body?.getReader();
  if (!reader) {
    clearTimeout(timer);
    return response;
  }
  const decoder = new TextDecoder('latin1');
  let bytes = 0;
  let tail = '';
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (done) {
          if (end) end.isDone = /data:\s*\[DONE\]\s*$/.test(tail);
          return controller.close();
        }
        bytes += value.length;
        if (bytes > ANSWER_BYTES) throw new Error(`${name} never ends.`);
        tail = (tail + decoder.decode(value.subarray(-TAIL_CHARS))).slice(-TAIL_CHARS);
        timer = setTimeout(silent, silenceMs);
        controller.enqueue(value);
      } catch (error) {
        controller.error(failure(error, `${name} broke off its answer.`));
        silence.abort();
      }
    },
    cancel() {
      clearTimeout(timer);
      silence.abort();
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
