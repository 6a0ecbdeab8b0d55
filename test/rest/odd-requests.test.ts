/**
 * Requests that no form sends: text that a database cannot keep, bodies that are none, too large or of another kind,
 * and what browsers and caches ask for. Each gets its 4xx and a sentence, never a 500, and is recorded nowhere.
 */
import { get as httpGet } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type Person, type TestApp } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

let t: TestApp;
let ada: Person;
let slug: string;
let avatarId: string;

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 1);
  avatarId = await makeAvatar(t, ada);
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
});
afterAll(() => t.close());

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  t.rest(method, path, { as: ada.apiKey, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });

const available = async (): Promise<number> =>
  (await t.graphql<any>('{ me { balance { available } } }', {}, ada.session)).body.data.me.balance.available;

describe('text that PostgreSQL cannot keep', () => {
  test.each([
    ['a null character', 'a\0b'],
    ['half a surrogate pair', 'a\ud800b'],
  ])('%s is a 400 that names the field, and writes nothing', async (_name, text) => {
    const turn = await send('POST', `/conversations/${slug}/turn`, { userText: text, output: 'text' });
    expect(turn).toMatchObject({ status: 400, body: { error: 'userText has characters that are not text.' } });
    const avatar = await send('POST', '/avatars', {
      displayName: 'Nova',
      knowledgeBaseUrls: [`https://a.org/${text}`],
    });
    expect(avatar).toMatchObject({
      status: 400,
      body: { error: 'knowledgeBaseUrls has characters that are not text.' },
    });
    expect((await send('GET', `/conversations/by-slug/${slug}`)).body.turns).toEqual([]);
  });

  test.each([
    ['GET', '/avatars/%00/images', 'avatarId'],
    ['DELETE', '/avatar-folders/%00', 'folderId'],
    ['POST', '/conversations/%00/turn', 'conversationId'],
  ])('%s %s', async (method, path, field) => {
    const { status, body } = await send(method, path, method === 'POST' ? { userText: 'Hi' } : undefined);
    expect([status, body.error]).toEqual([400, `${field} has characters that are not text.`]);
  });

  test('in a literal of a GraphQL document', async () => {
    const query = 'mutation { createAvatarFolder(name: "a\\u0000b") { name } }';
    const { body } = await t.graphql(query, {}, ada.apiKey);
    expect(body.errors?.[0].message).toBe('A text has characters that are not text.');
  });
});

describe('fields of a body that are not known', () => {
  const asked = (): Record<string, [string, unknown]> => ({
    turn: [`/conversations/${slug}/turn`, { userText: 'Hi', ouput: 'text' }],
    speech: [`/avatars/${avatarId}/speak`, { text: 'Hi', textmode: 'personality' }],
    image: ['/images/generate', { prompt: 'A boat', 'aspect ratio': '16:9' }],
    video: ['/videos/generate', { prompt: 'A boat', duraiton: 1 }],
    gift: ['/donations/intents', { to: 'nobody', amount: 1, message: 'Hi' }],
    avatar: ['/avatars', { displayName: 'Nova', folder: 'fld_1' }],
  });

  test.each([
    ['turn', 'ouput is not a known field; did you mean output?'],
    ['speech', 'textmode is not a known field; did you mean textMode?'],
    ['image', 'aspect ratio is not a known field; did you mean aspectRatio?'],
    ['video', 'duraiton is not a known field; did you mean duration?'],
    ['gift', 'message is not a known field; known here: to, amount, note.'],
    ['avatar', 'folder is not a known field; did you mean folderId?'],
  ])('of a %s: 400 with the nearest known one, and nothing is charged', async (what, error) => {
    const [path, body] = asked()[what]!;
    const before = await available();
    expect(await send('POST', path, body)).toMatchObject({ status: 400, body: { error, code: 'BAD_INPUT' } });
    expect(await available()).toBe(before);
  });

  test('other names that are documented, and ids that the path has as well, are known', async () => {
    const named = await send('POST', '/avatars', { displayName: 'Nova', voiceId: 'noop' });
    expect(named).toMatchObject({ status: 200, body: { avatar: { ttsVoiceId: 'noop' } } });
    const body = { conversationId: slug, userText: 'Hi', output: 'text' };
    expect((await send('POST', `/conversations/${slug}/turn`, body)).status).toBe(202);
  });

  test('are not looked at where no body is described, and by the call that changes the name alone', async () => {
    expect((await send('POST', `/conversations/${slug}/access-link`, { label: 'Ada' })).status).toBe(200);
    const sent = { displayName: 'Vega', personalityPrompt: 'A stranger.', ouput: 1 };
    const renamed = await send('PATCH', `/avatars/${avatarId}`, sent);
    expect(renamed).toMatchObject({ status: 200, body: { avatar: { displayName: 'Vega' } } });
    expect(renamed.body.avatar.personalityPrompt).not.toBe('A stranger.');
  });
});

describe('bodies', () => {
  test('more than 256 KiB: 413', async () => {
    const { status, body } = await send('POST', '/avatars', { displayName: 'x'.repeat(300_000) });
    expect([status, body.code]).toEqual([413, 'TOO_LARGE']);
  });

  test('none at all, although its type was named', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await send('POST', `/conversations/${slug}/access-link`, undefined, json)).status).toBe(200);
    const turn = await send('POST', `/conversations/${slug}/turn`, undefined, json);
    expect(turn).toMatchObject({ status: 400, body: { error: 'userText is required.' } });
  });

  test.each([
    ['text/xml', '<a/>', 'body must be sent as application/json.'],
    ['application/json', '{"userText":', 'body is not valid JSON.'],
    ['application/json', '[]', 'body must be a JSON object.'],
    ['application/json', '{"__proto__":{"userText":"Hi"}}', 'body is not valid JSON.'],
    ['application/json', `{"userText":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'userText must be a string.'],
  ])('%s %.20s', async (type, body, error) => {
    const answer = await send('POST', `/conversations/${slug}/turn`, body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 400, body: { error } });
  });

  test.each([
    [
      'POST',
      '/avatars',
      { displayName: 'Nova', knowledgeBaseUrls: 'https://a.org' },
      'knowledgeBaseUrls must be an array.',
    ],
    ['POST', '/avatars', { displayName: 'Nova', folderId: '' }, 'folderId is not one of your folders.'],
    ['POST', '/avatars', { displayName: 'Nova', imageUrl: '' }, 'imageUrl must be an http or https address.'],
    ['POST', '/avatars', { displayName: 'Nova', ttsVoiceId: '' }, 'ttsVoiceId is not in your voice list.'],
    ['POST', '/conversations', { avatarOwnerUserId: 5, avatarId: 'x' }, 'avatarOwnerUserId must be a string.'],
    ['POST', '/images/edit', { prompt: 'x', images: 'https://a.org/b.png' }, 'images must be an array.'],
    ['POST', '/videos/generate', { prompt: 'x', avatarIds: 'x' }, 'avatarIds must be an array.'],
    ['POST', '/videos/generate', { prompt: 'x', avatarIds: ['x', 7] }, 'avatarIds[1] must be a string.'],
    [
      'POST',
      '/videos/generate',
      { prompt: 'x', avatarIds: ['x', 'x', 'x', 'x'] },
      'avatarIds must have at most 3 items.',
    ],
    ['POST', '/oauth/clients', { name: 'x', redirectDomains: 'a.example' }, 'redirectDomains must be an array.'],
    [
      'POST',
      '/oauth/clients',
      { name: 'x', redirectDomains: ['a.example'], scopes: 'profile' },
      'scopes must be an array.',
    ],
  ])('%s %s %j: what GraphQL would make fit is a 400', async (method, path, body, error) => {
    expect(await send(method, path, body)).toMatchObject({ status: 400, body: { error } });
  });

  test('whoever may not call learns nothing of what is wrong with theirs', async () => {
    for (const [method, path] of [
      ['POST', `/conversations/${slug}/turn`],
      ['POST', '/avatars'],
      ['PATCH', '/avatars/avt_x'],
      ['POST', '/api-keys'],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      expect((await t.rest(method, path, { body: '{bad', headers })).status).toBe(401);
    }
  });
});

describe('what no route sees', () => {
  test('an address that cannot be decoded is told like every other mistake', async () => {
    const { status, body, headers } = await send('GET', '/avatars/%zz/images');
    expect([status, body.code, body.error]).toEqual([400, 'BAD_INPUT', 'url has a % that encodes nothing.']);
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('an offer of HTTP/2, as Java makes with every request, is not taken and not refused', async () => {
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
    };
    const status = await new Promise((resolve, reject) => {
      httpGet(`${t.url}/health/live`, { headers }, (response) => resolve(response.resume().statusCode)).on(
        'error',
        reject,
      );
    });
    expect(status).toBe(200);
  });
});

describe('what browsers and caches ask for', () => {
  const read = (tag?: string) =>
    send('GET', `/conversations/by-slug/${slug}`, undefined, tag ? { 'if-none-match': tag } : {});

  test('If-None-Match: weak, one of several, any; the answer names the one tag', async () => {
    const etag = (await read()).headers.get('etag')!;
    for (const asked of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { status, headers } = await read(asked);
      expect([asked, status, headers.get('etag')]).toEqual([asked, 304, etag]);
    }
    expect((await read('"other"')).status).toBe(200);
  });

  test('scripts of other origins may read the headers that they need', async () => {
    const exposed = (await read()).headers.get('access-control-expose-headers');
    for (const name of ['etag', 'x-request-id', 'retry-after', 'ratelimit-remaining']) expect(exposed).toContain(name);
  });
});
