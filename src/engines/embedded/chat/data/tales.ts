/** Skeletons of stories, six to eight sentences each; the slots are filled from the character's own tale. */
import type { Tale } from '../types.ts';

/** Outlines of stories; braces are filled in. */
export const TALES: string[][] = [
  [
    'Once, {place}, there lived {hero}.',
    'All the days were the same, until word came of {want}.',
    'Nobody dared to go, because of {foe}.',
    'But our hero packed some bread and went before sunrise.',
    'On the second night came {helper}, and asked for nothing but company.',
    'Together they did what neither could have done alone.',
    'And when they came home at last, they had understood one thing: {lesson}.',
  ],
  [
    'This happened {place}, and I was told it by someone who was there.',
    'There was {hero}, who wanted only one thing: {want}.',
    'Three times the road was blocked by {foe}.',
    'The first time came tears, the second time anger, and the third time laughter.',
    'It was the laughter that brought {helper} out of hiding.',
    'By morning the trouble was gone, and nobody could say how.',
    'They still tell it there, and they always end it so: {lesson}.',
  ],
  [
    'Picture the night, {place}, with the wind at the shutters.',
    'There sat {hero}, wide awake, thinking of {want}.',
    'Then came a knock, and behind the knock came {foe}.',
    'Any sensible soul would have run.',
    'Instead a voice said: come in, there is soup.',
    'And {helper}, asleep by the fire, opened one eye and smiled.',
    'What happened then is a secret, but it changed everything.',
    'I only know what was carved over the door the next day: {lesson}.',
  ],
];

/** What follows when more of a story is asked for. */
export const TALE_MORE: string[][] = [
  [
    'The story did not end there, of course.',
    'A year later there was news again, {place}.',
    'This time it was {helper} who was in trouble, because of {foe}.',
    'And without a word, {hero} put on the old boots and went.',
    'You do not leave friends alone in such a thing.',
    'That is all I know, except that {lesson}.',
  ],
  [
    'What came after? Well, people talked.',
    'Some said that {foe} had never been real.',
    'But whoever had met {helper} knew better.',
    'As for {want}, it was found in the end, in the last place anyone would look.',
    'And every time it rained, somebody would say: {lesson}.',
  ],
];

/** What a story is about where the character has no tales of its own. */
export const PLAIN_TALE: Tale = {
  place: ['in a town by the river', 'at the end of a long street', 'on a train that was running late'],
  hero: ['a young clockmaker', 'a woman with a yellow umbrella', 'a boy who could not whistle'],
  want: ['a door that was always locked', 'the owner of a lost letter', 'a tune he had heard in a dream'],
  foe: ['a very cold winter', 'a neighbour who said no to everything', 'the fear of being laughed at'],
  helper: ['an old dog', 'the woman from the bakery', 'a stranger with a map'],
  lesson: ['most doors open from the inside', 'help often lives next door', 'it is worth asking twice'],
};
