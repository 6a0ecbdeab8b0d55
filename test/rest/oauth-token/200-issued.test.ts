/** The token endpoint: every way in, and what says where it is. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { approve, exchange, newPkce, REDIRECT } from '../../support/oauth.ts';
import {
  avatarId,
  basic,
  client,
  closeTokens,
  code,
  form,
  openTokens,
  serviceAvatarId,
  t,
  user,
} from '../../support/oauth-token.ts';

beforeAll(openTokens);
afterAll(closeTokens);

describe('ways in', () => {
  test('a code with the secret, as JSON: the documented body, never cached', async () => {
    const { status, body, headers } = await exchange(t, client, { code: await code({ scope: 'generate profile' }) });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^svc_[A-Za-z0-9]{38}$/),
      token_type: 'Bearer',
      scope: 'generate profile',
      avatar: { id: avatarId, name: 'Vega', picture: expect.stringMatching(/^http/) },
    });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const stored = await t.app.db.rows('select * from api_key where client_id = $1', [client.clientId]);
    expect(JSON.stringify(stored)).not.toContain(body.access_token);
  });

  test('as a form', async () => {
    const { status } = await form({
      grant_type: 'authorization_code',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uri: REDIRECT,
      code: await code(),
    });
    expect(status).toBe(200);
  });

  test('with HTTP Basic and no client_id in the body', async () => {
    const { status } = await form(
      { grant_type: 'authorization_code', redirect_uri: REDIRECT, code: await code() },
      basic(client.clientId, client.clientSecret),
    );
    expect(status).toBe(200);
  });

  test('with a verifier and no secret, and with both', async () => {
    for (const client_secret of [undefined, client.clientSecret]) {
      const { verifier, challenge } = newPkce();
      const proved = await code({ codeChallenge: challenge, codeChallengeMethod: 'S256' });
      const { status } = await exchange(t, client, { code: proved, client_secret, code_verifier: verifier });
      expect(status).toBe(200);
    }
  });

  test('client credentials act as the service avatar, with all scopes of the app or some', async () => {
    const ask = (fields: Record<string, string>) =>
      form({ grant_type: 'client_credentials', ...fields }, basic(client.clientId, client.clientSecret));
    const { status, body } = await ask({});
    expect([status, body.scope, body.avatar.id]).toEqual([200, 'profile generate', serviceAvatarId]);
    expect((await ask({ scope: 'generate' })).body.scope).toBe('generate');
    const refused = await ask({ scope: 'generate tribes' });
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_scope']);
  });

  test('through GraphQL, by the same rules', async () => {
    const query = `mutation($id: ID!, $secret: String, $code: String) {
      oauthToken(grantType: "authorization_code", clientId: $id, clientSecret: $secret, code: $code,
        redirectUri: "${REDIRECT}") { tokenType scope } }`;
    const variables = { id: client.clientId, secret: client.clientSecret, code: await code() };
    expect((await t.graphql(query, variables)).body.data).toEqual({
      oauthToken: { tokenType: 'Bearer', scope: 'profile' },
    });
    const { errors } = (await t.graphql(query, variables)).body;
    expect(errors![0].extensions.code).toBe('INVALID_GRANT');
  });
});

test('the metadata document names every endpoint, which exist', async () => {
  const { status, body } = await t.rest('GET', '/.well-known/oauth-authorization-server');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    issuer: t.app.config.BASE_URL,
    authorization_endpoint: `${t.app.config.SITE_URL}/oauth-authorize.html`,
    token_endpoint: `${t.app.config.BASE_URL}/oauth/token`,
    revocation_endpoint: `${t.app.config.BASE_URL}/oauth/revoke`,
    userinfo_endpoint: `${t.app.config.BASE_URL}/oauth/userinfo`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});

test('an approval of a code carries state and issuer', async () => {
  const url = await approve(t, user, avatarId, { clientId: client.clientId, state: 'a b&c=d' });
  expect(url.origin + url.pathname).toBe(REDIRECT);
  expect(url.searchParams.get('state')).toBe('a b&c=d');
  expect(url.searchParams.get('iss')).toBe(t.app.config.BASE_URL);
});
