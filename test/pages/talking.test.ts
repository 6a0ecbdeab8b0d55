/** Talking to an avatar on its page: it falls silent when it is interrupted, on every page, and its words grow as they come. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { signInOn } from './all-pages.ts';
import { createConversation, followStage, namelessControls, openPage, say, type TestConversation } from './stage.ts';

/** Half a minute, so that it is still speaking when a busy machine comes to interrupt it. */
const LONG =
  'Once upon a time there was a fox who lived under an old oak, and every evening it told the owl what it had seen in the ' +
  'fields, in the village, at the river and on the far side of the hill, until the owl fell asleep and the moon came up.';

let t: TestApp;
let owner: TestUser;
let browser: Browser;
let room: TestConversation;

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real' });
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  owner = await t.person('Ada', 100);
  room = await createConversation(t, owner, t.app.engines.speech.voices()[0]!.id);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

async function openTalkPage(): Promise<Page & { complaints: string[] }> {
  const page = await openPage(browser);
  await signInOn(page.context(), t.app.config.SITE_URL, owner);
  await page.goto(`${t.app.config.SITE_URL}/${room.shareSlug}`);
  await page.waitForSelector('#words');
  return page;
}

const stateOf = (page: Page) => page.evaluate(() => (document.getElementById('stage') as any).state);

async function heard(turnId: string): Promise<string | null> {
  const query = 'query($slug: String!) { conversationBySlug(slug: $slug) { turns { id heardText } } }';
  const { body } = await t.graphql<any>(query, { slug: room.shareSlug }, owner.session);
  return body.data.conversationBySlug.turns.find(({ id }: any) => id === turnId).heardText;
}

test('a reply that is stopped falls silent on every page, and the avatar knows what was heard', async () => {
  const page = await openTalkPage();
  const viewer = await openPage(browser);
  await viewer.goto(room.liveUrl);
  await followStage(viewer);
  const turnId = await say(t, owner, room, { avatarText: LONG, output: 'audio' });
  await page.waitForSelector('#stop:not([hidden])');
  await viewer.waitForFunction(() => (document.getElementById('stage') as any).timeMs > 1_000);
  const stage = page.frames().find((frame) => frame.url().includes('/live/'))!;
  await stage.waitForFunction(() => (document.getElementById('stage') as any).timeMs > 1_000);
  expect(await namelessControls(page)).toEqual([]);

  await page.click('#stop');
  await page.waitForSelector('#stop', { state: 'hidden' });
  expect(await stage.evaluate(() => (document.getElementById('stage') as any).state)).toBe('idle');
  const words = await until(async () => (await heard(turnId)) ?? undefined);
  expect(LONG.startsWith(words)).toBe(true);
  expect(words.length).toBeGreaterThan(0);
  expect(words.length).toBeLessThan(LONG.length);
  await viewer.waitForFunction(() => (document.getElementById('stage') as any).state === 'idle');
  // A viewer who comes later does not hear what was interrupted, but may choose to.
  const late = await openPage(browser);
  await late.goto(`${room.liveUrl}${room.liveUrl.includes('?') ? '&' : '?'}since=0`);
  await late.waitForFunction(() => (document.getElementById('stage') as any).playlist?.entries.length === 2);
  await late.waitForFunction(() => document.getElementById('asked')?.textContent !== '');
  expect(await stateOf(late)).toBe('idle');
  for (const one of [page, viewer, late]) expect(one.complaints).toEqual([]);
  await Promise.all([page, viewer, late].map((one) => one.context().close()));
});

test('who sends something while it speaks interrupts it', async () => {
  const page = await openTalkPage();
  const turnId = await say(t, owner, room, { avatarText: LONG, output: 'audio' });
  const stage = page.frames().find((frame) => frame.url().includes('/live/'))!;
  await stage.waitForFunction(() => (document.getElementById('stage') as any).timeMs > 500);
  await page.selectOption('#output', 'text');
  await page.fill('#words', 'Wait, which fox?');
  await page.keyboard.press('Enter');
  const words = await until(async () => (await heard(turnId)) ?? undefined);
  expect(LONG.startsWith(words) && words.length < LONG.length).toBe(true);
  await page.waitForFunction(() =>
    document.querySelector('.turns')?.lastElementChild?.matches('.avatar[data-status=ready]'),
  );
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('on a phone that lies what was said is seen; one player plays at a time; who is offline reads so', async () => {
  await say(t, owner, room, { avatarText: 'And so it ends.', output: 'audio' });
  await t.settled(room.shareSlug, owner.apiKey);
  const page = await openTalkPage();
  await page.setViewportSize({ width: 844, height: 390 });
  expect((await page.locator('#scroller').boundingBox())!.height).toBeGreaterThan(130);
  const players = page.locator('.player');
  for (const place of [0, 1]) {
    await page.locator('a[data-play]:visible').first().click();
    await players.nth(place).waitFor();
  }
  const play = (place: number) =>
    players.nth(place).evaluate((player: HTMLMediaElement) => {
      // It does not end by itself.
      player.loop = true;
      return player.play();
    });
  const arePaused = () => players.evaluateAll((all) => all.map((player) => (player as HTMLMediaElement).paused));
  await play(0);
  await play(1);
  await until(async () => String(await arePaused()) === 'true,false');
  await play(0);
  await until(async () => String(await arePaused()) === 'false,true');
  await page.context().setOffline(true);
  await page.fill('#words', 'Are you there?');
  await page.keyboard.press('Enter');
  await page.waitForSelector('#problem:not([hidden])');
  expect(await page.textContent('#problem')).toBe('The server cannot be reached. Please try again.');
  expect(await page.inputValue('#words')).toBe('Are you there?');
  await page.context().close();
});

test('a conversation that is deleted elsewhere says so, before one writes into it', async () => {
  const gone = await createConversation(t, owner, t.app.engines.speech.voices()[0]!.id);
  const page = await openPage(browser);
  await signInOn(page.context(), t.app.config.SITE_URL, owner);
  await page.goto(`${t.app.config.SITE_URL}/${gone.shareSlug}`);
  await page.waitForSelector('#words');
  await t.graphql(
    'mutation($id: ID!) { deleteConversation(input: { conversationId: $id }) { deletedId } }',
    { id: gone.conversationId },
    owner.session,
  );
  await page.locator('#problem:visible', { hasText: 'has ended' }).waitFor();
  await page.context().close();
});
