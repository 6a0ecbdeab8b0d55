/** No text makes its reader slow: what is read for meaning is read in a time that grows with its length. */
import { expect, test } from '@jest/globals';
import { readEdits } from '../../src/engines/embedded/renderer/graphics/edit/read.ts';
import { describePerson } from '../../src/engines/embedded/renderer/graphics/portrait/index.ts';
import { readPrompt } from '../../src/engines/embedded/renderer/graphics/prompt.ts';
import { readCameraMoves } from '../../src/engines/embedded/renderer/video/camera-moves.ts';
import { PlatformError } from '../../src/kernel/errors.ts';
import { statedFacts } from '../../src/persona/stated-facts.ts';
import { answer } from '../../src/services/brain/memory/quoted-answer.rules.ts';
import { rerank } from '../../src/services/brain/memory/ranking.rules.ts';
import { disclosable } from '../../src/text/confidential.ts';
import { sentences } from '../../src/text/sentences.ts';
import { terms } from '../../src/text/terms.ts';

/** The longest text of any field: a memory's. */
const CHARS = 8_000;
/** Of computing, whatever else the machine does. Where time grows with the square of the length, it is seconds. */
const MOST_MS = 1_000;

const REPEATED = [
  '  ',
  '\t',
  '?',
  '?!',
  'a',
  '1,',
  '. ',
  '"',
  "a'",
  '\u0301\u0323',
  'ﷺ',
  '👩‍👩‍👧',
  '漢',
  ' \n',
  'I ',
  'and my ',
  'never tell ',
  'St. ',
];
/** A refusal is an answer too. */
const orRefused = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof PlatformError) return error;
    throw error;
  }
};
const COMMON = { term: 1, df: 60, common: true, seqs: [], counts: [], lengths: [] };
const pagesOf = (content: string) =>
  Array.from({ length: 12 }, (_, seq) => ({ seq, content, speakerRef: null, linked: [] }));
const READERS: [string, (text: string) => unknown][] = [
  ['facts', statedFacts],
  ['terms', terms],
  ['sentences', sentences],
  ['what may be told', (text) => disclosable([{ text, rules: true }])],
  ['an answer', (content) => answer('My name?', Array(12).fill({ content, score: 1 }))],
  ['an image', readPrompt],
  ['the words of an image', (text) => readPrompt(`A sign "${text}"`)],
  ['an edit', orRefused((text) => readEdits(text, 1))],
  ['a person', (text) => describePerson(text, 1)],
  ['a video', (text) => readCameraMoves(text, 1)],
  ['a ranking', (content) => rerank('my name', pagesOf(content), [COMMON], [], { n: 100, averageLength: 500 })],
];

/** What reading takes, ms of computing: the least of a few, since the first pays for what is loaded and compiled. */
async function costOf(read: (text: string) => unknown, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && least >= MOST_MS; attempt++) {
    const begin = process.threadCpuUsage().user;
    await read(text);
    least = Math.min(least, (process.threadCpuUsage().user - begin) / 1_000);
  }
  return least;
}

test.each(READERS)('%s', async (_, read) => {
  for (const repeated of REPEATED) {
    const text = `My ${repeated.repeat(CHARS / repeated.length)}x`;
    expect([repeated, (await costOf(read, text)) < MOST_MS]).toEqual([repeated, true]);
  }
});
