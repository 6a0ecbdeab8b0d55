/** From one thing to the next: what is reached is what its own query shows this caller, and nothing more. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isObjectType } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
/** Bob's, with Ada's avatar. */
let conversation: { conversationId: string; shareSlug: string };

beforeAll(async () => {
  t = await openTestApp({ work: true });
  [ada, bob] = [await t.person('Ada', 10), await t.person('Bob', 10)];
  avatarId = await makeAvatar(t, ada);
  const { folder } = (await t.rest('POST', '/avatar-folders', { as: ada.apiKey, body: { name: 'Crew' } })).body;
  await t.rest('POST', `/avatars/${avatarId}/voice`, { as: ada.apiKey, body: { voiceId: 'noop' } });
  const input = { personalityPrompt: 'Shy.', folderId: folder.folderId };
  const update = `mutation($id: ID!, $input: UpdateAvatarInput!) { updateAvatar(avatarId: $id, input: $input) { id } }`;
  await ask(update, ada, { id: avatarId, input });
  await open(true);
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  conversation = (await t.rest('POST', '/conversations', { as: bob.apiKey, body })).body;
  const turn = { userText: 'Hi', output: 'text' };
  await t.rest('POST', `/conversations/${conversation.conversationId}/turn`, { as: bob.apiKey, body: turn });
  await t.settled(conversation.shareSlug, bob.apiKey);
});
afterAll(() => t.close());

const open = (publiclyRenderable: boolean) =>
  t.rest('POST', `/avatars/${avatarId}/public`, { as: ada.apiKey, body: { publiclyRenderable } });
const ask = async (query: string, who: TestUser, variables = {}) => {
  const { body } = await t.graphql(query, variables, who.session);
  expect(body.errors).toBeUndefined();
  return body.data;
};
const CONVERSATION = `query($id: ID!) { conversation(conversationId: $id) {
  id createdAt updatedAt lastTurn { id role createdAt voicedBy { id } } turns(last: 1) { nodes { id } } all: turns { nodes { id role } }
  avatar { id displayName personalityPrompt folder { id } training { status } owner { displayName emailVerified
    balance { available } avatars { nodes { id } } } voice { id name } images { nodes { isPrimary } }
    conversations { nodes { id } } } } }`;

describe('a conversation', () => {
  test('shows its turns, and another user’s public avatar without what is its owner’s alone', async () => {
    const { conversation: seen } = await ask(CONVERSATION, bob, { id: conversation.conversationId });
    expect(seen.all.nodes.map(({ role }: any) => role)).toEqual([
      'user',
      ...seen.all.nodes.slice(1).map(() => 'avatar'),
    ]);
    expect(seen.lastTurn).toMatchObject({ id: seen.all.nodes.at(-1).id, role: 'avatar', voicedBy: { id: avatarId } });
    expect(seen.turns.nodes).toEqual([{ id: seen.lastTurn.id }]);
    expect(seen.updatedAt).toBe(seen.lastTurn.createdAt);
    expect(seen.avatar).toEqual({
      ...{ id: avatarId, displayName: 'Nova', personalityPrompt: null, folder: null, training: null },
      owner: { displayName: 'Ada', emailVerified: null, balance: null, avatars: { nodes: [{ id: avatarId }] } },
      voice: { id: 'noop', name: expect.any(String) },
      images: { nodes: [{ isPrimary: true }] },
      conversations: { nodes: [{ id: conversation.conversationId }] },
    });
  });

  test('does not show an avatar that is not public any more', async () => {
    await open(false);
    try {
      const { conversation: seen } = await ask(CONVERSATION, bob, { id: conversation.conversationId });
      expect([seen.avatar, seen.lastTurn.voicedBy]).toEqual([null, null]);
    } finally {
      await open(true);
    }
  });

  test.each([0, 101])('gives no list of %i within a list', async (last) => {
    const query =
      'query($id: ID!, $last: Int!) { conversation(conversationId: $id) { turns(last: $last) { nodes { id } } } }';
    const { body } = await t.graphql(query, { id: conversation.conversationId, last }, bob.session);
    expect(body.errors?.[0].extensions.code).toBe('BAD_INPUT');
  });
});

test('an avatar shows its owner everything, and no conversation of others', async () => {
  const query = `query($id: ID!) { avatar(avatarId: $id) { folder { name } personalityPrompt conversations { nodes { id } }
    owner { id avatars { nodes { id personalityPrompt } } } } me { balance { available } avatars { nodes { id } } } }`;
  const { avatar, me } = await ask(query, ada, { id: avatarId });
  expect(avatar).toEqual({
    ...{ folder: { name: 'Crew' }, personalityPrompt: 'Shy.', conversations: { nodes: [] } },
    owner: { id: ada.userId, avatars: { nodes: [{ id: avatarId, personalityPrompt: 'Shy.' }] } },
  });
  expect(me).toEqual({ balance: { available: expect.any(Number) }, avatars: { nodes: [{ id: avatarId }] } });
});

describe('a line of the ledger', () => {
  const LINES = `{ ledgerEntries(first: 100) { nodes { id sourceRef source { __typename ... on Node { id }
    ... on Turn { role } ... on Tribe { user isMember } ... on ReceivedGift { from } } } } }`;
  const rest = async (path: string, body: object) => (await t.rest('POST', path, { as: ada.session, body })).body;
  const linesOf = async (who: TestUser) => (await ask(LINES, who)).ledgerEntries.nodes as any[];

  test('leads to what it is for, while that is there', async () => {
    const own = await rest('/conversations', { avatarOwnerUserId: ada.userId, avatarId });
    await rest(`/conversations/${own.conversationId}/turn`, { userText: 'Hi', output: 'audio' });
    await t.settled(own.shareSlug, ada.apiKey);
    const { generationId: speech } = await rest(`/avatars/${avatarId}/speak`, { text: 'Hello there.' });
    await rest('/images/generate', { prompt: 'a kite', model: 'default' });
    const { generationId: video } = await rest('/videos/generate', { prompt: 'a boat', duration: 1 });
    await ask('mutation { updateTribe(joinCost: 0.5) { user } }', bob);
    await ask('mutation($user: ID!) { joinTribe(user: $user) { charged } }', ada, { user: bob.userId });
    const { intentId } = await rest('/donations/intents', { to: bob.userId, amount: 1 });
    await ask('mutation($id: ID!) { confirmGift(intentId: $id) { status } }', ada, { id: intentId });

    const of = (lines: any[], type: string) => lines.find(({ source }) => source?.__typename === type);
    let lines: any[] = [];
    // The third time it runs compiled.
    for (let time = 1; time <= 3; time += 1) lines = await linesOf(ada);
    expect(of(lines, 'Turn').source).toMatchObject({ id: expect.stringMatching(/^trn_/), role: 'avatar' });
    expect(of(lines, 'SpeakGeneration').source.id).toBe(speech);
    expect(of(lines, 'Video').source.id).toBe(video);
    expect(of(lines, 'GiftIntent').source.id).toBe(intentId);
    expect(of(lines, 'Tribe').source).toEqual({ __typename: 'Tribe', user: bob.userId, isMember: true });
    expect(lines.filter(({ source }) => source === null).map(({ sourceRef }) => sourceRef.slice(0, 3))).toContain(
      'grt',
    );
    const received = of(await linesOf(bob), 'ReceivedGift').source;
    expect(received).toEqual({ __typename: 'ReceivedGift', id: intentId, from: ada.userId });

    const image = of(lines, 'KeptImage');
    await ask('mutation($id: ID!) { deleteImage(imageId: $id) { deletedId } }', ada, { id: image.source.id });
    const again = (await linesOf(ada)).find(({ id }) => id === image.id);
    expect(again).toEqual({ id: image.id, sourceRef: `image:${image.source.id}`, source: null });
  });

  test('leads to nothing that was said between others', async () => {
    const body = { userText: 'Between us.', output: 'audio' };
    await t.rest('POST', `/conversations/${conversation.conversationId}/turn`, { as: bob.apiKey, body });
    await t.settled(conversation.shareSlug, bob.apiKey);
    const { turns } = (await t.rest('GET', `/conversations/by-slug/${conversation.shareSlug}`, { as: bob.apiKey }))
      .body;
    const paid = turns.map(({ id }: any) => `turn:${id}`);
    const lines = (await linesOf(ada)).filter(({ sourceRef }) => paid.includes(sourceRef));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.map(({ source }) => source)).toEqual(lines.map(() => null));
  });
});

test('what a mutation changed is in its answer, by the id that clients keep it under', async () => {
  const rest = async (path: string, body: object) => (await t.rest('POST', path, { as: ada.session, body })).body;
  const { conversationId } = await rest('/conversations', { avatarOwnerUserId: ada.userId, avatarId });
  const { folder } = await rest('/avatar-folders', { name: 'Old' });
  const { clientId } = await makeClient(t, ada);
  const { intentId } = await rest('/donations/intents', { to: bob.userId, amount: 0.1 });
  const { avatarImageUrl } = (
    await ask('query($id: ID!) { avatar(avatarId: $id) { avatarImageUrl } }', ada, { id: avatarId })
  ).avatar;
  const document = `mutation($conversationId: ID!, $image: String!, $intentId: ID!, $clientId: ID!, $avatarId: ID!, $folderId: ID!) {
    opened: setConversationVisibility(input: { conversationId: $conversationId, isPublic: true }) { conversation { id isPublic } }
    pinned: pinAvatarImage(input: { conversationId: $conversationId, avatarImageUrl: $image }) { conversation { id avatarImageUrl } }
    cancelled: cancelGift(input: { intentId: $intentId }) { gift { id status } }
    app: setServiceAvatar(input: { clientId: $clientId, serviceAvatarId: $avatarId }) { app { id serviceAvatarId } }
    trained: trainAvatar(input: { avatarId: $avatarId }) { avatar { id training { status } } }
    gone: deleteAvatarFolder(input: { folderId: $folderId }) { deletedId }
  }`;
  const variables = { conversationId, image: avatarImageUrl, intentId, clientId, avatarId, folderId: folder.folderId };
  expect(await ask(document, ada, variables)).toEqual({
    opened: { conversation: { id: conversationId, isPublic: true } },
    pinned: { conversation: { id: conversationId, avatarImageUrl } },
    cancelled: { gift: { id: intentId, status: 'cancelled' } },
    app: { app: { id: clientId, serviceAvatarId: avatarId } },
    // The worker may have begun, or be done.
    trained: { avatar: { id: avatarId, training: { status: expect.stringMatching(/^(?:queued|running|trained)$/) } } },
    gone: { deletedId: folder.folderId },
  });
});

describe('what a charging mutation answers', () => {
  test.each(['injectTurn', 'speak', 'generateImage', 'editImage', 'generateVideo', 'joinTribe', 'confirmGift'])(
    '%s has the balance',
    (name) => {
      const field = t.server.executor.schema.getMutationType()?.getFields()[name];
      const answer = getNamedType(field!.type);
      expect(isObjectType(answer) && Object.keys(answer.getFields())).toContain('balance');
    },
  );

  test('shows the payer the balance of that time, and an app nothing', async () => {
    const one = 'generateImage(input: { prompt: "a kite", model: default }) { creditCost balance { available held } }';
    const before = (await ask('{ me { balance { available } } }', ada)).me.balance.available;
    const { a, b } = await ask(`mutation { a: ${one} b: ${one} }`, ada);
    expect(a.creditCost).toBeGreaterThan(0);
    expect(a.balance.available).toBeCloseTo(before - a.creditCost, 6);
    expect(b.balance.available).toBeCloseTo(before - a.creditCost - b.creditCost, 6);
    const token = await tokenFor(t, ada, avatarId, await makeClient(t, ada, { scopes: ['generate'] }), 'generate');
    const { body } = await t.graphql(`mutation { ${one} }`, {}, token);
    expect(body.data.generateImage).toEqual({ creditCost: a.creditCost, balance: null });
  });
});

test('a video’s avatar is the avatar', async () => {
  const body = { prompt: 'A boat', duration: 1, avatarId };
  const { generationId } = (await t.rest('POST', '/videos/generate', { as: ada.apiKey, body })).body;
  const query =
    'query($id: ID!) { video(generationId: $id) { referencedAvatars { id avatar { personalityPrompt } } } }';
  const { video } = await ask(query, ada, { id: generationId });
  expect(video.referencedAvatars).toEqual([{ id: avatarId, avatar: { personalityPrompt: 'Shy.' } }]);
});

test('an update that is shared by many viewers holds nothing private, also when the owner watches first', async () => {
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  const own = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  await t.rest('POST', `/conversations/${own.conversationId}/turn`, {
    ...{ as: ada.apiKey, body: { userText: 'Hi', output: 'text' } },
  });
  await t.settled(own.shareSlug, ada.apiKey);
  const client = createClient({
    url: `${t.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${ada.session}` },
  });
  try {
    const query = `subscription($slug: String!) { turnUpdated(slug: $slug, after: "0") {
      turn { voicedBy { id personalityPrompt } } } }`;
    const updates = client.iterate<any>({ query, variables: { slug: own.shareSlug } });
    const { value } = await updates.next();
    expect(value.data.turnUpdated.turn.voicedBy).toEqual({ id: avatarId, personalityPrompt: null });
    await updates.return?.();
  } finally {
    await client.dispose();
  }
});
