/**
 * Reads the wish for other words in the place of those that an image has: "change the text to ...", "make the sign say
 * ...", "replace "A" with "B"". A request for added words is one for a caption, which is none of these.
 */
import { COLOUR_WORDS } from '../colour.ts';
import { trimWords } from '../intended-words.ts';
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
  // Nothing quoted, and both named: "change the word OPEN to CLOSED".
  new RegExp(
    `\\b${CHANGE} ${THE}(?:(?<what>${LETTERED})${WHERE} (?:from )?|(?:${CARRIED})${WHERE} from )(?!(?:colou?rs?|fonts?|size|style|position|place|box|on|in|at|of|to|so|with|says?|reads?)\\b)(?<bare>[^.;:\\n]{1,80}?) (?:to|into|with|by)(?: (?:say|read|be|spell))?:? +(?<words>.+)`,
    'iu',
  ),
  // One name in the place of another, without quotes: "Change OPEN to CLOSED".
  /\b(?:[Cc]hange|[Rr]eplace|[Ss]wap|[Ss]witch|[Uu]pdate|[Cc]orrect) (?!(?:It|This|The|That|Image|Photo|Picture|Colou?rs?|Background|Style)\b)(?<bare>["“]?\p{Lu}[^.;:\n]{0,79}?) (?:to|into|with|by) +(?<words>["“]?[\p{Lu}\p{N}].*)/u,
];

const LOOKS = new Set([
  ...COLOUR_WORDS.keys(),
  ...`be in a an more much very and or on the bit little color colour font fonts letters lettering text style please bigger
smaller larger big small large bold italic cursive handwritten thinner thicker brighter darker legible readable bright
dark light neon chalk gold`.split(/\s+/),
]);
/** How letters look is no wish for other words: "red", not "Red Bull". */
const isLook = (given: string): boolean =>
  (/^[^.,;:!?\n]*/.exec(given)?.[0] ?? '')
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every((word) => LOOKS.has(word));

/** Where words that nothing quotes end, because the next wish begins: "Midnight Run and make it grey". */
const NEXT =
  /(?:,? and(?: then)?|,(?: then)?|;|\.) (?:(?:also|please) )?(?:(?:[Mm]ake|[Tt]urn|[Cc]onvert|[Cc]hange|[Gg]ive|[Ss]et) (?:it|the|this|that|everything|all|its)|[Aa]dd|[Pp]ut|[Aa]pply|[Bb]lur|[Ss]harpen|[Cc]rop|[Rr]otate|[Ff]lip|[Mm]irror|[Ii]nvert|[Bb]righten|[Dd]arken|[Ll]ighten|[Tt]int|[Ff]rame|[Pp]ixelate|[Pp]osteri[sz]e|[Rr]emove)(?!\p{L})/u;

/** How the words shall look, behind them: the colour of letters alone cannot be changed. */
export const LOOK_BEHIND = new RegExp(
  `^["”“»']?,? in (?:(?:a|an|bold|big|large|small|dark|light|bright) )*(?:${[...COLOUR_WORDS.keys()].join('|')}|bold|italics?|capitals)\\b`,
  'i',
);

const bareWords = (given: string): string | undefined => trimWords(given.slice(0, NEXT.exec(given)?.index), true);

/** The wish and where it stands in the prompt; undefined for none. */
export function readRelettering(prompt: string): { at: number; end: number; edit: One<'reletter'> } | undefined {
  for (const pattern of PATTERNS) {
    const match = pattern.exec(prompt);
    const { old: quotedOld, bare, what, words: given = '' } = match?.groups ?? {};
    const quoted = new RegExp(`^${QUOTED}`, 'u').exec(given);
    if (!match || (!quoted && isLook(given.slice(0, NEXT.exec(given)?.index)))) continue;
    const words = quoted ? quoted[1]?.trim().replace(/\s+/g, ' ') : bareWords(given);
    if (!words) continue;
    const start = match.index + match[0].lastIndexOf(given);
    const length = quoted ? quoted[0].length : given.toLowerCase().indexOf(words.toLowerCase()) + words.length;
    const part = /^(?:title|headline|heading|name)$/i.test(what ?? '')
      ? 'title'
      : /^(?:caption|subtitle)/i.test(what ?? '')
        ? 'caption'
        : undefined;
    const edit: One<'reletter'> = { op: 'reletter', words };
    const old = (quotedOld ?? bare)?.replace(/^["'“„«]|["'”“»]$/g, '').trim();
    if (old) edit.old = old.replace(/\s+/g, ' ');
    if (part) edit.part = part;
    return { at: match.index, end: Math.max(start + length, quotedOld ? match.index + match[0].length : 0), edit };
  }
  return undefined;
}
