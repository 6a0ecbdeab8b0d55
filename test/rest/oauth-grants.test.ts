/** What an app learns of a user, and how the user takes it back. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar, makeClient, type TestClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let user: TestUser;
let developer: TestUser;
let avatarId: string;
let client: TestClient;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  [user, developer] = [await t.person('Uma', 10), await t.person('Dev', 10)];
  avatarId = await makeAvatar(t, user, 'Vega');
  client = await makeClient(t, developer, { scopes: ['profile', 'generate'] });
});
afterAll(() => t.close());

const userinfo = (token: string) => t.rest('GET', '/oauth/userinfo', { as: token });
const subject = async (token: string) => (await userinfo(token)).body.sub;

describe('userinfo', () => {
  test('names the avatar and a pseudonym, never the user', async () => {
    const { status, body } = await userinfo(await tokenFor(t, user, avatarId, client, 'generate profile'));
    expect(status).toBe(200);
    expect(body).toEqual({
      sub: expect.stringMatching(/^ava_[A-Za-z0-9_-]{32}$/),
      name: 'Vega',
      picture: expect.stringMatching(/^http/),
      avatar_id: avatarId,
      scope: 'generate profile',
    });
    expect(JSON.stringify(body)).not.toContain(user.userId);
    expect((await fetch(body.picture)).status).toBe(200);
  });

  test('the pseudonym is the same at every sign-in, and another for each app and avatar', async () => {
    const [otherApp, otherAvatar] = [await makeClient(t, developer), await makeAvatar(t, user, 'Mira')];
    const subs = [
      await subject(await tokenFor(t, user, avatarId, client, 'profile')),
      await subject(await tokenFor(t, user, avatarId, client, 'profile')),
      await subject(await tokenFor(t, user, avatarId, otherApp, 'profile')),
      await subject(await tokenFor(t, user, otherAvatar, client, 'profile')),
    ];
    expect(subs[0]).toBe(subs[1]);
    expect(new Set(subs).size).toBe(3);
  });

  test.each<[string, () => string | undefined]>([
    ['a caller without a credential', () => undefined],
    ['a session', () => user.session],
    ['an API key', () => user.apiKey],
    ['an unknown token', () => `svc_${'a'.repeat(38)}`],
    ['rubbish', () => 'rubbish'],
  ])('%s has none', async (_name, as) => {
    const token = as();
    const { status, body } = await t.rest('GET', '/oauth/userinfo', token ? { as: token } : {});
    expect([status, body.error]).toEqual([401, 'invalid_token']);
  });
});

describe('grants', () => {
  const grants = async (as = user.session, query = '') =>
    (await t.rest('GET', `/oauth/grants${query}`, { as })).body.grants;

  test('are listed newest first, without tokens; each can be taken back at once by its user alone', async () => {
    const tokens = [
      await tokenFor(t, user, avatarId, client, 'profile'),
      await tokenFor(t, user, avatarId, client, 'profile'),
    ];
    const [newest] = await grants(user.session, '?first=1');
    expect(newest).toEqual({
      tokenId: expect.any(String),
      clientId: client.clientId,
      name: 'Test App',
      avatar: { id: avatarId, name: 'Vega', picture: expect.any(String) },
      scopes: ['profile'],
      clientCredentials: false,
      createdAt: expect.any(Number),
    });
    const [next] = await grants(user.apiKey, `?first=1&after=${newest.tokenId}`);
    expect(next.tokenId < newest.tokenId).toBe(true);
    expect((await t.rest('DELETE', `/oauth/grants/${newest.tokenId}`, { as: developer.apiKey })).status).toBe(404);
    expect((await userinfo(tokens[1]!)).status).toBe(200);
    const { status, body } = await t.rest('DELETE', `/oauth/grants/${newest.tokenId}`, { as: user.apiKey });
    expect([status, body]).toEqual([200, { ok: true }]);
    expect((await userinfo(tokens[1]!)).status).toBe(401);
    expect((await userinfo(tokens[0]!)).status).toBe(200);
    expect((await t.rest('DELETE', `/oauth/grants/${newest.tokenId}`, { as: user.apiKey })).status).toBe(404);
    expect(JSON.stringify(await grants())).not.toMatch(/svc_/);
  });

  test('an API key is no grant', async () => {
    const id = (await t.app.credentials.principalOf(`Bearer ${user.apiKey}`))!.credentialId;
    expect((await t.rest('DELETE', `/oauth/grants/${id}`, { as: user.session })).status).toBe(404);
    expect((await t.rest('DELETE', '/api-keys/none', { as: user.session })).status).toBe(404);
    const tokenId = (await grants())[0].tokenId;
    expect((await t.rest('DELETE', `/api-keys/${tokenId}`, { as: user.session })).status).toBe(404);
    const { apiKeys } = (await t.rest('GET', '/api-keys', { as: user.session })).body;
    expect(apiKeys.map((key: any) => key.name)).toEqual(['test']);
  });

  test('taking one back closes the sockets it opened', async () => {
    const token = await tokenFor(t, user, avatarId, client, 'generate');
    const { shareSlug } = (
      await t.rest('POST', '/conversations', { as: token, body: { avatarOwnerUserId: user.userId, avatarId } })
    ).body;
    let opened: (() => void) | undefined;
    const acknowledged = new Promise<void>((resolve) => {
      opened = resolve;
    });
    const closed = new Promise<number>((resolve) => {
      const socket = createClient({
        url: `${t.url.replace('http', 'ws')}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { authorization: `Bearer ${token}` },
        on: { connected: () => opened!(), closed: (event) => resolve((event as CloseEvent).code) },
      });
      socket.subscribe(
        {
          query: 'subscription($slug: String!) { turnUpdated(slug: $slug) { cursor } }',
          variables: { slug: shareSlug },
        },
        { next: () => {}, error: () => {}, complete: () => {} },
      );
    });
    await acknowledged;
    const [{ tokenId }] = await grants();
    await t.rest('DELETE', `/oauth/grants/${tokenId}`, { as: user.session });
    expect(await closed).toBe(4401);
  });
});

describe('who pays', () => {
  const spent = async (person: TestUser): Promise<number> => {
    const { data } = (await t.graphql<any>('{ ledgerEntries { nodes { kind amount } } }', {}, person.session)).body;
    return data.ledgerEntries.nodes.filter(({ kind, amount }: any) => kind !== 'hold' && amount < 0).length;
  };
  const speak = async (token: string, owner: TestUser, avatar: string) => {
    const { conversationId, shareSlug } = (
      await t.rest('POST', '/conversations', { as: token, body: { avatarOwnerUserId: owner.userId, avatarId: avatar } })
    ).body;
    const answer = await t.rest('POST', `/conversations/${conversationId}/turn`, {
      as: token,
      body: { userText: 'Hello', output: 'audio' },
    });
    expect(answer.status).toBe(202);
    await t.settled(shareSlug, token);
  };

  test("a user's token bills the avatar's owner, a client-credentials token the app's owner", async () => {
    await t.rest('POST', `/avatars/${avatarId}/voice`, { as: user.apiKey, body: { voiceId: 'noop' } });
    await t.rest('POST', `/avatars/${avatarId}/public`, { as: user.apiKey, body: { publiclyRenderable: true } });
    const before = [await spent(user), await spent(developer)];
    await speak(await tokenFor(t, user, avatarId, client, 'generate'), user, avatarId);
    expect([await spent(user), await spent(developer)]).toEqual([before[0]! + 1, before[1]!]);
    const serviceAvatarId = await makeAvatar(t, developer, 'Helper');
    const service = await makeClient(t, developer, { scopes: ['generate'], serviceAvatarId });
    const { access_token: token } = (
      await t.rest('POST', '/oauth/token', {
        body: { grant_type: 'client_credentials', client_id: service.clientId, client_secret: service.clientSecret },
      })
    ).body;
    await speak(token, user, avatarId);
    expect([await spent(user), await spent(developer)]).toEqual([before[0]! + 1, before[1]! + 1]);
  });
});
