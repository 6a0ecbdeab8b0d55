/**
 * A transcription model behind the OpenAI-compatible protocol (`POST {base}/audio/transcriptions`): OpenAI, Speaches,
 * whisper.cpp's server, LocalAI and their kin. It never retries, and never lets the key into an error.
 */
import { APICallError, type TranscriptionModelV4 } from '@ai-sdk/provider';

/** How the server is reached. */
export interface OpenAiCompatibleTranscriptionOptions {
  /** Up to and including the version, e.g. `http://localhost:8000/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  apiKey?: string;
  model: string;
}

/** How much of an error's body is kept, in characters. */
const ERROR_BODY_CHARS = 2_000;
/** Two minutes of fast speech are a hundredth of it. */
const ANSWER_BYTES = 1_048_576;

/**
 * `doGenerate` rejects with `APICallError` when the server refuses, cannot be reached or answers with something else than
 * a transcript; with the signal's reason when aborted. The language is `providerOptions['openai-compatible'].language`.
 */
export function createOpenAiCompatibleTranscription(
  options: OpenAiCompatibleTranscriptionOptions,
): TranscriptionModelV4 {
  const { baseUrl, apiKey, model } = options;
  const url = `${baseUrl.replace(/\/+$/, '')}/audio/transcriptions`;
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: model,
    async doGenerate({ audio, mediaType, abortSignal, providerOptions }) {
      const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64') : audio;
      const language = providerOptions?.['openai-compatible']?.language;
      const form = new FormData();
      form.set('model', model);
      form.set('response_format', 'json');
      if (typeof language === 'string') form.set('language', language);
      form.set('file', new Blob([Uint8Array.from(bytes)], { type: mediaType }), 'speech.wav');
      const fail = (message: string, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
        new APICallError({ message, url, requestBodyValues: { model, language }, isRetryable: true, ...more });
      let response: Response;
      try {
        response = await fetch(url, {
          method: 'POST',
          headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
          body: form,
          ...(abortSignal ? { signal: abortSignal } : {}),
        });
      } catch (error) {
        abortSignal?.throwIfAborted();
        throw fail('The transcription server could not be reached.', { cause: error });
      }
      const { status: statusCode } = response;
      const answer = await readText(response, () => fail('The transcription server said too much.'));
      const text = response.ok ? textOf(answer) : undefined;
      if (text === undefined) {
        const responseBody = answer.slice(0, ERROR_BODY_CHARS);
        throw fail(`The transcription server answered ${statusCode} without a transcript.`, {
          statusCode,
          responseBody,
        });
      }
      return {
        text,
        segments: [],
        language: undefined,
        durationInSeconds: undefined,
        warnings: [],
        response: { timestamp: new Date(), modelId: model, headers: Object.fromEntries(response.headers) },
      };
    },
  };
}

async function readText(response: Response, tooLong: () => Error): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > ANSWER_BYTES) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function textOf(answer: string): string | undefined {
  try {
    const { text } = JSON.parse(answer) as { text?: unknown };
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}
