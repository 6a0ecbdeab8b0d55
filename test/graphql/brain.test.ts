/** What owners do to memories through GraphQL: list, correct, forget. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

const LIST = `query($avatarId: ID!, $sandboxId: String, $first: Int, $after: String) {
  memories(avatarId: $avatarId, sandboxId: $sandboxId, first: $first, after: $after) {
    nodes { id content namespace speakerRef source createdAt } pageInfo { hasNextPage endCursor } } }`;
const UPDATE = `mutation($avatarId: ID!, $id: ID!, $content: String!) {
  updateMemory(avatarId: $avatarId, id: $id, content: $content) { id content namespace } }`;
const DELETE = 'mutation($avatarId: ID!, $id: ID!) { deleteMemory(avatarId: $avatarId, id: $id) { deletedId } }';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada');
  bob = await t.person('Bob');
  const body = { displayName: 'Nova', publiclyRenderable: true };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
  for (const [name, who, more] of [
    ['public', ada, {}],
    ['private', ada, { namespace: 'private' }],
    ['sam', ada, { speakerRef: 'sam' }],
    ['bobself', bob, {}],
    ['boxed', ada, { sandboxId: 'box' }],
  ] as const) {
    ids[name] = await save(who, { content: `a walrus called ${name}`, ...more });
  }
});
afterAll(() => t.close());

async function save(who: TestUser, body: object): Promise<string> {
  return (await t.rest('POST', `/avatars/${avatarId}/brain/pages`, { as: who.apiKey, body })).body.id;
}
const recall = async (query: string) =>
  (await t.rest('POST', `/avatars/${avatarId}/brain/recall`, { as: ada.apiKey, body: { query } })).body.memories.map(
    ({ content }: any) => content,
  );

describe('memories', () => {
  test('lists what the brain holds, newest first, with whose it is', async () => {
    const { body } = await t.graphql(LIST, { avatarId }, ada.session);
    const { nodes: memories, pageInfo } = body.data.memories;
    expect(pageInfo.hasNextPage).toBe(false);
    expect(memories.map(({ content, namespace, speakerRef }: any) => [content, namespace, speakerRef])).toEqual([
      ['a walrus called bobself', 'speaker', `${bob.userId}:`],
      ['a walrus called sam', 'speaker', 'sam'],
      ['a walrus called private', 'private', null],
      ['a walrus called public', 'public', null],
    ]);
    expect(memories[0].createdAt).toBeGreaterThan(1_700_000_000_000);
  });

  test('pages through, and lists a sandbox by itself', async () => {
    const one = (await t.graphql(LIST, { avatarId, first: 3 }, ada.session)).body.data.memories;
    const two = (await t.graphql(LIST, { avatarId, first: 3, after: one.pageInfo.endCursor }, ada.session)).body.data
      .memories;
    expect([one.nodes.length, two.nodes.length, two.pageInfo.hasNextPage]).toEqual([3, 1, false]);
    const boxed = (await t.graphql(LIST, { avatarId, sandboxId: 'box' }, ada.session)).body.data.memories;
    const withoutKnowledge = LIST.replace('sandboxId: $sandboxId', 'sandboxId: $sandboxId, withKnowledge: false');
    const { nodes } = (await t.graphql(withoutKnowledge, { avatarId, first: 2 }, ada.session)).body.data.memories;
    expect(nodes.map(({ namespace }: any) => namespace)).toEqual(['speaker', 'speaker']);
    expect(boxed.nodes.map(({ id, namespace }: any) => [id, namespace])).toEqual([[ids.boxed, 'sandbox']]);
  });

  test.each([[{ first: 0 }], [{ first: 101 }], [{ sandboxId: '' }]])('refuses %p', async (page) => {
    const { body } = await t.graphql(LIST, { avatarId, ...page }, ada.session);
    expect(body.errors![0].extensions.code).toBe('BAD_INPUT');
  });
});

test('exactly one memory system is set', async () => {
  const made = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Another' } });
  const { avatarId } = made.body;
  const set = async (system: object) => {
    const query = `mutation($input: SetMemorySystemInput!) { setMemorySystem(input: $input) { avatar { brainSystem } } }`;
    const { body } = await t.graphql(query, { input: { avatarId, system } }, ada.session);
    return body.errors?.[0].extensions.code ?? body.data.setMemorySystem.avatar.brainSystem;
  };
  expect(await set({ supermemory: { apiKey: 'key' } })).toBe('supermemory');
  expect(await set({ managed: true, supermemory: { apiKey: 'key' } })).toBe('BAD_INPUT');
  expect(await set({ mem0: null })).toBe('BAD_INPUT');
  expect(await set({})).toBe('BAD_INPUT');
  expect(await set({ managed: false })).toBe('BAD_INPUT');
  expect(await set({ managed: true })).toBe('managed');
});

describe('updateMemory and deleteMemory', () => {
  test('a correction is found by its new words and no more by its old ones', async () => {
    const id = await save(ada, { content: 'The harbour opens at seven.' });
    const content = 'The harbour opens at nine.';
    const { body } = await t.graphql(UPDATE, { avatarId, id, content }, ada.session);
    expect(body.data.updateMemory).toEqual({ id, content, namespace: 'public' });
    expect(await recall('nine')).toContain(content);
    expect(await recall('seven')).toEqual([]);
  });

  test('what is deleted is forgotten', async () => {
    const id = await save(ada, { content: 'The zeppelin is green.' });
    expect((await t.graphql(DELETE, { avatarId, id }, ada.session)).body.data.deleteMemory).toEqual({ deletedId: id });
    expect(await recall('zeppelin')).toEqual([]);
    const again = await t.graphql(DELETE, { avatarId, id }, ada.session);
    expect(again.body.errors![0].extensions.code).toBe('NOT_FOUND');
  });

  test('a blank correction is refused and changes nothing', async () => {
    const { body } = await t.graphql(UPDATE, { avatarId, id: ids.public, content: ' ' }, ada.session);
    expect(body.errors![0].extensions.code).toBe('BAD_INPUT');
    expect(await recall('walrus')).toContain('a walrus called public');
  });

  test('other callers do not list, correct or delete memories, not even their own', async () => {
    const id = ids.bobself;
    for (const [operation, more] of [
      [LIST, {}],
      [UPDATE, { id, content: 'mine' }],
      [DELETE, { id }],
    ] as const) {
      const { body } = await t.graphql(operation, { avatarId, ...more }, bob.session);
      expect(body.errors![0].extensions.code).toBe('NOT_FOUND');
    }
    expect(await recall('walrus')).toContain('a walrus called bobself');
  });

  test('an avatar’s owner does not reach the memories of another avatar by their id', async () => {
    const other = (await t.rest('POST', '/avatars', { as: bob.apiKey, body: { displayName: 'Rex' } })).body.avatarId;
    const { body } = await t.graphql(DELETE, { avatarId: other, id: ids.public }, bob.session);
    expect(body.errors![0].extensions.code).toBe('NOT_FOUND');
    expect(await recall('walrus')).toContain('a walrus called public');
  });
});
