/** GraphQL over HTTP as clients and tools send it: each mistake is a code and a sentence, never a 500. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await openTestApp();
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

  test('a subscription is told where it belongs', async () => {
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

  test('a persisted query that is not known is asked for, as clients expect', async () => {
    const extensions = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } };
    const { body } = await send({ extensions });
    expect(body.errors[0]).toMatchObject({
      message: 'PersistedQueryNotFound',
      extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' },
    });
  });
});

test.each([
  ['an answer', '{ __typename }', 200],
  ['a refusal', '{ nonsense }', 400],
])('%s is kept by no cache', async (_, query, expected) => {
  const { status, headers } = await send({ query });
  expect([status, headers.get('cache-control')]).toEqual([expected, 'no-store']);
});
