/**
 * Wishes about an image that we drew which are met by other words in its prompt: the colour of what a person wears or of
 * their hair, and weather that shall end.
 */
import { COLOUR_WORDS } from '../colour.ts';
import type { One } from './rules.ts';

const COLOURS = [...COLOUR_WORDS.keys()].join('|');
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
