/** `/g-...` and `/v-...`: pages for browsers and crawlers, a 302 for everything else. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let ada: TestUser;
let speech: string;
let video: { slug: string; generationId: string };

beforeAll(async () => {
  t = await openTestApp({ work: true });
  ada = await t.person('Ada', 5);
  const as = ada.apiKey;
  const { avatar } = (await t.rest('POST', '/avatars', { as, body: { displayName: 'Nova <3', ttsVoiceId: 'noop' } }))
    .body;
  const text = 'Come & see "me" <b>now</b>.';
  const said = (await t.rest('POST', `/avatars/${avatar.avatarId}/speak`, { as, body: { text, output: 'video' } }))
    .body;
  const read = async (poll: string, status: string) => {
    const { body } = await t.rest('GET', poll, { as });
    return body.status === status && body;
  };
  speech = (await until(() => read(said.poll, 'video'))).shareSlug;
  const asked = (await t.rest('POST', '/videos/generate', { as, body: { prompt: 'A <script> at sea', duration: 1 } }))
    .body;
  video = await until(() => read(asked.poll, 'ready'));
});
afterAll(() => t.close());

const BROWSER = { accept: 'text/html,*/*' };
const open = (slug: string, headers: Record<string, string> = {}) => t.rest('GET', `/${slug}`, { headers });

describe('/g-...', () => {
  test('is a 302 to freshly signed media whose body carries the card', async () => {
    const { status, headers, body } = await open(speech);
    expect(status).toBe(302);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('vary')).toContain('Accept');
    expect(body).toContain('og:video');
    expect((await fetch(headers.get('location')!)).headers.get('content-type')).toBe('video/mp4');
  });

  test('is a page for browsers and for card crawlers, in any case; what was written is escaped', async () => {
    for (const [slug, headers] of [
      [speech, BROWSER],
      [speech.toUpperCase(), BROWSER],
      [speech, { accept: '*/*', 'user-agent': 'Slackbot-LinkExpanding 1.0' }],
    ] as const) {
      const { status, body } = await open(slug, headers);
      expect(status).toBe(200);
      expect(body).toContain('<video');
      expect(body).toContain('Nova &lt;3');
      expect(body).toContain('&lt;b&gt;now&lt;/b&gt;');
      expect(body).not.toContain('<b>now');
      expect(body).not.toContain('/live/g-');
    }
    expect((await fetch(`${t.url}/cards/${speech}.jpg`)).headers.get('content-type')).toBe('image/jpeg');
  });

  test('an unknown one is a 404', async () => {
    expect((await open('g-26-01-zzzz')).status).toBe(404);
    expect((await open('g-26-01-zzzz', BROWSER)).status).toBe(404);
  });
});

describe('/v-...', () => {
  const flip = (visibility: string) =>
    t.graphql(
      'mutation($id: ID!, $v: Visibility!) { setVideoVisibility(generationId: $id, visibility: $v) { visibility } }',
      {
        id: video.generationId,
        v: visibility,
      },
      ada.session,
    );

  test('a private one looks to others like an unknown one; its maker, signed in, sees and flips it', async () => {
    const [hidden, unknown] = [await open(video.slug, BROWSER), await open('v-26-01-zzzz', BROWSER)];
    const plain = (text: string) => text.replaceAll(video.slug, 'SLUG').replaceAll('v-26-01-zzzz', 'SLUG');
    expect([hidden.status, plain(hidden.body)]).toEqual([404, plain(unknown.body)]);
    expect((await fetch(`${t.url}/cards/${video.slug}.jpg`)).status).toBe(404);
    const cookie = `avatar_session=${ada.session}`;
    const mine = await open(video.slug, { ...BROWSER, cookie });
    expect(mine.status).toBe(200);
    expect(mine.headers.get('x-frame-options')).toBe('DENY');
    expect(mine.body).toContain('Make public');
    expect(mine.body).not.toContain('<script> at sea');
    // Inside another site's frame there is no session.
    expect((await open(video.slug, { ...BROWSER, cookie, 'sec-fetch-dest': 'iframe' })).status).toBe(404);
    const csrf = /name="csrf" value="([^"]+)"/.exec(mine.body)![1]!;
    const post = (body: string, headers: Record<string, string>) =>
      fetch(`${t.url}/${video.slug}/visibility`, {
        method: 'POST',
        redirect: 'manual',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
      });
    await post('csrf=forged&visibility=public', { cookie });
    await post(`csrf=${csrf}&visibility=public`, {});
    expect((await open(video.slug, BROWSER)).status).toBe(404);
    expect((await post(`csrf=${csrf}&visibility=public`, { cookie })).status).toBe(303);
    expect((await open(video.slug, BROWSER)).status).toBe(200);
    expect((await open(video.slug, { ...BROWSER, cookie })).body).toContain('Make private');
  });

  test('a public one is a page, or a 302 to the video', async () => {
    await flip('public');
    const { status, headers } = await open(video.slug.toUpperCase());
    expect([status, headers.get('location')]).toEqual([302, expect.stringContaining(`videos/${video.generationId}`)]);
    expect((await open(video.slug, BROWSER)).body).toContain('A &lt;script&gt; at sea');
    await flip('private');
    expect((await open(video.slug)).status).toBe(404);
  });
});
