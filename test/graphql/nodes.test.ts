/** `node` and `nodes`: whatever has an id is read again by it, by callers who may read it, and by no others. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isInterfaceType } from 'graphql';
import { ImageGenerationEntity } from '../../schema/entities/generations.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar, makeClient, type TestClient, tokenFor } from '../support/oauth.ts';

const NODE = 'query($id: ID!) { node(id: $id) { __typename id } }';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let client: TestClient;
let avatarId: string;
let conversation: { conversationId: string; shareSlug: string };

beforeAll(async () => {
  t = await openTestApp();
  [ada, bob] = [await t.person('Ada', 10), await t.person('Bob')];
  avatarId = await makeAvatar(t, ada);
  client = await makeClient(t, ada);
  await rest('POST', `/avatars/${avatarId}/voice`, { voiceId: 'noop' });
  conversation = await rest('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
  await rest('POST', `/conversations/${conversation.conversationId}/turn`, { userText: 'Hi', output: 'text' });
  await tokenFor(t, ada, avatarId, client, 'profile');
});
afterAll(() => t.close());

const rest = async (method: string, path: string, body?: object) =>
  (await t.rest(method, path, { as: ada.session, ...(body ? { body } : {}) })).body;
const ask = async (query: string, as: string | undefined, variables = {}) => {
  const { body } = await t.graphql(query, variables, as);
  expect(body.errors).toBeUndefined();
  return body.data;
};

async function image(): Promise<string> {
  const id = 'pic_of_ada';
  await t.app.db.transaction(async ({ em }) => {
    em.create(ImageGenerationEntity, {
      ...{
        id,
        user: ada.userId,
        mediaKey: 'images/a.png',
        width: 1,
        height: 1,
        rig: null,
        prompt: 'A boat',
        operation: 'generate',
      },
      ...{ model: 'default', aspectRatio: '1:1', creditCost: 1n, createdAt: 1 },
    });
  });
  return id;
}

async function webhook(): Promise<string> {
  const input = { url: 'https://example.com/', events: ['turn.completed'] };
  const made =
    'mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }';
  return (await ask(made, ada.session, { input })).createWebhookEndpoint.endpoint.id;
}

/** One of each kind, all of them Ada's. */
const MAKE: Readonly<Record<string, () => Promise<string> | string>> = {
  Avatar: () => avatarId,
  AvatarFolder: async () => (await rest('POST', '/avatar-folders', { name: 'Crew' })).folder.folderId,
  Conversation: () => conversation.conversationId,
  Turn: async () => (await rest('GET', `/conversations/by-slug/${conversation.shareSlug}`)).turns[0].id,
  Video: async () => (await rest('POST', '/videos/generate', { prompt: 'A boat', duration: 1 })).generationId,
  SpeakGeneration: async () => (await rest('POST', `/avatars/${avatarId}/speak`, { text: 'Hi.' })).generationId,
  KeptImage: image,
  GiftIntent: async () => (await rest('POST', '/donations/intents', { to: bob.userId, amount: 1 })).intentId,
  User: () => ada.userId,
  OpenSession: async () => (await ask('{ sessions { nodes { id } } }', ada.session)).sessions.nodes[0].id,
  LedgerEntry: async () => (await ask('{ ledgerEntries { nodes { id } } }', ada.session)).ledgerEntries.nodes[0].id,
  AvatarImage: async () => {
    const query = 'query($id: ID!) { avatar(avatarId: $id) { images { nodes { id } } } }';
    return (await ask(query, ada.session, { id: avatarId })).avatar.images.nodes[0].id;
  },
  StandingLink: async () =>
    (await rest('POST', `/conversations/${conversation.conversationId}/access-link`, {})).linkId,
  StoredMemory: async () => (await rest('POST', `/avatars/${avatarId}/brain/pages`, { content: 'Likes tea.' })).id,
  ReceivedGift: async () => {
    const cleo = await t.person('Cleo', 1);
    const body = { to: ada.userId, amount: 0.5 };
    const { intentId } = (await t.rest('POST', '/donations/intents', { as: cleo.session, body })).body;
    await ask('mutation($id: ID!) { confirmGift(intentId: $id) { status } }', cleo.session, { id: intentId });
    expect((await ask(NODE, cleo.session, { id: intentId })).node).toEqual({ __typename: 'GiftIntent', id: intentId });
    return intentId;
  },
  ApiKey: async () => (await ask('{ apiKeys { nodes { id } } }', ada.session)).apiKeys.nodes[0].id,
  AuditEvent: async () => (await ask('{ auditEvents { nodes { id } } }', ada.session)).auditEvents.nodes[0].id,
  OAuthClient: () => client.clientId,
  OAuthGrant: async () => (await ask('{ oauthGrants { nodes { id } } }', ada.session)).oauthGrants.nodes[0].id,
  WebhookEndpoint: webhook,
  WebhookDelivery: async () =>
    (
      await ask('mutation($id: ID!) { testWebhookEndpoint(id: $id) { delivery { id } } }', ada.session, {
        id: await webhook(),
      })
    ).testWebhookEndpoint.delivery.id,
  Visitor: async () => {
    const id = (await rest('POST', '/avatars', { displayName: 'Host' })).avatarId;
    const opening = `mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings { url } } }`;
    const { setTalkSettings } = await ask(opening, ada.session, { input: { avatarId: id, audience: 'everyone' } });
    const slug = setTalkSettings.settings.url.split('/a/')[1];
    const visit = 'mutation($slug: String!) { beginVisit(input: { slug: $slug }) { viewerToken } }';
    // Another one before and after: each is read as itself.
    for (let come = 0; come < 3; come += 1) await ask(visit, undefined, { slug });
    const query = 'query($id: ID!) { visitors(avatarId: $id) { nodes { id } } }';
    return (await ask(query, ada.session, { id })).visitors.nodes[1].id;
  },
  Voice: async () => {
    const input = { avatarId, name: 'Mine', baseVoiceId: 'noop' };
    const made = 'mutation($input: CreateCustomVoiceInput!) { createCustomVoice(input: $input) { id } }';
    return (await ask(made, ada.session, { input })).createCustomVoice.id;
  },
};

test('every type that implements Node is made below', () => {
  const { schema } = t.server.executor;
  const node = schema.getType('Node');
  const types = isInterfaceType(node) ? schema.getPossibleTypes(node).map(({ name }) => name) : [];
  expect(Object.keys(MAKE).sort()).toEqual([...types].sort());
});

describe('node', () => {
  test.each(Object.entries(MAKE))('%s: for its owner, and for no other caller', async (type, make) => {
    const id = await make();
    // The third time it runs compiled.
    for (let time = 1; time <= 3; time += 1) {
      expect((await ask(NODE, ada.session, { id })).node).toEqual({ __typename: type, id });
    }
    expect((await ask(NODE, bob.session, { id })).node).toBeNull();
    expect((await ask(NODE, undefined, { id })).node).toBeNull();
  });

  test('a token reads what its scope reads, and nothing else', async () => {
    const wide = await makeClient(t, ada, { scopes: ['profile', 'avatars:read'] });
    for (const [scope, seen] of [
      ['avatars:read', { id: avatarId }],
      ['profile', null],
    ] as const) {
      const token = await tokenFor(t, ada, avatarId, wide, scope);
      expect((await ask('query($id: ID!) { node(id: $id) { id } }', token, { id: avatarId })).node).toEqual(seen);
      expect((await ask(NODE, token, { id: conversation.conversationId })).node).toBeNull();
    }
  });

  test('a fragment on the type reads what that type has', async () => {
    const query =
      'query($id: ID!) { node(id: $id) { id ... on Avatar { avatarId displayName } ... on Voice { name } } }';
    for (let time = 1; time <= 3; time += 1) {
      expect((await ask(query, ada.session, { id: avatarId })).node).toEqual({
        ...{ id: avatarId, avatarId, displayName: 'Nova' },
      });
    }
  });
});

describe('nodes', () => {
  test('in the order of the ids, null for what is not there', async () => {
    const ids = [conversation.conversationId, 'avt_none', 'nonsense', avatarId, avatarId];
    const { nodes } = await ask('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', ada.session, { ids });
    expect(nodes.map((node: any) => node?.id)).toEqual([ids[0], undefined, undefined, avatarId, avatarId]);
  });

  test('a memory of an avatar whose memories another system keeps is null, and leaves the others', async () => {
    const moved = (await rest('POST', '/avatars', { displayName: 'Moved' })).avatarId;
    const { id } = await rest('POST', `/avatars/${moved}/brain/pages`, { content: 'Likes tea.' });
    const select = `mutation($id: ID!) {
      selectBrainSystem(avatarId: $id, system: "mem0", baseUrl: "https://example.com", apiKey: "k") { brainSystem } }`;
    expect(await ask(select, ada.session, { id: moved })).toEqual({ selectBrainSystem: { brainSystem: 'mem0' } });
    expect((await ask(NODE, ada.session, { id })).node).toBeNull();
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const { nodes } = await ask(query, ada.session, { ids: [avatarId, id] });
    expect(nodes).toEqual([{ id: avatarId }, null]);
  });

  test('a hundred and one are too many', async () => {
    const ids = Array.from({ length: 101 }, (_, i) => `avt_${i}`);
    const { body } = await t.graphql('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids }, ada.session);
    expect(body.errors?.[0].extensions.code).toBe('BAD_INPUT');
  });
});

describe('another person’s avatar', () => {
  const SEEN = 'avatarId displayName personalityPrompt knowledgeBaseUrls gemRef brainSystem folderId nonOwnerCapPerDay';
  const HIDDEN = { personalityPrompt: null, knowledgeBaseUrls: [], gemRef: null, brainSystem: null, folderId: null };

  test('is there when it is public, without what is its owner’s alone', async () => {
    const body = { displayName: 'Mona', personalityPrompt: 'Shy.', publiclyRenderable: true };
    const mona = (await rest('POST', '/avatars', body)).avatarId;
    const query = `query($id: ID!) { avatar(avatarId: $id) { ${SEEN} } publicAvatars { nodes { ${SEEN} } } }`;
    const own = await ask(query, ada.session, { id: mona });
    expect(own.avatar).toMatchObject({ personalityPrompt: 'Shy.', brainSystem: 'managed' });
    const { avatar, publicAvatars } = await ask(query, bob.session, { id: mona });
    const shown = { avatarId: mona, displayName: 'Mona', ...HIDDEN, nonOwnerCapPerDay: null };
    expect(avatar).toEqual(shown);
    expect(publicAvatars.nodes).toEqual([shown]);
    await rest('POST', `/avatars/${mona}/public`, { publiclyRenderable: false });
    const { body: gone } = await t.graphql(
      'query($id: ID!) { avatar(avatarId: $id) { id } }',
      { id: mona },
      bob.session,
    );
    expect([gone.data, gone.errors?.[0].extensions.code]).toEqual([{ avatar: null }, 'NOT_FOUND']);
  });
});

test('one look-up that finds nothing leaves the rest of the answer', async () => {
  const query = '{ me { userId } video(generationId: "vid_none") { id } }';
  const { body } = await t.graphql(query, {}, ada.session);
  expect(body.data).toEqual({ me: { userId: ada.userId }, video: null });
  expect(body.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([[['video'], 'NOT_FOUND']]);
});
