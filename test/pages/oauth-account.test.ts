/** The account page and signing up: plain forms that work without scripts, each bound to its session. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';
import { csrfOf, type PageAnswer, Visitor } from '../support/page-client.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let user: TestUser;
let avatarId: string;

beforeAll(async () => {
  t = await openTestApp();
  user = await t.person('Uma', 12);
  avatarId = await makeAvatar(t, user, 'Nova');
});
afterAll(() => t?.close());

const visitor = () => new Visitor(t.url).signIn(user.email);
/** What the next page says of a form that was taken. */
async function sent(mine: Visitor, path: string, fields: Record<string, string>): Promise<PageAnswer> {
  const { status, location } = await mine.post(path, fields);
  expect(status).toBe(303);
  return mine.get(location!);
}

const works = async (token: string) => (await t.rest('GET', '/voices', { as: token })).status === 200;

describe('signing up', () => {
  const fields = { displayName: 'New Person', email: 'new@example.com', password: 'long enough', next: '/account' };

  test('makes an account, signs in and goes on to where it came from', async () => {
    const fresh = new Visitor(t.url);
    const csrf = csrfOf((await fresh.get('/signup?next=/account')).text);
    const { status, location } = await fresh.post('/signup', { ...fields, csrf });
    expect([status, location]).toEqual([303, `${t.url}/account`]);
    expect((await fresh.get('/account')).text).toContain('New Person');
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['an address that is taken', {}, 400, 'This e-mail address already has an account.'],
    ['no address', { email: 'nobody' }, 400, 'This e-mail address is not an e-mail address.'],
    ['a short password', { email: 'other@example.com', password: 'short' }, 400, 'The password must have 8 to 200'],
    ["an operator's address", { email: 'operator@example.com' }, 400, 'cannot be used to sign up'],
    ['a forged form', { email: 'other@example.com', csrf: 'forged' }, 403, 'open for too long'],
  ])('%s is said in the form, which keeps what it held', async (_name, change, status, sentence) => {
    const fresh = new Visitor(t.url);
    const csrf = csrfOf((await fresh.get('/signup')).text);
    const answer = await fresh.post('/signup', { ...fields, csrf, ...change });
    expect(answer.status).toBe(status);
    expect(answer.text).toContain(sentence);
    expect(answer.text).toContain('value="New Person"');
    expect(answer.text).not.toContain('long enough');
    expect(fresh.cookies.has('avatar_session')).toBe(false);
  });

  test('never goes on to another site', async () => {
    const { text } = await new Visitor(t.url).get('/signup?next=https://evil.example/');
    expect(text).toContain('name="next" value="/"');
  });
});

test('who is not signed in goes to sign in first, and comes back', async () => {
  const { status, location } = await new Visitor(t.url).get('/account');
  expect([status, location]).toEqual([303, `${t.url}/signin?next=%2Faccount`]);
});

test('shows credits and what they paid for; is not for frames', async () => {
  const { text, headers } = await (await visitor()).get('/account');
  expect(text).toContain('<dd class="big"><data value="17" title="17">17</data></dd>');
  expect(text).toContain('Credits received');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
});

test('pages through a long ledger', async () => {
  const [rich, operator] = [await t.person('Rich'), await t.operator()];
  for (let i = 0; i < 25; i += 1) {
    await t.graphql(
      'mutation($userId: ID!) { grantCredits(userId: $userId, amount: 1) { available } }',
      { userId: rich.userId },
      operator,
    );
  }
  const mine = await new Visitor(t.url).signIn(rich.email);
  const first = await mine.get('/account');
  const older = /href="(\/account\?after=[^"#]+)/.exec(first.text)![1]!;
  const second = await mine.get(older);
  const lines = (text: string) => text.match(/class="amount/g)!.length;
  expect([lines(first.text), lines(second.text)]).toEqual([20, 6]);
  expect(second.text).not.toContain('?after=');
});

describe('API keys', () => {
  test('are shown once, on the page behind the form, and revoked by a button', async () => {
    const mine = await visitor();
    const csrf = csrfOf((await mine.get('/studio/developers')).text);
    const { text, headers } = await sent(mine, '/studio/developers/keys', { csrf, name: 'My <script>' });
    expect(headers.get('cache-control')).toBe('no-store');
    const token = /value="(svc_[A-Za-z0-9]{38})"/.exec(text)![1]!;
    expect(await works(token)).toBe(true);
    // A reload shows the page without the key, and makes no second one.
    const again = await mine.get('/studio/developers');
    expect(again.text).not.toContain(token);
    expect(again.text.match(/<strong>My &lt;script&gt;<\/strong>/g)).toHaveLength(1);
    const id = /<strong>My &lt;script&gt;[\s\S]*?name="id" value="(key_\w+)"/.exec(again.text)![1]!;
    expect((await sent(mine, '/studio/developers/keys/revoke', { csrf, id })).text).toContain('The key is revoked.');
    expect(await works(token)).toBe(false);
    expect((await sent(mine, '/studio/developers/keys/revoke', { csrf, id })).text).toContain('not found');
  });

  test('a name that is too long is said in the form', async () => {
    const mine = await visitor();
    const csrf = csrfOf((await mine.get('/account')).text);
    const { status, text } = await mine.post('/studio/developers/keys', { csrf, name: 'x'.repeat(81) });
    expect([status, text.includes('The name must have at most 80 characters.')]).toEqual([400, true]);
    expect(text).toContain('x'.repeat(81));
  });
});

test('connected apps are one line each; disconnecting takes back all their tokens', async () => {
  const client = await makeClient(t, user, { name: 'Tea Talk', scopes: ['profile', 'generate'] });
  const tokens = [
    await tokenFor(t, user, avatarId, client, 'generate'),
    await tokenFor(t, user, avatarId, client, 'generate profile'),
  ];
  const other = await makeClient(t, user, { name: 'Coffee Club', scopes: ['profile'] });
  const kept = await tokenFor(t, user, avatarId, other, 'profile');
  const mine = await visitor();
  const { text } = await mine.get('/account');
  const [connected] = text.split('id="voices"');
  expect(connected!.match(/<strong>Tea Talk<\/strong>/g)).toHaveLength(1);
  expect(text).toContain('spend your credits');
  expect(await Promise.all(tokens.map(works))).toEqual([true, true]);
  const fields = { csrf: csrfOf(text), clientId: client.clientId };
  expect((await mine.post('/account/apps/revoke', fields)).location).toBe(`${t.url}/account#apps`);
  expect(await Promise.all(tokens.map(works))).toEqual([false, false]);
  expect((await t.rest('GET', '/oauth/userinfo', { as: kept })).status).toBe(200);
  const [after] = (await mine.get('/account')).text.split('id="voices"') as [string];
  expect([after.includes('Tea Talk'), after.includes('Coffee Club')]).toEqual([false, true]);
});

describe('custom voices', () => {
  const voice = { name: 'Deep Nova', baseVoiceId: 'noop', pitch: '-3.5', rate: '0.9', use: 'yes' };

  test('are made for an avatar, which speaks with them at once if asked', async () => {
    const mine = await visitor();
    const csrf = csrfOf((await mine.get('/account')).text);
    const { text } = await sent(mine, '/account/voices', { csrf, ...voice, avatarId });
    expect(text).toContain('Deep Nova is made, and the avatar speaks with it.');
    const { voices } = (await t.rest('GET', '/voices', { as: user.apiKey })).body;
    const made = voices.find((one: any) => one.name === 'Deep Nova');
    expect(made.source).toBe('custom');
    const { avatars } = (await t.rest('GET', '/avatars', { as: user.apiKey })).body;
    expect(avatars[0].ttsVoiceId).toBe(made.id);
    const [row] = await t.app.db.rows('select settings from custom_voice where id = $1', [made.id]);
    expect(row!.settings).toEqual({ base: 'noop', pitch: -3.5, rate: 0.9 });
  });

  test('what is wrong is said in the form', async () => {
    const mine = await visitor();
    const csrf = csrfOf((await mine.get('/account')).text);
    const theirs = await makeAvatar(t, await t.person('Sam'));
    for (const change of [
      { name: ' ' },
      { baseVoiceId: 'none' },
      { pitch: '99' },
      { rate: 'fast' },
      { avatarId: theirs },
    ]) {
      const answer = await mine.post('/account/voices', { csrf, ...voice, avatarId, ...change });
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('role="alert"');
    }
  });

  test('can be heard before they are made, by any signed-in user', async () => {
    const mine = await visitor();
    const csrf = csrfOf((await mine.get('/account')).text);
    const { text } = await mine.post('/account/voices/listen', { csrf, ...voice, avatarId });
    const address = /<audio [^>]*src="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&');
    expect(text).toContain('value="Deep Nova"');
    const sample = await mine.get(address);
    expect([sample.status, sample.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    expect(sample.text.slice(0, 4)).toBe('RIFF');
    expect((await new Visitor(t.url).get(address)).status).toBe(401);
    expect((await mine.get('/account/voices/sample?baseVoiceId=none')).status).toBe(400);
  });
});

test('a key may end by itself and do less, and says when it was used', async () => {
  const mine = await visitor();
  const csrf = csrfOf((await mine.get('/account')).text);
  const fields = { csrf, name: 'reader', days: '30', scopes: 'avatars:read' };
  const made = await sent(mine, '/studio/developers/keys', fields);
  const token = /value="(svc_\w+)"/.exec(made.text)?.[1];
  const avatars = await t.rest('GET', '/avatars', { as: token! });
  const post = await t.rest('POST', '/avatars', { as: token!, body: { displayName: 'No' } });
  expect([avatars.status, post.status]).toEqual([200, 403]);
  const { apiKeys } = (await t.rest('GET', '/api-keys', { as: user.session })).body;
  const key = apiKeys.find(({ name }: any) => name === 'reader');
  const ends = new Date(key.expiresAt).toISOString().slice(0, 10);
  expect(Math.round((key.expiresAt - key.createdAt) / 3_600_000)).toBe(30 * 24);
  const used = async () => / used <time/.test((await mine.get('/studio/developers')).text.split('reader')[1] ?? '');
  await until(used);
  const { text } = await mine.get('/studio/developers');
  expect(text).toMatch(new RegExp(`ends <time[^>]*>${ends}</time>, only: avatars:read`));
  const problem = await mine.post('/studio/developers/keys', { csrf, name: '', days: '90', scopes: 'generate' });
  expect(problem.text).toMatch(/value="90" selected/);
  expect(problem.text).toMatch(/value="generate" checked/);
});

test('an app that one registered gets a new secret, shown once', async () => {
  const mine = await visitor();
  const client = await makeClient(t, user, { name: 'Own App', serviceAvatarId: avatarId });
  const csrf = csrfOf((await mine.get('/account')).text);
  const { text } = await sent(mine, '/studio/developers/apps/secret', { csrf, clientId: client.clientId });
  const secret = /value="(svcs_\w+)"/.exec(text)?.[1];
  for (const client_secret of [secret, client.clientSecret]) {
    const body = { grant_type: 'client_credentials', client_id: client.clientId, client_secret };
    expect((await t.rest('POST', '/oauth/token', { body })).status).toBe(200);
  }
  const again = await mine.get('/studio/developers');
  expect(again.text).toContain('old secret until');
  expect(again.text).not.toContain(secret);
  const none = await sent(mine, '/studio/developers/apps/secret', { csrf, clientId: 'svcc_none' });
  expect(none.text).toContain('role="alert"');
});

test('a webhook is added, tried, turned off and deleted; its secret is shown once', async () => {
  const mine = await visitor();
  const csrf = csrfOf((await mine.get('/account')).text);
  const at = '/studio/developers/webhooks';
  const fields = { csrf, url: 'https://example.com/hook', events: 'turn.completed' };
  const nothing = await mine.post(at, { csrf, url: fields.url });
  expect([nothing.status, nothing.text.includes('Choose at least one event')]).toEqual([400, true]);
  const made = await sent(mine, at, fields);
  const secret = /value="(whsec_[^"]+)"/.exec(made.text)?.[1];
  expect(Buffer.from(secret!.slice(6), 'base64')).toHaveLength(32);
  const { text } = await mine.get('/studio/developers');
  expect(text).not.toContain(secret);
  const id = /name="id" value="(whe_\w+)"/.exec(text)![1]!;
  expect((await sent(mine, `${at}/test`, { csrf, id })).text).toContain('webhook.test');
  expect((await sent(mine, `${at}/enabled`, { csrf, id, isEnabled: 'false' })).text).toContain('Turn on');
  expect((await sent(mine, `${at}/test`, { csrf, id })).text).toContain('disabled');
  expect((await sent(mine, `${at}/secret`, { csrf, id })).text).toMatch(/value="whsec_/);
  expect((await sent(mine, `${at}/delete`, { csrf, id })).text).toContain('No webhooks yet.');
});

test('recent activity is shown in words', async () => {
  const body = { publiclyRenderable: true };
  await t.rest('POST', `/avatars/${avatarId}/public`, { as: user.session, body });
  const { text } = await (await visitor()).get('/account');
  const activity = text.split('id="activity"')[1]!;
  expect(activity).toMatch(/<strong>Signed in<\/strong>[\s\S]*? UTC<\/time> from (::ffff:)?127\.0\.0\.1/);
  expect(activity).toContain('<strong>Visibility of an avatar changed: public</strong>');
});

test('every form counts only for the session it was shown to', async () => {
  const mine = await visitor();
  const other = csrfOf((await (await visitor()).get('/account')).text);
  const before = (await t.rest('GET', '/api-keys', { as: user.session })).body;
  for (const [path, fields] of [
    ['studio/developers/keys', { name: 'forged' }],
    ['studio/developers/keys/revoke', { id: before.apiKeys[0].id }],
    ['account/apps/revoke', { clientId: 'svcc_x' }],
    ['account/voices', { name: 'forged', avatarId, baseVoiceId: 'noop' }],
    ['studio/developers/apps/secret', { clientId: 'svcc_x' }],
    ['studio/developers/webhooks', { url: 'https://example.com/' }],
  ] as const) {
    const refused = await mine.post(`/${path}`, { ...fields, csrf: other });
    const said = refused.status === 303 ? await mine.get(refused.location!) : refused;
    expect(said.text).toContain('open for too long');
    expect(new URL((await new Visitor(t.url).post(`/${path}`, fields)).location!).pathname).toBe('/signin');
  }
  expect((await t.rest('GET', '/api-keys', { as: user.session })).body).toEqual(before);
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('a newcomer signs up, makes a key, listens to a voice and signs out', async () => {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.goto(`${t.app.config.SITE_URL}/signin?next=/account`);
    await page.getByRole('link', { name: 'Create one' }).click();
    await page.getByLabel('Your name').fill('Bea');
    await page.getByLabel('E-mail').fill('bea@example.com');
    await page.getByLabel('Password').fill('a good password');
    await page.getByRole('button', { name: 'Create my account' }).click();
    await page.getByRole('heading', { name: 'Bea' }).waitFor();
    await page.getByRole('link', { name: 'Developers' }).click();
    await page.getByLabel('Name of a new key').fill('laptop');
    await page.getByRole('button', { name: 'Create a key' }).click();
    const key = await page.getByLabel('The new key').inputValue();
    expect(await works(key)).toBe(true);
    await t.rest('POST', '/avatars', { as: key, body: { displayName: 'Bee' } });
    await page.goto(`${t.app.config.SITE_URL}/account`);
    const heard = page.waitForResponse(/voices\/sample/);
    await page.getByRole('button', { name: 'Listen' }).click();
    expect((await heard).status()).toBe(200);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
    await page.goto(`${t.app.config.SITE_URL}/account`);
    expect(new URL(page.url()).pathname).toBe('/signin');
    expect(problems).toEqual([]);
  });
});
