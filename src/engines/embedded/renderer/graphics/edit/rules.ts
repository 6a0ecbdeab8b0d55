import { COLOUR_WORDS } from '../colour.ts';
import { type Subject } from '../prompt.ts';
import type { Place } from '../vocabulary.ts';

/** Where in the image words are set. */
export type Where = 'top' | 'bottom' | 'centre';
/** Where a subject is added: fractions of the width and the height. */
export type Corner = { x: number; y: number };

/** A change of what an image shows. `what` is the thing as the request names it. */
export type Change =
  | { kind: 'remove'; what: Subject }
  | { kind: 'replace'; what: Subject; by: Subject }
  | { kind: 'colour'; what: Subject; colour: string }
  | { kind: 'size'; what: Subject; size: 'big' | 'small' }
  | { kind: 'count'; what: Subject }
  /** Worn by `what`, or by the first who can. */
  | { kind: 'wear'; by: Subject; what?: Subject }
  /** Beside, on or otherwise by `what`, as `by` says. */
  | { kind: 'add'; by: Subject; what: Subject }
  | { kind: 'place'; place: Place };

type Plain =
  | 'grey'
  | 'sepia'
  | 'sketch'
  | 'invert'
  | 'posterize'
  | 'cartoon'
  | 'painting'
  | 'vignette'
  | 'night'
  | 'golden'
  | 'sharpen'
  | 'pixelate'
  | 'blurBackground';

/** What other words of the prompt meet: weather that ends, an hour or a season, a plain ground, and what else is said of a sitter. */
export type Wish = { weather: string } | { hour: string } | { ground: string } | { sitter: string };

/** One edit of an image. */
export type Edit =
  | { op: Plain }
  | { op: 'blur' | 'brighten' | 'contrast' | 'saturate' | 'warm'; amount: number }
  | { op: 'tint'; colour: string }
  | { op: 'crop'; region: CropRegion }
  | { op: 'rotate'; degrees: number }
  | { op: 'flip'; axis: 'horizontal' | 'vertical' }
  | { op: 'frame'; colour: string; kind: 'plain' | 'thin' | 'thick' | 'polaroid' }
  | {
      op: 'caption';
      words: string;
      where: Where;
      face: 'plain' | 'poster' | 'hand' | 'elegant';
      /** On a film: the same ink on every frame, whatever passes behind it. */
      isSteady?: boolean;
    }
  /** Other words in the place of those that are there: of `old`, of the title or the caption, or of all. */
  | { op: 'reletter'; words: string; old?: string; part?: 'title' | 'caption' }
  /** Of an image that we drew: other things in it. */
  | { op: 'rework'; change: Change }
  /** Of an image that we drew: other words in its prompt. */
  | ({ op: 'reword' } & ({ worn: string; colour: string } | Wish))
  | { op: 'weather'; kind: 'rain' | 'snow' | 'fog' | 'stars' | 'fireflies' | 'rainbow' | 'fireworks' | 'bubbles' }
  | { op: 'add'; subject: Subject; at: Corner | undefined }
  | { op: 'collage'; kind: 'row' | 'column' | 'grid' }
  | { op: 'blend' };

/** The edit of one operation, with its own fields. */
export type One<K extends Edit['op']> = Extract<Edit, { op: K }>;

/** The part of an image that a crop keeps. */
export type CropRegion = 'square' | 'left' | 'right' | 'top' | 'bottom' | 'centre' | '16:9' | '9:16' | '4:3' | '3:4';

interface Rule {
  pattern: RegExp;
  edit(match: RegExpExecArray): Edit | undefined;
}

const simple = (op: Plain, pattern: RegExp): Rule => ({ pattern, edit: () => ({ op }) });
const amount = (op: 'blur' | 'brighten' | 'contrast' | 'saturate' | 'warm', value: number, pattern: RegExp): Rule => ({
  pattern,
  edit: (match) => ({ op, amount: value * degree(match[0]) }),
});

/** "slightly", "very": half or half again. */
const degree = (words: string): number =>
  /\b(slight(ly)?|bit|little|subtle|softly|gently)\b/.test(words)
    ? 0.5
    : /\b(very|much|strong(ly)?|heav(y|ily)|lots?|really|extremely)\b/.test(words)
      ? 1.5
      : 1;

const HOW = '(?:(?:a |very |much |slightly |strongly |heavily |really |a little |a bit |a lot )*)';
const COLOURS = [...COLOUR_WORDS.keys()].filter((word) => word !== 'black' && word !== 'white').join('|');
const rule = (source: string): RegExp => new RegExp(`\\b${source}\\b`, 'g');

/** In order of precedence where two cover the same words. */
export const RULES: readonly Rule[] = [
  simple(
    'grey',
    rule(
      '(?:gr[ea]y[- ]?scale|black[ -](?:and|&)[ -]white|b ?& ?w|monochrome|desaturated?|(?:remove|drop|without|take out) (?:the |all |all the )?colou?rs?|noir)',
    ),
  ),
  simple('sepia', rule('(?:sepia(?:[- ]toned?)?|(?:an )?old photo(?:graph)?|vintage|antique|retro)')),
  simple('sketch', rule('(?:(?:pencil |charcoal )?(?:sketch(?:ed)?|drawing)|line (?:art|drawing)|pencil|charcoal)')),
  simple(
    'blurBackground',
    rule(
      '(?:blur(?:red|ry)? (?:out )?(?:the |its )?background|background blur(?:red)?|(?:the )?background (?:blurred|blurry|out of focus)|bokeh|portrait mode|(?:shallow )?depth of field)',
    ),
  ),
  amount(
    'blur',
    1,
    rule(
      `${HOW}(?:blur(?:red|ry|rier)?|out of focus|unfocus(?:ed)?)(?: (?:slightly|strongly|heavily|a bit|a little|a lot))?`,
    ),
  ),
  simple('pixelate', rule('(?:pixell?at(?:e|ed)|pixel art|mosaic|8-?bit)')),
  simple('sharpen', rule('(?:sharp(?:en|er|ened)?|crisp(?:er)?)')),
  amount(
    'brighten',
    -0.75,
    rule(
      `${HOW}(?:dark(?:en|er)?|dim(?:mer)?|(?:reduce|lower|decrease|less) (?:the )?(?:brightness|light))(?: (?:slightly|a bit|a little|a lot))?`,
    ),
  ),
  amount(
    'brighten',
    0.75,
    rule(
      `${HOW}(?:bright(?:en|er)?|light(?:en|er)|(?:increase|raise|boost|more) (?:the )?(?:brightness|light))(?: (?:slightly|a bit|a little|a lot))?`,
    ),
  ),
  amount('contrast', 0.62, rule('(?:less|lower|reduced?|decrease) (?:the )?contrast')),
  amount('contrast', 1.5, rule('(?:(?:more|high(?:er)?|increased?|boost|add|strong(?:er)?) (?:the |some )?)?contrast')),
  amount('saturate', 0.45, rule('(?:less (?:saturat(?:ed|ion)|colou?rful)|muted(?: colou?rs)?|faded?|pastel)')),
  amount(
    'saturate',
    1.7,
    rule(
      '(?:(?:more |increase (?:the )?|boost (?:the )?)?(?:saturat(?:e|ed|ion)|colou?rful|vivid|vibrant)(?: colou?rs)?|boost (?:the )?colou?rs)',
    ),
  ),
  amount('warm', 1, rule(`${HOW}warm(?:er|th)?(?: (?:tones?|colou?rs?|light))?`)),
  amount('warm', -1, rule(`${HOW}(?:cool|cold)(?:er)?(?: (?:tones?|colou?rs?|light))?`)),
  simple('invert', rule('(?:invert(?:ed)?(?: (?:the )?colou?rs)?|(?:photo )?negative)')),
  simple('posterize', rule('(?:posteri[sz]e[d]?|pop[- ]art)')),
  simple('cartoon', rule('(?:cartoon(?:ish|ify|ized|ised)?|comic(?:[- ]book)?)')),
  simple('painting', rule('(?:(?:oil|watercolou?r) paint(?:ing|ed)?|water-?colou?r|paint(?:ing|erly)|impressionist)')),
  simple('vignette', rule('(?:vignett(?:e|ed|ing)|darken(?:ed)? (?:the )?(?:edges|corners))')),
  {
    pattern: rule(
      '(?:crop(?:ped)?|cut|trim)(?: [a-z]+){0,3}? (?:to |into )?(?:the |a |its )?(square|left|right|top|bottom|upper|lower|cent(?:er|re)|middle|16:9|9:16|4:3|3:4)(?: (?:half|side|part|square|crop))?',
    ),
    edit: (m) => ({ op: 'crop', region: regionOf(m[1] as string) }),
  },
  {
    pattern: rule('(?:(?:keep )?(?:only )?the (left|right|top|bottom|upper|lower) half(?: only)?)'),
    edit: (m) => ({ op: 'crop', region: regionOf(m[1] as string) }),
  },
  {
    pattern: rule('(?:square(?: crop)?|crop(?:ped)?|zoom(?:ed)? in)'),
    edit: (m) => ({ op: 'crop', region: m[0].includes('square') ? 'square' : 'centre' }),
  },
  { pattern: rule('upside[- ]down'), edit: () => ({ op: 'rotate', degrees: 180 }) },
  {
    pattern: rule(
      '(?:rotate[d]?|turn(?:ed)?)(?: (?:it|the (?:image|picture|photo)))?(?: by)? ?(\\d{1,3})? ?(?:degrees?|deg|°)?(?: (?:to the )?(counter-?clockwise|anti-?clockwise|clockwise|left|right))?',
    ),
    edit: rotation,
  },
  {
    pattern: rule(
      '(?:flip(?:ped)?|mirror(?:ed)?|reflect(?:ed)?)(?: (?:it|the (?:image|picture|photo)))?(?: (horizontal(?:ly)?|vertical(?:ly)?|left to right|top to bottom))?',
    ),
    edit: (m) => ({ op: 'flip', axis: /^(vert|top)/.test(m[1] ?? '') ? 'vertical' : 'horizontal' }),
  },
  {
    pattern: rule(
      `(thick |thin |wide )?(?:(${[...COLOUR_WORDS.keys()].join('|')}) |(wooden|wood) )?(?:picture |photo )?(frame[d]?|border(?:ed)?|polaroid)`,
    ),
    edit: (m) => ({
      op: 'frame',
      colour: m[3] ? '#7a5233' : (COLOUR_WORDS.get(m[2] ?? '') ?? '#f6f3ea'),
      kind: m[4]?.startsWith('polaroid') ? 'polaroid' : m[1] === 'thin ' ? 'thin' : m[1] ? 'thick' : 'plain',
    }),
  },
  simple('night', rule('(?:(?:day(?:time)? (?:in)?to )?night(?:[- ]?time)?|moonlit|moonlight|midnight)')),
  simple('golden', rule('(?:sunset|golden hour|sunrise)')),
  {
    pattern: rule('(?:(?:falling )?snow(?:y|ing|fall|flakes)?|winter(?:y)?)'),
    edit: () => ({ op: 'weather', kind: 'snow' }),
  },
  { pattern: rule('rain(?:y|ing|drops)?'), edit: () => ({ op: 'weather', kind: 'rain' }) },
  { pattern: rule('(?:fog(?:gy)?|mist(?:y)?|haz[ey])'), edit: () => ({ op: 'weather', kind: 'fog' }) },
  { pattern: rule('(?:stars|starry(?: sky)?)'), edit: () => ({ op: 'weather', kind: 'stars' }) },
  { pattern: rule('fireflies'), edit: () => ({ op: 'weather', kind: 'fireflies' }) },
  { pattern: rule('rainbow'), edit: () => ({ op: 'weather', kind: 'rainbow' }) },
  { pattern: rule('fire ?works?'), edit: () => ({ op: 'weather', kind: 'fireworks' }) },
  { pattern: rule('(?:soap )?bubbles'), edit: () => ({ op: 'weather', kind: 'bubbles' }) },
  {
    pattern: rule(
      '(?:blend(?:ed)?|merge[d]?|mix(?:ed)?|double exposure|superimpose[d]?|overlay|cross-?fade[d]?|morph)',
    ),
    edit: () => ({ op: 'blend' }),
  },
  {
    pattern: rule(
      '(?:(?:collage|grid|montage) )?(?:side[- ]by[- ]side|next to (?:each other|one another)|in a row|diptych|triptych|before and after)',
    ),
    edit: () => ({ op: 'collage', kind: 'row' }),
  },
  {
    pattern: rule(
      '(?:(?:collage|grid|montage) )?(?:stack(?:ed)?|one above the other|above each other|in a column|top to bottom)',
    ),
    edit: () => ({ op: 'collage', kind: 'column' }),
  },
  {
    pattern: rule('(?:collage|grid|montage|mood ?board|photo wall|combine[d]?)'),
    edit: () => ({ op: 'collage', kind: 'grid' }),
  },
  {
    pattern: rule(`(?:${COLOURS})(?:ish)?(?: (?:tint(?:ed)?|tones?|toned|hue|filter|colou?r|cast))?`),
    edit: (m) => tintOf(m[0]),
  },
];

function regionOf(word: string): CropRegion {
  if (/^(cent|middle)/.test(word)) return 'centre';
  if (word === 'upper') return 'top';
  if (word === 'lower') return 'bottom';
  return word as CropRegion;
}

/** "turn" alone is no rotation ("turn it grey"): a number or a direction must follow. */
function rotation(match: RegExpExecArray): Edit | undefined {
  const [whole, number, direction] = match;
  if (whole.startsWith('turn') && !number && !/clockwise/.test(direction ?? '')) return undefined;
  const degrees = Number(number ?? 90) % 360;
  return { op: 'rotate', degrees: /^(counter|anti|left)/.test(direction ?? '') ? -degrees : degrees };
}

function tintOf(words: string): Edit | undefined {
  const name = words.split(' ')[0]?.replace(/ish$/, '') as string;
  if (name === 'grey' || name === 'gray' || name === 'silver' || name === 'charcoal') return { op: 'grey' };
  const colour = COLOUR_WORDS.get(name);
  return colour ? { op: 'tint', colour } : undefined;
}
