/** Introspection as tools send it is answered; as a lever (little in, much out) it is refused, and what is dear counts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, parse, print } from 'graphql';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { RATES } from '../../src/auth/rate-limits.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await openTestApp({ env: { RATE_LIMITS: 'on' } });
});
afterAll(() => t.close());

type Answer = { data?: any; errors?: readonly any[] };

const overHttp = async (query: string): Promise<Answer> => {
  const response = await fetch(`${t.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
};
const overSocket = async (query: string): Promise<Answer> => {
  const client = createClient({ url: `${t.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
  try {
    return await new Promise<Answer>((resolve, reject) =>
      client.subscribe(
        { query },
        {
          next: (answer) => resolve(answer as Answer),
          error: (errors) => (Array.isArray(errors) ? resolve({ errors }) : reject(errors)),
          complete: () => {},
        },
      ),
    );
  } finally {
    await client.dispose();
  }
};
const WAYS: [string, (query: string) => Promise<Answer>][] = [
  ['HTTP', overHttp],
  ['WebSocket', overSocket],
];

const FULL = getIntrospectionQuery({ descriptions: true, inputValueDeprecation: true, specifiedByUrl: true });
const TYPES = '{ types { name fields { name args { name type { name } } type { name } } } }';
const aliases = (count: number, of: string): string =>
  Array.from({ length: count }, (__, i) => `a${i}: ${of}`).join(' ');
const nested = (levels: number): string => (levels === 0 ? 'name' : `fields { name type { ${nested(levels - 1)} } }`);

describe.each(WAYS)('over %s', (_, ask) => {
  test.each([
    ['as graphql-js writes it', FULL],
    ['without descriptions', getIntrospectionQuery({ descriptions: false })],
    ['printed anew by a tool', print(parse(FULL)).replaceAll('  ', '\t')],
    ['in words of its own', `query Own ${FULL.slice(FULL.indexOf('{'))}`],
  ])('%s', async (__, query) => {
    const { data, errors } = await ask(query);
    expect(errors).toBeUndefined();
    expect(buildClientSchema(data).getQueryType()!.name).toBe('Query');
  });

  test.each([
    ['thirty aliases', `{ ${aliases(30, `__schema ${TYPES}`)} }`],
    ['thirty aliases of a fragment', `{ ${aliases(30, '__schema { ...f }')} } fragment f on __Schema ${TYPES}`],
    ['aliases within', `{ __schema { ${aliases(29, 'types { fields { name args { name } } }')} } }`],
    ['fields of fields', `{ __schema { types { ${nested(4)} } } }`],
  ])('refused: %s', async (__, query) => {
    const { data, errors } = await ask(query);
    expect(data ?? null).toBeNull();
    expect(errors![0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test.each([
    ['thirty aliases of the names of types', `{ ${aliases(30, '__schema { types { name } }')} }`],
    ['the same by a fragment', `{ ...q } fragment q on Query { ${aliases(30, '__schema { types { name } }')} }`],
    ['the same within', `{ __schema { ${aliases(30, 'types { name }')} } }`],
    ['thirty types', `{ ${aliases(30, '__type(name: "Query") { fields { name } }')} }`],
    [
      'a few, beside what costs by itself',
      `{ ${aliases(6, '__schema { types { name } }')} conversations(first: 1000) { nodes { shareSlug } } }`,
    ],
  ])('refused by the rule on cost: %s', async (__, query) => {
    const { data, errors } = await ask(query);
    expect(data ?? null).toBeNull();
    expect(errors![0]).toMatchObject({
      message: expect.stringMatching(/^Syntax Error: Query Cost limit of 6000 exceeded, found \d+\.$/),
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    });
  });

  test('a few aliases are answered', async () => {
    const { data, errors } = await ask('{ a: __schema { types { name } } b: __type(name: "Query") { name } }');
    expect(errors).toBeUndefined();
    expect(data.a.types.length).toBeGreaterThan(50);
    expect(data.b).toEqual({ name: 'Query' });
  });
});

/** What a request takes of the budget of its address. */
const pointsOf = async (query: string, variables: object = {}): Promise<number> => {
  const left = async (text: string): Promise<number> => {
    const { headers } = await t.rest('POST', '/graphql', { body: { query: text, variables } });
    return Number(headers.get('ratelimit-remaining'));
  };
  const before = await left('{ __typename }');
  await left(query);
  return before - (await left('{ __typename }')) - 1;
};

test('the budget of requests counts what a document is answered with, prepared answers by their length', async () => {
  expect(await pointsOf('{ __typename }')).toBe(1);
  const aFew = await pointsOf(`{ ${aliases(3, '__schema { types { name } }')} }`);
  expect(aFew).toBeGreaterThan(5);
  expect(await pointsOf(`{ ${aliases(2, '__schema { types { name } }')} }`)).toBeLessThan(aFew);
  expect(await pointsOf(FULL)).toBeGreaterThan(5);
  expect(await pointsOf(FULL)).toBeLessThan(50);
});

test('things by their ids cost as many requests as there are ids, in the document as in a variable', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `avt_${i}`);
  expect(await pointsOf(`{ nodes(ids: ${JSON.stringify(ids)}) { id } }`)).toBe(40);
  expect(await pointsOf('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids })).toBe(40);
  expect(await pointsOf('query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids: ['avt_1'] })).toBe(1);
});

test('a dear document takes more of the budget than one request', async () => {
  const dear = FULL.replace('IntrospectionQuery', 'Mine');
  expect(await pointsOf(dear)).toBeGreaterThan(50);
  let refused = false;
  for (let i = 0; i < RATES.request.points / 50 && !refused; i += 1) {
    // Before the document is looked at, where the one before took the last point: in the words of REST.
    const { body, status, headers } = await t.rest('POST', '/graphql', { body: { query: dear } });
    refused = (body.code ?? body.errors?.[0].extensions.code) === 'RATE_LIMITED';
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual(refused ? [429, true] : [200, false]);
  }
  expect(refused).toBe(true);
});
