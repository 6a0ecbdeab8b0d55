/**
 * Takes the README's images (docs/*.png) from a running demo: `npm start` in one terminal, `npm run screenshots --
 * readme` in another. Reads the demo's own file in DATA_DIR, talks to the avatar as a newcomer would, and photographs it while it
 * answers. PORT or BASE_URL say where it is when it is not at its usual place.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright-core';
import sharp from 'sharp';
import { root } from './tools.mjs';

const DEBIAN = '/usr/bin/chromium';
const QUESTION = 'Hello Nova, what do you love about the night sky?';
const PATIENCE_MS = 60_000;

const demo = JSON.parse(await readFile(path.resolve(process.env.DATA_DIR ?? '.data', 'demo.json'), 'utf8'));
const site = process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? 4000}`;
const known = await fetch(`${site}/conversations/by-slug/${demo.shareSlug}`, {
  headers: { authorization: `Bearer ${demo.apiKey}` },
});
const { liveUrl } = (await known.json()).conversation;
const executablePath = existsSync(DEBIAN)
  ? DEBIAN
  : await (await import('@sparticuz/chromium')).default.executablePath();
const browser = await chromium.launch({
  executablePath,
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
});

/** In all their colours, some 400 kB each: with a palette there are blots on skin and hair. */
async function keep(page, name) {
  const file = path.join(root, 'docs', `${name}.png`);
  const { size } = await sharp(await page.screenshot())
    .png({ compressionLevel: 9, adaptiveFiltering: true })
    .toFile(file);
  console.log(`${path.relative(root, file)}  ${Math.round(size / 1000)} kB`);
}

async function open(options) {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/** Waits until the avatar speaks and a caption is under way. */
async function speaking(frame) {
  await frame.waitForFunction(
    () =>
      document.getElementById('viewer')?.dataset.state === 'playing' &&
      document.querySelectorAll('#caption span:not(.ahead)').length > 3,
  );
}

await mkdir(path.join(root, 'docs'), { recursive: true });
try {
  const talk = await open({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  await talk.goto(`${site}/signin?next=/${demo.shareSlug}`);
  await talk.fill('#email', demo.email);
  await talk.fill('#password', demo.password);
  await talk.click('#go');
  await talk.fill('#words', QUESTION);
  await talk.keyboard.press('Enter');
  await talk.waitForSelector('.turn.user:last-of-type, .turn.avatar:last-of-type');
  await speaking(talk.frames().find((frame) => frame.url().includes('/live/')));
  // Its video is whole a moment later, and then stands beside the words.
  await talk.getByText('Making the video').waitFor({ state: 'detached' });
  await keep(talk, 'talk');

  const live = await open({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark' });
  await live.goto(liveUrl);
  await speaking(live);
  await live.mouse.move(600, 300);
  await keep(live, 'live');
} finally {
  await browser.close();
}
