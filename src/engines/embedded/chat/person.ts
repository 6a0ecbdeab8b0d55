/**
 * Turns who is spoken of: a persona written to "you" or about "he" becomes "I", what a speaker says of themself
 * becomes "you". Word rules for English; it never touches other languages, nor anything but pronouns and their verbs.
 */

import { bare, upperFirst } from '../../ports/chat.ts';
import { VERBS } from './data/lists.ts';

const AUXILIARY =
  /^(?:are|were|have|had|has|will|would|can|could|should|must|may|might|do|did|does|shall|always|never|often|sometimes|usually|also|still|only|just|really|once|secretly|simply|rarely|both|'ll|'d|'ve|'re|'m|am|is|was)$/i;
const AFTER_WHICH_SUBJECT =
  /^(?:and|but|that|who|when|because|if|what|where|as|while|since|so|which|why|how|than|although|though|before|after|until|or|whenever|everything|all|things?|everyone|everybody|anyone|people|one|place)$/i;

/** Whether the "you" between these two words is the subject of what follows. */
function subjectAt(previous: string | undefined, next: string | undefined, start: boolean): boolean {
  if (next && (AUXILIARY.test(next) || VERBS.has(next.toLowerCase()))) {
    return (
      start ||
      !previous ||
      AFTER_WHICH_SUBJECT.test(previous) ||
      !/^(?:to|for|with|about|of|at|by|from|on)$/i.test(previous)
    );
  }
  if (start || !previous) return true;
  return AFTER_WHICH_SUBJECT.test(previous) && next !== undefined && !/^than$/i.test(previous);
}

/** Splits into words and what is between them, so that the text can be put together again unchanged. */
function pieces(text: string): string[] {
  return text.replace(/[’‘]/g, "'").split(/([A-Za-z]+(?:'[A-Za-z]+)?)/);
}

type Turn = (
  word: string,
  previous: string | undefined,
  next: string | undefined,
  start: boolean,
) => string | undefined;

function turn(text: string, change: Turn): string {
  const parts = pieces(text);
  const out = [...parts];
  for (const [i, part] of parts.entries()) {
    if (i % 2 === 0) continue;
    const start = i === 1 || /[.!?,;:(]\s*["“]?$/.test(parts[i - 1] ?? '');
    const spaced = (gap: string | undefined) => gap !== undefined && /^\s+$/.test(gap);
    const previous = spaced(parts[i - 1]) ? parts[i - 2] : undefined;
    const next = spaced(parts[i + 1]) ? parts[i + 2] : undefined;
    const word = change(part, previous, next, start);
    if (word !== undefined) out[i] = /^[A-Z]/.test(part) && i === 1 ? upperFirst(word) : word;
  }
  return out.join('');
}

const YOU_TO_I: Record<string, string> = {
  your: 'my',
  yours: 'mine',
  yourself: 'myself',
  "you're": "I'm",
  "you've": "I've",
  "you'll": "I'll",
  "you'd": "I'd",
};

/** "You are a pirate who loves your ship." -> "I am a pirate who loves my ship." */
export function youToI(text: string): string {
  let asSubject = false;
  return turn(text, (word, previous, next, start) => {
    const lower = word.toLowerCase();
    if (lower === 'you') {
      asSubject = subjectAt(previous, next, start);
      return asSubject ? 'I' : 'me';
    }
    const follows = asSubject && previous?.toLowerCase() === 'you';
    if (follows && lower === 'are') return 'am';
    if (follows && lower === 'were') return 'was';
    if (lower === 'are' && next?.toLowerCase() === 'you') return 'am';
    return YOU_TO_I[lower];
  });
}

const I_TO_YOU: Record<string, string> = {
  i: 'you',
  me: 'you',
  my: 'your',
  mine: 'yours',
  myself: 'yourself',
  "i'm": 'you are',
  "i've": 'you have',
  "i'll": 'you will',
  "i'd": 'you would',
  your: 'my',
  yours: 'mine',
  yourself: 'myself',
  "you're": 'I am',
};

/** "I live with my mother" -> "you live with your mother"; what was "you" becomes the avatar. */
export function iToYou(text: string): string {
  return turn(text, (word, previous, next, start) => {
    const lower = word.toLowerCase();
    const before = previous?.toLowerCase();
    if (lower === 'am') return 'are';
    if (lower === 'was' && before === 'i') return 'were';
    if (lower === 'are' && before === 'you') return 'am';
    if (lower === 'you') return subjectAt(previous, next, start) ? 'I' : 'me';
    return I_TO_YOU[lower];
  }).replace(/(^|[.!?] )you/g, (_, lead: string) => `${lead}You`);
}

const THIRD: Record<string, string> = {
  his: 'my',
  their: 'my',
  him: 'me',
  himself: 'myself',
  herself: 'myself',
  themself: 'myself',
  themselves: 'myself',
};

const BE: Record<string, string> = {
  is: 'am',
  are: 'am',
  has: 'have',
  does: 'do',
  "doesn't": "don't",
  "isn't": 'am not',
  were: 'was',
};
// What users say is looked up word by word, and every object has a property "constructor".
for (const table of [YOU_TO_I, I_TO_YOU, THIRD, BE]) Object.setPrototypeOf(table, null);

/** "Flint is a pirate. He loves rum and hates the navy." -> "I am a pirate. I love rum and hate the navy." */
export function theyToI(text: string, name: string): string {
  const names = name.trim()
    ? [name.trim(), ...name.trim().split(/\s+/)].filter((part) => /^\p{L}{2,}/u.test(part))
    : [];
  const pattern =
    names.length > 0 ? new RegExp(`(?<![\\p{L}])(?:${names.map(literal).join('|')})(?![\\p{L}])`, 'gu') : null;
  const named = pattern ? text.replace(pattern, 'XSELF').replace(/XSELF(?: XSELF)+/g, 'XSELF') : text;
  let active = false;
  return turn(named, (word, previous, next, start) => {
    const lower = word.toLowerCase();
    if (word === "XSELF's") return 'my';
    if (lower === 'xself' || lower === 'he' || lower === 'she' || (lower === 'they' && start)) {
      active = true;
      return start ||
        !previous ||
        AFTER_WHICH_SUBJECT.test(previous) ||
        (next && /s$|^(?:can|will|was|never|always)$/.test(next))
        ? 'I'
        : 'me';
    }
    if (lower === 'her') return next && !/^(?:and|or|to|in|on|at|with|when|if)$/i.test(next) ? 'my' : 'me';
    if (THIRD[lower]) return THIRD[lower];
    const after = previous?.toLowerCase() ?? '';
    const bySubject = /^(?:xself|he|she|they)$/.test(after);
    if (bySubject && BE[lower]) return BE[lower];
    const plain = bare(lower);
    // "breaks it into questions, asks them and explains": a list of verbs goes on behind its commas.
    const isListed = active && start && lower.endsWith('s') && plain !== lower && VERBS.has(plain);
    if (start && !bySubject && !isListed) active = false;
    const verbPlace =
      bySubject || isListed || (active && /^(?:and|or|but|always|never|often|also|secretly|still)$/.test(after));
    if (
      verbPlace &&
      lower.endsWith('s') &&
      !/^(?:always|sometimes|perhaps|towards|his|its|this|as|is|was|has|does)$/.test(lower) &&
      (bySubject || VERBS.has(plain)) &&
      plain !== lower
    )
      return plain;
    return undefined;
  });
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
