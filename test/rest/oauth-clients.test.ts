/** Registering apps: what a host name is, who may, and what deleting takes back. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { approve, makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let owner: TestUser;
let nonOwner: TestUser;
let avatarId: string;
let nonOwnersAvatarId: string;

beforeAll(async () => {
  t = await openTestApp();
  [owner, nonOwner] = [await t.person('Ada'), await t.person('Sam')];
  avatarId = await makeAvatar(t, owner);
  nonOwnersAvatarId = await makeAvatar(t, nonOwner);
});
afterAll(() => t.close());

const register = (body: unknown) => t.rest('POST', '/oauth/clients', { as: owner.apiKey, body });

test('a registration answers the documented fields, the secret once, and stores only its hash', async () => {
  const { status, body } = await register({
    name: ' My App ',
    redirectDomains: ['App.Example.com', 'app.example.com', 'bücher.example', 'localhost'],
    scopes: ['profile', 'generate'],
    serviceAvatarId: avatarId,
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    clientId: expect.stringMatching(/^svcc_[A-Za-z0-9]{38}$/),
    clientSecret: expect.stringMatching(/^svcs_[A-Za-z0-9]{38}$/),
    name: 'My App',
    redirectDomains: ['app.example.com', 'xn--bcher-kva.example', 'localhost'],
    scopes: ['profile', 'generate'],
  });
  const list = await t.rest('GET', '/oauth/clients', { as: owner.session });
  expect(list.body.apps).toContainEqual({
    clientId: body.clientId,
    name: 'My App',
    redirectDomains: body.redirectDomains,
    scopes: body.scopes,
    serviceAvatarId: avatarId,
    createdAt: expect.any(Number),
  });
  const rows = await t.app.db.rows('select * from oauth_client where id = $1', [body.clientId]);
  expect(JSON.stringify([rows, list.body])).not.toContain(body.clientSecret);
  expect((await t.rest('GET', '/oauth/clients', { as: nonOwner.apiKey })).body).toEqual({ apps: [] });
});

test('without scopes an app may ask for profile', async () => {
  const { body } = await register({ name: 'Plain', redirectDomains: ['app.example.com'] });
  expect(body.scopes).toEqual(['profile']);
});

describe('what is no host name is refused and registers nothing', () => {
  test.each([
    'https://app.example.com',
    'app.example.com:8443',
    'app.example.com/cb',
    '*.example.com',
    'app.example.com.',
    '.example.com',
    'app..example.com',
    'user@app.example.com',
    'app.example.com?x',
    'app.example.com#x',
    'app\\example.com',
    'app example.com',
    ' app.example.com',
    'app.example.com\t',
    '%61pp.example.com',
    '-app.example.com',
    'app_1.example.com',
    '127.1',
    '0x7f.0.0.1',
    '[::1]',
    `${'a'.repeat(64)}.example.com`,
    `${'abcdefg.'.repeat(40)}com`,
    '',
  ])('%j', async (domain) => {
    const { status, body } = await register({ name: 'Bad', redirectDomains: ['good.example.com', domain] });
    expect([status, body.error]).toEqual([400, expect.stringMatching(/^redirectDomains must be host names/)]);
    const { apps } = (await t.rest('GET', '/oauth/clients', { as: owner.apiKey })).body;
    expect(apps.some((app: any) => app.name === 'Bad')).toBe(false);
  });
});

describe('other fields', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['a missing name', { name: undefined }, 'name is required.'],
    ['an empty name', { name: '  ' }, 'name must not be empty.'],
    ['a long name', { name: 'x'.repeat(81) }, 'name must have at most 80 characters.'],
    ['no domains', { redirectDomains: [] }, 'redirectDomains must have 1 to 20 items.'],
    ['missing domains', { redirectDomains: undefined }, 'redirectDomains is required.'],
    ['an unknown scope', { scopes: ['profile', 'admin'] }, 'scopes must be one of'],
    ['no scopes', { scopes: [] }, 'scopes must not be empty.'],
    ['no avatar', { serviceAvatarId: 'avt_none' }, 'serviceAvatarId must be one of your avatars.'],
  ])('%s is a 400', async (_name, change, sentence) => {
    const { status, body } = await register({ name: 'A', redirectDomains: ['app.example.com'], ...change });
    expect([status, body.error]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test("another user's avatar is a 400", async () => {
    const { status } = await register({
      name: 'A',
      redirectDomains: ['app.example.com'],
      serviceAvatarId: nonOwnersAvatarId,
    });
    expect(status).toBe(400);
  });
});

const serviceToken = async (client: { clientId: string; clientSecret: string }): Promise<string> => {
  const { body } = await t.rest('POST', '/oauth/token', {
    body: { grant_type: 'client_credentials', client_id: client.clientId, client_secret: client.clientSecret },
  });
  return body.access_token;
};
const userinfo = async (token: string) => (await t.rest('GET', '/oauth/userinfo', { as: token })).status;

describe('PATCH /oauth/clients/{clientId}', () => {
  const patch = (clientId: string, body: unknown, as = owner.apiKey) =>
    t.rest('PATCH', `/oauth/clients/${clientId}`, { as, body });

  test('names the service avatar; changing it takes back the tokens of the old one, not those of users', async () => {
    const client = await makeClient(t, owner, { serviceAvatarId: avatarId });
    const [service, users] = [
      await serviceToken(client),
      await tokenFor(t, nonOwner, nonOwnersAvatarId, client, 'profile'),
    ];
    expect((await patch(client.clientId, { serviceAvatarId: avatarId })).status).toBe(200);
    expect(await userinfo(service)).toBe(200);
    const other = await makeAvatar(t, owner, 'Other');
    const { status, body } = await patch(client.clientId, { serviceAvatarId: other });
    expect([status, body]).toEqual([200, { ok: true, clientId: client.clientId, serviceAvatarId: other }]);
    expect([await userinfo(service), await userinfo(users)]).toEqual([401, 200]);
    const next = await serviceToken(client);
    expect((await patch(client.clientId, { serviceAvatarId: null })).body.serviceAvatarId).toBeNull();
    expect(await userinfo(next)).toBe(401);
    expect(await serviceToken(client)).toBeUndefined();
  });

  test('refuses what is not an avatar of the owner, a missing field, and apps of others', async () => {
    const { clientId } = await makeClient(t, owner);
    expect((await patch(clientId, { serviceAvatarId: nonOwnersAvatarId })).status).toBe(400);
    expect((await patch(clientId, {})).body.error).toMatch(/^serviceAvatarId is required/);
    expect((await patch(clientId, { serviceAvatarId: null }, nonOwner.apiKey)).status).toBe(404);
    expect((await patch('svcc_none', { serviceAvatarId: null })).status).toBe(404);
  });
});

describe('updateOAuthClient', () => {
  const update = async (input: object, as = owner.session) =>
    (
      await t.graphql<any>(
        'mutation($input: UpdateOAuthClientInput!) { updateOAuthClient(input: $input) { name redirectDomains scopes } }',
        { input },
        as,
      )
    ).body;

  test('other hosts: sign-ins come back to those alone, and what users gave stays', async () => {
    const client = await makeClient(t, owner);
    const { clientId } = client;
    const token = await tokenFor(t, nonOwner, nonOwnersAvatarId, client, 'profile');
    const { data } = await update({ clientId, redirectDomains: ['New.Example.com'] });
    expect(data.updateOAuthClient).toEqual({
      name: 'Test App',
      redirectDomains: ['new.example.com'],
      scopes: ['profile'],
    });
    expect(await userinfo(token)).toBe(200);
    const consent = { clientId, scope: 'profile' };
    await expect(approve(t, nonOwner, nonOwnersAvatarId, consent)).rejects.toThrow('BAD_INPUT');
    const { host } = await approve(t, nonOwner, nonOwnersAvatarId, {
      ...consent,
      redirectUri: 'https://new.example.com/cb',
    });
    expect(host).toBe('new.example.com');
    expect((await update({ clientId, name: ' Other ' })).data.updateOAuthClient.name).toBe('Other');
  });

  test.each<[string, object, string]>([
    ['no hosts', { redirectDomains: [] }, 'BAD_INPUT'],
    ['what is no host', { redirectDomains: ['https://app.example.com'] }, 'BAD_INPUT'],
    ['an empty name', { name: ' ' }, 'BAD_INPUT'],
    ['another app', { clientId: 'svcc_none', name: 'x' }, 'NOT_FOUND'],
  ])('refuses %s and changes nothing', async (_what, change, code) => {
    const { clientId } = await makeClient(t, owner);
    expect((await update({ clientId, ...change })).errors![0].extensions.code).toBe(code);
    expect((await update({ clientId, name: 'Mine' }, nonOwner.session)).errors![0].extensions.code).toBe('NOT_FOUND');
    const { apps } = (await t.rest('GET', '/oauth/clients', { as: owner.apiKey })).body;
    expect(apps.find((app: any) => app.clientId === clientId)).toMatchObject({
      name: 'Test App',
      redirectDomains: ['app.example.com', 'localhost'],
    });
  });
});

test('deleting an app takes back every token it holds; only its owner can', async () => {
  const client = await makeClient(t, owner, { serviceAvatarId: avatarId });
  const tokens = [await serviceToken(client), await tokenFor(t, nonOwner, nonOwnersAvatarId, client, 'profile')];
  expect((await t.rest('DELETE', `/oauth/clients/${client.clientId}`, { as: nonOwner.apiKey })).status).toBe(404);
  expect(await Promise.all(tokens.map(userinfo))).toEqual([200, 200]);
  expect((await t.rest('DELETE', `/oauth/clients/${client.clientId}`, { as: owner.apiKey })).status).toBe(200);
  expect(await Promise.all(tokens.map(userinfo))).toEqual([401, 401]);
  expect((await t.rest('DELETE', `/oauth/clients/${client.clientId}`, { as: owner.apiKey })).status).toBe(404);
});
