/**
 * Guessing passwords and slugs, in bursts and from many addresses (a trusted proxy names them): as many guesses are
 * tried as the budgets have, and not one more, while honest callers beside them get through.
 */
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { RATES } from '../../src/auth/rate-limits.ts';
import { INSTANCE } from '../../src/auth/slug-misses.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';
import { until } from '../support/until.ts';

const lines: string[] = [];
const sink = new Writable({
  write(line, _encoding, done) {
    lines.push(String(line));
    done();
  },
});
const log = pino({ level: 'warn' }, sink);

let t: TestApp;
beforeAll(async () => {
  t = await openTestApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' }, log });
});
afterAll(() => t.close());

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });

const SIGN_IN = `mutation($email: String!, $password: String!) { signIn(email: $email, password: $password) { idToken } }`;
async function signIn(email: string, password: string, address: string): Promise<{ code: string; retryS?: number }> {
  const body = { query: SIGN_IN, variables: { email, password } };
  const { data, errors } = (await t.rest('POST', '/graphql', { body, ...from(address) })).body;
  if (data?.signIn) return { code: 'OK' };
  return { code: errors[0].extensions.code, retryS: errors[0].extensions.retryAfterSeconds };
}

let slugs = 0;
const wrongSlug = (): string => `c-26-10-${(slugs++).toString(36).padStart(4, '0')}`;
const look = async (slug: string, address: string): Promise<number> =>
  (await t.rest('GET', `/conversations/by-slug/${slug}`, from(address))).status;

/**
 * The most attempts at one account's password in so long a time: ten are free, the next takes its turn, and further ones
 * come after 2 s, 4 s, 8 s and so on.
 */
function mostTried(sinceMs: number): number {
  let tried = 11;
  for (let seconds = 2; seconds * 1_000 <= performance.now() - sinceMs; seconds = 2 * seconds + 2) tried += 1;
  return tried;
}

const count = (values: unknown[], value: unknown): number => values.filter((each) => each === value).length;

describe('a burst', () => {
  test('of 150 wrong slugs at once: as many are looked up as the budget has', async () => {
    const answers = await Promise.all(Array.from({ length: 150 }, () => look(wrongSlug(), '203.0.113.1')));
    expect([count(answers, 404), count(answers, 429)]).toEqual([60, 90]);
  });

  test('of 150 wrong slugs at once, where an id or a slug is taken', async () => {
    const read = async () => (await t.rest('GET', `/conversations/${wrongSlug()}`, from('203.0.113.77'))).status;
    const statuses = await Promise.all(Array.from({ length: 150 }, read));
    expect(statuses.filter((status) => status === 404)).toHaveLength(60);
    expect(new Set(statuses)).toEqual(new Set([404, 429]));
  });

  test('of 100 wrong slugs from as many addresses of one /64, written in every way', async () => {
    const hosts = Array.from({ length: 100 }, (_, i) => `2001:db8:0:1:${i.toString(16)}::${i}`);
    const answers = await Promise.all(hosts.map((address) => look(wrongSlug(), address)));
    expect(count(answers, 404)).toBe(60);
  });

  test('from one address in IPv4 and in IPv6 dress', async () => {
    const hosts = Array.from({ length: 80 }, (_, i) => (i % 2 ? '203.0.113.2' : '::ffff:203.0.113.2'));
    const answers = await Promise.all(hosts.map((address) => look(wrongSlug(), address)));
    expect(count(answers, 404)).toBe(60);
  });

  test('of wrong passwords from all the /64 of one /48: the wider budget holds', async () => {
    const hosts = Array.from({ length: 100 }, (_, i) => `2001:db8:7:${(i + 1).toString(16)}::1`);
    const answers = await Promise.all(
      hosts.map((address, i) => signIn(`nobody${i}@example.com`, 'not the password', address)),
    );
    expect(
      count(
        answers.map(({ code }) => code),
        'UNAUTHENTICATED',
      ),
    ).toBe(RATES.signIn.points * 8);
  });

  test('of wrong passwords in one document: none is tried, and the answer says when to come back', async () => {
    const fields = Array.from(
      { length: 20 },
      (_, i) => `a${i}: signIn(email: "no${i}@example.com", password: "x") { idToken }`,
    );
    const body = { query: `mutation { ${fields.join(' ')} }` };
    const { status, headers, body: answer } = await t.rest('POST', '/graphql', { body, ...from('203.0.113.79') });
    const { code, retryAfterSeconds } = answer.errors[0].extensions;
    expect([status, answer.data, code]).toEqual([429, undefined, 'RATE_LIMITED']);
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(headers.get('retry-after')).toBe(`${retryAfterSeconds}`);
  });

  test('of programs that register themselves: as many are kept as an hour has, and no one else has to wait', async () => {
    const body = { redirect_uris: ['http://localhost:8090/callback'] };
    const register = async (address: string): Promise<number> =>
      (await t.rest('POST', '/oauth/register', { body, ...from(address) })).status;
    const answers = await Promise.all(Array.from({ length: 60 }, () => register('203.0.113.77')));
    expect([count(answers, 201), count(answers, 429)]).toEqual([20, 40]);
    expect(await t.app.db.rows('select 1 from oauth_client')).toHaveLength(20);
    expect(await register('203.0.113.78')).toBe(201);
  });

  test('of a hundred right slugs, of as many conversations, passes', async () => {
    const ada = await t.person('Ada', 1);
    const right = await conversations(ada, 100);
    const answers = await Promise.all(right.map((slug) => look(slug, '203.0.113.3')));
    expect(count(answers, 200)).toBe(100);
  });
});

describe('one account', () => {
  test('whose password is guessed from everywhere: ten at once, then one after growing delays', async () => {
    const bob = await t.person('Bob');
    expect((await signIn(bob.email, 'correct horse', '198.51.100.77')).code).toBe('OK');
    let host = 0;
    const guess = () => {
      host += 1;
      return signIn(bob.email.toUpperCase(), 'not the password', `198.18.${host >> 8}.${host & 255}`);
    };
    const begunMs = performance.now();
    const burst = await Promise.all(Array.from({ length: 60 }, guess));
    let tried = burst.filter(({ code }) => code === 'UNAUTHENTICATED').length;
    expect(tried).toBeGreaterThanOrEqual(11);
    expect(tried).toBeLessThanOrEqual(mostTried(begunMs));
    // However often it is asked, few are tried, and the wait grows: 2, 4, 8 seconds.
    const waitS = await until(async () => {
      const { code, retryS } = await guess();
      if (code === 'UNAUTHENTICATED') tried += 1;
      return retryS !== undefined && retryS > 4 && retryS;
    });
    expect(waitS).toBeLessThanOrEqual(Math.max(16, 2 ** (tried - 9)));
    expect(tried).toBeLessThanOrEqual(mostTried(begunMs));
    // Its owner, where it has signed in before, is not kept out by others; and then it starts anew for no one else.
    expect((await signIn(bob.email, 'correct horse', '198.51.100.77')).code).toBe('OK');
    expect((await guess()).code).toBe('RATE_LIMITED');
  });

  test.each([
    [
      'a default value of a variable',
      'mutation($email: String! = "carol@example.com") { signIn(email: $email, password: "wrong one") { idToken } }',
    ],
    [
      'what stands beside a part of the input',
      'mutation($input: SignInInput!) { signIn(email: "dora@example.com", input: $input) { idToken } }',
    ],
  ])('%s is a guess at that account as well', async (_form, query) => {
    const body = { query, variables: { input: { password: 'wrong one' } } };
    const guess = async (host: number) =>
      (await t.rest('POST', '/graphql', { body, ...from(`192.0.2.${host}`) })).body.errors[0].extensions.code;
    const begunMs = performance.now();
    const codes = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(i + 1)));
    const tried = count(codes, 'UNAUTHENTICATED');
    expect(tried).toBeGreaterThanOrEqual(11);
    expect(tried).toBeLessThanOrEqual(mostTried(begunMs));
  });
});

describe('the whole instance', () => {
  test('a wave of misses from many addresses is bounded and logged, and right slugs are still opened', async () => {
    const [known, other] = (await conversations(await t.person('Eve', 1), 2)) as [string, string];
    expect(await look(known, '203.0.113.200')).toBe(200);
    let missed = 0;
    // Each address stays below its own budget, and none is refused before the instance's is used up. An address asks for
    // many more at once than go through one by one while the wave lasts, so that its first batch in a wave is refused.
    const batch = 40;
    for (let host = 0, isWave = false; !isWave; host += 1) {
      const answers = await Promise.all(Array.from({ length: batch }, () => look(wrongSlug(), `10.1.${host}.1`)));
      isWave = answers.includes(429);
      if (!isWave) missed += batch;
    }
    expect(missed).toBeLessThanOrEqual(INSTANCE.points);
    // Who has missed lately is refused at once; who opened a slug opens it again; a newcomer gets through.
    expect(await look(known, '10.1.0.1')).toBe(429);
    expect(await look(known, '203.0.113.200')).toBe(200);
    expect(await look(other, '203.0.113.201')).toBe(200);
    const begunMs = performance.now();
    const wave = await Promise.all(Array.from({ length: 100 }, (_, host) => look(wrongSlug(), `10.2.${host}.1`)));
    const seconds = Math.ceil((performance.now() - begunMs) / 1_000);
    // A few a second still go through.
    expect(count(wave, 404)).toBeLessThanOrEqual(2 * (seconds + 1));
    expect(lines.filter((line) => line.includes('slug miss wave began'))).toHaveLength(1);
    const metrics = String((await t.rest('GET', '/metrics')).body);
    expect(metrics).toContain('avatar_guesses{of="slugWave"} 1');
    expect(metrics).toMatch(/avatar_guesses\{of="slugMisses"\} 1\d\d\d/);
  });
});

/** Slugs of new public conversations. */
async function conversations(owner: TestUser, howMany: number): Promise<string[]> {
  const avatarId = await makeAvatar(t, owner);
  const found: string[] = [];
  for (let i = 0; i < howMany; i += 1) {
    const body = { avatarOwnerUserId: owner.userId, avatarId };
    const { shareSlug, conversationId } = (await t.rest('POST', '/conversations', { as: owner.apiKey, body })).body;
    await t.app.db.rows('update conversation set is_public = true where id = $1', [conversationId]);
    found.push(shareSlug);
  }
  return found;
}
