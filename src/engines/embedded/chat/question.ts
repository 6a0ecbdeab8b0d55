/** Reads a question: what it asks for, and the words that an answer shares with it. English forms; others by words alone. */
import { STOPWORDS, termOf, terms, words } from '../../ports/chat.ts';
import { ASKED, COLOURS, DATE, HOW, MANNER, NAME, NUMBER, PLACE, REASON, UNITS } from './data/answer-types.ts';
import { SAME_WORD, TOPIC_NOISE } from './data/lists.ts';

/** What the answer must look like. `any`: the form of the question does not say. */
export type AnswerType = 'person' | 'name' | 'date' | 'number' | 'place' | 'reason' | 'manner' | 'colour' | 'any';

/** What a question asks for. */
export interface Question {
  text: string;
  type: AnswerType;
  /** Keys of `UNITS`, when a number with a unit is asked for. */
  units: string[];
  /** Content stems, each once, in order. */
  terms: string[];
  /** Its content words as they stand, folded. */
  forms: string[];
  /** Whether it asks for yes or no. */
  closed: boolean;
  /** Of these, what only names the kind of answer ("which river"): it may be missing from the sentence that answers. */
  asked: ReadonlySet<string>;
  /** Names it holds, folded words: an answer that speaks of none of them is about something else. */
  names: string[];
  /** Whether it asks what something is called. */
  naming: boolean;
  /** What it asks the meaning of ("what is a stoma?"), as stems. */
  defines: ReadonlySet<string>;
  /** Whether it asks what the work of a named person is. */
  profession: boolean;
  /** Whether it points back at what was said before ("when was it built?"). */
  pointsBack: boolean;
}

const NOISE: ReadonlySet<string> = new Set([...TOPIC_NOISE].flatMap((word) => terms(word)));
const WH = /^(?:what|which|who|whom|whose|when|where|why|how)$/;
const VERBS =
  /^(?:is|are|was|were|am|be|been|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|happened|happens|made|gave|led|caused|became|got|took|came|went)$/;
const KIND = /^(?:kinds?|types?|sorts?|parts?|names?|form|amount)$/;

/** "Wi-Fi" and "e-mail" are one word. */
const SHORT_PREFIX = /\b(\p{L}{1,2})-(\p{L}+)/gu;

/** One spelling and one word for what people call differently, as stems; function words left out. */
export function contentTerms(text: string): string[] {
  return words(text.replace(SHORT_PREFIX, '$1$2'))
    .map((word) => SAME_WORD[word] ?? word)
    .filter((word) => !STOPWORDS.has(word))
    .map(termOf);
}

/** The content stems of a question, each once, without the words that only ask. */
export function topicTerms(text: string): string[] {
  return [...new Set(contentTerms(text))].filter((term) => !NOISE.has(term));
}

const PHONE = /\b(?:tele)?phone number\b|\bwhat number\b/i;
/** Verbs of two words, and the one that says the same. */
const VERBS_OF_TWO: [words: RegExp, instead: string][] = [
  [/\b(?:send|sending|give|bring|ship|take)( \S+){0,3} back\b/i, 'return'],
  [/\b(?:get|have|want)( \S+){0,2} money back\b/i, 'refund'],
  [/\b(?:carry|carried) out\b/i, 'performed'],
  [/\bpass(?:ed)? away\b/i, 'died'],
  [/\bc[ao]me back to life\b/i, 'revived'],
  [/\bput together\b/i, 'assembled'],
  [/\bgr(?:ow|ew|own) out of\b/i, 'originated'],
  [/\bget in\b(?! touch)/i, 'admission'],
];

const replaced = (text: string, table: typeof VERBS_OF_TWO): string =>
  table.reduce((said, [words_, instead]) => said.replace(words_, instead), text);

/** The text with verbs of two words as one: "send it back" is to return it. */
export const asOneWord = (text: string): string => replaced(text, VERBS_OF_TWO);

/** Words that ask for something else together, and the word for it. */
const TOGETHER: [words: RegExp, instead: string][] = [
  [/\bmade (?:of|from|out of)\b/i, 'made of material'],
  [/\bhow much (?:is|are|was|were)\b/i, 'how much cost'],
  [/\b(?:ca|wo|sha)n['’]?t\b/i, 'not'],
  [/\bhow long\b(.*?)\b(?:takes?|took|taken|taking)\b/i, 'how long$1'],
  [/\bset up\b/i, 'installed established'],
  [/\b(?:get|getting) in touch\b/i, 'contact'],
];

const NAMING =
  /\b(?:called|named|known as|referred to as|nicknamed|dubbed|the names? (?:of|for)|what does .+ stand for)\b/i;
/** Words that only ask for a name, as stems. */
const CALLED: ReadonlySet<string> = new Set(contentTerms('called named name known referred nicknamed dubbed'));
const [MEAN, PEOPLE, WORK] = contentTerms('mean people work');
/** Who are counted need not be called so: "57 died". */
const HOW_MANY_PEOPLE = /\bhow many (?:people|persons)\b/i;
const DEFINES =
  /\bwhat(?: is|['’]s| are| was| were| (?:does|do)(?=.*\bmean\b)) ((?:an? |the )?[\p{L}\p{M}-]+(?: [\p{L}\p{M}-]+)?)(?: mean)?\s*\?*$/iu;
/** "What was Anna Berg's profession?" */
const PROFESSION = /\b(?:profession|occupation|job|trade)\b/i;
/** "And where?" */
const BARE = /^\W*(?:and |but |so )?(?:what|which|who|when|where|how)\W*$/i;
const POINTS_BACK = /\b(?:it|its|they|them|their|he|him|his|she|her|that|this|those|these|there|one)\b/i;

const AUXILIARY = /^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|must)$/;
const TELLING = /^(?:know|tell|say|remember|explain|show|me|us|idea|sure|guess|about)$/;

/** Reads what a question asks for. */
export function readQuestion(text: string): Question {
  const all = words(text);
  const isClosed = AUXILIARY.test(all[0] ?? '');
  // "Is it for somebody who is tall?" asks for yes or no; "do you know who made it?" asks who.
  const at = all.findIndex((word, i) => WH.test(word) && (!isClosed || TELLING.test(all[i - 1] ?? '')));
  const wh = all[at] ?? '';
  const rest = all.slice(at + 1);
  const { type, units, asked } = PHONE.test(text)
    ? { type: 'number' as const, units: ['phone'], asked: ['number'] }
    : asks(wh, rest, all.slice(0, Math.max(0, at)));
  const naming = NAMING.test(text);
  const names = namesIn(text);
  const isProfession = names.length > 0 && PROFESSION.test(text);
  const own = topicTerms(replaced(asOneWord(text), TOGETHER)).filter((stem) => !naming || !CALLED.has(stem));
  return {
    text,
    type,
    units,
    // "Where does it happen?" and "what does that mean?" ask in nothing but words that say little.
    terms:
      own.length === 0 && /\bhappen/i.test(text) && !/\bhappen\w* (?:to|with)\b/i.test(text)
        ? contentTerms('happen')
        : own.filter((stem) => own.length === 1 || (stem !== MEAN && !(stem === PEOPLE && HOW_MANY_PEOPLE.test(text)))),
    forms: [...new Set(all)].filter((word) => !STOPWORDS.has(word)),
    closed: at < 0 && isClosed,
    asked: new Set(asked.flatMap((word) => contentTerms(word))),
    names,
    naming,
    defines: new Set(contentTerms(DEFINES.exec(text)?.[1] ?? '')),
    profession: isProfession,
    pointsBack:
      BARE.test(text) ||
      POINTS_BACK.test(text.replace(/\b(?:is|are|was|were) there\b|\bthere (?:is|are|was|were)\b|\bwhich one\b/gi, '')),
  };
}

function asks(wh: string, rest: string[], before: string[]): Pick<Question, 'type' | 'units'> & { asked: string[] } {
  const none: string[] = [];
  if (wh === 'who' || wh === 'whom') return { type: 'person', units: [], asked: none };
  if (wh === 'whose') return { type: 'person', units: [], asked: rest.slice(0, 1) };
  if (wh === 'when') return { type: 'date', units: [], asked: none };
  if (wh === 'where') return { type: 'place', units: [], asked: none };
  if (wh === 'why') return { type: 'reason', units: [], asked: none };
  if (wh === 'how') {
    const [first = '', second = ''] = rest;
    const row = HOW.find(([word]) => word.test(first));
    if (row) {
      const counted = /^(?:many|few|much)$/.test(first) && /^(?:percent|per)$/.test(second);
      return { type: 'number', units: counted ? ['percent'] : unitsFor(first, second, row[1]), asked: [first] };
    }
    return { type: 'manner', units: [], asked: none };
  }
  if (wh === 'what' || wh === 'which') {
    const noun = askedNoun(rest);
    const last = noun.at(-1) ?? '';
    const row = ASKED.find(([pattern]) => pattern.test(last));
    if (row) return { type: row[1], units: row[2] ?? [], asked: noun };
    if (noun.length === 0 && /^(?:by|through)$/.test(before.at(-1) ?? ''))
      return { type: 'manner', units: [], asked: none };
    return { type: 'any', units: [], asked: noun };
  }
  return { type: 'any', units: [], asked: none };
}

/** "how many days" asks for days, "how long" for a time or a length. */
function unitsFor(first: string, second: string, units: string[]): string[] {
  if (!/^(?:many|much|few)$/.test(first)) return units;
  const unit = Object.entries(UNITS).find(
    ([, pattern]) => second !== '' && new RegExp(pattern.source, 'iu').test(second),
  );
  return unit && unit[0] !== 'length' ? [unit[0]] : first === 'much' && !VERBS.test(second) && second ? [] : units;
}

/** Ends the noun behind "which": a verb, a preposition, an article (then the word before it was the verb). */
const STOP = /^(?:of|in|on|at|for|from|to|by|with|that|who|which|and|as)$/;
const ARTICLE = /^(?:the|a|an|his|her|its|their|this|these|it|he|she|they|him|them|your|you|i)$/;

/** The noun behind "what" or "which", or that "what is the ... of" asks for; [] where none is seen. */
function askedNoun(rest: string[]): string[] {
  const end = rest.findIndex((word) => VERBS.test(word) || STOP.test(word) || ARTICLE.test(word));
  const run = end < 0 ? rest : rest.slice(0, end);
  if (run.length > 0) {
    const table = run.slice(0, 3).find((word) => ASKED.some(([pattern]) => pattern.test(word)));
    if (table) return [table];
    const [first = ''] = run;
    if (end >= 0 && KIND.test(run.at(-1) ?? '') && rest[end] === 'of') return rest.slice(end + 1, end + 2);
    if (end >= 0 && ARTICLE.test(rest[end] ?? '')) return run.slice(0, -1).slice(-1);
    if (end >= 0) return run.length <= 3 ? run.slice(-1) : [first];
    return /(?:ed|es|ing)$/.test(first) ? [] : [first];
  }
  if (!/^(?:is|was|are|were)$/.test(rest[0] ?? '') || !ARTICLE.test(rest[1] ?? '')) return [];
  const tail = rest.slice(2, 7);
  const stop = tail.findIndex((word) => STOP.test(word) || VERBS.test(word) || ARTICLE.test(word));
  const noun = stop < 0 ? tail : tail.slice(0, stop);
  if (/^names?$/.test(noun.at(-1) ?? '')) return ['name'];
  return noun.slice(-1).filter((word) => !STOPWORDS.has(word));
}

/** Words with a capital that does not come from the beginning of the sentence. */
function namesIn(text: string): string[] {
  const found: string[] = [];
  for (const [name] of text
    .replace(/^\W*\p{L}+/u, (first) => first.toLowerCase())
    .matchAll(/\p{Lu}[\p{L}\p{M}'’-]+/gu)) {
    if (!/^(?:I|I'm|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/.test(name)) found.push(...words(name));
  }
  return found.filter((word) => !STOPWORDS.has(word));
}

/** A piece of a sentence that may be the answer. */
export interface Span {
  at: number;
  text: string;
  /** 1, or more where the unit asked for stands beside it. */
  worth: number;
}

/** What kind of time is asked for, by the noun; without one of that kind any time will do. */
const TIMES: [noun: RegExp, holds: RegExp][] = [
  [/^(?:times?|hours?)$/, /\d[:.]\d{2}|\b(?:\d+ ?(?:am|pm)|o'clock|noon|midnight|at)\b|morning|evening/i],
  [/^days?$/, /day/i],
  [/^dates?$/, /\d|January|February|March|April|May|June|July|August|September|October|November|December/],
  [/^years?$/, /\d{3,4}/],
  [/^(?:century|centuries|decades?)$/, /\d+(?:st|nd|rd|th)|\d0s|centur/],
  [/^months?$/, /January|February|March|April|May|June|July|August|September|October|November|December/],
];

const PATTERNS: Record<Exclude<AnswerType, 'any'>, RegExp> = {
  person: NAME,
  name: NAME,
  date: DATE,
  number: NUMBER,
  place: PLACE,
  reason: REASON,
  manner: MANNER,
  colour: COLOURS,
};
/** How far from a number its unit may stand, in characters. */
const UNIT_REACH = 22;
const MONTH_OR_DAY =
  /^(?:January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)s?$/;

/** The spans of a sentence that have the form of the answer and are not the question's own words. */
export function spansFor(question: Question, sentence: string): Span[] {
  if (question.type === 'any') return [];
  const own = new Set(words(question.text));
  const spans: Span[] = [];
  for (const match of sentence.matchAll(PATTERNS[question.type])) {
    const [text] = match;
    const at = match.index;
    const inside = words(text);
    if (inside.length === 0 && !/\d/.test(text)) continue;
    if (inside.length > 0 && inside.every((word) => own.has(word) || STOPWORDS.has(word))) {
      if (question.type !== 'reason' && question.type !== 'manner' && question.type !== 'number') continue;
      if (question.type === 'number' && own.has(inside[0] ?? '')) continue;
    }
    if (question.type === 'number' && countsNothing(question, sentence, at, text)) continue;
    if (question.type === 'person' || question.type === 'name') {
      if (MONTH_OR_DAY.test(text)) continue;
      // "The Design Prize" is not who designed it.
      if (contentTerms(text).some((stem) => question.terms.includes(stem) && !question.asked.has(stem))) continue;
      // The first word of a sentence has its capital from there.
      if (at <= 1 && inside.length === 1 && (STOPWORDS.has(inside[0] ?? '') || /ly$|ing$|ed$/.test(text))) continue;
      if (
        at <= 1 &&
        inside.length === 1 &&
        beginsPhrase(sentence.slice(at + text.length, at + text.length + NEAR_CHARS))
      )
        continue;
    }
    spans.push({ at, text, worth: unitNear(question.units, sentence, at, text.length) ? 1.5 : 1 });
  }
  const time =
    question.type === 'date' && TIMES.find(([noun]) => [...words(question.text)].some((word) => noun.test(word)));
  if (time && spans.some(({ text }) => time[1].test(text))) return spans.filter(({ text }) => time[1].test(text));
  return question.units.length > 0 && spans.some(({ worth }) => worth > 1)
    ? spans.filter(({ worth }) => worth > 1)
    : spans;
}

/** Words that say what a number is stand within so many characters of it. */
const NEAR_CHARS = 40;
/** Units of what is measured, not counted. */
const MEASURES = ['length', 'weight', 'money', 'volume', 'temperature'];
const isOf = (unit: string, word: string): boolean => new RegExp(UNITS[unit]?.source ?? '', 'iu').test(word);
const YEAR = /^(?:1\d{3}|20\d{2})[.,]?$/;
const IN_TIME =
  /\b(?:in|from|to|since|until|till|by|around|about|of|and|year|before|after|between|January|February|March|April|May|June|July|August|September|October|November|December|\d{1,2},)[ ]$/i;

/** A year is no number of things, nor is "no" of what is not asked for. */
function countsNothing(question: Question, sentence: string, at: number, text: string): boolean {
  if (/^no$/i.test(text))
    return !contentTerms(sentence.slice(at + text.length, at + NEAR_CHARS).split(/[,.;]/, 1)[0] ?? '').some((stem) =>
      question.terms.includes(stem),
    );
  const counted = /\bhow many (\p{L}+)/iu.exec(question.text)?.[1];
  const unit = /^ \p{L}+/u.exec(sentence.slice(at + text.length, at + text.length + NEAR_CHARS))?.[0];
  if (counted && unit && MEASURES.some((one) => isOf(one, unit) && !isOf(one, counted))) return true;
  return (
    YEAR.test(text) &&
    IN_TIME.test(sentence.slice(Math.max(0, at - NEAR_CHARS), at)) &&
    !/^ \p{Ll}{2,}s\b/u.test(sentence.slice(at + text.length, at + text.length + NEAR_CHARS))
  );
}

/** Whether what follows makes the word before it no name: "Hydration: a sleeve ...", "Cool jazz followed". */
function beginsPhrase(rest: string): boolean {
  const next = /^ (\p{Ll}+)/u.exec(rest)?.[1];
  return /^[^.:,]{0,30}:\s/.test(rest) || (next !== undefined && !STOPWORDS.has(next) && !/(?:ed|s|t)$/.test(next));
}

function unitNear(units: string[], sentence: string, at: number, length: number): boolean {
  if (units.length === 0) return false;
  const near = sentence.slice(
    Math.max(0, at - (units.some((unit) => /^(?:age|money|frequency)$/.test(unit)) ? UNIT_REACH : 4)),
    at + length + UNIT_REACH,
  );
  return units.some((unit) => UNITS[unit] !== undefined && new RegExp(UNITS[unit].source, 'iu').test(near));
}

/** A sentence, as far as it matters whose work it describes. */
interface Told {
  text: string;
  stems: ReadonlySet<string>;
  subject?: string;
}
const WORK_TOLD =
  /\b(?:work(?:s|ed|ing)?|employed) (?:\S+ ){0,3}?as\b|\b(?:profession|occupation|job|trade) (?:is|was|were)\b/i;
/** "Her brother worked as ..." */
const OF_RELATIVE = /^(?:his|her) (?!profession|occupation|job|trade)/i;

/** Whether a sentence says in such words what the work of a person is that the question names. */
export function tellsWork({ profession, names }: Question, { text, stems, subject }: Told): boolean {
  if (!profession || !WORK_TOLD.test(text) || OF_RELATIVE.test(text)) return false;
  const spoken = new Set([...stems, ...contentTerms(subject ?? '')]);
  return names.flatMap(contentTerms).some((stem) => spoken.has(stem));
}

/** The question; where no sentence says what a person's work is, the one for what they are ("was a printer"). */
export function askedOfWork(question: Question, sentences: readonly Told[]): Question {
  const { profession, terms: asked, names } = question;
  if (!profession || asked.length === 1 || sentences.some((told) => tellsWork(question, told))) return question;
  return { ...question, terms: asked.filter((stem) => stem !== WORK), defines: new Set(names.flatMap(contentTerms)) };
}
