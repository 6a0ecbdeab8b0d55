/** The consent page: what it shows, whom it trusts, where it sends the browser. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { exchange, makeAvatar, makeClient, REDIRECT, type TestClient } from '../support/oauth.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';

let t: TestApp;
let user: TestUser;
let client: TestClient;
let first: string;
let second: string;

beforeAll(async () => {
  t = await openTestApp();
  user = await t.person('Uma');
  first = await makeAvatar(t, user, 'Nova');
  second = await makeAvatar(t, user, 'Vega');
  client = await makeClient(t, user, { name: 'Tea & <b>Talk</b>', scopes: ['profile', 'generate'] });
});
afterAll(() => t?.close());

const address = (change: Record<string, string | undefined> = {}): string => {
  const fields = { client_id: client.clientId, redirect_uri: REDIRECT, state: 's*t', ...change };
  const given = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/oauth-authorize.html?${new URLSearchParams(given)}`;
};
const visitor = () => new Visitor(t.url).signIn(user.email);
const codes = async () => Number((await t.app.db.rows('select count(*) as n from oauth_code'))[0]!.n);
const chosen = (text: string) => /value="(avt_\w+)" required checked/.exec(text)?.[1];

describe('what is shown', () => {
  test('names the app, what it asks for and the avatars; escapes what others wrote; runs no script', async () => {
    const { status, text, headers } = await (await visitor()).get(address({ scope: 'profile generate' }));
    expect(status).toBe(200);
    expect(text).toContain('Tea &amp; &lt;b&gt;Talk&lt;/b&gt;');
    expect(text).not.toContain('<b>Talk');
    for (const words of ['app.example.com', 'See the name and image', 'spend your credits', 'Nova', 'Vega']) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain('<script');
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('says precisely what the scope for avatars shows, and what it does not', async () => {
    const app = await makeClient(t, user, { scopes: ['avatars:read'] });
    const { text } = await (await visitor()).get(address({ client_id: app.clientId, scope: 'avatars:read' }));
    expect(text).toContain('names, images, folders, voices, and the id of your account');
    expect(text).toContain('not their personality or what they learn from');
  });

  test('preselects the avatar chosen last, the first one before', async () => {
    const mine = await visitor();
    const app = await makeClient(t, user);
    const page = await mine.get(address({ client_id: app.clientId }));
    expect(chosen(page.text)).toBe(first);
    await mine.post(address({ client_id: app.clientId }), {
      csrf: csrfOf(page.text),
      decision: 'approve',
      avatarId: second,
    });
    expect(chosen((await mine.get(address({ client_id: app.clientId }))).text)).toBe(second);
  });

  test('asks who is not signed in to sign in and comes back with the whole request', async () => {
    const guest = new Visitor(t.url);
    const { status, location } = await guest.get(address());
    expect(status).toBe(303);
    const signIn = new URL(location!);
    expect(signIn.pathname).toBe('/signin');
    const { text } = await guest.get(signIn.pathname + signIn.search);
    const next = /name="next" value="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    const fields = { csrf: csrfOf(text), email: user.email, password: 'correct horse', next };
    const back = new URL((await guest.post('/signin', fields)).location!);
    expect(back.pathname).toBe('/oauth-authorize.html');
    expect(Object.fromEntries(back.searchParams)).toEqual({
      client_id: client.clientId,
      redirect_uri: REDIRECT,
      state: 's*t',
    });
  });

  test('has no session inside a frame', async () => {
    const { status, location } = await (await visitor()).get(address(), { 'sec-fetch-dest': 'iframe' });
    expect([status, new URL(location!).pathname]).toEqual([303, '/signin']);
  });

  test('someone without an avatar makes one first', async () => {
    const fresh = await t.person('Fay');
    const mine = await new Visitor(t.url).signIn(fresh.email);
    const page = await mine.get(address());
    expect(page.text).not.toContain('value="approve"');
    const refused = await mine.post(address(), { csrf: csrfOf(page.text), decision: 'create', displayName: ' ' });
    expect([refused.status, refused.text.includes('displayName must not be empty.')]).toEqual([400, true]);
    const made = await mine.post(address(), { csrf: csrfOf(page.text), decision: 'create', displayName: 'Fern' });
    expect(made.status).toBe(303);
    const url = new URL(made.location!);
    expect((await mine.get(url.pathname + url.search)).text).toContain('Fern');
  });
});

describe('what is wrong with the app is shown, never redirected', () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ['no client', { client_id: undefined }, 'client_id is missing.'],
    ['an unknown client', { client_id: 'svcc_none' }, 'client_id is not that of a registered app.'],
    ['no address', { redirect_uri: undefined }, 'redirect_uri is missing.'],
    ['another address', { redirect_uri: 'https://evil.example/' }, 'redirect_uri must be an https address'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri must be an https address'],
  ])('%s', async (_name, change, sentence) => {
    for (const who of [await visitor(), new Visitor(t.url)]) {
      for (const answer of [await who.get(address(change)), await who.post(address(change), { decision: 'approve' })]) {
        expect([answer.status, answer.location]).toEqual([400, undefined]);
        expect(answer.text).toContain(sentence);
      }
    }
  });

  test('a parameter given twice', async () => {
    const { status, location } = await (await visitor()).get(`${address()}&redirect_uri=https%3A%2F%2Fevil.example%2F`);
    expect([status, location]).toEqual([400, undefined]);
  });
});

describe('every other error reaches the app only by a click of the user', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a scope that the app lacks', { scope: 'admin' }, 'invalid_scope'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['a plain challenge', { code_challenge: 'x', code_challenge_method: 'plain' }, 'invalid_request'],
  ])('%s', async (_name, change, error) => {
    for (const who of [new Visitor(t.url), await visitor()]) {
      for (const page of [await who.get(address(change)), await who.post(address(change), { decision: 'deny' })]) {
        expect([page.status, page.location]).toEqual([400, undefined]);
        expect(page.text).toContain('Back to app.example.com');
        const link = new URL(/href="(https:\/\/app\.example\.com[^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&'));
        expect(link.origin + link.pathname).toBe(REDIRECT);
        expect(Object.fromEntries(link.searchParams)).toEqual({
          error,
          error_description: expect.any(String),
          state: 's*t',
          iss: t.app.config.BASE_URL,
        });
        expect(page.text).toContain(link.searchParams.get('error_description')!);
      }
    }
  });
});

describe('the decision', () => {
  test('a yes carries a code that gives a token for exactly that avatar and scope', async () => {
    const mine = await visitor();
    const { text } = await mine.get(address({ scope: 'generate' }));
    const answer = await mine.post(address({ scope: 'generate' }), {
      csrf: csrfOf(text),
      decision: 'approve',
      avatarId: second,
    });
    expect(answer.status).toBe(303);
    const code = new URL(answer.location!).searchParams.get('code')!;
    const { body } = await exchange(t, client, { code });
    expect(body).toMatchObject({ scope: 'generate', avatar: { id: second } });
  });

  test('a no carries access_denied and no code', async () => {
    const mine = await visitor();
    const before = await codes();
    const { text } = await mine.get(address());
    const { location } = await mine.post(address(), { csrf: csrfOf(text), decision: 'deny' });
    expect(new URL(location!).searchParams.get('error')).toBe('access_denied');
    expect(await codes()).toBe(before);
  });

  test('counts only in a form that this very session was shown', async () => {
    const mine = await visitor();
    const guest = new Visitor(t.url);
    const visit = csrfOf((await mine.get('/signup')).text);
    const other = csrfOf((await (await visitor()).get(address())).text);
    const before = await codes();
    for (const csrf of ['', 'x', visit, other, csrfOf((await guest.get('/signin')).text)]) {
      const answer = await mine.post(address(), { csrf, decision: 'approve', avatarId: first });
      expect([answer.status, answer.location]).toEqual([403, undefined]);
    }
    const signIn = await guest.post(address(), { csrf: other, decision: 'approve', avatarId: first });
    expect(new URL(signIn.location!).pathname).toBe('/signin');
    expect(await codes()).toBe(before);
  });

  test('is refused for another user’s avatar, for none, and after signing out elsewhere', async () => {
    const mine = await visitor();
    const csrf = csrfOf((await mine.get(address())).text);
    const theirs = await makeAvatar(t, await t.person('Sam'));
    const before = await codes();
    for (const fields of [{ avatarId: theirs }, {}] as Record<string, string>[]) {
      const answer = await mine.post(address(), { csrf, decision: 'approve', ...fields });
      expect([answer.status, answer.location]).toEqual([400, undefined]);
    }
    await t.graphql('mutation { signOut }', {}, mine.cookies.get('avatar_session'));
    const late = await mine.post(address(), { csrf, decision: 'approve', avatarId: first });
    expect(new URL(late.location!).pathname).toBe('/signin');
    expect(await codes()).toBe(before);
  });
});

test('the cookie opens nothing but pages', async () => {
  const cookie = `avatar_session=${(await visitor()).cookies.get('avatar_session')}`;
  expect((await t.rest('GET', '/avatars', { headers: { cookie } })).status).toBe(401);
  const { body } = await t.rest('POST', '/graphql', { headers: { cookie }, body: { query: '{ me { userId } }' } });
  expect(body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
});

describe('in a browser', () => {
  let browser: Browser;
  const servers: Server[] = [];
  let callback: string;

  /** Listens at a port of its own; the origin. */
  const listen = async (server: Server): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  };

  beforeAll(async () => {
    browser = await openBrowser();
    const front = await listen(createServer((_request, response) => response.end('Signed in.')));
    // An app whose callback sends the browser on to another port, as development servers do.
    const back = createServer((request, response) =>
      response.writeHead(302, { location: `${front}${request.url}` }).end(),
    );
    callback = `${await listen(back)}/callback`;
  });
  afterAll(async () => {
    await browser?.close();
    for (const server of servers) server.close();
  });

  test('on a phone, by the keyboard alone, without scripts, with many avatars', async () => {
    const app = await makeClient(t, user);
    for (let place = 0; place < 16; place += 1) await makeAvatar(t, user, `One of many ${place}`);
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 640 } });
    const page = await context.newPage();
    await page.goto(t.app.config.SITE_URL + address({ client_id: app.clientId, redirect_uri: callback }));
    await page.keyboard.press('Tab');
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type(user.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('correct horse');
    await page.keyboard.press('Enter');
    const nova = page.getByRole('radio', { name: 'Nova' });
    await nova.waitFor();
    const shown = [...(await page.getByRole('radio').all()), ...(await page.getByRole('button').all())];
    for (const box of await Promise.all(shown.map((element) => element.boundingBox()))) {
      expect(box!.x).toBeGreaterThanOrEqual(0);
      expect(box!.x + box!.width).toBeLessThanOrEqual(360);
      expect(box!.height).toBeGreaterThanOrEqual(44);
    }
    // Portraits in the size of their tiles.
    const portraits = await page.locator('.face img').evaluateAll((all) => all.map((one) => one.getAttribute('src')));
    expect(portraits).toHaveLength(shown.length - (await page.getByRole('button').count()));
    expect(portraits.filter((src) => !/[?&]w=192$/.test(src ?? ''))).toEqual([]);
    const allow = (await page.getByRole('button', { name: 'Allow and continue' }).boundingBox())!;
    expect(allow.y + allow.height).toBeLessThanOrEqual(640);
    const hasFocus = () => nova.evaluate((element) => element === element.ownerDocument.activeElement);
    for (let presses = 0; presses < 10 && !(await hasFocus()); presses += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByText('Signed in.').waitFor();
    const code = new URL(page.url()).searchParams.get('code')!;
    const { body } = await exchange(t, app, { code, redirect_uri: callback });
    expect(body.avatar.name).toBe('Vega');
    await context.close();
  });
});
