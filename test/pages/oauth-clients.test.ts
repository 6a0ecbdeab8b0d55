/**
 * Real OAuth libraries complete a sign-in in Chromium, clicking the consent page, without JavaScript in the browser:
 * openid-client, oauth4webapi, simple-oauth2 and arctic, each as its own documentation shows.
 */
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Browser } from 'playwright-core';
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { makeAvatar, makeClient, type TestClient } from '../support/oauth.ts';

let t: TestApp;
let browser: Browser;
let app: Server;
let user: TestUser;
let client: TestClient;
let avatarId: string;
let redirectUri: string;
let issuer: string;

beforeAll(async () => {
  t = await openTestApp();
  browser = await openBrowser();
  app = createServer((_request, response) => response.end('Signed in.'));
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve));
  redirectUri = `http://localhost:${(app.address() as AddressInfo).port}/callback`;
  issuer = t.app.config.BASE_URL;
  user = await t.person('Uma');
  const first = await makeAvatar(t, user, 'Nova');
  avatarId = await makeAvatar(t, user, 'Vega');
  client = await makeClient(t, user, { scopes: ['profile', 'avatars:read'], serviceAvatarId: first });
});
afterAll(async () => {
  await browser?.close();
  app?.close();
  await t?.close();
});

/** A person follows the app's link, signs in, picks Vega and agrees; the address the browser ends at. */
async function agree(link: URL | string): Promise<URL> {
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    await page.goto(String(link));
    await page.getByLabel('E-mail').fill(user.email);
    await page.getByLabel('Password').fill('correct horse');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('radio', { name: 'Vega' }).check();
    await page.getByRole('button', { name: 'Allow and continue' }).click();
    await page.getByText('Signed in.').waitFor();
    return new URL(page.url());
  } finally {
    await context.close();
  }
}

const sees = async (token: string) => (await t.rest('GET', '/oauth/userinfo', { as: token })).body;

test('openid-client: discovery, PKCE, state, issuer, userinfo, revocation', async () => {
  const config = await openid.discovery(
    new URL(issuer),
    client.clientId,
    undefined,
    openid.ClientSecretPost(client.clientSecret),
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  );
  const [verifier, state] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  const link = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'profile avatars:read',
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const arrived = await agree(link);
  expect(arrived.searchParams.get('iss')).toBe(issuer);
  const tokens = await openid.authorizationCodeGrant(config, arrived, {
    pkceCodeVerifier: verifier,
    expectedState: state,
  });
  expect(tokens).toMatchObject({ scope: 'profile avatars:read', avatar: { id: avatarId, name: 'Vega' } });
  const { sub, avatar_id } = await sees(tokens.access_token);
  expect(avatar_id).toBe(avatarId);
  expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({ name: 'Vega' });
  await openid.tokenRevocation(config, tokens.access_token);
  expect((await sees(tokens.access_token)).error).toBe('invalid_token');
  const service = await openid.clientCredentialsGrant(config, { scope: 'profile' });
  expect(service).toMatchObject({ scope: 'profile', avatar: { name: 'Nova' } });
  const wrong = new openid.Configuration(
    config.serverMetadata(),
    client.clientId,
    undefined,
    openid.ClientSecretPost('no'),
  );
  openid.allowInsecureRequests(wrong);
  await expect(openid.clientCredentialsGrant(wrong)).rejects.toMatchObject({ error: 'invalid_client' });
});

test('oauth4webapi: a public client with PKCE, and HTTP Basic', async () => {
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await oauth.processDiscoveryResponse(
    new URL(issuer),
    await oauth.discoveryRequest(new URL(issuer), { algorithm: 'oauth2', ...insecure }),
  );
  const me: oauth.Client = { client_id: client.clientId };
  for (const authentication of [oauth.None(), oauth.ClientSecretBasic(client.clientSecret)]) {
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const link = new URL(server.authorization_endpoint!);
    link.search = new URLSearchParams({
      client_id: client.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'profile',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }).toString();
    const answer = oauth.validateAuthResponse(server, me, await agree(link), state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      me,
      authentication,
      answer,
      redirectUri,
      verifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, me, response);
    expect((await sees(tokens.access_token)).name).toBe('Vega');
  }
});

test('simple-oauth2: a secret by HTTP Basic without client_id in the body, and client credentials', async () => {
  const config = {
    client: { id: client.clientId, secret: client.clientSecret },
    auth: { tokenHost: issuer, tokenPath: '/oauth/token', revokePath: '/oauth/revoke' },
  };
  const library = new AuthorizationCode({
    ...config,
    auth: { ...config.auth, authorizePath: '/oauth-authorize.html' },
  });
  const link = library.authorizeURL({ redirect_uri: redirectUri, scope: 'profile', state: 'a*b c' });
  const arrived = await agree(link);
  expect(arrived.searchParams.get('state')).toBe('a*b c');
  const { token, revoke } = await library
    .getToken({ code: arrived.searchParams.get('code')!, redirect_uri: redirectUri })
    .then((made) => ({ token: made.token, revoke: () => made.revoke('access_token') }));
  expect((await sees(token.access_token as string)).name).toBe('Vega');
  await revoke();
  expect((await sees(token.access_token as string)).error).toBe('invalid_token');
  const service = await new ClientCredentials(config).getToken({ scope: 'profile' });
  expect((await sees(service.token.access_token as string)).name).toBe('Nova');
});

test('arctic: its generic client, with a secret and as a public one', async () => {
  for (const secret of [client.clientSecret, null]) {
    const authorize = `${t.app.config.SITE_URL}/oauth-authorize.html`;
    const settings = { clientId: client.clientId, secret, redirectUri, authorize, token: `${issuer}/oauth/token` };
    const library = spawn(process.execPath, ['test/support/arctic-app.mjs', JSON.stringify(settings)], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const lines = createInterface({ input: library.stdout })[Symbol.asyncIterator]();
      const arrived = await agree((await lines.next()).value ?? '');
      library.stdin.write(`${arrived.href}\n`);
      const { token } = JSON.parse((await lines.next()).value ?? '{}');
      expect((await sees(token)).name).toBe('Vega');
      library.stdin.write(`${arrived.href}\n`);
      expect(JSON.parse((await lines.next()).value ?? '{}')).toEqual({ error: 'invalid_grant' });
      expect((await sees(token)).error).toBe('invalid_token');
    } finally {
      library.kill();
    }
  }
});
