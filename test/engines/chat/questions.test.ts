/**
 * The embedded chat answers questions about what it was given: paragraphs of an encyclopedia as personality, as knowledge
 * and with citations, and a product page. Measured, with floors a little below what was measured when they were set.
 * `held-out.txt` was written before the finder and was never tuned on; `dev.txt` was.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { PersonaInput } from '../../../src/persona/prompt.ts';
import { replyTo } from './support.ts';

interface Asked {
  material: string;
  question: string;
  gold: string[];
}

/** Blocks of "# title", a text, and lines of "question | gold words | other gold words". */
function read(name: string): Asked[] {
  const file = readFileSync(new URL(`../../fixtures/questions/${name}.txt`, import.meta.url), 'utf8');
  return file
    .split(/^# .*\n/m)
    .filter((block) => block.trim() !== '')
    .flatMap((block) => {
      const lines = block.trim().split('\n');
      const material = lines.filter((line) => !line.includes(' | ')).join('\n');
      return lines
        .filter((line) => line.includes(' | '))
        .map((line) => {
          const [question = '', ...gold] = line.split(' | ');
          return { material, question, gold };
        });
    });
}

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\b(?:a|an|the)\b/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()} `;

const words = (text: string): number => text.split(/\s+/).length;

async function measured(asked: Asked[], given: (material: string) => Partial<PersonaInput>) {
  const rows: { right: boolean; words: number; short: boolean }[] = [];
  for (const { material, question, gold } of asked) {
    const reply = await replyTo({ ...given(material), userText: question });
    const right = gold.some((answer) => plain(reply).includes(plain(answer)));
    rows.push({ right, words: words(reply), short: words(gold[0] ?? '') <= 3 });
  }
  const short = rows.filter((row) => row.short);
  return {
    right: rows.filter((row) => row.right).length / rows.length,
    words: short.reduce((sum, row) => sum + row.words, 0) / short.length,
  };
}

const asPersonality = (material: string) => ({ personalityPrompt: material });
const asKnowledge = (material: string) => ({
  knowledge: material.split(/\n(?=## )/).map((text) => ({ text, source: 'https://example.org/page' })),
});

describe.each(['dev', 'held-out'])('questions about an encyclopedia: %s', (name) => {
  const asked = read(name);

  test('as personality: four of five with the gold words, in some twenty words', async () => {
    const { right, words: count } = await measured(asked, asPersonality);
    expect(right).toBeGreaterThanOrEqual(0.8);
    expect(count).toBeLessThanOrEqual(21);
  });

  test('as knowledge', async () => {
    const { right } = await measured(asked, asKnowledge);
    expect(right).toBeGreaterThanOrEqual(0.8);
  });

  test('with citations', async () => {
    const { right } = await measured(asked, (material) => ({ ...asKnowledge(material), task: 'answer' }));
    expect(right).toBeGreaterThanOrEqual(0.85);
  });
});

test('forty questions of a reader about a product page', async () => {
  const asked = read('product');
  expect(asked.length).toBeGreaterThanOrEqual(40);
  const { right, words: count } = await measured(asked, asKnowledge);
  expect(right).toBeGreaterThanOrEqual(0.85);
  expect(count).toBeLessThanOrEqual(15);
});

test('what the page does not say is mostly not answered', async () => {
  const [{ material = '' } = {}] = read('product');
  const questions = readFileSync(new URL('../../fixtures/questions/unanswerable.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const replies = await Promise.all(questions.map((userText) => replyTo({ ...asKnowledge(material), userText })));
  const honest = replies.filter((reply) => /\bnot know\b/.test(reply));
  expect(honest.length).toBeGreaterThanOrEqual(questions.length * 0.6);
});

test('an encyclopedic sentence stays in the third person, and nothing is put around an answer', async () => {
  const personalityPrompt =
    'The Venetians were the people of the lagoon. They adopted the language of the mainland, and their dialect became known as Venetian.';
  for (const name of ['Mira', 'Flint']) {
    const reply = await replyTo({ name, personalityPrompt, userText: 'Which language did the Venetians adopt?' });
    expect(reply).toMatch(/adopted the language of the mainland/);
    expect(reply).not.toMatch(/\b(?:I|my|me)\b/);
  }
  const manner = 'You are a grumpy pirate. The harbour opens at six. You live in Bristol.';
  const pirate = (userText: string) => replyTo({ name: 'Flint', personalityPrompt: manner, userText });
  expect(await pirate('When does the harbour open?')).toBe('The harbour opens at six.');
  expect(await pirate('Where do you live?')).toBe('I live in Bristol.');
});

describe('what is asked to be made', () => {
  const knowledge = [
    { text: 'The Moon is far away, and it takes 27 days to go round the Earth.', source: 'https://example.org' },
  ];

  test('a haiku is about its subject, or refused', async () => {
    expect(await replyTo({ knowledge, userText: 'Write a haiku about the moon' })).toMatch(/moon.*days.*earth/i);
    expect(await replyTo({ knowledge, userText: 'Write a haiku about tax law' })).toMatch(/cannot/);
  });

  test.each([
    'Write me a poem about the sea',
    'Sing me a song about rain',
    'Tell me a story about the French Revolution',
  ])('%s: one sentence that it cannot', async (userText) => {
    const reply = await replyTo({ userText });
    expect(reply).toMatch(/cannot|not sing/);
    expect(reply.split(/[.!?](?=\s|$)/).filter(Boolean)).toHaveLength(1);
  });

  test('a story is about whom it was asked to be about', async () => {
    expect(await replyTo({ userText: 'Tell me a story about a dragon' })).toMatch(/\ba dragon\b/);
  });
});

test('it says once that a language model would help', async () => {
  const { converse } = await import('./support.ts');
  const replies = await converse(['Who wrote Faust?', 'Who wrote Emma?', 'Who wrote Ulysses?', 'Who wrote Dracula?']);
  for (const reply of replies) expect(reply).toMatch(/not/);
  expect(replies.filter((reply) => /language model/i.test(reply))).toHaveLength(1);
});
