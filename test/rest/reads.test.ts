/** Reads beside the documented endpoints: who calls, what they have, one avatar, one conversation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type Person, type TestApp } from '../support/app.ts';

let t: TestApp;
let ada: Person;
let bob: Person;
beforeAll(async () => {
  t = await openTestApp();
  [ada, bob] = [await t.person('Ada', 7), await t.person('Bob')];
});
afterAll(() => t?.close());

test('who calls, and what they have', async () => {
  const me = await t.rest('GET', '/me', { as: ada.apiKey });
  expect([me.status, me.body]).toMatchObject([200, { userId: ada.userId, displayName: 'Ada', email: ada.email }]);
  const { body } = await t.rest('GET', '/me/balance', { as: ada.apiKey });
  expect(body.balance).toMatchObject({ available: expect.any(Number), held: 0, locked: [] });
  expect(body.balance.available).toBeGreaterThanOrEqual(7);
});

test('an avatar: whole for its owner, without what is private for others, nothing at all when private', async () => {
  const make = async (publiclyRenderable: boolean) => {
    const body = { displayName: 'Nova', personalityPrompt: 'Keeps bees.', ttsVoiceId: 'noop', publiclyRenderable };
    const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body });
    expect(made.body).toMatchObject({ avatar: { avatarId: expect.any(String) } });
    return made.body.avatar.avatarId as string;
  };
  const [open, closed] = [await make(true), await make(false)];
  const read = (id: string, { apiKey }: Person) => t.rest('GET', `/avatars/${id}`, { as: apiKey });
  expect((await read(open, ada)).body.avatar).toMatchObject({ avatarId: open, personalityPrompt: 'Keeps bees.' });
  const theirs = await read(open, bob);
  expect(theirs.body.avatar).toMatchObject({ avatarId: open, displayName: 'Nova' });
  expect(JSON.stringify(theirs.body)).not.toContain('bees');
  expect((await read(closed, bob)).status).toBe(404);
});

test('a conversation: its owner’s alone', async () => {
  const avatar = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } })).body.avatar;
  const started = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  const { conversationId } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: started })).body;
  const mine = await t.rest('GET', `/conversations/${conversationId}`, { as: ada.apiKey });
  expect([mine.status, mine.body.conversation]).toMatchObject([200, { conversationId, avatarDisplayName: 'Nova' }]);
  expect((await t.rest('GET', `/conversations/${conversationId}`, { as: bob.apiKey })).status).toBeGreaterThanOrEqual(
    403,
  );
});
