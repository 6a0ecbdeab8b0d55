/** The TypeScript client's requests: what is sent again and what is not, what goes wrong as classes, files, pages of lists. */

import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import sharp from 'sharp';
import * as operations from '../../clients/typescript/src/graphql.ts';
import {
  AvatarError,
  BadInputError,
  type ClientOptions,
  ConflictError,
  ConnectionError,
  createClient,
  InsufficientCreditsError,
  NotFoundError,
  pages,
  RateLimitedError,
  rest,
  UnauthenticatedError,
  upload,
} from '../../clients/typescript/src/index.ts';
import { VALIDATION_RULES } from '../../resolvers/limits.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance } from '../support/credits.ts';

let t: TestApp;
let ada: TestUser;
let poor: TestUser;

beforeAll(async () => {
  t = await openTestApp({ work: true, env: { SIGNUP_CREDITS: '0' } });
  [ada, poor] = [await t.person('Ada', 50), await t.person('Poor')];
});
afterAll(() => t?.close());

const clientOf = (person?: TestUser, options: Partial<ClientOptions> = {}) =>
  createClient({ url: t.url, token: person?.apiKey, ...options });

/** A line that carries a request and loses its answer, so many times; `sent` are the requests, by their keys. */
function losing(times: number): { sent: (string | null)[]; fetch: typeof fetch } {
  const sent: (string | null)[] = [];
  return {
    sent,
    async fetch(input, init) {
      const { variables } = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
      sent.push(variables?.idempotencyKey ?? new Headers(init?.headers).get('idempotency-key'));
      const answer = await fetch(input, init);
      if (sent.length > times) return answer;
      await answer.arrayBuffer();
      throw new TypeError('fetch failed');
    },
  };
}

/** What it was refused with. */
async function refusal(work: Promise<unknown>): Promise<AvatarError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AvatarError)) throw new Error(`Not refused: ${String(error)}`);
  return error;
}

describe('an answer that is lost', () => {
  test.each(['REST', 'GraphQL'])('what charges is asked for again by its key, and charged once: %s', async (way) => {
    const line = losing(2);
    const client = clientOf(ada, { fetch: line.fetch });
    const before = (await balance(t, ada)).available;
    const input = { prompt: `A lighthouse, by ${way}` };
    const made =
      way === 'REST'
        ? await rest(client).generateImage(input)
        : (await client.graphql(operations.generateImage, { input })).generateImage;
    expect(made.imageUrl).toMatch(/^http/);
    expect(line.sent).toEqual([expect.any(String), line.sent[0], line.sent[0]]);
    expect(before - (await balance(t, ada)).available).toBeCloseTo(0.005);
    const key = { idempotencyKey: line.sent[0]!, retries: 0 };
    const again = await refusal(
      way === 'REST'
        ? rest(client).generateImage({ prompt: 'Another' }, key)
        : client.graphql(operations.generateImage, { input: { prompt: 'Another' } }, key),
    );
    expect([again.constructor, again.code]).toEqual([ConflictError, 'KEY_REUSED']);
  });

  test('what is read is read again; what the server would not know again is sent once', async () => {
    const reading = losing(2);
    expect((await rest(clientOf(ada, { fetch: reading.fetch })).me()).userId).toBe(ada.userId);
    expect(reading.sent.length).toBe(3);
    const query = losing(1);
    expect((await clientOf(ada, { fetch: query.fetch }).graphql(operations.me)).me.id).toBe(ada.userId);
    const changing = losing(1);
    const client = clientOf(ada, { fetch: changing.fetch });
    const error = await refusal(client.graphql(operations.updateProfile, { input: { displayName: 'Ada L.' } }));
    expect([error.constructor, error.code, changing.sent.length]).toEqual([ConnectionError, 'CONNECTION', 1]);
    expect((error.cause as Error).message).toBe('fetch failed');
  });
});

describe('a server that says when to come back', () => {
  let server: Server;
  let answers: { status: number; headers?: Record<string, string>; body?: string }[] = [];
  const askedAt: number[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      askedAt.push(performance.now());
      const next = answers.shift();
      // One that has no answer left never answers.
      if (next) response.writeHead(next.status, next.headers).end(next.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...options });
  const LIMITED = { error: 'Too many requests. Try again later.', code: 'RATE_LIMITED', requestId: 'req_1' };

  test('is asked again then, and not before; also what changes something, which was not begun', async () => {
    answers = [
      { status: 429, headers: { 'retry-after': '1' }, body: JSON.stringify(LIMITED) },
      { status: 200, body: '{"ok":true}' },
    ];
    askedAt.length = 0;
    await rest(client()).deleteAvatar({ avatarId: 'avt_1' });
    expect(askedAt[1]! - askedAt[0]!).toBeGreaterThanOrEqual(995);
  });

  test('is not asked again for what was done in part', async () => {
    const errors = [{ message: 'Too many requests.', extensions: { code: 'RATE_LIMITED', retryAfterSeconds: 0 } }];
    answers = [{ status: 200, body: JSON.stringify({ data: { a: { id: 'avt_1' }, b: null }, errors }) }];
    const error = await refusal(client().graphql('mutation { a: deleteThis { id } b: deleteThat { id } }'));
    expect([error.constructor, error.data]).toEqual([RateLimitedError, { a: { id: 'avt_1' }, b: null }]);
  });

  test('is not waited for when that is long: the caller gets the error at once', async () => {
    answers = [{ status: 429, body: JSON.stringify({ ...LIMITED, retryAfterSeconds: 3_600 }) }];
    const error = await refusal(rest(client()).me());
    expect([error.constructor, error.retryAfterMs, error.requestId]).toEqual([RateLimitedError, 3_600_000, 'req_1']);
  });

  test('something on the way that answers in HTML is a connection that failed', async () => {
    answers = [{ status: 502, body: '<html>' }];
    const error = await refusal(rest(client({ retries: 0 })).me());
    expect([error.constructor, error.status]).toEqual([ConnectionError, 502]);
  });

  test('a signal ends the request, and the wait for the next one', async () => {
    answers = [];
    const asking = new AbortController();
    const asked = rest(client()).me({}, { signal: asking.signal });
    asking.abort(new Error('no longer wanted'));
    await expect(asked).rejects.toThrow('no longer wanted');
    answers = [{ status: 429, headers: { 'retry-after': '50' }, body: JSON.stringify(LIMITED) }];
    const waiting = new AbortController();
    const line: typeof fetch = async (...request) => {
      const answer = await fetch(...request);
      setTimeout(() => waiting.abort(new Error('nor waited for')));
      return answer;
    };
    await expect(rest(client({ fetch: line })).me({}, { signal: waiting.signal })).rejects.toThrow('nor waited for');
  });

  test('one that does not answer in time is a connection that failed', async () => {
    answers = [];
    const error = await refusal(rest(client({ timeoutMs: 50, retries: 1 })).me());
    expect([error.constructor, (error.cause as Error).name]).toEqual([ConnectionError, 'TimeoutError']);
  });
});

describe('what goes wrong', () => {
  const anonymous = () => clientOf();
  test.each([
    ['no credential', () => rest(anonymous()).me(), UnauthenticatedError, {}],
    ['no credential, GraphQL', () => anonymous().graphql(operations.me), UnauthenticatedError, {}],
    ['not there', () => rest(clientOf(ada)).avatar({ avatarId: 'avt_none' }), NotFoundError, {}],
    ['bad input', () => rest(clientOf(ada)).generateImage({ prompt: '' }), BadInputError, { field: 'prompt' }],
    [
      'bad input, GraphQL',
      () => clientOf(ada).graphql(operations.generateImage, { input: { prompt: '' } }),
      BadInputError,
      { field: 'prompt' },
    ],
    [
      'no document',
      () => clientOf(ada).graphql('{ nobodyKnowsThis }'),
      BadInputError,
      { code: 'GRAPHQL_VALIDATION_FAILED' },
    ],
    [
      'too few credits',
      () => rest(clientOf(poor)).generateImage({ prompt: 'The sea' }),
      InsufficientCreditsError,
      { required: 0.005, available: 0 },
    ],
    [
      'too few credits, GraphQL',
      () => clientOf(poor).graphql(operations.generateImage, { input: { prompt: 'The sea' } }),
      InsufficientCreditsError,
      { required: 0.005, available: 0 },
    ],
    [
      'too few credits to give away',
      () => rest(clientOf(poor)).proposeGift({ to: ada.userId, amount: 2 }),
      InsufficientCreditsError,
      { required: 2, available: 0 },
    ],
  ])('%s', async (_, ask, type, facts) => {
    const error = await refusal(ask());
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ name: type.name, requestId: expect.any(String), ...facts });
  });
});

test('a file is uploaded, and its address is taken for an image', async () => {
  const client = clientOf(ada);
  const png = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#884422' } })
    .png()
    .toBuffer();
  const imageUrl = await upload(client, new Blob([Uint8Array.from(png)], { type: 'image/png' }));
  const { avatar } = await rest(client).createAvatar({ displayName: 'Nova', imageUrl });
  expect(avatar.avatarImageUrl).toMatch(/^http/);
  expect((await client.graphql(operations.avatar, { avatarId: avatar.avatarId })).avatar.displayName).toBe('Nova');
});

test('a large file has the time that a slow line takes for it', async () => {
  const uploadUrl = 'http://127.0.0.1/uploads/upl_1';
  const client = clientOf(ada, {
    timeoutMs: 60_000,
    fetch: async (_, { method } = {}) =>
      Response.json(method === 'PUT' ? { url: 'there' } : { data: { createUpload: { uploadUrl, maxBytes: 2e6 } } }),
  });
  const timeouts = jest.spyOn(AbortSignal, 'timeout');
  try {
    expect(await upload(client, new Blob([new Uint8Array(1_000_000)]))).toBe('there');
    // The platform is of this process too, and has timeouts of its own.
    expect(timeouts.mock.calls).toContainEqual([68_000]);
  } finally {
    timeouts.mockRestore();
  }
});

test('a list is read page by page', async () => {
  const client = clientOf(ada);
  for (let i = 0; i < 3; i += 1) await rest(client).generateImage({ prompt: `Hill ${i}` });
  const read: number[] = [];
  for await (const { images } of pages((after) => rest(client).images({ first: 2, after }))) read.push(images.length);
  expect(read.slice(0, -1).every((n) => n === 2) && read.length >= 2).toBe(true);
});

test('every operation that the client knows keeps to the limits of the server', () => {
  const schema = buildSchema(readFileSync('schema/schema.graphql', 'utf8'));
  const texts = Object.entries(operations).map(([name, text]) => [name, String(text)] as const);
  expect(texts.length).toBeGreaterThan(100);
  const refused = texts.filter(([, text]) => validate(schema, parse(text), [...VALIDATION_RULES]).length > 0);
  expect(refused).toEqual([]);
});
