/**
 * Finds the sentences that answer a question, over whatever texts there are: rarer words count more, words of a family
 * count for less, neighbours among words and sentences count a little, and a sentence that has no candidate for what is
 * asked (a person, a date, a number) hardly counts. It quotes; it never combines what two sentences say.
 */
import { FAMILIES } from './data/word-families.ts';
import { readPassage, type Sentence } from './passages.ts';
import { askedOfWork, contentTerms, type Question, readQuestion, spansFor, tellsWork } from './question.ts';

/** A sentence found for a question. */
export interface Found {
  sentence: Sentence;
  text: string;
  /** Which item it came from, and its place among the sentences of that item. */
  item: number;
  at: number;
  /** For the order among the found. */
  score: number;
  /** 0..1: the weighted share of the question's words that it speaks of. */
  share: number;
}

/** Below this share a match is chance. */
export const MIN_SHARE = 0.25;
const FAMILY = 0.6;
const SAME_BEGINNING = 0.7;
const BEGINNING_CHARS = 5;
const PAIR_BONUS = 0.12;
/** What a word is worth that the sentence says once more. */
const REPEAT_BONUS = 0.1;
/** Whether there is a pool: "the pool on the roof ..." says more of it than "towels are at the pool bar". */
const SUBJECT_BONUS = 0.25;
/** What the very form of a word is worth beyond its stem. */
const FORM_BONUS = 0.06;
/** The first sentence under a heading says what matters. */
const LEADS_BONUS = 0.05;
/** "Cable: 1.8 m" is about the cable. */
const LABEL_WORTH = 1.4;
const HAS_CANDIDATE = 1.25;
const HAS_UNIT = 1.5;
/** What is left of the score of a sentence without any candidate, by the kind of answer. */
const NO_CANDIDATE: Partial<Record<Question['type'], number>> = {
  person: 0.6,
  name: 0.6,
  date: 0.35,
  number: 0.4,
  place: 0.7,
  colour: 0.35,
  reason: 0.8,
  manner: 0.9,
};
/** What the noun behind "which" is worth beside the other words. */
const ASKED_WORTH = 0.75;
const CALLED = /\b(?:called|named|known as|known .{0,20}as|termed|dubbed|nicknamed|named after)\b|["“”]/i;
const SAYS_NAME = 1.25;
/** A number whose unit is another than the one asked for ("five minutes" is not how often). */
const OTHER_UNIT = 0.8;
/** Long sentences hold more words by chance. */
const LENGTH_WORTH = 0.2;
const QUESTION_WORTH = 0.3;

const families = new Map<string, Set<number>>();
for (const [i, line] of FAMILIES.trim().split('\n').entries()) {
  for (const stem of contentTerms(line)) {
    const known = families.get(stem);
    if (known) known.add(i);
    else families.set(stem, new Set([i]));
  }
}

/** How near two stems are: 1 the same, less for words of a family or of one beginning, 0 for strangers. */
export function related(one: string, other: string): number {
  if (one === other) return 1;
  const [mine, theirs] = [families.get(one), families.get(other)];
  if (mine && theirs) for (const family of mine) if (theirs.has(family)) return FAMILY;
  const least = Math.min(one.length, other.length);
  if (least < BEGINNING_CHARS || Math.max(one.length, other.length) - least > 4) return 0;
  let same = 0;
  while (same < least && one[same] === other[same]) same++;
  return same >= BEGINNING_CHARS && same >= least - 1 ? SAME_BEGINNING : 0;
}

/** How well a sentence speaks of a stem: 1 for the word itself, 0 for not at all. */
function speaksOf(sentence: Sentence, stem: string): number {
  if (sentence.stems.has(stem)) return 1;
  let best = sentence.carried.get(stem) ?? 0;
  for (const own of sentence.stems) best = Math.max(best, related(stem, own));
  return best;
}

/** A question with, for one that points back, the words it points at and what each is worth. */
export interface Asked {
  question: Question;
  context?: readonly string[];
  /** What these are worth beside the question's own words. */
  contextWorth?: number;
  /** Whether a sentence must speak of one of the question's own words ("and volcanoes?"). */
  needsOwn?: boolean;
}
const CONTEXT_WORTH = 0.2;

/** All sentences that may answer, best first; ties in the order given (the better ranked item first). */
export function find(asked: string | Asked, items: readonly { text: string }[]): Found[] {
  const {
    question: read,
    context,
    contextWorth = CONTEXT_WORTH,
    needsOwn = false,
  }: Asked = typeof asked === 'string' ? { question: readQuestion(asked) } : asked;
  const rows = items.flatMap((item, index) =>
    readPassage(item.text).map((sentence, at) => ({ sentence, item: index, at })),
  );
  const question = askedOfWork(
    read,
    rows.map(({ sentence }) => sentence),
  );
  const worths = new Map<string, number>();
  for (const stem of question.terms) worths.set(stem, question.asked.has(stem) ? ASKED_WORTH : 1);
  for (const stem of context ?? []) if (!worths.has(stem)) worths.set(stem, contextWorth);
  if (worths.size === 0) return [];
  const weights = new Map<string, number>();
  let total = 0;
  for (const [stem, worth] of worths) {
    const holding = rows.filter(({ sentence }) => sentence.stems.has(stem)).length;
    const weight = worth * (Math.log(1 + (rows.length - holding + 0.5) / (holding + 0.5)) + 0.3);
    weights.set(stem, weight);
    total += weight;
  }
  const own = new Set(question.terms);
  const average = rows.reduce((sum, { sentence }) => sum + sentence.order.length, 0) / Math.max(1, rows.length);
  const length = ({ order }: Sentence): number =>
    1 - LENGTH_WORTH + LENGTH_WORTH * (order.length / Math.max(1, average));
  return rows
    .map(({ sentence, item, at }) => {
      let got = 0;
      let any = false;
      const colours = question.type === 'colour' ? spansFor(question, sentence.text).length : 0;
      // "Three hours" say how long without the word.
      const measures = question.units.length > 0 && spansFor(question, sentence.text).some(({ worth }) => worth > 1);
      for (const [stem, weight] of weights) {
        // A list of colours speaks of colours without the word.
        const how = Math.max(
          colours > 1 && question.asked.has(stem) ? 1 : measures && question.asked.has(stem) ? FAMILY : 0,
          speaksOf(sentence, stem),
        );
        got += weight * how;
        any ||=
          (!needsOwn || own.has(stem)) &&
          how >= FAMILY &&
          (sentence.stems.has(stem) ||
            sentence.headed.has(stem) ||
            how > (sentence.carried.get(stem) ?? 0) ||
            how >= 0.9);
      }
      const share = total > 0 ? got / total : 0;
      const score = any
        ? (share *
            (1 +
              PAIR_BONUS * pairs(question.terms, sentence) +
              (question.closed && sentence.about.some((stem) => question.terms.includes(stem)) ? SUBJECT_BONUS : 0) +
              REPEAT_BONUS *
                sentence.order.filter((stem, i) => question.terms.includes(stem) && sentence.order.indexOf(stem) < i)
                  .length +
              (sentence.leads ? LEADS_BONUS : 0) +
              FORM_BONUS * question.forms.filter((form) => sentence.forms.has(form)).length) *
            formOf(question, sentence)) /
          length(sentence)
        : 0;
      return { sentence, text: sentence.text, item, at, score, share };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

/** How many words that stand side by side in the question do so in the sentence. */
function pairs(asked: readonly string[], { order }: Sentence): number {
  let count = 0;
  for (let i = 1; i < asked.length; i++) {
    const first = order.indexOf(asked[i - 1] ?? '');
    if (first >= 0 && (order[first + 1] === asked[i] || order[first - 1] === asked[i])) count++;
  }
  return count;
}

function formOf(question: Question, sentence: Sentence): number {
  if (/\?["”')]*$/.test(sentence.text)) return QUESTION_WORTH;
  const named =
    (question.naming && CALLED.test(sentence.text)) ||
    saysWhatIs(question.defines, sentence.text) ||
    tellsWork(question, sentence)
      ? SAYS_NAME
      : 1;
  const label = /^([^:.]{2,40}):\s/.exec(sentence.text)?.[1];
  if (label && contentTerms(label).every((stem) => question.terms.includes(stem))) return LABEL_WORTH;
  if (question.type === 'any') return named;
  const spans = spansFor(question, sentence.text);
  if (spans.length === 0) return named * (NO_CANDIDATE[question.type] ?? 1);
  if (question.type === 'place' || question.type === 'manner') return 1.1;
  return (
    named * (spans.some(({ worth }) => worth > 1) ? HAS_UNIT : question.units.length > 0 ? OTHER_UNIT : HAS_CANDIDATE)
  );
}

/** "Photosynthesis is ...", "small openings called stomata". */
function saysWhatIs(stems: ReadonlySet<string>, text: string): boolean {
  if (stems.size === 0) return false;
  const held = (part: string | undefined) => part !== undefined && contentTerms(part).some((stem) => stems.has(stem));
  const subject = /^((?:\S+ ){0,3}\S+) (?:is|are|was|were|means?) /i.exec(text)?.[1];
  if (subject && contentTerms(subject).length > 0 && contentTerms(subject).every((stem) => stems.has(stem)))
    return true;
  return (
    held(
      /^((?:\S+ ){0,3}\S+) (?:is|are|was|were|means?) (?:an?|the|when|where|what|how|that|any|small|those)\b/i.exec(
        text,
      )?.[1],
    ) || held(/\b(?:called|named|known as|termed)((?: [\p{L}-]+){1,3})/u.exec(text)?.[1])
  );
}
