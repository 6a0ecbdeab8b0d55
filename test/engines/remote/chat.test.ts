/** The OpenAI-compatible engine against a small server that speaks that protocol. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createOpenAiCompatibleChat } from '../../../src/engines/remote/chat.ts';
import { personaPrompt } from '../../../src/persona/prompt.ts';
import { SentenceChunker } from '../../../src/text/sentences.ts';

const prompt = personaPrompt({ name: 'Mira', knowledge: [], memories: [], task: 'chat', history: [], userText: 'Hi' });
const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function engine(answer: RequestListener, silenceMs = 60_000) {
  const server = createServer(answer);
  open.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  return createOpenAiCompatibleChat({ baseUrl, apiKey: 'key-1', model: 'm', silenceMs });
}

const event = (delta: object, rest: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', model: 'm-1', created: 1, choices: [{ delta, ...rest }] })}\n\n`;
const END = `${event({}, { finish_reason: 'stop' })}data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } })}\n\ndata: [DONE]\n\n`;

describe('OpenAI-compatible chat', () => {
  test('sends the prompt and the key, collects text and usage', async () => {
    const seen: { url?: string; auth?: string; body: string } = { body: '' };
    const chat = await engine((request, response) => {
      Object.assign(seen, { url: request.url, auth: request.headers.authorization });
      request.on('data', (bytes) => (seen.body += bytes));
      request.on('end', () => response.end(event({ content: 'Grüße ' }) + event({ content: 'dich.' }) + END));
    });
    const result = await chat.doGenerate({ prompt, maxOutputTokens: 50 });
    expect(result.content).toEqual([{ type: 'text', text: 'Grüße dich.' }]);
    expect(result.finishReason).toEqual({ unified: 'stop', raw: 'stop' });
    expect(result.usage).toMatchObject({ inputTokens: { total: 5 }, outputTokens: { total: 7 } });
    expect(seen).toMatchObject({ url: '/v1/chat/completions', auth: 'Bearer key-1' });
    expect(JSON.parse(seen.body)).toMatchObject({
      model: 'm',
      stream: true,
      max_tokens: 50,
      messages: [{ role: 'system' }, { role: 'user', content: 'Hi' }],
    });
  });

  test('the first three sentences arrive while the server pauses after them', async () => {
    let resume = () => {};
    const chat = await engine((_, response) => {
      response.write(event({ content: 'One. Two. Three. F' }));
      resume = () => response.end(event({ content: 'our.' }) + END);
    });
    const chunker = new SentenceChunker();
    const chunks: string[] = [];
    for await (const part of (await chat.doStream({ prompt })).stream) {
      if (part.type !== 'text-delta') continue;
      const complete = chunker.push(part.delta);
      chunks.push(...complete);
      if (complete.length > 0) resume();
    }
    expect([...chunks, chunker.end()]).toEqual(['One. Two. Three.', 'Four.']);
  });

  test('bytes cut anywhere, thoughts never spoken', async () => {
    const bytes = Buffer.from(
      event({ content: '<thi' }) + event({ content: 'nk>hm</thi' }) + event({ content: 'nk>\n\nÄh, hi.' }) + END,
    );
    const chat = await engine((_, response) => {
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    const { content } = await chat.doGenerate({ prompt });
    expect(content).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Äh, hi.' },
    ]);
  });

  test.each([
    [401, false],
    [429, true],
    [500, true],
  ])('a refusal with %i is thrown with its status', async (status, isRetryable) => {
    const chat = await engine((_, response) => response.writeHead(status).end('{"error":"no"}'));
    const error = await Promise.resolve(chat.doStream({ prompt })).catch((reason: unknown) => reason);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: status, isRetryable, responseBody: '{"error":"no"}' });
    expect(JSON.stringify(error)).not.toContain('key-1');
  });

  test('a silent server is given up', async () => {
    const chat = await engine(() => {}, 30);
    await expect(chat.doGenerate({ prompt })).rejects.toThrow('silent for 30 ms');
  });

  test('a reply broken off is an error part, and thrown when collected', async () => {
    const chat = await engine((_, response) => response.write(event({ content: 'One. ' }), () => response.destroy()));
    await expect(chat.doGenerate({ prompt })).rejects.toThrow('broke off');
  });

  test.each<[string, string, string]>([
    ['`[DONE]` without a reason', `${event({ content: 'Well, no' })}data: [DONE]\n\n`, 'stop'],
    ['the end of the connection', event({ content: 'Well, no' }), 'interrupted'],
    ['a reason', event({ content: 'Well, no' }) + END, 'stop'],
  ])('a reply that ends by %s', async (_, answer, unified) => {
    const chat = await engine((_request, response) => response.end(answer));
    const { content, finishReason } = await chat.doGenerate({ prompt });
    expect(content).toEqual([{ type: 'text', text: 'Well, no' }]);
    expect(finishReason.unified).toBe(unified);
  });

  test('an error that the server reports, and JSON that is none, are errors after what was said', async () => {
    for (const [answer, message] of [
      ['data: {"error":{"message":"no memory"}}\n\n', 'The chat server reported an error.'],
      ['data: {nonsense\n\n', 'The chat server broke off its reply.'],
    ] as const) {
      const chat = await engine((_, response) => response.end(event({ content: 'One.' }) + event({}) + answer));
      const { stream } = await chat.doStream({ prompt });
      const parts: LanguageModelV4StreamPart[] = [];
      for await (const part of stream) parts.push(part);
      expect(parts.map(({ type }) => type)).toContain('text-delta');
      expect(parts.find(({ type }) => type === 'error')).toMatchObject({ error: { message } });
    }
  });

  test('leaving a stream ends the request', async () => {
    const left = Promise.withResolvers<void>();
    const chat = await engine((_, response) => {
      response.on('close', left.resolve);
      response.write(event({ content: 'One. ' }) + event({ content: 'Two.' }));
    });
    const { stream } = await chat.doStream({ prompt });
    const reader = stream.getReader();
    while ((await reader.read()).value?.type !== 'text-delta') {}
    await reader.cancel();
    await expect(left.promise).resolves.toBeUndefined();
  });

  test('an abort rejects with its reason', async () => {
    const controller = new AbortController();
    const chat = await engine(() => controller.abort(new Error('enough')));
    await expect(chat.doGenerate({ prompt, abortSignal: controller.signal })).rejects.toThrow('enough');
  });

  test('no server there', async () => {
    const chat = createOpenAiCompatibleChat({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm' });
    await expect(chat.doGenerate({ prompt })).rejects.toThrow('could not be reached');
  });
});
