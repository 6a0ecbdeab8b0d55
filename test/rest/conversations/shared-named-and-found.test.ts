/** Conversations that are shown to others, named and searched. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ada,
  bob,
  closeConversations,
  inject,
  mute,
  nova,
  openConversations,
  start,
  t,
} from '../../support/conversations.ts';

beforeAll(openConversations);
afterAll(closeConversations);

describe('sharing', () => {
  test('visibility switches both ways, the owner’s alone, and shows the right address', async () => {
    const { conversationId, shareSlug, viewerToken } = await start();
    const set = (as: string, body: object) =>
      t.rest('POST', `/conversations/${conversationId}/visibility`, { as, body });
    const live = `${t.app.config.SITE_URL}/live/${shareSlug}`;
    expect((await set(ada.apiKey, { isPublic: true })).body).toEqual({ ok: true, isPublic: true, liveUrl: live });
    expect((await set(ada.apiKey, { isPublic: false })).body.liveUrl).toBe(`${live}?token=${viewerToken}`);
    expect((await set(bob.apiKey, { isPublic: true })).status).toBe(403);
    expect((await set(ada.apiKey, {})).body.error).toBe('isPublic is required.');
    expect(
      (await t.rest('POST', '/conversations/cnv_none/visibility', { as: ada.apiKey, body: { isPublic: true } })).status,
    ).toBe(404);
  });

  test('an access link opens a private conversation in GraphQL until it is revoked', async () => {
    const { shareSlug } = await start();
    const made = await t.rest('POST', `/conversations/${shareSlug}/access-link`, { as: ada.apiKey });
    expect(made.body).toEqual({
      ok: true,
      linkId: expect.stringMatching(/^lnk_/),
      url: expect.stringMatching(new RegExp(`/${shareSlug}\\?key=[A-Za-z0-9]{32}$`)),
    });
    const key = new URL(made.body.url).searchParams.get('key');
    const open = async () =>
      (
        await t.graphql<any>(
          'query($s: String!, $k: String) { conversationBySlug(slug: $s, key: $k) { conversation { viewerToken } } }',
          { s: shareSlug, k: key },
        )
      ).body;
    expect((await open()).data.conversationBySlug.conversation).toEqual({ viewerToken: null });
    const path = `/conversations/${shareSlug}/access-link/${made.body.linkId}`;
    expect((await t.rest('DELETE', path, { as: bob.apiKey })).status).toBe(403);
    expect((await t.rest('DELETE', path, { as: ada.apiKey })).body).toEqual({ ok: true });
    expect((await open()).errors![0].extensions.code).toBe('FORBIDDEN');
    expect((await t.rest('DELETE', path, { as: ada.apiKey })).status).toBe(404);
  });

  test('a pinned image must be one of the avatar’s own', async () => {
    const { conversationId } = await start();
    const pin = (as: string, body: object) =>
      t.rest('POST', `/conversations/${conversationId}/avatar-image`, { as, body });
    const { primary } = (await t.rest('GET', `/avatars/${nova.avatarId}/images`, { as: ada.apiKey })).body;
    expect((await pin(ada.apiKey, { avatarImageUrl: primary })).body).toEqual({ ok: true, avatarImageUrl: primary });
    const other = (await t.rest('GET', `/avatars/${mute.avatarId}/images`, { as: ada.apiKey })).body.primary;
    for (const body of [{}, { avatarImageUrl: other }, { avatarImageUrl: 'https://example.com/a.png' }]) {
      expect((await pin(ada.apiKey, body)).status).toBe(400);
    }
    expect((await pin(bob.apiKey, { avatarImageUrl: primary })).status).toBe(403);
  });
});

describe('names and search', () => {
  const RENAME =
    'mutation($id: ID!, $title: String) { renameConversation(conversationId: $id, title: $title) { title } }';
  const LIST =
    'query($search: String, $after: String) { conversations(search: $search, after: $after) { nodes { conversationId title } } }';
  const found = async (search: string, as = ada, after?: string) =>
    (await t.graphql<any>(LIST, { search, after }, as.session)).body.data.conversations.nodes.map(
      (one: any) => one.conversationId,
    );

  test('a name is its owner’s alone: no other user sets it or sees it, and it can be taken away', async () => {
    const { conversationId: id, shareSlug } = await start();
    const rename = async (title: string | null, as = ada) =>
      (await t.graphql<any>(RENAME, { id, title }, as.session)).body;
    expect((await rename('  Moving plans ')).data.renameConversation).toEqual({ title: 'Moving plans' });
    expect((await rename('Mine', bob)).errors?.[0].extensions.code).toBe('FORBIDDEN');
    expect((await rename('x'.repeat(81))).errors?.[0].message).toMatch(/^title must have at most 80/);
    await t.rest('POST', `/conversations/${id}/visibility`, { as: ada.apiKey, body: { isPublic: true } });
    const READ = 'query($slug: String!) { conversationBySlug(slug: $slug) { conversation { title } } }';
    const read = async (as?: string) =>
      (await t.graphql<any>(READ, { slug: shareSlug }, as)).body.data.conversationBySlug.conversation.title;
    expect([await read(ada.session), await read(bob.session), await read()]).toEqual(['Moving plans', null, null]);
    expect((await rename(' ')).data.renameConversation).toEqual({ title: null });
  });

  test('search finds by name, avatar and what either said, in any case, one’s own alone, and pages', async () => {
    const named = await start();
    const said = await start(mute);
    await t.graphql(RENAME, { id: named.conversationId, title: 'Zanzibar_100%' }, ada.session);
    await inject(said.conversationId, { userText: 'How far is ZANZIBAR?', avatarText: 'A voyage.', output: 'text' });
    await t.settled(said.shareSlug, ada.apiKey);
    expect(await found('zanzibar')).toEqual([said.conversationId, named.conversationId]);
    expect(await found('zanzibar', ada, said.conversationId)).toEqual([named.conversationId]);
    expect(await found('voyage')).toEqual([said.conversationId]);
    expect(await found('MUTE')).toContain(said.conversationId);
    expect(await found('zanzibar', bob)).toEqual([]);
    // These two stand for themselves.
    expect(await found('zanzibar_')).toEqual([named.conversationId]);
    expect(await found('r%?')).toEqual([]);
    expect(await found('0%')).toEqual([named.conversationId]);
  });
});
