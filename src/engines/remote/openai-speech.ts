/**
 * A speech model behind the OpenAI-compatible protocol (`POST {base}/audio/speech`): OpenAI, Kokoro-FastAPI, LocalAI
 * and their kin. It never retries (jobs do), and never lets the key into an error.
 */
import { APICallError, type SpeechModelV4, type SpeechModelV4CallOptions } from '@ai-sdk/provider';

type Warnings = Awaited<ReturnType<SpeechModelV4['doGenerate']>>['warnings'];

/** How the server is reached. */
export interface OpenAiCompatibleSpeechOptions {
  /** Up to and including the version, e.g. `http://localhost:8880/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  apiKey?: string;
  model: string;
  /** File format asked for when the call names none; mp3 is what every such server can do. */
  format?: string;
  /** Longest wait for the whole recording. Default 60 000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;
/** The protocol's limits of `speed`. */
const SPEED_LIMITS = [0.25, 4] as const;
/** Largest recording accepted: some 20 minutes of mp3, 5 of wav. */
const AUDIO_LIMIT_BYTES = 32 * 1_048_576;
/** How much of an error's body is kept, in characters. */
const ERROR_BODY_CHARS = 2_000;

/**
 * `doGenerate` rejects with `APICallError` (`statusCode`, `isRetryable`) when the server refuses, answers with
 * something else than audio, or cannot be reached in time; with the signal's reason when aborted.
 */
export function createOpenAiCompatibleSpeech(options: OpenAiCompatibleSpeechOptions): SpeechModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: options.model,
    doGenerate: async (call) => {
      const { body, warnings } = requestBody(options, call);
      const { audio, headers } = await request(options, call, body);
      return {
        audio,
        warnings,
        request: { body: JSON.stringify(body) },
        response: { timestamp: new Date(), modelId: options.model, headers },
      };
    },
  };
}

function requestBody(options: OpenAiCompatibleSpeechOptions, call: SpeechModelV4CallOptions) {
  const warnings: Warnings = [];
  const [slowest, fastest] = SPEED_LIMITS;
  const speed = call.speed === undefined ? undefined : Math.min(fastest, Math.max(slowest, call.speed));
  if (speed !== call.speed) warnings.push({ type: 'unsupported', feature: 'speed', details: 'Only 0.25 to 4.' });
  // The protocol has no language; these models hear it in the text.
  const body = {
    model: options.model,
    input: call.text,
    voice: call.voice,
    response_format: call.outputFormat ?? options.format ?? 'mp3',
    ...(speed === undefined ? {} : { speed }),
    ...(call.instructions === undefined ? {} : { instructions: call.instructions }),
    ...call.providerOptions?.['openai-compatible'],
  };
  return { body, warnings };
}

async function request(options: OpenAiCompatibleSpeechOptions, call: SpeechModelV4CallOptions, body: object) {
  const url = `${options.baseUrl.replace(/\/+$/, '')}/audio/speech`;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const fail = (message: string, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
    new APICallError({ message, url, requestBodyValues: body, isRetryable: true, ...more });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...Object.fromEntries(Object.entries(call.headers ?? {}).filter(([, value]) => value !== undefined)),
        'content-type': 'application/json',
        ...(options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}),
      } as Record<string, string>,
      body: JSON.stringify(body),
      signal: call.abortSignal ? AbortSignal.any([call.abortSignal, timeout]) : timeout,
    });
    const { status } = response;
    // A page or a JSON answer under 200 is a wrong address or a hidden failure, never a recording.
    if (!response.ok || /^(text|application\/json)/.test(response.headers.get('content-type') ?? '')) {
      const responseBody = (await response.text().catch(() => '')).slice(0, ERROR_BODY_CHARS);
      const isRetryable = status === 408 || status === 409 || status === 429 || status >= 500;
      throw fail(`The speech server answered ${status} without audio.`, {
        statusCode: status,
        responseBody,
        isRetryable,
      });
    }
    return { audio: await readAtMost(response, fail), headers: Object.fromEntries(response.headers) };
  } catch (error) {
    call.abortSignal?.throwIfAborted();
    if (APICallError.isInstance(error)) throw error;
    throw fail(timeout.aborted ? 'The speech server took too long.' : 'The speech server could not be reached.', {
      cause: error,
    });
  }
}

async function readAtMost(response: Response, fail: (message: string) => APICallError): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > AUDIO_LIMIT_BYTES) throw fail('The speech server sent too much audio.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
