/**
 * Requests that no form sends: text that a database cannot keep, bodies that are none, too large or of another kind,
 * and what browsers and caches ask for. Each gets its 4xx and a sentence, never a 500, and is recorded nowhere.
 */
import { createHash } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let slug: string;
let avatarId: string;
let logged = '';
const sink = new Writable({
  write(chunk, _encoding, done) {
    logged += chunk;
    done();
  },
});

beforeAll(async () => {
  t = await openTestApp({ log: pino({ level: 'info' }, sink) });
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
    const query = 'mutation { createAvatarFolder(input: { name: "a\\u0000b" }) { name } }';
    const { body } = await t.graphql(query, {}, ada.apiKey);
    expect(body.errors?.[0].message).toBe('name has characters that are not text.');
  });

  const FACE = 'face: { leftEye: { x: 0, y: 0 }, rightEye: { x: 0, y: 0 }, mouth: { x: 0, y: 0 } }';
  test.each([
    ['createAvatarFolder(input: { name: $a }) { name }', '$a: String!', { a: '\0' }, 'name'],
    ['createAvatarFolder(input: $a) { name }', '$a: CreateAvatarFolderInput!', { a: { name: '\ud800' } }, 'name'],
    [
      `setAvatarFace(input: { avatarId: "a", imageUrl: $b, ${FACE} }) { url }`,
      '$b: URL!',
      { b: 'https://a.org/\udfff' },
      'imageUrl',
    ],
    [
      'createAvatar(input: { displayName: "N", knowledgeBaseUrls: $c }) { avatarId }',
      '$c: [URL!]',
      { c: ['https://a.org/', 'https://a.org/\ud800'] },
      'knowledgeBaseUrls',
    ],
    [
      'tryPersona(input: { avatarId: "a", userText: "Hi", history: $d }) { __typename }',
      '$d: [TriedExchangeInput!]',
      { d: [{ userText: 'a', avatarText: '\0' }] },
      'history.avatarText',
    ],
    ['...F', '$e: String!', { e: '\0' }, 'name'],
  ])('in a variable of %s: the field is named, not the variable', async (field, declared, variables, named) => {
    const fragment =
      field === '...F' ? 'fragment F on Mutation { createAvatarFolder(input: { name: $e }) { name } }' : '';
    const { body } = await t.graphql(`mutation(${declared}) { ${field} } ${fragment}`, variables, ada.apiKey);
    expect(body.errors?.[0]).toMatchObject({
      message: `${named} has characters that are not text.`,
      extensions: { code: 'BAD_INPUT', field: named },
    });
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
    ['text/plain', '{"userText":"Hi"}', 'body must be sent as application/json.'],
    ['application/json', '{"userText":', 'body is not valid JSON.'],
    ['application/json', '[]', 'body must be a JSON object.'],
    [
      'application/json',
      '{"__proto__":{"userText":"Hi"}}',
      'body must not have a field __proto__, nor a field prototype in constructor.',
    ],
    [
      'application/json',
      '{"constructor":{"prototype":{"userText":"Hi"}}}',
      'body must not have a field __proto__, nor a field prototype in constructor.',
    ],
    ['application/json', '{"constructor":{"userText":"Hi"}}', /^constructor is not a known field; /],
    ['application/json', `{"userText":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 'userText must be a string.'],
  ])('%s %.20s', async (type, body, error) => {
    const answer = await send('POST', `/conversations/${slug}/turn`, body, { 'content-type': type });
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
  });

  test('JSON of another encoding is refused, not kept with its letters lost; a mark of UTF-8 before it is none of it', async () => {
    const sent = async (body: Buffer) => {
      const headers = { authorization: `Bearer ${ada.apiKey}`, 'content-type': 'application/json' };
      const answer = await fetch(`${t.url}/avatar-folders`, { method: 'POST', headers, body });
      return { status: answer.status, body: (await answer.json()) as any };
    };
    expect(await sent(Buffer.from('{"name":"Müller"}', 'latin1'))).toMatchObject({
      status: 400,
      body: { error: 'body is not valid UTF-8.' },
    });
    expect(await sent(Buffer.from('\ufeff{"name":"Müller"}'))).toMatchObject({
      status: 200,
      body: { folder: { name: 'Müller' } },
    });
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

  test('a caller who may not call learns nothing of what is wrong with the request', async () => {
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
  test('an address that cannot be decoded is reported like every other error', async () => {
    const { status, body, headers } = await send('GET', '/avatars/%zz/images');
    expect([status, body.code, body.error]).toEqual([400, 'BAD_INPUT', 'url has a % that encodes nothing.']);
    expect(body.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('an address with a part longer than any that there is says so', async () => {
    const { status, body } = await send('GET', `/conversations/by-slug/${'a'.repeat(5_000)}`);
    expect([status, body.code, body.error]).toEqual([400, 'BAD_INPUT', 'url has a part that is longer than any here.']);
  });

  test('a compressed body is a 400 that says so', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const { status, body } = await send('POST', '/avatars', 'compressed', headers);
    expect([status, body.error]).toEqual([400, 'body must be sent without a Content-Encoding.']);
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

describe('an address that is known, by another method', () => {
  test.each([
    ['PUT', '/avatars', 'GET, HEAD, OPTIONS, POST'],
    ['PUT', '/avatars/public', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
    ['DELETE', '/donations/intents?x=1', 'OPTIONS, POST'],
    ['PATCH', '/graphql', 'GET, HEAD, OPTIONS, POST'],
    ['GET', '/oauth/token', 'OPTIONS, POST'],
    ['POST', '/live/c-26-01-zzzz', 'GET, HEAD, OPTIONS'],
  ])('%s %s: 405 with Allow', async (method, path, allow) => {
    const { status, headers, body } = await send(method, path);
    expect([status, headers.get('allow'), body.code]).toEqual([405, allow, 'METHOD_NOT_ALLOWED']);
  });

  test.each([
    ['POST', '/no/such/place'],
    ['GET', '/media/no-such-file'],
    ['GET', '/assets/none.js'],
  ])('%s %s: nothing is there', async (method, path) => {
    const { status, headers } = await send(method, path);
    expect([status, headers.get('allow')]).toEqual([404, null]);
  });
});

describe('the name of a request', () => {
  const named = (headers: Record<string, string>) => send('GET', '/avatars/avt_none/images', undefined, headers);

  test('is the caller’s, in the answer and in the log, with the trace that it belongs to', async () => {
    const [id, traceId, spanId] = ['b7c1:deploy/42', '4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
    const { headers, body } = await named({ 'x-request-id': id, traceparent: `00-${traceId}-${spanId}-01` });
    expect([headers.get('x-request-id'), body.requestId]).toEqual([id, id]);
    const lines = logged.split('\n').filter((line) => line.includes(id));
    // The probe that was answered above has none.
    expect(logged).not.toContain('/health/live');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ requestId: id, traceId, spanId, msg: 'request', status: 404 }),
    );
  });

  test.each(['a b', 'x'.repeat(129), '"', 'svc_0123456789abcdefghij'])('is not %.20s', async (id) => {
    const { headers } = await named({ 'x-request-id': id, traceparent: `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01` });
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(logged).not.toContain('0'.repeat(32));
  });
});

describe('long texts', () => {
  const raw = (path: string, headers: Record<string, string>) =>
    new Promise<{ answer: IncomingMessage; body: Buffer }>((resolve, reject) => {
      httpGet(`${t.url}${path}`, { headers }, (answer) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => resolve({ answer, body: Buffer.concat(parts) }));
      }).on('error', reject);
    });

  test.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
    [undefined, 'identity', (body: Buffer) => body],
    [undefined, '', (body: Buffer) => body],
  ])('are sent as %s to a client that accepts %j', async (encoding, accepted, read) => {
    const { answer, body } = await raw('/openapi.json', accepted ? { 'accept-encoding': accepted } : {});
    expect(answer.headers['content-encoding']).toBe(encoding);
    expect(answer.headers.vary).toContain('accept-encoding');
    expect(JSON.parse(String(read(body))).openapi).toBe('3.1.0');
    expect(Number(answer.headers['content-length'])).toBe(body.length);
  });

  test('but not short ones, and not the page of a signed-in user', async () => {
    const headers = { 'accept-encoding': 'br' };
    const { answer } = await raw('/videos/pricing', headers);
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([undefined, undefined]);
    const open = await raw('/', headers);
    const own = await raw('/', { ...headers, cookie: 'x=1' });
    expect([open.answer.headers['content-encoding'], own.answer.headers['content-encoding']]).toEqual([
      'br',
      undefined,
    ]);
  });

  test('a tag is weak where its bytes are others, and holds', async () => {
    const text = 'Once more. '.repeat(44);
    for (let i = 0; i < 40; i += 1) {
      await send('POST', `/conversations/${slug}/turn`, { userText: text, output: 'text' });
    }
    const path = `/conversations/by-slug/${slug}`;
    const authorization = `Bearer ${ada.apiKey}`;
    const { answer } = await raw(path, { authorization, 'accept-encoding': 'br' });
    const tag = answer.headers.etag!;
    expect([answer.headers['content-encoding'], tag.slice(0, 2)]).toEqual(['br', 'W/']);
    expect((await raw(path, { authorization, 'if-none-match': tag })).answer.statusCode).toBe(304);
  });
});

test('a request whose key is still in use is answered when to ask again', async () => {
  const path = `/conversations/${slug}/turn`;
  const body = { userText: 'Hi', output: 'text' };
  const requestHash = createHash('sha256')
    .update(JSON.stringify(['POST', path, body]))
    .digest('hex');
  await t.app.idempotency.begin(ada.userId, 'running', { requestHash, sortedHash: null });
  const answer = await send('POST', path, body, { 'idempotency-key': 'running' });
  expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([409, 'IN_FLIGHT', '1']);
});

describe('what programs look for', () => {
  test.each([
    ['/robots.txt', 'text/plain; charset=utf-8', 'Disallow: /live/'],
    ['/llms.txt', 'text/plain; charset=utf-8', '- `POST /images/generate`: Make an image from a text'],
    ['/.well-known/security.txt', 'text/plain; charset=utf-8', 'Contact: mailto:security@localhost\nExpires: 2'],
    ['/icon.svg', 'image/svg+xml', '<svg'],
  ])('%s', async (path, type, text) => {
    const { status, headers, body } = await t.rest('GET', path);
    expect([status, headers.get('content-type')]).toEqual([200, type]);
    expect(body).toContain(text);
  });

  test('/favicon.ico is an icon file around a PNG of its size', async () => {
    const file = Buffer.from(await (await fetch(`${t.url}/favicon.ico`)).arrayBuffer());
    expect([file.readUInt16LE(2), file.readUInt8(6), file.readUInt32LE(14)]).toEqual([1, 48, file.length - 22]);
    expect([...file.subarray(22, 26)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });
});
