/**
 * An image model behind the OpenAI-compatible protocol (`POST {base}/images/generations`, `/images/edits`): OpenAI,
 * LocalAI and their kin. It never retries, and never lets the key into an error. Such servers know three
 * sizes: the nearest is asked for, and `images.ts` cuts it to the ratio. The protocol has no seed.
 */
import { APICallError, type ImageModelV4, type ImageModelV4CallOptions } from '@ai-sdk/provider';
import { ratioOfName } from './ratio.ts';

/** How the server is reached. */
export interface OpenAiCompatibleImagesOptions {
  /** Up to and including the version, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  /** Sent as a bearer token; local servers need none. */
  apiKey?: string;
  model: string;
  /** Longest wait for an image. Default 110 000. */
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 110_000;
const ERROR_BODY_CHARS = 2_000;

/** `doGenerate` rejects with `APICallError` when the server refuses or answers with no image. */
export function createOpenAiCompatibleImages(options: OpenAiCompatibleImagesOptions): ImageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai-compatible',
    modelId: options.model,
    maxImagesPerCall: 4,
    supportsFileInputs: true,
    supportsMaskInputs: false,
    async doGenerate(call) {
      const { data, headers } = await request(options, call);
      return {
        images: data.map((image) => new Uint8Array(Buffer.from(image.b64_json, 'base64'))),
        warnings: [],
        response: { timestamp: new Date(), modelId: options.model, headers },
      };
    },
  };
}

function sizeFor(call: ImageModelV4CallOptions): string {
  if (call.size) return call.size;
  const ratio = call.aspectRatio ? ratioOfName(call.aspectRatio) : 1;
  return ratio > 1 ? '1536x1024' : ratio < 1 ? '1024x1536' : '1024x1024';
}

function bodyOf(options: OpenAiCompatibleImagesOptions, call: ImageModelV4CallOptions): string | FormData {
  const fields = { model: options.model, prompt: call.prompt ?? '', n: call.n };
  if (!call.files?.length) {
    return JSON.stringify({ ...fields, size: sizeFor(call), ...call.providerOptions['openai-compatible'] });
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  if (call.size || call.aspectRatio) form.set('size', sizeFor(call));
  for (const file of call.files) {
    if (file.type === 'url') throw new Error('References are given as bytes.');
    const bytes = typeof file.data === 'string' ? Buffer.from(file.data, 'base64') : file.data;
    form.append('image[]', new Blob([new Uint8Array(bytes)], { type: file.mediaType }), 'reference');
  }
  return form;
}

async function request(options: OpenAiCompatibleImagesOptions, call: ImageModelV4CallOptions) {
  const isEdit = (call.files?.length ?? 0) > 0;
  const url = `${options.baseUrl.replace(/\/+$/, '')}/images/${isEdit ? 'edits' : 'generations'}`;
  const body = bodyOf(options, call);
  const timeout = AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const fail = (message: string, more: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) =>
    new APICallError({ message, url, requestBodyValues: { model: options.model }, isRetryable: true, ...more });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...(options.apiKey ? { authorization: `Bearer ${options.apiKey}` } : {}),
      },
      body,
      signal: call.abortSignal ? AbortSignal.any([call.abortSignal, timeout]) : timeout,
    });
    if (!response.ok) {
      const responseBody = (await response.text().catch(() => '')).slice(0, ERROR_BODY_CHARS);
      throw fail(`The image server answered ${response.status}.`, { statusCode: response.status, responseBody });
    }
    const { data } = (await response.json()) as { data?: { b64_json?: string }[] };
    const images = (data ?? []).flatMap(({ b64_json }) => (b64_json ? [{ b64_json }] : []));
    if (images.length === 0) throw fail('The image server sent no image.', { statusCode: response.status });
    return { data: images, headers: Object.fromEntries(response.headers) };
  } catch (error) {
    call.abortSignal?.throwIfAborted();
    if (APICallError.isInstance(error)) throw error;
    throw fail(timeout.aborted ? 'The image server took too long.' : 'The image server could not be reached.', {
      cause: error,
    });
  }
}
