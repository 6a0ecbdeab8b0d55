/** No text makes its reader slow: what is read for meaning is read in a time that grows with its length. */
import { expect, test } from '@jest/globals';
import { statedFacts } from '../../src/persona/facts.ts';
import { disclosable } from '../../src/text/confidential.ts';
import { sentences } from '../../src/text/sentences.ts';
import { terms } from '../../src/text/terms.ts';

/** The longest text of any field: a memory's. */
const CHARS = 8_000;
/** Where time grows with the square or the cube of the length, it is many seconds. */
const MOST_MS = 2_000;

const REPEATED = [
  '  ',
  '\t',
  'a',
  '1,',
  '. ',
  '"',
  "a'",
  '\u0301',
  '👩‍👩‍👧',
  '漢',
  ' \n',
  'I ',
  'and my ',
  'never tell ',
  'St. ',
];
const READERS: [string, (text: string) => unknown][] = [
  ['facts', statedFacts],
  ['terms', terms],
  ['sentences', sentences],
  ['what may be told', (text) => disclosable([{ text, rules: true }])],
];

test.each(READERS)('%s', (_, read) => {
  for (const repeated of REPEATED) {
    const text = `My ${repeated.repeat(CHARS / repeated.length)}x`;
    const begin = performance.now();
    read(text);
    expect([repeated, performance.now() - begin < MOST_MS]).toEqual([repeated, true]);
  }
});
