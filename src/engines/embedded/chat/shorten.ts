/**
 * Says a found sentence in few words: coordinated and subordinate clauses, asides and openings that hold neither what was
 * asked nor its answer are left out. Only whole clauses go; no word is written but a subject that a clause lost.
 */

import { lowerFirst, upperFirst } from '../../ports/chat.ts';
import { related } from './lookup.ts';
import { FINITE, type Sentence, subjectOf } from './passages.ts';
import { contentTerms, type Question, type Span, spansFor } from './question.ts';

/** An answer of a short form should have no more words. */
const SHORT_WORDS = 20;
/** What fewer words are left of is no sentence. */
const FEWEST_WORDS = 4;
/** A chunk worth this share of the best stays beside it where the question does not say what is asked for. */
const NEAR_BEST = 0.5;
/** What holding the likeliest candidate is worth, in question words. */
const CANDIDATE_WORTH = 3;
/** A second candidate this near to the first is as likely. */
const ALIKE = 0.8;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu;
const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Instructions are quoted to their end. */
export const HOW_TO =
  /\bhow (?:do|can|could|should|would|must) (?:i|we|you|one)\b|\bhow to\b|\bwhat (?:do|can|should|must) (?:i|we) do\b/i;
/** "How long is it today?" is answered by what is so now. */
const NOW = /\b(?:now|today|currently|nowadays|at present|these days)\b/i;

/** The sentence, shortened where it is long; with its subject where it opens with a pronoun nothing explains. */
export function sayShort(sentence: Sentence, question: Question): string {
  const whole = sentence.text;
  const said = countWords(whole) > SHORT_WORDS && !HOW_TO.test(question.text) ? shortened(sentence, question) : whole;
  return withSubject(said, sentence, question);
}

const OPENING_PRONOUN = /^(?:(he|she|it|they)|(his|her|its|their))\b/i;

/** "It was founded in 1912" -> "The museum was founded in 1912", unless the question names the museum. */
export function withSubject(text: string, { subject, text: whole }: Sentence, question: Question): string {
  if (!subject || !text.startsWith(whole.slice(0, 3))) return text;
  const names = contentTerms(subject);
  if (names.length === 0 || (names.some((stem) => question.terms.includes(stem)) && countWords(text) > SHORT_WORDS))
    return text;
  return text.replace(OPENING_PRONOUN, (_, pronoun: string | undefined) =>
    pronoun ? upperFirst(subject) : `${upperFirst(subject)}${/s$/.test(subject) ? "'" : "'s"}`,
  );
}

interface Piece {
  from: number;
  to: number;
}

const CUT =
  /(?:;|:|,)\s+(?:and |but |or |so |while |whereas )?|\s+(?:and|but)\s+(?=(?:he|she|it|they|we|I|you|then|later)\b)/g;
const CONJUNCTION = /^(?:and|but|or|so|while|whereas)\s+/;
const LINKED = /(?:[;:]\s+|,\s+(?:and|but|so|while|whereas)\s+|\s+(?:and|but)\s+)$/;
const OWN_SUBJECT =
  /^(?:he|she|it|they|we|I|you|his|her|its|their|our|my|your|this|these|those|there|the|an?|some|many|most|all|both|each)\b|^\p{Lu}/u;

/** The coordinated clauses of a sentence. */
function clausesOf(text: string): Piece[] {
  const starts = [0];
  for (const match of text.matchAll(CUT)) {
    const at = match.index + match[0].length;
    if (!LINKED.test(text.slice(0, at))) continue;
    const words = text.slice(at).split(/\s+/, 9);
    const verb = words.findIndex((word) => FINITE.test(word.toLowerCase().replace(/[,;:.]$/, '')));
    const apart = /[;:]\s+(?:\p{Ll}+ )?$/u.test(text.slice(0, at));
    if (verb < 0 || (verb > 0 && !apart && !OWN_SUBJECT.test(words[0] ?? ''))) continue;
    if (insideParentheses(text, at)) continue;
    starts.push(at);
  }
  return starts.map((from, i) => ({ from, to: starts[i + 1] ?? text.length }));
}

function insideParentheses(text: string, at: number): boolean {
  return text.lastIndexOf('(', at) > text.lastIndexOf(')', at);
}

const ASIDES: RegExp[] = [
  /\s*\([^)]*\)/g,
  /\s+[–—-]\s+[^–—]*\s+[–—-](?=\s)/g,
  /,\s+(?:(?:in|of|from|after|by|with|to|for|at|on|some of|all of|most of|many of) )?(?:who|which|whose|whom|where|when|whereupon)\b[^,;:]*(?:,(?=\s\p{Ll})|(?=[.;:]|$))/gu,
  /,\s+(?:\p{Ll}+ly )?(?:\p{Ll}{3,}ing|known|called|named|made|built|led|given|followed|caused|based|composed|including|such as|particularly|especially|together with|along with|as well as|probably|among)\b[^,;:]*(?:,(?=\s\p{Ll})|(?=[.;:]|$))/gu,
  /,?\s+(?:(?:shortly|soon|just|immediately|long|only|even|especially|particularly) )?(?:because|since|although|though|while|whereas|after|before|until|unless|so that|as soon as|even though|if|when|once)\s[^,;:]*(?:,(?=\s\p{Ll})|(?=[.;:]|$))/gu,
];
const OPENING =
  /^(?:In|On|At|By|From|During|After|Before|Under|With|Within|Without|When|While|Although|Though|Because|Since|Until|As|If|For|According to|Around|Today|Later|Then|Despite|Unlike|Like|Besides|Born|\p{Lu}\p{Ll}{3,}ing|\p{Lu}\p{Ll}{2,}ed (?:by|in|on|with|from|as|at|to))\b[^,;:]*,\s+(?=\p{L})/u;

/** What may be left out of a clause, longest first. */
function asidesOf(text: string): Piece[] {
  const found: Piece[] = [];
  const opening = OPENING.exec(text);
  if (opening && !hasOwnVerb(opening[0]) && countWords(text.slice(opening[0].length)) >= FEWEST_WORDS)
    found.push({ from: 0, to: opening[0].length });
  for (const pattern of ASIDES) {
    for (const match of text.matchAll(pattern)) {
      const from = match.index;
      if (from > 0) found.push({ from, to: endOf(text, from + match[0].length, match[0]) });
    }
  }
  return found.sort((a, b) => b.to - b.from - (a.to - a.from));
}

/** "In 1956 the king left the canal, which ...": no opening, but the main clause. */
const hasOwnVerb = (opening: string): boolean =>
  /^(?:In|On|At|By|From|During|Under|With|Within|Without|For|According|Around|Today|Later|Then|Despite)\b/.test(
    opening,
  ) && opening.split(/\s+/).some((word, i) => i > 1 && FINITE.test(word.replace(/,$/, '').toLowerCase()));

/** Words that go on with the main clause behind an aside. */
const GOES_ON = /^\s*(?:and|but|or|with|in|on|at|to|from|by|for|as)\b/;

/** An aside that does not lead back to the main clause at its comma (it held a list) goes on to the end. */
function endOf(text: string, to: number, aside: string): number {
  if (!aside.endsWith(',') || GOES_ON.test(text.slice(to)) || startsFinite(text.slice(to).trimStart())) return to;
  const end = /[;:]|$/.exec(text.slice(to));
  return to + (end?.index ?? 0);
}

function startsFinite(text: string): boolean {
  return FINITE.test((text.split(/[\s,]/, 1)[0] ?? '').toLowerCase());
}

function shortened(sentence: Sentence, question: Question): string {
  const text = sentence.text.replace(/[.!]+$/, '');
  const spans = likeliest(text, question);
  const worth = ({ from, to }: Piece) => {
    return (
      matchedIn(text.slice(from, to), question) +
      (NOW.test(question.text) && NOW.test(text.slice(from, to)) ? CANDIDATE_WORTH : 0) +
      (spans.some(({ at }) => at >= from && at < to) ? CANDIDATE_WORTH : 0)
    );
  };
  const clauses = clausesOf(text).map((piece) => ({ ...piece, worth: worth(piece) }));
  const most = Math.max(...clauses.map((clause) => clause.worth));
  const typed = spans.length > 0;
  const kept = clauses.filter(
    (clause) => clause.worth === most || (!typed && clause.worth >= most * NEAR_BEST && clause.worth > 0),
  );
  const [first] = kept;
  const last = kept.at(-1);
  if (!first || !last || most === 0) return sentence.text;
  const body = text.slice(first.from, last.to);
  const trimmed = withoutTail(withoutAsides(body, first.from, { spans, question, typed }), question);
  return finished(trimmed, first.from === 0 ? undefined : sentence, text);
}

/** How many of the question's words a text speaks of, words of a family for less. */
function matchedIn(text: string, question: Question): number {
  const held = contentTerms(text);
  return question.terms.reduce(
    (sum, stem) => sum + held.reduce((best, own) => Math.max(best, related(stem, own)), 0),
    0,
  );
}

function withoutAsides(
  body: string,
  offset: number,
  { spans, question, typed }: { spans: Span[]; question: Question; typed: boolean },
): string {
  let pieces = asidesOf(body);
  const removed: Piece[] = [];
  const left = () => countWords(cut(body, removed));
  for (const pass of typed ? ['idle', 'asked'] : ['idle']) {
    for (const piece of pieces) {
      if (left() <= SHORT_WORDS) break;
      if (spans.some(({ at }) => at - offset >= piece.from && at - offset < piece.to)) continue;
      const speaks = matchedIn(body.slice(piece.from, piece.to), question) > 0;
      if (speaks && pass === 'idle') continue;
      if (question.naming && /^,?\s+(?:called|known|named|or)\b/.test(body.slice(piece.from, piece.to))) continue;
      if (question.type === 'place' && spansFor(question, body.slice(piece.from, piece.to)).length > 0) continue;
      // What explains is never left out of an answer to "why".
      if (question.type === 'reason' && /\b(?:because|since|so that|to \p{Ll})/u.test(body.slice(piece.from, piece.to)))
        continue;
      if (countWords(cut(body, [...removed, piece])) < FEWEST_WORDS) continue;
      removed.push(piece);
      pieces = pieces.filter(({ from, to }) => to <= piece.from || from >= piece.to);
    }
  }
  return cut(body, removed);
}

const TAIL =
  /,?\s+(?:(?:shortly|soon|just|immediately|long|only|even|especially|particularly) )?(?:who|which|whose|where|when|while|because|after|before|with|by|from|in|on|at|for|during|under|against)\s/g;

/** For an answer of a known form: what follows the last of the question's words and the candidate is left out. */
function withoutTail(text: string, question: Question): string {
  if (countWords(text) <= SHORT_WORDS || question.type === 'reason') return text;
  const spans = question.type === 'person' ? spansFor(question, text) : likeliest(text, question);
  if (spans.length === 0) return text;
  let needed = Math.max(...spans.map(({ at, text: found }) => at + found.length));
  for (const match of text.matchAll(WORD))
    if (matchedIn(match[0], question) > 0) needed = Math.max(needed, match.index + match[0].length);
  for (const match of text.matchAll(TAIL)) {
    const kept = text.slice(0, match.index);
    if (match.index > needed && countWords(kept) >= 6) return kept;
  }
  return text;
}

function cut(text: string, pieces: readonly Piece[]): string {
  let out = text;
  for (const { from, to } of [...pieces].sort((a, b) => b.from - a.from))
    out = `${out.slice(0, from)}${out.slice(to).replace(/^,(?=\s)/, '')}`;
  return out;
}

/** The candidates that stand nearest to the question's words. */
function likeliest(text: string, question: Question): Span[] {
  const spans = spansFor(question, text);
  if (question.type === 'place' || question.type === 'manner') return [];
  if (spans.length < 2) return spans;
  const places: number[] = [];
  for (const match of text.matchAll(WORD)) if (matchedIn(match[0], question) > 0) places.push(match.index);
  const scored = spans.map((span) => ({
    span,
    score: span.worth * (0.1 + places.reduce((sum, at) => sum + 1 / (4 + Math.abs(at - span.at) / 6), 0)),
  }));
  const best = Math.max(...scored.map(({ score }) => score));
  return scored.filter(({ score }) => score >= best * ALIKE).map(({ span }) => span);
}

/** A clause made a sentence: no conjunction before it, a subject where it lost its own, a capital and a full stop. */
function finished(clause: string, sentence: Sentence | undefined, whole: string): string {
  let text = clause
    .trim()
    .replace(/[,;:]+$/, '')
    .replace(/,?\s+(?:and|but|or|so|while)$/, '')
    .replace(CONJUNCTION, '');
  const [word = ''] = text.split(/[\s,]/);
  if (sentence && FINITE.test(word.toLowerCase())) {
    const subject = sentence.subject ?? subjectOf(whole) ?? /^(?:he|she|it|they)\b/i.exec(whole)?.[0];
    text = subject ? `${subject} ${lowerFirst(text)}` : whole;
  }
  return `${upperFirst(text.replace(/\s+/g, ' ').replace(/ ([,.;:])/g, '$1'))}.`;
}
