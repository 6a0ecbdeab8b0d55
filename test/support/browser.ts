/**
 * A headless Chromium for tests: Debian's where it is, else the one inside an npm package. Of Debian's two the one without
 * windows, which starts with a quarter of the computing and opens a page with a third of it.
 */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { PATIENCE_MS } from './until.ts';

const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** `flags` are added, e.g. an autoplay policy. */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
  const executablePath =
    DEBIAN.find((program) => existsSync(program)) ??
    (await (await import('@sparticuz/chromium')).default.executablePath());
  const browser = await chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
