/**
 * A headless Chromium for tests: Debian's where it is, else the one inside an npm package. Of Debian's two the one without
 * windows, which starts with a quarter of the computing and opens a page with a third of it.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** `flags` are added, e.g. an autoplay policy. Its contexts prefer less motion unless the test asks for more. */
export async function openBrowser(flags: string[] = []): Promise<Browser> {
  const executablePath =
    DEBIAN.find((program) => existsSync(program)) ??
    (await (await import('@sparticuz/chromium')).default.executablePath());
  // PulseAudio's client keeps a folder for the user that outlives the browser, in the first temporary folder it is given.
  const audio = mkdtempSync(join(tmpdir(), 'audio-'));
  const browser = await chromium.launch({
    executablePath,
    args: [...FLAGS, ...flags],
    env: { ...process.env, PULSE_RUNTIME_PATH: audio },
  });
  browser.on('disconnected', () => rmSync(audio, { recursive: true, force: true }));
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    // What moves by itself is drawn sixty times a second for as long as a page is open: half of what such a page computes.
    const context = await newContext({ reducedMotion: 'reduce', ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  };
  return browser;
}
