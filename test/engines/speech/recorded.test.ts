import { afterAll, describe, expect, test } from '@jest/globals';
import { createLeveler, createLoudnessMeter } from '../../../src/engines/embedded/codec/loudness.ts';
import { alignSounds } from '../../../src/engines/embedded/speech/align-recording.ts';
import { clausesOf, plainEnglish } from '../../../src/engines/embedded/speech/english-clauses.ts';
import { createEmbeddedSpeech } from '../../../src/engines/embedded/speech/index.ts';
import type { Mark, VoiceSettings } from '../../../src/engines/ports/index.ts';
import { joined } from '../../support/sound-files.ts';

const speech = createEmbeddedSpeech();
afterAll(() => speech.close());

const RATE = 22_050;
const SENTENCE = 'I have been thinking about what you asked me yesterday, and nobody really knows.';

interface Spoken {
  pcm: Float32Array;
  seconds: number;
  marks: Mark[];
}

async function say(text: string, voice: VoiceSettings): Promise<Spoken> {
  const parts: Int16Array[] = [];
  const marks: Mark[] = [];
  for await (const piece of speech.stream({ text, voice })) {
    parts.push(piece.pcm);
    marks.push(...piece.marks);
  }
  const pcm = Float32Array.from(joined(parts));
  return { pcm, seconds: pcm.length / RATE, marks };
}

const plain = new Map<string, Promise<Spoken>>();

/** The sentence in a voice as it is; once each, for all that is listened to. */
function sayPlainly(base: string): Promise<Spoken> {
  const spoken = plain.get(base) ?? say(SENTENCE, { base });
  plain.set(base, spoken);
  return spoken;
}

/** Median pitch of the voiced frames in Hz, by autocorrelation. */
function pitchOf(pcm: Float32Array): number {
  const found: number[] = [];
  for (let start = 0; start + 1_400 < pcm.length; start += 1_000) {
    let best = 0.6;
    let lag = 0;
    let first = 1;
    for (let i = start; i < start + 1_000; i += 2) first += pcm[i]! * pcm[i]!;
    // Silence.
    if (first < 5e7) continue;
    for (let candidate = 55; candidate < 340; candidate++) {
      let product = 0;
      let second = 1;
      for (let i = start; i < start + 1_000; i += 2) {
        const later = pcm[i + candidate]!;
        product += pcm[i]! * later;
        second += later * later;
      }
      const likeness = product / Math.sqrt(first * second);
      if (likeness > best + 0.02) {
        best = likeness;
        lag = candidate;
      }
    }
    if (lag) found.push(RATE / lag);
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0;
}

/** Long-term level in dB of bands a third of an octave wide from 300 Hz to 6 kHz, their mean taken off: the timbre. */
function timbreOf(pcm: Float32Array): number[] {
  const levels = Array.from({ length: 14 }, (_, band) => {
    const hz = 300 * 2 ** (band / 3);
    const w = (2 * Math.PI * hz) / RATE;
    const width = Math.sin(w) * Math.sinh((Math.LN2 / 6) * (w / Math.sin(w)));
    const swing = 2 * Math.cos(w);
    let [x1, x2, y1, y2, sum] = [0, 0, 0, 0, 0];
    for (const x of pcm) {
      const y = (width * x - width * x2 + swing * y1 - (1 - width) * y2) / (1 + width);
      [x2, x1, y2, y1] = [x1, x, y1, y];
      sum += y * y;
    }
    return 10 * Math.log10(sum / pcm.length + 1);
  });
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length;
  return levels.map((level) => level - mean);
}

describe('English voices', () => {
  const english = speech.voices().filter(({ language }) => language.startsWith('en'));

  test('are at least eight, and any two differ in pitch or timbre or both', async () => {
    expect(english.length).toBeGreaterThanOrEqual(8);
    const heard: { id: string; pitch: number; timbre: number[] }[] = [];
    for (const { id } of english) {
      const { pcm } = await sayPlainly(id);
      heard.push({ id, pitch: pitchOf(pcm), timbre: timbreOf(pcm) });
    }
    const alike = heard.flatMap((one, i) =>
      heard.slice(i + 1).flatMap((other) => {
        const semitones = Math.abs(12 * Math.log2(one.pitch / other.pitch));
        const timbre = Math.sqrt(one.timbre.reduce((sum, db, k) => sum + (db - other.timbre[k]!) ** 2, 0) / 14);
        return Math.hypot(semitones / 1.5, timbre / 3) < 1 ? [`${one.id} ${other.id}`] : [];
      }),
    );
    expect(alike).toEqual([]);
  });

  test('of all languages read one English sentence in times that differ by less than two', async () => {
    const seconds: number[] = [];
    for (const { id } of speech.voices()) seconds.push((await sayPlainly(id)).seconds);
    expect(Math.max(...seconds) / Math.min(...seconds)).toBeLessThan(2);
  });

  test.each(['amelia', 'oliver', 'mason'])('%s is bent by pitch and rate as asked', async (base) => {
    const usual = await sayPlainly(base);
    const high = await say(SENTENCE, { base, pitch: 5 });
    expect(12 * Math.log2(pitchOf(high.pcm) / pitchOf(usual.pcm))).toBeCloseTo(5, -0.5);
    expect(high.seconds / usual.seconds).toBeCloseTo(1, 1);
    const slow = await say(SENTENCE, { base, rate: 0.7 });
    expect(usual.seconds / slow.seconds).toBeCloseTo(0.7, 1);
  });

  test('the timbre "robot" speaks by eSpeak, in its own sounds', async () => {
    const sounds = async (voice: VoiceSettings) => (await say('Go home.', voice)).marks.map(({ ipa }) => ipa).join('');
    expect(await sounds({ base: 'amelia' })).toContain('oʊ');
    expect(await sounds({ base: 'amelia', variant: 'robot' })).toContain('əʊ');
  });
});

describe('marks of a recording', () => {
  test.each([
    ['numbers', 'It costs 1,234.50 dollars, on 3 May 2024, for 12 people.', 'dollars', 'd'],
    ['an address', 'Write to nova@example.org before noon, please.', 'before', 'b'],
    ['signs', 'Fish & chips + peas = 50% of dinner — maybe more.', 'maybe', 'm'],
    ['a long line in clauses', `${SENTENCE.slice(0, -1)}, because it is hard to measure at all.`, 'because', 'b'],
  ])('%s: every word once, in order, and a known one begins with its own sound', async (_, text, word, first) => {
    const { marks, seconds } = await say(text, { base: 'grace' });
    const words = marks.filter(({ kind }) => kind === 'word');
    expect(words.map(({ at }) => at)).toEqual([...new Set(words.map(({ at }) => at))].sort((a, b) => a - b));
    for (const [i, { ms }] of marks.entries()) expect(ms).toBeGreaterThanOrEqual(marks[i - 1]?.ms ?? 0);
    expect(marks.at(-1)!.ms).toBeLessThanOrEqual(seconds * 1_000);
    const at = marks.findIndex((mark) => mark.kind === 'word' && text.slice(mark.at, mark.at + mark.len) === word);
    expect(at).toBeGreaterThan(0);
    expect(
      marks
        .slice(at)
        .find(({ ipa }) => ipa)
        ?.ipa?.replace(/[ˈˌ]/, ''),
    ).toBe(first);
  });

  test('align each sound with the one it replaces, over what only one side says', () => {
    const expected = [
      { ms: 0, kind: 'word' as const, position: 0 },
      { ms: 0, kind: 'phoneme' as const, position: 0, ipa: 'k' },
      { ms: 0, kind: 'phoneme' as const, position: 0, ipa: 'ˈɒ' },
      { ms: 0, kind: 'phoneme' as const, position: 0, ipa: 't' },
      { ms: 0, kind: 'word' as const, position: 4 },
      { ms: 0, kind: 'phoneme' as const, position: 4, ipa: 'b' },
      { ms: 0, kind: 'phoneme' as const, position: 4, ipa: 'ˈɛ' },
      { ms: 0, kind: 'phoneme' as const, position: 4, ipa: 'd' },
    ];
    const phones = ['k', 'aa', 'r', 't', 'pau', 'b', 'eh', 'd'].map((name, i) => ({
      name,
      startMs: i * 100,
      endMs: i * 100 + 100,
    }));
    const aligned = alignSounds(expected, phones);
    expect(aligned.map(({ ms, position, ipa }) => `${ms} ${position} ${ipa ?? 'word'}`)).toEqual([
      '0 0 word',
      '0 0 k',
      '100 0 ˈɑː',
      '200 0 ɹ',
      '300 0 t',
      '400 0 ',
      '500 4 word',
      '500 4 b',
      '600 4 ˈɛ',
      '700 4 d',
      '800 4 ',
    ]);
  });
});

describe('what a speaker is given', () => {
  test.each([
    ['Café &amp; naïve', 'Cafe and naive'],
    ['a@b.org', 'a at b dot org'],
    ['5 – 3 = 2', '5 , 3 equals 2'],
    ['€ 50 or £20', '50 euros or 20 pounds'],
    ['«Привет» he said', undefined],
    ['!?', undefined],
  ])('%s', (spoken, said) => expect(plainEnglish(spoken)).toBe(said));

  test('a long line begins with its first clause; nothing of it is lost and positions count code points', () => {
    const line = 'The 𝕋 is not a letter of mine, whatever you may have heard about it from them.';
    const clauses = clausesOf(line);
    expect(clauses.map(({ spoken }) => spoken).join('')).toBe(line);
    expect(clauses[1]!.position).toBe([...clauses[0]!.spoken].length);
    expect(clausesOf('Short, and sweet.')).toHaveLength(1);
  });
});

describe('loudness', () => {
  test('a sine of 997 Hz at full scale is -3.01 LUFS, as ITU-R BS.1770 says', () => {
    // At low rates the digital filters bend a little near their upper end.
    for (const [rate, tolerance] of [
      [16_000, 0.4],
      [22_050, 0.3],
      [48_000, 0.05],
    ] as const) {
      const meter = createLoudnessMeter(rate);
      meter.hear(Float32Array.from({ length: rate * 3 }, (_, i) => 32_767 * Math.sin((2 * Math.PI * 997 * i) / rate)));
      expect(Math.abs(meter.integrated()! + 3.01)).toBeLessThan(tolerance);
    }
  });

  test('pauses do not count, and silence has no loudness', () => {
    const tone = Float32Array.from({ length: RATE * 5 }, (_, i) => 8_000 * Math.sin(i / 4));
    const [alone, paused, silent] = [0, 1, 2].map(() => createLoudnessMeter(RATE));
    alone!.hear(tone);
    for (const part of [tone, new Float32Array(RATE * 3), tone]) paused!.hear(part);
    silent!.hear(new Float32Array(RATE));
    expect(paused!.integrated()).toBeCloseTo(alone!.integrated()!, 0);
    expect(silent!.integrated()).toBeUndefined();
  });

  test.each([0.05, 0.3, 2])('speech at %s of its level comes out as loud, sample for sample', async (factor) => {
    const { pcm } = await sayPlainly('mason');
    const leveler = createLeveler(RATE);
    const meter = createLoudnessMeter(RATE);
    let samples = 0;
    for (let i = 0; i < pcm.length; i += 3_000) {
      const part = leveler.push(pcm.slice(i, i + 3_000).map((sample) => sample * factor));
      samples += part.length;
      meter.hear(Float32Array.from(part));
    }
    const rest = leveler.finish(500);
    meter.hear(Float32Array.from(rest));
    expect(samples + rest.length).toBe(pcm.length + 500);
    expect(Math.abs(meter.integrated()! + 16)).toBeLessThan(1);
  });
});
