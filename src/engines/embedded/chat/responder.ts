/**
 * The built-in chat engine as a `LanguageModelV4`: it reads the persona prompt back and answers by retrieval and rule.
 * It does not reason, needs no weights and no network, and answers in a few milliseconds.
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { estimateTokens, parsePersonaPrompt } from '../../ports/chat.ts';
import { citedAnswer } from './answer.ts';
import { discreet } from './discretion.ts';
import { chatReply } from './reply.ts';
import { rewrite } from './rewrite.ts';

/** What the responder needs. */
export interface ResponderOptions {
  /** The clock, for "what time is it?". */
  now?: () => Date;
}

const TEXT_ID = '1';
const RESPONDER_MODEL_ID = 'embedded-responder';

/** Never throws but for an aborted signal. Streams word by word; settings of sampling are ignored with a warning. */
export function createResponder(options: ResponderOptions = {}): LanguageModelV4 {
  const now = options.now ?? (() => new Date());
  return {
    specificationVersion: 'v4',
    provider: 'embedded',
    modelId: RESPONDER_MODEL_ID,
    supportedUrls: {},
    async doGenerate(call) {
      call.abortSignal?.throwIfAborted();
      const { text, finishReason, usage } = complete(call, now);
      return {
        content: [{ type: 'text', text }],
        finishReason,
        usage,
        warnings: warningsFor(call),
        response: { modelId: RESPONDER_MODEL_ID, timestamp: now() },
      };
    },
    async doStream(call) {
      call.abortSignal?.throwIfAborted();
      return { stream: streamOf(parts(call, now), call.abortSignal) };
    },
  };
}

function complete(call: LanguageModelV4CallOptions, now: () => Date) {
  const input = discreet(parsePersonaPrompt(call.prompt));
  const whole = TASKS[input.task](input, now);
  const { text, finishReason } = limited(whole, call);
  return { text, finishReason, usage: usageOf(call, text) };
}

const TASKS = {
  chat: chatReply,
  answer: citedAnswer,
  reinterpret: rewrite,
  personality: rewrite,
};

/** Stop sequences and the limit of tokens, cut after a word. */
function limited(
  whole: string,
  call: LanguageModelV4CallOptions,
): { text: string; finishReason: LanguageModelV4FinishReason } {
  let text = whole;
  for (const stop of call.stopSequences ?? []) {
    const at = stop ? text.indexOf(stop) : -1;
    if (at >= 0) text = text.slice(0, at);
  }
  const most = call.maxOutputTokens;
  if (most === undefined || estimateTokens(text) <= most)
    return { text, finishReason: { unified: 'stop', raw: 'stop' } };
  const kept: string[] = [];
  for (const word of text.split(/(?<=\s)/)) {
    if (estimateTokens(kept.join('') + word) > most) break;
    kept.push(word);
  }
  return { text: kept.join('').trimEnd(), finishReason: { unified: 'length', raw: 'length' } };
}

function usageOf(call: LanguageModelV4CallOptions, text: string): LanguageModelV4Usage {
  const input = call.prompt.reduce((sum, message) => {
    if (message.role === 'system') return sum + estimateTokens(message.content);
    return (
      sum + message.content.reduce((inner, part) => inner + (part.type === 'text' ? estimateTokens(part.text) : 0), 0)
    );
  }, 0);
  const output = estimateTokens(text);
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

function warningsFor(call: LanguageModelV4CallOptions): { type: 'unsupported'; feature: string }[] {
  const unused = ['tools', 'temperature', 'topP', 'topK', 'presencePenalty', 'frequencyPenalty', 'seed'] as const;
  const features: string[] = unused.filter((feature) => call[feature] !== undefined);
  if (call.responseFormat?.type === 'json') features.push('responseFormat');
  return features.map((feature) => ({ type: 'unsupported', feature }));
}

function* parts(call: LanguageModelV4CallOptions, now: () => Date): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: warningsFor(call) };
  const { text, finishReason, usage } = complete(call, now);
  yield { type: 'response-metadata', modelId: RESPONDER_MODEL_ID, timestamp: now() };
  yield { type: 'text-start', id: TEXT_ID };
  for (const delta of text.split(/(?<=\s)/)) if (delta) yield { type: 'text-delta', id: TEXT_ID, delta };
  yield { type: 'text-end', id: TEXT_ID };
  yield { type: 'finish', usage, finishReason };
}

/** One part per pull: a slow reader holds the stream back, an aborted one errs it. */
function streamOf(
  source: Generator<LanguageModelV4StreamPart>,
  signal: AbortSignal | undefined,
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream(
    {
      pull(controller) {
        if (signal?.aborted) {
          controller.error(signal.reason);
          return;
        }
        const { done, value } = source.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
