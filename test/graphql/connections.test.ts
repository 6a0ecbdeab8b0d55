/** Lists of the graph are Relay's connections: every one is read forwards and backwards, page by page, and none is endless. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isListType, isNonNullType, isObjectType } from 'graphql';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

const ROWS = 5;
const PAGE = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

let t: TestApp;
let ada: TestUser;
let avatarId: string;
let conversationId: string;

/** Each list that has something: where it stands in an answer, and an item of it. */
const LISTS: [field: string, item: string][] = [
  ['avatars', 'id'],
  ['avatarFolders', 'id'],
  ['voices', 'id'],
  ['apiKeys', 'id'],
  ['oauthClients', 'id'],
  ['webhookEndpoints', 'id'],
  ['sessions', 'id'],
  ['conversations', 'id'],
  ['images', 'id'],
  ['videos', 'id'],
  ['speeches', 'id'],
  ['publicAvatars', 'id'],
  ['ledgerEntries', 'id'],
  ['auditEvents', 'id'],
  ['accessLinks(conversationId: $conversation)', 'linkId'],
  ['memories(avatarId: $avatar)', 'id'],
  ['avatar(avatarId: $avatar) { conversations }', 'id'],
  ['avatar(avatarId: $avatar) { images }', 'url'],
  ['me { avatars }', 'id'],
  ['conversation(conversationId: $conversation) { turns }', 'id'],
];

beforeAll(async () => {
  t = await openTestApp({ work: true });
  ada = await t.person('Ada', 10);
  avatarId = await makeAvatar(t, ada);
  const rest = async (method: 'POST', path: string, body: object) =>
    (await t.rest(method, path, { as: ada.session, body })).body;
  const slugs: string[] = [];
  for (let i = 0; i < ROWS; i += 1) {
    const made = await rest('POST', '/avatars', { displayName: `A${i}`, ttsVoiceId: 'noop', publiclyRenderable: true });
    await rest('POST', '/avatar-folders', { name: `F${i}` });
    await rest('POST', '/api-keys', { name: `K${i}` });
    await rest('POST', '/oauth/clients', { name: `C${i}`, redirectDomains: ['example.com'] });
    await t.graphql(
      'mutation($url: String!) { createWebhookEndpoint(input: { url: $url, events: ["turn.failed"] }) { secret } }',
      { url: `https://example.com/${i}` },
      ada.session,
    );
    await rest('POST', '/images/generate', { prompt: `a kite ${i}`, model: 'default' });
    await rest('POST', '/videos/generate', { prompt: `a boat ${i}`, duration: 1 });
    await rest('POST', `/avatars/${made.avatarId}/speak`, { text: `Number ${i}.` });
    await rest('POST', `/avatars/${avatarId}/brain/pages`, { content: `a walrus called ${i}` });
    await t.graphql(
      'mutation($email: String!, $password: String!) { signIn(email: $email, password: $password) { idToken } }',
      { email: ada.email, password: 'correct horse' },
    );
    const conversation = await rest('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
    conversationId = conversation.conversationId;
    slugs.push(conversation.shareSlug);
    const image = await rest('POST', '/images/generate', { prompt: `a face ${i}`, model: 'default' });
    await t.graphql(
      'mutation($id: ID!, $url: String!) { addAvatarImage(avatarId: $id, imageUrl: $url) { url } }',
      { id: avatarId, url: image.imageUrl },
      ada.session,
    );
    expect(made.avatarId).toBeDefined();
  }
  for (let i = 0; i < ROWS; i += 1) {
    await rest('POST', `/conversations/${conversationId}/access-link`, {});
    await rest('POST', `/conversations/${conversationId}/turn`, { userText: `Hi ${i}`, output: 'text' });
    await t.settled(slugs.at(-1)!, ada.apiKey);
  }
});
afterAll(() => t.close());

async function ask(query: string, variables: object = {}) {
  const { body } = await t.graphql<any>(query, { ...variables }, ada.session);
  return body;
}

/** The connection that `field` names, asked for with these arguments. */
async function list(field: string, item: string, args: object) {
  const given = Object.entries(args).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const [outer, inner] = field.split(' { ');
  const name = (inner ?? outer ?? '').replace(' }', '');
  const called = name.endsWith(')')
    ? `${name.slice(0, -1)}, ${given} )`
    : given.length > 0
      ? `${name}(${given})`
      : name;
  const asked = `${called} { nodes { ${item} } edges { cursor node { ${item} } } ${PAGE} }`;
  const types = `${field.includes('$avatar') ? '$avatar: ID!' : ''}${field.includes('$conversation') ? '$conversation: ID!' : ''}`;
  const query = `query${types && `(${types})`} { ${inner ? `${outer} { ${asked} }` : asked} }`;
  const { data, errors } = await ask(query, { avatar: avatarId, conversation: conversationId });
  if (errors) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions.code });
  const within = Object.values(data)[0] as any;
  const found = inner ? (Object.values(within)[0] as any) : within;
  expect(found.edges.map(({ node }: any) => node)).toEqual(found.nodes);
  expect(found.pageInfo.startCursor).toBe(found.edges[0]?.cursor ?? null);
  expect(found.pageInfo.endCursor).toBe(found.edges.at(-1)?.cursor ?? null);
  return { ids: found.nodes.map((node: any) => node[item]) as string[], ...found.pageInfo };
}

/** All of a list, two at a time, from one end. */
async function paged(field: string, item: string, isBackwards: boolean): Promise<string[]> {
  const all: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const args: object = isBackwards
      ? { last: 2, ...(cursor ? { before: cursor } : {}) }
      : { first: 2, ...(cursor ? { after: cursor } : {}) };
    const page = await list(field, item, args);
    expect(isBackwards ? page.hasNextPage : page.hasPreviousPage).toBe(cursor !== null);
    if (isBackwards) all.unshift(...page.ids);
    else all.push(...page.ids);
    if (!(isBackwards ? page.hasPreviousPage : page.hasNextPage)) return all;
    cursor = isBackwards ? page.startCursor : page.endCursor;
  }
}

describe.each(LISTS)('%s', (field, item) => {
  test('is the same from its beginning, from its end and at once', async () => {
    const whole = await list(field, item, { first: 100 });
    expect(whole.ids.length).toBeGreaterThanOrEqual(field === 'voices' ? 1 : ROWS);
    expect(new Set(whole.ids).size).toBe(whole.ids.length);
    expect([whole.hasNextPage, whole.hasPreviousPage]).toEqual([false, false]);
    expect(await paged(field, item, false)).toEqual(whole.ids);
    expect(await paged(field, item, true)).toEqual(whole.ids);
  });

  test.each<[object, RegExp]>([
    [{ first: 1, last: 1 }, /^last cannot be given beside first\.$/],
    [{ first: 0 }, /^first must be from 1 to 100\.$/],
    [{ last: 101 }, /^last must be from 1 to 100\.$/],
    [{ after: 'nonsense' }, /^after is not a cursor of this list\.$/],
    [{ before: Buffer.from('User:1').toString('base64url') }, /^before is not a cursor of this list\.$/],
    [{ after: '' }, /^after is not a cursor of this list\.$/],
  ])('refuses %p', async (args, message) => {
    await expect(list(field, item, args)).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringMatching(message),
    });
  });
});

test('a page keeps its place when what it ended with is gone, and is not moved by what comes', async () => {
  const before = await list('conversations', 'id', { first: 2 });
  const rest = (await list('conversations', 'id', { first: 100 })).ids.slice(2);
  await t.rest('DELETE', `/conversations/${before.ids[1]}`, { as: ada.apiKey });
  await t.rest('POST', '/conversations', { as: ada.apiKey, body: { avatarOwnerUserId: ada.userId, avatarId } });
  expect((await list('conversations', 'id', { first: 100, after: before.endCursor })).ids).toEqual(rest);
});

test('a count is given where the whole list was read anyway', async () => {
  const { data } = await ask('{ avatars(first: 1) { totalCount } publicAvatars(first: 1) { totalCount } }');
  expect(data).toEqual({ avatars: { totalCount: ROWS + 1 }, publicAvatars: { totalCount: null } });
});

test('every root list that can grow is a connection', () => {
  const plain = Object.values(t.server.executor.schema.getQueryType()!.getFields()).flatMap((field) =>
    isListType(isNonNullType(field.type) ? field.type.ofType : field.type) ? [field.name] : [],
  );
  // As many as there are days and kinds, pages of an avatar, parts of the instance, queues, prices and codes, or ids asked for.
  const bounded = 'avatarUsage engineHealth errorKinds jobQueues knowledgeSources nodes usage videoPricing'.split(' ');
  expect(plain.sort()).toEqual(bounded);
});

test('every list of things of the graph is a connection', () => {
  const { schema } = t.server.executor;
  const node = schema.getType('Node');
  const plain = Object.values(schema.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || /(Connection|Edge)$/.test(type.name)) return [];
    return Object.values(type.getFields()).flatMap((field) => {
      const list = isNonNullType(field.type) ? field.type.ofType : field.type;
      if (!isListType(list)) return [];
      const item = isNonNullType(list.ofType) ? list.ofType.ofType : list.ofType;
      const isThing = isObjectType(item) && item.getInterfaces().some((each) => each === node);
      return isThing ? [`${type.name}.${field.name}`] : [];
    });
  });
  // The images of an avatar as they are documented, and a window of a conversation, which has arguments of its own.
  expect(plain).toEqual(['AvatarImages.images', 'ConversationWithTurns.turns']);
});
