/**
 * Wishes about an image that we drew which are met by other words in its prompt: the colour of what a person wears or of
 * their hair, and weather that shall end.
 */
import { onGround } from '../backdrop.ts';
import { COLOUR_WORDS } from '../colour.ts';
import { readPrompt } from '../prompt.ts';
import type { One } from './rules.ts';

const COLOURS = [...COLOUR_WORDS.keys(), 'blonde', 'blond', 'ginger', 'auburn', 'brunette'].join('|');
const WORN =
  'hair|beard|eyes|dress|gown|skirt|shirt|t-shirt|blouse|jacket|blazer|coat|raincoat|suit|hoodie|sweater|jumper|cardigan|robe|cloak|cape|kimono|uniform|scarf|hat|cap|tie|hijab|headscarf|turban|lipstick|trousers|apron|costume';
/** True for clothes, hair and the like, which are part of who has them. */
export const isOfPerson = (word: string): boolean => new RegExp(`^(?:${WORN})$`).test(word);
const END = "(?= and\\b| then\\b|[^\\p{L}' -]|$)";
const COLOURING = new RegExp(
  `\\b(?:make|turn|paint|dye|colou?r|recolou?r|change) (?:the colou?r of )?(?:his|her|their|its|the) (?<worn>${WORN}) (?:colou?r )?(?:(?:in)?to |be )?(?:(?:dark|light|bright) )?(?<colour>${COLOURS})${END}`,
  'gu',
);
const CLEARING = new RegExp(
  `\\b(?:(?:remove|delete|stop|take (?:out|away)|get rid of|no more) (?:the |all (?:the )?)?(?<weather>rain|snowfall|falling snow|fog|mist|storm|clouds|lightning)|(?:make it|change it to|turn it into) (?:a )?(?<clear>sunny|clear)(?: (?:day|weather|sky))?)${END}`,
  'gu',
);

const IT = '(?:it|this|that|the (?:image|picture|photo|scene|time|season))';
const TIMING = new RegExp(
  `\\b(?:make|turn|change|set) ${IT} (?:(?:in)?to |look like (?:it is )?|be )?(?:an? |the |in )?(?<hour>day ?time|day|morning|dawn|dusk|evening|summer|autumn|fall|spring)${END}`,
  'gu',
);
const GROUNDING = new RegExp(
  `\\b(?:make|turn|change|set|paint|colou?r) (?:the |its )?(?:background|backdrop|wall)(?: colou?r)? (?:(?:in)?to )?(?<shade>(?:(?:dark|light|bright|pastel|pale) )?(?:${[...COLOUR_WORDS.keys()].join('|')}))${END}`,
  'gu',
);
const FEATURES =
  'glasses|sunglasses|spectacles|beard|moustache|mustache|goatee|earrings|freckles|necklace|lipstick|make-?up|tattoos?|wrinkles|ponytail|braids|pigtails|bangs|curls';
const SITTING = new RegExp(
  `\\b(?:(?:add|give (?:him|her|them|the (?:wo)?man|the (?:girl|boy|person))|put on) (?<feature>(?:an? |some )?(?:\\p{L}+ ){0,2}?(?:${FEATURES}))(?: (?:to|on) (?:him|her|them|(?:his|her|the) face))?|make (?:him|her|them|the (?:wo)?man|the (?:girl|boy|person)) (?:look |be )?(?<look>smile|smiling|laugh|laughing|happy|happier|sad|angry|serious|older|old|younger|young|bald|cry|crying))${END}`,
  'gu',
);
/** What is said of a sitter who shall be so. */
const LOOKS: Readonly<Record<string, string>> = {
  smile: 'smiling',
  laugh: 'laughing',
  happier: 'happy',
  older: 'old',
  younger: 'young',
  cry: 'crying',
};

/** The wishes of a lower-case text, and where they stand in it. */
export function readRewordings(text: string): { at: number; end: number; edit: One<'reword'> }[] {
  const found = (pattern: RegExp, edit: (groups: Record<string, string | undefined>) => One<'reword'>) =>
    [...text.matchAll(pattern)].map((match) => ({
      at: match.index,
      end: match.index + match[0].length,
      edit: edit(match.groups ?? {}),
    }));
  return [
    ...found(COLOURING, ({ worn = '', colour = '' }) => ({ op: 'reword', worn, colour })),
    ...found(CLEARING, ({ weather = ANY }) => ({ op: 'reword', weather })),
    ...found(TIMING, ({ hour = '' }) => ({ op: 'reword', hour })),
    ...found(GROUNDING, ({ shade = '' }) => ({ op: 'reword', ground: shade })),
    ...found(SITTING, ({ feature, look = '' }) => ({
      op: 'reword',
      sitter: feature === undefined ? (LOOKS[look] ?? look) : `with ${feature}`,
    })),
  ];
}

/** "Make it sunny". */
const ANY = 'weather';
const WET =
  /\b(?:in|under|during|through) (?:an? |the )?(?:\p{L}+ )?(?:rain(?:storm)?|storm|thunderstorm|blizzard|fog|mist|snowfall)\b|\b(?:rain|rainy|raining|drizzle|storm|stormy|thunderstorm|lightning|snowing|snowfall|falling snow|fog|foggy|mist|misty|cloudy|overcast|clouds)\b/giu;

/** The prompt as the wish would have it; undefined where it says nothing of that. */
export function reworded(prompt: string, edit: One<'reword'>): string | undefined {
  if ('weather' in edit) {
    const clear = prompt.replace(WET, ' ').replace(/ +/g, ' ').trim();
    // Where it is sunny already, that is what was asked for.
    if (clear === prompt && edit.weather !== ANY) return undefined;
    return /\bsunny\b/i.test(clear) ? clear : `${clear}, sunny`;
  }
  if ('hour' in edit) return atHour(prompt, edit.hour);
  if ('ground' in edit) {
    const other = onGround(prompt, edit.ground);
    const { kind, place } = readPrompt(other);
    return kind === 'object' || kind === 'portrait' || place === 'studio' ? other : undefined;
  }
  if ('sitter' in edit) return ofSitter(prompt, edit.sitter);
  const named = new RegExp(
    `\\b(?:(?:dark|light|bright)[ -])?(?:(?:${COLOURS})[ -])?(?:\\p{L}+ )??${edit.worn}\\b`,
    'iu',
  );
  const coloured = new RegExp(
    `\\b(?:(?:dark|light|bright)[ -])?(?:${COLOURS})[ -]((?:\\p{L}+ )?${edit.worn}\\b)`,
    'iu',
  );
  if (coloured.test(prompt)) return prompt.replace(coloured, `${edit.colour} $1`);
  if (!named.test(prompt)) return undefined;
  return prompt.replace(new RegExp(`\\b${edit.worn}\\b`, 'i'), `${edit.colour} ${edit.worn}`);
}

const HOURS =
  /\b(?:at|in|on|during|under|by) (?:an? |the )?(?:\p{L}+ )?(?:night|midnight|dusk|dawn|evening|sunset|sunrise|morning|winter|summer|autumn|fall|spring|snow|stars|moonlight)\b|\b(?:night(?:time)?|moonlit|starry|snowy|wintry|snow-?covered|autumnal?|winter|summer|spring)\b/giu;
const SAID: Readonly<Record<string, string>> = {
  dawn: 'at dawn',
  dusk: 'at dusk',
  morning: 'in the morning',
  evening: 'in the evening',
};
const SEASON = /^(?:summer|autumn|fall|spring)$/;

/** A scene at another hour or in another season. */
function atHour(prompt: string, hour: string): string | undefined {
  if (readPrompt(prompt).kind !== 'scene') return undefined;
  const rest = prompt.replace(HOURS, ' ').replace(/ +/g, ' ').trim();
  return `${rest} ${SEASON.test(hour) ? `in ${hour === 'fall' ? 'autumn' : hour}` : (SAID[hour] ?? 'at noon')}`;
}

/** A portrait of which more is said, without its contrary. */
function ofSitter(prompt: string, said: string): string | undefined {
  if (readPrompt(prompt).kind !== 'portrait') return undefined;
  const isLook = !said.startsWith('with ');
  const rest = isLook
    ? prompt.replace(/\b(?:smiling|laughing|happy|sad|angry|serious|crying|frowning)\b/giu, '')
    : prompt;
  const age = /^(?:old|young)$/.test(said) ? rest.replace(/\b(?:old|elderly|young)\b/giu, '') : rest;
  return `${age.replace(/ +/g, ' ').trim()}, ${said}`;
}

/** A portrait whose sitter has something no more. */
export function withoutWorn(prompt: string, worn: string): string | undefined {
  if (readPrompt(prompt).kind !== 'portrait') return undefined;
  const rest = prompt.replace(
    new RegExp(`\\b(?:(?:wearing|with|in) )?(?:an? |his |her )?(?:\\p{L}+ )?${worn}\\b`, 'iu'),
    '',
  );
  return `${rest.replace(/ +/g, ' ').trim()}, no ${worn}`;
}
