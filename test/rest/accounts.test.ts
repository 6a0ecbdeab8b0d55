/** Sign-in, API keys, external issuers and limits on failures. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { FAILURE_BUDGETS } from '../../resolvers/rate-limits.ts';
import { openApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { OPERATOR, openTestApp, signIn, type TestApp, type TestUser } from '../support/app.ts';
import { openIssuer, type TestIssuer } from '../support/issuer.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await openIssuer();
  t = await openTestApp({ env: { OIDC_ISSUERS: `${issuer.url}|avatars`, SIGNUP_CREDITS: '2.5' } });
  ada = await t.person('Ada');
});
afterAll(async () => {
  await t.close();
  issuer.close();
});

const me = (as?: string) =>
  t.graphql<any>(
    '{ me { userId displayName balance { available transferable welcome held locked { amount } } } }',
    {},
    as,
  );

describe('accounts', () => {
  test('a new account has its sign-up credits, and knows itself', async () => {
    expect((await me(ada.session)).body.data.me).toEqual({
      userId: ada.userId,
      displayName: 'Ada',
      balance: { available: 2.5, transferable: 0, welcome: 2.5, held: 0, locked: [] },
    });
  });

  test.each<[object, RegExp]>([
    [{ email: 'nope', password: 'correct horse' }, /^email /],
    [{ email: 'a@b.c', password: 'short' }, /^password /],
    [{ email: OPERATOR.email, password: 'correct horse' }, /^email cannot be used/],
  ])('signing up with %j is refused', async (variables, sentence) => {
    const { body } = await t.graphql(
      'mutation($email: String!, $password: String!) { signUp(email: $email, password: $password) { idToken } }',
      variables as never,
    );
    expect(body.errors![0].message).toMatch(sentence);
  });

  test('an e-mail has one account; a wrong e-mail and a wrong password are one error', async () => {
    const again = await t.graphql(
      'mutation($e: String!) { signUp(email: $e, password: "correct horse") { idToken } }',
      { e: ada.email.toUpperCase() },
    );
    expect(again.body.errors![0].message).toBe('email already has an account.');
    const attempt = async (email: string, password: string) =>
      (
        await t.graphql(
          'mutation($email: String!, $password: String!) { signIn(email: $email, password: $password) { idToken } }',
          { email, password },
        )
      ).body.errors![0];
    const [wrongPassword, wrongEmail] = [
      await attempt(ada.email, 'wrong'),
      await attempt('nobody@example.com', 'wrong'),
    ];
    expect(wrongPassword.message).toBe(wrongEmail.message);
    expect(wrongPassword.extensions.code).toBe('UNAUTHENTICATED');
  });

  test('a session ends when it is signed out', async () => {
    const { idToken } = await signIn(t, { email: ada.email, password: 'correct horse' });
    expect((await me(idToken)).body.data.me.userId).toBe(ada.userId);
    expect((await t.graphql<any>('mutation { signOut }', {}, idToken)).body.data.signOut).toBe(true);
    await expect(until(async () => (await me(idToken)).body.errors?.[0].extensions.code)).resolves.toBe(
      'UNAUTHENTICATED',
    );
    expect((await me(ada.session)).body.data.me.userId).toBe(ada.userId);
  });

  test('only operators grant, and only above 0', async () => {
    const grant = (as: string, amount: number) =>
      t.graphql<any>(
        'mutation($id: ID!, $amount: Credits!) { grantCredits(userId: $id, amount: $amount) { available } }',
        { id: ada.userId, amount },
        as,
      );
    expect((await grant(ada.session, 5)).body.errors![0].extensions.code).toBe('FORBIDDEN');
    const operator = await t.operator();
    expect((await grant(operator, 0)).body.errors![0].message).toBe('amount must be above 0.');
    expect((await grant(operator, 0.1234567)).body.errors![0].extensions.code).toBe('BAD_INPUT');
    expect((await grant(operator, 1.5)).body.data.grantCredits.available).toBe(4);
  });
});

test('a user who signed up with an address before it became an operator’s is locked out', async () => {
  const squatter = await t.person('Boss');
  const post = async (path: string, body: object) => (await t.rest('POST', path, { as: squatter.apiKey, body })).body;
  const { avatarId } = await post('/avatars', { displayName: 'Me' });
  const app = await post('/oauth/clients', {
    ...{ name: 'Mine', redirectDomains: ['example.org'], scopes: ['generate'], serviceAvatarId: avatarId },
  });
  const token = () =>
    t.rest('POST', '/oauth/token', {
      body: { grant_type: 'client_credentials', client_id: app.clientId, client_secret: app.clientSecret },
    });
  expect((await token()).status).toBe(200);
  const password = 'the configured one';
  const { DATA_DIR } = t.app.config;
  const env = { DATABASE_URL: t.databaseUrl, DATA_DIR, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' };
  const config = readConfig({ ...env, OPERATOR_EMAILS: squatter.email, OPERATOR_PASSWORD: password });
  const second = await openApp({ config, databaseUrl: t.databaseUrl, work: false });
  await second.close();
  await expect(until(async () => (await me(squatter.session)).body.errors?.[0].extensions.code)).resolves.toBe(
    'UNAUTHENTICATED',
  );
  await until(async () => (await t.rest('GET', '/voices', { as: squatter.apiKey })).status === 401 || undefined);
  const signedIn = (pw: string) => t.graphql<any>(SIGN_IN, { email: squatter.email, password: pw });
  expect((await signedIn('correct horse')).body.errors![0].extensions.code).toBe('UNAUTHENTICATED');
  expect((await signedIn(password)).body.data.signIn.user.userId).toBe(squatter.userId);
  expect((await token()).status).toBe(400);
});

test('processes that start at once on one database make an operator once', async () => {
  const address = { OPERATOR_EMAILS: 'first@example.org', OPERATOR_PASSWORD: 'the configured one' };
  const { DATA_DIR } = t.app.config;
  const env = { DATABASE_URL: t.databaseUrl, DATA_DIR, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' };
  const config = readConfig({ ...env, ...address });
  const start = async () => (await openApp({ config, databaseUrl: t.databaseUrl, work: false })).close();
  await Promise.all([start(), start(), start()]);
  const made = await t.app.db.rows('select id from app_user where email = $1', ['first@example.org']);
  expect(made).toHaveLength(1);
  const who = { email: 'first@example.org', password: 'the configured one' };
  expect((await signIn(t, who)).userId).toBe(made[0]?.id);
});

const SIGN_IN = `mutation($email: String!, $password: String!) {
  signIn(email: $email, password: $password) { user { userId } } }`;

describe('ID tokens', () => {
  test('an external issuer’s person is made on first sight, once', async () => {
    const token = await issuer.sign({ sub: 'person-1', name: 'Grace' });
    const answers = await Promise.all([me(token), me(token), me(token)]);
    const ids = new Set(answers.map(({ body }) => body.data.me.userId));
    expect(ids.size).toBe(1);
    expect(answers[0]!.body.data.me).toMatchObject({ displayName: 'Grace', balance: { available: 2.5 } });
  });

  test('tokens of a wrong audience, expired, unsigned, foreign and altered ones are no sign-in', async () => {
    const [header, payload] = ada.session.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const tokens = [
      await issuer.sign({ sub: 'x' }, { audience: 'others' }),
      await issuer.sign({ sub: 'x' }, { expires: '-1m' }),
      unsigned,
      `${header}.${payload}.${'A'.repeat(86)}`,
      'not-a-token',
      'svc_tooshort',
    ];
    for (const token of tokens) {
      expect((await me(token)).body.errors![0].extensions.code).toBe('UNAUTHENTICATED');
    }
  });
});

describe('API keys', () => {
  test('are shown once, work at once, are listed without tokens and die when deleted', async () => {
    const made = await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'CI' } });
    expect(made.status).toBe(200);
    expect(Object.keys(made.body).sort()).toEqual(['createdAt', 'id', 'name', 'token']);
    expect(made.body.token).toMatch(/^svc_[A-Za-z0-9]{38}$/);
    expect((await t.rest('GET', '/avatars', { as: made.body.token })).status).toBe(200);
    const list = await t.rest('GET', '/api-keys', { as: ada.session });
    expect(list.body.apiKeys.map((key: any) => Object.keys(key).sort())).toContainEqual(['createdAt', 'id', 'name']);
    const stored = await t.app.db.rows('select token_hash from api_key where id = $1', [made.body.id]);
    expect(JSON.stringify(stored)).not.toContain(made.body.token);
    expect((await t.rest('DELETE', `/api-keys/${made.body.id}`, { as: ada.session })).status).toBe(200);
    const status = await until(async () => {
      const answer = await t.rest('GET', '/avatars', { as: made.body.token });
      return answer.status === 401 ? answer.status : undefined;
    });
    expect(status).toBe(401);
    expect((await t.rest('DELETE', `/api-keys/${made.body.id}`, { as: ada.session })).status).toBe(404);
  });

  test.each<[object, string]>([
    [{}, 'name is required.'],
    [{ name: '' }, 'name must not be empty.'],
    [{ name: 'x'.repeat(81) }, 'name must have at most 80 characters.'],
  ])('POST with %j is a 400', async (body, error) => {
    const answer = await t.rest('POST', '/api-keys', { as: ada.session, body });
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  test('another user’s key is not found', async () => {
    const bob = await t.person('Bob');
    const { body } = await t.rest('POST', '/api-keys', { as: ada.session, body: { name: 'mine' } });
    expect((await t.rest('DELETE', `/api-keys/${body.id}`, { as: bob.session })).status).toBe(404);
  });
});

describe('limits on failures', () => {
  test('ten wrong passwords stop sign-in for a while; a hundred honest calls pass', async () => {
    const limited = await openTestApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const attempt = () => limited.graphql('mutation { signIn(email: "a@b.c", password: "wrong") { idToken } }');
      const codes: string[] = [];
      for (let i = 0; i < 12; i += 1) codes.push((await attempt()).body.errors![0].extensions.code);
      expect(codes).toEqual([...Array(10).fill('UNAUTHENTICATED'), 'RATE_LIMITED', 'RATE_LIMITED']);
      const honest = await Promise.all(Array.from({ length: 100 }, () => limited.rest('GET', '/avatars/public')));
      expect(honest.every(({ status }) => status === 200)).toBe(true);
      expect(honest[0]!.headers.get('ratelimit-limit')).toBe('3000');
      const misses: number[] = [];
      for (let i = 0; i < 61; i += 1)
        misses.push((await limited.rest('GET', '/conversations/by-slug/c-26-11-zzzz')).status);
      expect(misses.slice(0, 60).every((status) => status === 404)).toBe(true);
      expect(misses[60]).toBe(429);
    } finally {
      await limited.close();
    }
  });

  test.each([
    ['a burst', 'mutation { signIn(email: "a@b.c", password: "wrong") { idToken } }'],
    ['an inline fragment', 'mutation { ... on Mutation { signIn(email: "a@b.c", password: "wrong") { idToken } } }'],
    [
      'a fragment',
      'mutation { ...F } fragment F on Mutation { signIn(email: "a@b.c", password: "wrong") { idToken } }',
    ],
  ])('%s is no way round them: ten guesses of forty at once are tried', async (_name, query) => {
    const limited = await openTestApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const answers = await Promise.all(Array.from({ length: 40 }, () => limited.graphql(query)));
      const tried = answers.filter(({ body }) => body.errors![0].extensions.code === 'UNAUTHENTICATED');
      expect(tried).toHaveLength(10);
    } finally {
      await limited.close();
    }
  });

  test('whatever a guessed slug opens counts its misses', async () => {
    const queries = Object.values(t.server.executor.schema.getQueryType()!.getFields());
    const bySlug = queries.filter(({ args }) => args.some(({ name }) => name === 'slug')).map(({ name }) => name);
    expect(bySlug).toContain('speechCard');
    for (const name of bySlug) expect([name, FAILURE_BUDGETS[name]?.rate]).toEqual([name, 'slugMiss']);
    const limited = await openTestApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const guess = () => limited.graphql('{ speechCard(slug: "g-26-11-zzzz") { text } }');
      for (let i = 0; i < 60; i += 1) await guess();
      expect((await guess()).body.errors![0].extensions.code).toBe('RATE_LIMITED');
    } finally {
      await limited.close();
    }
  });

  test('more guesses in one document than the limit has are not tried at all', async () => {
    const limited = await openTestApp({ env: { RATE_LIMITS: 'on' } });
    try {
      const guess = 'signIn(email: "a@b.c", password: "wrong") { idToken }';
      const many = `mutation { ${Array.from({ length: 11 }, (_, i) => `g${i}: ${guess}`).join(' ')} }`;
      expect((await limited.graphql(many)).body.errors!.map(({ extensions }) => extensions.code)).toEqual([
        'RATE_LIMITED',
      ]);
      expect((await limited.graphql(`mutation { ${guess} }`)).body.errors![0].extensions.code).toBe('UNAUTHENTICATED');
    } finally {
      await limited.close();
    }
  });
});
