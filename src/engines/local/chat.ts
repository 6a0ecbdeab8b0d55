/** A language model on this machine as the AI SDK's interface; one reply at a time, the others wait. */
import {
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4StreamPart,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider';
import type { Pool } from '../ports/threads.ts';
import { collect, streamOf, TextParts } from '../remote/chat-text.ts';
import type { InstalledModel } from './installed.ts';
import type { WriteTask, Written, WrittenPiece } from './llama-thread.ts';

/** The limit of a reply whose caller sets none: a small model may repeat itself without end. */
const MOST_TOKENS = 1_024;
/** What the authors of small instruct models sample with. */
const SAMPLING = { temperature: 0.7, topP: 0.8, topK: 20 };

/** `doStream` gives an `error` part when the thread fails, and fails with the signal's reason when aborted. */
export function createLocalChat(installed: InstalledModel<'chat'>, thread: Pool): LanguageModelV4 {
  const doStream = async (call: LanguageModelV4CallOptions) => {
    call.abortSignal?.throwIfAborted();
    const { task, warnings } = taskOf(installed, call);
    const gone = new AbortController();
    const signal = call.abortSignal ? AbortSignal.any([call.abortSignal, gone.signal]) : gone.signal;
    const pieces = thread.stream<WrittenPiece | Written>(task, { signal });
    const parts = partsOf(pieces, { modelId: installed.model.name, warnings });
    const stream = streamOf(parts, () => gone.abort());
    return { stream };
  };
  return {
    specificationVersion: 'v4',
    provider: 'local',
    modelId: installed.model.name,
    supportedUrls: {},
    doStream,
    doGenerate: async (call) => collect(await doStream(call)),
  };
}

type Warnings = Extract<LanguageModelV4StreamPart, { type: 'stream-start' }>['warnings'];

function taskOf({ model, models, packages }: InstalledModel<'chat'>, call: LanguageModelV4CallOptions) {
  const warnings: Warnings = [];
  if (call.tools?.length) warnings.push({ type: 'unsupported', feature: 'tools' });
  if (call.presencePenalty) warnings.push({ type: 'unsupported', feature: 'presencePenalty' });
  if (call.frequencyPenalty) warnings.push({ type: 'unsupported', feature: 'frequencyPenalty' });
  const { responseFormat: format } = call;
  const task: WriteTask = {
    ...{ model, models, packages, ...messagesOf(call) },
    maxTokens: call.maxOutputTokens ?? MOST_TOKENS,
    temperature: call.temperature ?? SAMPLING.temperature,
    topP: call.topP ?? SAMPLING.topP,
    topK: call.topK ?? SAMPLING.topK,
    ...(call.seed === undefined ? {} : { seed: call.seed }),
    ...(call.stopSequences ? { stop: call.stopSequences } : {}),
    ...(format?.type === 'json' ? { json: format.schema ?? true } : {}),
  };
  return { task, warnings };
}

/** Rows of one speaker become one turn, as chat templates expect: a reply's with a space, what the user sent in lines. */
function messagesOf({ prompt }: LanguageModelV4CallOptions): Pick<WriteTask, 'system' | 'turns'> {
  const system: string[] = [];
  const turns: WriteTask['turns'] = [];
  for (const message of prompt) {
    if (message.role === 'system') {
      system.push(message.content);
      continue;
    }
    const by = message.role === 'user' ? 'user' : 'model';
    const joint = by === 'user' ? '\n' : ' ';
    const texts = message.content.map((part) => {
      if (part.type === 'text') return part.text;
      throw new UnsupportedFunctionalityError({ functionality: `${part.type} in a ${message.role} message` });
    });
    const last = turns.at(-1);
    if (last?.by === by) last.text = [last.text, ...texts].join(joint);
    else turns.push({ by, text: texts.join(joint) });
  }
  if (turns.at(-1)?.by !== 'user') turns.push({ by: 'user', text: '' });
  return { system: system.join('\n\n'), turns };
}

async function* partsOf(
  pieces: AsyncIterable<WrittenPiece | Written>,
  { modelId, warnings }: { modelId: string; warnings: Warnings },
): AsyncGenerator<LanguageModelV4StreamPart, void> {
  const text = new TextParts();
  let written: Written | undefined;
  yield { type: 'stream-start', warnings };
  yield { type: 'response-metadata', modelId, timestamp: new Date() };
  for await (const piece of pieces) {
    if ('text' in piece) yield* text.push(piece.text, undefined);
    else if ('thought' in piece) yield* text.push(undefined, piece.thought);
    else written = piece;
  }
  yield* text.end();
  yield {
    type: 'finish',
    finishReason: written?.isCut ? { unified: 'length', raw: 'maxTokens' } : { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: written?.read, noCache: written?.read, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: written?.wrote, text: written?.wrote, reasoning: undefined },
    },
  };
}
