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
    ['thirty aliases', `{ ${Array.from({ length: 30 }, (__, i) => `a${i}: __schema ${TYPES}`).join(' ')} }`],
    [
      'thirty aliases of a fragment',
      `{ ${Array.from({ length: 30 }, (__, i) => `a${i}: __schema { ...f }`).join(' ')} } fragment f on __Schema ${TYPES}`,
    ],
    [
      'aliases within',
      `{ __schema { ${Array.from({ length: 29 }, (__, i) => `a${i}: types { fields { name args { name } } }`).join(' ')} } }`,
    ],
    ['fields of fields', `{ __schema { types { ${nested(4)} } } }`],
  ])('refused: %s', async (__, query) => {
    const { data, errors } = await ask(query);
    expect(data ?? null).toBeNull();
    expect(errors![0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

test('a dear document takes more of the budget than one request', async () => {
  const dear = FULL.replace('IntrospectionQuery', 'Mine');
  const left = async (query: string): Promise<number> => {
    const { headers } = await t.rest('POST', '/graphql', { body: { query } });
    return Number(headers.get('ratelimit-remaining'));
  };
  const before = await left('{ __typename }');
  await left(dear);
  const after = await left('{ __typename }');
  expect(before - after).toBeGreaterThan(50);
  let refused = false;
  for (let i = 0; i < RATES.request.points / 50 && !refused; i += 1) {
    const { errors } = await overHttp(dear);
    refused = errors?.[0].extensions.code === 'RATE_LIMITED';
  }
  expect(refused).toBe(true);
});
