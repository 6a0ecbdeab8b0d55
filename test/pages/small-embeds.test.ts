/**
 * The viewer in frames of nine sizes, from a small embed to a desktop: with every sign shown at once, none lies over
 * another, over the face or outside the frame, and the words can be read.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, followStage, openPage, say, type TestConversation } from './stage.ts';

const SIZES = [
  [320, 180],
  [300, 300],
  [240, 426],
  [480, 270],
  [480, 480],
  [640, 360],
  [844, 390],
  [390, 844],
  [1280, 720],
] as const;
const QUESTION = 'Could you please tell me at length how the weather will be in the mountains during the next week?';
/** One sentence that fills a caption as far as one is ever filled. */
const ANSWER = 'Tomorrow brings heavy clouds over the mountains and some rain in all the valleys below.';
/** Too low for a question beside its answer. */
const WITHOUT_QUESTION = '320x180';
/** Where faces are in the images of avatars, as shares of an image's side. */
const FACE = { left: 0.27, right: 0.73, top: 0.2, bottom: 0.68 };

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
interface Measured {
  boxes: Record<string, Box>;
  figure: Box;
  caption: { fontPx: number; hiddenPx: number; text: string };
  asked: { fontPx: number };
}

let t: TestApp;
let owner: TestUser;
let browser: Browser;
let room: TestConversation;
let turnCount: number;

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real' });
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  owner = await t.person('Ada', 100);
  room = await createConversation(t, owner, t.app.engines.speech.voices()[0]!.id);
  for (const output of ['text', 'audio', 'text', 'text']) {
    await say(t, owner, room, { userText: QUESTION, avatarText: ANSWER, output });
  }
  const { turns } = await t.settled(room.shareSlug, owner.apiKey);
  turnCount = turns.length;
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

async function openViewer(): Promise<Page & { complaints: string[] }> {
  // Breathing moves the face by a pixel or two: it is measured at rest.
  const page = await openPage(browser, { reducedMotion: 'reduce' });
  await page.goto(room.liveUrl);
  await followStage(page);
  await page.waitForFunction(
    (count) => (document.getElementById('stage') as any).playlist.entries.length === count,
    turnCount,
  );
  return page;
}

/** The reply with this output is begun anew with its question, and measured in the moment in which its caption is there. */
async function measure(page: Page, [width, height]: readonly [number, number], output: string): Promise<Measured> {
  await page.setViewportSize({ width, height });
  const handle = await page.waitForFunction((wanted) => {
    const stage = document.getElementById('stage') as any;
    const isThere = (id: string) => document.getElementById(id)!.hidden === false;
    const caption = document.getElementById('caption')!;
    const asked = document.getElementById('asked')!;
    const { entries } = stage.playlist;
    const place = entries.findIndex(({ turn }: any) => turn.role === 'avatar' && (turn.output ?? 'text') === wanted);
    if (stage.state !== 'playing' || stage.entry !== entries[place]) {
      // With the question before it. What a slow machine has let pass is begun once more.
      if (stage.state === 'idle' || stage.entry) stage.replay(entries[place - 1]);
      return undefined;
    }
    if (innerWidth !== document.documentElement.clientWidth) return undefined;
    if (!isThere('latest') || !isThere('asked') || !caption.textContent) return undefined;
    const box = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    const signs = document.querySelectorAll(
      '.chip, #latest, #open-drawer, #asked, #caption, .sound, .banner, media-control-bar > :not(.gap)',
    );
    const boxes: Record<string, object> = {};
    for (const sign of signs) {
      const { width: shown } = sign.getBoundingClientRect();
      const isSeen = shown > 0 && sign.checkVisibility({ visibilityProperty: true });
      if (isSeen) boxes[sign.id || sign.className || sign.localName] = box(sign);
    }
    const fontPx = (element: Element) => Number.parseFloat(getComputedStyle(element).fontSize);
    return {
      boxes,
      figure: box(document.querySelector('.figure .still')!),
      caption: {
        fontPx: fontPx(caption),
        hiddenPx: caption.scrollHeight - caption.clientHeight,
        text: caption.textContent,
      },
      asked: { fontPx: fontPx(asked) },
    };
  }, output);
  return (await handle.jsonValue()) as Measured;
}

/** What two boxes share, such as `caption and latest: 61x16`; less than half a pixel is nothing. */
function shared([name, one]: [string, Box], [otherName, other]: [string, Box]): string[] {
  const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return width > 0.5 && height > 0.5 ? [`${name} and ${otherName}: ${Math.round(width)}x${Math.round(height)}`] : [];
}

/** What is wrong with the signs in a frame of this size. */
function faults({ boxes, figure, caption, asked }: Measured, [width, height]: readonly [number, number]): string[] {
  const side = figure.right - figure.left;
  const face: Box = {
    left: figure.left + FACE.left * side,
    right: figure.left + FACE.right * side,
    top: figure.top + FACE.top * side,
    bottom: figure.top + FACE.bottom * side,
  };
  const signs = Object.entries({ ...boxes, face });
  const found = signs.flatMap((one, place) => signs.slice(place + 1).flatMap((other) => shared(one, other)));
  for (const [name, { left, right, top, bottom }] of signs) {
    if (left < 0 || top < 0 || right > width || bottom > height) found.push(`${name} is cut off by the frame`);
    if (right - left < 20 || bottom - top < 12) found.push(`${name} is too small`);
  }
  if (boxes.caption && caption.fontPx < 11) found.push(`caption in ${caption.fontPx} px`);
  if (boxes.caption && caption.hiddenPx > 1) found.push(`${caption.hiddenPx} px of the caption are hidden`);
  if (boxes.asked && asked.fontPx < 11) found.push(`question in ${asked.fontPx} px`);
  return found;
}

test('at nine sizes every sign has a place of its own, and the face has its', async () => {
  const page = await openViewer();
  const wrong: Record<string, string[]> = {};
  for (const size of SIZES) {
    const name = size.join('x');
    for (const output of ['text', 'audio']) {
      const measured = await measure(page, size, output);
      const expected = ['chip', 'latest', 'open-drawer', 'caption', 'language', 'fullscreen'];
      if (name !== WITHOUT_QUESTION) expected.push('asked');
      expect([name, Object.keys(measured.boxes)]).toEqual([name, expect.arrayContaining(expected)]);
      expect(measured.caption.text.length).toBeGreaterThan(70);
      const found = faults(measured, size);
      if (found.length > 0) wrong[`${name} ${output}`] = found;
    }
  }
  expect(wrong).toEqual({});
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('a browser that keeps the sound back, and news of the viewer, do not cover the face either', async () => {
  const page = await openViewer();
  await page.evaluate(() =>
    document.getElementById('stage')!.dispatchEvent(new CustomEvent('soundblocked', { detail: true })),
  );
  const small = SIZES.filter(([width, height]) => Math.min(width, height) <= 360);
  for (const size of small) {
    const measured = await measure(page, size, 'text');
    expect(Object.keys(measured.boxes)).toContain('sound');
    expect([size, faults(measured, size)]).toEqual([size, []]);
    const setAway = (isAway: boolean) =>
      page.evaluate((shown) => document.getElementById('away')!.toggleAttribute('hidden', !shown), isAway);
    await setAway(true);
    const covered = await measure(page, size, 'text');
    expect(Object.keys(covered.boxes)).toContain('away');
    expect([size, faults(covered, size)]).toEqual([size, []]);
    await setAway(false);
  }
  expect(page.complaints).toEqual([]);
  await page.context().close();
});
