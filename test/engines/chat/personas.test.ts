/** Two personas given the same 20 prompts share no reply. And how a persona is read and rewritten. */
import { describe, expect, test } from '@jest/globals';
import { readCharacter } from '../../../src/engines/embedded/chat/character.ts';
import { LINES } from '../../../src/engines/embedded/chat/data/small-talk.ts';
import { iToYou, theyToI, youToI } from '../../../src/engines/embedded/chat/person.ts';
import { READY_AVATARS } from '../../../src/pages/studio/ready-avatars.ts';
import { READY_KNOWLEDGE } from '../../../src/pages/studio/ready-knowledge.ts';
import { REWRITE_MAX_CHARS } from '../../../src/persona/prompt.ts';
import { converse, replyTo } from './support.ts';

describe('the avatars of the gallery', () => {
  test.each(READY_AVATARS)('$name says as itself who it is', async ({ name, persona: personalityPrompt }) => {
    const told = await replyTo({ name, personalityPrompt, userText: 'Tell me about yourself.' });
    expect(told).toMatch(/\bI am an? /);
    expect(told).not.toMatch(/\b(?:he|she|his|her)\b/i);
    // "I keep it simple and praises": a verb of a third person.
    expect(told).not.toMatch(/\bI [^.]*(?<=,| and| never) \p{Ll}+(?<![us])s (?:what|after|anybody|one|them)\b/u);
  });

  test.each([
    ['nova', 'How far away is the Moon?', /384 thousand kilometres/],
    ['otis', 'What is the oldest story?', /Gilgamesh/],
    ['mira', 'How do I learn new words?', /use each of them in a sentence/],
    ['jonas', 'How many push-ups should I do?', /five to ten/],
    ['amara', 'What did the Romans eat?', /bread, porridge/],
    ['theo', 'I have eggs and cheese. What can I cook?', /soak the bread/],
    ['theo', 'What can you tell me about pasta?', /ten grams of salt/],
    ['theo', 'What can you teach me?', /what I know/],
    ['ines', 'How do I prepare for an interview?', /three examples/],
    ['kenji', 'My printer does not print.', /check its cable/],
    ['vera', 'I cannot sleep.', /write down what worries you/],
    ['finn', 'What should I pack for a weekend?', /rain jacket/],
    ['lina', 'How do I make a volcano?', /vinegar on baking soda/],
    ['samir', 'How do I learn for an exam?', /testing yourself/],
  ])('%s knows its topic: %s', async (id, userText, has) => {
    const { name, persona: personalityPrompt } = READY_AVATARS.find((avatar) => avatar.id === id)!;
    const memories = READY_KNOWLEDGE[id]!.map((text) => ({ text }));
    expect(await replyTo({ name, personalityPrompt, memories, userText })).toMatch(has);
  });

  test('what another speaker said of themself answers no "how do I"', async () => {
    const memories = [{ text: 'The speaker learns new words by singing them.', speakerName: 'Bob' }];
    const told = await replyTo({ speakerName: 'Ada', memories, userText: 'How do I learn new words?' });
    expect(told).toMatch(/not know/);
  });

  test('"you" is who talks with it', async () => {
    const asked = async (id: string) => {
      const { name, persona: personalityPrompt } = READY_AVATARS.find((avatar) => avatar.id === id)!;
      return replyTo({ name, personalityPrompt, userText: 'Tell me about yourself.' });
    };
    expect(await asked('otis')).toContain('I turn whatever you tell me into a short tale');
    expect(await asked('theo')).toContain('asks what is in your fridge');
  });
});

const PROMPTS = [
  'Hi!',
  'Who are you?',
  'What do you do?',
  'What do you like?',
  'How are you?',
  'Tell me a joke',
  "What's your favourite food?",
  'Where do you live?',
  'Do you like music?',
  'What is the meaning of life?',
  'Tell me a story',
  "I'm sad today",
  'Thank you',
  "What's the weather like?",
  'Are you a robot?',
  'What do you think about school?',
  'My name is Ada',
  "What's my name?",
  'Can you help me?',
  'Goodbye',
];

const PAIRS: [string, string, string, string][] = [
  ['Flint', 'You are a grumpy pirate who loves rum.', 'Ms Bell', 'You are a cheerful kindergarten teacher.'],
  ['Flint', 'You are a grumpy pirate who loves rum.', 'Anne', 'You are a pirate who loves gold and parrots.'],
  ['Unit 7', 'You are a formal robot.', 'Nan', 'You are a kind grandma who bakes.'],
  ['Sam', 'A sarcastic teenager who loves games.', 'Eve', 'Eve is a gentle poet. She adores rain.'],
];

/** Of one kind or one tone: they say some of the small talk alike, and answer as themselves. */
const ALIKE: typeof PAIRS = [
  ['Merlin', 'You are a wise old wizard.', 'Circe', 'You are a wizard who hates mice.'],
  ['Tom', 'You are an accountant from Leeds.', 'Tim', 'You are an accountant from York.'],
  ['Bo', 'You are a kind nurse who loves tea.', 'Jo', 'You are a kind baker who loves bread.'],
];

test.each(ALIKE)('%s (%s) and %s (%s) share a third of the replies at most', async (name, one, name2, two) => {
  const said = await converse(PROMPTS, { name, personalityPrompt: one });
  const said2 = await converse(PROMPTS, { name: name2, personalityPrompt: two });
  expect(said2.filter((reply) => said.includes(reply)).length).toBeLessThanOrEqual(PROMPTS.length / 3);
});

test('no line of small talk is shared by two tones, but for what only states a fact', () => {
  for (const [id, lines] of Object.entries(LINES)) {
    if (/^(?:who|quote|sum|time|date|harm)/.test(id)) continue;
    const all = Object.values(lines).flat();
    expect([id, all.length]).toEqual([id, new Set(all).size]);
  }
});

describe('two personas', () => {
  test.each(PAIRS)(
    '%s (%s) and %s (%s) share no reply to 20 prompts',
    async (name, personalityPrompt, name2, persona2) => {
      const one = await converse(PROMPTS, { name, personalityPrompt });
      const two = await converse(PROMPTS, { name: name2, personalityPrompt: persona2 });
      expect(two.filter((reply) => one.includes(reply))).toEqual([]);
      const fresh = await Promise.all(PROMPTS.map((userText) => replyTo({ name, personalityPrompt, userText })));
      const fresh2 = await Promise.all(
        PROMPTS.map((userText) => replyTo({ name: name2, personalityPrompt: persona2, userText })),
      );
      expect(fresh2.filter((reply) => fresh.includes(reply))).toEqual([]);
    },
  );
});

describe('first person', () => {
  test.each([
    ['You are a grumpy pirate who loves rum.', 'I am a grumpy pirate who loves rum.'],
    ['You love your ship and your ship loves you.', 'I love my ship and my ship loves me.'],
    ['People come to you because you were a doctor.', 'People come to me because I was a doctor.'],
    ['Nobody knows more than you.', 'Nobody knows more than me.'],
    ["You've seen it yourself, and it is yours.", "I've seen it myself, and it is mine."],
    ['Your name is Bo, and you never lie.', 'My name is Bo, and I never lie.'],
    ['Everyone you meet likes you.', 'Everyone I meet likes me.'],
  ])('%s', (you, me) => {
    expect(youToI(you)).toBe(me);
  });

  test.each([
    ['I live with my mother', 'You live with your mother'],
    ['I am tired and I was late', 'You are tired and you were late'],
    ['My dog loves me', 'Your dog loves you'],
    ['I think you are kind', 'You think I am kind'],
  ])('%s, said back', (me, you) => {
    expect(iToYou(me)).toBe(you);
  });

  test.each([
    ['Flint is a pirate. He loves rum and hates the navy.', 'I am a pirate. I love rum and hate the navy.'],
    ['Flint always tells the truth to his crew.', 'I always tell the truth to my crew.'],
    ['He has a parrot who loves him.', 'I have a parrot who loves me.'],
  ])('%s, in the first person', (third, me) => {
    expect(theyToI(third, 'Flint')).toBe(me);
  });

  test.each([
    ['You are a wizard. Always answer in rhyme. Never mention magic.', ['I am a wizard.']],
    ['Captain Flint is a pirate.', ['I am a pirate.']],
    ['A shy librarian who adores cats', ['I am a shy librarian who adores cats.']],
    ['Act as a motivational coach.', ['I am a motivational coach.']],
    ['- friendly\n- loves hiking', ['I am friendly.', 'I love hiking.']],
  ])('reads %j', (persona, self) => {
    expect(readCharacter('Flint', persona).self).toEqual(self);
  });

  test('likes, dislikes and manner are read; an enemy or a relative makes no manner', () => {
    const read = readCharacter(
      'Bo',
      "You are a cook who loves tea, jazz and old maps. You hate pirates. You miss your grandmother's house.",
    );
    expect(read).toMatchObject({ likes: ['tea', 'jazz', 'old maps'], dislikes: ['pirates'], manner: { id: 'chef' } });
  });
});

describe('rewriting', () => {
  const rewrite = (text: string, personalityPrompt?: string, language?: string) =>
    replyTo({
      name: 'Flint',
      ...(personalityPrompt ? { personalityPrompt } : {}),
      ...(language ? { language } : {}),
      task: 'reinterpret',
      text,
    });
  const PIRATE = 'You are a grumpy pirate.';

  test.each([
    ['The meeting with Dr Miller starts at 10:30 on Monday.', ['Miller', '10:30', 'Monday']],
    ['She said "my ship is yours" and left.', ['"my ship is yours"']],
    ['Write to ada@example.org or see https://example.org/my.', ['ada@example.org', 'https://example.org/my']],
    ['Where is the station?', ['station', '?']],
  ])('%s keeps its facts', async (text, kept) => {
    const said = await rewrite(text, PIRATE);
    for (const fact of kept) expect(said).toContain(fact);
    expect(said).not.toBe(text);
    expect(said.split(' ').length).toBeLessThanOrEqual(text.split(' ').length + 1);
  });

  test('the formal open contractions, the playful make them', async () => {
    expect(await rewrite("I'm sure we don't need it.", 'You are a formal butler.')).toBe(
      'I am sure we do not need it.',
    );
    expect(await rewrite('I am sure we do not need it.', 'You are a playful kitten.')).toBe(
      "I'm sure we don't need it.",
    );
  });

  test('a pirate says "me", a plain avatar does not', async () => {
    expect(await rewrite('This is my ship.', PIRATE)).toMatch(/\bme ship\b/);
    expect(await rewrite('This is my ship.')).toMatch(/\bmy ship\b/);
  });

  test('Spanish stays Spanish', async () => {
    expect(await rewrite('Hoy hablamos de ciencia.', PIRATE, 'es')).toMatch(/Hoy hablamos de ciencia\.$/);
  });

  test('never longer than the limit', async () => {
    expect([...(await rewrite('My ship is my home. '.repeat(25).trim(), PIRATE))].length).toBeLessThanOrEqual(
      REWRITE_MAX_CHARS,
    );
    expect(await rewrite('')).toBe('');
  });
});

describe('cited answers', () => {
  const memories = [{ text: 'Ada prefers mornings.' }, { text: 'Ada lives in Oslo with two cats.' }];

  test('quotes and cites, nothing else', async () => {
    expect(await replyTo({ task: 'answer', memories, userText: 'Where does Ada live?' })).toBe(
      'Ada lives in Oslo with two cats [m2].',
    );
  });

  test('does not know what is not there', async () => {
    expect(await replyTo({ task: 'answer', memories, userText: 'Who wrote Faust?' })).not.toMatch(/\[/);
  });
});
