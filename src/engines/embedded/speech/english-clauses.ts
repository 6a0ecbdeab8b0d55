/** What a recorded English speaker is given of a line: plain ASCII words, at first a short clause so that sound starts soon. */

/** Signs that Flite passes over, in the words an English reader says. `.` and `/` only inside a word: addresses, dates. */
const SAID: [sign: RegExp, words: string][] = [
  [/&amp;|&/g, ' and '],
  [/@/g, ' at '],
  [/(?<=\S)\/(?=\S)/g, ' slash '],
  [/(?<=[a-z])\.(?=[a-z])/gi, ' dot '],
  [/(?<=\d)\s*[*×]\s*(?=\d)/g, ' times '],
  [/\+/g, ' plus '],
  [/=/g, ' equals '],
  [/°/g, ' degrees '],
  [/€\s*(\d[\d.,]*)/g, '$1 euros '],
  [/£\s*(\d[\d.,]*)/g, '$1 pounds '],
  [/#(?=\d)/g, ' number '],
  [/[—–]|\s-\s/g, ', '],
  [/…/g, '... '],
  [/[‘’]/g, "'"],
];
const UNREAD = /[^A-Za-z0-9\s.,;:!?'$%-]/g;

/** @returns the words to say in ASCII, or undefined when the line has letters that an English reader has no sound for. */
export function plainEnglish(spoken: string): string | undefined {
  let plain = spoken
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[øØ]/g, 'o')
    .replace(/ß/g, 'ss')
    .replace(/æ/gi, 'ae');
  if (/[^\p{ASCII}\p{P}\p{S}\p{Z}]/u.test(plain)) return undefined;
  for (const [sign, words] of SAID) plain = plain.replace(sign, words);
  plain = plain.replace(UNREAD, ' ').replace(/\s+/g, ' ').trim();
  return /[A-Za-z0-9$%]/.test(plain) ? plain : undefined;
}

/** A part of a line that is said in one breath. */
export interface Clause {
  spoken: string;
  /** Where it begins in the line, in code points. */
  position: number;
  /** Whether another clause of the same line follows. */
  more: boolean;
}

/** Lines longer than this are begun with their first clause alone. */
const LONG_LINE = 50;
const SHORTEST_CLAUSE = 12;

/** The line whole, or its first clause and the rest. */
export function clausesOf(line: string): Clause[] {
  const whole = [{ spoken: line, position: 0, more: false }];
  if (line.length <= LONG_LINE) return whole;
  for (const { index, 0: mark } of line.matchAll(/[,;:—–]\s+(?=\p{L})/gu)) {
    const end = index + mark.length;
    if (index < SHORTEST_CLAUSE || end > line.length - SHORTEST_CLAUSE) continue;
    return [
      { spoken: line.slice(0, end), position: 0, more: true },
      { spoken: line.slice(end), position: [...line.slice(0, end)].length, more: false },
    ];
  }
  return whole;
}
