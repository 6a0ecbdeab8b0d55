/** What is off unless it is configured: refresh tokens with rotation and reuse detection, introspection, pushed requests. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { sha256 } from '../../src/kernel/ids.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { connect, signInProgram } from '../support/mcp-client.ts';
import { codeFor, exchange, makeAvatar, makeClient, newPkce, REDIRECT, type TestClient } from '../support/oauth.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let laterMs = 0;
let user: TestUser;
let avatarId: string;
let client: TestClient;

beforeAll(async () => {
  t = await openTestApp({
    clock: { now: () => Date.now() + laterMs },
    env: { OAUTH_REFRESH_DAYS: '30', OAUTH_INTROSPECTION: 'on', OAUTH_PAR: 'on', DATABASE_POOL: '2' },
  });
  user = await t.person('Uma');
  avatarId = await makeAvatar(t, user, 'Vega');
  client = await makeClient(t, user, { scopes: ['profile', 'generate'] });
});
afterAll(() => t?.close());

const token = (body: Record<string, unknown>) =>
  t.rest('POST', '/oauth/token', { body: { client_id: client.clientId, client_secret: client.clientSecret, ...body } });
const refresh = (refresh_token: string, change: Record<string, unknown> = {}) =>
  token({ grant_type: 'refresh_token', refresh_token, ...change });
const signIn = async (scope = 'profile offline_access') =>
  (await exchange(t, client, { code: await codeFor(t, user, avatarId, { clientId: client.clientId, scope }) })).body;
const works = async (as: string) => (await t.rest('GET', '/oauth/userinfo', { as })).status === 200;
const grantOf = async (): Promise<string> =>
  (await t.rest('GET', '/oauth/grants', { as: user.apiKey })).body.grants[0].tokenId;

describe('refresh tokens', () => {
  test('are issued to apps that ask for offline_access; every other token lives on as documented', async () => {
    const plain = await signIn('profile');
    expect(plain).not.toHaveProperty('refresh_token');
    expect(plain).not.toHaveProperty('expires_in');
    const held = await signIn();
    expect(held).toMatchObject({ scope: 'profile', expires_in: 3_600, refresh_token: expect.stringMatching(/^svcr_/) });
    laterMs += HOUR_MS + 1;
    await until(async () => !(await works(held.access_token)));
    expect(await works(plain.access_token)).toBe(true);
    const next = await refresh(held.refresh_token);
    expect(next.body).toMatchObject({ scope: 'profile', expires_in: 3_600, avatar: { id: avatarId } });
    expect([await works(next.body.access_token), await works(held.access_token)]).toEqual([true, false]);
    expect((await t.rest('GET', '/.well-known/oauth-authorization-server')).body).toMatchObject({
      grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
      introspection_endpoint: expect.stringContaining('/oauth/introspect'),
      pushed_authorization_request_endpoint: expect.stringContaining('/oauth/par'),
    });
  });

  test('are one grant however often they are used, which the user takes back at once', async () => {
    let held = await signIn();
    const tokenId = await grantOf();
    for (let i = 0; i < 3; i += 1) held = (await refresh(held.refresh_token)).body;
    expect(await grantOf()).toBe(tokenId);
    await t.rest('DELETE', `/oauth/grants/${tokenId}`, { as: user.apiKey });
    expect((await refresh(held.refresh_token)).body.error).toBe('invalid_grant');
    expect(await works(held.access_token)).toBe(false);
  });

  test('that are used again end the grant, for who stole one and who had it', async () => {
    const first = await signIn();
    const second = (await refresh(first.refresh_token)).body;
    laterMs += 10;
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect(await works(second.access_token)).toBe(false);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('of twenty at once one gets the next token, and the app in a hurry keeps its grant', async () => {
    const held = await signIn();
    const holder = new pg.Client(t.databaseUrl);
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from oauth_refresh for update');
    let arrived = 0;
    const allArrived = new Promise<void>((resolve) => {
      t.server.fastify.server.on('request', () => {
        arrived += 1;
        if (arrived === 20) resolve();
      });
    });
    const racing = Promise.all(Array.from({ length: 20 }, () => refresh(held.refresh_token)));
    await allArrived;
    // An answer that needs no database comes after the bodies of all requests before it were read.
    await t.rest('GET', '/nowhere');
    laterMs += 10;
    await holder.query('commit');
    await holder.end();
    const answers = await racing;
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(19);
    expect(await works(won[0]!.body.access_token)).toBe(true);
    laterMs += 10;
    // Brought again afterwards it is a replay.
    await refresh(held.refresh_token);
    expect(await works(won[0]!.body.access_token)).toBe(false);
  });

  test.each<[string, (held: any) => Promise<Record<string, unknown>>, string]>([
    ['another app', async () => ({ client_id: (await makeClient(t, user)).clientId }), 'invalid_client'],
    ['no secret, where the code came with one', async () => ({ client_secret: undefined }), 'invalid_client'],
    ['another scope', async () => ({ scope: 'profile generate' }), 'invalid_scope'],
    ['another resource', async () => ({ resource: `${t.app.config.BASE_URL}/mcp` }), 'invalid_target'],
    ['a resource that is none', async () => ({ resource: 'https://other.example' }), 'invalid_target'],
    ['no token', async () => ({ refresh_token: undefined }), 'invalid_request'],
    ['an access token', async ({ access_token }) => ({ refresh_token: access_token }), 'invalid_grant'],
  ])('are refused with %s, and stay good', async (_name, change, error) => {
    const held = await signIn();
    expect((await refresh(held.refresh_token, await change(held))).body.error).toBe(error);
    expect((await refresh(held.refresh_token)).status).toBe(200);
  });

  test('are among the grants that a request for an unknown one is shown', async () => {
    const { status, body } = await exchange(t, client, { grant_type: 'password' });
    expect([status, body.error]).toEqual([400, 'unsupported_grant_type']);
    expect(body.error_description).toBe('Use one of authorization_code, client_credentials, refresh_token.');
  });

  test('of another app are refused, and its grant stands', async () => {
    const held = await signIn();
    const other = await makeClient(t, user);
    const asOther = { client_id: other.clientId, client_secret: other.clientSecret };
    expect((await refresh(held.refresh_token, asOther)).body.error).toBe('invalid_grant');
    expect(await works(held.access_token)).toBe(true);
  });

  test('run out, and are forgotten then', async () => {
    const held = await signIn();
    laterMs += 30 * DAY_MS + 1;
    expect((await refresh(held.refresh_token)).body.error).toBe('invalid_grant');
    expect((await t.app.retentionCleanup.run()).oauthRequests).toBeGreaterThan(0);
    expect(await t.app.db.rows('select 1 from oauth_refresh')).toEqual([]);
  });

  test('are revoked by the app like its access tokens', async () => {
    const person = await t.person('Ray');
    const mine = await makeAvatar(t, person);
    const code = await codeFor(t, person, mine, { clientId: client.clientId, scope: 'profile offline_access' });
    const held = (await exchange(t, client, { code })).body;
    await t.rest('POST', '/oauth/revoke', { body: { client_id: client.clientId, token: held.refresh_token } });
    expect(await works(held.access_token)).toBe(false);
  });

  test('are what the SDK’s own client takes, for the tools', async () => {
    const person = await t.person('Mo');
    const program = await signInProgram(t, person, await makeAvatar(t, person, 'Rigel'));
    expect(program.held).toMatchObject({ expires_in: 3_600, refresh_token: expect.stringMatching(/^svcr_/) });
    const before = program.held!.access_token;
    laterMs += HOUR_MS + 1;
    const tools = await connect(t, program);
    const { structuredContent } = await tools.callTool({ name: 'list_avatars' });
    expect(structuredContent).toMatchObject({ avatars: [{ displayName: 'Rigel' }] });
    expect(program.held!.access_token).not.toBe(before);
    await tools.close();
    const renewed = program.held!.access_token;
    expect((await t.rest('GET', '/voices', { as: renewed })).status).toBe(401);
    // Releases before 1.3, which would take it for one that opens the API, find nothing.
    expect(await t.app.db.rows('select from api_key where token_hash = $1', [sha256(renewed)])).toEqual([]);
  });
});

describe('introspection', () => {
  const ask = (asked: string, change: Record<string, unknown> = {}) =>
    t.rest('POST', '/oauth/introspect', {
      body: { client_id: client.clientId, client_secret: client.clientSecret, token: asked, ...change },
    });

  test('describes an app’s own tokens to it, and all others as inactive', async () => {
    const person = await t.person('Ivy');
    const mine = await makeAvatar(t, person);
    const code = await codeFor(t, person, mine, {
      clientId: client.clientId,
      scope: 'generate profile offline_access',
    });
    const held = (await exchange(t, client, { code })).body;
    const { sub } = (await t.rest('GET', '/oauth/userinfo', { as: held.access_token })).body;
    expect((await ask(held.access_token)).body).toEqual({
      active: true,
      scope: 'generate profile',
      client_id: client.clientId,
      token_type: 'Bearer',
      exp: expect.any(Number),
      iat: expect.any(Number),
      sub,
      iss: t.app.config.BASE_URL,
    });
    expect((await ask(held.refresh_token)).body).toMatchObject({ active: true, token_type: 'refresh_token', sub });
    const other = await makeClient(t, user);
    const asOther = { client_id: other.clientId, client_secret: other.clientSecret };
    for (const [asked, change] of [
      [held.access_token, asOther],
      [user.apiKey, {}],
      ['svc_x', {}],
      ['svcr_x', {}],
    ]) {
      expect((await ask(asked, change)).body).toEqual({ active: false });
    }
    await t.rest('POST', '/oauth/revoke', { body: { client_id: client.clientId, token: held.access_token } });
    for (const asked of [held.access_token, held.refresh_token]) {
      expect((await ask(asked)).body).toEqual({ active: false });
    }
    expect((await ask('svc_x', { client_secret: 'svcs_wrong' })).body.error).toBe('invalid_client');
    expect((await ask('svc_x', { client_secret: undefined })).body.error).toBe('invalid_request');
  });
});

describe('requests that are sent beforehand', () => {
  const push = (fields: Record<string, unknown> = {}) =>
    t.rest('POST', '/oauth/par', {
      body: { client_id: client.clientId, redirect_uri: REDIRECT, scope: 'profile', ...fields },
    });
  const page = (fields: Record<string, string>) => `/oauth-authorize.html?${new URLSearchParams(fields)}`;

  test('are answered by their name alone, once; what the browser adds counts for nothing', async () => {
    const { verifier, challenge } = newPkce();
    const pushed = await push({ state: 's', code_challenge: challenge, code_challenge_method: 'S256' });
    expect([pushed.status, pushed.body.expires_in]).toEqual([201, 600]);
    const { request_uri } = pushed.body;
    const browser = await new Visitor(t.url).signIn(user.email);
    const where = page({
      client_id: client.clientId,
      request_uri,
      scope: 'generate',
      redirect_uri: 'https://evil.example',
    });
    const { text } = await browser.get(where);
    expect(text).toContain('See the name and image');
    expect(text).not.toContain('spend your credits');
    const answer = await browser.post(where, { csrf: csrfOf(text), decision: 'approve', avatarId });
    const to = new URL(answer.location!);
    expect([to.origin + to.pathname, to.searchParams.get('state')]).toEqual([REDIRECT, 's']);
    const { status } = await exchange(t, client, { code: to.searchParams.get('code'), code_verifier: verifier });
    expect(status).toBe(200);
    const again = await browser.get(where);
    expect([again.status, again.text.includes('request_uri is unknown, used or too old.')]).toEqual([400, true]);
  });

  test.each<[string, () => Promise<Record<string, unknown>>, string]>([
    ['a wrong secret', async () => ({ client_secret: 'svcs_wrong' }), 'invalid_client'],
    ['an unknown app', async () => ({ client_id: 'svcc_none' }), 'invalid_client'],
    ['another address', async () => ({ redirect_uri: 'https://evil.example/' }), 'invalid_request'],
    ['no address', async () => ({ redirect_uri: undefined }), 'invalid_request'],
    ['a scope that the app lacks', async () => ({ scope: 'tribes' }), 'invalid_scope'],
    ['another resource', async () => ({ resource: 'https://other.example' }), 'invalid_target'],
    ['too long a state', async () => ({ state: 's'.repeat(4_097) }), 'invalid_request'],
    ['too long a scope', async () => ({ scope: 'profile '.repeat(200) }), 'invalid_scope'],
    ['the name of another request', async () => ({ request_uri: (await push()).body.request_uri }), 'invalid_request'],
  ])('are refused with %s', async (_name, change, error) => {
    expect((await push(await change())).body.error).toBe(error);
  });

  test('may be more at once than a process has connections', async () => {
    const answers = await Promise.all(Array.from({ length: 24 }, () => push({ state: 's'.repeat(4_096) })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  });

  test('are no other app’s, and live ten minutes', async () => {
    const { request_uri } = (await push()).body;
    const other = await makeClient(t, user);
    const browser = await new Visitor(t.url).signIn(user.email);
    expect((await browser.get(page({ client_id: other.clientId, request_uri }))).status).toBe(400);
    expect((await browser.get(page({ client_id: client.clientId, request_uri }))).status).toBe(200);
    laterMs += 10 * 60_000 + 1;
    expect((await browser.get(page({ client_id: client.clientId, request_uri }))).status).toBe(400);
  });
});
