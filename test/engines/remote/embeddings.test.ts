/** Embedding models behind the OpenAI protocol and behind provider packages: what is sent, what is read, how it fails. */

import { APICallError } from '@ai-sdk/provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { chooseEmbeddings } from '../../../src/engines/remote/embeddings.ts';
import { readConfig } from '../../../src/kernel/config.ts';
import { type EmbeddingServer, embed, startEmbeddings } from '../../support/embedding-server.ts';
import { remoteCalls } from '../../support/remote-calls.ts';

let server: EmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddings();
});
afterAll(() => server.stop());
beforeEach(() => {
  Object.assign(server, { fault: '', refuses: null });
});

const open = async (env: Record<string, string> = {}) => {
  const given = { EMBEDDING_BASE_URL: server.url, EMBEDDING_API_KEY: 'right-key', EMBEDDING_MODEL: 'small', ...env };
  return (await chooseEmbeddings(readConfig(given), remoteCalls())).embedding!;
};
const failure = async (promise: PromiseLike<unknown>): Promise<any> => {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('did not fail');
};

describe('an OpenAI-compatible server', () => {
  test('gives a vector for each text, in the order of the texts', async () => {
    const { embeddings } = await (await open()).doEmbed({ values: ['one', 'two'] });
    expect(embeddings).toEqual([embed('one', 256), embed('two', 256)]);
  });

  test('is asked for a length, where one is configured', async () => {
    const { embeddings } = await (await open({ EMBEDDING_DIMENSIONS: '64' })).doEmbed({ values: ['one'] });
    expect(embeddings[0]).toHaveLength(64);
  });

  test.each([
    ['down', { statusCode: 503, isRetryable: true }],
    ['denied', { statusCode: 401, isRetryable: false }],
    ['wrong', { statusCode: 200, isRetryable: true }],
  ] as const)('that is %s fails, without its key', async (fault, wanted) => {
    server.fault = fault;
    const error = await failure((await open()).doEmbed({ values: ['one'] }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject(wanted);
    expect(JSON.stringify(error) + error.message).not.toContain('right-key');
  });

  test('that cannot be reached is a failure worth another try; an aborted call is none', async () => {
    const gone = await open({ EMBEDDING_BASE_URL: 'http://127.0.0.1:1/v1' });
    expect(await failure(gone.doEmbed({ values: ['one'] }))).toMatchObject({ isRetryable: true });
    const reason = new Error('enough');
    expect(await failure((await open()).doEmbed({ values: ['one'], abortSignal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
  });
});

describe('the configuration', () => {
  test('without a model there is none', async () => {
    expect(await chooseEmbeddings(readConfig({}), remoteCalls())).toEqual({});
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['an address alone', { EMBEDDING_BASE_URL: 'http://localhost:1/v1' }, /EMBEDDING_MODEL must be set/],
    ['a name that is no package', { EMBEDDING_MODEL: 'small' }, /package:model/],
    ['a package that is missing', { EMBEDDING_MODEL: '@ai-sdk/nowhere:small' }, /npm install @ai-sdk\/nowhere/],
    ['a package without such models', { EMBEDDING_MODEL: '@ai-sdk/fal:small' }, /no embedding model/],
  ])('%s is refused with a sentence', async (_, env, message) => {
    expect((await failure(chooseEmbeddings(readConfig(env), remoteCalls()))).message).toMatch(message);
  });

  test('a provider package opens its model', async () => {
    const { embedding } = await chooseEmbeddings(
      readConfig({ EMBEDDING_MODEL: '@ai-sdk/gateway:openai/text-embedding-3-small', EMBEDDING_API_KEY: 'k' }),
      remoteCalls(),
    );
    expect(embedding).toMatchObject({ specificationVersion: 'v4', modelId: 'openai/text-embedding-3-small' });
  });
});
