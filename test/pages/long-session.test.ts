/**
 * A long session in one viewer: 130 turns in a row leave the page as light as the first twenty did. The videos are real ones,
 * made once and handed out again and again, and played fast.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, CDPSession } from 'playwright-core';
import type { RunningEngines } from '../../src/engines/create.ts';
import { createNoopEngines } from '../../src/engines/noop/index.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { openBrowser } from '../support/browser.ts';
import { createConversation, followStage, openPage, say, seen } from './stage.ts';

/** How many times faster than life videos play, and text turns pass. */
const FAST = { videos: 4, texts: 12 };
const OUTPUTS = ['video', 'audio', 'text', 'video'] as const;

let t: TestApp;
let owner: TestUser;
let browser: Browser;

/** One spoken video and its sound, from the embedded engines. */
async function recordVideo(): Promise<{ video: Uint8Array; audio: Uint8Array }> {
  const studio = await openTestApp({ work: true, engines: 'real' });
  const person = await studio.person('Eve', 10);
  const room = await createConversation(studio, person, studio.app.engines.speech.voices()[0]!.id);
  await say(studio, person, room, { avatarText: 'Yes.', output: 'video' });
  const turn = (await studio.settled(room.shareSlug, person.apiKey)).turns.at(-1);
  const [video, audio] = await Promise.all(
    [turn.videoUrl, turn.audioUrl].map(async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer())),
  );
  await studio.close();
  return { video: video!, audio: audio! };
}

beforeAll(async () => {
  const recording = await recordVideo();
  const noop = createNoopEngines();
  const engines: RunningEngines = {
    ...noop,
    talkingHead: {
      ...noop.talkingHead,
      async *render() {
        yield recording.video;
      },
    },
    codec: { ...noop.codec, encodeAudio: async () => recording.audio },
    close: async () => {},
  };
  t = await openTestApp({ work: true, engines });
  owner = await t.person('Ada', 1000);
  browser = await openBrowser(['--autoplay-policy=no-user-gesture-required']);
});
afterAll(async () => {
  await browser?.close();
  await t?.close();
});

type Page = Awaited<ReturnType<typeof openPage>>;

interface Weight {
  heapKb: number;
  nodes: number;
  listeners: number;
  media: number;
}

/** What the page holds once all garbage is gone. */
async function weigh(devtools: CDPSession, countMedia: () => Promise<number>): Promise<Weight> {
  for (let i = 0; i < 3; i += 1) await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
  return {
    heapKb: Math.round(of('JSHeapUsedSize') / 1000),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    media: await countMedia(),
  };
}

const endedTurns = (page: Page): Promise<number> =>
  page.evaluate(() => (window as any).seen.filter((one: string) => one.startsWith('turnend')).length);

/** What page and server know of a session in which no turn ends any more. */
async function describeStandstill(page: Page): Promise<string> {
  const stage = await page.evaluate(() => {
    const { playlist, state, paused, entry, timeMs, durationMs } = document.getElementById('stage') as any;
    const videos = [...document.querySelectorAll<HTMLVideoElement>('video.turn-video')].map((video) => ({
      ...{ src: video.getAttribute('src'), at: video.currentTime, isPaused: video.paused, ended: video.ended },
      ...{ ready: video.readyState, network: video.networkState, error: video.error?.message },
    }));
    const { kind, entry: next } = playlist.peek() ?? {};
    const seen: string[] = (window as any).seen.slice(-6);
    const isAway = !document.getElementById('away')!.hidden;
    return {
      state,
      paused,
      isAway,
      playing: entry?.turn.id,
      timeMs,
      durationMs,
      next: next && { kind, ...next.turn },
      videos,
      seen,
    };
  });
  const turns = await t.app.db.rows(
    "select id, output, status, error_message from conversation_turn where status in ('pending', 'error') order by id limit 10",
  );
  const jobs = await t.app.db.rows(
    "select name, state, retry_count, start_after, output from pgboss.job where state <> 'completed' limit 10",
  );
  return JSON.stringify({ ended: await endedTurns(page), stage, turns, jobs, complaints: page.complaints });
}

/** Resolves when so many turns have ended. The patience is for each: a hundred take minutes on a busy machine. */
async function playUntil(page: Page, count: number): Promise<void> {
  for (let ended = 0; ended < count; ended = await endedTurns(page)) {
    const isOver = (known: number) =>
      (window as any).seen.some((one: string) => one.startsWith('failed')) ||
      (window as any).seen.filter((one: string) => one.startsWith('turnend')).length > known;
    await page.waitForFunction(isOver, ended, { polling: 200 }).catch(async (cause) => {
      throw new Error(`No turn ends any more: ${await describeStandstill(page)}`, { cause });
    });
    expect((await seen(page)).filter((one) => one.startsWith('failed'))).toEqual([]);
  }
}

test('130 turns leave no more behind than twenty', async () => {
  const room = await createConversation(t, owner, 'noop');
  const page = await openPage(browser);
  await page.addInitScript(({ videos, texts }) => {
    addEventListener('playing', (event) => Object.assign(event.target as object, { playbackRate: videos }), true);
    const every = window.setInterval;
    Object.assign(window, { setInterval: (run: () => void, ms: number) => every(run, ms / texts) });
  }, FAST);
  await page.goto(room.liveUrl);
  await followStage(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');

  const weights: Weight[] = [];
  let sent = 0;
  for (const upTo of [20, 70, 130]) {
    for (; sent < upTo; sent += 1) {
      await say(t, owner, room, { avatarText: `Reply ${sent}, and no more.`, output: OUTPUTS[sent % 4] });
    }
    await playUntil(page, upTo);
    await page.waitForFunction(() => document.getElementById('viewer')!.dataset.state === 'idle');
    weights.push(await weigh(devtools, () => page.locator('video, audio').count()));
  }
  const [early, settled, late] = weights as [Weight, Weight, Weight];
  // From the 60th turn on the list is full; then only the words of each turn remain, about a kilobyte.
  expect(late.media).toBe(2);
  expect(early.media).toBe(2);
  expect(late.nodes - settled.nodes).toBeLessThan(72);
  expect(late.listeners - settled.listeners).toBeLessThan(12);
  expect(late.heapKb - settled.heapKb).toBeLessThan(600);
  expect(late.heapKb - early.heapKb).toBeLessThan(2_500);
  if (process.env.SHOW_WEIGHTS) console.log(JSON.stringify(weights));
  expect(page.complaints).toEqual([]);
  await page.context().close();
});
