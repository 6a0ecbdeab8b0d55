/** The gift page: what it shows, whom it lets confirm, whom it notifies. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let token: string;

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' } });
  [ada, bob] = [await t.person('Ada', 50), await t.person('Bob <b>')];
  const client = await makeClient(t, bob, { name: 'Tip & <i>Jar</i>', scopes: ['donations'] });
  token = await tokenFor(t, ada, await makeAvatar(t, ada), client, 'donations');
});
afterAll(async () => {
  await expectSoundLedger(t.app.db);
  await t.close();
});

const intend = async (amount = 2.5): Promise<{ intentId: string; path: string }> => {
  const body = { to: bob.userId, amount, note: 'For <script>' };
  const { intentId } = (await t.rest('POST', '/donations/intents', { as: token, body })).body;
  return { intentId, path: `/gifts/${intentId}` };
};
const statusOf = async (id: string) =>
  (await t.rest('GET', `/donations/intents/${id}`, { as: token })).body.status as string;
const visitor = (who = ada) => new Visitor(t.url).signIn(who.email);
const targetsOf = (text: string): string[] =>
  JSON.parse(/data-page="([^"]*)"/.exec(text)![1]!.replaceAll('&quot;', '"').replaceAll('&amp;', '&')).targets;

describe('what it shows and does', () => {
  test('names giver’s amount, recipient, note and app; escapes them; cannot be framed', async () => {
    const { status, text, headers } = await (await visitor()).get((await intend()).path);
    expect(status).toBe(200);
    for (const words of ['2.5', 'Bob &lt;b&gt;', 'For &lt;script&gt;', 'Tip &amp; &lt;i&gt;Jar&lt;/i&gt;']) {
      expect(text).toContain(words);
    }
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('confirms, and shows it; a second click and a cancel change nothing', async () => {
    const [{ intentId, path }, page] = [await intend(), await visitor()];
    const before = (await balance(t, bob)).available;
    const csrf = csrfOf((await page.get(path)).text);
    for (const decision of ['confirm', 'confirm', 'cancel']) {
      const { status, location } = await page.post(path, { csrf, decision });
      expect([status, new URL(location!).pathname]).toEqual([303, path]);
    }
    expect((await page.get(path)).text).toContain('Gift sent');
    expect(await statusOf(intentId)).toBe('confirmed');
    expect((await balance(t, bob)).available).toBe(before + 2.5);
  });

  test('cancels; shows an expired one without a form', async () => {
    const [dropped, late, page] = [await intend(), await intend(), await visitor()];
    await page.post(dropped.path, { csrf: csrfOf((await page.get(dropped.path)).text), decision: 'cancel' });
    expect(await statusOf(dropped.intentId)).toBe('cancelled');
    await t.app.db.rows('update gift_intent set expires_at = now_ms() where id = $1', [late.intentId]);
    const { text } = await page.get(late.path);
    expect(text).toContain('This gift has expired');
    expect(text).not.toContain('value="confirm"');
  });

  test('without the page’s own token nothing happens; more than one can give is refused with a sentence', async () => {
    const [{ intentId, path }, page] = [await intend(40), await visitor()];
    for (const csrf of ['', 'x'.repeat(43)]) {
      expect((await page.post(path, { csrf, decision: 'confirm' })).status).toBe(403);
    }
    const { text } = await page.get(path);
    await t.app.db.rows(`update ledger_account set held = balance - 1000000 where id = 'g:' || $1`, [ada.userId]);
    const refused = await page.post(path, { csrf: csrfOf(text), decision: 'confirm' });
    await t.app.db.rows(`update ledger_account set held = 0 where id = 'g:' || $1`, [ada.userId]);
    expect([refused.status, /Insufficient transferable/.test(refused.text)]).toEqual([400, true]);
    expect(await statusOf(intentId)).toBe('pending');
  });

  test('sends those who are not signed in to sign in and back; says to others that it is not theirs; knows no other gifts', async () => {
    const { path } = await intend();
    const { status, location } = await new Visitor(t.url).get(`${path}?origin=https://app.example.com`);
    expect(status).toBe(303);
    const next = new URL(location!).searchParams.get('next');
    expect(next).toBe(`${path}?origin=${encodeURIComponent('https://app.example.com')}`);
    expect((await (await visitor(bob)).get(path)).status).toBe(403);
    expect((await (await visitor()).get('/gifts/gft_none')).status).toBe(404);
  });
});

describe('whom it notifies', () => {
  test.each([
    ['https://app.example.com', ['https://app.example.com']],
    ['http://localhost:5173', ['http://localhost:5173']],
    ['https://evil.example', ['https://app.example.com', 'https://localhost']],
    ['http://app.example.com', ['https://app.example.com', 'https://localhost']],
  ])('an opener at %s: %j', async (origin, targets) => {
    const { path } = await intend();
    const page = await visitor();
    expect(targetsOf((await page.get(`${path}?origin=${encodeURIComponent(origin)}`)).text)).toEqual(targets);
    expect(targetsOf((await page.get(path, { referer: `${origin}/shop` })).text)).toEqual(targets);
  });

  test('in a browser: the registered opener gets svc:gift, an unregistered one nothing', async () => {
    const browser: Browser = await openBrowser();
    const shop: Server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<title>Shop</title>');
    });
    try {
      await new Promise<void>((resolve) => shop.listen(0, resolve));
      const { port } = shop.address() as AddressInfo;
      const context = await browser.newContext();
      const cookies = [...(await visitor()).cookies].map(([name, value]) => ({ name, value, url: t.url }));
      await context.addCookies(cookies);
      const give = async (opener: string): Promise<[Page, string]> => {
        const { intentId, path } = await intend(1);
        const page = await context.newPage();
        await page.goto(opener);
        await page.evaluate(`window.got = []; onmessage = (event) => window.got.push([event.origin, event.data])`);
        const opened = context.waitForEvent('page');
        await page.evaluate((url) => void window.open(url), `${t.url}${path}`);
        const popup = await opened;
        await popup.click('button[value="confirm"]');
        await popup.waitForSelector('#close:not([hidden])');
        return [page, intentId];
      };
      const [registered, intentId] = await give(`http://localhost:${port}/`);
      await registered.waitForFunction('window.got.length > 0');
      expect(await registered.evaluate('window.got')).toEqual([
        [t.url, { type: 'svc:gift', status: 'confirmed', intentId }],
      ]);
      const [guest] = await give(`http://127.0.0.1:${port}/`);
      // Messages keep their order: had one been posted to it, it would be there before ours.
      await guest.evaluate(
        `new Promise((resolve) => { addEventListener('message', resolve); postMessage('mine', '*') })`,
      );
      expect(await guest.evaluate('window.got.map(([, data]) => data)')).toEqual(['mine']);
    } finally {
      await browser.close();
      shop.close();
    }
  });
});
