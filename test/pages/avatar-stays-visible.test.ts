/**
 * The avatar is there all the time: from rest into a video, from one video into the next, and back. The frames that the
 * browser really showed are recorded and compared; none may be black, and none may be far from the avatar at rest.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, followStage, openPage, say } from './stage.ts';

const SIDE = 480;
/** The face and what is round it: without the chip above and the captions below. */
const FACE = { left: 90, top: 56, width: 300, height: 230 };
/** Grey levels between a frame and the one at rest, on average: a head that turns as it speaks makes 17, another frame 30. */
const MOTION = 24;

let t: TestApp;
let owner: TestUser;
let browser: Browser;

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real' });
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  owner = await t.person('Ada', 100);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

/** Records what the page shows until it is stopped; gives the face in grey, frame by frame. */
async function record(page: Page): Promise<() => Promise<Buffer[]>> {
  const frames: Buffer[] = [];
  const devtools = await page.context().newCDPSession(page);
  devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
    frames.push(Buffer.from(data, 'base64'));
    void devtools.send('Page.screencastFrameAck', { sessionId });
  });
  await devtools.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
  return async () => {
    await devtools.send('Page.stopScreencast');
    return Promise.all(frames.map((one) => sharp(one).extract(FACE).greyscale().resize(75, 58).raw().toBuffer()));
  };
}

const mean = (frame: Buffer): number => frame.reduce((sum, one) => sum + one, 0) / frame.length;
const distance = (one: Buffer, other: Buffer): number =>
  one.reduce((sum, grey, index) => sum + Math.abs(grey - other[index]!), 0) / one.length;

test('no frame is black or jumps from rest into a video, from video to video, and back', async () => {
  const room = await createConversation(t, owner, t.app.engines.speech.voices()[0]!.id);
  const page = await openPage(browser, { viewport: { width: SIDE, height: SIDE }, reducedMotion: 'no-preference' });
  await page.goto(`${room.liveUrl}&since=now`);
  await followStage(page);
  const isResting = () =>
    page.waitForFunction(() => {
      const idle = document.querySelector<HTMLVideoElement>('video.idle.shown');
      const isAlone = [...document.querySelectorAll('video.turn-video')].every((video) => !video.hasAttribute('src'));
      return isAlone && idle && !idle.paused && idle.currentTime > 0.2 && getComputedStyle(idle).opacity === '1';
    });
  await isResting();
  const stop = await record(page);
  await say(t, owner, room, { avatarText: 'One is here. Two is there. Three comes. Four goes.', output: 'video' });
  await page.waitForFunction(
    () => (window as any).seen.filter((one: string) => one.startsWith('turnend')).length === 2,
  );
  await isResting();
  const [rest, ...frames] = await stop();
  const greys = frames.map(mean);
  const distances = frames.map((one) => distance(one, rest!));
  // A hundred as a rule; a busy browser shows few.
  expect(frames.length).toBeGreaterThan(5);
  expect(Math.min(...greys)).toBeGreaterThan(mean(rest!) * 0.85);
  expect(Math.max(...distances)).toBeLessThan(MOTION);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});
