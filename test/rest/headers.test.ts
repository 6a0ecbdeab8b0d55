/**
 * Headers of answers and cookies of pages, over http and where the public address is https: what may be kept, framed,
 * opened as a popup and read by whom.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoProof } from '../../src/auth/demo-proof.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

let plain: TestApp;
let secure: TestApp;
let below: TestApp;
let ada: TestUser;
let slug: string;

beforeAll(async () => {
  plain = await openTestApp();
  secure = await openTestApp({ env: { BASE_URL: 'https://avatars.example' } });
  below = await openTestApp({ env: { BASE_URL: 'https://avatars.example', SITE_URL: 'https://avatars.example/site' } });
  ada = await plain.person('Ada', 1);
  const body = { avatarOwnerUserId: ada.userId, avatarId: await makeAvatar(plain, ada) };
  slug = (await plain.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
});
afterAll(async () => {
  for (const app of [plain, secure, below]) await app.close();
});

describe('answers of the API', () => {
  test.each([
    ['GET', '/avatars', 200],
    ['GET', '/avatars/public', 200],
    ['GET', '/nothing-here', 404],
    ['GET', '/avatars/%zz/images', 400],
    ['POST', '/avatars', 400],
    ['GET', '/health/live', 200],
    ['GET', '/oauth/userinfo', 401],
    ['OPTIONS', '/avatars', 204],
  ])('%s %s is never cached and never sniffed', async (method, path, status) => {
    const body = method === 'POST' ? {} : undefined;
    const answer = await plain.rest(method, path, { as: ada.apiKey, ...(body ? { body } : {}) });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('strict-transport-security')).toBeNull();
  });

  test('a browser may call from any page: each preflight is answered, each answer may be read', async () => {
    const asked = { origin: 'https://elsewhere.example', 'access-control-request-method': 'PATCH' };
    for (const [path, headers] of [
      ['/avatars/avt_x', asked],
      ['/graphql', asked],
      ['/nowhere', {}],
    ] as const) {
      const preflight = await plain.rest('OPTIONS', path, { headers });
      expect([path, preflight.status, preflight.body]).toEqual([path, 204, '']);
      expect(Object.fromEntries(preflight.headers)).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
        'access-control-allow-headers': 'authorization, content-type, if-none-match, idempotency-key, *',
        'access-control-max-age': '86400',
        'x-request-id': expect.any(String),
      });
    }
    const { headers } = await plain.rest('GET', '/avatars', { as: ada.apiKey, headers: { origin: asked.origin } });
    expect(headers.get('access-control-expose-headers')!.split(', ')).toEqual(
      expect.arrayContaining(['etag', 'x-request-id', 'retry-after', 'ratelimit-remaining']),
    );
    // The same for every origin: nothing to vary by.
    expect(headers.get('vary')).toBeNull();
  });

  test('with every method that the documented paths take', async () => {
    const { body: document } = await plain.rest('GET', '/openapi.json');
    const methods = Object.values<object>(document.paths).flatMap((path) => Object.keys(path));
    const { headers } = await plain.rest('OPTIONS', '/uploads/upl_x');
    const allowed = headers.get('access-control-allow-methods')!.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining([...new Set(methods)]));
  });

  test('a poll may be kept by its caller, who asks each time whether it still holds', async () => {
    const read = (headers = {}) => plain.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey, headers });
    const first = await read();
    const again = await read({ 'if-none-match': first.headers.get('etag')! });
    expect([first.status, again.status]).toEqual([200, 304]);
    for (const { headers } of [first, again]) {
      expect(headers.get('cache-control')).toBe('private, no-cache');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('by https, answers have strict-transport-security', async () => {
    for (const path of ['/health/live', '/', '/signin', '/avatars/public']) {
      const { headers } = await secure.rest('GET', path);
      expect([path, headers.get('strict-transport-security')]).toEqual([path, 'max-age=31536000']);
    }
  });
});

describe('pages', () => {
  const html = { headers: { accept: 'text/html' } };

  test.each([
    ['/', 'same-origin'],
    // It opens the consent page as a popup, which reports to it.
    ['/docs', 'same-origin-allow-popups'],
    ['/docs/oauth2-redirect.html', 'unsafe-none'],
    // Pages of a popup that reports to its opener: signing in, signing up, gifts, consent.
    ['/signin', 'unsafe-none'],
    ['/signup', 'unsafe-none'],
    ['/oauth-authorize.html', 'unsafe-none'],
    // Shown by others.
    ['/nothing-here', 'unsafe-none'],
  ])('%s: cross-origin-opener-policy %s', async (path, policy) => {
    const { headers } = await plain.rest('GET', path, html);
    expect(headers.get('cross-origin-opener-policy')).toBe(policy);
    expect(headers.get('permissions-policy')).toContain('camera=(), ');
    expect(headers.get('permissions-policy')).not.toMatch(/autoplay|fullscreen/);
  });

  test('the live viewer may still be framed', async () => {
    const body = { isPublic: true };
    await plain.rest('POST', `/conversations/${slug}/visibility`, { as: ada.apiKey, body });
    const { status, headers } = await plain.rest('GET', `/live/${slug}`, html);
    expect(status).toBe(200);
    expect(headers.get('x-frame-options')).toBeNull();
    expect(headers.get('content-security-policy')).toContain('frame-ancestors *');
    for (const name of ['cross-origin-resource-policy', 'cross-origin-embedder-policy']) {
      expect(headers.get(name)).toBeNull();
    }
  });

  /** Signs in by the form; returns each Set-Cookie on the way. */
  async function cookiesOf(app: TestApp, path: string): Promise<string[]> {
    const person = await app.person('Bo');
    const form = await app.rest<string>('GET', path);
    const visit = form.headers.get('set-cookie')!;
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.body)![1]!;
    const signedIn = await app.rest('POST', path, {
      body: new URLSearchParams({ email: person.email, password: 'correct horse', csrf }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: visit.split(';')[0]! },
    });
    return [visit, signedIn.headers.get('set-cookie')!];
  }

  test('cookies are bound to the host by their name where it is served by https', async () => {
    for (const cookie of await cookiesOf(secure, '/signin')) {
      expect(cookie).toMatch(/^__Host-avatar_(visit|session)=.*Path=\/; .*HttpOnly; Secure; SameSite=Lax/);
    }
    for (const cookie of await cookiesOf(below, '/signin')) {
      expect(cookie).toMatch(/^__Secure-avatar_(visit|session)=.*Path=\/site; .*Secure/);
    }
    for (const cookie of await cookiesOf(plain, '/signin')) expect(cookie).toMatch(/^avatar_(visit|session)=/);
  });

  test('a session cookie of the plain name, which a neighbour could have put there, is not read by https', async () => {
    const [, set] = await cookiesOf(secure, '/signin');
    const token = set!.split(';')[0]!.split('=')[1]!;
    const account = async (name: string) =>
      (await secure.rest('GET', '/account', { headers: { cookie: `${name}=${token}` } })).status;
    expect(await account('__Host-avatar_session')).toBe(200);
    expect(await account('avatar_session')).toBe(303);
  });
});

describe('a link that fills the sign-in form', () => {
  const check = async (app: TestApp, link: object) => (await app.rest('POST', '/signin/demo', { body: link })).status;

  test('is taken from this very instance only, for the very account it was made for', async () => {
    const link = { email: 'demo@localhost', password: 'secret words' };
    const proof = demoProof(plain.app.secrets.encryption, link.email, link.password);
    expect(await check(plain, { ...link, proof })).toBe(204);
    expect(await check(plain, link)).toBe(403);
    expect(await check(plain, { ...link, proof: 'x' })).toBe(403);
    expect(await check(plain, { ...link, email: ada.email, proof })).toBe(403);
    expect(await check(plain, { ...link, password: 'other words', proof })).toBe(403);
    const foreign = demoProof(Buffer.from('of another instance'), link.email, link.password);
    expect(await check(plain, { ...link, proof: foreign })).toBe(403);
  });
});
