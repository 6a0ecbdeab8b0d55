/**
 * Requests that no form sends: text that a database cannot keep, bodies that are none, too large or of another kind,
 * and what browsers and caches ask for. Each gets its 4xx and a sentence, never a 500, and is recorded nowhere.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type Person, type TestApp } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

let t: TestApp;
let ada: Person;
let slug: string;

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 1);
  const avatarId = await makeAvatar(t, ada);
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body.shareSlug;
});
afterAll(() => t.close());

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
  t.rest(method, path, { as: ada.apiKey, ...(body === undefined ? {} : { body }), ...(headers ? { headers } : {}) });

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
