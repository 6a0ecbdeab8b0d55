/** The graph as a subgraph of Federation 2: composed by Apollo's own composition, and asked as a router asks. */
import { composeServices } from '@apollo/composition';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { pointsOf } from '../../resolvers/limits.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { Documents } from '../../src/services/live/transport/document.cache.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

/** Another subgraph, which knows of avatars what we do not. */
const SHOP = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.0", import: ["@key", "@shareable"])
  type Avatar @key(fields: "id") { id: ID! merchandise(first: Int): [Product!]! }
  type Product @key(fields: "sku") { sku: ID! name: String! model: Avatar! }
  type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Query { products: [Product!]! }
`;
/** As a router asks for what the shop's products are of. */
const ENTITIES = `query Products__avatars__1($representations: [_Any!]!) {
  _entities(representations: $representations) { __typename ... on Avatar { displayName conversations(first: 1) { nodes { id } } } }
}`;

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
let server: RunningServer;
let url: string;

beforeAll(async () => {
  t = await openTestApp();
  [ada, bob] = [await t.person('Ada'), await t.person('Bob')];
  avatarId = await makeAvatar(t, ada);
  server = await startServer({ ...t.app, config: { ...t.app.config, PORT: await freePort(), FEDERATION: 'on' } });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(async () => {
  await server.close();
  await t.close();
});

async function ask(query: string, { as, ...variables }: Record<string, unknown> = {}): Promise<any> {
  const headers = { 'content-type': 'application/json', ...(as ? { authorization: `Bearer ${as}` } : {}) };
  const body = JSON.stringify({ query, variables });
  const answer = await fetch(`${url}/graphql`, { method: 'POST', headers, body });
  return answer.json();
}

/** How many points of the budget of requests a document takes. */
function pointsOfQuery(query: string, variables: Record<string, unknown> = {}): number {
  const { schema } = server.executor;
  const checked = new Documents(schema).check({ query });
  if ('errors' in checked) throw checked.errors[0];
  return pointsOf(schema, checked.document, variables);
}

test('is composed with another subgraph that extends its avatars', async () => {
  const { sdl } = (await ask('{ _service { sdl } }')).data._service;
  const { errors, supergraphSdl } = composeServices([
    { name: 'avatars', url: `${url}/graphql`, typeDefs: parse(sdl) },
    { name: 'shop', url: 'http://localhost:1', typeDefs: parse(SHOP) },
  ]);
  expect(errors).toBeUndefined();
  expect(supergraphSdl).toMatch(
    /^type Avatar[^{]+@join__type\(graph: AVATARS, key: "id"\)[^{]+@join__type\(graph: SHOP, key: "id"\)/m,
  );
  expect(supergraphSdl).toContain('merchandise(first: Int): [Product!]! @join__field(graph: SHOP)');
  expect(supergraphSdl).toMatch(/^type Subscription/m);
});

describe('entities', () => {
  test('are read in their order by callers who may read them, and withheld from others', async () => {
    const representations = [
      { __typename: 'Avatar', id: avatarId },
      { __typename: 'User', id: ada.userId },
      { __typename: 'Avatar', id: 'avt_none' },
      // Of another type than its id is.
      { __typename: 'Video', id: avatarId },
      { __typename: 'Avatar', id: avatarId },
    ];
    const avatar = { __typename: 'Avatar', displayName: 'Nova', conversations: { nodes: [] } };
    // The third time it is compiled.
    for (let time = 0; time < 4; time += 1) {
      const { data, errors } = await ask(ENTITIES, { as: ada.session, representations });
      expect([errors, data._entities]).toEqual([undefined, [avatar, { __typename: 'User' }, null, null, avatar]]);
    }
    for (const as of [bob.session, undefined]) {
      const { data } = await ask(ENTITIES, { as, representations });
      expect(data._entities).toEqual(representations.map(() => null));
    }
  });

  test('are bounded and counted like nodes', async () => {
    const representations = Array.from({ length: 60 }, (_, index) => ({ __typename: 'Avatar', id: `avt_${index}` }));
    expect(pointsOfQuery(ENTITIES, { representations })).toBe(60);
    const tooMany = [...representations, ...representations];
    const { errors } = await ask(ENTITIES, { as: ada.session, representations: tooMany });
    expect(errors[0]).toMatchObject({
      message: 'representations must have at most 100 items.',
      extensions: { code: 'BAD_INPUT' },
    });
    const deep = ENTITIES.replace('nodes { id }', 'nodes { turns(first: 100) { nodes { id } } }').replace(
      'first: 1)',
      'first: 100)',
    );
    expect((await ask(deep, { representations })).errors[0].message).toMatch(/^The answer could have \d+ objects/);
  });

  test.each([[{ __typename: 'Avatar' }], [{ id: 'avt_1' }], ['avt_1'], [{ __typename: 'Avatar', id: 1 }]])(
    'need a type and an id: %j',
    async (representation) => {
      const { errors } = await ask(ENTITIES, { representations: [representation] });
      expect(errors[0]).toMatchObject({ extensions: { code: 'BAD_INPUT', field: 'representations' } });
    },
  );
});

test('its SDL is asked for once, and is counted by its length', async () => {
  expect(pointsOfQuery('{ _service { sdl } }')).toBeGreaterThan(5);
  for (const query of ['{ a: _service { sdl } b: _service { sdl } }', '{ _service { a: sdl b: sdl } }']) {
    expect((await ask(query)).errors[0].message).toBe('The SDL is asked for once.');
  }
});

test('enumerations have the documented values here too, and a member of a union has its type', async () => {
  expect(server.executor.schema.getType('MemorySystemInput')).toMatchObject({ isOneOf: true });
  const query =
    'mutation($input: InjectTurnInput!) { injectTurn(conversationId: "cnv_none", input: $input) { async } }';
  const { errors } = await ask(query, { input: { userText: 'Hi', output: 'smell' } });
  expect(errors[0].message).toBe('output must be one of text, audio, video.');
});

test('is off unless it is asked for, and goes together with no trusted documents', async () => {
  const { data } = (await t.graphql<any>('{ __type(name: "_Entity") { name } }')).body;
  expect(data).toEqual({ __type: null });
  expect((await t.graphql('{ _service { sdl } }')).body.errors?.[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(() => readConfig({ FEDERATION: 'on', TRUSTED_DOCUMENTS: 'a.json' })).toThrow(
    'TRUSTED_DOCUMENTS must not be set when FEDERATION is on: a router writes operations of its own.',
  );
});
