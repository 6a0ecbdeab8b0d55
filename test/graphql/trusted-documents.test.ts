/** Trusted documents: nothing but the registered operations is answered, by HTTP, server-sent events and WebSocket. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getIntrospectionQuery, parse, print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { readTrustedDocuments } from '../../resolvers/trusted-documents.ts';
import { checkTrustedDocuments } from '../../src/app/start-checks.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { ownDocuments } from '../../src/pages/own-documents.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

/** As Apollo's tool writes it, whose definitions are in the order of their kinds and names. */
const AVATARS = `query Avatars($first: Int) {
  avatars(first: $first) {
    nodes {
      ...Named
      __typename
    }
    __typename
  }
}

fragment Named on Avatar {
  id
  displayName
  __typename
}`;
const ME = 'query Me { me { userId } }';
const RENAME =
  'mutation Rename($id: ID!, $name: String!) { renameAvatar(avatarId: $id, displayName: $name) { displayName } }';
const FOLLOW =
  'subscription Follow($slug: String!, $after: String) { turnUpdated(slug: $slug, after: $after) { turn { userText } } }';
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const MANIFEST = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: 'avatars-1', name: 'Avatars', type: 'query', body: AVATARS }],
};
/** Relay's ids are MD5 of the text. */
const RELAY = { '05d0bd0bdc0d36fa1a1d6e6fd0c5d5a1': ME, rename: RENAME, follow: FOLLOW };

let t: TestApp;
let ada: TestUser;
let folder: string;
/** A server of the same instance that takes nothing but what is registered. */
let server: RunningServer;
let url: string;

const file = async (name: string, content: unknown): Promise<string> => {
  const where = path.join(folder, name);
  await writeFile(where, typeof content === 'string' ? content : JSON.stringify(content));
  return where;
};

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada', 10);
  folder = await mkdtemp(path.join(os.tmpdir(), 'trusted-'));
  const TRUSTED_DOCUMENTS = [await file('apollo.json', MANIFEST), await file('relay.json', RELAY)];
  server = await startServer({ ...t.app, config: { ...t.app.config, PORT: await freePort(), TRUSTED_DOCUMENTS } });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.close();
  await t.close();
  await rm(folder, { recursive: true, force: true });
});

const headers = () => ({ authorization: `Bearer ${ada.session}`, 'content-type': 'application/json' });
const json = (answer: Response): Promise<any> => answer.json();
const post = async (body: unknown, to = url): Promise<any> =>
  json(await fetch(`${to}/graphql`, { method: 'POST', headers: headers(), body: JSON.stringify(body) }));
const get = async (parameters: Record<string, string>): Promise<any> =>
  json(await fetch(`${url}/graphql?${new URLSearchParams(parameters)}`, { headers: headers() }));
const codeOf = (answer: any): string => answer.errors?.[0].extensions.code;
const byHash = (sha256Hash: string) => ({ persistedQuery: { version: 1, sha256Hash } });

const RELAY_ID = Object.keys(RELAY)[0]!;

describe('a registered operation', () => {
  test.each<[string, object]>([
    ['Apollo Client with its manifest, and urql', { extensions: byHash('avatars-1'), operationName: 'Avatars' }],
    ['a client of automatic persisted queries', { extensions: byHash(sha256(AVATARS)) }],
    ['graphql-codegen, and GraphQL over HTTP', { documentId: 'avatars-1' }],
    ['Relay as it is documented', { doc_id: 'avatars-1', query: null }],
    ['Relay with id', { id: 'avatars-1', query: '' }],
    ['who sends the whole text', { query: AVATARS }],
    [
      'Apollo Client, whose text has other white space and another order',
      { query: print({ ...parse(AVATARS), definitions: parse(AVATARS).definitions.toReversed() }) },
    ],
    ['who sends text and id', { query: AVATARS, extensions: byHash('avatars-1') }],
    ['a client that hashes its own text', { query: `${AVATARS}\n`, extensions: byHash(sha256(`${AVATARS}\n`)) }],
  ])('is answered to %s', async (_, body) => {
    const { data, errors } = await post({ ...body, variables: { first: 5 } });
    expect([errors, data]).toEqual([undefined, { avatars: { nodes: [], __typename: 'AvatarConnection' } }]);
  });

  test('is answered by GET, which changes nothing here either', async () => {
    const me = { data: { me: { userId: ada.userId } } };
    expect(await get({ doc_id: RELAY_ID, variables: '{}' })).toEqual(me);
    expect(await get({ extensions: JSON.stringify(byHash(RELAY_ID)), operationName: 'Me' })).toEqual(me);
    expect(await get({ query: ME })).toEqual(me);
    const variables = JSON.stringify({ id: 'avt_none', name: 'Eve' });
    expect(codeOf(await get({ documentId: 'rename', variables }))).toBe('BAD_REQUEST');
    expect(codeOf(await post({ documentId: 'rename', variables: { id: 'avt_none', name: 'Eve' } }))).toBe('NOT_FOUND');
  });

  test('is followed by server-sent events and WebSocket, by its id and by its text', async () => {
    const avatarId = await makeAvatar(t, ada);
    const body = { avatarOwnerUserId: ada.userId, avatarId };
    const { shareSlug: slug, conversationId } = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
    await t.rest('POST', `/conversations/${conversationId}/turn`, {
      as: ada.apiKey,
      body: { userText: 'Hi', output: 'text' },
    });
    const said = { data: { turnUpdated: { turn: { userText: 'Hi' } } } };
    const variables = { slug, after: '0' };
    const authorization = `Bearer ${ada.session}`;
    const sse = createSseClient({ url: `${url}/graphql`, headers: { authorization }, retryAttempts: 0 });
    const ws = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
      retryAttempts: 0,
    });
    try {
      for (const named of [{ query: FOLLOW }, { query: '', extensions: byHash('follow') }]) {
        for (const client of [sse, ws]) {
          const updates = client.iterate({ ...named, variables });
          expect((await updates.next()).value).toEqual(said);
          await updates.return?.();
        }
      }
      for (const other of ['{ me { userId } }', 'subscription { balanceUpdated { cursor } }']) {
        const { value } = await sse.iterate({ query: other }).next();
        expect(codeOf(value)).toBe('UNTRUSTED_DOCUMENT');
        const [thrown] = (await ws
          .iterate({ query: other })
          .next()
          .catch((errors) => errors)) as any[];
        expect(thrown.extensions.code).toBe('UNTRUSTED_DOCUMENT');
      }
    } finally {
      sse.dispose();
      await ws.dispose();
    }
  });
});

describe('what is not registered', () => {
  test.each<[string, object, string]>([
    ['another text', { query: '{ me { userId email } }' }, 'UNTRUSTED_DOCUMENT'],
    ['a registered one with a field more', { query: ME.replace('userId', 'userId email') }, 'UNTRUSTED_DOCUMENT'],
    ['two at once', { query: `${ME}\n${AVATARS}`, operationName: 'Me' }, 'UNTRUSTED_DOCUMENT'],
    ['the schema', { query: getIntrospectionQuery() }, 'UNTRUSTED_DOCUMENT'],
    ['what is no GraphQL', { query: '{' }, 'UNTRUSTED_DOCUMENT'],
    ['another id', { documentId: 'none' }, 'UNTRUSTED_DOCUMENT'],
    ['an id that is none', { id: { toString: 'avatars-1' } }, 'UNTRUSTED_DOCUMENT'],
    ['a text with the id of another', { query: AVATARS, id: 'rename' }, 'UNTRUSTED_DOCUMENT'],
    ['nothing', {}, 'UNTRUSTED_DOCUMENT'],
    ['a list', [{ query: ME }], 'UNTRUSTED_DOCUMENT'],
    // Its client sends the text next, which is then looked at.
    ['a hash', { extensions: byHash('0'.repeat(64)) }, 'PERSISTED_QUERY_NOT_FOUND'],
    [
      'a hash with its text',
      { query: '{ __typename }', extensions: byHash(sha256('{ __typename }')) },
      'UNTRUSTED_DOCUMENT',
    ],
  ])('is refused: %s', async (_, body, code) => {
    const answer = await post(body);
    expect([codeOf(answer), answer.data]).toEqual([code, undefined]);
    const { errorKinds } = (await t.graphql<any>('{ errorKinds { code } }')).body.data;
    expect(errorKinds).toContainEqual({ code });
  });

  test('is what no caller can teach the server', async () => {
    const query = '{ __typename }';
    const both = { query, extensions: byHash(sha256(query)) };
    expect((await post(both, t.url)).data).toEqual({ __typename: 'Query' });
    for (const body of [both, { extensions: byHash(sha256(query)) }]) expect((await post(body)).data).toBeUndefined();
  });
});

test('every operation that the pages’ scripts send is one of theirs', () => {
  const names = new Set(ownDocuments().map((text) => /\b(?:query|mutation|subscription) (\w+)/.exec(text)?.[1]));
  const bundles = fileURLToPath(new URL('../../dist/src/pages/assets/', import.meta.url));
  // The IDE's are examples of what users write there.
  const scripts = readdirSync(bundles).filter((name) => name.endsWith('.js') && name !== 'graphql-ide.js');
  const sent = scripts.flatMap((name) => [
    ...readFileSync(bundles + name, 'utf8').matchAll(/\b(?:query|mutation|subscription) ([A-Z]\w*)[ ({]/g),
  ]);
  expect(sent.length).toBeGreaterThan(10);
  expect(sent.map(([, name]) => name).filter((name) => !names.has(name))).toEqual([]);
});

test('what pages and REST ask goes on', async () => {
  const asked = ownDocuments();
  expect(asked.length).toBeGreaterThan(5);
  for (const query of asked) expect(codeOf(await post({ query }))).not.toBe('UNTRUSTED_DOCUMENT');
  expect((await fetch(`${url}/avatars`, { headers: headers() }).then(json)).avatars).toHaveLength(1);
});

describe('a file', () => {
  test.each<[string, unknown, RegExp]>([
    ['that is not there', undefined, /^TRUSTED_DOCUMENTS names \S+, which cannot be read: ENOENT.*\.$/],
    ['that is no JSON', 'query {', /^TRUSTED_DOCUMENTS names \S+, which is not JSON\.$/],
    ['of another form', [ME], /^TRUSTED_DOCUMENTS names \S+, which is neither an Apollo manifest .*\.$/],
    ['of another version', { ...MANIFEST, version: 2 }, /which is neither an Apollo manifest .*\.$/],
    ['without texts', { ...MANIFEST, operations: [{ id: '1' }] }, /which is neither an Apollo manifest .*\.$/],
    [
      'with a text that is no GraphQL',
      { one: 'query {' },
      /whose operation one cannot be read: Syntax Error: [^.]*\.$/,
    ],
    ['with another text of a known id', { rename: ME }, /whose operation rename has another text elsewhere\.$/],
  ])('%s stops the start with one sentence', async (name, content, sentence) => {
    const good = await file('good.json', RELAY);
    const where = content === undefined ? path.join(folder, 'none.json') : await file(`${name.length}.json`, content);
    const check = checkTrustedDocuments(readConfig({ TRUSTED_DOCUMENTS: `${good}, ${where}` }));
    await expect(check).rejects.toMatchObject({ name: 'ConfigError', message: expect.stringMatching(sentence) });
  });

  test('may name what is written twice, and nothing at all', async () => {
    const [same, empty] = [await file('same.json', RELAY), await file('empty.json', {})];
    expect(readTrustedDocuments([same, same, empty]).size).toBe(Object.keys(RELAY).length);
    await expect(checkTrustedDocuments(readConfig({}))).resolves.toBeUndefined();
  });
});
