/**
 * Answers a question by quoting memories, where no language model is configured: every sentence of the answer
 * is a sentence of a memory and carries its citation. It never writes a word of its own, save to say that it found
 * nothing.
 */
import { timeSlices } from '../../../kernel/time-slices.ts';
import { sentences } from '../../../text/sentences.ts';
import { terms } from '../../../text/terms.ts';
import type { Memory } from './memory-system.port.ts';

/** What is answered when no memory speaks of the question. */
export const NO_ANSWER = 'Nothing in memory answers this.';

const MAX_SENTENCES = 3;
/** A further sentence must be worth at least this share of the best. */
const KEEP_SHARE = 0.5;
const QUESTION_WEIGHT = 0.5;
/** What a sentence of the last memory is worth beside one of the first, when both match alike. */
const LAST_RANK_WEIGHT = 0.6;
/** A memory that matches only through its neighbours is quoted when it is at least this sure. */
const SURE_SCORE = 0.15;

/** A memory the answer rests on; `[n]` in the answer is the n-th citation. */
export interface Citation {
  id: string;
  content: string;
  score: number;
}

/** An answer made of sentences of the memories, with their sources. */
export interface Answer {
  answer: string;
  citations: Citation[];
}

/** Ends with a question mark and no word behind it. Looked for from the end: there may be thousands of marks. */
function isQuestion(sentence: string): boolean {
  const mark = sentence.lastIndexOf('?');
  return mark >= 0 && !/\w/.test(sentence.slice(mark));
}

interface Quote {
  memory: Memory;
  sentence: string;
  found: Set<string>;
  worth: number;
}

/** The sentences of a memory; a heading or list item on a line of its own counts as one. */
const quotable = (content: string): string[] =>
  content
    .split('\n')
    .flatMap(sentences)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));

async function quotes(query: string, memories: readonly Memory[]): Promise<Quote[]> {
  const slice = timeSlices();
  const asked = new Set(terms(query));
  const all: (Omit<Quote, 'worth'> & { rank: number })[] = [];
  for (const [rank, memory] of memories.entries()) {
    await slice();
    for (const sentence of quotable(memory.content)) {
      const found = new Set(terms(sentence).filter((term) => asked.has(term)));
      all.push({ memory, sentence, found, rank });
    }
  }
  const holding = (term: string): number => all.filter(({ found }) => found.has(term)).length;
  const rarity = new Map([...asked].map((term) => [term, Math.log(1 + all.length / (0.5 + holding(term)))]));
  return all.map(({ memory, sentence, found, rank }) => {
    const match = [...found].reduce((sum, term) => sum + (rarity.get(term) ?? 0), 0);
    const standing = 1 - ((1 - LAST_RANK_WEIGHT) * rank) / Math.max(1, memories.length - 1);
    return { memory, sentence, found, worth: match * standing * (isQuestion(sentence) ? QUESTION_WEIGHT : 1) };
  });
}

/** Of the best quotes: those that say something the ones before do not, three at most, in order of worth. */
function choose(all: Quote[]): Quote[] {
  const sorted = all.filter(({ worth }) => worth > 0).toSorted((a, b) => b.worth - a.worth);
  const chosen: Quote[] = [];
  for (const quote of sorted) {
    if (chosen.length === MAX_SENTENCES || quote.worth < KEEP_SHARE * (sorted[0]?.worth ?? 0)) break;
    const said = terms(quote.sentence).join(' ');
    // A question adds nothing to a statement that was found.
    if (chosen.length > 0 && isQuestion(quote.sentence)) continue;
    if (chosen.every((other) => terms(other.sentence).join(' ') !== said)) chosen.push(quote);
  }
  return chosen;
}

/** Answers from recalled memories, best first. Without anything to quote: `NO_ANSWER` and no citations. */
export async function answer(query: string, memories: readonly Memory[]): Promise<Answer> {
  const all = await quotes(query, memories);
  let chosen = choose(all);
  if (chosen.length === 0 && (memories[0]?.score ?? 0) >= SURE_SCORE) {
    chosen = all.filter(({ memory, sentence }) => memory === memories[0] && !isQuestion(sentence)).slice(0, 1);
  }
  if (chosen.length === 0) return { answer: NO_ANSWER, citations: [] };
  const cited = [...new Set(chosen.map(({ memory }) => memory))];
  return {
    answer: chosen.map(({ sentence, memory }) => `${sentence} [${cited.indexOf(memory) + 1}]`).join(' '),
    citations: cited.map(({ id, content, score }) => ({ id, content, score })),
  };
}
