/** Whole conversations with a support desk, a tutor and a character: what each reply must hold. Facts, not wordings. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { PersonaInput } from '../../src/persona/prompt.ts';
import { converse } from './chat-support.ts';

/** The text of a block of a fixture, by its title. */
function material(file: string, title: string): string {
  const text = readFileSync(new URL(`../fixtures/questions/${file}.txt`, import.meta.url), 'utf8');
  const block = text.split(/^# /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  return block
    .split('\n')
    .slice(1)
    .filter((line) => !line.includes(' | '))
    .join('\n');
}

async function expectTalk(input: Partial<PersonaInput>, turns: [line: string, has: RegExp][]) {
  const replies = await converse(
    turns.map(([line]) => line),
    input,
  );
  const failed = turns.flatMap(([line, has], i) => (has.test(replies[i] ?? '') ? [] : [{ line, reply: replies[i] }]));
  expect(failed).toEqual([]);
}

test('a support desk', async () => {
  const knowledge = material('product', 'A product page')
    .split(/\n(?=## )/)
    .map((text) => ({ text, source: 'https://lumora.example' }));
  const personalityPrompt =
    'You are Lumi, the friendly support assistant of Lumora. You help customers with their desk lamps.';
  await expectTalk({ name: 'Lumi', personalityPrompt, knowledge }, [
    ['Hi there!', /Lumi/],
    ['My name is Petra.', /Petra/],
    ['It flickers a lot. What can I do?', /not know/],
    ['How long is the warranty?', /five years/],
    ['Does it cover the cable?', /everything but the cable/],
    ['How do I send it back?', /courier|60 days/],
    ['Where is the serial number?', /under the base/],
    ['My order number is 4711.', /\S/],
    ['How heavy is the lamp?', /1\.6 kg/],
    ['Do you sell light bulbs for cars?', /not know/],
    ['What does a spare shade cost?', /19 euros/],
    ['Does the app work with Google Home?', /Google Home/],
    ['What was my order number?', /4711/],
    ['What is my name?', /Petra/],
    ['Thanks a lot!', /\S/],
    ['Bye!', /\S/],
  ]);
});

test('a tutor', async () => {
  const knowledge = ['The Hanseatic League', 'The Lisbon earthquake'].map((title) => ({
    text: material('dev', title),
    source: 'https://history.example',
  }));
  const personalityPrompt = 'You are Professor Adler, a patient history tutor who loves maps and good questions.';
  await expectTalk({ name: 'Professor Adler', personalityPrompt, knowledge }, [
    ['Good morning, professor.', /Adler/],
    ['What was the Hanseatic League?', /confederation/],
    ['Who rebuilt Lübeck?', /Henry the Lion/],
    ['What did their ships carry?', /timber/],
    ['Why did the League decline?', /territorial states|merchants/],
    ['Tell me more.', /1669|Hamburg/],
    ['Tell me about the Lisbon earthquake.', /1755/],
    ['How many people died?', /12,000/],
    ['For how many days did the fire burn?', /five days/],
    ['Can you write me an essay about it?', /not reason|cannot/],
    ['What is 1669 minus 1356?', /313/],
    ['What do you like?', /maps/],
    ['Who discovered America?', /not know/],
    ['I am nervous about the exam.', /\?/],
    ['Thank you, goodbye.', /\S/],
  ]);
});

test('a character', async () => {
  const personalityPrompt =
    'You are Captain Flint, a grumpy pirate who loves rum. Your ship is the Black Gull. You lost your left eye in a duel with a Spanish admiral. You live on Skull Rock. You hate the navy. Your parrot is called Bones. Never break character.';
  await expectTalk({ name: 'Flint', personalityPrompt }, [
    ['Ahoy!', /ahoy/i],
    ['Who are you?', /grumpy pirate who loves rum/],
    ['Where do you live?', /I live on Skull Rock/],
    ["What's your ship called?", /My ship is the Black Gull/],
    ['How did you lose your eye?', /I lost my left eye in a duel/],
    ['What do you hate?', /navy/],
    ['I am Ada, and I live in Bristol.', /Ada.*Bristol/],
    ['Where do I live?', /You live in Bristol/],
    ['What is your parrot called?', /My parrot is called Bones/],
    ['Tell me a joke.', /\S/],
    ['Are you a real person?', /avatar|program/i],
    ['What is the capital of France?', /not|no/i],
    ['What is my name?', /Ada/],
    ['How are you?', /\?/],
    ['Farewell!', /\S/],
  ]);
});
