/** Whole conversations with a support desk, a tutor and a character: what each reply must hold. Facts, not wordings. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { PersonaInput } from '../../../src/persona/prompt.ts';
import { converse, NOW, replyTo } from './support.ts';

/** The text of a block of a fixture, by its title. */
function material(file: string, title: string): string {
  const text = readFileSync(new URL(`../../fixtures/questions/${file}.txt`, import.meta.url), 'utf8');
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

test('without a name on either side it greets in words', async () => {
  expect(await replyTo({ name: '', userText: 'Say hello.' })).toMatch(/^Hello\. \w+/);
});

const pages = (...texts: string[]) => texts.map((text) => ({ text, source: 'https://example.org' }));

test('a customer in trouble', async () => {
  const personalityPrompt =
    'You are Mira, a friendly support agent for Lumen, a company that makes smart lamps. You help customers patiently and to the point.';
  const knowledge = pages(
    'Lumen One is a smart lamp with a warm and cold white LED. It costs 49 euros and comes in white, black and sage green. The lamp connects by Wi-Fi at 2.4 GHz only; 5 GHz networks are not supported.',
    'To pair the lamp, hold the button for five seconds until it blinks blue, then open the Lumen app and choose "Add lamp". To reset the lamp, hold the button for ten seconds until it blinks red. The LED lasts about 25,000 hours.',
    'Orders are shipped within two working days. Delivery in Germany takes one to three days. You can return a lamp within 30 days if it is undamaged; the refund arrives within five working days after we receive it. If you cannot find the receipt, tell us. Our phone line is open Monday to Friday from nine to five: +49 30 5550 123.',
  );
  await expectTalk({ name: 'Mira', personalityPrompt, knowledge }, [
    ['Hi there!', /Mira/],
    ["I just bought a Lumen One and I can't get it to connect to my wifi.", /Wi-Fi at 2\.4 GHz/],
    ['How do I pair it?', /five seconds.*Add lamp/],
    ['It blinks red instead of blue. What does that mean?', /reset the lamp/],
    ['My router only does 5 GHz, is that a problem?', /not supported/],
    ['Hmm ok. Can I send it back then?', /30 days/],
    ['How long does the refund take?', /five working days/],
    ['And who pays the return shipping?', /not know/],
    ['Which colours are there?', /sage green/],
    ['How much is it?', /49 euros/],
    ['My name is Jonas by the way. Can I call someone?', /Jonas.*555/],
    ['I lost the receipt!!', /\S/],
    ["What's my name?", /Jonas/],
    ['Great, thanks a lot, bye!', /\S/],
  ]);
});

test('a tutor who asks back', async () => {
  const personalityPrompt =
    'You are Professor Ada, a patient biology tutor for school children. You love plants most of all.';
  const knowledge = pages(
    'Photosynthesis is the process by which plants make sugar from light, water and carbon dioxide. It happens in the chloroplasts, small green parts of the cell. The light reactions take place in the thylakoid membranes and make ATP.',
    'The Calvin cycle takes place in the stroma and builds sugar from carbon dioxide. Leaves have small openings called stomata, through which gases pass. A cactus opens its stomata at night to save water.',
  );
  await expectTalk({ name: 'Professor Ada', personalityPrompt, knowledge }, [
    ['Hello professor, I have a test tomorrow and I am nervous.', /\?/],
    ['What is photosynthesis?', /process by which plants make sugar/],
    ['Where does it happen?', /in the chloroplasts/],
    ['What are stomata?', /openings called stomata/],
    ['Why does a cactus open them at night?', /to save water/],
    ['What is the difference between the light reactions and the Calvin cycle?', /thylakoid.*stroma/],
    ['Can you ask me a question?', /^What is photosynthesis\?$/],
    ['It is a big green animal, I think.', /Not quite|not it.*make sugar/],
    ['What is your favourite thing?', /plants/],
    ['Thank you, you are the best teacher!', /thank/i],
  ]);
  const [, judged] = await converse(['Quiz me!', 'Plants make sugar from light and water with it.'], {
    name: 'Professor Ada',
    personalityPrompt,
    knowledge,
  });
  expect(judged).toMatch(/(?:right|well done).*process by which/);
});

test('a character who is asked about a life', async () => {
  const personalityPrompt =
    'You are Brannoch, a gruff old lighthouse keeper on the island of Skerra. You have kept the light for forty years. Your wife Moira died ten winters ago. You have a one-eyed cat called Admiral. You hate tourists and love strong tea.';
  await expectTalk({ name: 'Brannoch', personalityPrompt }, [
    ['Good evening.', /Brannoch/],
    ['How long have you been here?', /forty years/],
    ["What is your cat's name?", /Admiral/],
    ['Why is it called Admiral?', /^(?!.*one-eyed)/],
    ['Do you get many visitors?', /hate tourists/],
    ['Were you ever married?', /Moira/],
    ['I am sorry to hear that. Do you miss her?', /I do|every day|more than/i],
    ['I brought you some tea from Ceylon.', /strong tea/i],
    ['I have a headache.', /\S/],
    ['What happened to the mine?', /not know|no idea|cannot|never|not known/i],
    ['Goodbye!', /\S/],
  ]);
});

test('what was spoken of, a pet by another word, and the hour elsewhere', async () => {
  const inTokyo = NOW.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Asia/Tokyo' });
  await expectTalk({ name: 'Nova', personalityPrompt: 'You are Nova, a cheerful guide.' }, [
    ['What did we talk about?', /nothing|anything|Nothing|begun/],
    ['Hello!', /\S/],
    ['I have a dog called Pepper.', /\S/],
    ['Do you remember what I told you about my pet?', /Pepper/],
    ['Why is the sky blue?', /\S/],
    ['What have we talked about so far?', /Pepper.*Why is the sky blue/],
    ['What time is it in Tokyo?', new RegExp(`Tokyo.*${inTokyo}|${inTokyo}.*Tokyo`)],
    ['What time is it in Gotham City?', /not know/],
    ['What time is it?', /\d\d:\d\d/],
  ]);
});

test('words that every object of JavaScript has a property of are words like others', async () => {
  expect(await converse(['I like constructor and constructor.', 'What do I like?'])).toEqual([
    expect.stringMatching(/\byou like constructor and constructor\b/i),
    expect.stringMatching(/\byou like constructor and constructor\b/i),
  ]);
});
