/**
 * Mends slips of the pen in the names of things: a word that no list knows, where a thing must be named, and that is one
 * or two letters away from one that can be drawn.
 */
import { LEXICON } from './nouns.ts';
import { isHeardOf } from './thing-words.ts';

/** Where a thing is named: behind an article, before what is said of it. */
const NAMED =
  /(?<=(?:^|[^\p{L}])(?:an?|two|three|four|five|six|some|my)(?: \p{L}+){0,2} )(\p{L}{5,})(?= (?:on|in|at|with|of|by|under|over|above|near|beside|behind|and|or|from|to|for|that|who|is|are)(?!\p{L})|[^\p{L}' -]|$)/gu;

let targets: string[] | undefined;

/** The text with such words as they are spelt. */
export function spelled(text: string): string {
  return text.replace(NAMED, (word) => {
    if (isHeardOf(word)) return word;
    const most = word.length < 7 ? 1 : 2;
    targets ??= [...LEXICON.keys(), 'portrait', 'mountain', 'forest', 'garden', 'beach', 'street'].filter((one) =>
      /^[a-z]{5,}$/.test(one),
    );
    let best = word;
    let least = most + 1;
    for (const one of targets) {
      if (one[0] !== word[0] || Math.abs(one.length - word.length) > most) continue;
      const far = distance(word, one);
      if (far < least) [best, least] = [one, far];
    }
    return best;
  });
}

/** Letters to add, leave out, change or swap with their neighbour. */
function distance(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1];
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (isSame ? 0 : 1),
      );
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row[j] = least;
    }
    [before, last] = [last, row];
  }
  return last[other.length] as number;
}
