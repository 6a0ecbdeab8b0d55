/**
 * What is asked to be made: a haiku out of what is known of its subject, a story out of a skeleton, a joke it has. What
 * cannot be made is refused in one sentence; nothing else is given for it.
 */
import { lowerFirst, upperFirst } from '../../ports/chat.ts';
import { JOKES, LINES } from './data/small-talk.ts';
import { PLAIN_TALE, TALE_MORE, TALES } from './data/tales.ts';
import { find } from './lookup.ts';
import { contentTerms } from './question.ts';
import type { Talk } from './talk.ts';
import { fill } from './voice.ts';

/** What the avatar can make up. */
export type Creation = 'haiku' | 'poem' | 'song' | 'story' | 'joke';

/** A request for a poem, a story, a joke or the like; captures what, and what about. */
export const CREATION =
  /^(?:(?:can|could|will|would) you |please |now |i want |i would like |let us hear |how about )*(?:write|compose|make|create|give|tell|sing|recite|do|read|say|know|hear)?\s*(?:(?:to |for )?(?:me|us) |up )*(?:a |an |another |one more |some |any |your |the )?(?:[a-z]+ ){0,2}?(haikus?|poems?|rhymes?|limericks?|sonnets?|verses?|lullab(?:y|ies)|songs?|stor(?:y|ies)|tales?|fairy ?tales?|jokes?)(?: please)?(?: (?:about|on|of|for|with) (.+))?$/;

/** What is to be made, and of what; undefined for a sentence that asks for nothing of the kind. */
export function creationIn(plain: string): { kind: Creation; about?: string } | undefined {
  const match = CREATION.exec(plain);
  if (!match?.[1]) return undefined;
  const noun = match[1];
  const kind = /^haiku/.test(noun)
    ? 'haiku'
    : /^(?:stor|tale|fairy)/.test(noun)
      ? 'story'
      : /^joke/.test(noun)
        ? 'joke'
        : /^(?:song|lullab)/.test(noun)
          ? 'song'
          : 'poem';
  const about = match[2]?.replace(/\b(?:please|for me|me|us)\b/g, '').trim();
  return about ? { kind, about } : { kind };
}

/** Makes it up; returns its sentences. */
export function created(talk: Talk, { kind, about }: { kind: Creation; about?: string }): string[] {
  const { voice, character } = talk;
  if (kind === 'song') return [voice.pick(LINES.song, 'song')];
  if (kind === 'haiku') return [(about && haiku(talk, about)) || voice.pick(LINES.cannotMake, 'make')];
  if (kind === 'joke') {
    const jokes = [...(character.manner?.jokes ?? []), ...JOKES];
    const fitting = about
      ? jokes.filter((joke) => contentTerms(about).some((stem) => contentTerms(joke).includes(stem)))
      : jokes;
    return [voice.pick(fitting, 'joke') || voice.pick(LINES.cannotMake, 'make')];
  }
  if (kind === 'story' && !about) return tale(talk, TALES);
  const hero = kind === 'story' ? /^(?:an?|two|three|my) (?:\S+ ){0,2}\S+$/.exec(about ?? '')?.[0] : undefined;
  return hero ? tale(talk, TALES, hero) : [voice.pick(LINES.cannotMake, 'make')];
}

/** A story from the skeletons, one that was not used yet; `hero` is whom it is about. */
export function tale(talk: Talk, skeletons: string[][] = TALE_MORE, hero?: string): string[] {
  const { voice, character } = talk;
  const source = character.manner?.tale ?? PLAIN_TALE;
  const round = String(talk.replies.length);
  const slots = Object.fromEntries(
    Object.entries<string[]>({ ...source }).map(([slot, list]) => [slot, voice.order(list, `tale${slot}${round}`)[0]]),
  );
  if (hero !== undefined) Object.assign(slots, { hero });
  const told = voice.order(skeletons, 'tale').map((lines) => lines.map((line) => fill(line, slots) ?? ''));
  return told.find((lines) => !lines.some((line) => voice.wasSaid(line))) ?? told[0] ?? [];
}

const FIRST = 5;
const SECOND = 7;
const THIRD = 5;
/** Behind the subject, by how many syllables are left of the first line. */
const REST: Record<number, string> = {
  0: '',
  1: ', still',
  2: ', once more',
  3: ', once again',
  4: ', now and always',
};
/** A line may begin with these without hanging in the air. */
const BEGINS =
  /^(?:it|he|she|they|we|you|i|the|an?|its|his|her|their|no|not|and|so|to|in|on|at|from|with|of|by|for|as|which|who|that)$/i;
const HANGS =
  /^(?:the|an?|its|his|her|their|and|or|of|in|on|at|to|from|by|with|for|as|is|are|was|were|than|that|which|who|no|very|about)$/i;

/**
 * Three lines of 5, 7 and 5 syllables: words that stand together in what is known of the subject, behind the subject
 * where they do not name it; '' where none fit.
 */
function haiku(talk: Talk, about: string): string {
  const items = [...talk.input.knowledge, { text: talk.character.self.join('\n') }];
  const own = contentTerms(about);
  const rest = REST[FIRST - syllables(about)];
  if (own.length === 0) return '';
  const known = find(about, items).filter((row) => own.every((stem) => row.sentence.stems.has(stem)));
  const clauses = known.flatMap(({ text }) => text.split(/[,;:.!?]\s*(?:and |but )?/).filter(Boolean));
  for (const clause of clauses) {
    const whole = verse(clause, [FIRST, SECOND, THIRD]);
    if (whole && own.every((stem) => contentTerms(clause).includes(stem))) return `${upperFirst(whole)}.`;
  }
  if (rest === undefined) return '';
  for (const clause of clauses) {
    const tail = verse(clause, [SECOND, THIRD]);
    if (tail && !own.some((stem) => contentTerms(tail).includes(stem)))
      return `${upperFirst(about)}${rest}, ${lowerFirst(tail)}.`;
  }
  return '';
}

/** The end of a clause, where it falls into lines of so many syllables at the ends of words. */
function verse(clause: string, lines: readonly number[]): string {
  const words = clause.trim().split(/\s+/);
  for (let from = 0; from < words.length; from++) {
    if (from > 0 && !BEGINS.test(words[from] ?? '')) continue;
    const made: string[] = [];
    let at = from;
    for (const count of lines) {
      const line: string[] = [];
      while (at < words.length && syllables(line.join(' ')) < count) line.push(words[at++] ?? '');
      if (syllables(line.join(' ')) !== count || HANGS.test(line.at(-1) ?? '')) break;
      made.push(line.join(' '));
    }
    if (made.length === lines.length && at === words.length) return made.join(', ');
  }
  return '';
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** The syllables of English words, by their vowels; numbers below a hundred as they are spoken. */
function syllables(text: string): number {
  const spoken = text.replace(/\d+/g, (digits) => {
    const value = Number(digits);
    return (
      SMALL[value] ??
      (value < 100
        ? `${TENS[Math.floor(value / 10)]} ${value % 10 === 0 ? '' : SMALL[value % 10]}`
        : 'a thousand and so')
    );
  });
  return (spoken.toLowerCase().match(/\p{L}+/gu) ?? []).reduce((sum, word) => {
    const bare = word
      .replace(/seven/, 'sevun')
      .replace(/(?:[^laeiouy]es|[^td]ed|[^l]e)$/, (end) => end.charAt(0))
      .replace(/^y/, '')
      .replace(/ie(?=st|r)/, 'i-e');
    return sum + Math.max(1, (bare.match(/[aeiouyéáíóúö]+/g) ?? []).length);
  }, 0);
}
