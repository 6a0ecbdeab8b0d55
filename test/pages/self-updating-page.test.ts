/** Pages of the studio keep themselves up to date: a change of another tab is seen and announced, also after a lost connection. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { signInOn } from './all-pages.ts';
import { openPage } from './stage.ts';

let t: TestApp;
let browser: Browser;
let ada: TestUser;

beforeAll(async () => {
  [t, browser] = await Promise.all([openTestApp({ work: true }), openBrowser()]);
  ada = await t.person('Ada', 50);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

type Watched = Page & { complaints: string[] };

/** A signed-in page that keeps its sockets, to lose them as on a train: `isAway` lets none be opened. */
async function openFollowed(path: string): Promise<Watched> {
  const page = await openPage(browser);
  await signInOn(page.context(), t.app.config.SITE_URL, ada);
  await page.addInitScript(() => {
    const kept = { sockets: [] as WebSocket[], isAway: false };
    Object.assign(window, { kept });
    window.WebSocket = class extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        if (kept.isAway) throw new Error('No network.');
        super(url, protocols);
        kept.sockets.push(this);
      }
    };
  });
  await page.goto(t.app.config.SITE_URL + path);
  return page;
}

const post = (path: string, body: object) => t.rest('POST', path, { as: ada.apiKey, body });
const announced = (page: Page, words: string): Promise<void> =>
  page.locator('#announced[role=status]', { hasText: words }).waitFor({ state: 'attached' });
const sockets = (page: Page): Promise<number> => page.evaluate(() => (window as any).kept.sockets.length);

test('what another program makes is seen, announced once it has finished, and paid for, over one connection', async () => {
  const page = await openFollowed('/studio/create/video');
  const before = await page.locator('#balance').textContent();
  const { body } = await post('/videos/generate', { prompt: 'A paper boat', duration: 1 });
  const tile = page.locator('#videos > li', { hasText: 'A paper boat' });
  await tile.filter({ hasText: 'Private' }).waitFor();
  await announced(page, 'Your video is ready.');
  await page.waitForFunction((was) => document.getElementById('balance')?.textContent !== was, before);
  expect(await sockets(page)).toBe(1);
  // Who is at a thing keeps it: here a question that is open.
  await page.goto(`${t.app.config.SITE_URL}/studio/create`);
  await post('/images/generate', { prompt: 'A red kite' });
  const kite = page.locator('#images > li', { hasText: 'A red kite' });
  await kite.getByText('Delete', { exact: true }).click();
  await post('/images/generate', { prompt: 'A green kite' });
  await page.locator('#images > li', { hasText: 'A green kite' }).waitFor();
  await kite.getByRole('button', { name: 'Delete it' }).waitFor();
  // A page of one video: it is deleted elsewhere, and the others are nothing to it.
  await page.goto(`${t.app.config.SITE_URL}/${body.slug}`);
  await page.getByRole('button', { name: 'Make public' }).waitFor();
  const show = 'mutation ($id: ID!) { setVideoVisibility(generationId: $id, visibility: public) { visibility } }';
  await t.graphql(show, { id: body.generationId }, ada.apiKey);
  await page.getByRole('button', { name: 'Make private' }).waitFor();
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('what changed while the connection was lost is there when it is back', async () => {
  const made = await post('/avatars', { displayName: 'Vega' });
  const page = await openFollowed('/');
  const { avatarId } = made.body;
  const talk = () => post('/conversations', { avatarId, avatarOwnerUserId: ada.userId });
  const room = await talk();
  await page.locator(`[id="${room.body.shareSlug}"]`).waitFor();
  await page.evaluate(() => {
    const { kept } = window as any;
    kept.isAway = true;
    for (const socket of kept.sockets) socket.close();
  });
  const missed = (await talk()).body.shareSlug;
  await page.evaluate(() => {
    (window as any).kept.isAway = false;
  });
  await page.locator(`[id="${missed}"]`).waitFor();
  expect(await sockets(page)).toBe(2);
  await page.context().close();
});

test('a page of another site cannot open the socket of who is signed in', async () => {
  const page = await openFollowed('/studio/create');
  // The cookie goes along, as it would for any page of this site; the token of a page of ours does not.
  const codes = await page.evaluate(
    (url) =>
      Promise.all(
        [{}, { payload: { 'x-csrf': 'guessed' } }].map(
          (init) =>
            new Promise<number>((resolve) => {
              const socket = new WebSocket(url, 'graphql-transport-ws');
              socket.onopen = () => socket.send(JSON.stringify({ type: 'connection_init', ...init }));
              socket.onclose = ({ code }) => resolve(code);
            }),
        ),
      ),
    `${t.app.config.SITE_URL.replace('http', 'ws')}/studio/graphql`,
  );
  expect(codes).toEqual([4401, 4401]);
  await page.context().close();
});
