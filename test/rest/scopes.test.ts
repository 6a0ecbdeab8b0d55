/**
 * Who may call what, as one matrix: every endpoint, every other root field of GraphQL and the subscription x every kind of
 * caller, with the exact status in each cell. The table is test/support/access-table.ts.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { prepareRoutes } from '../../rest-compat/operations.ts';
import { ROUTES } from '../../rest-compat/routes/index.ts';
import { ruleOf } from '../../src/auth/allow.ts';
import { ERRORS, type ErrorCode } from '../../src/kernel/errors.ts';
import {
  CALLERS,
  type Call,
  type CallerName,
  createWorld,
  GRAPHQL_ACCESS,
  REST_ACCESS,
  type Row,
  SUBSCRIPTION_ACCESS,
  type World,
} from '../support/access-table.ts';
import { openTestApp, type TestApp } from '../support/app.ts';
import { makeClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let world: World;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  world = await createWorld(t);
});
afterAll(() => t.close());

const byCaller = (statuses: readonly number[]) => Object.fromEntries(CALLERS.map((name, i) => [name, statuses[i]]));
const callOf = async (row: Row, caller: CallerName): Promise<Call> => (await row.request?.(world, caller)) ?? {};
const statusOf = (errors: any[] | undefined): number =>
  errors ? (ERRORS[errors[0].extensions.code as ErrorCode]?.status ?? errors[0]) : 200;

/** The statuses that every caller meets, one after the other. */
async function statuses(row: Row, ask: (call: Call, as: string | undefined) => Promise<number>) {
  const met: number[] = [];
  for (const caller of CALLERS) {
    const call = await callOf(row, caller);
    met.push(await ask(call, call.as ?? world.tokens[caller]));
  }
  return byCaller(met);
}

describe('every endpoint x every caller', () => {
  test('every endpoint has a row, and every row an endpoint', () => {
    expect(Object.keys(REST_ACCESS).sort()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test.each(Object.entries(REST_ACCESS))('%s', async (endpoint, row) => {
    const [method, template] = endpoint.split(' ') as [string, string];
    const met = await statuses(row, async ({ path = {}, query = '', body }, as) => {
      const url = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? ''));
      const answer = await t.rest(method, url + query, { ...(as ? { as } : {}), ...(body ? { body } : {}) });
      return answer.status;
    });
    expect(met).toEqual(byCaller(row.statuses));
  });
});

describe('every other root field of GraphQL x every caller', () => {
  const rootFields = () =>
    (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
      Object.keys(t.server.executor.schema.getRootType(kind as never)?.getFields() ?? {}),
    );

  test('every root field says who may call it', () => {
    expect(rootFields().filter((name) => !ruleOf(name))).toEqual([]);
  });

  test('every root field is an endpoint or has a row, and every row is a root field', () => {
    const endpoints = prepareRoutes(t.server.executor).map(({ rootField }) => rootField);
    const rest = rootFields().filter((name) => !endpoints.includes(name));
    expect(Object.keys({ ...GRAPHQL_ACCESS, ...SUBSCRIPTION_ACCESS }).sort()).toEqual(rest.sort());
  });

  test.each(Object.entries(GRAPHQL_ACCESS))('%s', async (_name, row) => {
    const met = await statuses(row, async ({ variables = {} }, as) =>
      statusOf((await t.graphql(row.operation!, variables, as)).body.errors),
    );
    expect(met).toEqual(byCaller(row.statuses));
  });

  test.each(Object.entries(SUBSCRIPTION_ACCESS))('%s', async (_name, row) => {
    const met = await statuses(row, ({ variables = {} }, as) => subscribe(row.operation!, variables, as));
    expect(met).toEqual(byCaller(row.statuses));
  });
});

/** 200 at the first update, or the status of the error. */
async function subscribe(query: string, variables: Record<string, unknown>, as: string | undefined): Promise<number> {
  const client = createClient({
    url: `${t.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    ...(as ? { connectionParams: { authorization: `Bearer ${as}` } } : {}),
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      client.subscribe(
        { query, variables },
        {
          next: ({ errors }) => resolve(statusOf(errors as any[] | undefined)),
          error: (error) => (Array.isArray(error) ? resolve(statusOf(error)) : reject(error)),
          complete: () => reject(new Error('It ended without an update.')),
        },
      );
    });
  } finally {
    await client.dispose();
  }
}

describe('the transports behind the matrix', () => {
  test('the same operation through GraphQL meets the same rule', async () => {
    for (const [as, status] of [
      [world.tokens.profile, 403],
      [world.tokens['avatars:read'], 200],
      [undefined, 401],
    ] as const) {
      const { body } = await t.graphql('{ avatars { nodes { avatarId } } }', {}, as);
      expect(statusOf(body.errors)).toBe(status);
    }
  });

  test('avatars:read shows an app no personality and no pages, which the consent page says', async () => {
    const body = { displayName: 'Mona', personalityPrompt: 'Shy.', knowledgeBaseUrls: ['https://example.com/'] };
    const { avatarId } = (await t.rest('POST', '/avatars', { as: world.owner.apiKey, body })).body;
    const seenBy = async (as: string) =>
      (await t.rest('GET', '/avatars', { as })).body.avatars.find((avatar: any) => avatar.avatarId === avatarId);
    const mine = await seenBy(world.owner.apiKey);
    expect(mine).toMatchObject({ ...body, avatarOwnerUserId: world.owner.userId });
    const shown = await seenBy(world.tokens['avatars:read']!);
    expect(shown).toEqual({ ...mine, personalityPrompt: null, knowledgeBaseUrls: [] });
    const query = '{ avatars { nodes { avatarId personalityPrompt knowledgeBaseUrls gemRef nonOwnerCapPerDay } } }';
    const asked = await t.graphql<any>(query, {}, world.tokens['avatars:read']);
    expect(asked.body.data.avatars.nodes.find((avatar: any) => avatar.avatarId === avatarId)).toEqual({
      avatarId,
      personalityPrompt: null,
      knowledgeBaseUrls: [],
      gemRef: null,
      nonOwnerCapPerDay: null,
    });
  });

  test('a token reads and writes only what its own app started', async () => {
    const other = await makeClient(t, world.owner, { scopes: ['generate'] });
    const token = await tokenFor(t, world.owner, world.avatarId, other, 'generate');
    for (const caller of ['apiKey', 'generate'] as const) {
      const { conversationId, shareSlug } = world.conversation(caller);
      const answers = [
        await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: token }),
        await t.rest('POST', `/conversations/${conversationId}/turn`, { as: token, body: { userText: 'Hi' } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403]);
      const read = 'subscription($slug: String!) { turnUpdated(slug: $slug, after: "0") { cursor } }';
      expect(await subscribe(read, { slug: shareSlug }, token)).toBe(403);
    }
  });

  test('what one app was answered under an Idempotency-Key is no answer to another app', async () => {
    const other = await makeClient(t, world.owner, { scopes: ['tribes'] });
    const tokens = [
      await tokenFor(t, world.owner, world.avatarId, other, 'tribes'),
      await tokenFor(t, world.owner, world.avatarId, world.client, 'tribes'),
    ];
    const creator = await t.person('Creator');
    const headers = { 'idempotency-key': 'shared' };
    const joined = [];
    for (const as of tokens) joined.push(await t.rest('POST', `/tribes/${creator.userId}/join`, { as, headers }));
    expect(joined.map(({ status }) => status)).toEqual([200, 400]);
    expect(joined[1]!.body.code).toBe('ALREADY_MEMBER');
  });

  test('a token revokes itself and no other', async () => {
    const [mine, theirs] = await Promise.all(
      ['profile', 'generate'].map((scope) => tokenFor(t, world.owner, world.avatarId, world.client, scope)),
    );
    const idOf = async (token: string) => (await t.app.credentials.principalOf(`Bearer ${token}`))!.credentialId;
    const id = await idOf(theirs!);
    expect((await t.rest('DELETE', `/oauth/grants/${id}`, { as: mine! })).status).toBe(404);
    expect((await t.rest('DELETE', `/oauth/grants/${id}`, { as: theirs! })).status).toBe(200);
    expect((await t.rest('DELETE', `/oauth/grants/${await idOf(mine!)}`, { as: theirs! })).status).toBe(401);
  });

  test('a missing scope is named', async () => {
    const { body } = await t.rest('GET', '/voices', { as: world.tokens.profile! });
    expect(body).toMatchObject({
      error: 'The access token lacks the scope avatars:read or generate.',
      code: 'MISSING_SCOPE',
    });
  });
});
