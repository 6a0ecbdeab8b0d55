/**
 * The two executions behind every transport are one: each operation of the REST table gives the same data and
 * the same errors compiled by graphql-jit as interpreted by graphql-js. Mutations are never compiled.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getOperationAST, execute as interpret, parse } from 'graphql';
import { compileQueries } from '../../resolvers/compiled-queries.ts';
import { createExecutor, type Executor } from '../../resolvers/execute.ts';
import { createLoaders } from '../../resolvers/loaders.ts';
import { ROUTES, type Route } from '../../rest-compat/routes/index.ts';
import { CALLERS, type CallerName, createWorld, REST_ACCESS, type World } from '../support/access-table.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;
let world: World;
let compiled: Executor;

beforeAll(async () => {
  t = await openTestApp();
  world = await createWorld(t);
  // Speech is asked for below, and wants one.
  const voice = { as: world.owner.apiKey, body: { voiceId: 'noop' } };
  await t.rest('POST', `/avatars/${world.avatarId}/voice`, voice);
  compiled = createExecutor(compileQueries(t.server.executor.schema), t.app.services);
});
afterAll(() => t.close());

const contextOf = async (token: string | undefined): Promise<any> => {
  const principal = await t.app.credentials.principalOf(token && `Bearer ${token}`);
  const context = { log: t.app.log, requestId: 'req_test', address: '127.0.0.1' };
  return principal ? { ...context, principal } : context;
};

/** What the executor makes of it for resolvers. */
const withServices = (context: any) => {
  const { services } = t.app;
  return { ...context, services, loaders: createLoaders(services, context.principal) };
};

const shown = (result: any) =>
  JSON.parse(
    JSON.stringify({
      data: result.data ?? null,
      errors: result.errors?.map(({ message, path }: any) => ({ message, path })) ?? [],
    }),
  );

/** The result of both; the compiled one is really compiled. */
async function both(text: string, variables: Record<string, unknown>, token: string | undefined) {
  const document = parse(text);
  compiled.prepare(document);
  const fast = await compiled.execute({ document, variables, context: await contextOf(token) });
  const slow = await interpret({
    schema: t.server.executor.schema,
    document,
    variableValues: variables,
    contextValue: withServices(await contextOf(token)),
  });
  return { fast: shown(fast), slow: shown(slow) };
}

/** What the endpoint's call means to its operation. */
async function variablesOf(route: Route, caller: CallerName): Promise<Record<string, unknown>> {
  const call = (await REST_ACCESS[`${route.method} ${route.path}`]!.request?.(world, caller)) ?? {};
  const body = (call.body ?? {}) as Record<string, unknown>;
  const query = Object.fromEntries(new URLSearchParams(call.query));
  const names = getOperationAST(parse(route.operation))!.variableDefinitions!.map(
    ({ variable }) => variable.name.value,
  );
  const given = { ...query, ...body, ...call.path, input: body } as Record<string, unknown>;
  return Object.fromEntries(names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
}

const isQuery = (route: Route) => getOperationAST(parse(route.operation))!.operation === 'query';
/** Some are off unless they are configured. */
const isThere = ({ method, path }: Route) => REST_ACCESS[`${method} ${path}`]!.statuses.some((status) => status < 300);
const queries = ROUTES.filter((route) => isQuery(route) && isThere(route)).map(
  (route) => [`${route.method} ${route.path}`, route] as const,
);

describe('every query of the table', () => {
  test.each(queries)('%s: the same data for a caller who may read it', async (name, route) => {
    const { statuses } = REST_ACCESS[name]!;
    const caller = CALLERS.find((_, i) => statuses[i]! < 300)!;
    const { fast, slow } = await both(route.operation, await variablesOf(route, caller), world.tokens[caller]);
    expect(slow.errors).toEqual([]);
    expect(fast).toEqual(slow);
  });

  test.each(queries)('%s: the same error for a caller who may not', async (name, route) => {
    const { statuses } = REST_ACCESS[name]!;
    const caller = CALLERS.find((_, i) => statuses[i]! >= 400) ?? 'noToken';
    const variables = await variablesOf(route, 'apiKey');
    const { fast, slow } = await both(route.operation, variables, world.tokens[caller]);
    expect(fast).toEqual(slow);
  });
});

test('every tag of the table, too', async () => {
  for (const route of ROUTES) {
    if (!route.tag) continue;
    const { fast, slow } = await both(route.tag, await variablesOf(route, 'apiKey'), world.owner.apiKey);
    expect(slow.errors).toEqual([]);
    expect(fast).toEqual(slow);
  }
});

test('aliases, fragments and directives of a client’s own document', async () => {
  const text = `query($with: Boolean! = false, $n: Int = 2) {
    mine: avatars { nodes { ...Names nameLocked @include(if: $with) } totalCount pageInfo { endCursor } }
    public: publicAvatars(first: $n) { edges { cursor node { avatarId } } } me { userId } }
    fragment Names on Avatar { name: displayName owner: avatarOwnerDisplayName }`;
  for (const variables of [{}, { with: true }, { n: null }]) {
    const { fast, slow } = await both(text, variables, world.owner.session);
    expect(slow.errors).toEqual([]);
    expect(fast).toEqual(slow);
  }
});
