/**
 * API keys that say when they were used, end by themselves and are restricted by scopes, and secrets of apps that are
 * replaced while the ones before still verify for a time.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { codeFor, exchange, makeAvatar, makeClient, newPkce, tokenFor } from '../support/oauth.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let avatarId: string;
let nowMs = Date.now();

beforeAll(async () => {
  t = await openTestApp({ clock: { now: () => nowMs } });
  ada = await t.person('Ada', 10);
  avatarId = await makeAvatar(t, ada);
});
afterAll(() => t.close());

const newKey = async (body: object) => {
  const answer = await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'CI', ...body } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const listed = async (id: string) =>
  (await t.rest('GET', '/api-keys', { as: ada.session })).body.apiKeys.find((key: any) => key.id === id);
const avatars = async (as: string) => (await t.rest('GET', '/avatars', { as })).status;

describe('when a key was used', () => {
  test('is given to the minute, and is not there before the first use', async () => {
    const { id, token } = await newKey({});
    expect(Object.keys(await listed(id)).sort()).toEqual(['createdAt', 'id', 'name']);
    const first = nowMs;
    expect(await avatars(token)).toBe(200);
    expect(await until(async () => (await listed(id)).lastUsedAt)).toBe(first);
    nowMs += 30 * SECOND_MS;
    expect(await avatars(token)).toBe(200);
    nowMs += 31 * SECOND_MS;
    expect(await avatars(token)).toBe(200);
    // The use half a minute in between was not written: this one is a minute after the first.
    expect(await until(async () => (await listed(id)).lastUsedAt > first && (await listed(id)).lastUsedAt)).toBe(
      first + 61 * SECOND_MS,
    );
  });

  test('is the same minute for every process: the row is written once', async () => {
    const { id, token } = await newKey({});
    expect(await avatars(token)).toBe(200);
    const usedAt = await until(async () => (await listed(id)).lastUsedAt);
    // As another process does that saw the key some seconds later.
    await t.app.db.rows('update api_key set last_used_at = last_used_at + 5000 where id = $1', [id]);
    nowMs += MINUTE_MS;
    expect(await avatars(token)).toBe(200);
    const { id: marker, token: other } = await newKey({});
    await avatars(other);
    await until(async () => (await listed(marker)).lastUsedAt);
    expect((await listed(id)).lastUsedAt).toBe(usedAt + 5_000);
  });
});

describe('a key that ends by itself', () => {
  test('works until then, also where it was just seen, and is listed with its end', async () => {
    const expiresAt = nowMs + 2 * SECOND_MS;
    const { id, token, ...rest } = await newKey({ expiresAt });
    expect(rest.expiresAt).toBe(expiresAt);
    expect(await listed(id)).toMatchObject({ expiresAt });
    expect(await avatars(token)).toBe(200);
    nowMs = expiresAt - 1;
    expect(await avatars(token)).toBe(200);
    nowMs = expiresAt;
    expect(await avatars(token)).toBe(401);
  });

  test('takes the live sockets along that it opened', async () => {
    const expiresAt = nowMs + HOUR_MS;
    const { token } = await newKey({ expiresAt });
    const body = { avatarOwnerUserId: ada.userId, avatarId };
    const { shareSlug } = (await t.rest('POST', '/conversations', { as: token, body })).body;
    const closed = Promise.withResolvers<unknown>();
    const live = createClient({
      url: `${t.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${token}` },
      lazy: false,
      retryAttempts: 0,
      onNonLazyError: closed.resolve,
      on: { closed: closed.resolve },
    });
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    live.subscribe(
      { query: `subscription { turnUpdated(slug: "${shareSlug}") { cursor } }` },
      { next: () => begun.resolve(), error: () => ended.resolve(), complete: () => ended.resolve() },
    );
    await until(async () => t.app.services.live.feeds.stats.feeds === 1);
    nowMs = expiresAt;
    await Promise.race([ended.promise, closed.promise]);
    await live.dispose();
    expect(await avatars(token)).toBe(401);
  });

  test.each<[object, string]>([
    [{ expiresAt: 1 }, 'expiresAt must be in the future.'],
    [{ expiresAt: 'tomorrow' }, 'expiresAt EpochMillis must be an integer.'],
    [{ scopes: [] }, 'scopes must not be empty; leave it out for a key without restrictions.'],
    [{ scopes: ['everything'] }, 'scopes must be one of profile, avatars:read, generate, tribes, donations.'],
    [{ scopes: 'generate' }, 'scopes must be an array.'],
  ])('asked for with %j is a 400', async (body, error) => {
    const answer = await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'CI', ...body } });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });
});

describe('a key with scopes', () => {
  let reader: string;
  let conversation: { conversationId: string; shareSlug: string };
  beforeAll(async () => {
    const made = await newKey({ scopes: ['avatars:read', 'avatars:read'] });
    expect(made.scopes).toEqual(['avatars:read']);
    expect(await listed(made.id)).toMatchObject({ scopes: ['avatars:read'] });
    reader = made.token;
    const body = { avatarOwnerUserId: ada.userId, avatarId };
    conversation = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
  });

  test.each<[string, string, number, object | undefined]>([
    ['GET', '/avatars', 200, undefined],
    ['GET', '/voices', 200, undefined],
    ['POST', '/images/generate', 403, { prompt: 'A boat' }],
    ['POST', '/avatars', 403, { displayName: 'Mine' }],
    ['GET', '/oauth/clients', 403, undefined],
    ['GET', '/api-keys', 401, undefined],
    ['GET', '/oauth/userinfo', 401, undefined],
    ['GET', '/donations/sent', 403, undefined],
  ])('that reads avatars: %s %s is %i', async (method, path, status, body) => {
    expect((await t.rest(method, path, { as: reader, ...(body ? { body } : {}) })).status).toBe(status);
  });

  test('sees its owner’s avatars as they do, and no private conversation of theirs', async () => {
    const [own] = (await t.rest('GET', '/avatars', { as: reader })).body.avatars;
    expect(own.avatarOwnerUserId).toBe(ada.userId);
    const path = `/conversations/by-slug/${conversation.shareSlug}`;
    expect((await t.rest('GET', path, { as: reader })).status).toBe(403);
    const { token } = await newKey({ scopes: ['generate'] });
    expect((await t.rest('GET', path, { as: token })).status).toBe(200);
  });

  test('takes back no grant of its owner', async () => {
    const client = await makeClient(t, ada);
    const access = await tokenFor(t, ada, avatarId, client, 'profile');
    const [grant] = (await t.rest('GET', '/oauth/grants', { as: ada.apiKey })).body.grants;
    expect((await t.rest('DELETE', `/oauth/grants/${grant.tokenId}`, { as: reader })).status).toBe(404);
    expect((await t.rest('GET', '/oauth/userinfo', { as: access })).status).toBe(200);
  });
});

describe('the secret of an app', () => {
  const service = (client: { clientId: string }, secret: string) =>
    t.rest('POST', '/oauth/token', {
      body: { grant_type: 'client_credentials', client_id: client.clientId, client_secret: secret },
    });
  const rotate = (clientId: string, body?: object, as = ada.apiKey) =>
    t.rest('POST', `/oauth/clients/${clientId}/secret`, { as, ...(body ? { body } : {}) });

  test('is replaced: the new one is right at once, the one before for a day', async () => {
    const client = await makeClient(t, ada, { serviceAvatarId: avatarId });
    const held = (await service(client, client.clientSecret)).body.access_token;
    const { status, body } = await rotate(client.clientId);
    expect([status, Object.keys(body).sort()]).toEqual([200, ['clientId', 'clientSecret', 'previousValidUntil']]);
    expect(body).toMatchObject({ clientId: client.clientId, previousValidUntil: nowMs + DAY_MS });
    expect(body.clientSecret).toMatch(/^svcs_[A-Za-z0-9]{38}$/);
    expect((await service(client, body.clientSecret)).status).toBe(200);
    nowMs += DAY_MS - 1;
    expect((await service(client, client.clientSecret)).status).toBe(200);
    nowMs += 1;
    const late = await service(client, client.clientSecret);
    expect([late.status, late.body.error]).toEqual([401, 'invalid_client']);
    expect((await service(client, body.clientSecret)).status).toBe(200);
    // What the app holds already is not touched.
    expect((await t.rest('GET', '/oauth/userinfo', { as: held })).status).toBe(200);
    const stored = await t.app.db.rows('select * from oauth_client where id = $1', [client.clientId]);
    expect(JSON.stringify(stored)).not.toContain(body.clientSecret);
  });

  test('kept for 0 seconds the one before is wrong at once, at codes and at revocation too', async () => {
    const client = await makeClient(t, ada);
    const { body } = await rotate(client.clientId, { keepOldFor: 0 });
    expect(body.previousValidUntil).toBeNull();
    const { verifier, challenge } = newPkce();
    const asked = { clientId: client.clientId, codeChallenge: challenge, codeChallengeMethod: 'S256' };
    const code = await codeFor(t, ada, avatarId, asked);
    expect((await exchange(t, client, { code, code_verifier: verifier })).body.error).toBe('invalid_client');
    const right = { clientId: client.clientId, clientSecret: body.clientSecret };
    const { access_token: token } = (await exchange(t, right, { code, code_verifier: verifier })).body;
    const revoke = (client_secret: string) =>
      t.rest('POST', '/oauth/revoke', { body: { client_id: client.clientId, client_secret, token } });
    expect((await revoke(client.clientSecret)).status).toBe(401);
    expect((await revoke(body.clientSecret)).status).toBe(200);
  });

  test('replaced twice, only the last two verify', async () => {
    const client = await makeClient(t, ada, { serviceAvatarId: avatarId });
    const second = (await rotate(client.clientId, { keepOldFor: 3600 })).body.clientSecret;
    const third = (await rotate(client.clientId, { keepOldFor: 3600 })).body.clientSecret;
    const met = [client.clientSecret, second, third].map(async (secret) => (await service(client, secret)).status);
    expect(await Promise.all(met)).toEqual([401, 200, 200]);
    nowMs += HOUR_MS;
    expect((await service(client, second)).status).toBe(401);
  });

  test('replaced by many at once leaves one that is right', async () => {
    const client = await makeClient(t, ada, { serviceAvatarId: avatarId });
    const made = await Promise.all(Array.from({ length: 8 }, () => rotate(client.clientId, { keepOldFor: 0 })));
    const met = await Promise.all(made.map(async ({ body }) => (await service(client, body.clientSecret)).status));
    expect(met.filter((status) => status === 200)).toHaveLength(1);
  });

  test.each([[-1], [2_592_001]])('kept for %i seconds is a 400', async (keepOldFor) => {
    const client = await makeClient(t, ada);
    const { status, body } = await rotate(client.clientId, { keepOldFor });
    expect([status, body.error]).toEqual([400, 'keepOldFor must be from 0 to 2592000.']);
  });

  test('is replaced by its owner alone', async () => {
    const bob = await t.person('Bob');
    const client = await makeClient(t, ada, { serviceAvatarId: avatarId });
    expect((await rotate(client.clientId, {}, bob.apiKey)).status).toBe(404);
    expect((await service(client, client.clientSecret)).status).toBe(200);
  });
});
