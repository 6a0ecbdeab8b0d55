/**
 * The answer to a question, from everything there is: what the persona says of itself and of the world, knowledge,
 * memories, and what the speaker said before. One sentence as a rule, shortened where it is long; more where more is asked for.
 */

import { words } from '../../ports/chat.ts';
import { type Asked, type Found, find, MIN_SHARE } from './lookup.ts';
import { isTopic, readPassage, type Sentence } from './passages.ts';
import { contentTerms, type Question, readQuestion, spansFor, topicTerms } from './question.ts';
import { HOW_TO, sayShort, withSubject } from './shorten.ts';
import type { Talk } from './talk.ts';

/** A name that no text mentions makes the rest of a match a chance, below this share. */
const SURE_SHARE = 0.45;
/** Without a person, time or number in it, this much of a question must be spoken of by what answers it. */
const WITHOUT_CANDIDATE = 0.65;
/** Sentences of an explanation. */
const MOST_EXPLAINED = 3;
const EXPLAINED_SHARE = 0.45;
/** What the avatar says of itself answers a question put to it, and hardly any other. */
const OF_ITSELF = 1.3;
const NOT_OF_ITSELF = 0.8;
/** What is asked back about is answered from the text that was quoted last, sooner than from another. */
const QUOTED_LAST = 1.4;
/** Who else: its own name is no answer. */
const SAYS_ITSELF = 0.6;
const QUOTED_SHARE = 0.6;
const TO_AVATAR = /\b(?:you|your|yours|yourself)\b/i;
const EXPLAIN =
  /\b(?:tell (?:me|us) (?:some |a bit |a little )?(?:more )?about|tell (?:me|us) what you know|^(?:please )?(?:can you |could you )?(?:explain|describe)|what do you know (?:about|of)|talk about|teach me|everything)\b/i;
const ELLIPSIS = /^(?:and|what about|how about|but|or|also)\b/i;
const SHORT_QUESTION = 6;

/** An answer found in a text, and how well it fits (0 to 1). */
export interface FoundAnswer {
  text: string;
  share: number;
  /** Whether the avatar's own sentence about itself is said. */
  ofItself: boolean;
}

/** What the words are worth that stand before the question in the same message. */
const IN_ONE_BREATH = 0.5;

/** What a question is about: its own words, and, where it points back, those of what was asked before. */
function askedIn(text: string, before: readonly string[], led = ''): Asked {
  const question = readQuestion(text);
  const leading = topicTerms(led);
  if (leading.length > 0) return { question, context: leading, contextWorth: IN_ONE_BREATH };
  const last = before.findLast((line) => topicTerms(line).length > 0);
  if (last === undefined) return { question };
  const short = text.split(/\s+/).length <= SHORT_QUESTION;
  if (ELLIPSIS.test(text.trim()) && short && question.type === 'any') {
    const earlier = readQuestion(last);
    return {
      question: {
        ...earlier,
        text,
        terms: question.terms,
        forms: question.forms,
        names: question.names,
        asked: question.asked,
      },
      needsOwn: true,
      context: earlier.terms,
    };
  }
  return question.pointsBack || (short && ELLIPSIS.test(text.trim()))
    ? { question, context: topicTerms(last) }
    : { question };
}

/** The best answer of all sources; undefined where nothing speaks of the question. */
export function answerTo(talk: Talk, text: string, least = MIN_SHARE): FoundAnswer | undefined {
  const { character, input, recalled, userLines, led } = talk;
  const items = [
    ...(character.self.length > 0 ? [{ text: character.self.join('\n') }] : []),
    ...input.knowledge,
    ...recalled.map((memory) => ({ text: memory })),
  ];
  const own = character.self.length > 0 ? 0 : -1;
  const asked = askedIn(text, userLines, led);
  const toAvatar = TO_AVATAR.test(text);
  const quoted = asked.context ? quotedItem(talk, items) : undefined;
  const worth = ({ item, text: row }: Found) =>
    (item === own ? (toAvatar ? OF_ITSELF : NOT_OF_ITSELF) : 1) *
    (item === own && asked.question.type === 'person' && /^I am /.test(row) ? SAYS_ITSELF : 1) *
    (item === quoted ? QUOTED_LAST : 1);
  const found = find(asked, items)
    .map((row) => ({ ...row, score: row.score * worth(row) * (repeats(row, talk, asked.question) ?? 0) }))
    .filter(
      (row) =>
        row.score > 0 &&
        (!PHONE_NUMBER.test(text) || DIGITS.test(row.text)) &&
        row.share >=
          Math.max(
            least,
            sharesTwoWords(asked, row) ? 0 : LONE_SHARE,
            asked.question.closed ? closedShare(asked.question, row) : 0,
          ) &&
        row.score >= least * LEAST_SCORE,
    )
    .sort((a, b) => b.score - a.score);
  const [best] = found.filter((row) => row.share >= WITHOUT_CANDIDATE || hasCandidate(asked.question, row));
  if (!best || !speaksOfNames(asked.question, best, items)) return undefined;
  return { text: said(asked.question, best, found, items), share: best.share, ofItself: best.item === own };
}
/** What was just said is hardly what the next question asks for. */
const SAID_JUST_NOW = 0.7;

/** What a sentence is worth that was the last reply; undefined where it holds nothing of the form asked for. */
function repeats({ text }: Found, { replies }: Talk, question: Question): number | undefined {
  const last = new Set(words(replies.at(-1) ?? ''));
  const own = new Set(words(text));
  if (last.size === 0 || [...last].filter((word) => own.has(word)).length < last.size * NEARLY_ALL) return 1;
  // The steps for it stand behind what was just said.
  if (HOW_TO.test(question.text)) return 1;
  if (question.type === 'any') return question.closed ? 1 : SAID_JUST_NOW;
  return spansFor(question, text).length > 0 ? 1 : undefined;
}
/** One word in common, or words of a family, are chance sooner than two words as they stand. */
const LONE_SHARE = 0.31;
const sharesTwoWords = ({ question, context = [] }: Asked, { sentence }: Found): boolean =>
  [...question.terms, ...context].filter((stem) => sentence.stems.has(stem)).length >= 2;

const NEARLY_ALL = 0.9;
const LEAST_SCORE = 0.5;

/** A question for yes or no names what it is about: most of it must be spoken of, less by a sentence about that very thing. */
const closedShare = ({ terms, text }: Question, { sentence }: Found): number =>
  MAY.test(text) ? 0.35 : sentence.about.some((stem) => terms.includes(stem)) ? 0.42 : 0.5;
/** A question of what one may do, which is answered by what is said of the thing. */
const MAY = /^\W*(?:so |and |but )?(?:can|could|may) (?:i|we)\b/i;

/** The text that the last reply was quoted from. */
function quotedItem(talk: Talk, items: readonly { text: string }[]): number | undefined {
  const [row] = find(talk.replies.at(-1) ?? '', items);
  return row && row.share >= QUOTED_SHARE ? row.item : undefined;
}

/** False where who, when or how many is asked and the sentence holds no person, time or number. */
function hasCandidate(question: Question, { text }: Found): boolean {
  if (!/^(?:person|date|number)$/.test(question.type) || spansFor(question, text).length > 0) return true;
  // "When can I eat again?" is answered by "not for two hours", "who do I call?" by a number.
  if (question.type === 'date')
    return spansFor({ ...question, type: 'number', units: ['time'] }, text).some(({ worth }) => worth > 1);
  return question.type === 'person' && TO_REACH.test(question.text) && /\d{3}|@/.test(text);
}

/** "Called" and "number" speak of a phone number without holding one; opening hours do too. */
const PHONE_NUMBER = /\b(?:phone|telephone|mobile|cell|fax) ?numbers?\b/i;
const DIGITS = /\d[\d\s()/.-]{3,}\d/;

const TO_REACH = /\b(?:call|phone|ring|contact|write to|reach|ask)\b/i;

/** False where a name of the question occurs nowhere and little else matches. */
function speaksOfNames({ names, closed }: Question, best: Found, items: readonly { text: string }[]): boolean {
  if (names.length === 0 || best.share >= (closed ? WITHOUT_CANDIDATE : SURE_SHARE)) return true;
  const stems = names.flatMap((name) => contentTerms(name));
  return (
    stems.length === 0 ||
    stems.some((stem) => items.some(({ text }) => readPassage(text).some((row) => row.stems.has(stem))))
  );
}

/** An instruction: a verb and what to do it with, no subject before it. */
const STEP =
  /^(?:(?:then|now|next|first|finally|please|after that),? )?(?:wait\b|(?!(?:if|when|this|that|these|those|it|he|she|they|we|you|i|there|is|are|was|were|never|with|within|for|from|after|before|during|in|on|at|by|to|of|all|both|about|below|under|over|between|\p{L}+ing)\b)\p{L}+ (?:the|an?|it|them|your|some|all|one|two|three|four|five|\d+|on|off|out|up|down|in|to|that)\b)/iu;
const MOST_STEPS = 4;

/** What says itself that it goes on with the sentence before it. */
const GOES_ON = /^(?:then|now|next|finally|after that)\b/i;
/** "If the light blinks red, the kettle is empty": what is the matter, not what to do about it. */
const MATTER = /^(?:if|when|whenever|should)\b[^,]*, (.+)$/i;
const POINTS_BACK = /\b(?:it|them)\b/i;

/**
 * The sentence and the steps that belong to it: all under its heading where that is what was asked for, else those that
 * say that they go on with it. Neighbours may be about anything ("press the red button to erase all data").
 */
function stepsAround({ terms }: Question, { sentence, at }: Found, passage: readonly Sentence[]): string[] {
  const isStep = (row: Sentence | undefined): row is Sentence =>
    row !== undefined && row.heading === sentence.heading && STEP.test(row.text);
  const asksHeading =
    terms.some((stem) => sentence.headed.has(stem) && !sentence.stems.has(stem)) &&
    terms.every((stem) => sentence.headed.has(stem) || !sentence.stems.has(stem) || isTopic(stem, passage));
  // "How do I do that?" asks about what was said last, which is this sentence.
  const asksThat = terms.length === 0;
  let [from, to] = [at, at];
  if (asksHeading) while (isStep(passage[from]) && isStep(passage[from - 1])) from--;
  const goesOn = (row: Sentence | undefined): boolean =>
    isStep(row) &&
    (asksHeading ||
      GOES_ON.test(row.text) ||
      (to === at && (mends(row, sentence) || (asksThat && POINTS_BACK.test(row.text)))));
  while (goesOn(passage[to + 1])) to++;
  from = Math.max(from, at - MOST_STEPS + 1);
  return passage.slice(from, Math.min(to + 1, from + MOST_STEPS)).map(({ text }) => text);
}

/** Whether a step is what to do about the matter that a sentence is about: it speaks of the same, or points at it. */
function mends(step: Sentence, { text }: Sentence): boolean {
  const [, matter = ''] = MATTER.exec(text) ?? [];
  if (matter === '' || STEP.test(matter)) return false;
  return POINTS_BACK.test(step.text) || contentTerms(matter).some((stem) => step.stems.has(stem));
}

function said(question: Question, best: Found, found: readonly Found[], items: readonly { text: string }[]): string {
  const { text } = question;
  if (HOW_TO.test(text)) return stepsAround(question, best, readPassage(items[best.item]?.text ?? '')).join(' ');
  if (!EXPLAIN.test(text)) return sayShort(best.sentence, question);
  const told = found
    .filter(
      (row) =>
        row === best ||
        (row.item === best.item && row.share >= EXPLAINED_SHARE && row.score >= best.score * EXPLAINED_SHARE),
    )
    .slice(0, MOST_EXPLAINED)
    .sort((a, b) => a.at - b.at);
  return told
    .map((row, i) => (i === 0 ? withSubject(row.text, row.sentence, { ...question, terms: [] }) : row.text))
    .join(' ');
}

/** The next sentences of the text that was quoted last, or of what was asked; undefined when all is said. */
export function moreOf(talk: Talk, asked: string, last: string): string | undefined {
  const items = [...talk.input.knowledge, ...talk.recalled.map((text) => ({ text }))];
  const matches = find(`${asked} ${last}`, items);
  const quoted = find(last, items)[0];
  if (quoted) {
    const after = readPassage(items[quoted.item]?.text ?? '').slice(quoted.at + 1);
    const next = after.find(({ text }) => !talk.voice.wasSaid(text));
    if (next) return next.text;
  }
  return matches.find((row) => row.share >= MIN_SHARE && !talk.voice.wasSaid(row.text))?.text;
}
