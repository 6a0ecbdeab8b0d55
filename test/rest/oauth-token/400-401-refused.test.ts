/** The token endpoint: every way it is refused. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exchange, makeClient } from '../../support/oauth.ts';
import {
  basic,
  client,
  closeTokens,
  code,
  form,
  openTokens,
  owner,
  t,
  tokenCount,
  wrongSecret,
} from '../../support/oauth-token.ts';

beforeAll(openTokens);
afterAll(closeTokens);

describe('refusals', () => {
  test.each<[string, Record<string, unknown>, number, string]>([
    ['an unknown grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['a name of Object', { grant_type: 'constructor' }, 400, 'unsupported_grant_type'],
    ['no grant type', { grant_type: undefined }, 400, 'invalid_request'],
    ['no client_id', { client_id: undefined }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'svcc_none' }, 401, 'invalid_client'],
    ['a wrong secret', { client_secret: wrongSecret }, 401, 'invalid_client'],
    [
      'a wrong secret beside a verifier',
      { client_secret: wrongSecret, code_verifier: 'v'.repeat(43) },
      401,
      'invalid_client',
    ],
    ['neither secret nor verifier', { client_secret: undefined }, 401, 'invalid_client'],
    ['an empty secret', { client_secret: '' }, 401, 'invalid_client'],
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['no redirect_uri', { redirect_uri: undefined }, 400, 'invalid_request'],
    ['a code that is no text', { code: 7 }, 400, 'invalid_request'],
    ['an unknown code', { code: 'x'.repeat(43) }, 400, 'invalid_grant'],
    [
      'client credentials without secret',
      { grant_type: 'client_credentials', client_secret: undefined },
      401,
      'invalid_client',
    ],
    [
      'client credentials with a wrong secret',
      { grant_type: 'client_credentials', client_secret: wrongSecret },
      401,
      'invalid_client',
    ],
  ])('%s', async (_name, change, status, error) => {
    const before = await tokenCount();
    const answer = await exchange(t, client, { code: await code(), ...change });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(await tokenCount()).toBe(before);
  });

  test('a failed authentication leaves the code to its owner', async () => {
    const mine = await code();
    expect((await exchange(t, client, { code: mine, client_secret: wrongSecret })).status).toBe(401);
    expect((await exchange(t, client, { code: mine })).status).toBe(200);
  });

  test('client credentials without a service avatar', async () => {
    const plain = await makeClient(t, owner);
    const { status, body } = await exchange(t, plain, { grant_type: 'client_credentials' });
    expect([status, body.error]).toEqual([400, 'unauthorized_client']);
  });

  test('a challenge is answered with one only where Basic was used', async () => {
    const { status, body, headers } = await form({ grant_type: 'client_credentials' }, basic(client.clientId, 'wrong'));
    expect([status, body.error]).toEqual([401, 'invalid_client']);
    expect(headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test.each<[string, string, string]>([
    ['no base64', 'Basic ?', 'invalid_client'],
    ['no colon', `Basic ${Buffer.from('abc').toString('base64')}`, 'invalid_client'],
    ['bad escapes', `Basic ${Buffer.from('a%:b').toString('base64')}`, 'invalid_client'],
  ])('Basic with %s', async (_name, authorization, error) => {
    const { status, body } = await form({ grant_type: 'client_credentials' }, { authorization });
    expect([status, body.error]).toEqual([401, error]);
  });

  test('two ways of authentication at once', async () => {
    const fields = { grant_type: 'client_credentials', client_secret: client.clientSecret };
    const { status, body } = await form(fields, basic(client.clientId, client.clientSecret));
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test.each<[string, string, string]>([
    ['half a JSON', 'application/json', '{"grant_type"'],
    ['a JSON list', 'application/json', '[]'],
    ['an empty JSON', 'application/json', ''],
    ['plain text', 'text/plain', 'grant_type=client_credentials'],
    ['a parameter given twice', 'application/x-www-form-urlencoded', 'grant_type=a&grant_type=b'],
  ])('%s', async (_name, type, body) => {
    const answer = await t.rest('POST', '/oauth/token', { headers: { 'content-type': type }, body });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });
});
