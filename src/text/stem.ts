/**
 * The English stemmer of the Snowball project (Porter2), written from its published description: "connections" and
 * "connected" become "connect". Rules are tables of suffixes, longest first. It never sees stopwords or irregular
 * forms; those are settled before it is called.
 */

const VOWEL = /[aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const VALID_LI = /[cdeghkmnrt]$/;
/** A short syllable at the end: vowel + consonant (not w, x, Y) after a consonant, or vowel + consonant alone. */
const SHORT_END = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/;

/** Words whose stem the rules would get wrong. */
const WHOLE = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);
/** Words that are whole once their plural is off. */
const DONE_EARLY = new Set('inning outing canning herring earring evening proceed exceed succeed'.split(' '));
/** Beginnings after which R1 starts at once, lest "general" and "generic" meet. */
const R1_PREFIX = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;

type Rule = readonly [suffix: string, put: string, when?: RegExp];

const longestFirst = (rules: Rule[]): Rule[] => rules.sort((a, b) => b[0].length - a[0].length);
const same = (put: string, suffixes: string): Rule[] => suffixes.split(' ').map((s) => [s, put] as const);

const STEP_2 = longestFirst([
  ...same('tion', 'tional'),
  ...same('ence', 'enci'),
  ...same('ance', 'anci'),
  ...same('able', 'abli'),
  ...same('ent', 'entli'),
  ...same('ize', 'izer ization'),
  ...same('ate', 'ational ation ator'),
  ...same('al', 'alism aliti alli'),
  ...same('ful', 'fulness fulli'),
  ...same('ous', 'ousli ousness'),
  ...same('ive', 'iveness iviti'),
  ...same('ble', 'biliti bli'),
  ...same('less', 'lessli'),
  ...same('og', 'ogist'),
  ['ogi', 'og', /l$/],
  ['li', '', VALID_LI],
]);
const STEP_3 = longestFirst([
  ...same('tion', 'tional'),
  ...same('ate', 'ational'),
  ...same('al', 'alize'),
  ...same('ic', 'icate iciti ical'),
  ...same('', 'ful ness'),
]);
const STEP_4 = longestFirst([
  ...same('', 'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize'),
  ['ion', '', /[st]$/],
]);

/** Where R1 begins: after the first consonant that follows a vowel, looking from `from`. */
function regionAfter(word: string, from: number): number {
  for (let i = from + 1; i < word.length; i++) {
    if (VOWEL.test(word.charAt(i - 1)) && !VOWEL.test(word.charAt(i))) return i + 1;
  }
  return word.length;
}

/** Applies the one rule whose suffix is the longest that fits; outside the region it does nothing. */
function applyLongest(word: string, rules: Rule[], region: number): string {
  const rule = rules.find(([suffix]) => word.endsWith(suffix));
  if (!rule) return word;
  const base = word.slice(0, -rule[0].length);
  if (base.length < region || (rule[2] && !rule[2].test(base))) return word;
  return base + rule[1];
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.length > 4 ? word.slice(0, -2) : word.slice(0, -1);
  if (/(?:us|ss)$/.test(word) || !word.endsWith('s')) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(word);
  if (eed) return eed.index >= r1 ? `${word.slice(0, eed.index)}ee` : word;
  const ending = /(?:ed|edly|ing|ingly)$/.exec(word);
  if (!ending) return word;
  const base = word.slice(0, ending.index);
  if (ending[0] === 'ing' && /^[^aeiouy]y$/.test(base)) return `${base[0]}ie`;
  if (!VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLE.test(base)) return /^[aeo]..$/.test(base) ? base : base.slice(0, -1);
  return base.length <= r1 && SHORT_END.test(base) ? `${base}e` : base;
}

function step5(word: string, r1: number, r2: number): string {
  const base = word.slice(0, -1);
  if (word.endsWith('e')) {
    return base.length >= r2 || (base.length >= r1 && !SHORT_END.test(base)) ? base : word;
  }
  return word.endsWith('ll') && base.length >= r2 ? base : word;
}

/** The stem of one lower-case English word; other words come back as the rules leave them. */
export function stem(input: string): string {
  if (input.length <= 2) return input;
  const whole = WHOLE.get(input);
  if (whole) return whole;
  // A y that acts as a consonant is written Y while the rules run.
  let word = input.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
  const prefix = R1_PREFIX.exec(word);
  const r1 = prefix ? prefix[0].length : regionAfter(word, 0);
  const r2 = regionAfter(word, r1);
  word = step1a(word);
  if (DONE_EARLY.has(word)) return word;
  word = step1b(word, r1);
  if (/[^aeiouy][yY]$/.test(word) && word.length > 2) word = `${word.slice(0, -1)}i`;
  word = applyLongest(word, STEP_2, r1);
  if (word.endsWith('ative')) word = word.length - 5 >= r2 ? word.slice(0, -5) : word;
  else word = applyLongest(word, STEP_3, r1);
  word = applyLongest(word, STEP_4, r2);
  return step5(word, r1, r2).replaceAll('Y', 'y');
}
