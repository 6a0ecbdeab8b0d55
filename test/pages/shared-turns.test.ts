/** Shared turns, their cards and oEmbed. Each rule is asked of browser, player and crawler. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { createConversation, say, type TestConversation } from './stage.ts';

let t: TestApp;
let owner: TestUser;
let room: TestConversation;
let slug: string;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  owner = await t.person('Ada', 100);
  room = await createConversation(t, owner, 'noop');
  await say(t, owner, room, { avatarText: 'Say "hi" & <wave>.', output: 'video' });
  const { turns } = await t.settled(room.shareSlug, owner.apiKey);
  slug = turns.find((turn: any) => turn.shareSlug).shareSlug;
});
afterAll(() => t?.close());

const get = (where: string, headers: Record<string, string> = {}) => t.rest<string>('GET', where, { headers });

describe('GET /t-...', () => {
  test.each([
    ['a player', { accept: '*/*', 'user-agent': 'VLC/3.0' }],
    ['a program', { accept: 'video/mp4' }],
  ])('%s is sent to freshly signed media, with the card in the body', async (_who, headers) => {
    const answer = await get(`/${slug}`, headers);
    expect(answer.status).toBe(302);
    expect(answer.headers.get('vary')).toMatch(/Accept, User-Agent/i);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const media = await fetch(answer.headers.get('location')!);
    expect([media.status, media.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    expect(answer.body).toContain('<meta property="og:video" content="http');
    expect(answer.body).toContain('content="Say &quot;hi&quot; &amp; &lt;wave&gt;."');
  });

  test.each([
    ['a browser', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }],
    ['Twitter', { accept: '*/*', 'user-agent': 'Twitterbot/1.0' }],
    ['Facebook', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['Slack', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
  ])('%s gets the page that plays it', async (_who, headers) => {
    const answer = await get(`/${slug.toUpperCase()}`, headers as Record<string, string>);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('vary')).toMatch(/Accept, User-Agent/i);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toMatch(/<video id="player" src="http[^"]+\.mp4\?/);
    expect(answer.body).toContain('twitter:player');
    expect(answer.body).not.toContain('<wave>');
  });

  test('an unknown slug is a 404 for every caller', async () => {
    for (const accept of ['text/html', '*/*']) expect((await get('/t-26-01-zzzz', { accept })).status).toBe(404);
  });
});

describe('cards', () => {
  test('the image of a card is 1200 x 630 and small enough to be shown', async () => {
    const answer = await fetch(`${t.url}/cards/${slug}.jpg`);
    expect(answer.headers.get('content-type')).toBe('image/jpeg');
    const image = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(image).metadata()).toMatchObject({ width: 1200, height: 630, format: 'jpeg' });
    expect(image.length).toBeLessThan(300_000);
  });

  test('a private conversation has none; a public one has, and its page carries it', async () => {
    expect((await get(`/cards/${room.shareSlug}.jpg`)).status).toBe(404);
    const url = encodeURIComponent(room.shareUrl);
    expect((await get(`/oembed?url=${url}`)).status).toBe(404);
    const visibility = `/conversations/${room.conversationId}/visibility`;
    await t.rest('POST', visibility, { as: owner.apiKey, body: { isPublic: true } });
    const card = await fetch(`${t.url}/cards/${room.shareSlug}.jpg`);
    expect([card.status, card.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    const kept = { headers: { 'if-none-match': card.headers.get('etag')! } };
    expect((await fetch(card.url, kept)).status).toBe(304);
    expect((await get(`/${room.shareSlug}`)).body).toContain(`/cards/${room.shareSlug}.jpg`);
    const { body, headers } = await t.rest('GET', `/oembed?url=${url}&maxwidth=320`);
    expect([headers.get('cache-control'), body.cache_age]).toEqual(['private, no-cache', 0]);
    expect(body).toMatchObject({ version: '1.0', type: 'rich', title: 'Nova', width: 320 });
    expect(body.html).toContain(`src="${t.app.config.SITE_URL}/live/${room.shareSlug}?autoplay=0"`);
    await t.rest('POST', visibility, { as: owner.apiKey, body: { isPublic: false } });
    // A crawler that kept the card asks again, and gets a 404.
    expect((await fetch(card.url, kept)).status).toBe(404);
    expect((await get(`/${room.shareSlug}`)).status).toBe(404);
  });

  test('oEmbed answers for our own addresses alone', async () => {
    const ask = (url: string) => t.rest('GET', `/oembed?url=${encodeURIComponent(url)}`);
    expect((await ask(`${t.app.config.SITE_URL}/${slug}`)).body.type).toBe('video');
    expect((await ask(`${t.app.config.SITE_URL}/live/${slug}`)).status).toBe(200);
    for (const url of [`https://evil.example/${slug}`, `${t.app.config.SITE_URL}/docs`, 'nonsense']) {
      expect((await ask(url)).status).toBe(404);
    }
  });
});
