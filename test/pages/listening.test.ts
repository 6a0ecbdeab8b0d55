/** Talking to an avatar by voice: the microphone of the talk page, with a recording in its place. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { tone, wavOf } from '../support/sound-files.ts';
import { openTranscriptionServer, type TranscriptionServer } from '../support/transcription-server.ts';
import { signInOn } from './all-pages.ts';
import { createConversation, namelessControls, openPage, type TestConversation } from './stage.ts';

const RATE = 48_000;

let t: TestApp;
let server: TranscriptionServer;
let owner: TestUser;
let browser: Browser;
let room: TestConversation;
let folder: string;

beforeAll(async () => {
  // A user speaks for a second, and is silent for two: the browser plays it again and again.
  const sound = new Float64Array(RATE * 3);
  sound.set(tone(RATE, 1, 300));
  folder = await mkdtemp(path.join(os.tmpdir(), 'microphone-'));
  const file = path.join(folder, 'speech.wav');
  await writeFile(file, wavOf(sound, { rate: RATE, channels: 1, bits: 16 }));
  server = await openTranscriptionServer();
  const env = { TRANSCRIPTION_BASE_URL: server.url, TRANSCRIPTION_MODEL: 'whisper' };
  t = await openTestApp({ work: true, engines: 'real', env });
  owner = await t.person('Ada', 100);
  room = await createConversation(t, owner, null);
  browser = await openBrowser([
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${file}`,
  ]);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The talk page of the owner. `hasRecognition`: a stand-in for the browser's own speech recognition, driven by the test. */
async function openTalkPage({ hasRecognition = false } = {}): Promise<Page & { complaints: string[] }> {
  const page = await openPage(browser);
  await page.addInitScript((isThere) => {
    class Recognition extends EventTarget {
      start(): void {
        Object.assign(window, { recognition: this });
      }
      stop(): void {}
      abort(): void {}
    }
    const has = isThere ? Recognition : undefined;
    Object.assign(window, { SpeechRecognition: has, webkitSpeechRecognition: has });
  }, hasRecognition);
  await signInOn(page.context(), t.app.config.SITE_URL, owner);
  await page.goto(`${t.app.config.SITE_URL}/${room.shareSlug}`);
  await page.waitForSelector('#microphone:not([hidden])');
  await page.selectOption('#output', 'text');
  return page;
}

const said = (page: Page, words: string) =>
  page.waitForFunction(
    (text) => [...document.querySelectorAll('.turn.user .text')].some(({ textContent }) => textContent === text),
    words,
  );

test('hands-free: what is said is written down and sent when the speaker pauses, and answered', async () => {
  server.text = 'How are you today?';
  const page = await openTalkPage();
  expect(await namelessControls(page)).toEqual([]);
  await page.click('#microphone');
  await page.waitForSelector('#microphone[aria-pressed=true]');
  await said(page, server.text);
  await page.waitForSelector('.turn.avatar .text');
  await page.click('#microphone');
  await page.waitForSelector('#microphone[aria-pressed=false]');
  const file = server.requests[0]!.file;
  // Whole, and not from its middle on: a second of speech and the pause behind it.
  expect((file.length - 44) / 2).toBeGreaterThan(RATE * 1.5);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('push to talk: what is said while the button is held is sent when it is let go', async () => {
  server.text = 'And what is your name?';
  const page = await openTalkPage();
  const before = server.requests.length;
  await page.hover('#microphone');
  await page.mouse.down();
  const pressedAt = await page.evaluate(() => performance.now());
  await page.waitForSelector('#microphone[aria-pressed=true]');
  await page.waitForSelector('#microphone[data-heard=true]');
  expect(server.requests).toHaveLength(before);
  // Let go sooner, it would have been a click, which listens on.
  await page.waitForFunction((since) => performance.now() - since > 350, pressedAt);
  await page.mouse.up();
  await said(page, server.text);
  expect(await page.getAttribute('#microphone', 'aria-pressed')).toBe('false');
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('a browser that recognises speech itself is asked first, and one that fails at it is helped out', async () => {
  const page = await openTalkPage({ hasRecognition: true });
  const before = server.requests.length;
  await page.click('#microphone');
  await page.waitForFunction(() => 'recognition' in window);
  await page.evaluate(() => {
    const result = Object.assign([{ transcript: ' Do you like tea?' }], { isFinal: true });
    const event = Object.assign(new Event('result'), { resultIndex: 0, results: [result] });
    (window as any).recognition.dispatchEvent(event);
  });
  await said(page, 'Do you like tea?');
  expect(server.requests).toHaveLength(before);
  server.text = 'Or rather coffee?';
  await page.evaluate(() =>
    (window as any).recognition.dispatchEvent(Object.assign(new Event('error'), { error: 'network' })),
  );
  await said(page, 'Or rather coffee?');
  expect(page.complaints).toEqual([]);
  await page.context().close();
});
