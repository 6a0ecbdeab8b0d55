/**
 * The OpenAPI document against the documented endpoints, the table and the answers themselves: every documented endpoint is a row, every
 * row is described, the served document is the committed one, and what each endpoint answers is what it says.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { FILE_ENDPOINTS } from '../../rest-compat/openapi-files.ts';
import { ROUTES } from '../../rest-compat/routes/index.ts';
import { CALLERS, createWorld, REST_ACCESS, type World } from '../support/access-table.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

/** The documented endpoints, line by line. What we add to them is not in this list. */
const DOCUMENTED = `
  POST /api-keys, GET /api-keys, DELETE /api-keys/{id},
  GET /avatars, POST /avatars, PATCH /avatars/{avatarId}, GET /avatars/public, POST /avatars/{avatarId}/public,
  GET /voices, POST /avatars/{avatarId}/voice, POST /avatars/{avatarId}/train, GET /avatars/{avatarId}/images,
  GET /avatar-folders, POST /avatar-folders, DELETE /avatar-folders/{folderId},
  POST /avatars/{avatarId}/brain/pages, POST /avatars/{avatarId}/brain/recall, POST /avatars/{avatarId}/brain/query,
  DELETE /avatars/{avatarId}/brain/sandboxes/{sandboxId},
  POST /avatars/{avatarId}/speak, GET /avatars/speak/{generationId},
  POST /conversations, POST /conversations/{conversationId}/turn, POST /conversations/{conversationId}/visibility,
  GET /conversations/by-slug/{slug}, POST /conversations/{conversationId}/avatar-image,
  POST /conversations/{conversationId}/access-link,
  POST /images/generate, POST /images/edit,
  POST /videos/generate, GET /videos/{generationId}, GET /videos/pricing,
  POST /oauth/clients, GET /oauth/clients, DELETE /oauth/clients/{clientId}, PATCH /oauth/clients/{clientId},
  POST /oauth/token, GET /oauth/userinfo, GET /oauth/grants, DELETE /oauth/grants/{tokenId},
  GET /tribes/{user}, GET /tribes/{user}/membership, POST /tribes/{user}/join,
  POST /donations/intents, GET /donations/intents/{intentId}, POST /donations/intents/{intentId}/confirm,
  POST /donations/intents/{intentId}/cancel, GET /donations/sent`
  .split(',')
  .map((line) => line.trim());

const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  $ref?: string;
  anyOf?: Schema[];
  allOf?: Schema[];
}

const typeOf = (value: unknown): string[] => {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  return Number.isInteger(value) ? ['integer', 'number'] : [typeof value];
};

/** Where a value is not what the schema says; a field that the schema does not name is a fault too. */
function faults(schema: Schema, value: unknown, at = ''): string[] {
  if (schema.$ref) return faults(served.components.schemas[schema.$ref.split('/').at(-1)!], value, at);
  if (schema.anyOf) {
    const all = schema.anyOf.map((one) => faults(one, value, at));
    return all.find((found) => found.length === 0) ?? all[0]!;
  }
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (types && !typeOf(value).some((type) => types.includes(type))) return [`${at}: ${typeOf(value)} is not ${types}`];
  if (value !== null && schema.enum && !schema.enum.includes(value)) return [`${at}: ${value} is none of the values`];
  if (Array.isArray(value)) return value.flatMap((item, i) => faults(schema.items ?? {}, item, `${at}[${i}]`));
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`);
  const inner = Object.entries(value).flatMap(([name, item]) => {
    const described = schema.properties![name];
    return described ? faults(described, item, `${at}.${name}`) : [`${at}.${name} is not described`];
  });
  return [...missing, ...inner];
}

let t: TestApp;
let world: World;
let served: any;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  world = await createWorld(t);
  served = (await t.rest('GET', '/openapi.json')).body;
});
afterAll(() => t.close());

test('the served document is the committed one', () => {
  // The one that is committed names the addresses of this machine.
  const committed = readFileSync('rest-compat/openapi.json', 'utf8');
  const { BASE_URL } = t.app.config;
  expect(served).toEqual(JSON.parse(committed.replaceAll('"http://localhost:4000', `"${BASE_URL}`)));
  expect(served.info.version).toBe('1.2.0');
});

test('every documented endpoint is a row', () => {
  const rows = new Set(ROUTES.map(nameOf));
  expect(DOCUMENTED.filter((name) => !rows.has(name))).toEqual([]);
});

test('every row is described, and nothing else is', () => {
  const described = Object.entries<object>(served.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual([...ROUTES, ...FILE_ENDPOINTS].map(nameOf).sort());
});

test('every status that some caller gets is described, and every operation says where it is shown', () => {
  for (const [name, { statuses }] of Object.entries(REST_ACCESS)) {
    const [method = '', path = ''] = name.split(' ');
    const { responses, externalDocs, tags, operationId } = served.paths[path][method.toLowerCase()];
    const missing = [...new Set(statuses)].filter((status) => !(status in responses));
    expect([name, missing]).toEqual([name, []]);
    expect(externalDocs.url).toBe(`${t.app.config.SITE_URL}/docs#/${encodeURIComponent(tags[0])}/${operationId}`);
  }
});

test('every path parameter is described and required', () => {
  for (const route of ROUTES) {
    const { parameters = [] } = served.paths[route.path][route.method.toLowerCase()];
    const inPath = parameters.filter((parameter: any) => parameter.in === 'path');
    expect(inPath.map((parameter: any) => `{${parameter.name}}`)).toEqual(route.path.match(/\{\w+\}/g) ?? []);
    expect(inPath.every((parameter: any) => parameter.required)).toBe(true);
  }
});

describe('what is answered is what is described', () => {
  test.each(ROUTES.filter((route) => !route.oauth).map((route) => [nameOf(route), route] as const))(
    '%s',
    async (name, route) => {
      const row = REST_ACCESS[name]!;
      const caller = [...CALLERS].reverse().find((_, i) => row.statuses[CALLERS.length - 1 - i]! < 300)!;
      const call = (await row.request?.(world, caller)) ?? {};
      const path = route.path.replace(/\{(\w+)\}/g, (_, parameter) => call.path![parameter]!) + (call.query ?? '');
      const as = call.as ?? world.tokens[caller];
      const { status, body } = await t.rest(route.method, path, {
        ...(as ? { as } : {}),
        ...(call.body === undefined ? {} : { body: call.body }),
      });
      const { responses } = served.paths[route.path][route.method.toLowerCase()];
      expect(Object.keys(responses)).toContain(String(status));
      expect(faults(responses[status].content['application/json'].schema, body)).toEqual([]);
    },
  );

  test('POST /uploads', async () => {
    const form = new FormData();
    const dots = sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } });
    form.set('file', new Blob([new Uint8Array(await dots.png().toBuffer())]), 'dots.png');
    const answer = await fetch(`${t.url}/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.owner.apiKey}` },
      body: form,
    });
    const { schema } = served.paths['/uploads'].post.responses[answer.status].content['application/json'];
    expect([answer.status, faults(schema, await answer.json())]).toEqual([200, []]);
  });

  test('a refusal is what its schema says', async () => {
    const { status, body } = await t.rest('POST', '/avatars', { as: world.owner.apiKey, body: {} });
    expect(status).toBe(400);
    expect(faults(served.components.schemas.Error, body)).toEqual([]);
  });
});
