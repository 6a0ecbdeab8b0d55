/** What conversations answer to who is not their creator, or names what is not there. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  ada,
  bob,
  closeConversations,
  inject,
  nova,
  openConversations,
  start,
  t,
} from '../../support/conversations.ts';

beforeAll(openConversations);
afterAll(closeConversations);

test.each<[string, () => object, number]>([
  ['no avatar', () => ({}), 400],
  ['an unknown avatar', () => ({ avatarOwnerUserId: ada.userId, avatarId: 'avt_none' }), 404],
  ['another user’s avatar', () => ({ avatarOwnerUserId: ada.userId, avatarId: nova.avatarId }), 403],
])('%s is refused', async (_, body, status) => {
  expect((await t.rest('POST', '/conversations', { as: bob.apiKey, body: body() })).status).toBe(status);
});

test('is the creator’s alone: 401, 403, 404 for others', async () => {
  const { conversationId } = await start();
  expect((await t.rest('POST', `/conversations/${conversationId}/turn`, { body: {} })).status).toBe(401);
  expect((await inject(conversationId, { userText: 'x' }, bob.apiKey)).status).toBe(403);
  expect((await inject('cnv_none', { userText: 'x' })).status).toBe(404);
  expect((await inject('c-26-11-none', { userText: 'x' })).status).toBe(404);
  expect((await inject(conversationId, { userText: 'x', speakerAvatarId: 'avt_none' })).status).toBe(404);
});

test('who may read: a table of viewers, private and public', async () => {
  const { shareSlug, viewerToken } = await start();
  const read = (as?: string, query = '') =>
    t.rest('GET', `/conversations/by-slug/${shareSlug}${query}`, as ? { as } : {});
  expect((await read(ada.session)).status).toBe(200);
  expect((await read(ada.apiKey)).body.conversation.viewerToken).toBe(viewerToken);
  expect((await read(bob.apiKey)).status).toBe(403);
  expect((await read()).status).toBe(403);
  // Viewer tokens open pages and GraphQL, not this endpoint.
  expect((await read(undefined, `?viewerToken=${viewerToken}`)).status).toBe(403);
  await t.rest('POST', `/conversations/${shareSlug}/visibility`, { as: ada.apiKey, body: { isPublic: true } });
  const open = await read();
  expect(open.status).toBe(200);
  expect(open.body.conversation).not.toHaveProperty('viewerToken');
  expect(JSON.stringify(open.body)).not.toContain(viewerToken);
  expect((await t.rest('GET', '/conversations/by-slug/c-26-11-none')).status).toBe(404);
  expect((await t.rest('GET', '/conversations/by-slug/hello')).status).toBe(404);
});
