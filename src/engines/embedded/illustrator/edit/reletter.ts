/**
 * Reads the wish for other words in the place of those that an image has: "change the text to ...", "make the sign say
 * ...", "replace "A" with "B"". Whoever asks for added words asks for a caption, which is none of these.
 */
import { COLOUR_WORDS } from '../colour.ts';
import { trimWords } from '../intended.ts';
import type { One } from './rules.ts';

const QUOTED = '["“„«]([^"“”„«»]+)["”“»]';
const CHANGE = '(?:change|replace|swap|update|edit|switch|rewrite|reword|alter|set|make|turn|correct|fix)';
const LETTERED =
  'text|words?|wording|lettering|letters|captions?|subtitle|title|headline|heading|slogan|message|name|inscription|quote|writing|phrase';
const CARRIED = 'sign|signpost|poster|banner|logo|label|neon|board|chalkboard|card|cover|billboard|plaque';
const WHERE = '(?: (?:on|of|in|at|from) (?:the|a|its|this) \\p{L}+(?: \\p{L}+)?)?';
const THE = '(?:the |its |this |that |all |all the )?(?:old |current |existing )?';

const PATTERNS: readonly RegExp[] = [
  new RegExp(
    `\\b${CHANGE} (?:${THE}(?:${LETTERED})${WHERE} )?(?:from )?(?<old>${QUOTED}) (?:to|with|by|for|into) (?<words>${QUOTED})`,
    'iu',
  ),
  new RegExp(`(?<words>${QUOTED}) (?:instead|in place) of (?<old>${QUOTED})`, 'iu'),
  new RegExp(
    `\\b${CHANGE} ${THE}(?<what>${LETTERED})${WHERE}(?: (?:to|into|with|by|for)(?: (?:say|read|be|spell))?| (?:so (?:that )?it )?(?:say|says|read|reads|spell)|(?=:)):? +(?<words>.+)`,
    'iu',
  ),
  new RegExp(
    `\\b${CHANGE} (?:what )?${THE}(?<what>${CARRIED})${WHERE} (?:(?:to|so (?:that )?it) )?(?:say|says|read|reads|spell):? (?<words>.+)`,
    'iu',
  ),
  new RegExp(
    `\\b(?:it|${THE}(?<what>${LETTERED}|${CARRIED})${WHERE}) should (?:now )?(?:say|read):? (?<words>.+)`,
    'iu',
  ),
];

/** How letters look is no wish for other words. */
const LOOK = new RegExp(
  `^(?:(?:be|in|a|an|more|much|very) )*(?:${Object.keys(COLOUR_WORDS).join('|')}|bigger|smaller|larger|big|small|large|bold|italic|cursive|handwritten|thinner|thicker|brighter|darker|legible|readable|bright|dark|neon|chalk|gold)\\b`,
  'i',
);

/** The wish and where it stands in the prompt; undefined for none. */
export function readRelettering(prompt: string): { at: number; end: number; edit: One<'reletter'> } | undefined {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(prompt);
    const { old, what, words: given = '' } = match?.groups ?? {};
    if (!match || LOOK.test(given)) continue;
    const quoted = new RegExp(`^${QUOTED}`, 'u').exec(given);
    const words = quoted ? quoted[1]?.trim().replace(/\s+/g, ' ') : trimWords(given);
    if (!words) continue;
    const start = match.index + match[0].lastIndexOf(given);
    const length = quoted ? quoted[0].length : given.toLowerCase().indexOf(words.toLowerCase()) + words.length;
    const part = /^(?:title|headline|heading|name)$/i.test(what ?? '')
      ? 'title'
      : /^(?:caption|subtitle)/i.test(what ?? '')
        ? 'caption'
        : undefined;
    const edit: One<'reletter'> = { op: 'reletter', words };
    if (old) edit.old = old.slice(1, -1).trim().replace(/\s+/g, ' ');
    if (part) edit.part = part;
    return { at: match.index, end: Math.max(start + length, old ? match.index + match[0].length : 0), edit };
  }
  return undefined;
}
