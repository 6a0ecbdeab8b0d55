/** POST /oauth/revoke (RFC 7009) */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exchange, makeClient } from '../../support/oauth.ts';
import { client, closeTokens, code, openTokens, owner, t, user, works } from '../../support/oauth-token.ts';

beforeAll(openTokens);
afterAll(closeTokens);

const revoke = (body: Record<string, unknown>) => t.rest('POST', '/oauth/revoke', { body });
const credentials = () => ({ client_id: client.clientId, client_secret: client.clientSecret });

test('takes back a token of the app; again, or with an unknown one, it is content', async () => {
  const { access_token: token } = (await exchange(t, client, { code: await code() })).body;
  expect((await revoke({ ...credentials(), token })).status).toBe(200);
  expect(await works(token)).toBe(false);
  expect((await revoke({ ...credentials(), token })).status).toBe(200);
  expect((await revoke({ ...credentials(), token: 'svc_unknown', token_type_hint: 'access_token' })).status).toBe(200);
});

test('refuses a wrong secret and tokens of others, which stay', async () => {
  const { access_token: token } = (await exchange(t, client, { code: await code() })).body;
  const other = await makeClient(t, owner);
  const answers = [
    await revoke({ ...credentials(), client_secret: 'wrong', token }),
    await revoke({ client_id: other.clientId, client_secret: other.clientSecret, token }),
    await revoke({ ...credentials(), token: user.apiKey }),
    await revoke(credentials()),
  ];
  expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
    [401, 'invalid_client'],
    [400, 'invalid_grant'],
    [400, 'invalid_grant'],
    [400, 'invalid_request'],
  ]);
  expect(await works(token)).toBe(true);
  expect((await t.rest('GET', '/avatars', { as: user.apiKey })).status).toBe(200);
});
