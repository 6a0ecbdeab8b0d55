/** What hangs without an error: a video that stops coming, a feed whose line is dead. The viewer goes on by itself. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, followStage, openPage, say, seen, type TestConversation } from './stage.ts';

/** Longer than the viewer's patience with a video, and than a ping and its pong may take. */
const PATIENCE_MS = 9_000;
const SILENCE_MS = 16_000;

let t: TestApp;
let owner: TestUser;
let browser: Browser;
let spoken: TestConversation;
let proxy: Server;
/** How many more answers with a video stop halfway, without an error and without an end. */
let hangs = 0;

/** A proxy that is honest but for videos. */
async function openProxy(): Promise<Server> {
  const server = createServer((asked: IncomingMessage, answer: ServerResponse) => {
    const { url = '', method, headers } = asked;
    const through = request(url, { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      const isVideo = method === 'GET' && /^video/.test(reply.headers['content-type'] ?? '') && hangs > 0;
      if (!isVideo) return void reply.pipe(answer);
      hangs -= 1;
      let left = Number(reply.headers['content-length']) / 2;
      reply.on('data', (chunk: Buffer) => {
        answer.write(chunk.subarray(0, Math.max(0, left)));
        left -= chunk.length;
      });
    });
    through.on('error', () => answer.destroy());
    answer.on('error', () => {});
    asked.pipe(through);
  });
  server.on('connect', (asked: IncomingMessage, socket) => {
    const { port } = new URL(`http://${asked.url}`);
    const line = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      line.pipe(socket).pipe(line);
    });
    for (const end of [line, socket]) end.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

beforeAll(async () => {
  t = await openTestApp({ work: true, engines: 'real' });
  proxy = await openProxy();
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
  owner = await t.person('Ada', 100);
  spoken = await createConversation(t, owner, t.app.engines.speech.voices()[0]!.id);
  await say(t, owner, spoken, { avatarText: 'The line may hang, and still you hear me out.', output: 'video' });
  await t.settled(spoken.shareSlug, owner.apiKey);
});
afterAll(async () => {
  await browser?.close();
  proxy?.closeAllConnections();
  proxy?.close();
  await t?.close();
});

/** Opens the viewer behind the proxy, and waits until its video has come to a standstill in the middle. */
async function openHanging(count: number): Promise<Page & { complaints: string[] }> {
  hangs = count;
  const { port } = proxy.address() as AddressInfo;
  const page = await openPage(browser, { proxy: { server: `http://127.0.0.1:${port}`, bypass: '<-loopback>' } });
  await page.clock.install();
  await page.goto(`${spoken.liveUrl}&autoplay=0`);
  await followStage(page);
  await page.waitForSelector('#start', { state: 'visible' });
  await page.waitForSelector('#said li.avatar', { state: 'attached' });
  await page.click('#start');
  await standstill(page, 0.2);
  return page;
}

const standstill = (page: Page, from: number) =>
  page.waitForFunction((seconds) => {
    const video = [...document.querySelectorAll<HTMLVideoElement>('video.turn-video')].find((one) => one.src)!;
    return video.readyState === 2 && video.currentTime > seconds && !video.paused;
  }, from);

const place = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(...[...document.querySelectorAll<HTMLVideoElement>('video.turn-video')].map((one) => one.currentTime)),
  );

test('a video that hangs is loaded anew and goes on where it stood', async () => {
  const page = await openHanging(1);
  const stoodAt = await place(page);
  await page.clock.runFor(PATIENCE_MS);
  await page.waitForFunction(
    (seconds) =>
      [...document.querySelectorAll<HTMLVideoElement>('video.turn-video')].some((one) => one.currentTime > seconds),
    stoodAt,
  );
  await page.waitForFunction(() => (window as any).seen.includes('turnend avatar 1'));
  expect(await seen(page)).toEqual(['turnstart avatar 1', 'turnend avatar 1']);
  expect(await page.isVisible('#note')).toBe(false);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('one that hangs again gives way to its words, and the viewer goes on', async () => {
  const page = await openHanging(Number.POSITIVE_INFINITY);
  await page.clock.runFor(PATIENCE_MS);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('video.turn-video')].some((one: any) => one.readyState > 0),
  );
  await standstill(page, 0.2);
  expect(await page.isVisible('#note')).toBe(false);
  await page.clock.runFor(PATIENCE_MS);
  await page.waitForSelector('#note', { state: 'visible' });
  expect(await page.textContent('#note')).toContain('here are its words');
  expect(await page.textContent('#caption')).toBe('The line may hang, and still you hear me out.');
  await page.waitForFunction(() => document.querySelectorAll('video.turn-video[src]').length === 0);
  hangs = 0;
  await page.clock.runFor(4_000);
  await page.waitForFunction(() => document.getElementById('viewer')!.dataset.state === 'idle');
  expect(await seen(page)).toEqual(['turnstart avatar 1', 'turnend avatar 1']);
  expect(page.complaints).toEqual([]);
  await page.context().close();
});

test('a feed whose line is dead without having been closed is dialled anew, behind its cursor', async () => {
  const room = await createConversation(t, owner, null);
  const page = await openPage(browser);
  let isDead = false;
  await page.routeWebSocket(/\/graphql$/, (socket) => {
    const isFirst = !isDead;
    const server = socket.connectToServer();
    socket.onMessage((message) => (isFirst && isDead ? undefined : server.send(message)));
    server.onMessage((message) => (isFirst && isDead ? undefined : socket.send(message)));
  });
  await page.clock.install();
  await page.goto(room.liveUrl);
  await say(t, owner, room, { avatarText: 'Before.', output: 'text' });
  await page.waitForFunction(() => document.querySelectorAll('#said li').length === 2);
  isDead = true;
  await say(t, owner, room, { avatarText: 'Meanwhile.', output: 'text' });
  await t.settled(room.shareSlug, owner.apiKey);
  await page.clock.runFor(SILENCE_MS);
  await page.waitForFunction(() => document.querySelectorAll('#said li').length === 4);
  expect(await page.locator('#said .words').allTextContents()).toEqual(['Go on.', 'Before.', 'Go on.', 'Meanwhile.']);
  await page.context().close();
});
