/**
 * Every page for users who see little, hear nothing or use no mouse: axe-core over all of them, light and dark, on a
 * phone and on a desk; and nothing wider than the window.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, ConsoleMessage, Page } from 'playwright-core';
import { OPERATOR, openTestApp, type TestApp } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { furnish, type Stop, signInOn, type Tour } from './all-pages.ts';

/** `rules`: only those. A page is built the same in either colour scheme; its colours are not the same. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
const LOOKS = [
  { colorScheme: 'light', width: 390, height: 844, rules: undefined },
  { colorScheme: 'dark', width: 390, height: 844, rules: COLOURS },
  { colorScheme: 'dark', width: 1280, height: 800, rules: undefined },
  { colorScheme: 'light', width: 1280, height: 800, rules: COLOURS },
] as const;
let t: TestApp;
let browser: Browser;
let tour: Tour;
let axe: string;
/** One for all that someone looks at: each new one would start a process, which compiles everything anew. */
const pages = new Map<'guest' | 'owner' | 'operator', Page>();

beforeAll(async () => {
  // The operator's page checks all engines, in a program that has this process's variables: real ones compute for fifteen seconds.
  process.env.ENGINES = 'noop';
  t = await openTestApp({ work: true });
  [axe, browser, tour] = await Promise.all([
    readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'),
    openBrowser(),
    furnish(t),
  ]);
  for (const [who, account] of [['guest'], ['owner', tour.owner], ['operator', OPERATOR]] as const) {
    const context = await browser.newContext();
    if (account) await signInOn(context, t.app.config.SITE_URL, account);
    pages.set(who, await context.newPage());
  }
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

/** What is wrong with the page as it stands, by these rules or all, a line for each place. */
async function violations(page: Page, rules: string[] | undefined): Promise<string[]> {
  const found: any[] = await page.evaluate(async (runOnly) => {
    // A page that wears its theme by class hears of another one in the next frame, of which one may be under way.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    // Colours on their way from one theme to the other are neither's.
    const passing = document.getAnimations().filter((one) => one.effect?.getTiming().iterations === 1);
    for (const one of passing) one.finish();
    const options = { iframes: false, resultTypes: ['violations'], ...(runOnly && { runOnly }) };
    return (await (window as any).axe.run(document, options)).violations;
  }, rules);
  return found.flatMap(({ id, impact, nodes }) =>
    nodes.map((node: any) => `${impact} ${id}: ${node.target.join(' ')} ${node.any[0]?.message ?? ''}`),
  );
}

/** What the keyboard reaches and nothing shows: fields that are hidden behind a label without a ring around it. */
async function unseen(page: Page): Promise<string[]> {
  // From here on what has the focus is marked, as it is for who uses a keyboard.
  await page.keyboard.press('Tab');
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement>('input.visually-hidden')].flatMap((input) => {
      input.focus();
      const isReached = document.activeElement === input;
      const labels = [...(input.labels ?? [])];
      const isShown = labels.some((label) => getComputedStyle(label).outlineStyle !== 'none');
      return isReached && !isShown ? [`focus on #${input.id} is not seen`] : [];
    }),
  );
}

async function look({ path, ready, isOwner, isOperator, act }: Stop): Promise<string[]> {
  const page = pages.get(isOperator ? 'operator' : isOwner ? 'owner' : 'guest')!;
  const wrong = new Set<string>();
  const hear = (message: ConsoleMessage) => {
    const isItself = message.location().url === page.url();
    // A page that says no does so with a status, which the browser complains of.
    if (message.type() === 'error' && !isItself) wrong.add(message.text());
  };
  page.on('console', hear);
  await page.goto(t.app.config.SITE_URL + path);
  await page.waitForSelector(ready, { state: 'attached' });
  await act?.(page);
  for (const one of await unseen(page)) wrong.add(one);
  await page.evaluate(axe);
  for (const { colorScheme, rules, ...viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    if (isTooWide) wrong.add(`wider than ${viewport.width} px`);
    for (const one of await violations(page, rules)) wrong.add(`${colorScheme} ${viewport.width}: ${one}`);
  }
  page.off('console', hear);
  // The next one finds nothing of it, as in a tab of its own.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto('about:blank');
  return [...wrong];
}

test('nothing is wrong with any page', async () => {
  const wrong: Record<string, string[]> = {};
  for (const stop of tour.stops.filter(({ isVariant }) => !isVariant)) {
    const found = await look(stop);
    if (found.length > 0) wrong[stop.name] = found;
  }
  expect(wrong).toEqual({});
});
