/**
 * Raw secrets are shown once to the one they are for, and are nowhere else: not in the database, not in a log line, not
 * in a field of the API that this file does not name.
 */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import { pino } from 'pino';
import { LOG_REDACTION, redactText } from '../../src/kernel/log.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

/** Every output field that may carry a secret, or an address with one in it. A new one is a decision. */
const SECRET_FIELDS = [
  'AccessLink.url',
  'BeginVisitPayload.viewerToken',
  'BeginVisitPayload.visitorToken',
  'Conversation.liveUrl',
  'Conversation.viewerToken',
  'NewApiKey.token',
  'NewOAuthClient.clientSecret',
  'OAuthToken.accessToken',
  'OAuthToken.refreshToken',
  'RegisteredClient.clientSecret',
  // A time, named so by RFC 7591.
  'RegisteredClient.clientSecretExpiresAt',
  'RotatedClientSecret.clientSecret',
  'Session.idToken',
  // The slug of a turn is its grant: public by its nature.
  'Turn.liveUrl',
  'VisibilityResult.liveUrl',
  'WebhookSecretPayload.secret',
];

const lines: string[] = [];
let t: TestApp;
let ada: TestUser;
const secrets: Record<string, string> = {};

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  t = await openTestApp({ work: true, log: pino({ level: 'debug', ...LOG_REDACTION }, sink) });
  ada = await t.person('Ada', 10);
  const { body } = await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'N', ttsVoiceId: 'noop' } });
  const conversation = await t.rest('POST', '/conversations', {
    as: ada.apiKey,
    body: { avatarOwnerUserId: ada.userId, avatarId: body.avatarId },
  });
  const { shareSlug } = conversation.body;
  const link = await t.rest('POST', `/conversations/${shareSlug}/access-link`, { as: ada.apiKey });
  Object.assign(secrets, {
    apiKey: ada.apiKey,
    session: ada.session,
    password: 'correct horse',
    accessKey: new URL(link.body.url).searchParams.get('key')!,
  });
  // Requests that carry secrets where a log might catch them: addresses, failing bodies, errors.
  await t.rest('GET', `/${shareSlug}?key=${secrets.accessKey}`);
  await t.rest('GET', `/live/${shareSlug}?token=${conversation.body.viewerToken}`);
  await t.rest('GET', `/nowhere?token=${secrets.apiKey}`);
  await t.rest('POST', '/avatars', { as: ada.apiKey, body: `{"broken ${secrets.apiKey}` });
  await t.graphql('mutation($p: String!) { signUp(email: 5, password: $p) { idToken } }', { p: secrets.password });
  await t.graphql('mutation($e: String!, $p: String!) { signIn(email: $e, password: $p) { idToken } }', {
    e: ada.email,
    p: secrets.password,
  });
  await t.rest('POST', `/conversations/${shareSlug}/turn`, {
    as: ada.apiKey,
    body: { userText: 'Hello', output: 'audio' },
  });
  await t.settled(shareSlug, ada.apiKey);
  secrets.viewerToken = conversation.body.viewerToken;
});
afterAll(() => t.close());

test('no log line carries a raw secret', () => {
  expect(lines.length).toBeGreaterThan(10);
  const log = lines.join('');
  for (const [name, secret] of Object.entries(secrets)) expect([name, log.includes(secret)]).toEqual([name, false]);
});

test('no table holds one; viewer tokens alone are kept, because live addresses need them again', async () => {
  const tables = await t.app.db.rows<{ schema: string; name: string }>(
    `select schemaname as schema, tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const dump: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await t.app.db.rows(`select row_to_json(x)::text as row from "${schema}"."${name}" x`);
    dump.push(...rows.map(({ row }) => String(row)));
  }
  const text = dump.join('\n');
  expect(text).toContain(ada.userId);
  const { viewerToken, ...others } = secrets;
  expect(text.split(viewerToken!).length - 1).toBe(1);
  for (const [name, secret] of Object.entries(others)) expect([name, text.includes(secret)]).toEqual([name, false]);
});

describe('the API', () => {
  test('has no other field that may carry a secret', () => {
    const found: string[] = [];
    for (const type of Object.values(t.server.executor.schema.getTypeMap())) {
      if (!isObjectType(type) || /^(__|Query$|Mutation$|Subscription$)/.test(type.name)) continue;
      for (const field of Object.keys(type.getFields())) {
        if (/token$|secret|password|^key$|hash|liveUrl/i.test(field) || `${type.name}.${field}` === 'AccessLink.url')
          found.push(`${type.name}.${field}`);
      }
    }
    expect(found.sort()).toEqual(SECRET_FIELDS);
  });

  test.each([
    ['GET /x?token=abc123&a=1', 'GET /x?token=[redacted]&a=1'],
    ['Bearer abcdefghijk', 'Bearer [redacted]'],
    ['svc_abcdefgh12345678', 'svc_[redacted]'],
    ['GET /callback?code=abc&state=x', 'GET /callback?code=[redacted]&state=x'],
    ['{"code":"ECONNREFUSED"}', '{"code":"ECONNREFUSED"}'],
    ['nothing here', 'nothing here'],
  ])('a text such as %s is logged as %s', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });
});
