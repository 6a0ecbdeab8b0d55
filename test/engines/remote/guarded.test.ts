/** Remote models behind their guards: what counts as an answer, and for how long a slot is held. */
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { describe, expect, test } from '@jest/globals';
import { createNoopEngines } from '../../../src/engines/noop/index.ts';
import { addressOf, guardedChat, guardedVideo } from '../../../src/engines/remote/guarded.ts';
import { runAsAccount } from '../../../src/kernel/work-account.ts';
import { remoteCalls } from '../../support/remote-calls.ts';
import { until } from '../../support/until.ts';

const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hi' }] }];
const START: LanguageModelV4StreamPart = { type: 'stream-start', warnings: [] };
const WORD: LanguageModelV4StreamPart = { type: 'text-delta', id: '1', delta: 'Well.' };

/** A chat model that streams these parts, and no end unless it `ends`. */
function chatOf(parts: LanguageModelV4StreamPart[], { ends = false } = {}) {
  const doStream = async () => ({
    stream: new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        if (ends) controller.close();
      },
    }),
  });
  return { ...createNoopEngines().chat, doStream };
}

const to = addressOf('chat', 'http://chat.example/v1', 'm');
const away = new APICallError({ message: 'away', url: '', requestBodyValues: {}, cause: new Error('ECONNREFUSED') });

describe('chat', () => {
  test.each<[string, LanguageModelV4StreamPart[]]>([
    ['a stream without a word', [START]],
    ['a stream that breaks off before the first word', [START, { type: 'error', error: away }]],
  ])('no answer: %s', async (_, parts) => {
    const calls = remoteCalls('chat=0.02');
    const chat = guardedChat(chatOf(parts), calls, to);
    for (let i = 0; i < 3; i += 1) await expect(chat.doStream({ prompt })).rejects.toThrow();
    expect(calls.stats().open).toEqual({ chat: 1 });
  });

  test('an answer from the first word on: all parts arrive, in order', async () => {
    const calls = remoteCalls();
    const { stream } = await guardedChat(chatOf([START, WORD, WORD], { ends: true }), calls, to).doStream({ prompt });
    const parts: LanguageModelV4StreamPart[] = [];
    for await (const part of stream) parts.push(part);
    expect(parts).toEqual([START, WORD, WORD]);
    expect(calls.stats()).toMatchObject({ open: {}, calls: { chat: { answered: 1, unanswered: 0 } } });
  });

  test('a stream holds its slot until it is left', async () => {
    const chat = guardedChat(chatOf([WORD]), remoteCalls(), to);
    const open = () => runAsAccount('a', () => chat.doStream({ prompt }));
    const streams = await Promise.all(Array.from({ length: 8 }, open));
    let isOpen = false;
    const next = open().then((opened) => {
      isOpen = true;
      return opened;
    });
    await runAsAccount('b', () => chat.doStream({ prompt }));
    expect(isOpen).toBe(false);
    await streams[0]!.stream.cancel();
    await until(async () => isOpen);
    await (await next).stream.cancel();
  });
});

test('a server that says it is away has not answered; one that refuses has', async () => {
  const refusing = (statusCode: number) => ({
    ...createNoopEngines().chat,
    doStream: () => Promise.reject(new APICallError({ message: '', url: '', requestBodyValues: {}, statusCode })),
  });
  for (const [status, open] of [
    [503, { chat: 1 }],
    [400, {}],
    [429, {}],
    [500, {}],
  ] as const) {
    const calls = remoteCalls();
    const chat = guardedChat(refusing(status), calls, to);
    for (let i = 0; i < 3; i += 1) await expect(chat.doStream({ prompt })).rejects.toThrow();
    expect([status, calls.stats().open]).toEqual([status, open]);
  }
});

test('a video model keeps the methods it has, each guarded', async () => {
  const calls = remoteCalls();
  const model = {
    specificationVersion: 'v4' as const,
    provider: 'p',
    modelId: 'm',
    maxVideosPerCall: 1,
    doStart: async () => Promise.reject(away),
    doStatus: async () => Promise.reject(away),
  };
  const guarded = guardedVideo(model, calls, addressOf('video', undefined, 'p'));
  expect(guarded.doGenerate).toBeUndefined();
  await expect(guarded.doStatus!({ operation: 'o' })).rejects.toThrow('away');
  await expect(guarded.doStatus!({ operation: 'o' })).rejects.toThrow('away');
  await expect(guarded.doStart!({} as never)).rejects.toThrow('away');
  await expect(guarded.doStatus!({ operation: 'o' })).rejects.toThrow('does not answer at the moment');
});
