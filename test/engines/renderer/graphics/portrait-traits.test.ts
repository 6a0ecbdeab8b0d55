/** What a prompt says is what the portrait shows: the reading of words, of negation and of colours. */
import { describe, expect, test } from '@jest/globals';
import { describePerson } from '../../../../src/engines/embedded/renderer/graphics/portrait/describe.ts';
import {
  COLOURS,
  EYE_COLOURS,
  HAIR_COLOURS,
} from '../../../../src/engines/embedded/renderer/graphics/portrait/lexicon.ts';
import type { PersonTraits } from '../../../../src/engines/embedded/renderer/graphics/portrait/traits.ts';

/** Looks up a trait by path, e.g. 'hair.style'. */
const at = (traits: PersonTraits, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], traits);

const hair = (word: string) => HAIR_COLOURS.get(word) ?? COLOURS.get(word);
const cloth = (word: string) => COLOURS.get(word);
const eyes = (word: string) => EYE_COLOURS.get(word);

const READINGS: [text: string, expected: Record<string, unknown>][] = [
  [
    'a red-haired woman with a blue dress',
    { gender: 'female', 'hair.colour': hair('red'), clothes: 'dress', clothesColour: cloth('blue') },
  ],
  [
    'a woman with long black hair and green eyes in a red dress',
    { 'hair.colour': hair('black'), eyes: eyes('green'), clothesColour: cloth('red') },
  ],
  [
    'her hair is pink and her dress is yellow',
    { 'hair.colour': hair('pink'), clothesColour: cloth('yellow'), gender: 'female' },
  ],
  [
    'a blonde man in a green hoodie',
    { gender: 'male', 'hair.colour': cloth('blonde'), clothes: 'hoodie', clothesColour: cloth('green') },
  ],
  [
    'a blue-eyed boy with a red cap',
    { age: 'child', eyes: eyes('blue'), hat: 'cap', hatColour: cloth('red'), beard: 'none' },
  ],
  [
    'a man with a white beard and a purple robe',
    { beard: 'full', 'hair.colour': hair('white'), clothes: 'robe', clothesColour: cloth('purple') },
  ],
  ['a man with brown hair and a long beard', { 'hair.colour': hair('brown'), beard: 'long' }],
  ['a man with long hair and a beard', { beard: 'full' }],
  ['a bald man with a goatee', { 'hair.style': 'bald', beard: 'goatee' }],
  [
    'a clean-shaven man in a navy suit with a red tie',
    { beard: 'none', clothes: 'suit', clothesColour: cloth('navy'), accentColour: cloth('red') },
  ],
  ['a woman with a bob and round glasses', { 'hair.style': 'bob', glasses: 'round' }],
  ['a woman wearing sunglasses', { glasses: 'sun' }],
  ['a blind man with dark glasses', { glasses: 'sun' }],
  ['a blues musician in tinted spectacles', { glasses: 'sun' }],
  ['an elderly lady with hair in a bun', { age: 'old', 'hair.style': 'bun', gender: 'female' }],
  ['a 7 year old girl', { age: 'child', gender: 'female' }],
  ['a 70 years old man', { age: 'old' }],
  ['Merlin the wizard', { hat: 'wizard', beard: 'long', clothes: 'robe', age: 'old', gender: 'male' }],
  ['a witch', { hat: 'wizard', beard: 'none', gender: 'female' }],
  ['a chef', { hat: 'chef', clothes: 'chef', background: 'kitchen' }],
  ['a girl with a red flower in her hair', { extras: ['hair-flower'], extraColour: cloth('red') }],
  ['a cat with a pink bow', { extras: ['hair-bow'], extraColour: cloth('pink') }],
  ['a rapper with a gold chain and a nose ring', { extras: ['chain', 'nose-ring'] }],
  ['a woman with vitiligo, without a scarf', { extras: ['vitiligo'] }],
  [
    'a man in a blue suit with a yellow scarf',
    { extras: ['scarf'], extraColour: cloth('yellow'), clothesColour: cloth('blue') },
  ],
  ['a man with one blue eye and one green eye', { eyes: eyes('blue'), eyeAtRight: eyes('green') }],
  ['a woman with two green eyes', { eyes: eyes('green'), eyeAtRight: undefined }],
  ['a cardinal of the church', { hat: 'skullcap', clothes: 'gown', age: 'old' }],
  ['an elf with a green hat', { hat: 'beanie', hatColour: cloth('green') }],
  ['a viking', { hat: 'horned' }],
  ['a mariachi with a sombrero', { hat: 'sombrero' }],
  ['Mike, a coach with a whistle', { gender: 'male', extras: ['whistle'] }],
  ['a friendly doctor', { clothes: 'labcoat', stethoscope: true, mood: 'smile' }],
  ['an astronaut', { hat: 'space', clothes: 'spacesuit', background: 'space' }],
  ['a knight', { hat: 'helmet', clothes: 'armour' }],
  ['a robot', { species: 'robot', beard: 'none' }],
  ['a sad clown', { species: 'clown', beard: 'none', mood: 'sad', clothes: 'ruff', 'hair.style': 'afro' }],
  ['a clown with a green wig and straight hair', { mood: 'cheerful', 'hair.style': 'straight' }],
  ['a vampire', { skin: '#ecdfdc', eyes: '#b02626', mood: 'serious' }],
  ['a woman in a teal hijab', { hat: 'hijab', hatColour: cloth('teal') }],
  ['a worker with a yellow hard hat', { hat: 'hardhat', hatColour: cloth('yellow') }],
  ['a black woman with an afro', { skin: '#6b4430', 'hair.style': 'afro' }],
  ['a man in black', { clothesColour: cloth('black') }],
  [
    'a cheerful woman on a green background',
    { mood: 'cheerful', background: 'studio', backgroundColour: cloth('green') },
  ],
  ['a woman with red lipstick', { makeup: true, lipstick: cloth('red') }],
  ['Emma, a kind listener', { gender: 'female', mood: 'smile' }],
  ['Oliver, who loves chess', { gender: 'male' }],
  ['a teacher with no glasses', { glasses: 'none', background: 'library' }],
  ['a wizard without a hat or a beard', { hat: 'none', beard: 'none', clothes: 'robe' }],
  ['a king without a crown', { hat: 'none', clothes: 'robe' }],
  ['a doctor without a stethoscope, with glasses', { stethoscope: false, glasses: 'square' }],
  ['a man with no beard but with a moustache', { beard: 'moustache' }],
  ['a woman without makeup', { makeup: false }],
  ['a blue alien diplomat', { species: 'alien', skin: cloth('blue') }],
  ['a red robot bartender', { species: 'robot', skin: cloth('red') }],
  ['Ingrid, a Viking shieldmaiden with two blonde braids', { gender: 'female', beard: 'none' }],
  ['a Viking', { gender: 'male' }],
  ['the Pope, who answers letters', { gender: 'male' }],
  ['a leprechaun', { gender: 'male' }],
  ['a baron', { gender: 'male' }],
  ['an abbot', { gender: 'male' }],
  ['a countess', { gender: 'female' }],
  ['a baroness', { gender: 'female' }],
  ['a priestess', { gender: 'female' }],
  ['an abbess', { gender: 'female' }],
  ['a huntress', { gender: 'female' }],
  ['Thor, god of thunder, with long blond hair', { gender: 'male' }],
  ['Medusa', { gender: 'female', beard: 'none' }],
  ['a strict nun', { gender: 'female', hat: 'hijab' }],
  ['a newborn baby', { age: 'child' }],
  ['a woman in a baby blue dress', { clothesColour: cloth('skyblue') }],
  ['a drag queen with a huge pink wig', { 'hair.colour': hair('pink'), gender: 'female' }],
  ['a judge in a powdered wig', { hat: 'wig' }],
  ['a Maasai warrior', { skin: '#6b4430' }],
  ['a dancer in a green sari', { clothes: 'dress', clothesColour: cloth('green') }],
  ['a girl with purple hair in two buns', { 'hair.style': 'buns', 'hair.colour': hair('purple') }],
  ['a grandmother with grey braids', { 'hair.style': 'braids', 'hair.colour': hair('grey') }],
  ['a girl with pigtails', { 'hair.style': 'pigtails' }],
  ['an artist with an undercut dyed blue', { 'hair.colour': hair('blue'), hat: 'none' }],
  ['an artist', { hat: 'beret' }],
  ['a punk in a leather jacket', { clothes: 'jacket', clothesColour: cloth('black') }],
  ['a biker in a red leather jacket', { clothes: 'jacket', clothesColour: cloth('red') }],
  ['a goth girl', { clothesColour: cloth('black') }],
  // Personalities: what was, what others look like and what a calling is not are no looks of the sitter.
  ['Nana Rose is a grandmother. Her late husband had a long beard', { gender: 'female', beard: 'none' }],
  ['Ana has red hair. Her best friend has green hair', { 'hair.colour': hair('red') }],
  ['Ana loves animals. Her dog is brown, and she has red hair', { 'hair.colour': hair('red') }],
  ['You are my yoga teacher with round glasses and pink hair', { glasses: 'round', 'hair.colour': hair('pink') }],
  ['Diego used to have long hair, but he shaved it off', { 'hair.style': 'buzz' }],
  ['Tom used to have a thick beard', { beard: 'none' }],
  ['a software engineer', { hat: 'none' }],
  ['an engineer', { hat: 'hardhat' }],
  ['a priest with a clerical collar', { clothes: 'gown', extras: [] }],
  ['a man with a receding hairline', { 'hair.style': 'balding' }],
  ['a priest with thinning grey hair', { 'hair.style': 'balding', 'hair.colour': hair('grey') }],
  ["Eleanor is a teacher. She's 70, and kind", { age: 'old' }],
  ['Yuki, 19, is an artist', { age: 'young' }],
  ['a superhero with a blue mask and a silver cape', { maskColour: cloth('blue'), clothesColour: cloth('silver') }],
  ['a tea master from Hangzhou in a jade green qipao', { clothes: 'changshan', clothesColour: cloth('emerald') }],
  ['a headmistress in a purple headwrap', { hat: 'turban', hatColour: cloth('purple') }],
  ['a retired astrophysicist from Accra', { skin: '#6b4430' }],
  ['Abraham Lincoln', { gender: 'male', hat: 'tophat', beard: 'full' }],
];

test.each(READINGS)('%s', (text, expected) => {
  for (const seed of [1, 2, 3]) {
    const traits = describePerson(text, seed);
    for (const [path, value] of Object.entries(expected))
      expect({ path, value: at(traits, path) }).toEqual({ path, value });
  }
});

describe('what is denied never appears, whatever the seed', () => {
  const seeds = Array.from({ length: 60 }, (_, i) => i * 7919);
  test.each<[string, (t: PersonTraits) => boolean]>([
    ['an old man, not bald', (t) => t.hair.style === 'bald' || t.hair.style === 'balding'],
    ['a man without a beard', (t) => t.beard !== 'none'],
    ['a grandmother with no glasses', (t) => t.glasses !== 'none'],
    ['a woman, no freckles, no earrings', (t) => t.freckles || t.earrings],
    ['a man who is not old', (t) => t.age === 'old'],
  ])('%s', (text, wrong) => {
    expect(seeds.filter((seed) => wrong(describePerson(text, seed)))).toEqual([]);
  });
});

test('words count whole: "caption", "kingdom" and "beardsley" name no hat and no beard', () => {
  const seeds = Array.from({ length: 20 }, (_, i) => i);
  for (const seed of seeds)
    expect(describePerson('a woman of the kingdom reads a caption by Beardsley', seed)).toMatchObject({
      hat: 'none',
      beard: 'none',
    });
});

test('the seed makes people of one description differ in hair and clothes', () => {
  const people = Array.from({ length: 30 }, (_, i) => describePerson('a woman', i));
  expect(new Set(people.map((t) => t.hair.style)).size).toBeGreaterThan(4);
  expect(new Set(people.map((t) => t.clothes)).size).toBeGreaterThan(4);
});
