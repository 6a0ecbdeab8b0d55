/**
 * Text to what the synthesiser is given: sentences, cleaned of what must not be read aloud or obeyed (markup, emoji,
 * control characters), each character knowing where in the caller's text it came from. It keeps every word.
 */

/** One thing said and the part of the caller's text it stands for, in UTF-16 units. */
export interface Unit {
  say: string;
  at: number;
  end: number;
}

/** A sentence and what is spoken of it. */
export interface Sentence {
  /** The sentence in the caller's text without surrounding space, in UTF-16 units. */
  at: number;
  len: number;
  units: Unit[];
}

/**
 * What is said instead of what is written; the first rule that matches wins. eSpeak reads SSML here and `[[...]]` as
 * phonemes, so `<`, `&` and `[` must never reach it bare.
 */
const RULES: [name: string, pattern: string, say: string | ((match: string) => string)][] = [
  ['tag', '<\\/?[A-Za-z][^<>]{0,200}>|<!--.{0,500}?-->', ' '],
  ['linkTarget', '\\]\\([^\\s\\(\\)]{0,500}\\)', ' '],
  ['bracket', '[\\[\\]]', ' '],
  ['entity', '&(?:lt|gt|quot|nbsp);', ' '],
  ['apostrophe', '&(?:apos|#0?39);', "'"],
  ['amp', '&amp;|&', '&amp;'],
  // eSpeak has no word for these two in any language; a comma is the pause they make on the page.
  ['angle', '[<>]', ', '],
  // The last part catches what the sequences leave behind: lone modifiers, flags' halves, keycaps.
  [
    'emoji',
    '\\p{RGI_Emoji}|[\\p{Extended_Pictographic}--[©®™]]|[\\p{EMod}\\u{1F1E6}-\\u{1F1FF}\\uFE0E\\uFE0F\\u20E3]',
    ' ',
  ],
  ['invisible', '[\\u00AD\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF\\u{E0000}-\\u{E007F}]', ''],
  ['unprintable', '[\\p{Cc}\\p{Cs}\\p{Co}\\p{Cn}]', ' '],
  // Emphasis of Markdown; a star or tilde between digits is arithmetic and stays.
  ['emphasis', '[*~`]{2,}|`|(?<![\\d\\s])[*~]|[*~](?![\\d\\s])|#{1,6}(?=\\s)', ''],
  ['underscore', '_+', ' '],
  // A scheme is not read as "h t t p s colon slash slash", nor the dots of "e.g.".
  ['scheme', 'https?:\\/\\/(?=\\S)', ''],
  [
    'abbreviated',
    '(?<![\\p{L}.])(?:e\\.g|i\\.e|a\\.m|p\\.m)\\.',
    (dotted) => `${dotted[0]} ${dotted[2]}`.toUpperCase(),
  ],
  ['quotes', '[“”„‟«»‹›]', '"'],
  [
    'styled',
    '[\\uFF10-\\uFF19\\uFF21-\\uFF3A\\uFF41-\\uFF5A\\u{1D400}-\\u{1D7FF}\\uFB00-\\uFB06]',
    (c) => c.normalize('NFKC'),
  ],
];

const WRITTEN = new RegExp(RULES.map(([name, pattern]) => `(?<${name}>${pattern})`).join('|'), 'gv');

/** Characters that eSpeak would say aloud: letters, digits and the like. */
const SPEAKABLE = /[\p{L}\p{N}\p{Sc}\p{Sm}%&@©®™§°]/u;

/** A full stop after these does not end a sentence, though Intl.Segmenter says so. */
const ABBREVIATION =
  /(?:^|[\s(])(?:\p{Lu}|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|Nr|Fig|Mme|Mlle|Sra?|Dott|e\.g|i\.e|z\.\s?B|bzw|ca|u\.a)\.\s+$/u;

/** @returns the sentences that have something to say; none for emoji, punctuation or space alone. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let start = 0;
  for (const { index, segment } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const end = index + segment.length;
    if (end < text.length && ABBREVIATION.test(text.slice(start, end))) continue;
    const body = text.slice(start, end);
    const at = start + (body.length - body.trimStart().length);
    start = end;
    const units = unitsOf(body.trim(), at);
    if (units.some(({ say }) => SPEAKABLE.test(say))) sentences.push({ at, len: body.trim().length, units });
  }
  return sentences;
}

function unitsOf(body: string, at: number): Unit[] {
  const units: Unit[] = [];
  let done = 0;
  const plain = (until: number) => {
    for (const say of body.slice(done, until)) {
      units.push({ say, at: at + done, end: at + done + say.length });
      done += say.length;
    }
  };
  for (const match of body.matchAll(WRITTEN)) {
    plain(match.index);
    const [, , say] = RULES.find(([name]) => match.groups?.[name] !== undefined) as (typeof RULES)[number];
    const said = typeof say === 'string' ? say : say(match[0]);
    done = match.index + match[0].length;
    if (said) units.push({ say: said, at: at + match.index, end: at + done });
  }
  plain(body.length);
  return units;
}
