/** POST /conversations/{id}/turn of what is no turn. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ada, balance, closeConversations, inject, openConversations, start, t } from '../../support/conversations.ts';

beforeAll(openConversations);
afterAll(closeConversations);

test.each<[object, string]>([
  [{}, 'userText is required.'],
  [{ userText: ' ' }, 'userText must not be empty.'],
  [{ userText: 'x'.repeat(501) }, 'userText exceeds 500 chars'],
  [{ userText: '🙂'.repeat(501) }, 'userText exceeds 500 chars'],
  [{ userText: 5 }, 'userText must be a string.'],
  [{ userText: 'x', output: 'smell' }, 'output must be one of text, audio, video.'],
  [{ userText: 'x', mode: 'sing' }, 'mode must be one of chat, speak.'],
  [{ userText: 'x', userOutput: 'smell' }, 'userOutput must be one of text, audio, video.'],
  [{ userText: 'x', reinterpret: 'yes' }, 'reinterpret must be true or false.'],
])('%j is a 400 that writes and holds nothing', async (body, error) => {
  const { conversationId, shareSlug } = await start();
  const before = await balance(ada);
  const answer = await inject(conversationId, body);
  expect([answer.status, answer.body.error]).toEqual([400, error]);
  expect((await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: ada.apiKey })).body.turns).toEqual([]);
  expect(await balance(ada)).toEqual(before);
});
