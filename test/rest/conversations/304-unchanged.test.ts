/** What a poll of a conversation answers: pages of its turns, and nothing where nothing changed. */
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

test('pages by limit, before and after; all turns without them', async () => {
  const { shareSlug } = await start();
  for (const userText of ['a', 'b', 'c']) {
    await inject(shareSlug, { userText, mode: 'speak', output: 'text' });
    await t.settled(shareSlug, ada.apiKey);
  }
  const read = async (query = '') =>
    (await t.rest('GET', `/conversations/by-slug/${shareSlug}${query}`, { as: ada.apiKey })).body.turns;
  const all = await read();
  const texts = (turns: any[]) => turns.map((turn) => turn.avatarText);
  expect(texts(all)).toEqual(['a', 'b', 'c']);
  expect(texts(await read('?limit=2'))).toEqual(['b', 'c']);
  expect(texts(await read(`?limit=2&before=${all[1].id}`))).toEqual(['a']);
  expect(texts(await read(`?before=${all[0].id}`))).toEqual([]);
  const graph = await t.graphql<any>(
    'query($s: String!) { conversationBySlug(slug: $s) { cursor } }',
    { s: shareSlug },
    ada.apiKey,
  );
  const { cursor } = graph.body.data.conversationBySlug;
  expect(await read(`?after=${cursor}`)).toEqual([]);
  await inject(shareSlug, { userText: 'd', mode: 'speak', output: 'text' });
  expect(texts(await read(`?after=${cursor}`))).toEqual(['d']);
  for (const bad of ['limit=0', 'limit=x', 'after=x', 'before=trn_none']) {
    const path = `/conversations/by-slug/${shareSlug}?${bad}`;
    const { status, body } = await t.rest('GET', path, { as: ada.apiKey });
    expect([status, body.error.split(' ')[0]]).toEqual([400, bad.split('=')[0]]);
  }
});

test('an unchanged poll is a 304 after authorisation; every change ends it', async () => {
  const { shareSlug } = await start();
  const read = (as: string | undefined, tag?: string, query = '') =>
    t.rest('GET', `/conversations/by-slug/${shareSlug}${query}`, {
      ...(as ? { as } : {}),
      ...(tag ? { headers: { 'if-none-match': tag } } : {}),
    });
  const tagOf = async () => (await read(ada.apiKey)).headers.get('etag')!;
  let tag = await tagOf();
  const same = await read(ada.apiKey, tag);
  expect([same.status, same.body]).toEqual([304, '']);
  expect((await read(bob.apiKey, tag)).status).toBe(403);
  expect((await read(ada.apiKey, tag, '?limit=5')).status).toBe(200);
  const changes: (() => Promise<unknown>)[] = [
    () => inject(shareSlug, { userText: 'x', mode: 'speak', output: 'text' }),
    () => t.rest('POST', `/conversations/${shareSlug}/visibility`, { as: ada.apiKey, body: { isPublic: true } }),
    () => t.rest('PATCH', `/avatars/${nova.avatarId}`, { as: ada.apiKey, body: { displayName: 'Nova II' } }),
  ];
  for (const change of changes) {
    await change();
    expect((await read(ada.apiKey, tag)).status).toBe(200);
    tag = await tagOf();
    expect((await read(ada.apiKey, tag)).status).toBe(304);
  }
  expect((await read(undefined, tag)).status).toBe(200);
});
