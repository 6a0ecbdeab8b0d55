/**
 * What a text forbids to disclose, and what may be said of it. A sentence that says what not to disclose ("never say
 * the code Zanzibar-7741") is never quoted, nor are the sentences that hold what it speaks of. It errs towards silence, and
 * understands no more than words: it is for engines that quote, not for those that follow instructions.
 */
import { FORBIDS_ELSEWHERE, FORBIDS_IN_ENGLISH, type Forbidding, IS_SECRET_IN_ENGLISH } from './forbidding-words.ts';
import { streamSafe, terms } from './terms.ts';

/** Sentences with what stands between them; the last group catches scripts that put no space behind a full stop. */
const BREAKS = /((?<=[.!?…]["”»')]?)\s+|\n+|(?<=[。！？।]))/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'-]*/gu;
const QUOTATION = /["“”«»„][^"“”«»„\n]{2,60}["“”«»]/gu;
/** Shorter words of a quotation may be of anything. */
const TELLING_CHARS = 5;
/** Codes that are looked for at most. */
const MAX_CODES = 1_000;
/** A sentence that goes on about what was said before it. */
const GOES_ON =
  /^(?:it|its|it's|this|that|these|those|they|he|she|the (?:same|answer|code|secret)|es|das|dies|er|sie|c'est|il|elle|ce|eso|esto|él|ella|è|questo|isso|isto|ele|het|dit|dat|det|to|это|оно)(?![\p{L}])/iu;
const RECIPIENT =
  /\b(?:to )?(?:anyone|anybody|everyone|everybody|someone|people|users?|visitors?|strangers?|others|them|him|her|me|us|any other|a soul|else)\b/g;
/** Ends a noun phrase: behind it stands what it is of, for or from. */
const PHRASE_END =
  /\b(?:of|for|to|in|at|on|from|with|behind|under|if|when|unless|because|even|is|are|was|were)\b|[,:;()]/;
/** Who or what the persona is, before a clause that is not to be quoted. */
const ROLE =
  /^((?:you are|you're|i am|i'm|act as|he is|she is) (?:an? |the )[\p{Ll}' -]{3,60}?)(?:,| who\b| that\b| and\b| but\b| whose\b)/iu;
/** Words of a forbidden phrase that name its subject: "the vault code". */
const HEAD_WORDS = 2;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u;

const plain = (text: string): string => streamSafe(text).normalize('NFC').toLowerCase().replace(/[’‘ʼ]/g, "'");

interface Piece {
  text: string;
  /** What stood between it and the next. */
  after: string;
  isHidden: boolean;
}

interface Text {
  pieces: Piece[];
  /** What it forbids holds for all texts, not only for its own. */
  rules: boolean;
  suspect: Forbidding[];
  /** The terms of what it forbids to disclose. */
  topics: Set<string>;
}

/** What of texts may be disclosed; those that come with `rules` also forbid it to the others. */
export function disclosable(texts: readonly { text: string; rules: boolean }[]): string[] {
  const read = texts.map(
    ({ text, rules }): Text => ({
      pieces: piecesOf(text),
      rules,
      topics: new Set(),
      suspect: suspected(text),
    }),
  );
  const codes = new Set<string>();
  const everywhere = new Set<string>();
  for (const { pieces, rules, topics, suspect } of read) {
    if (suspect.length === 0) continue;
    for (const [at, piece] of pieces.entries()) {
      if (!matches(piece.text, suspect)) continue;
      const subject = subjectOf(piece.text);
      hide(pieces, at, subject.length === 0);
      for (const term of subject) (rules ? everywhere : topics).add(term);
    }
    for (const { text, isHidden } of pieces)
      if (isHidden) for (const code of codesOf(text)) if (codes.size < MAX_CODES) codes.add(code);
  }
  if (codes.size + everywhere.size === 0 && read.every(({ suspect }) => suspect.length === 0))
    return texts.map(({ text }) => text.trim());
  return read.map(({ pieces, topics }) => told(pieces, codes, new Set([...everywhere, ...topics])));
}

const ALL: readonly Forbidding[] = [FORBIDS_IN_ENGLISH, IS_SECRET_IN_ENGLISH, ...FORBIDS_ELSEWHERE];

/** The ways of forbidding that a text may use: for most texts none, so that their sentences need not be looked at. */
function suspected(text: string): Forbidding[] {
  const low = plain(text);
  const words = new Set(low.match(/\p{L}+/gu));
  return ALL.filter(({ signs, pattern }) => (!signs || signs.some((sign) => words.has(sign))) && pattern.test(low));
}

const matches = (sentence: string, ways: readonly Forbidding[]): boolean =>
  ways.some(({ pattern }) => pattern.test(plain(sentence)));

function piecesOf(text: string): Piece[] {
  const parts = text.split(BREAKS);
  const pieces: Piece[] = [];
  for (let i = 0; i < parts.length; i += 2) {
    const [text, after = ''] = parts.slice(i, i + 2);
    const last = pieces.at(-1);
    if (text) pieces.push({ text, after, isHidden: false });
    else if (last) last.after += after;
  }
  return pieces;
}

/** Hides a sentence that forbids, and those beside it that hold what it means. */
function hide(pieces: Piece[], at: number, isVague: boolean): void {
  const piece = pieces[at];
  if (!piece) return;
  piece.isHidden = true;
  const before = pieces[at - 1];
  if (before && (isVague || codesOf(before.text).length > 0)) before.isHidden = true;
  const isHeading = /:\s*$/.test(piece.text);
  let previous = piece;
  for (const next of pieces.slice(at + 1)) {
    const follows = isHeading ? !/\n\s*\n/.test(previous.after) : GOES_ON.test(next.text);
    if (!follows && !(previous === piece && codesOf(next.text).length > 0)) break;
    next.isHidden = true;
    previous = next;
  }
}

/** What looks like a secret, by its words: codes, numbers of three digits and more, quotations. */
function codesOf(text: string): string[] {
  const found: string[] = [];
  for (const word of wordsOf(text)) {
    if (!/\p{N}/u.test(word) || word.length < 3) continue;
    found.push(word, ...word.split('-').filter((part) => part.length > 2));
  }
  for (const [quotation] of plain(text).matchAll(QUOTATION))
    found.push(...wordsOf(quotation).filter((word) => word.length >= TELLING_CHARS));
  return found;
}

const wordsOf = (text: string): string[] => plain(text).match(WORD) ?? [];

/** The terms of what a sentence forbids to disclose; [] when it only points at it ("never tell it"). */
function subjectOf(sentence: string): string[] {
  const text = plain(sentence);
  const match = FORBIDS_IN_ENGLISH.pattern.exec(text);
  if (!match) {
    if (IS_SECRET_IN_ENGLISH.pattern.test(text) || UNSPACED.test(text)) return [];
    return terms(text).filter(
      (term) => term.length > 3 && !FORBIDS_ELSEWHERE.some(({ pattern }) => pattern.test(term)),
    );
  }
  const object = text.slice(match.index + match[0].length).replace(RECIPIENT, ' ');
  const about = /\b(?:about|that|where|who|what|how|which|when|why)\b(.*)/s.exec(object)?.[1] ?? object;
  return about
    .split(/\bor\b|\band\b|,/)
    .flatMap((part) => terms(part.trim().split(PHRASE_END)[0] ?? '').slice(-HEAD_WORDS));
}

/** The text without what is hidden and without what speaks of it. */
function told(pieces: Piece[], codes: ReadonlySet<string>, topics: ReadonlySet<string>): string {
  const isSaid = (word: string): boolean => codes.has(word) || word.split('-').some((part) => codes.has(part));
  const isOpen = (text: string): boolean =>
    !(codes.size > 0 && wordsOf(text).some(isSaid)) &&
    !(topics.size > 0 && terms(text).some((term) => topics.has(term)));
  return pieces
    .map(({ text, after, isHidden }) => {
      if (!isHidden && isOpen(text)) return text + after;
      const role = ROLE.exec(text)?.[1];
      return role && !matches(role, ALL) && isOpen(role) ? `${role}.${after || ' '}` : '';
    })
    .join('')
    .trim();
}
