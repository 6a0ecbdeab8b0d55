/** The transcript page, its owner's talk box, and the cookie session behind it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { demoProof } from '../../src/auth/demo-proof.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, namelessControls, openPage, say, type TestConversation } from './stage.ts';

let t: TestApp;
let owner: TestUser;
let room: TestConversation;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  owner = await t.person('Ada', 100);
  room = await createConversation(t, owner, null);
  await say(t, owner, room, { userText: '<b>Bold?</b>', avatarText: '"Quoted" & <i>slanted</i>.', output: 'text' });
  await t.settled(room.shareSlug, owner.apiKey);
});
afterAll(() => t?.close());

/** A cookie session as the sign-in form makes it. */
async function signInByForm(person: TestUser): Promise<{ cookie: string; csrf: string }> {
  const form = await t.rest<string>('GET', '/signin');
  const visit = form.headers.get('set-cookie')!.split(';')[0]!;
  const csrf = /name="csrf" value="([^"]+)"/.exec(form.body)![1]!;
  const answer = await post('/signin', { email: person.email, password: 'correct horse', csrf }, visit);
  const set = answer.headers.get('set-cookie')!;
  expect(set).toMatch(/avatar_session=[^;]+;.*HttpOnly.*SameSite=Lax/i);
  const cookie = set.split(';')[0]!;
  const page = await t.rest<string>('GET', `/${room.shareSlug}`, { headers: { cookie } });
  return { cookie, csrf: /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? '' };
}

function post(where: string, fields: Record<string, string>, cookie: string, accept = 'text/html') {
  return t.rest('POST', where, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie, accept },
  });
}

describe('who may read', () => {
  test('a non-owner sees what they would see where nothing is; a slug works in any case', async () => {
    const unknown = await t.rest('GET', '/c-26-01-zzzz');
    const hidden = await t.rest('GET', `/${room.shareSlug}`);
    expect([unknown.status, hidden.status]).toEqual([404, 404]);
    expect(hidden.body).toBe(unknown.body);
    const grant = `token=${room.viewerToken}`;
    expect((await t.rest('GET', `/${room.shareSlug.toUpperCase()}?${grant}`)).status).toBe(200);
  });

  test('the key of an access link opens it until it is revoked', async () => {
    const link = await t.rest('POST', `/conversations/${room.conversationId}/access-link`, {
      as: owner.apiKey,
      body: {},
    });
    const { pathname, search } = new URL(link.body.url);
    expect((await t.rest('GET', pathname + search)).status).toBe(200);
    expect((await t.rest('GET', `/live${pathname}${search}`)).status).toBe(200);
    await t.rest('DELETE', `/conversations/${room.conversationId}/access-link/${link.body.linkId}`, {
      as: owner.apiKey,
    });
    expect((await t.rest('GET', pathname + search)).status).toBe(404);
  });

  test('what users wrote is shown as text, not interpreted', async () => {
    const { body } = await t.rest<string>('GET', `/${room.shareSlug}?token=${room.viewerToken}`);
    expect(body).toContain('&lt;b&gt;Bold?&lt;/b&gt;');
    expect(body).toContain('&quot;Quoted&quot; &amp; &lt;i&gt;slanted&lt;/i&gt;.');
    expect(body).not.toContain('<i>slanted');
  });

  test('its owner is recognised at top level only, and then the page may not be framed', async () => {
    const { cookie } = await signInByForm(owner);
    const own = await t.rest<string>('GET', `/${room.shareSlug}`, { headers: { cookie } });
    expect(own.body).toContain('id="talk"');
    expect(own.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const framed = await t.rest('GET', `/${room.shareSlug}`, { headers: { cookie, 'sec-fetch-dest': 'iframe' } });
    expect(framed.status).toBe(404);
    const other = await signInByForm(await t.person('Bob'));
    expect((await t.rest('GET', `/${room.shareSlug}`, { headers: other })).status).toBe(404);
  });
});

describe('the cookie session', () => {
  test('REST and GraphQL never read the cookie', async () => {
    const { cookie } = await signInByForm(owner);
    expect((await t.rest('GET', '/avatars', { headers: { cookie } })).status).toBe(401);
    const me = await t.rest('POST', '/graphql', { body: { query: '{ me { userId } }' }, headers: { cookie } });
    expect(me.body.errors[0].extensions.code).toBe('UNAUTHENTICATED');
  });

  test('a form without its token changes nothing', async () => {
    const { cookie, csrf } = await signInByForm(owner);
    const before = await t.rest('GET', `/conversations/by-slug/${room.shareSlug}`, { as: owner.apiKey });
    for (const fields of [{ userText: 'Hi' }, { userText: 'Hi', csrf: 'A'.repeat(43) }]) {
      const answer = await post(`/${room.shareSlug}/turn`, fields as never, cookie, 'application/json');
      expect(answer.status).toBe(403);
    }
    expect((await post(`/${room.shareSlug}/turn`, { userText: 'Hi', csrf }, '', 'application/json')).status).toBe(403);
    // The token of a visit, whose cookie a neighbouring host could set, does not speak for the session beside it.
    const visitor = await t.rest<string>('GET', '/signin');
    const visit = visitor.headers.get('set-cookie')!.split(';')[0]!;
    const forged = { userText: 'Hi', csrf: /name="csrf" value="([^"]+)"/.exec(visitor.body)![1]! };
    const tossed = await post(`/${room.shareSlug}/turn`, forged, `${cookie}; ${visit}`, 'application/json');
    expect(tossed.status).toBe(403);
    const after = await t.rest('GET', `/conversations/by-slug/${room.shareSlug}`, { as: owner.apiKey });
    expect(after.body.turns).toHaveLength(before.body.turns.length);
  });

  test('a wrong password and a foreign next are refused; signing out ends the session itself', async () => {
    const form = await t.rest<string>('GET', '/signin');
    const visit = form.headers.get('set-cookie')!.split(';')[0]!;
    const csrf = /name="csrf" value="([^"]+)"/.exec(form.body)![1]!;
    const wrong = await post('/signin', { email: owner.email, password: 'not it', csrf }, visit);
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/']) {
      const right = await post('/signin', { email: owner.email, password: 'correct horse', csrf, next }, visit);
      expect([right.status, right.headers.get('location')]).toEqual([303, '/']);
    }
    const session = await signInByForm(owner);
    await post('/signout', { csrf: session.csrf }, session.cookie);
    expect((await t.rest('GET', `/${room.shareSlug}`, { headers: { cookie: session.cookie } })).status).toBe(404);
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());

  test('from the link that the start prints, a newcomer signs in, types, and sees the answer arrive', async () => {
    const mine = await createConversation(t, owner, null);
    const page = await openPage(browser, { viewport: { width: 390, height: 844 } });
    const link = { email: owner.email, password: 'correct horse' };
    const account = new URLSearchParams({
      ...link,
      proof: demoProof(t.app.secrets.encryption, link.email, link.password),
    });
    await page.goto(`${t.app.config.SITE_URL}/signin?next=/${mine.shareSlug}#${account}`);
    expect(await namelessControls(page)).toEqual([]);
    await page.waitForFunction(() => location.hash === '');
    await page.waitForSelector('#filled:not([hidden])');
    await page.click('#go');
    await page.waitForSelector('#words');
    await page.selectOption('#output', 'text');
    await page.fill('#words', 'Are you there?');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.turn.avatar .text');
    expect(await page.locator('.turn .text').allTextContents()).toEqual(['Are you there?', 'Yes. I hear you. Go on.']);
    expect(await page.inputValue('#words')).toBe('');
    // The stage beside the chat hears of it too.
    await page.frameLocator('#stage').locator('#said li.avatar').waitFor({ state: 'attached' });
    expect(await namelessControls(page)).toEqual([]);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('a link that this instance did not make fills in nothing', async () => {
    const page = await openPage(browser);
    const link = { email: owner.email, password: 'correct horse' };
    const elsewhere = demoProof(Buffer.from('the key of another instance'), link.email, link.password);
    const proof = demoProof(t.app.secrets.encryption, 'demo@localhost', link.password);
    const LINKS: [string, Record<string, string>, boolean][] = [
      ['no proof', link, false],
      ['an e-mail address alone', { email: link.email }, false],
      ['an empty proof', { ...link, proof: '' }, false],
      ['another instance', { ...link, proof: elsewhere }, true],
      ['another account', { ...link, proof }, true],
    ];
    for (const [name, account, isAsked] of LINKS) {
      await page.goto('about:blank');
      const answered = page.waitForResponse((answer) => answer.url().endsWith('/signin/demo'));
      answered.catch(() => {});
      await page.goto(`${t.app.config.SITE_URL}/signin#${new URLSearchParams(account)}`);
      await page.waitForFunction(() => location.hash === '');
      if (isAsked) expect([name, (await answered).status()]).toEqual([name, 403]);
      // What the answer brings about is done before the next question of this test is.
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 0)));
      const fields = [await page.inputValue('#email'), await page.inputValue('#password')];
      expect([name, ...fields, await page.isVisible('#filled')]).toEqual([name, '', '', false]);
    }
    await page.context().close();
  });

  test('of a long conversation the newest page is read, and what was said before it as far as one looks', async () => {
    const SAID = 65;
    const long = await createConversation(t, owner, null);
    for (let n = 1; n <= SAID; n += 1) {
      await say(t, owner, long, { userText: `Question ${n}`, avatarText: `Answer ${n}`, output: 'text' });
    }
    const { turns } = await t.settled(long.shareSlug, owner.apiKey);
    const words = turns.map((turn: any) => turn.avatarText ?? turn.userText);
    expect(words).toHaveLength(2 * SAID);
    const address = `${long.shareUrl}?token=${long.viewerToken}`;
    const page = await openPage(browser);
    const notified = new Set<string>();
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        const { type, payload: update } = JSON.parse(String(payload));
        if (type === 'next') notified.add(update.data.turnUpdated.turn.id);
      }),
    );
    await page.goto(address);
    const shown = () => page.locator('.turn .text').allTextContents();
    expect(await shown()).toEqual(words.slice(-100));
    // Without a script the same by a link.
    const before = await t.rest<string>('GET', (await page.getAttribute('#earlier', 'href'))!);
    expect([...before.body.matchAll(/class="text"[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual(words.slice(0, 30));
    await page.click('#earlier');
    await page.waitForSelector('#earlier', { state: 'hidden' });
    expect(await shown()).toEqual(words);
    await say(t, owner, long, { userText: 'One more.', avatarText: 'The last.', output: 'text' });
    await page.waitForFunction((count) => document.querySelectorAll('.turn .text').length === count + 2, words.length);
    expect((await shown()).slice(-3)).toEqual([words.at(-1), 'One more.', 'The last.']);
    expect(notified.size).toBe(2);

    // The viewer is notified the newest turns, and reads back only as far as it is to play, or is asked to show.
    notified.clear();
    await page.goto(`${long.liveUrl}&since=now`);
    await page.waitForFunction(() => document.querySelectorAll('#said li').length >= 24);
    expect(notified.size).toBe(24);
    const list = () => page.locator('#said .words').allTextContents();
    expect(await list()).toEqual([...words, 'One more.', 'The last.'].slice(-24));
    await page.keyboard.press('t');
    await page.click('#earlier');
    await page.waitForFunction(() => document.querySelectorAll('#said li').length === 124);
    await page.click('#earlier');
    await page.waitForSelector('#earlier', { state: 'hidden' });
    expect(await list()).toEqual([...words, 'One more.', 'The last.']);
    await page.goto(`${long.liveUrl}&autoplay=0`);
    const next = () => (document.getElementById('stage') as any).playlist.peek()?.entry.turn.userText;
    await page.waitForFunction(next);
    await page.waitForFunction(() => (document.getElementById('stage') as any).playlist.entries.length === 132);
    expect(await page.evaluate(next)).toBe('Question 1');
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('nothing that was there moves when a turn arrives', async () => {
    const page = await openPage(browser);
    await page.goto(`${room.shareUrl}?token=${room.viewerToken}`);
    await page.evaluate(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push((entry as any).value);
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.waitForFunction(() => document.fonts.status === 'loaded');
    const before = await page.locator('.turn').count();
    await say(t, owner, room, { userText: 'One more.', avatarText: 'Gladly.', output: 'text' });
    await page.waitForFunction((count) => document.querySelectorAll('.turn .text').length === count + 2, before);
    const shifts: number[] = await page.evaluate(() => (window as any).shifts);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.05);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
});
