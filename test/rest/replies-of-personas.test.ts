/** Through the public API: replies by the embedded responder, of avatars as callers make them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createResponder } from '../../src/engines/embedded/chat/responder.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

const PROMPTS = [
  'Hello!',
  'Who are you?',
  'What is your work?',
  'What do you love most?',
  'How do you feel today?',
  'Do you know a joke?',
  'What do you like to eat?',
  'Where is your home?',
  'Which music do you like?',
  'What should one live for?',
  'Tell me a story.',
  'I am a bit sad.',
  'Thanks for that.',
  'Will it rain?',
  'Are you a machine?',
  'What do you think about money?',
  'I was born in Lisbon.',
  'Can you give me advice?',
  'What did you do yesterday?',
  'See you tomorrow!',
];

let t: TestApp;
let ada: TestUser;

beforeAll(async () => {
  const chat = createResponder();
  t = await openTestApp({
    work: true,
    engines: { ...createNoopEngines(), chat, chatIsEmbedded: true, close: async () => {} },
  });
  ada = await t.person('Ada', 10);
});
afterAll(() => t.close());

/** Makes an avatar, says these lines to it one after another, and returns what it answered to each. */
async function answers(displayName: string, personalityPrompt: string, lines: string[]): Promise<string[]> {
  const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName, personalityPrompt } });
  const { avatarId } = made.body;
  const start = { avatarOwnerUserId: ada.userId, avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: start })).body;
  const replies: string[] = [];
  for (const userText of lines) {
    const said = { userText, output: 'text' };
    const { status } = await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: ada.apiKey, body: said });
    expect(status).toBe(202);
    const { turns } = await t.settled(shareSlug, ada.apiKey);
    const last = turns.findLastIndex((turn: any) => turn.role === 'user');
    replies.push(
      turns
        .slice(last + 1)
        .map((turn: any) => turn.avatarText)
        .join(' '),
    );
  }
  return replies;
}

test('two personas given the same 20 prompts share no reply', async () => {
  const pirate = await answers('Flint', 'You are a grumpy pirate who loves rum and his ship.', PROMPTS);
  const teacher = await answers('Ms Bell', 'You are a cheerful kindergarten teacher who loves painting.', PROMPTS);
  expect(pirate).toHaveLength(20);
  for (const reply of [...pirate, ...teacher]) expect(reply).toMatch(/\p{L}/u);
  expect(teacher.filter((reply) => pirate.includes(reply))).toEqual([]);
});

test('a fact stated in turn 1 is answered in turn 3', async () => {
  const said = ['My dog is called Barnaby.', 'Do you like the sea?', 'What is my dog called?'];
  const [, , third] = await answers('Flint', 'You are a grumpy pirate who loves rum and his ship.', said);
  expect(third).toContain('Barnaby');
});
