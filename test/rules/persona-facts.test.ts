/** What a speaker states about themself is remembered, and nothing else. */
import { describe, expect, test } from '@jest/globals';
import { asSpeakerSaid, MAX_FACTS_PER_TEXT, statedFacts } from '../../src/persona/stated-facts.ts';

/** What is remembered of a text. */
const rememberable = (text: string): string[] => statedFacts(text).map(({ sentence }) => sentence);

const FACTS: [said: string, ...remembered: string[]][] = [
  ['my name is Ada', "The speaker's name is Ada."],
  [
    'Hi! I’m Ada and I live in Paris, my dog is called Rex.',
    "The speaker's name is Ada.",
    'The speaker lives in Paris.',
    "The speaker's dog is called Rex.",
  ],
  ['my name is ada lovelace', "The speaker's name is Ada Lovelace."],
  ['Call me Ishmael.', "The speaker's name is Ishmael."],
  ["I'm 34", 'The speaker is 34 years old.'],
  ['I live in St. Petersburg', 'The speaker lives in St. Petersburg.'],
  ['I live with my mother', 'The speaker lives with their mother.'],
  ['I work as a nurse', 'The speaker works as a nurse.'],
  ['my birthday is on the 3rd of May', "The speaker's birthday is the 3rd of May."],
  ['I was born in Lyon', 'The speaker was born in Lyon.'],
  ['my favorite food is sushi', "The speaker's favourite food is sushi."],
  ['I like chess and long walks', 'The speaker likes chess and long walks.'],
  ["I don't like olives", 'The speaker does not like olives.'],
  ["I don't eat meat", 'The speaker does not eat meat.'],
  ['I never eat fish', 'The speaker never eats fish.'],
  ['I have two sisters, Eve and Mia', 'The speaker has two sisters, Eve and Mia.'],
  ['my brother Tom lives in Berlin', "The speaker's brother Tom lives in Berlin."],
  ['my wife is a doctor', "The speaker's wife is a doctor."],
  ["I'm allergic to peanuts", 'The speaker is allergic to peanuts.'],
  ["I'm not married", 'The speaker is not married.'],
  [
    'My name is José and I am from Peru, but I live in Lima.',
    "The speaker's name is José.",
    'The speaker is from Peru.',
    'The speaker lives in Lima.',
  ],
  ['Vivo en Madrid.', 'The speaker lives in Madrid.'],
  ['Ich heiße Jan und wohne in Bonn.', "The speaker's name is Jan.", 'The speaker lives in Bonn.'],
  ['Ich bin 30 und komme aus Bremen.', 'The speaker is from Bremen.', 'The speaker is 30 years old.'],
  ['Ich heiße Petra, bin 30 und wohne in Ulm.', "The speaker's name is Petra.", 'The speaker lives in Ulm.'],
  ['Seit 2010 wohne ich in Ulm und arbeite als Koch.', 'The speaker lives in Ulm.', 'The speaker works as Koch.'],
  ['Je m’appelle Luc. J’ai 40 ans.', "The speaker's name is Luc.", 'The speaker is 40 years old.'],
  ['東京に住んでいます。', 'The speaker lives in 東京.'],
];

const NO_FACTS = [
  '¿Vivo en Madrid?',
  'No vivo en Madrid.',
  'Wohne ich in Berlin?',
  'Er sagt: «Ich wohne in Berlin»',
  'Sie sagte, sie sei krank und wohne in Köln.',
  'Er behauptet, er heiße Max und komme aus Bremen.',
  'Er meinte, er sei müde und arbeite als Koch.',
  'Ich hörte sie sei krank und wohne in Köln.',
  'Ich glaube, Max sei krank und lebe in Köln.',
  'what is my name?',
  'is my name Ada?',
  'Do you know my name is Ada',
  'my name is not Bob',
  'my name is hard to spell',
  "I'm tired",
  "I'm 34 minutes late",
  'I love it',
  'I love you',
  'I like how you talk',
  'I have a question',
  'call me later',
  'if my name is Bob then what',
  'He said "my name is Bob"',
  'I used to live in Rome',
  'I wish I lived in Paris',
  'maybe I live in Rome',
  'my password is hunter2',
  'My credit card number is 4111',
  'my car is broken',
  'my phone is dead',
  "I'm not a doctor",
  'You are Ada',
  'I would like a cake',
  'My friend is annoying',
  'Do I live in Paris?',
  'she lives in Paris',
  '',
  '...',
];

describe('facts a speaker states', () => {
  test.each(FACTS)('%s', (said, ...remembered) => {
    expect(rememberable(said)).toEqual(remembered);
  });

  test.each(NO_FACTS)('nothing in: %s', (said) => {
    expect(rememberable(said)).toEqual([]);
  });

  test('a remembered sentence can be said again by its speaker', () => {
    const back = (memory: string) => asSpeakerSaid(memory);
    expect(back("The speaker's name is Ada.")).toBe('My name is Ada.');
    expect(back('The speaker lives with their mother.')).toBe('I live with my mother.');
    expect(back('The speaker does not eat meat.')).toBe('I do not eat meat.');
    expect(back('The speaker never eats fish.')).toBe('I never eat fish.');
    expect(back('The museum opens at ten.')).toBeUndefined();
  });

  test('every fact survives the way there and back', () => {
    for (const [, ...remembered] of FACTS.filter(([said]) => !/東京/.test(said))) {
      for (const sentence of remembered) expect(rememberable(asSpeakerSaid(sentence)!)).toEqual([sentence]);
    }
  });

  test('one text yields a few facts at most', () => {
    const many = Array.from({ length: 12 }, (_, index) => `I like thing${index}.`).join(' ');
    expect(rememberable(many)).toHaveLength(MAX_FACTS_PER_TEXT);
  });
});
