/**
 * `npm run screenshots`: every page in four variants, desktop and phone, light and dark, and all of them side by side on
 * sheets to look at. It judges nothing and is part of no test run: `accessible.test.ts` is what fails.
 */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import sharp, { type OverlayOptions } from 'sharp';
import { OPERATOR, openTestApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { furnish, type Stop, signInOn } from './all-pages.ts';

const FOLDER = path.resolve('node_modules/.cache/screenshots');
const VARIANTS = [
  { name: 'desktop-light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'desktop-dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const;
/** Of a page that is longer no more is kept. */
const MOST_HEIGHT = 3_000;
/** A sheet has a row for each page: its four variants, of one height. */
const [ROW_HEIGHT, ROWS, GAP] = [620, 3, 12];

/** The page as it stands in one variant, cut at the longest height that is kept. */
async function shoot(context: BrowserContext, site: string, stop: Stop): Promise<Map<string, string>> {
  const page = await context.newPage();
  await page.goto(site + stop.path);
  await page.waitForSelector(stop.ready, { state: 'attached' });
  await stop.act?.(page);
  const files = new Map<string, string>();
  for (const { name, colorScheme, viewport } of VARIANTS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    // What is loaded when it comes into view comes into view; images of what is closed are never loaded.
    await page.evaluate(async (most) => {
      scrollTo(0, most);
      const seen = [...document.images].filter((image) => image.checkVisibility());
      await Promise.race([
        Promise.allSettled(seen.map((image) => image.decode())),
        new Promise((resolve) => setTimeout(resolve, 2_000)),
      ]);
      for (const one of document.getAnimations()) if (one.effect?.getTiming().iterations === 1) one.finish();
      scrollTo(0, 0);
    }, MOST_HEIGHT);
    const whole = await page.screenshot({ fullPage: true });
    const { width, height } = await sharp(whole).metadata();
    const file = path.join(FOLDER, `${stop.name}.${name}.png`);
    await sharp(whole)
      .extract({ left: 0, top: 0, width, height: Math.min(MOST_HEIGHT, height) })
      .toFile(file);
    files.set(name, file);
  }
  await page.close();
  return files;
}

/** Rows of pages, each at the same height, under one another. */
async function sheet(rows: string[][], file: string): Promise<void> {
  const tiles: OverlayOptions[] = [];
  let width = 0;
  for (const [row, files] of rows.entries()) {
    let left = GAP;
    for (const one of files) {
      const { data, info } = await sharp(one)
        .resize({ height: ROW_HEIGHT })
        .png()
        .toBuffer({ resolveWithObject: true });
      tiles.push({ input: data, left, top: GAP + row * (ROW_HEIGHT + GAP) });
      left += info.width + GAP;
    }
    width = Math.max(width, left);
  }
  const height = GAP + rows.length * (ROW_HEIGHT + GAP);
  const ground = sharp({ create: { width, height, channels: 3, background: '#808080' } });
  await ground.composite(tiles).png().toFile(file);
}

test('every page in four variants', async () => {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const [t, browser] = await Promise.all([openTestApp({ work: true, engines: 'real' }), openBrowser()]);
  try {
    const { owner, stops } = await furnish(t);
    const site = t.app.config.SITE_URL;
    const [guest, own, operator] = await Promise.all(
      [1, 2, 3].map(() => browser.newContext({ reducedMotion: 'reduce' })),
    );
    await signInOn(own!, site, owner);
    await signInOn(operator!, site, OPERATOR);
    const rows: string[][] = [];
    for (const stop of stops) {
      const context = stop.isOperator ? operator : stop.isOwner ? own : guest;
      rows.push([...(await shoot(context!, site, stop)).values()]);
    }
    for (let at = 0; at < rows.length; at += ROWS) {
      await sheet(rows.slice(at, at + ROWS), path.join(FOLDER, `sheet-${String(at / ROWS).padStart(2, '0')}.png`));
    }
    console.log(`${rows.length} pages in ${FOLDER}`);
  } finally {
    await browser.close();
    await t.close();
  }
});
