/**
 * Models of remote services behind `RemoteCalls`: a total time, slots and a circuit breaker for each address. A server
 * that cannot be reached, is silent, or says that it is away (502, 503, 504) has not answered; any other answer is one.
 */
import {
  APICallError,
  type EmbeddingModelV4,
  type ImageModelV4,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type SpeechModelV4,
  type TranscriptionModelV4,
  type Experimental_VideoModelV4 as VideoModelV4,
} from '@ai-sdk/provider';
import { isTimeout, type RemoteAddress, type RemoteCalls } from '../../kernel/remote-calls.ts';
import type { RemoteService } from '../../kernel/remote-services.ts';

const AWAY = [502, 503, 504];

/** A network that failed is the cause of an error without a status. */
function isAway(error: unknown): boolean {
  if (!APICallError.isInstance(error)) return false;
  return error.statusCode === undefined ? error.cause !== undefined : AWAY.includes(error.statusCode);
}

/** A server's address, or the provider's name where its package knows the address. */
export function addressOf(service: RemoteService, baseUrl: string | undefined, name: string): RemoteAddress {
  // Some ask a chat model for what is only of use at once: a slow one is not away.
  const isNoAnswer = (error: unknown) => isAway(error) || (service !== 'chat' && isTimeout(error));
  return { service, address: baseUrl ? new URL(baseUrl).origin : name, isNoAnswer };
}

/** The speech engine with deadline, breaker and statistics of its service. */
export function guardedSpeech(model: SpeechModelV4, calls: RemoteCalls, to: RemoteAddress): SpeechModelV4 {
  return replacing(model, {
    doGenerate: (call) => calls.call(to, call.abortSignal, (abortSignal) => model.doGenerate({ ...call, abortSignal })),
  });
}

/** The transcription model with deadline, breaker and statistics of its service. */
export function guardedTranscription(
  model: TranscriptionModelV4,
  calls: RemoteCalls,
  to: RemoteAddress,
): TranscriptionModelV4 {
  return replacing(model, {
    doGenerate: (call) => calls.call(to, call.abortSignal, (abortSignal) => model.doGenerate({ ...call, abortSignal })),
  });
}

/** The image model with deadline, breaker and statistics of its service. */
export function guardedImages(model: ImageModelV4, calls: RemoteCalls, to: RemoteAddress): ImageModelV4 {
  return replacing(model, {
    doGenerate: (call) => calls.call(to, call.abortSignal, (abortSignal) => model.doGenerate({ ...call, abortSignal })),
  });
}

/** The embedding model with deadline, breaker and statistics of its service. */
export function guardedEmbeddings(model: EmbeddingModelV4, calls: RemoteCalls, to: RemoteAddress): EmbeddingModelV4 {
  return replacing(model, {
    doEmbed: (call) => calls.call(to, call.abortSignal, (abortSignal) => model.doEmbed({ ...call, abortSignal })),
  });
}

/** The video model with deadline, breaker and statistics of its service. */
export function guardedVideo(model: VideoModelV4, calls: RemoteCalls, to: RemoteAddress): VideoModelV4 {
  const guard =
    <C extends { abortSignal?: AbortSignal | undefined }, R>(ask: (call: C) => PromiseLike<R>) =>
    (call: C): Promise<R> =>
      calls.call(to, call.abortSignal, (abortSignal) => ask({ ...call, abortSignal }));
  return replacing(model, {
    ...(model.doGenerate && { doGenerate: guard(model.doGenerate.bind(model)) }),
    ...(model.doStart && { doStart: guard(model.doStart.bind(model)) }),
    ...(model.doStatus && { doStatus: guard(model.doStatus.bind(model)) }),
  });
}

/** The language model with deadline, breaker and statistics of its service. */
export function guardedChat(model: LanguageModelV4, calls: RemoteCalls, to: RemoteAddress): LanguageModelV4 {
  return replacing(model, {
    doGenerate: (call) => calls.call(to, call.abortSignal, (abortSignal) => model.doGenerate({ ...call, abortSignal })),
    doStream: (call) => calls.open(to, call.abortSignal, (abortSignal) => openStream(model, { ...call, abortSignal })),
  });
}

/** Parts that a server sends before it has anything to say. */
const NOTHING_YET = new Set(['stream-start', 'response-metadata', 'raw', 'text-start', 'reasoning-start']);

/** Resolves at the first word: a server that opens its answer and then falls silent has not answered. */
async function openStream(
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
): Promise<{ value: LanguageModelV4StreamResult; ended: Promise<void> }> {
  const result = await model.doStream(call);
  const reader = result.stream.getReader();
  const read: LanguageModelV4StreamPart[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (value.type === 'error' && isAway(value.error)) throw value.error;
    read.push(value);
    if (!NOTHING_YET.has(value.type)) break;
  }
  const end = Promise.withResolvers<void>();
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    async pull(controller) {
      const known = read.shift();
      if (known) return controller.enqueue(known);
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        end.resolve();
        controller.close();
      } catch (error) {
        end.resolve();
        controller.error(error);
      }
    },
    async cancel(reason) {
      end.resolve();
      await reader.cancel(reason);
    },
  });
  return { value: { ...result, stream }, ended: end.promise };
}

/** The model with other methods; the rest stays its own, private fields included. */
function replacing<T extends object>(model: T, methods: Partial<T>): T {
  return new Proxy(model, {
    get(target, key) {
      if (Object.hasOwn(methods, key)) return Reflect.get(methods, key);
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
