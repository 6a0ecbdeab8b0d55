import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeAudio } from '../../../src/engines/embedded/codec/decode/index.ts';
import { createEmbeddedSpeech } from '../../../src/engines/embedded/speech/index.ts';
import type { Mark, SpeechEngine, SpeechQuery } from '../../../src/engines/ports/index.ts';
import { createOpenAiCompatibleSpeech } from '../../../src/engines/remote/openai-speech.ts';
import { createRemoteSpeech, phonemiseWith } from '../../../src/engines/remote/speech.ts';
import { stretchMarks, voicedSpans } from '../../../src/engines/remote/speech-align.ts';
import { wavFile } from '../../../src/engines/wav.ts';
import { joined } from '../../support/sound-files.ts';

/** The remote voice is another, slower eSpeak voice behind real HTTP: so the true times of its words are known. */
const espeak = createEmbeddedSpeech();
const REMOTE_VOICE = { base: 'walter', rate: 0.9 };
const KEY = 'sk-very-secret';

interface Seen {
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}
let seen: Seen[] = [];
/** What the next request gets instead of speech. */
let answer: { status: number; type: string; body: string } | 'nothing' | undefined;
let server: ReturnType<typeof createServer>;
let baseUrl = '';

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    seen.push({ url: request.url, headers: request.headers, body });
    if (answer === 'nothing') return;
    if (answer) return void response.writeHead(answer.status, { 'content-type': answer.type }).end(answer.body);
    const rate = REMOTE_VOICE.rate * (body.speed ?? 1);
    const spoken = await listen(espeak, { text: body.input, voice: { ...REMOTE_VOICE, rate } });
    response.writeHead(200, { 'content-type': 'audio/wav' }).end(wavFile([spoken.pcm], spoken.rate));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterEach(() => {
  seen = [];
  answer = undefined;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await espeak.close();
});

function remote(): SpeechEngine {
  return createRemoteSpeech({
    model: createOpenAiCompatibleSpeech({ baseUrl: `${baseUrl}/`, apiKey: KEY, model: 'kokoro', format: 'wav' }),
    voices: [{ id: 'af_bella', name: 'Bella (American English)', language: 'en-US' }],
    phonemise: phonemiseWith(espeak),
    decode: decodeAudio,
  });
}

async function listen(engine: SpeechEngine, query: SpeechQuery) {
  const parts: Int16Array[] = [];
  const marks: Mark[] = [];
  let rate = 0;
  for await (const piece of engine.stream(query)) {
    parts.push(piece.pcm);
    marks.push(...piece.marks);
    rate = piece.rate;
  }
  return { pcm: joined(parts), rate, marks };
}

const TEXT =
  'Good morning, everyone. Today we talk about bees, butter and the moon. Nobody knows why? Well, that is a long story!';
const timesOf = (marks: Mark[], kind: Mark['kind']) => marks.filter((mark) => mark.kind === kind).map(({ ms }) => ms);

describe('remote speech', () => {
  test('asks the server in its protocol and gives its audio with marks at the true times', async () => {
    const spoken = await listen(remote(), { text: TEXT, voice: { base: 'af_bella' } });
    const truth = await listen(espeak, { text: TEXT, voice: REMOTE_VOICE });
    expect(seen).toMatchObject([
      {
        url: '/v1/audio/speech',
        headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
        body: { model: 'kokoro', input: TEXT, voice: 'af_bella', response_format: 'wav' },
      },
    ]);
    expect(spoken.rate).toBe(truth.rate);
    expect(Math.abs(spoken.pcm.length - truth.pcm.length)).toBeLessThan(truth.rate * 0.1);

    const words = (marks: Mark[]) => marks.filter(({ kind }) => kind === 'word').map(({ at, len }) => [at, len]);
    expect(words(spoken.marks)).toEqual(words(truth.marks));
    const off = timesOf(truth.marks, 'word').map((ms, i) =>
      Math.abs(ms - (timesOf(spoken.marks, 'word')[i] as number)),
    );
    // eSpeak's rhythm, fitted to that of a recorded person.
    expect(Math.max(...off)).toBeLessThan(200);
    expect(off.reduce((sum, ms) => sum + ms, 0) / off.length).toBeLessThan(80);
    const ordered = spoken.marks.map(({ ms }) => ms);
    expect(ordered).toEqual(ordered.toSorted((a, b) => a - b));
  });

  test('rate and pitch: asks for the speed that leaves the wanted length after the pitch is moved', async () => {
    const plain = await listen(remote(), { text: 'Hello there, my friend.', voice: { base: 'af_bella' } });
    const high = await listen(remote(), { text: 'Hello there, my friend.', voice: { base: 'af_bella', pitch: 6 } });
    await listen(remote(), { text: 'Hello', voice: { base: 'af_bella', rate: 1.5 } });
    expect(seen.map(({ body }) => body.speed)).toEqual([undefined, expect.closeTo(1 / Math.sqrt(2), 3), 1.5]);
    expect(high.pcm.length / plain.pcm.length).toBeCloseTo(1, 0.7);
  });

  test.each([
    ['a refusal', { status: 401, type: 'application/json', body: `{"error":"bad key ${KEY}"}` }],
    ['a page instead of audio', { status: 200, type: 'text/html', body: '<h1>Hi</h1>' }],
    ['audio that is none', { status: 200, type: 'audio/mpeg', body: 'not audio at all' }],
  ])('%s is an upstream failure that says nothing of the key', async (_, given) => {
    answer = given;
    const failed = await listen(remote(), { text: 'Hello', voice: { base: 'af_bella' } }).catch((error) => error);
    expect(failed).toMatchObject({ code: 'UPSTREAM_FAILED' });
    expect(failed.message).not.toContain(KEY);
    expect(JSON.stringify(failed.cause.requestBodyValues ?? {})).not.toContain(KEY);
  });

  test('abort ends the wait with the reason; a slow server times out', async () => {
    answer = 'nothing';
    const stop = new AbortController();
    const reason = new Error('enough');
    const waiting = listen(remote(), { text: 'Hello', voice: { base: 'af_bella' }, signal: stop.signal });
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const model = createOpenAiCompatibleSpeech({ baseUrl, model: 'kokoro', timeoutMs: 30 });
    await expect(model.doGenerate({ text: 'Hello' })).rejects.toMatchObject({
      message: expect.stringContaining('too long'),
    });
  });

  test('what cannot be asked is refused before any request', async () => {
    const query = { text: 'Hello', voice: { base: 'af_bella' } };
    const engine = remote();
    const refused: [Partial<SpeechQuery>, string][] = [
      [{ language: 'xx' }, 'language'],
      [{ voice: { base: 'amelia' } }, 'ttsVoiceId'],
      [{ voice: { base: 'af_bella', variant: 'f3' } }, 'variant'],
      [{ voice: { base: 'af_bella', pitch: 99 } }, 'pitch'],
      [{ text: 'a'.repeat(5_000) }, 'text'],
    ];
    for (const [more, field] of refused)
      await expect(listen(engine, { ...query, ...more })).rejects.toMatchObject({
        code: 'BAD_INPUT',
        details: { field },
      });
    const silence = await listen(engine, { ...query, text: '😀' });
    expect(silence.pcm.length / silence.rate).toBeGreaterThanOrEqual(0.3);
    expect(seen).toEqual([]);
    expect(engine.estimateSeconds(TEXT, query.voice)).toBeGreaterThan(6);
  });
});

describe('alignment', () => {
  const sound = (ms: number, ipa: string): Mark => ({ ms, kind: 'phoneme', at: 0, len: 0, ipa });
  /** Two blocks of voice, 0-400 and 600-1000, given by their phonemes. */
  const plan = {
    marks: [sound(0, 'a'), sound(200, 'b'), sound(400, ''), sound(600, 'c'), sound(800, 'd'), sound(1000, '')],
    ms: 1_100,
  };

  test.each([
    [
      'the same pauses elsewhere',
      [
        [100, 500],
        [1000, 1600],
      ],
      [100, 300, 500, 1000, 1300, 1600],
    ],
    [
      'one pause more than expected',
      [
        [0, 200],
        [500, 700],
        [1000, 1200],
        [1500, 1700],
      ],
      [0, 500, 700, 1000, 1500, 1700],
    ],
    ['no pause at all', [[50, 850]], [50, 250, 450, 450, 650, 850]],
  ])('%s', (_, spans, expected) => {
    const voiced = spans.map(([from, to]) => ({ from: from as number, to: to as number }));
    const times = stretchMarks(plan, voiced, 2_000).map(({ ms }) => ms);
    for (const [i, ms] of times.entries()) expect(Math.abs(ms - (expected[i] as number))).toBeLessThanOrEqual(4);
  });

  test('voice is found over noise, closures do not part it and clicks are not voice', () => {
    const rate = 8_000;
    const pcm = new Int16Array(rate * 2).map((_, i) => ((i * 7919) % 41) - 20);
    const tone = (fromMs: number, toMs: number) => {
      for (let i = (fromMs * rate) / 1000; i < (toMs * rate) / 1000; i++) pcm[i] = 8_000 * Math.sin(i / 5);
    };
    tone(200, 500);
    tone(560, 900);
    tone(1_200, 1_210);
    tone(1_500, 1_800);
    expect(voicedSpans(pcm, rate)).toEqual([
      { from: 200, to: 900 },
      { from: 1_500, to: 1_800 },
    ]);
    expect(voicedSpans(new Int16Array(rate), rate)).toEqual([{ from: 0, to: 1_000 }]);
  });
});
