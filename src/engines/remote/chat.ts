/**
 * A chat engine behind the OpenAI-compatible protocol (`POST {base}/chat/completions`, server-sent events): Ollama,
 * vLLM, llama.cpp, OpenAI and their kin. It never retries (jobs do), and never lets the key into an error.
 */
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type LanguageModelV4Usage,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import { type CompletionChunk, completionEvents } from './chat-sse.ts';
import { collect, TextParts } from './chat-text.ts';

/** How the server is reached. */
export interface OpenAiCompatibleOptions {
  /** Up to and including the version, e.g. `http://localhost:11434/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  apiKey?: string;
  model: string;
  /** Longest silence of the server, before its first byte and between two pieces. Default 60 000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** How much of an error's body is kept, in characters. */
const ERROR_BODY_CHARS = 2000;

/**
 * `doStream` rejects with `APICallError` (`statusCode`, `isRetryable`) when the server refuses, is silent or cannot be
 * reached; with the signal's reason when aborted. What breaks later arrives as an `error` part before `finish`;
 * `doGenerate` throws it.
 */
export function createOpenAiCompatibleChat(options: OpenAiCompatibleOptions): LanguageModelV4 {
  const doStream = (call: LanguageModelV4CallOptions) => openStream(options, call);
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: options.model,
    supportedUrls: {},
    doStream,
    doGenerate: async (call) => collect(await doStream(call)),
  };
}

async function openStream(
  options: OpenAiCompatibleOptions,
  call: LanguageModelV4CallOptions,
): Promise<LanguageModelV4StreamResult> {
  const url = `${options.baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const { body, warnings } = requestBody(options.model, call);
  const silence = new SilenceGuard(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, call.abortSignal);
  const fail = (message: string, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
    new APICallError({ message, url, requestBodyValues: body, isRetryable: true, ...more });
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: headers(options.apiKey, call.headers),
      body: JSON.stringify(body),
      signal: silence.signal,
    });
    if (!response.ok || !response.body) throw await refusal(response, fail);
  } catch (error) {
    silence.stop();
    call.abortSignal?.throwIfAborted();
    if (APICallError.isInstance(error)) throw error;
    throw fail(silence.silent ? silence.message : 'The chat server could not be reached.', { cause: error });
  }
  const stream = partStream(response.body, { warnings, silence, fail, call });
  return { stream, request: { url, body }, response: { headers: Object.fromEntries(response.headers) } };
}

type Fail = (message: string, more?: Partial<ConstructorParameters<typeof APICallError>[0]>) => APICallError;

async function refusal(response: Response, fail: Fail): Promise<APICallError> {
  const responseBody = (await response.text().catch(() => '')).slice(0, ERROR_BODY_CHARS);
  const { status } = response;
  return fail(`The chat server answered ${status}.`, {
    statusCode: status,
    responseBody,
    responseHeaders: Object.fromEntries(response.headers),
    isRetryable: status === 408 || status === 409 || status === 429 || status >= 500,
  });
}

interface StreamContext {
  warnings: { type: 'unsupported'; feature: string }[];
  silence: SilenceGuard;
  fail: Fail;
  call: LanguageModelV4CallOptions;
}

function partStream(
  body: ReadableStream<Uint8Array>,
  context: StreamContext,
): ReadableStream<LanguageModelV4StreamPart> {
  const parts = streamParts(body, context);
  return new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      context.silence.stop();
      context.silence.abort();
      await parts.return(undefined);
    },
  });
}

async function* streamParts(
  body: ReadableStream<Uint8Array>,
  { warnings, silence, fail, call }: StreamContext,
): AsyncGenerator<LanguageModelV4StreamPart, void> {
  const text = new TextParts();
  let finish: LanguageModelV4FinishReason = { unified: 'interrupted', raw: undefined };
  let usage = usageOf(undefined);
  let described = false;
  yield { type: 'stream-start', warnings };
  try {
    for await (const event of completionEvents(body, () => silence.heard())) {
      if (event === 'done') {
        if (finish.unified === 'interrupted') finish = { unified: 'stop', raw: undefined };
        break;
      }
      if (call.includeRawChunks) yield { type: 'raw', rawValue: event };
      if (event.error) throw fail('The chat server reported an error.', { responseBody: JSON.stringify(event.error) });
      if (!described) {
        described = true;
        yield metadata(event);
      }
      if (event.usage) usage = usageOf(event.usage);
      const choice = event.choices?.[0];
      if (choice?.delta)
        yield* text.push(choice.delta.content, choice.delta.reasoning_content ?? choice.delta.reasoning);
      if (choice?.finish_reason) finish = finishReason(choice.finish_reason);
    }
  } catch (error) {
    call.abortSignal?.throwIfAborted();
    const known = APICallError.isInstance(error);
    const message = silence.silent ? silence.message : 'The chat server broke off its reply.';
    yield* text.end();
    yield { type: 'error', error: known ? error : fail(message, { cause: error }) };
    finish = { unified: 'error', raw: undefined };
  } finally {
    silence.stop();
  }
  yield* text.end();
  yield { type: 'finish', usage, finishReason: finish };
}

function metadata(event: CompletionChunk): LanguageModelV4StreamPart {
  return {
    type: 'response-metadata',
    ...(event.id ? { id: event.id } : {}),
    ...(event.model ? { modelId: event.model } : {}),
    ...(event.created ? { timestamp: new Date(event.created * 1000) } : {}),
  };
}

const FINISH: Record<string, LanguageModelV4FinishReason['unified']> = {
  stop: 'stop',
  length: 'length',
  content_filter: 'content-filter',
  tool_calls: 'tool-calls',
};

function finishReason(raw: string): LanguageModelV4FinishReason {
  return { unified: FINISH[raw] ?? 'other', raw };
}

function usageOf(raw: CompletionChunk['usage']): LanguageModelV4Usage {
  const cached = raw?.prompt_tokens_details?.cached_tokens;
  const reasoning = raw?.completion_tokens_details?.reasoning_tokens;
  const input = raw?.prompt_tokens;
  const output = raw?.completion_tokens;
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (cached ?? 0),
      cacheRead: cached,
      cacheWrite: undefined,
    },
    outputTokens: { total: output, text: output === undefined ? undefined : output - (reasoning ?? 0), reasoning },
  };
}

function headers(apiKey: string | undefined, extra: LanguageModelV4CallOptions['headers']): Record<string, string> {
  const given = Object.entries(extra ?? {}).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
    ...Object.fromEntries(given),
  };
}

function requestBody(model: string, call: LanguageModelV4CallOptions) {
  const warnings: StreamContext['warnings'] = [];
  if (call.tools?.length) warnings.push({ type: 'unsupported', feature: 'tools' });
  if (call.topK !== undefined) warnings.push({ type: 'unsupported', feature: 'topK' });
  const body: Record<string, unknown> = {
    model,
    messages: messages(call),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: call.maxOutputTokens,
    temperature: call.temperature,
    top_p: call.topP,
    presence_penalty: call.presencePenalty,
    frequency_penalty: call.frequencyPenalty,
    stop: call.stopSequences,
    seed: call.seed,
    response_format: responseFormat(call.responseFormat),
  };
  return { body, warnings };
}

function responseFormat(format: LanguageModelV4CallOptions['responseFormat']) {
  if (format?.type !== 'json') return undefined;
  if (!format.schema) return { type: 'json_object' };
  return { type: 'json_schema', json_schema: { name: format.name ?? 'response', schema: format.schema } };
}

/** The parts of one message become one text: rows of a reply with a space, what the user sent in a row on lines. */
function messages(call: LanguageModelV4CallOptions): { role: string; content: string }[] {
  return call.prompt.map((message) => {
    if (message.role === 'system') return { role: 'system', content: message.content };
    const texts = message.content.map((part) => {
      if (part.type === 'text') return part.text;
      throw new UnsupportedFunctionalityError({ functionality: `${part.type} in a ${message.role} message` });
    });
    return { role: message.role, content: texts.join(message.role === 'user' ? '\n' : ' ') };
  });
}

/** Aborts the request when the caller does, or when the server has been silent for too long. */
class SilenceGuard {
  readonly #controller = new AbortController();
  readonly #timeoutMs: number;
  #timer: NodeJS.Timeout;
  readonly signal: AbortSignal;
  silent = false;

  constructor(timeoutMs: number, outer: AbortSignal | undefined) {
    this.#timeoutMs = timeoutMs;
    this.signal = outer ? AbortSignal.any([outer, this.#controller.signal]) : this.#controller.signal;
    this.#timer = this.#start();
  }

  get message(): string {
    return `The chat server was silent for ${this.#timeoutMs} ms.`;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  abort(): void {
    this.#controller.abort();
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => {
      this.silent = true;
      this.#controller.abort();
    }, this.#timeoutMs);
  }
}
