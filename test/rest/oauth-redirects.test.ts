/** redirect_uri: every trick as a row, through the operation the page executes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { redirectUrl } from '../../src/auth/oauth-redirects.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { approve, makeAvatar, makeClient, newPkce, REDIRECT, type TestClient } from '../support/oauth.ts';

let t: TestApp;
let user: TestUser;
let avatarId: string;
let client: TestClient;

beforeAll(async () => {
  t = await openTestApp();
  user = await t.person('Uma');
  avatarId = await makeAvatar(t, user);
  client = await makeClient(t, user, {
    redirectDomains: ['app.example.com', 'bücher.example', 'localhost', 'localhost.example.com'],
    scopes: ['profile', 'generate'],
  });
});
afterAll(() => t.close());

const REQUEST = `query($input: AuthorizationRequestInput!) { authorizationRequest(input: $input) {
  name redirectOrigin scopes errorRedirect denyRedirect } }`;
const ask = async (input: Record<string, unknown>, as?: string) =>
  (await t.graphql<any>(REQUEST, { input: { clientId: client.clientId, redirectUri: REDIRECT, ...input } }, as)).body;

describe('addresses that are answered', () => {
  test.each<[string, string]>([
    ['https://app.example.com/callback', 'https://app.example.com'],
    ['https://app.example.com', 'https://app.example.com'],
    ['https://APP.Example.COM/Callback', 'https://app.example.com'],
    ['https://app.example.com:8443/cb', 'https://app.example.com:8443'],
    ['https://app.example.com/cb?tab=1', 'https://app.example.com'],
    ['https://app.example.com/@home', 'https://app.example.com'],
    ['https://bücher.example/cb', 'https://xn--bcher-kva.example'],
    ['https://xn--bcher-kva.example/cb', 'https://xn--bcher-kva.example'],
    ['http://localhost/cb', 'http://localhost'],
    ['http://localhost:3000/cb', 'http://localhost:3000'],
    ['https://localhost:3000/cb', 'https://localhost:3000'],
  ])('%s', async (redirectUri, origin) => {
    const { data } = await ask({ redirectUri });
    expect(data.authorizationRequest).toMatchObject({ redirectOrigin: origin, errorRedirect: null });
    const sentTo = await approve(t, user, avatarId, { clientId: client.clientId, redirectUri });
    expect(sentTo.origin).toBe(origin);
    expect(sentTo.searchParams.get('code')).toHaveLength(43);
  });
});

describe('tricks are an error of their own, never a redirect', () => {
  test.each([
    ['another host', 'https://evil.example/cb'],
    ['a subdomain', 'https://x.app.example.com/cb'],
    ['the parent domain', 'https://example.com/cb'],
    ['a host that ends alike', 'https://evilapp.example.com/cb'],
    ['a host that begins alike', 'https://app.example.com.evil.com/cb'],
    ['localhost that begins alike', 'http://localhost.evil.com/cb'],
    ['http', 'http://app.example.com/cb'],
    ['http at a host that only begins with localhost', 'http://localhost.example.com/cb'],
    ['javascript:', 'javascript:alert(1)//app.example.com'],
    ['data:', 'data:text/html,app.example.com'],
    ['an app scheme', 'myapp://app.example.com/cb'],
    ['ftp', 'ftp://app.example.com/cb'],
    ['no scheme', '//app.example.com/cb'],
    ['a path alone', '/cb'],
    ['one slash', 'https:/app.example.com/cb'],
    ['no slash', 'https:app.example.com/cb'],
    ['three slashes', 'https:///app.example.com/cb'],
    ['a user before the host', 'https://app.example.com@evil.example/cb'],
    ['a user before the right host', 'https://user@app.example.com/cb'],
    ['user and password', 'https://user:pass@app.example.com/cb'],
    ['an empty user', 'https://@app.example.com/cb'],
    ['a user behind a backslash', 'https://evil.example\\@app.example.com/cb'],
    ['a backslash for a slash', 'https:\\\\app.example.com\\cb'],
    ['a backslash behind the host', 'https://app.example.com\\.evil.example/cb'],
    ['a tab in the host', 'https://app.exam\tple.com/cb'],
    ['a tab in the scheme', 'ht\ttps://app.example.com/cb'],
    ['a line break', 'https://app.example.com/cb\r\nSet-Cookie: a=b'],
    ['a space before', ' https://app.example.com/cb'],
    ['a space within', 'https://app.example.com/c b'],
    ['a zero-width space', 'https://app.example.com/c\u200bb'],
    ['a NUL', 'https://app.example.com/\u0000'],
    ['a trailing dot', 'https://app.example.com./cb'],
    ['a Cyrillic letter', 'https://аpp.example.com/cb'],
    ['a dotless look-alike', 'https://app․example․com.evil.example/cb'],
    ['another IDN', 'https://bücher.example.evil.com/cb'],
    ['127.0.0.1 for localhost', 'http://127.0.0.1/cb'],
    ['[::1] for localhost', 'http://[::1]/cb'],
    ['a fragment', 'https://app.example.com/cb#token'],
    ['an empty fragment', 'https://app.example.com/cb#'],
    ['its own code', 'https://app.example.com/cb?code=stolen'],
    ['its own state', 'https://app.example.com/cb?a=1&state=x'],
    ['a port beyond all ports', 'https://app.example.com:99999/cb'],
    ['escapes in the host', 'https://app%2eexample.com%00.evil.example/cb'],
    ['an endless path', `https://app.example.com/${'a'.repeat(2_050)}`],
    ['nothing', ''],
  ])('%s', async (_name, redirectUri) => {
    const { data, errors } = await ask({ redirectUri });
    expect(data?.authorizationRequest).toBeUndefined();
    expect(errors![0]).toMatchObject({
      message: expect.stringMatching(/^(redirect_uri must be|redirectUri has characters)/),
      extensions: { code: 'BAD_INPUT' },
    });
    await expect(approve(t, user, avatarId, { clientId: client.clientId, redirectUri })).rejects.toThrow(
      /redirect_?uri/i,
    );
  });

  test.each(['', 'svcc_none', 'svc_none', `svcc_${'a'.repeat(38)}`])('the client %j', async (clientId) => {
    const { errors } = await ask({ clientId });
    expect(errors![0].message).toBe('client_id is not that of a registered app.');
  });

  test('a deleted client', async () => {
    const gone = await makeClient(t, user);
    await t.rest('DELETE', `/oauth/clients/${gone.clientId}`, { as: user.apiKey });
    expect((await ask({ clientId: gone.clientId })).errors![0].message).toMatch(/^client_id/);
  });
});

describe('every other error is reported to the app, with state and issuer', () => {
  const { challenge } = newPkce();
  test.each<[string, Record<string, string>, string]>([
    ['another response type', { responseType: 'token' }, 'unsupported_response_type'],
    ['two response types', { responseType: 'code token' }, 'unsupported_response_type'],
    ['a plain challenge', { codeChallenge: challenge, codeChallengeMethod: 'plain' }, 'invalid_request'],
    ['a challenge without method, which means plain', { codeChallenge: challenge }, 'invalid_request'],
    ['a method without challenge', { codeChallengeMethod: 'S256' }, 'invalid_request'],
    ['a short challenge', { codeChallenge: 'abc', codeChallengeMethod: 'S256' }, 'invalid_request'],
    ['an unknown scope', { scope: 'profile admin' }, 'invalid_scope'],
    ['a scope the app lacks', { scope: 'tribes' }, 'invalid_scope'],
    ['spaces for a scope', { scope: ' ' }, 'invalid_scope'],
  ])('%s', async (_name, change, error) => {
    const { errorRedirect } = (await ask({ ...change, state: 's&t=1' })).data.authorizationRequest;
    for (const url of [
      new URL(errorRedirect),
      await approve(t, user, avatarId, { clientId: client.clientId, state: 's&t=1', ...change }),
    ]) {
      expect(url.origin + url.pathname).toBe(REDIRECT);
      expect(Object.fromEntries(url.searchParams)).toEqual({
        error,
        error_description: expect.any(String),
        state: 's&t=1',
        iss: t.app.config.BASE_URL,
      });
    }
  });

  test('no scope means profile; a denial says access_denied', async () => {
    const { scopes, denyRedirect, errorRedirect } = (await ask({})).data.authorizationRequest;
    expect([scopes, errorRedirect]).toEqual([['profile'], null]);
    expect(new URL(denyRedirect).searchParams.get('error')).toBe('access_denied');
    const both = (await ask({ scope: 'generate profile  generate' })).data.authorizationRequest;
    expect(both.scopes).toEqual(['generate', 'profile']);
  });
});

test("an approval as another user's avatar is refused", async () => {
  const nonOwner = await t.person('Sam');
  const theirs = await makeAvatar(t, nonOwner);
  await expect(approve(t, user, theirs, { clientId: client.clientId })).rejects.toThrow('avatarId must be one of your');
});

test('the avatar chosen last is remembered for each app and user, and shown to their session alone', async () => {
  const [second, other] = [await makeAvatar(t, user, 'Second'), await makeClient(t, user)];
  await approve(t, user, avatarId, { clientId: client.clientId });
  await approve(t, user, second, { clientId: client.clientId });
  const last = async (clientId: string, as?: string) => {
    const query = 'query($input: AuthorizationRequestInput!) { authorizationRequest(input: $input) { lastAvatarId } }';
    const { data } = (await t.graphql<any>(query, { input: { clientId, redirectUri: REDIRECT } }, as)).body;
    return data.authorizationRequest.lastAvatarId;
  };
  const { clientId } = client;
  expect([await last(clientId, user.session), await last(other.clientId, user.session)]).toEqual([second, null]);
  expect([await last(clientId), await last(clientId, user.apiKey)]).toEqual([null, null]);
});

test.each([
  ['https://a.example/cb', 'https://a.example/cb?code=x%26y'],
  ['https://a.example/cb?', 'https://a.example/cb?code=x%26y'],
  ['https://a.example/cb?a=%20b', 'https://a.example/cb?a=%20b&code=x%26y'],
  ['https://a.example', 'https://a.example/?code=x%26y'],
])('the answer is added to %s', (redirect, expected) => {
  expect(redirectUrl(new URL(redirect), { code: 'x&y', state: null })).toBe(expected);
});
