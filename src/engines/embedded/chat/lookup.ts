/**
 * Finds the sentences that answer a question, by the words they share, rarer words counting more. It quotes; it never
 * combines what two sentences say.
 */
import { sentences } from '../../../text/sentences.ts';
import { terms, words } from '../../../text/terms.ts';
import { SAME_WORD, TOPIC_NOISE } from './data/lists.ts';

export interface Passage {
  text: string;
  /** Which item it came from. */
  item: number;
}

export interface Found extends Passage {
  /** 0..1.25: the weighted share of the question's words that the sentence (or, for less, its passage) holds. */
  score: number;
  /** Its place among the sentences of its item. */
  at: number;
}

const PASSAGE_SHARE = 0.35;
/** Below this a match is chance. */
export const MIN_SCORE = 0.34;

function unified(text: string): string {
  return words(text)
    .map((word) => SAME_WORD[word] ?? word)
    .join(' ');
}

/** The content words of a question, unified spellings, without words that only ask. */
export function topicTerms(text: string): string[] {
  const all = [...new Set(terms(unified(text)))];
  const noise = new Set([...TOPIC_NOISE].flatMap((word) => terms(word)));
  const told = all.filter((term) => !noise.has(term));
  return told;
}

export function contentTerms(text: string): Set<string> {
  return new Set(terms(unified(text)));
}

/** What a sentence must hold to answer a question of that form; such sentences count for more. */
const ANSWERS: [asks: RegExp, holds: RegExp][] = [
  [/\bwhere\b/i, /\b(?:in|at|on|near|next to|behind|beside|opposite|between|above|under|street|square|road|city)\b/i],
  [
    /\bwhen\b|\bwhat time\b|\bwhat year\b/i,
    /\d|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|evening|noon|midnight|year|century|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/i,
  ],
  [
    /\bhow (?:much|many|old|long|far|tall|big)\b/i,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|thousand|million|free)\b/i,
  ],
  [/\bwho\b/i, /\bby\b|(?<=\S )\p{Lu}\p{Ll}+/u],
  [/\bwhy\b/i, /\b(?:because|since|so that|due to|in order)\b/i],
];
const ANSWER_BONUS = 1.25;

/** The sentences of an item that can be said: a passage begins with its heading, which helps to find it and is no answer. */
function quotable(text: string): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/^\s*(?:#+|[-*•])\s+/, '').trim())
    .filter((line) => line !== '');
  const [first = '', ...rest] = lines;
  const hasHeading = rest.length > 0 && !/[.!?:]$/.test(first);
  return (hasHeading ? rest : lines).flatMap(sentences);
}

/** All sentences that match, best first; ties in the order given (the better ranked item first). */
export function find(question: string, items: { text: string }[]): Found[] {
  const query = topicTerms(question);
  if (query.length === 0) return [];
  const rows = items.flatMap((item, index) => {
    const whole = contentTerms(item.text);
    return quotable(item.text).map((text, at) => ({ text, item: index, at, own: contentTerms(text), whole }));
  });
  const weight = new Map(
    query.map((term) => {
      const holding = rows.filter((row) => row.own.has(term)).length;
      return [term, Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5)) + 0.3];
    }),
  );
  const holds = ANSWERS.find(([asks]) => asks.test(question))?.[1];
  const total = [...weight.values()].reduce((sum, value) => sum + value, 0);
  return rows
    .map(({ own, whole, ...row }) => {
      let got = 0;
      for (const [term, value] of weight) got += own.has(term) ? value : whole.has(term) ? value * PASSAGE_SHARE : 0;
      const any = query.some((term) => own.has(term));
      return {
        ...row,
        score: any && !row.text.endsWith('?') ? (got / total) * (holds?.test(row.text) ? ANSWER_BONUS : 1) : 0,
      };
    })
    .filter((row) => row.score >= MIN_SCORE)
    .sort((a, b) => b.score - a.score);
}

/** A found sentence that can stand alone: one that opens with a pronoun takes the sentence before it along. */
export function standing(found: Found, items: { text: string }[]): string {
  const all = quotable(items[found.item]?.text ?? '');
  const needsMore = /^(?:it|they|he|she|this|these|that|those|its|their|his|her|such)\b/i.test(found.text);
  const before = all[found.at - 1];
  return needsMore && before ? `${before} ${found.text}` : found.text;
}
