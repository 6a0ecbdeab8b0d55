/** An avatar's page for visitors: talked with on a phone, in another site's frame and signed in, and closed while one talks. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { signInOn } from './all-pages.ts';
import { openPage } from './stage.ts';

let t: TestApp;
let ada: TestUser;
let browser: Browser;
let avatarId: string;
let url: string;
let elsewhere: Server;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required', '--use-fake-ui-for-media-stream']);
  ada = await t.person('Ada', 100);
  const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
  url = await settings({ audience: 'everyone', greeting: 'Welcome to my page.' });
  // Another site: another origin.
  elsewhere = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(
        `<script type="module" src="${t.app.config.SITE_URL}/embed.js"></script><avatar-talk src="${url}"></avatar-talk>`,
      ),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
  await new Promise((resolve) => elsewhere.close(resolve));
});

async function settings(input: object): Promise<string> {
  const { body } = await t.graphql<any>(
    'mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings { url } } }',
    { input: { avatarId, ...input } },
    ada.session,
  );
  return body.data.setTalkSettings.settings.url;
}

async function talk(page: Page | Frame, words: string): Promise<void> {
  await page.waitForSelector('#words:visible');
  await page.selectOption('#output', 'text');
  await page.fill('#words', words);
  await page.press('#words', 'Enter');
  await page.waitForFunction((said) => {
    const turns = [...document.querySelectorAll('.turn')];
    const asked = turns.findIndex((turn) => turn.textContent?.includes(said));
    return asked >= 0 && turns.slice(asked + 1).some((turn) => turn.matches('.avatar[data-status=ready]'));
  }, words);
}

const said = (page: Page | Frame): Promise<string> => page.locator('#turns').evaluate((list) => list.textContent ?? '');
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test('on a phone: a click begins, a reload goes on, and no other user can read it', async () => {
  const context = await browser.newContext(PHONE);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.goto(url);
  expect(await said(page)).toContain('Welcome to my page.');
  expect(await page.locator('#talk').isVisible()).toBe(false);
  // A visit without a conversation leaves nothing.
  expect(await t.app.db.rows('select 1 from visitor')).toEqual([]);
  await page.tap('#begin');
  await talk(page, 'Hello from a phone');
  expect(await page.locator('.turn', { hasText: 'Welcome to my page.' }).count()).toBe(1);
  const stage = await page.locator('#stage').boundingBox();
  const box = await page.locator('#talk').boundingBox();
  expect(stage!.y + stage!.height).toBeLessThanOrEqual(box!.y);
  expect(box!.y + box!.height).toBeLessThanOrEqual(844);
  await page.reload();
  await page.waitForSelector('#words:visible');
  await page.locator('.turn', { hasText: 'Hello from a phone' }).waitFor();
  await talk(page, 'Again');
  expect(await t.app.db.rows('select 1 from visitor')).toHaveLength(1);
  const other = await openPage(browser);
  await other.goto(url);
  await other.click('#begin');
  await talk(other, 'Somebody else');
  expect(await said(other)).not.toContain('phone');
  expect(problems.concat(other.complaints)).toEqual([]);
  await Promise.all([context.close(), other.context().close()]);
});

test('in the frame of another site: the same, with the microphone, and no cookie is read', async () => {
  const context = await browser.newContext();
  await signInOn(context, t.app.config.SITE_URL, ada);
  const page = await context.newPage();
  const address = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
  const frameOf = async (): Promise<Frame> => {
    await page.waitForSelector('avatar-talk');
    for (;;) {
      const frame = page.frames().find((one) => one.url().endsWith('/embed'));
      if (frame) return frame;
      await page.waitForEvent('framenavigated');
    }
  };
  await page.setViewportSize({ width: 800, height: 900 });
  await page.goto(address);
  let frame = await frameOf();
  await frame.click('#begin');
  await talk(frame, 'Hello from elsewhere');
  // Beside the face there is half of that for what is typed.
  expect((await frame.locator('#words').boundingBox())!.width).toBeGreaterThan(250);
  expect(await frame.locator('[autofocus]').count()).toBe(0);
  expect(await frame.locator('header.top').count()).toBe(0);
  expect(await frame.evaluate(() => (document as any).featurePolicy.allowsFeature('microphone'))).toBe(true);
  await page.reload();
  frame = await frameOf();
  await frame.locator('.turn', { hasText: 'Hello from elsewhere' }).waitFor();
  const { body } = await t.graphql<any>(
    'query($avatarId: ID!) { visitors(avatarId: $avatarId) { nodes { isSignedIn } } }',
    { avatarId },
    ada.session,
  );
  expect(body.data.visitors.nodes[0].isSignedIn).toBe(false);
  // The page that knows who is signed in is shown in no frame.
  const headers = (await fetch(url)).headers;
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('permissions-policy')).toContain('microphone=(self)');
  const framed = (await fetch(`${url}/embed`)).headers;
  expect(framed.get('content-security-policy')).toContain('frame-ancestors *');
  expect(framed.get('permissions-policy')).toContain('microphone=(self)');
  await context.close();
});

test('for who is signed in alone, and closed while they talk', async () => {
  await settings({ audience: 'signed_in' });
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  expect(await page.locator('#begin').count()).toBe(0);
  const signIn = page.locator('.talk-box a');
  expect(new URL((await signIn.getAttribute('href'))!, url).searchParams.get('next')).toBe(new URL(url).pathname);
  const bob = await t.person('Bob');
  await signInOn(context, t.app.config.SITE_URL, bob);
  await page.goto(url);
  await page.click('#begin');
  await talk(page, 'Hello, I am Bob');
  await page.reload();
  await page.locator('.turn', { hasText: 'Hello, I am Bob' }).waitFor();
  await settings({ audience: 'nobody' });
  await page.waitForSelector('#problem:visible');
  expect(await page.locator('#talk').isVisible()).toBe(false);
  expect((await fetch(url)).status).toBe(404);
  await context.close();
});
