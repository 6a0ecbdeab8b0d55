/**
 * Local models end to end: `npm run models` from a hub of the test with packages from the registry, then the real packages
 * load what it brought. The models are tiny and made here.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { doctor } from '../../../src/commands/doctor.ts';
import { models } from '../../../src/commands/models.ts';
import { createEngines, type RunningEngines } from '../../../src/engines/create.ts';
import { createDecoders, type Decoders } from '../../../src/engines/decoders/index.ts';
import type { Mark } from '../../../src/engines/ports/index.ts';
import { wavFile } from '../../../src/engines/wav.ts';
import { readConfig } from '../../../src/kernel/config.ts';
import { startHub } from '../../support/hub-server.ts';
import { remoteCalls } from '../../support/remote-calls.ts';
import { hubFiles, SAMPLES_A_SOUND, TINY_MODELS } from '../../support/tiny-models.ts';

/** Kept between runs: installing takes half a minute. The command compares what is there with its lock. */
const PACKAGES = path.resolve('node_modules/.cache/local-models/packages');

let dataDir: string;
let engines: RunningEngines;
let decoders: Decoders;
let said = '';

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'local-models-'));
  mkdirSync(path.join(dataDir, 'models'));
  mkdirSync(PACKAGES, { recursive: true });
  symlinkSync(PACKAGES, path.join(dataDir, 'models/packages'));
  const tiny = Object.values(TINY_MODELS);
  const catalogue = path.join(dataDir, 'catalogue.json');
  writeFileSync(catalogue, JSON.stringify(tiny.map(({ model }) => model)));
  const hub = await startHub(hubFiles(...tiny));
  const env = { DATA_DIR: dataDir, MODELS: 'local', MODELS_URL: hub.url };
  try {
    await models(['--catalogue', catalogue], env, {
      write(text) {
        said += text;
      },
    });
  } finally {
    await hub.close();
  }
  decoders = createDecoders();
  const config = readConfig({ ...env, MODELS_URL: '' });
  engines = await createEngines(config, { download: async () => new Uint8Array(), decoders, calls: remoteCalls() });
});

afterAll(async () => {
  await engines?.close();
  await decoders?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

test('the command names what it brings, its size and its licence', () => {
  expect(said).toMatch(/kokoro\s+speech\s+[\d.]+ MB\s+MIT\s+Made by a test\. \(tests\/kokoro\)/);
  expect(said).toMatch(/qwen2\.5-1\.5b \[#{30}\] 100 % of/);
});

describe('speech', () => {
  test('English comes from the model, sentence by sentence, with marks in the text at growing times', async () => {
    const text = 'Hello there. The moon, as you know, is far away!';
    const { voices } = engines.speech;
    expect(voices().map(({ id }) => id)).toEqual(expect.arrayContaining(['af_heart', 'bm_lewis', 'amelia', 'hannah']));
    const pieces: { samples: number; marks: Mark[]; rate: number }[] = [];
    for await (const { pcm, marks, rate } of engines.speech.stream({ text, voice: { base: 'af_heart' } }))
      pieces.push({ samples: pcm.length, marks, rate });
    expect(pieces.map(({ rate }) => rate)).toEqual([24_000, 24_000]);
    for (const { samples } of pieces) expect(samples % SAMPLES_A_SOUND).toBe(0);
    const marks = pieces.flatMap((piece) => piece.marks);
    const words = marks.filter(({ kind }) => kind === 'word').map(({ at, len }) => text.slice(at, at + len));
    expect(words).toEqual(['Hello', 'there', 'The', 'moon', 'as', 'you', 'know', 'is', 'far', 'away']);
    const times = marks.map(({ ms }) => ms);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)!).toBeLessThanOrEqual((pieces[0]!.samples + pieces[1]!.samples) / 24);
    expect(marks.find(({ at }) => at === text.indexOf('The'))!.ms).toBeGreaterThanOrEqual(
      Math.floor(pieces[0]!.samples / 24),
    );
  });

  test('an embedded English voice is said by the model, a timbre and another language by the embedded engine', async () => {
    const rateOf = async (query: Parameters<typeof engines.speech.stream>[0]) => {
      for await (const { rate } of engines.speech.stream(query)) return rate;
      return 0;
    };
    expect(await rateOf({ text: 'Hello.', voice: { base: 'amelia' } })).toBe(24_000);
    expect(await rateOf({ text: 'Hello.', voice: { base: 'amelia', variant: 'robot' } })).not.toBe(24_000);
    expect(await rateOf({ text: 'Guten Tag.', voice: { base: 'hannah' } })).not.toBe(24_000);
    expect(await rateOf({ text: 'Guten Tag.', voice: { base: 'af_heart' }, language: 'de' })).not.toBe(24_000);
    expect(await rateOf({ text: 'Привет, как дела?', voice: { base: 'am_puck' } })).not.toBe(24_000);
  });
});

test('doctor asks each of them, and names the command where one is not there', async () => {
  const lines: string[] = [];
  const env = { DATA_DIR: dataDir, MODELS: 'local', SPEECH_MODEL: 'local:other' };
  const isWell = await doctor(['chat', 'embedding', 'speech', 'transcription'], env, (line) => void lines.push(line));
  expect(isWell).toBe(false);
  const answers = lines.slice(1, -1).map((line) => line.split(/ {2,}/).toSpliced(2, 1));
  expect(answers).toEqual([
    ['chat', 'yes', 'local:qwen2.5-1.5b', expect.stringMatching(/^".+"$/)],
    ['embedding', 'yes', 'local:e5-small', '16 dimensions'],
    [
      'speech',
      'no',
      'local:other',
      expect.stringMatching(/^SPEECH_MODEL names local:other, .*: npm run models -- other$/),
    ],
    ['transcription', 'yes', 'local:whisper-base', expect.stringMatching(/^heard "/)],
  ]);
});

test('embeddings: texts that share words are nearer, and a vector has length one', async () => {
  const values = ['the cat sleeps on the sofa', 'a cat sleeps on a sofa', 'rocket flies to moon'];
  const { embeddings } = await engines.embedding!.doEmbed({ values });
  const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  const [cat, other, rocket] = embeddings as [number[], number[], number[]];
  expect(dot(cat, cat)).toBeCloseTo(1, 4);
  expect(dot(cat, other)).toBeGreaterThan(dot(cat, rocket) + 0.1);
});

describe('transcription', () => {
  const tone = (hertz: number, rate: number) =>
    wavFile([Int16Array.from({ length: rate }, (_, i) => 12_000 * Math.sin((2 * Math.PI * hertz * i) / rate))], rate);

  test.each([
    ['high', 3_000, 'en'],
    ['low', 200, 'en-US'],
    ['hoch', 3_000, undefined],
    ['tief', 200, 'de'],
  ])('hears "%s" in a tone of %i Hz, language %s', async (word, hertz, language) => {
    const { text } = await engines.transcription!.doGenerate({
      audio: tone(hertz, 44_100),
      mediaType: 'audio/wav',
      ...(language ? { providerOptions: { local: { language } } } : {}),
    });
    expect(text.trim()).toBe(word);
  });

  test('silence is no speech', async () => {
    const { text } = await engines.transcription!.doGenerate({
      audio: wavFile([new Int16Array(16_000)], 16_000),
      mediaType: 'audio/wav',
    });
    expect(text).toBe('');
  });
});

describe('chat', () => {
  const prompt = (text: string) => [
    { role: 'system' as const, content: 'You are a tester.' },
    { role: 'user' as const, content: [{ type: 'text' as const, text }] },
  ];

  test('writes in pieces, as many tokens as it may, the same for the same seed', async () => {
    expect(engines.chatIsEmbedded).toBe(false);
    const call = { prompt: prompt('hello moon'), maxOutputTokens: 12, seed: 5 };
    const { stream } = await engines.chat.doStream(call);
    const parts: LanguageModelV4StreamPart[] = [];
    for await (const part of stream) parts.push(part);
    const text = parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
    expect(text.length).toBeGreaterThan(10);
    expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(3);
    expect(parts.at(-1)).toMatchObject({
      type: 'finish',
      finishReason: { unified: 'length' },
      usage: { outputTokens: { total: 12 } },
    });
    const { content } = await engines.chat.doGenerate(call);
    expect(content).toEqual([{ type: 'text', text }]);
  });

  test('a caller who leaves ends it, and the next one is answered', async () => {
    const gone = new AbortController();
    const { stream } = await engines.chat.doStream({ prompt: prompt('tea is red'), abortSignal: gone.signal });
    const reader = stream.getReader();
    while ((await reader.read()).value?.type !== 'text-delta');
    gone.abort(new Error('enough'));
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    await expect(rest()).rejects.toThrow('enough');
    const { content } = await engines.chat.doGenerate({ prompt: prompt('one two'), maxOutputTokens: 4 });
    expect(content[0]).toMatchObject({ type: 'text' });
  });

  test('JSON of a schema', async () => {
    const type = 'object' as const;
    const schema = { type, properties: { isRed: { type: 'boolean' as const } }, required: ['isRed'] };
    const { content } = await engines.chat.doGenerate({
      prompt: prompt('is tea red'),
      maxOutputTokens: 60,
      responseFormat: { type: 'json', schema },
    });
    const [part] = content;
    expect(typeof JSON.parse(part?.type === 'text' ? part.text : '').isRed).toBe('boolean');
  });
});
