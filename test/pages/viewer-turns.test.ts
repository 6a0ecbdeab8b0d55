/** What the viewer does with each kind of turn, and what it must not do: jump, complain, hide words it cannot translate. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { bumpVersion } from '../../src/services/conversations/conversation-version.repository.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, followStage, openPage, say, seen, type TestConversation } from './stage.ts';

let t: TestApp;
let owner: TestUser;
let browser: Browser;
let voice: string;
/** A conversation with one text turn. */
let written: TestConversation;

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real' });
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  owner = await t.person('Ada', 100);
  voice = t.app.engines.speech.voices()[0]!.id;
  written = await createConversation(t, owner, null);
  await say(t, owner, written, { avatarText: 'Good morning.', output: 'text' });
  await t.settled(written.shareSlug, owner.apiKey);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

const ended = (page: Page, count: number) =>
  page.waitForFunction(
    (most) => (window as any).seen.filter((one: string) => /^turnend/.test(one)).length >= most,
    count,
  );

test('an audio turn sounds, and a ring round the avatar moves with its loudness until it ends', async () => {
  const room = await createConversation(t, owner, voice);
  const page = await openPage(browser);
  await page.goto(room.liveUrl);
  await followStage(page);
  expect(await page.isVisible('#ring')).toBe(false);
  // Long enough to be looked at while it sounds, on a busy machine too.
  const avatarText = 'Only my voice this time, round and round the house. '.repeat(4).trim();
  await say(t, owner, room, { avatarText, output: 'audio' });
  await page.waitForSelector('#ring', { state: 'visible' });
  const levels: number[] = await page.evaluate(async () => {
    const ring = document.getElementById('ring')!;
    const found = new Set<number>();
    while (found.size < 5) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      found.add(Number(ring.style.getPropertyValue('--level')));
    }
    return [...found];
  });
  expect(Math.max(...levels)).toBeGreaterThan(0.05);
  const sounding = await page.evaluate(
    () =>
      [...document.querySelectorAll<HTMLVideoElement>('video.turn-video')].filter(
        (video: any) => !video.paused && !video.muted && video.webkitAudioDecodedByteCount > 0,
      ).length,
  );
  expect(sounding).toBe(1);
  expect(await page.isVisible('.still')).toBe(true);
  await page.waitForFunction(() => document.getElementById('viewer')!.dataset.state === 'idle');
  expect(await page.isVisible('#ring')).toBe(false);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('text turns stand for a reading time each, a longer text for longer', async () => {
  const room = await createConversation(t, owner, null);
  const page = await openPage(browser);
  await page.clock.install();
  await page.goto(`${room.liveUrl}&autoplay=0`);
  await followStage(page);
  const long = 'This sentence is so long that nobody has read it after only two short seconds.';
  await say(t, owner, room, { avatarText: 'Short.', output: 'text' });
  await say(t, owner, room, { avatarText: long, output: 'text' });
  await page.waitForFunction(() => document.querySelectorAll('#said li.avatar').length === 2);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.click('#start');
  expect(await page.textContent('#caption')).toBe('Short.');
  await page.clock.runFor(1_700);
  expect(await seen(page)).toEqual(['turnstart avatar 1']);
  await page.clock.runFor(200);
  expect(await page.textContent('#spoken')).toBe(long);
  await page.clock.runFor(4_700);
  expect(await seen(page)).toHaveLength(3);
  await page.clock.runFor(400);
  expect(await seen(page)).toHaveLength(4);
  await page.context().close();
});

test('nothing jumps while turns of all kinds arrive and play', async () => {
  const room = await createConversation(t, owner, voice);
  const page = await openPage(browser, { viewport: { width: 390, height: 844 }, reducedMotion: 'no-preference' });
  await page.goto(room.liveUrl);
  await followStage(page);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const shifts: { value: number; nodes: string[] }[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as any[]) {
        shifts.push({ value: entry.value, nodes: entry.sources.map(({ node }: any) => node?.id || node?.className) });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const output of ['text', 'audio', 'video']) {
    await say(t, owner, room, {
      userText: 'And now something longer that I would like to hear?',
      avatarText: 'Yes.',
      output,
    });
  }
  await ended(page, 3);
  const shifts: { value: number }[] = await page.evaluate(() => (window as any).shifts);
  expect(shifts.filter(({ value }) => value > 0.001)).toEqual([]);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

describe('captions in another language without a model on the server', () => {
  async function openTranslated(translator: string | undefined): Promise<Page & { complaints: string[] }> {
    const page = await openPage(browser);
    // The browser's own interface, which a headless Chromium does not bring: what it would be, and nothing of ours.
    await page.addInitScript(translator ?? 'delete globalThis.Translator');
    await page.clock.install();
    await page.goto(`${written.liveUrl}&autoplay=0`);
    await page.waitForSelector('#said li.avatar', { state: 'attached' });
    await page.selectOption('#language', 'de');
    await page.keyboard.press('Escape');
    // No time passes for the turn: its words stand until they have been looked at.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.click('#start');
    return page;
  }

  test('the browser translates where it can', async () => {
    const page = await openTranslated(`globalThis.Translator = {
      availability: async () => 'available',
      create: async ({ sourceLanguage, targetLanguage }) => ({
        translate: async (text) => sourceLanguage + '-' + targetLanguage + ': ' + text,
      }),
    }`);
    await page.waitForFunction(() => document.getElementById('caption')!.textContent === 'en-de: Good morning.');
    expect(await page.getAttribute('#spoken', 'lang')).toBe('de');
    expect(await page.isVisible('#note')).toBe(false);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['fr', 'fr-de: Good morning.'],
    // The language it is wanted in already, a text too short to detect its language, and a detector that fails.
    ['de', 'Good morning.'],
    ['und', 'en-de: Good morning.'],
    [undefined, 'en-de: Good morning.'],
  ])('what the browser takes for %s is translated from that', async (detected, caption) => {
    const page = await openTranslated(`globalThis.Translator = {
      availability: async () => 'available',
      create: async ({ sourceLanguage, targetLanguage }) => ({
        translate: async (text) => sourceLanguage + '-' + targetLanguage + ': ' + text,
      }),
    };
    globalThis.LanguageDetector = { create: async () => ({ detect: async (text) => {
      window.detected = text;
      return ${detected ? `[{ detectedLanguage: '${detected}', confidence: 0.9 }]` : 'Promise.reject(new Error())'};
    } }) };`);
    await page.waitForFunction(
      (text) =>
        'detected' in window &&
        document.getElementById('spoken')!.lang === 'de' &&
        document.getElementById('caption')!.textContent === text,
      caption,
    );
    expect(await page.evaluate(() => (window as any).detected)).toBe('Good morning.');
    expect(await page.isVisible('#note')).toBe(false);
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });

  test.each([
    ['has no translator', undefined],
    ['lacks the language', `globalThis.Translator = { availability: async () => 'unavailable' }`],
    [
      'fails',
      `globalThis.Translator = { availability: async () => 'available', create: () => Promise.reject(new Error('no')) }`,
    ],
  ])('a browser that %s leaves the original, and a note', async (_what, translator) => {
    const page = await openTranslated(translator);
    await page.waitForSelector('#note', { state: 'visible' });
    expect(await page.textContent('#note')).toContain('stay in the original');
    expect(await page.textContent('#caption')).toBe('Good morning.');
    expect(page.complaints).toEqual([]);
    await page.context().close();
  });
});

test('a viewer who comes late hears the turns in their order, though a later one was ready before an earlier one', async () => {
  const room = await createConversation(t, owner, voice);
  await say(t, owner, room, { avatarText: 'This one is a video.', output: 'video' });
  await say(t, owner, room, { avatarText: 'This one is short.', output: 'text' });
  const { turns } = await t.settled(room.shareSlug, owner.apiKey);
  // The video takes longer, as a rule; here it is the last to change in any case.
  await t.app.db.transaction(async (tx) => {
    bumpVersion(tx, t.app, room.conversationId, { turnIds: [turns[1].id] });
  });
  const page = await openPage(browser);
  await page.addInitScript(() => {
    const begun: string[] = [];
    Object.assign(window, { begun });
    document.addEventListener('turnstart', (event) => begun.push((event as CustomEvent).detail.turn.avatarText), true);
  });
  await page.goto(room.liveUrl);
  await page.waitForFunction(() => (window as any).begun.length === 2);
  const begun: string[] = await page.evaluate(() => (window as any).begun);
  expect(begun).toEqual(['This one is a video.', 'This one is short.']);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});
