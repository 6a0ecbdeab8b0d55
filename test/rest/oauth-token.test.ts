/** The token endpoint: every way in, every way it is refused, codes used once. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Answer, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import {
  approve,
  codeFor,
  exchange,
  makeAvatar,
  makeClient,
  newPkce,
  REDIRECT,
  type TestClient,
} from '../support/oauth.ts';

let t: TestApp;
let nowMs = Date.now();
let owner: TestUser;
let user: TestUser;
let avatarId: string;
let serviceAvatarId: string;
let client: TestClient;

beforeAll(async () => {
  // Time stands still unless a test moves it.
  t = await openTestApp({ clock: { now: () => nowMs } });
  [owner, user] = [await t.person('Ada'), await t.person('Uma')];
  avatarId = await makeAvatar(t, user, 'Vega');
  serviceAvatarId = await makeAvatar(t, owner, 'Helper');
  client = await makeClient(t, owner, { scopes: ['profile', 'generate'], serviceAvatarId });
});
afterAll(() => t.close());

const code = (consent = {}) => codeFor(t, user, avatarId, { clientId: client.clientId, ...consent });
const works = async (token: string) => (await t.rest('GET', '/oauth/userinfo', { as: token })).status === 200;
const form = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
  t.rest('POST', '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
const tokenCount = async () =>
  Number((await t.app.db.rows('select count(*) as n from api_key where client_id = $1', [client.clientId]))[0]!.n);

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

const wrongSecret = `svcs_${'x'.repeat(38)}`;

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

describe('a code is bound, and every failed check uses it up', () => {
  const { verifier, challenge } = newPkce();
  const proved = { codeChallenge: challenge, codeChallengeMethod: 'S256' };
  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    ['another path', {}, { redirect_uri: 'https://app.example.com/other' }],
    ['the same address written otherwise', {}, { redirect_uri: 'https://APP.example.com/callback' }],
    ['a trailing slash', {}, { redirect_uri: `${REDIRECT}/` }],
    ['a verifier where there was no challenge', {}, { code_verifier: verifier }],
    ['a verifier alone where there was no challenge', {}, { code_verifier: verifier, client_secret: undefined }],
    ['no verifier where there was a challenge, though the secret is right', proved, {}],
    ['another verifier', proved, { code_verifier: newPkce().verifier }],
    ['the challenge itself as the verifier', proved, { code_verifier: challenge }],
    ['a short verifier', proved, { code_verifier: verifier.slice(1) }],
  ])('%s', async (_name, consent, change) => {
    const mine = await code(consent);
    const { status, body } = await exchange(t, client, { code: mine, ...change });
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const right = 'codeChallenge' in consent ? { code_verifier: verifier } : {};
    expect((await exchange(t, client, { code: mine, ...right })).body.error).toBe('invalid_grant');
  });

  test("another app's credentials", async () => {
    const mine = await code();
    const other = await makeClient(t, owner);
    expect((await exchange(t, other, { code: mine })).body.error).toBe('invalid_grant');
    expect((await exchange(t, client, { code: mine })).body.error).toBe('invalid_grant');
  });

  test('five minutes, and not one millisecond more', async () => {
    const [inTime, late] = [await code(), await code()];
    nowMs += 5 * 60_000 - 1;
    expect((await exchange(t, client, { code: inTime })).status).toBe(200);
    nowMs += 1;
    expect((await exchange(t, client, { code: late })).body.error).toBe('invalid_grant');
  });

  test('it is forgotten after a day, by the next approval', async () => {
    await code();
    nowMs += 25 * 3_600_000;
    await code();
    expect(await t.app.db.rows('select 1 from oauth_code')).toHaveLength(1);
  });

  test('only its hash is stored', async () => {
    const mine = await code();
    expect(JSON.stringify(await t.app.db.rows('select * from oauth_code'))).not.toContain(mine);
  });
});

describe('a code is used once', () => {
  test('its replay is refused and takes back what it issued, nothing else', async () => {
    const [mine, other] = [await code(), await code()];
    const [first, second] = [await exchange(t, client, { code: mine }), await exchange(t, client, { code: other })];
    nowMs += 10;
    const replay = await exchange(t, client, { code: mine });
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect(await works(first.body.access_token)).toBe(false);
    expect(await works(second.body.access_token)).toBe(true);
  });

  test.each<[string, () => Promise<object>]>([
    [
      'another app with its own secret',
      async () => {
        const { clientId: client_id, clientSecret: client_secret } = await makeClient(t, owner);
        return { client_id, client_secret };
      },
    ],
    [
      'another app with no proof but some verifier',
      async () => {
        const { clientId: client_id } = await makeClient(t, owner);
        return { client_id, client_secret: undefined, code_verifier: newPkce().verifier };
      },
    ],
    [
      'somebody who knows the app’s public id and guesses a verifier',
      async () => ({
        client_secret: undefined,
        code_verifier: newPkce().verifier,
      }),
    ],
    ['somebody who knows the app’s public id and guesses its secret', async () => ({ client_secret: wrongSecret })],
  ])('replayed by %s, it is refused and takes back nothing', async (_who, change) => {
    const { verifier, challenge } = newPkce();
    const mine = await code({ codeChallenge: challenge, codeChallengeMethod: 'S256' });
    const { body } = await exchange(t, client, { code: mine, code_verifier: verifier });
    nowMs += 10;
    const replay = await exchange(t, client, { code: mine, ...(await change()) });
    expect(replay.body.error).toMatch(/^invalid_(grant|client)$/);
    expect(await works(body.access_token)).toBe(true);
    // The public client itself, proved by the verifier, does take it back.
    await exchange(t, client, { code: mine, client_secret: undefined, code_verifier: verifier });
    expect(await works(body.access_token)).toBe(false);
  });

  test('also a replay hours later', async () => {
    const mine = await code();
    const { body } = await exchange(t, client, { code: mine });
    nowMs += 20 * 3_600_000;
    await exchange(t, client, { code: mine });
    expect(await works(body.access_token)).toBe(false);
  });

  test('of 100 parallel exchanges one gets the token, which stays good; a later replay ends it', async () => {
    const mine = await code();
    const before = await tokenCount();
    // Holds the code's row until every request has come, so that none of them can be a replay.
    const holder = new pg.Client({ connectionString: t.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from oauth_code for update');
    let arrived = 0;
    const allArrived = new Promise<void>((resolve) => {
      t.server.fastify.server.on('request', () => {
        arrived += 1;
        if (arrived === 100) resolve();
      });
    });
    const answering = Array.from({ length: 100 }, () => exchange(t, client, { code: mine }));
    await allArrived;
    // An answer that needs no database comes after the bodies of all requests before it were read.
    await t.rest('GET', '/nowhere');
    nowMs += 10;
    await holder.query('commit');
    await holder.end();
    const answers = await Promise.all(answering);
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status, body }) => status === 400 && body.error === 'invalid_grant')).toHaveLength(99);
    expect(await tokenCount()).toBe(before + 1);
    expect(await works(won[0]!.body.access_token)).toBe(true);
    nowMs += 10;
    expect((await exchange(t, client, { code: mine })).status).toBe(400);
    expect(await works(won[0]!.body.access_token)).toBe(false);
  });

  test('parallel exchanges by all the wrong means give nothing', async () => {
    const mine = await code();
    const before = await tokenCount();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => exchange(t, client, { code: mine, redirect_uri: 'https://evil.example/' })),
    );
    expect(answers.every(({ body }) => body.error === 'invalid_grant')).toBe(true);
    expect(await tokenCount()).toBe(before);
  });
});

describe('POST /oauth/revoke (RFC 7009)', () => {
  const revoke = (body: Record<string, unknown>) => t.rest('POST', '/oauth/revoke', { body });
  const credentials = () => ({ client_id: client.clientId, client_secret: client.clientSecret });

  test('takes back a token of the app; again, or with an unknown one, it is content', async () => {
    const { access_token: token } = (await exchange(t, client, { code: await code() })).body;
    expect((await revoke({ ...credentials(), token })).status).toBe(200);
    expect(await works(token)).toBe(false);
    expect((await revoke({ ...credentials(), token })).status).toBe(200);
    expect((await revoke({ ...credentials(), token: 'svc_unknown', token_type_hint: 'access_token' })).status).toBe(
      200,
    );
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
});

test('guessing secrets is slowed down, using up codes is not', async () => {
  const limited = await openTestApp({ env: { RATE_LIMITS: 'on' } });
  try {
    const developer = await limited.person('Dev');
    const app = await makeClient(limited, developer, { serviceAvatarId: await makeAvatar(limited, developer) });
    const wrong = { grant_type: 'client_credentials', client_secret: 'wrong' };
    for (let i = 0; i < 30; i += 1) expect((await exchange(limited, app, { code: 'none' })).status).toBe(400);
    const statuses = [];
    for (let i = 0; i < 22; i += 1) statuses.push((await exchange(limited, app, wrong)).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    expect((await exchange(limited, app, wrong)).headers.get('retry-after')).toMatch(/^\d+$/);
  } finally {
    await limited.close();
  }
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
