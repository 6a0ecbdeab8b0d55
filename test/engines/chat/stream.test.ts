/** The embedded responder as a LanguageModelV4: parts in order, the same text as whole, abort, limits, usage. */
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, test } from '@jest/globals';
import { personaPrompt } from '../../../src/persona/prompt.ts';
import { responder } from './support.ts';

const prompt = personaPrompt({
  name: 'Mira',
  knowledge: [],
  memories: [],
  task: 'chat',
  history: [],
  userText: 'Tell me a story',
});

async function partsOf(stream: ReadableStream<LanguageModelV4StreamPart>): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('embedded responder', () => {
  test('streams start, metadata, text word by word, finish', async () => {
    const parts = await partsOf((await responder.doStream({ prompt })).stream);
    const types = parts.map((part) => part.type);
    expect(types.slice(0, 3)).toEqual(['stream-start', 'response-metadata', 'text-start']);
    expect(types.slice(-2)).toEqual(['text-end', 'finish']);
    expect(types.slice(3, -2).every((type) => type === 'text-delta')).toBe(true);
    expect(types.length).toBeGreaterThan(30);
    const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
    const whole = await responder.doGenerate({ prompt });
    expect(whole.content).toEqual([{ type: 'text', text }]);
    expect(parts.at(-1)).toEqual({
      type: 'finish',
      usage: whole.usage,
      finishReason: { unified: 'stop', raw: 'stop' },
    });
    expect(whole.usage.inputTokens.total).toBeGreaterThan(50);
    expect(whole.usage.outputTokens.total).toBeGreaterThan(30);
  });

  test('an abort ends the stream with its reason', async () => {
    const controller = new AbortController();
    const reader = (await responder.doStream({ prompt, abortSignal: controller.signal })).stream.getReader();
    for (let i = 0; i < 5; i++) await reader.read();
    controller.abort(new Error('enough'));
    await expect(reader.read()).rejects.toThrow('enough');
    await expect(responder.doGenerate({ prompt, abortSignal: controller.signal })).rejects.toThrow('enough');
  });

  test('token limit and stop sequences hold', async () => {
    const short = await responder.doGenerate({ prompt, maxOutputTokens: 10 });
    expect(short.finishReason.unified).toBe('length');
    expect(short.usage.outputTokens.total).toBeLessThanOrEqual(10);
    const stopped = await responder.doGenerate({ prompt, stopSequences: ['.'] });
    expect(JSON.stringify(stopped.content)).not.toContain('.');
  });

  test('settings it has no use for are named', async () => {
    const { warnings } = await responder.doGenerate({ prompt, temperature: 0.5 });
    expect(warnings).toEqual([{ type: 'unsupported', feature: 'temperature' }]);
  });
});
