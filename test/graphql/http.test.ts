/** GraphQL over HTTP as clients and tools send it: each mistake is a code and a sentence, never a 500. */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
const complaints: string[] = [];
const sink = new Writable({
  write: (line, _encoding, done) => {
    complaints.push(String(line));
    done();
  },
});

beforeAll(async () => {
  t = await openTestApp({ log: pino({ level: 'error' }, sink) });
});
afterAll(() => t.close());

const send = (body: object) => t.rest('POST', '/graphql', { body });

describe('mistakes', () => {
  test('an operation that the document does not have is not answered by another one', async () => {
    const { status, body } = await send({ query: 'query A { __typename }', operationName: 'B' });
    expect([status, body.data, body.errors[0].extensions.code]).toEqual([
      400,
      undefined,
      'OPERATION_RESOLUTION_FAILURE',
    ]);
    const both = { query: 'query A { a: __typename } query B { b: __typename }', operationName: 'B' };
    expect((await send(both)).body.data).toEqual({ b: 'Query' });
  });

  test('a subscription is refused with the transport that takes it', async () => {
    const { status, body } = await send({ query: 'subscription { turnUpdated(slug: "c-26-11-aaaa") { cursor } }' });
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.errors[0].message).toContain('WebSocket');
  });

  test('a value that an enumeration lacks is a 400 in the words of REST, and so is what is no text', async () => {
    const query = `mutation($input: InjectTurnInput!) { injectTurn(conversationId: "cnv_none", input: $input) { async } }`;
    const answered = async (output: unknown) => {
      const { body } = await send({ query, variables: { input: { userText: 'Hi', output } } });
      return [body.errors[0].extensions.code, body.errors[0].message];
    };
    expect(await answered('smell')).toEqual(['BAD_INPUT', 'output must be one of text, audio, video.']);
    expect(await answered(5)).toEqual(['BAD_INPUT', 'output must be a string.']);
  });

  test('a persisted query that is not known is asked for, as clients expect, and known from then on', async () => {
    const query = 'query Kinds { errorKinds { code } }';
    const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash: hashOf(query) } };
    expect((await send({ extensions })).body.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    });
    expect((await send({ extensions, query: `${query} ` })).status).toBe(400);
    const { body } = await send({ extensions, query });
    expect(body.data.errorKinds.length).toBeGreaterThan(20);
    expect((await send({ extensions })).body).toEqual(body);
    const parameters = new URLSearchParams({ extensions: JSON.stringify(extensions) });
    const headers = { 'apollo-require-preflight': 'true' };
    expect((await t.rest('GET', `/graphql?${parameters}`, { headers })).body).toEqual(body);
  });
});

describe.each<[string, object]>([
  [
    'another hash',
    { query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } },
  ],
  ['another version', { query: '{ __typename }', extensions: { persistedQuery: { version: 2, sha256Hash: '0' } } }],
  ['no hash', { query: '{ __typename }', extensions: { persistedQuery: { version: 1 } } }],
  [
    'a hash that is a number',
    { query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: 5 } } },
  ],
  ['no persisted query', { query: '{ __typename }', extensions: { persistedQuery: true } }],
  ['a list of operations', [{ query: '{ __typename }' }]],
  ['nothing', {}],
  ['a query that is no text', { query: 1 }],
  ['variables that are a text', { query: '{ __typename }', variables: 'x' }],
  ['extensions that are a list', { query: '{ __typename }', extensions: [1] }],
  ['a name that is a number', { query: '{ __typename }', operationName: 5 }],
])('a body with %s', (_, sent) => {
  test('is a bad request that has a name, and no defect', async () => {
    complaints.length = 0;
    const { status, body, headers } = await send(sent);
    const requestId = headers.get('x-request-id');
    expect([status, body]).toEqual([
      400,
      {
        errors: [{ message: expect.not.stringMatching('on our side'), extensions: { code: 'BAD_REQUEST', requestId } }],
      },
    ]);
    expect(complaints).toEqual([]);
  });
});

describe('queries by GET', () => {
  /** As urql sends them by default. */
  const ACCEPT = {
    accept:
      'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
  };
  const get = (query: string, headers: Record<string, string> = ACCEPT) =>
    t.rest('GET', `/graphql?${new URLSearchParams({ query, variables: '{}' })}`, { headers });

  test('are answered with a credential and without', async () => {
    expect((await get('{ publicAvatars { nodes { id } } }')).body).toEqual({ data: { publicAvatars: { nodes: [] } } });
    const ada = await t.person('Ada');
    const authorization = `Bearer ${ada.session}`;
    for (const headers of [
      { ...ACCEPT, authorization },
      { authorization, accept: '*/*' },
    ]) {
      const { status, body } = await get('{ me { id } }', headers);
      expect([status, body]).toEqual([200, { data: { me: { id: ada.userId } } }]);
    }
  });

  test('change nothing', async () => {
    const { status } = await get('mutation { requestPasswordReset(email: "ada@example.com") }');
    expect(status).toBe(405);
  });

  test.each<[string, Record<string, string>]>([
    ['an image of another site', { accept: 'image/avif,image/webp,*/*' }],
    ['a page that brings a cookie along', { ...ACCEPT, cookie: 'session=stolen' }],
  ])('are refused to %s', async (_, headers) => {
    const { status, body } = await get('{ publicAvatars { nodes { id } } }', headers);
    expect([status, body.errors?.[0].extensions.code]).toEqual([400, 'BAD_REQUEST']);
  });
});

describe('errors', () => {
  test('name the request and have a code that the schema has', async () => {
    const { body, headers } = await send({ query: '{ me { id } nonsense }' });
    const refused = await send({ query: '{ video(generationId: "vid_none") { id } }' });
    for (const [answer, at] of [
      [body, headers],
      [refused.body, refused.headers],
    ]) {
      const { code, requestId } = answer.errors[0].extensions;
      expect(requestId).toBe(at.get('x-request-id'));
      const { errorKinds } = (await send({ query: '{ errorKinds { code status message } }' })).body.data;
      expect(errorKinds.map((kind: any) => kind.code)).toContain(code);
    }
  });
});

test.each([
  ['an answer', '{ __typename }', 200],
  ['a refusal', '{ nonsense }', 400],
])('%s is kept by no cache', async (_, query, expected) => {
  const { status, headers } = await send({ query });
  expect([status, headers.get('cache-control')]).toEqual([expected, 'no-store']);
});
