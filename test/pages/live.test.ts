/** The live viewer in a real browser, with the real engines. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import {
  createConversation,
  followStage,
  namelessControls,
  openPage,
  say,
  seen,
  type TestConversation,
} from './stage.ts';

let t: TestApp;
let owner: TestUser;
let browser: Browser;
/** One that wants a tap before there is sound. */
let strict: Browser;
let voice: string;
/** A conversation in which one short video turn has been spoken. */
let spoken: TestConversation;

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real' });
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  strict = await openBrowser(['--autoplay-policy=document-user-activation-required']);
  owner = await t.person('Ada', 100);
  voice = t.app.engines.speech.voices()[0]!.id;
  spoken = await createConversation(t, owner, voice);
  await say(t, owner, spoken, { avatarText: 'Well, good morning.', output: 'video' });
  await t.settled(spoken.shareSlug, owner.apiKey);
});
afterAll(async () => {
  await browser?.close();
  await strict?.close();
  await t?.close();
});

describe('the live viewer', () => {
  test('plays an injected turn by itself, with sound, its chunks in order, and lets go of the videos', async () => {
    const room = await createConversation(t, owner, voice);
    const page = await openPage(browser);
    await page.goto(room.liveUrl);
    await followStage(page);
    await say(t, owner, room, { avatarText: 'One. Two. Three. Four.', output: 'video' });
    await page.waitForFunction(() =>
      [...document.querySelectorAll('video.turn-video')].some(
        (video: any) => video.currentTime > 0.2 && !video.muted && video.webkitAudioDecodedByteCount > 0,
      ),
    );
    expect(await page.textContent('#asked')).toBe('Go on.');
    await page.waitForFunction(() => (window as any).seen.length === 4);
    expect(await seen(page)).toEqual([
      'turnstart avatar 1',
      'turnend avatar 1',
      'turnstart avatar 2',
      'turnend avatar 2',
    ]);
    await page.waitForFunction(() =>
      [...document.querySelectorAll('video.turn-video')].every((video) => !video.hasAttribute('src')),
    );
    expect(await page.isVisible('.still')).toBe(true);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('between turns the avatar is alive: a video of it at rest goes round, and stops while a turn plays', async () => {
    const page = await openPage(browser, { reducedMotion: 'no-preference' });
    await page.goto(`${spoken.liveUrl}&since=now`);
    await page.waitForFunction(
      () => (document.querySelector<HTMLVideoElement>('video.idle.shown')?.currentTime ?? 0) > 0.2,
    );
    await page.keyboard.press('t');
    await page.click('#said button');
    await page.waitForFunction(() => document.getElementById('viewer')!.dataset.state === 'playing');
    expect(await page.evaluate(() => document.querySelector<HTMLVideoElement>('video.idle')!.paused)).toBe(true);
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('video.idle')!.paused === false);
    await page.context().close();
    const visitor = await t.graphql('query($slug: String!) { idleVideo(slug: $slug) }', { slug: spoken.shareSlug });
    expect(visitor.body.errors![0].extensions.code).toBe('FORBIDDEN');
  });

  test('a viewer who prefers less motion keeps the still image', async () => {
    const page = await openPage(browser, { reducedMotion: 'reduce' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.postData() ?? ''));
    await page.goto(`${spoken.liveUrl}&since=now`);
    await page.waitForSelector('#said li.avatar', { state: 'attached' });
    expect(asked.filter((body) => body.includes('idleVideo'))).toEqual([]);
    expect(await page.evaluate(() => getComputedStyle(document.querySelector('.figure')!).animationName)).toBe('none');
    await page.context().close();
  });

  test('captions follow the speech word by word', async () => {
    const page = await openPage(browser);
    await page.goto(spoken.liveUrl);
    await page.waitForFunction(() => document.querySelector('#caption .now')?.textContent === 'morning');
    expect(await page.textContent('#caption')).toBe('Well, good morning.');
    expect(await page.textContent('#spoken')).toBe('Well, good morning.');
    await page.context().close();
  });

  test('autoplay=0 loads paused; the play button starts it', async () => {
    const page = await openPage(browser);
    await page.goto(`${spoken.liveUrl}&autoplay=0`);
    await page.waitForSelector('#said li.avatar', { state: 'attached' });
    expect(await page.getAttribute('#viewer', 'data-state')).toBe('paused');
    await page.click('media-play-button');
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('video.turn-video')!.currentTime > 0.1);
    await page.context().close();
  });

  test.each(['&since=now', '#new'])('%s plays only what comes after the page was opened', async (suffix) => {
    const room = await createConversation(t, owner, null);
    await say(t, owner, room, { avatarText: 'Long ago.', output: 'text' });
    await t.settled(room.shareSlug, owner.apiKey);
    const page = await openPage(browser);
    await page.goto(room.liveUrl + suffix);
    await page.waitForSelector('#said li.avatar', { state: 'attached' });
    await say(t, owner, room, { avatarText: 'Just now.', output: 'text' });
    await page.waitForFunction(() => document.getElementById('caption')!.textContent !== '');
    expect(await page.textContent('#caption')).toBe('Just now.');
    await page.context().close();
  });

  test.each([
    ['epoch milliseconds', (ms: number) => String(ms)],
    ['an ISO date', (ms: number) => new Date(ms).toISOString()],
    ['an ISO date of another zone', (ms: number) => new Date(ms + 7_200_000).toISOString().replace('Z', '%2B02:00')],
  ])('since as %s plays what was said from then on, and nothing before', async (_form, write) => {
    const room = await createConversation(t, owner, null);
    await say(t, owner, room, { avatarText: 'Long ago.', output: 'text' });
    await t.settled(room.shareSlug, owner.apiKey);
    await say(t, owner, room, { avatarText: 'From then on.', output: 'text' });
    const { turns } = await t.settled(room.shareSlug, owner.apiKey);
    const at = turns.at(-2).createdAt;
    expect(at).toBeGreaterThan(turns.at(-3).createdAt);
    const page = await openPage(browser);
    await page.goto(`${room.liveUrl}&since=${write(at)}`);
    await page.waitForFunction(() => document.getElementById('caption')!.textContent !== '');
    expect(await page.textContent('#caption')).toBe('From then on.');
    // The list has all of it.
    expect(await page.locator('#said li.avatar .words').allTextContents()).toEqual(['Long ago.', 'From then on.']);
    await page.context().close();
  });

  test('sound that the browser blocks waits behind one tap, while the image plays', async () => {
    const page = await openPage(strict);
    // Whatever the driver asks of a page counts as a tap in it. So the page itself says when the button is there.
    await page.addInitScript(() => {
      const watch = (): void => {
        if (document.getElementById('sound')?.checkVisibility()) console.info('the button is there');
        else requestAnimationFrame(watch);
      };
      requestAnimationFrame(watch);
    });
    const shown = page.waitForEvent('console', (message) => message.text() === 'the button is there');
    await page.goto(spoken.liveUrl);
    await shown;
    expect(await page.evaluate(() => document.querySelector<HTMLVideoElement>('video.turn-video')!.muted)).toBe(true);
    await page.click('#sound');
    expect(await page.evaluate(() => document.querySelector<HTMLVideoElement>('video.turn-video')!.muted)).toBe(false);
    expect(await page.isVisible('#sound')).toBe(false);
    await page.context().close();
  });

  test('a lost connection is shown, resumes behind the cursor, and nothing is missed or doubled', async () => {
    const room = await createConversation(t, owner, null);
    const page = await openPage(browser);
    const open: { close(): Promise<void> }[] = [];
    let isCut = false;
    await page.routeWebSocket(/\/graphql$/, (socket) => {
      if (isCut) return void socket.close({ code: 1013 });
      socket.connectToServer();
      open.push({ close: () => socket.close({ code: 1013 }) });
    });
    await page.goto(room.liveUrl);
    await say(t, owner, room, { avatarText: 'Before.', output: 'text' });
    await page.waitForFunction(() => document.querySelectorAll('#said li').length === 2);
    isCut = true;
    for (const socket of open) await socket.close();
    await page.waitForSelector('#away', { state: 'visible' });
    await say(t, owner, room, { avatarText: 'Meanwhile.', output: 'text' });
    await t.settled(room.shareSlug, owner.apiKey);
    isCut = false;
    await page.waitForFunction(() => document.querySelectorAll('#said li').length === 4);
    expect(await page.locator('#said .words').allTextContents()).toEqual(['Go on.', 'Before.', 'Go on.', 'Meanwhile.']);
    await page.waitForSelector('#away', { state: 'hidden' });
    await page.context().close();
  });

  test('a turn of the list plays again, and keys pause and play', async () => {
    const page = await openPage(browser);
    await page.goto(`${spoken.liveUrl}&since=now`);
    await followStage(page);
    await page.keyboard.press('t');
    await page.click('#said button');
    await page.waitForFunction(() => (window as any).seen.includes('turnstart avatar 1'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await page.waitForFunction(() => document.getElementById('viewer')!.dataset.state === 'paused');
    await page.keyboard.press('k');
    await page.waitForFunction(() => (window as any).seen.includes('turnend avatar 1'));
    await page.context().close();
  });

  test('a single turn has a viewer of its own, opened by its slug alone', async () => {
    const { body } = await t.rest('GET', `/conversations/by-slug/${spoken.shareSlug}`, { as: owner.apiKey });
    const turn = body.turns.find((one: any) => one.shareSlug);
    const page = await openPage(browser);
    await page.goto(turn.liveUrl);
    await page.waitForFunction(() => document.querySelector<HTMLVideoElement>('video.turn-video')!.currentTime > 0.1);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test('every control has a name, on a phone too', async () => {
    const page = await openPage(browser, { viewport: { width: 390, height: 844 } });
    await page.goto(`${spoken.liveUrl}&autoplay=0`);
    await page.waitForSelector('#said li.avatar', { state: 'attached' });
    await page.click('#open-drawer');
    expect(await namelessControls(page)).toEqual([]);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
});

describe('embedding', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const server of servers) server.close();
  });

  /** The address of a page on another origin. */
  async function elsewhere(html: string): Promise<string> {
    const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  }

  async function embed(attributes: string) {
    const page = await openPage(browser);
    const html = `<!doctype html><title>Elsewhere</title><script>messages=[];addEventListener('message',e=>messages.push(e.data))</script>
      <iframe src="${spoken.liveUrl}" width="500" height="500" ${attributes}></iframe>`;
    await page.goto(await elsewhere(html));
    return page;
  }

  test('a frame of another site may go full screen only where it is allowed to; its parent hears of turns', async () => {
    const plain = await embed('allow="autoplay"');
    await plain.frameLocator('iframe').locator('#said li.avatar').waitFor({ state: 'attached' });
    expect(await plain.frameLocator('iframe').locator('#fullscreen').isHidden()).toBe(true);
    await plain.waitForFunction(() => (window as any).messages.some((one: any) => one.phase === 'end'));
    const messages: any[] = await plain.evaluate(() => (window as any).messages);
    expect(messages.find((one) => one.type === 'avatar:turn')).toEqual({
      type: 'avatar:turn',
      phase: 'start',
      turnId: expect.stringMatching(/^trn_/),
      role: 'avatar',
      output: 'video',
    });
    expect(messages).toContainEqual({ type: 'avatar:state', state: 'playing', muted: false });
    await plain.context().close();

    const allowed = await embed('allow="autoplay; fullscreen" allowfullscreen');
    await allowed.frameLocator('iframe').locator('#said li.avatar').waitFor({ state: 'attached' });
    await allowed.frameLocator('iframe').locator('#fullscreen').click();
    const frame = allowed.frames().find((one) => one.url().includes('/live/'))!;
    // All of the viewer goes, with its captions.
    await frame.waitForFunction(() => document.fullscreenElement?.id === 'viewer');
    await allowed.context().close();
  });

  test('<avatar-live> is one script and one element', async () => {
    const page = await openPage(browser);
    const html = `<!doctype html><title>Elsewhere</title><script type="module" src="${t.app.config.SITE_URL}/embed.js"></script>
      <avatar-live src="${spoken.liveUrl}"></avatar-live>
      <script>states=[];document.querySelector('avatar-live').addEventListener('avatar:state',e=>states.push(e.detail.state))</script>`;
    await page.goto(await elsewhere(html));
    await page.waitForFunction(() => (window as any).states.includes('playing'));
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
});

describe('access', () => {
  test('a private conversation looks like none at all to a non-owner', async () => {
    const unknown = await t.rest('GET', '/live/c-26-01-zzzz');
    const hidden = await t.rest('GET', `/live/${spoken.shareSlug}`);
    const wrong = await t.rest('GET', `/live/${spoken.shareSlug}?token=wrong`);
    for (const answer of [hidden, wrong]) {
      expect(answer.status).toBe(404);
      expect(answer.body).toBe(unknown.body);
    }
    expect(unknown.status).toBe(404);
  });

  test('the policy lets nothing inline run, and any site frame the viewer', async () => {
    const { body, headers } = await t.rest('GET', new URL(spoken.liveUrl).pathname + new URL(spoken.liveUrl).search);
    const policy = headers.get('content-security-policy')!;
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain('frame-ancestors *');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('set-cookie')).toBeNull();
    expect(body).not.toMatch(/<style|<script(?![^>]*src=)|\son\w+=|style="/);
  });
});
