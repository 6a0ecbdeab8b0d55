/**
 * What the ways of asking for a talking head share: a provider that takes work up and is looked at until it has ended, and
 * one guarded HTTP call. An error names what was asked and never the key, which is in a header alone.
 */
import { APICallError, type JSONValue } from '@ai-sdk/provider';
import { LIMITS } from '../../../kernel/limits.ts';
import type { RemoteCalls } from '../../../kernel/remote-calls.ts';
import { addressOf } from '../guarded.ts';

/** What a face is given to say, encoded. */
export interface TalkingHeadInputs {
  image: Uint8Array;
  imageType: string;
  /** 16-bit mono WAV. */
  sound: Uint8Array;
  /** The still as a video of the same length with its mouth shut (MP4), for models that exchange the lips of one. */
  silent(): Promise<Uint8Array>;
}

/** A video, or where it is. */
export type MadeVideo = { bytes: Uint8Array } | { url: string };

/** A request that is ready to be sent. */
export interface PreparedRequest {
  /** Identifies the request to the provider and to a later attempt. */
  reference: string;
  /** Asks for a video: it is there at once, or is being made. @param onSent called before the request leaves */
  submit(signal: AbortSignal | undefined, onSent: () => void): Promise<MadeVideo | { operation: JSONValue }>;
}

/** A provider of talking heads: starts an operation and waits for its video. */
export interface TalkingHeadProvider {
  /** Whose model: another one cannot go on with an operation. */
  readonly name: string;
  /** Encodes and uploads the inputs; nothing is asked for, and nothing paid, yet. @param earlier see `lookUp` */
  prepare(inputs: TalkingHeadInputs, signal: AbortSignal | undefined, earlier?: string): Promise<PreparedRequest>;
  /**
   * What became of a request whose answer was lost: its operation, or 'ask' where it may be asked for (again, with the
   * same reference) and is paid for once. Absent where the provider cannot look it up.
   */
  lookUp?(reference: string, signal: AbortSignal | undefined): Promise<{ operation: JSONValue } | 'ask'>;
  /** Undefined while it is being made; rejects when it will not be. */
  look(operation: JSONValue, signal: AbortSignal | undefined): Promise<MadeVideo | undefined>;
  /** Cancels an operation that no caller waits for any more. */
  cancel(operation: JSONValue): Promise<void>;
}

/** How a provider is reached, and which model runs. */
export interface ProviderOptions {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  /** Names of the model's inputs. */
  fields: InputFields;
  /** Further inputs, as the model documents them. */
  options: Readonly<Record<string, JSONValue>>;
  calls: RemoteCalls;
}

/** The model's own names for what it is given; one of image and video. */
export interface InputFields {
  image?: string;
  video?: string;
  audio: string;
}

type CallErrorDetails = Partial<ConstructorParameters<typeof APICallError>[0]>;

const callError = (message: string, more: CallErrorDetails): APICallError =>
  new APICallError({ message, url: '', requestBodyValues: {}, ...more });

/** An answer that says nothing of the operation: it goes on meanwhile, as if none had come. */
export const noWord = (message: string, cause: unknown): APICallError =>
  callError(message, { cause, isRetryable: true });

/** How one call is made. */
interface CallOptions {
  /** Called before the request leaves. */
  onSent?: (() => void) | undefined;
  /** Refusals that are handed to the caller: they speak of the operation, and not of the server. */
  isWord?: (refusal: Response) => boolean;
}

/** One call of a provider that sees the circuit, the slots and the longest time of its address. */
export function callerOf({ calls, baseUrl, model }: Pick<ProviderOptions, 'calls' | 'baseUrl' | 'model'>) {
  const to = addressOf('talkingHead', baseUrl, model);
  return (
    url: string,
    init: RequestInit,
    signal: AbortSignal | undefined,
    { onSent, isWord }: CallOptions = {},
  ): Promise<Response> =>
    calls.call(to, signal, async (given) => {
      onSent?.();
      const failed = (message: string, more: CallErrorDetails) => callError(message, { url, ...more });
      // Sent on to another host, image and sound would go to a host that is not configured.
      const response = await fetch(url, { ...init, redirect: 'error', signal: given }).catch((cause: unknown) => {
        given.throwIfAborted();
        throw failed('The talking-head server cannot be reached.', { cause, isRetryable: true });
      });
      const { status: statusCode, headers } = response;
      // Read here: the call is over when its answer is.
      const bytes = await bodyOf(response).catch((cause: unknown) => {
        given.throwIfAborted();
        if (APICallError.isInstance(cause)) throw cause;
        throw failed('The talking-head server broke off its answer.', { cause, isRetryable: true });
      });
      if (response.ok || isWord?.(response)) return new Response(bytes, { status: statusCode, headers });
      const responseBody = Buffer.from(bytes.slice(0, 2_000)).toString('utf8');
      const responseHeaders = Object.fromEntries(headers);
      throw failed(`The talking-head server answered ${statusCode}.`, { statusCode, responseHeaders, responseBody });
    });
}

/** An answer's body. Rejects beyond what a video may have: a server that does not end fills no memory. */
async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > LIMITS.videoBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
}

/** Made anew it would be as large, and paid for again. */
const tooLarge = (): APICallError =>
  callError(`The talking-head server sent more than ${LIMITS.videoBytes} bytes.`, { isRetryable: false });

/** The fields of an answer. Rejects with `noWord` where it is none of the protocol, such as a gateway's page. */
export async function answerOf(response: Response): Promise<Record<string, unknown>> {
  try {
    return fieldsOf(await response.json());
  } catch (cause) {
    throw noWord('The talking-head server answered something else than JSON.', cause);
  }
}

/** For looks of protocols that say of an operation that it failed: 5xx is the server's own failure. */
export const serverFailure = (error: unknown): never => {
  const status = APICallError.isInstance(error) ? (error.statusCode ?? 0) : 0;
  throw status >= 500 ? noWord(`The talking-head server answered ${status}.`, error) : error;
};

/** Lets answers of these statuses pass: a cancellation of what has ended is none. */
export const unlessStatus =
  (...statuses: number[]) =>
  (error: unknown): void => {
    if (!APICallError.isInstance(error) || !statuses.includes(error.statusCode ?? 0)) throw error;
  };

/** An address that a provider gave for its own work: nothing with our key in it goes anywhere else. */
export function ownAddress(given: unknown, baseUrl: string): string {
  const url = typeof given === 'string' ? URL.parse(given, `${baseUrl}/`) : null;
  if (url?.origin !== new URL(baseUrl).origin) throw new Error('The talking-head server named no address of its own.');
  return url.href;
}

/** The inputs of a model as it calls them, each file as `fileOf` hands it over. */
export async function inputsOf(
  { image, imageType, sound, silent }: TalkingHeadInputs,
  { fields, options }: Pick<ProviderOptions, 'fields' | 'options'>,
  fileOf: (bytes: Uint8Array, type: string) => Promise<string> | string,
): Promise<Record<string, JSONValue>> {
  return {
    ...options,
    ...(fields.image ? { [fields.image]: await fileOf(image, imageType) } : {}),
    ...(fields.video ? { [fields.video]: await fileOf(await silent(), 'video/mp4') } : {}),
    [fields.audio]: await fileOf(sound, 'audio/wav'),
  };
}

/** Bytes as a data: URL. */
export const dataUrl = (bytes: Uint8Array, type: string): string =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** Where the video of an answer is: models call it video, output or videos, as an address or as a file with one. */
export function videoIn(answer: unknown): MadeVideo {
  const url = addressIn(answer);
  if (!url) throw new Error('The talking-head model gave no video.');
  return { url };
}

function addressIn(answer: unknown): string | undefined {
  if (typeof answer === 'string') return /^https?:/.test(answer) ? answer : undefined;
  if (Array.isArray(answer)) return addressIn(answer[0]);
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { url, video, output, videos, video_url: named } = answer as Record<string, unknown>;
  return [url, video, output, videos, named].map(addressIn).find((found) => found !== undefined);
}

/** The fields of an operation or an answer, each unknown. */
export const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
