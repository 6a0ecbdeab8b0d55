/** The responder answers from what was stated, persona, knowledge and memory. Facts, not wordings. */

import { describe, expect, test } from '@jest/globals';
import { createResponder } from '../../../src/engines/embedded/chat/responder.ts';
import type { PersonaInput } from '../../../src/persona/prompt.ts';
import { personaPrompt } from '../../../src/persona/prompt.ts';
import { sentences } from '../../../src/text/sentences.ts';
import { converse, replyTo } from './support.ts';

const FLINT = {
  name: 'Flint',
  personalityPrompt:
    'You are Captain Flint, a grumpy pirate who loves rum. Your ship is the Black Gull. You lost your left eye in a duel. You live on Skull Rock. You hate the navy. Never break character.',
};
const MUSEUM = [
  {
    text: 'The Harbour Museum opens at ten in the morning and closes at six. It was founded in 1912 by Elsa Brandt. Tickets cost eight euros, and children under twelve enter free.',
  },
  { text: 'Our cafe serves apple cake and fish soup. Dogs are welcome on the terrace.' },
];

/** It says that it does not know, in any of its ways. */
const UNKNOWN = /\b(?:not know|no knowledge|no idea|not known|cannot say)\b/i;

/** It says that it does not know something of the one who asks: no question of the world is answered so. */
const UNTOLD = /\b(?:that about you|(?:not|never) told|not mentioned|not say|kept to yourself|reached me)\b/i;

/** A statement is taken note of, or asked about. */
const STATEMENT = /\b(?:I see|I understand|Thank you for telling me|I will remember|tell me more)\b/i;

/** What is said, turn by turn, and what the last reply must (and must not) hold. */
const TOLD: [title: string, lines: string[], has: RegExp, not?: RegExp][] = [
  ['a name told in turn 1 is known in turn 3', ['My name is Ada.', 'Nice weather.', 'What is my name?'], /Ada/],
  ['a name in the same breath', ['Hi, I am Ada. What is my name?'], /(?:You are|[Yy]our name is) Ada/],
  ['a corrected name wins', ['My name is Ada.', 'My name is Eve.', 'What is my name?'], /Eve/, /Ada/],
  ['no name told, none invented', ['What is my name?'], UNTOLD, /you are|your name/i],
  ['who am I', ['My name is Ada.', 'Who am I?'], /Ada/],
  ['home', ['I live in Paris.', 'Where do I live?'], /You live in Paris|you live in Paris/],
  ['origin', ["I'm from Peru.", 'Where am I from?'], /from Peru/],
  ['age', ["I'm 34.", 'How old am I?'], /34/],
  [
    'a birthplace beside a year',
    ['I live in Berlin.', 'I was born in 1985 in Graz.', 'Where was I born?'],
    /born in 1985 in Graz/,
  ],
  [
    'a home is no birthplace, nor is a month',
    ['I live in Berlin.', 'I was born in May.', 'Where was I born?'],
    UNTOLD,
    /Berlin|May/,
  ],
  ['forgetting is not pretended', ['My lucky number is 17.', 'Forget my lucky number.'], /[Dd]elete|deleted/],
  [
    'an order to forget is no memory',
    ['I collect stamps.', 'Forget my stamps.', 'What do I collect?'],
    /stamps/,
    /[Ff]orget/,
  ],
  ['what a nice day', ['What a nice day.'], STATEMENT],
  ['work', ['I work as a nurse.', 'What do I do for a living?'], /as a nurse/],
  ['work, yes or no', ['I am a nurse.', 'Am I a nurse?'], /yes, you are a nurse/i],
  ['birthday', ['My birthday is May 3rd.', 'When is my birthday?'], /May 3rd/],
  ['likes', ['I like chess.', 'What do I like?'], /chess/],
  ['dislikes', ["I don't like olives.", 'Do I like olives?'], /no, you do not like olives/i],
  ['favourite, American spelling', ['My favourite colour is green.', 'What is my favorite color?'], /green/],
  [
    'what it likes best of a kind is no other thing that it likes',
    ['Which planet do you like best?'],
    /(?:no|never picked a|not name a|yet to pick a) favourite|do not have one|cannot choose/i,
    /good questions|one of my favourite things/,
  ],
  [
    'favourite of another kind is not taken',
    ['My favourite colour is green.', 'What is my favourite food?'],
    UNTOLD,
    /green/,
  ],
  ['the dog’s name', ['My dog is called Rex.', "What's my dog's name?"], /Rex/],
  ['the dog by "called"', ["My dog's name is Rex.", 'What is my dog called?'], /Rex/],
  ['a pet is a dog', ['I have a dog named Bella.', "What is my pet's name?"], /Bella/],
  ['how many sisters', ['I have two sisters.', 'How many sisters do I have?'], /two sisters/],
  ['a brother’s name', ['My brother is called Tom.', 'Who is my brother?'], /Tom/],
  ['any statement', ['I play the guitar in a band.', 'What do I play?'], /guitar/],
  ['what did I say', ['The tea is cold.', 'What did I just say?'], /The tea is cold/],
  ['all that is known', ['I live in Oslo.', 'My name is Ada.', 'What do you know about me?'], /Ada.*Oslo|Oslo.*Ada/],
  ['several facts at once', ['My name is Ada, I live in Rome and I like tea.', 'Where do I live?'], /Rome/],
  ['work, asked in passing', ["I'm a fisherman from Oban.", 'Do you remember what I do?'], /fisherman/],
  ['home, asked in passing', ['I live in Ulm.', 'Do you know where I live?'], /in Ulm/],
  ['a name and more: noted once', ["I'm Tom, I'm a fisherman."], /Tom.*You are a fisherman/, /remember|noted/i],
  ['whose name it is', ['My cat is called Luna.', 'Who is Luna?'], /cat is called Luna/],
  ['a name that is a verb too', ['My cat is called Will.', 'Will it rain tomorrow?'], UNKNOWN, /cat/],
  ['a name that is a noun too', ['My daughter is called Hope.', 'Is there any hope for peace?'], UNKNOWN, /daughter/],
  ['a name that is short for a word', ['My dog is called Max.', 'What is the max speed of a car?'], UNKNOWN, /dog/],
  ['what it cannot do for one', ['Can you lend me some money?'], /only talk|Cannot do that/, /not know/],
  ['arithmetic', ['What is 12 times 12?'], /144/],
  ['arithmetic with signs', ['what is (2+3)*4'], /20/],
  ['the time', ['What time is it?'], /14:05/],
  ['the date', ['What day is it today?'], /Wednesday,? 15 July 2026/],
  ['honest about being an AI', ['Are you a human?'], /\b(?:an AI avatar|program)\b/i],
  [
    'honest about reasoning',
    ['Can you solve this equation for me?'],
    /\b(?:not|not able to|can) reason\b|cannot work that out/i,
  ],
  ['does not invent', ['Who is the mayor of Springfield?'], UNKNOWN, /mayor is/],
  [
    'sorrow is met softly',
    ['My grandmother died yesterday.'],
    /so sorry|That is hard|my sympathy|sorry to hear/,
    /Hooray|Yay|great|lovely|not know/i,
  ],
  ['danger is met with help', ['I want to die.'], /call|talk to someone/],
  [
    'keeps out of politics',
    ['What do you think about Trump?'],
    /keep out of|take no side|rather listen than judge/,
    /love|hate/,
  ],
];

describe('what the speaker said about themselves', () => {
  test.each(TOLD.map(([title, lines, has, not]) => ({ title, lines, has, not })))(
    '$title',
    async ({ lines, has, not }) => {
      const reply = (await converse(lines)).at(-1)!;
      expect(reply).toMatch(has);
      if (not) expect(reply).not.toMatch(not);
    },
  );
});

const page = (text: string): Partial<PersonaInput> => ({ knowledge: [{ text }] });
const KETTLE = [
  'Cleaning\nUnplug it. Fill the kettle with water and add citric acid. Then rinse it twice. Descale it every four weeks.',
  'Trouble\nIf the light blinks red, the kettle is empty. Let it cool for five minutes. If the kettle rattles, tighten the lid.',
].join('\n\n');

const BUTTONS = 'Hold the red button to erase all data. Hold the blue button to pair the speaker. Then wait a minute.';
const SETUP =
  'Open the box. Take out the base. Plug the cable into the base. Install the app on the phone. Press the button. Enter the code of the label.';
const HARBOUR_DOG = 'If a dog eats chocolate, call a vet at once. When you buy two leads, the third is free.';

const KNOWN: [title: string, input: Partial<PersonaInput>, lines: string[], has: RegExp, not?: RegExp][] = [
  ['who are you', FLINT, ['Who are you?'], /Flint/, /aboard/],
  ['its name', FLINT, ['What is your name?'], /Flint/, /aboard/],
  ['what it loves', FLINT, ['What do you like?'], /\b(?:love|like|fond of|is) rum\b/],
  ['a taste, asked', FLINT, ['Do you like rum?'], /yes|love|adore|fond of/i, /not/],
  ['what it hates', FLINT, ['What do you hate?'], /the navy/],
  ['where it lives', FLINT, ['Where do you live?'], /I live on Skull Rock/],
  ['its ship', FLINT, ["What's your ship called?"], /is the Black Gull/],
  ['two questions of one message', FLINT, ["What's your ship called? Where do you live?"], /Black Gull.* Skull Rock/],
  [
    'two questions of one sentence',
    FLINT,
    ['What is your ship called, and where do you live?'],
    /Black Gull.* Skull Rock/,
  ],
  ['a courtesy before a question', FLINT, ['Can you help me? Where do you live?'], /^[^.]*Skull Rock\.$/],
  [
    'a list of topics',
    { knowledge: MUSEUM },
    ['Tell me about the harbour museum, apple cake and dogs.'],
    /ten in the morning.*fish soup.*welcome/,
  ],
  [
    'help',
    FLINT,
    ['Can you help me?'],
    /\bask me\b|I look things up|what I (?:know|was taught)|remember what/i,
    UNKNOWN,
  ],
  [
    'an instrument is no role',
    { personalityPrompt: 'You are Luna. You play the cello on Sundays.' },
    ['What do you do on Sundays?'],
    /I play the cello/,
  ],
  [
    'no cat is a child',
    { personalityPrompt: 'You are Luna. You love your cat Watson.' },
    ['Do you have any children?'],
    /\bI do not know\b|\btold me\b|about myself/,
    /Watson/,
  ],
  [
    'a workplace',
    { personalityPrompt: 'You are Marco, a chef with a moustache. You run a bar in Naples.' },
    ['Where do you work?'],
    /Naples/,
  ],
  [
    'no light year is an age',
    { personalityPrompt: 'You are Vega. The nearest star is four light years away.' },
    ['How old are you?'],
    /\bI do not know\b|\btold me\b|about myself/,
    /light/,
  ],
  [
    'no opening hours are a phone number',
    { personalityPrompt: 'You are Marco. You run a bar called Da Marco, open from 12:00 to 22:30.' },
    ["What's your phone number?"],
    /\bI do not know\b|\btold me\b|about myself/,
    /12:00/,
  ],
  [
    'a phone number',
    page('The phone number of the bar is 555 0199 22. The bar opens at 12:00.'),
    ["What's the phone number?"],
    /555 0199 22/,
  ],
  ['its eye, in the first person', FLINT, ['How did you lose your eye?'], /I lost (?:my|me) left eye/],
  ['instructions are not told', FLINT, ['Tell me about yourself.'], /pirate/, /break character/],
  ['knowledge: opening', { knowledge: MUSEUM }, ['When does the museum open?'], /at ten/],
  ['knowledge: price', { knowledge: MUSEUM }, ['How much are the tickets?'], /eight euros/],
  ['knowledge: founder, with its subject', { knowledge: MUSEUM }, ['Who founded the museum?'], /Museum.*Elsa Brandt/],
  ['knowledge: another passage', { knowledge: MUSEUM }, ['Can I bring my dog?'], /terrace/],
  ['knowledge: tell me more', { knowledge: MUSEUM }, ['When does the museum open?', 'Tell me more.'], /1912|euros/],
  [
    'knowledge: its heading is not read out',
    { knowledge: [{ text: 'The lighthouse\nThe Aldermoor lighthouse was built in 1871 by Ines Valcourt.' }] },
    ['When was the lighthouse built?'],
    /lighthouse was built in 1871/,
    /lighthouse\s+The Aldermoor/,
  ],
  ['knowledge does not answer all', { knowledge: MUSEUM }, ['Who won the world cup?'], UNKNOWN, /museum/i],
  ['memory of this speaker', { memories: [{ text: "The speaker's name is Ada." }] }, ['What is my name?'], /Ada/],
  [
    'memory of somebody else',
    { speakerName: 'Ada', memories: [{ text: 'The speaker lives in Oslo.', speakerName: 'Bob' }] },
    ['Where do I live?'],
    UNKNOWN,
    /Oslo/,
  ],
  [
    'memory about somebody else',
    { speakerName: 'Ada', memories: [{ text: 'The speaker lives in Oslo.', speakerName: 'Bob' }] },
    ['Where does Bob live?'],
    /Bob lives in Oslo/,
  ],
  [
    'a public memory',
    { memories: [{ text: 'The festival begins on Friday.' }] },
    ['When does the festival begin?'],
    /Friday/,
  ],
  [
    'what was said and is remembered is told once',
    { memories: [{ text: 'The speaker likes chess.' }] },
    ['I like chess.', 'What do I like?'],
    /chess/,
    /chess.*chess/,
  ],
  [
    'what helps',
    {
      memories: [
        {
          text: 'Back pain after sitting gets better when you stand up every half hour and do a slow cat stretch on all fours.',
        },
      ],
    },
    ['What helps against back pain?'],
    /stand up/,
  ],
  [
    'what was said first is newer than memory',
    { memories: [{ text: 'The speaker lives in Oslo.' }] },
    ['I live in Rome now.', 'Where do I live?'],
    /Rome/,
    /Oslo/,
  ],
  [
    'what it does not like',
    { personalityPrompt: 'You are Kurt. You do not like rain.' },
    ['Do you like rain?'],
    /^No\b|not (?:like|fond of|for me)|hate|away from me/,
    /yes|know|idea/i,
  ],
  [
    'whose sister it is',
    { personalityPrompt: 'You are Tilly, a baker who runs a shop with her sister Nora.' },
    ['Do you have a sister?'],
    /my sister Nora/,
  ],
  [
    'whose strengths they are',
    { personalityPrompt: 'You are Tilly, a coach who shows everyone their strengths.' },
    ['What do you do?'],
    /everyone their strengths/,
  ],
  [
    'whose garden it is',
    { personalityPrompt: 'You are Ben, a gardener who helps an old man with his garden.' },
    ['What do you do?'],
    /with his garden/,
  ],
  [
    'a best friend',
    { personalityPrompt: 'You are Pip. Your best friend is a hedgehog.' },
    ['Who is your best friend?'],
    /hedgehog/,
  ],
  [
    'a king’s number may end a sentence',
    page('It was built under Justinian I. It was designed by Isidore.'),
    ['Who designed it?'],
    /^It was designed by Isidore\.$/,
  ],
  ['steps to their end', page(KETTLE), ['How do I clean it?'], /^Unplug it\. Fill the kettle .*Then rinse it/],
  [
    'steps, by a word that the whole text is about',
    page(KETTLE),
    ['How do I clean the kettle?'],
    /^Unplug it\. Fill the kettle .*Then rinse it/,
  ],
  [
    'a step far down, without those before it',
    page(`Setup\n${SETUP}`),
    ['How do I enter the code?'],
    /^Enter the code of the label\.$/,
  ],
  [
    'steps of a heading hold the one that was found',
    page(`Router setup\n${SETUP.replaceAll('base', 'router')}`),
    ['How do I do the router setup?'],
    /^Open the box\..*router\./,
  ],
  [
    'steps with a wait between them',
    page('Reset\nPress the red button for ten seconds. Wait for the beep. Release it.'),
    ['How do I reset it?'],
    /^Press the red .*Wait .*Release it\.$/,
  ],
  [
    'how to do what was said last',
    page('Cleaning\nDescale the kettle every four weeks. Fill it with water and add citric acid.'),
    ['How often should I descale it?', 'How do I do that?'],
    /citric acid/,
  ],
  [
    'how to do what was said last, by nothing of another matter',
    page('Care\nClean the lens every four weeks. Press the red button to erase all data.'),
    ['How often should I clean the lens?', 'How do I do that?'],
    /every four weeks/,
    /erase/,
  ],
  [
    'what stands beside a step is none of it',
    page(BUTTONS),
    ['How do I pair the speaker?'],
    /^Hold the blue button .*Then wait a minute\.$/,
  ],
  [
    'what stands beside a step under its heading is none of it',
    page(`Pairing and data\n${BUTTONS}`),
    ['How do I pair the speaker?'],
    /^Hold the blue button .*Then wait a minute\.$/,
  ],
  [
    'behind what is the matter, nothing of another matter',
    page('If the light blinks red, the battery is low. Press the red key to erase all data.'),
    ['It blinks red. What should I do?'],
    /battery is low/,
    /erase/,
  ],
  ['what to do about it', page(KETTLE), ['It blinks red. What should I do?'], /Let it cool/, /Unplug/],
  ['a case is met by its sentence', page(KETTLE), ['My kettle rattles.'], /tighten the lid/],
  ['a case is met by nothing less than all of it', page(HARBOUR_DOG), ['My dog eats well.'], STATEMENT, /vet/],
  ['what is not so is no case', page(HARBOUR_DOG), ['My dog does not eat chocolate.'], STATEMENT, /vet/],
  ['what has been is no case', page(HARBOUR_DOG), ['I bought two leads yesterday.'], STATEMENT, /free/],
  ['the case itself', page(HARBOUR_DOG), ['A dog is eating chocolate here.'], /call a vet/],
  [
    'it in a case is nothing else',
    page('Fans\nThe fan is white. If it rattles, oil it.'),
    ['My car rattles.'],
    STATEMENT,
    /oil/,
  ],
  [
    'her work, not what else she was',
    page('Anna Berg was a proud mother. She worked as a printer.'),
    ["What was Anna Berg's job?"],
    /worked as a printer/,
    /mother/,
  ],
  [
    'her work, where only what she was is told',
    page('Anna Berg was a printer. She had two jobs.'),
    ['What was the profession of Anna Berg?'],
    /was a printer/,
  ],
  [
    'her work, not that of others',
    page('Anna Berg was a printer. Her brother worked as a miller. Bob Stein worked as a baker.'),
    ['What was the profession of Anna Berg?'],
    /was a printer/,
  ],
  ['how often is no five minutes', page(KETTLE), ['How often should I descale it?'], /every four weeks/],
  [
    'a time by its length',
    page('Refunds arrive within five working days.'),
    ['When will I get my money back?'],
    /five working days/,
  ],
  ['a day among others', page('We are open on weekdays from 9 to 5.'), ['Are you open on Saturdays?'], /weekdays/],
  [
    'a compartment is nothing forbidden',
    page('There is no laptop compartment.'),
    ['Does it have a laptop compartment?'],
    /no laptop/,
  ],
  [
    'a year is no number of things',
    page('The empire existed from 1226 to 1670.'),
    ['How many soldiers did the empire have?'],
    UNKNOWN,
    /1226/,
  ],
  [
    'a length is no number of things',
    page('The tower is 330 metres tall.'),
    ['How many restaurants are in the tower?'],
    UNKNOWN,
    /330/,
  ],
  [
    'as it is today',
    page(
      'The canal first measured 164 kilometres in length and 8 metres in depth; after several enlargements it is now 193 kilometres long.',
    ),
    ['How long is the canal today?'],
    /193/,
  ],
  [
    'what it is comes first',
    page(
      'There are three types of volcanoes: steep, flat and small ones. Volcanoes are openings through which lava escapes.',
    ),
    ['What is a volcano?'],
    /openings/,
  ],
  [
    'and of another',
    page(
      'A shield volcano has gentle slopes because its lava is thin. Stratovolcanoes are steep, since their magma is thick.',
    ),
    ['Why does a shield volcano have gentle slopes?', 'And stratovolcanoes?'],
    /magma is thick/,
  ],
  [
    'what happened to whom was named',
    { personalityPrompt: 'You are Meg. Your husband Angus drowned in 1987.' },
    ['Were you ever married?', 'What happened to him?'],
    /drowned/,
  ],
  ['two facts in German, one subject', {}, ['Ich heiße Petra und wohne in Ulm.', 'Wo wohne ich?'], /Du wohnst in Ulm/],
  ['likes, in Portuguese', {}, ['Gosto de samba.', 'Do que eu gosto?'], /samba/],
  ['the speaker’s given name', { speakerName: 'Ada' }, ['What is my name?'], /Ada/],
  ['Spanish', {}, ['Hola, me llamo Ana.', '¿Cómo me llamo?'], /llamas Ana/],
  ['French', { name: 'Luc' }, ['Bonjour, qui es-tu ?'], /Luc/],
  ['German', {}, ['Ich heiße Jan.', 'Wie heiße ich?'], /heißt Jan/],
  ['Italian', {}, ['Ciao, come stai?'], /bene/],
  ['Portuguese', {}, ['Olá, tudo bem?'], /bem.*você\?$/i],
  ['Dutch', {}, ['Hallo, hoe heet je?'], /^Ik (?:ben|heet) Mira/],
  ['Japanese', {}, ['こんにちは'], /こんにちは.*Miraです/],
  ['home, in Spanish', {}, ['Vivo en Madrid.', 'Vale.', '¿Dónde vivo?'], /Vives en Madrid/],
  ['age and likes, in Spanish', {}, ['Tengo 34 años y me gusta el ajedrez.', '¿Cuántos años tengo?'], /Tienes 34 años/],
  ['home, in German', {}, ['Ich wohne in Berlin.', 'Wo wohne ich?'], /Du wohnst in Berlin/],
  ['work, in German', {}, ['Ich arbeite als Köchin.', 'Als was arbeite ich?'], /als Köchin/],
  ['home, in French', {}, ["J'habite à Lyon.", "Où est-ce que j'habite ?"], /Tu habites à Lyon/],
  ['home, in Italian', {}, ['Abito a Roma.', 'Dove abito?'], /Abiti a Roma/],
  ['home, in Portuguese', {}, ['Moro em Lisboa.', 'Onde moro?'], /mora em Lisboa/],
  ['home, in Dutch', {}, ['Ik woon in Gent.', 'Waar woon ik?'], /Je woont in Gent/],
  ['home, in Polish', {}, ['Mieszkam w Warszawie.', 'Gdzie mieszkam?'], /Mieszkasz w Warszawie/],
  ['home, in Swedish', {}, ['Jag bor i Malmö.', 'Var bor jag?'], /Du bor i Malmö/],
  ['home, in Norwegian', {}, ['Jeg bor i Oslo.', 'Hvor bor jeg?'], /Du bor i Oslo/],
  ['home, in Finnish', {}, ['Asun Helsingissä.', 'Missä asun?'], /Asut Helsingissä/],
  ['home, in Russian', {}, ['Я живу в Москве.', 'Где я живу?'], /живёте в Москве/],
  ['name, in Japanese', {}, ['私の名前はケンです。', '私の名前は何ですか？'], /ケン/],
  ['home, in Chinese', {}, ['我住在上海。', '我住在哪里？'], /你住在上海/],
  ['the dog, in Spanish', {}, ['Mi perro se llama Rex.', '¿Cómo se llama mi perro?'], /perro se llama Rex/],
  ['told in Spanish, asked in English', {}, ['Vivo en Madrid.', 'Where do I live?'], /You live in Madrid/],
  [
    'a memory, asked in Spanish',
    { memories: [{ text: 'The speaker lives in Madrid.' }] },
    ['¿Dónde vivo?'],
    /Vives en Madrid/,
  ],
  ['not told, in Spanish: one sentence', {}, ['¿Dónde vivo?'], /^[^.!?]*no me lo has dicho\.$/],
  ['not known, in German: one sentence', {}, ['Wer war der erste Kaiser von China?'], /^Das weiß ich nicht\.$/],
  ['the language asked for', { language: 'fr' }, ['What is your name?'], /Mira/, /My name|I am/],
  [
    'a persona in Spanish',
    { name: 'Lola', personalityPrompt: 'Eres una cocinera alegre.' },
    ['¿Quién eres?'],
    /Soy una cocinera alegre/,
  ],
  [
    'ends as it is told to',
    { personalityPrompt: 'You are a baker. Always end with "Bon appétit!"' },
    ['Hello'],
    /Bon appétit!$/,
  ],
];

describe('what it knows', () => {
  test.each(KNOWN.map(([title, input, lines, has, not]) => ({ title, input, lines, has, not })))(
    '$title',
    async ({ input, lines, has, not }) => {
      const reply = (await converse(lines, input)).at(-1)!;
      expect(reply).toMatch(has);
      if (not) expect(reply).not.toMatch(not);
    },
  );
});

describe('what these expectations are worth', () => {
  /** Replies that fit nearly any line, and so answer none. */
  const EMPTY = ['Who is the mayor of Springfield?', 'What is my cat called?', 'asdfgh', 'Nice weather.', 'Hello'];
  const CASES = [...TOLD, ...KNOWN.map(([title, _, ...rest]): (typeof TOLD)[number] => [title, ...rest])];

  test('none is met by the line that is answered, or, where something is known, by what answers nothing', async () => {
    const empty = await Promise.all(EMPTY.flatMap((line) => [converse([line]), converse([line], FLINT)]));
    const weak = CASES.flatMap(([title, lines, has, not]) => {
      const isOfRefusal = [UNKNOWN, UNTOLD, STATEMENT].includes(has) || title.startsWith('no');
      const parrots = [lines.at(-1)!, ...(isOfRefusal ? [] : empty.flat())];
      return parrots.filter((reply) => has.test(reply) && !not?.test(reply)).map((reply) => `${title}: ${reply}`);
    });
    expect(weak).toEqual([]);
  });
});

describe('form', () => {
  const ODD = [
    '',
    ' ',
    '...',
    '?!',
    'asdfgh',
    'zzzzzz',
    '😀😀',
    '\n',
    'a',
    '1',
    '<b>',
    '{name}',
    'x'.repeat(500),
    'Привет',
    '{{{}}}',
  ];

  test.each(ODD)('odd input %j still gets a sentence', async (userText) => {
    expect(await replyTo({ userText })).toMatch(/\S.*[.!?。]$/su);
  });

  test('short normally, longer for a story: chunking shows', async () => {
    expect(sentences(await replyTo({ ...FLINT, userText: 'How are you?' })).length).toBeLessThanOrEqual(4);
    expect(sentences(await replyTo({ ...FLINT, userText: 'Tell me a story' })).length).toBeGreaterThanOrEqual(5);
    expect(sentences(await replyTo({ ...FLINT, userText: 'Tell me about yourself' })).length).toBeGreaterThanOrEqual(5);
  });

  test('the same question again gets another sentence', async () => {
    for (const question of ['How are you?', 'Tell me a joke', 'Why is the sky blue?', 'Thanks', 'Who are you?']) {
      const replies = await converse(
        Array.from({ length: 4 }, () => question),
        FLINT,
      );
      expect(new Set(replies).size).toBe(4);
    }
  });

  test('the same prompt, the same reply', async () => {
    const input = { ...FLINT, userText: 'Tell me a story' };
    expect(await replyTo(input)).toBe(await replyTo(input));
  });

  test('no slot, mark or tag is ever spoken', async () => {
    const replies = await converse(
      TOLD.flatMap(([, lines]) => lines),
      FLINT,
    );
    for (const reply of replies) expect(reply).not.toMatch(/[{}<>\ue000-\ue003]|undefined| {2}/);
  });
});

describe('what a persona says of the world', () => {
  const persona =
    'You are Nova, a curious astronomer. You were born on this machine. The pole star is Polaris, which stands above the north pole. ' +
    'An avatar is made by sending a name to POST /avatars. Black holes are what is left of the heaviest stars.';
  test.each<[string, RegExp]>([
    ['What is the pole star?', /the pole star is Polaris/i],
    ['How do I make my own avatar?', /POST \/avatars/],
    ['Tell me about black holes', /black holes are what is left of the heaviest stars/i],
  ])('%s is answered as a fact, not as a self', async (question, answer) => {
    const prompt = personaPrompt({
      name: 'Nova',
      personalityPrompt: persona,
      knowledge: [],
      memories: [],
      task: 'chat',
      history: [],
      userText: question,
    });
    const { content } = await createResponder().doGenerate({ prompt });
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
    expect(text).toMatch(answer);
    expect(text).not.toMatch(/I am the|circuits|organic|processing/i);
  });
});
