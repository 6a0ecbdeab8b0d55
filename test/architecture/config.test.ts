/** Configuration: what a variable may be, and the one sentence that a wrong one stops the start with. */
import { expect, test } from '@jest/globals';
import { readConfig, VARIABLES } from '../../src/kernel/config.ts';

const LONG = 'x'.repeat(300);

test.each<[Record<string, string>, string]>([
  [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535, not "0".'],
  [{ PORT: '80.5' }, 'PORT must be a whole number from 1 to 65535, not "80.5".'],
  [{ PORT: 'eighty' }, 'PORT must be a whole number from 1 to 65535, not "eighty".'],
  [{ ROLE: 'both' }, 'ROLE must be one of all, web, worker, not "both".'],
  [{ ROLE: 'worker' }, 'DATABASE_URL must be set when ROLE is worker: the embedded database serves one machine.'],
  [{ ROLE: 'web' }, 'DATABASE_URL must be set when ROLE is web: the embedded database serves one machine.'],
  [{ DATABASE_URL: 'mysql://a' }, 'DATABASE_URL must start with postgres:// or postgresql://.'],
  [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS must be one of on, off, not "maybe".'],
  [{ BASE_URL: 'here' }, 'BASE_URL is not a URL.'],
  [{ BASE_URL: 'ftp://example.com' }, 'BASE_URL must start with http:// or https://.'],
  [{ SIGNUP_CREDITS: '-1' }, 'SIGNUP_CREDITS must be an amount of credits from 0 to 1000000.'],
  [{ SIGNUP_CREDITS: '0.1234567' }, 'SIGNUP_CREDITS must have at most six decimals.'],
  [{ OPERATOR_EMAILS: 'a@b.c, nobody' }, 'OPERATOR_EMAILS must be e-mail addresses, not "nobody".'],
  [{ OPERATOR_EMAILS: 'a@b.c' }, 'OPERATOR_PASSWORD must be set when OPERATOR_EMAILS is.'],
  [
    { OPERATOR_EMAILS: 'boss', OPERATOR_PASSWORD: 'long enough' },
    'OPERATOR_EMAILS must be e-mail addresses, not "boss".',
  ],
  [{ OPERATOR_EMAILS: 'a@b.c', OPERATOR_PASSWORD: 'short' }, 'OPERATOR_PASSWORD must have 8 to 200 characters.'],
  [{ OPERATOR_PASSWORD: LONG }, 'OPERATOR_PASSWORD must have 8 to 200 characters.'],
  [{ FETCH_ALLOW_HOSTS: 'http://a.b' }, 'FETCH_ALLOW_HOSTS must be host or host:port items, not "http://a.b".'],
  [{ FETCH_ALLOW_HOSTS: 'a.b, c d' }, 'FETCH_ALLOW_HOSTS must be host or host:port items, not "c d".'],
  [{ SECRETS_KEY: 'short' }, 'SECRETS_KEY must have at least 32 characters.'],
  [{ SECRETS_KEY: 'x'.repeat(32), SECRETS_KEY_FILE: '/a' }, 'SECRETS_KEY and SECRETS_KEY_FILE must not both be set.'],
  [{ OIDC_ISSUERS: 'i' }, 'OIDC_ISSUERS must be a list of issuer|audience or issuer|audience|jwksUrl.'],
  [{ TWITCH_CLIENT_ID: 'x' }, 'TWITCH_CLIENT_SECRET must be set when TWITCH_CLIENT_ID is.'],
  [{ IMAGE_MODEL: 'a, eddit=b' }, 'IMAGE_MODEL knows edit, typo_gen, typo_edit, not "eddit".'],
  [{ IMAGE_MODEL: 'a, edit=b, edit=c' }, 'IMAGE_MODEL must name one model for edit.'],
  [{ IMAGE_MODEL: 'edit=b' }, 'IMAGE_MODEL must name the model for everything first, without a name before it.'],
  [{ IMAGE_OPTIONS: '{' }, 'IMAGE_OPTIONS is not JSON.'],
  [
    { IMAGE_OPTIONS: '{"fal": 4}' },
    'IMAGE_OPTIONS must be a JSON object of objects by provider, e.g. {"fal": {"guidanceScale": 4}}.',
  ],
  // One sentence, however many are wrong.
  [{ LOG_LEVEL: 'loud', PORT: 'x' }, 'PORT must be a whole number from 1 to 65535, not "x".'],
])('%j is refused', (env, sentence) => {
  const start = () => readConfig(env);
  expect(start).toThrow(expect.objectContaining({ name: 'ConfigError', message: sentence }));
});

test('what is read has its type, and addresses follow from the port', () => {
  const config = readConfig({
    ...{ PORT: ' 4567 ', SITE_URL: 'https://example.com//', SIGNUP_CREDITS: '2.5', FETCH_ALLOW_HOSTS: 'a.b, [::1]:9' },
    ...{ OIDC_ISSUERS: 'i|a, j|b|u', IMAGE_MODEL: 'painter, edit=retoucher', IMAGE_OPTIONS: '{"fal": {"steps": 4}}' },
  });
  expect(config).toMatchObject({
    PORT: 4567,
    BASE_URL: 'http://localhost:4567',
    SITE_URL: 'https://example.com',
    SIGNUP_CREDITS: 2.5,
    FETCH_ALLOW_HOSTS: ['a.b', '[::1]:9'],
    OIDC_ISSUERS: [
      { issuer: 'i', audience: 'a' },
      { issuer: 'j', audience: 'b', jwksUrl: 'u' },
    ],
    IMAGE_MODEL: { all: 'painter', edit: 'retoucher' },
    IMAGE_OPTIONS: { fal: { steps: 4 } },
  });
});

test('an empty variable is an unset one', () => {
  const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '  ']));
  expect(readConfig(empty)).toEqual(readConfig({}));
});

test('every variable says what it is for', () => {
  for (const [name, schema] of Object.entries(VARIABLES)) {
    expect([name, schema.meta()?.description]).toEqual([name, expect.stringMatching(/\S{3}/)]);
  }
});
