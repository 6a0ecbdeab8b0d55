/** POST /conversations/{id}/turn by who cannot pay. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ada, closeConversations, inject, make, openConversations, start, t } from '../../support/conversations.ts';

beforeAll(openConversations);
afterAll(closeConversations);

test('402 names both amounts to the payer, and no balance to a non-owner; nothing is written', async () => {
  const poor = await t.person('Poor', 0.001);
  const own = await make(poor, { ttsVoiceId: 'noop', publiclyRenderable: true });
  const mine = await start(own, poor);
  const refused = await inject(mine.shareSlug, { userText: 'Hi', output: 'video' }, poor.apiKey);
  expect(refused.status).toBe(402);
  expect(refused.body).toMatchObject({ requiredCredits: 0.3975, availableCredits: 0.001 });
  const theirs = await start(own, ada);
  const nonOwner = await inject(theirs.shareSlug, { userText: 'Hi', output: 'video' });
  expect([nonOwner.status, nonOwner.body.availableCredits]).toEqual([402, 0]);
  expect((await t.rest('GET', `/conversations/by-slug/${mine.shareSlug}`, { as: poor.apiKey })).body.turns).toEqual([]);
  expect((await inject(mine.shareSlug, { userText: 'Hi', output: 'text' }, poor.apiKey)).status).toBe(202);
});
