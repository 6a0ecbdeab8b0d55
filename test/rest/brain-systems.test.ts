/** External memory systems through REST: the same endpoints, failures as 502, credentials unseen. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { isObjectType } from 'graphql';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type FakeSystem, startMem0, startSupermemory } from '../support/brain-servers.ts';

const SELECT = `mutation($avatarId: ID!, $system: String!, $baseUrl: String, $apiKey: String) {
  selectBrainSystem(avatarId: $avatarId, system: $system, baseUrl: $baseUrl, apiKey: $apiKey) { avatarId brainSystem } }`;

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
const servers: Record<string, FakeSystem> = {};

beforeAll(async () => {
  servers.mem0 = await startMem0();
  servers.supermemory = await startSupermemory();
  const hosts = Object.values(servers).map(({ url }) => new URL(url).host);
  t = await openTestApp({ env: { FETCH_ALLOW_HOSTS: hosts.join(',') } });
  ada = await t.person('Ada');
  bob = await t.person('Bob');
  eve = await t.person('Eve');
});
afterAll(async () => {
  await t.close();
  for (const server of Object.values(servers)) await server.stop();
});

async function newAvatar(): Promise<string> {
  const body = { displayName: 'Nova', publiclyRenderable: true };
  return (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
}
const select = (avatarId: string, system: string, settings: object = {}, as = ada.session) =>
  t.graphql(SELECT, { avatarId, system, ...settings }, as);
const call = (avatar: string, what: string, body: object, as = ada.apiKey) =>
  t.rest('POST', `/avatars/${avatar}/brain/${what}`, { as, body });
const words = async (avatar: string, body: object = {}, as = ada.apiKey) => {
  const answer = await call(avatar, 'recall', { query: 'secret word', limit: 50, ...body }, as);
  return answer.body.memories
    .map(({ content }: any) => content.split(' ').at(-1))
    .sort()
    .join(' ');
};

describe.each(['mem0', 'supermemory'])('%s', (system) => {
  let avatar: string;
  let server: FakeSystem;
  const settings = () => ({ baseUrl: server.url, apiKey: 'right-key' });

  beforeAll(async () => {
    server = servers[system]!;
    avatar = await newAvatar();
    await call(avatar, 'pages', { content: 'the secret word is managed' });
    const { body } = await select(avatar, system, settings());
    expect(body.data.selectBrainSystem).toEqual({ avatarId: avatar, brainSystem: system });
    for (const [content, more, as] of [
      ['the secret word is public', {}, ada.apiKey],
      ['the secret word is private', { namespace: 'private' }, ada.apiKey],
      ['the secret word is sam', { speakerRef: 'sam' }, ada.apiKey],
      ['the secret word is bobann', { speakerRef: 'ann' }, bob.apiKey],
      ['the secret word is boxed', { sandboxId: 'box' }, ada.apiKey],
      ['the secret word is bobboxed', { sandboxId: 'box' }, bob.apiKey],
    ] as const) {
      const answer = await call(avatar, 'pages', { content, ...more }, as);
      expect([answer.status, answer.body]).toEqual([
        200,
        { ok: true, id: expect.stringMatching(/^mem_/), system, sandboxId: 'sandboxId' in more ? 'box' : null },
      ]);
    }
  });

  test('the same readers see the same', async () => {
    expect(await words(avatar)).toBe('bobann private public sam');
    expect(await words(avatar, { speakerRef: 'sam' })).toBe('private public sam');
    expect(await words(avatar, {}, bob.apiKey)).toBe('bobann public');
    expect(await words(avatar, { speakerRef: 'sam' }, bob.apiKey)).toBe('public');
    expect(await words(avatar, { sandboxId: 'box' })).toBe('boxed');
    expect(await words(avatar, { sandboxId: 'box' }, bob.apiKey)).toBe('bobboxed');
    expect(await words(avatar, { sandboxId: 'box' }, eve.apiKey)).toBe('');
    expect(await words(avatar, { sandboxId: 'other' })).toBe('');
  });

  test('names itself; query is for managed memory', async () => {
    expect((await call(avatar, 'recall', { query: 'secret word' })).body.system).toBe(system);
    const { status, body } = await call(avatar, 'query', { query: 'secret word' });
    expect(status).toBe(400);
    expect(body.error).toContain(system);
    const listed = await t.graphql(
      'query($a: ID!) { memories(avatarId: $a) { nodes { id } } }',
      { a: avatar },
      ada.session,
    );
    expect(listed.body.errors![0].extensions.code).toBe('BAD_INPUT');
  });

  test.each(['down', 'html', 'redirect'] as const)('%s: 502 everywhere, and nothing is lost', async (fault) => {
    server.fault = fault;
    try {
      const answers = await Promise.all([
        call(avatar, 'pages', { content: 'the secret word is lost' }),
        call(avatar, 'recall', { query: 'secret word' }),
        t.rest('DELETE', `/avatars/${avatar}/brain/sandboxes/box`, { as: ada.apiKey }),
      ]);
      for (const { status, body } of answers) {
        expect([status, body.code]).toEqual([502, 'UPSTREAM_FAILED']);
        expect(JSON.stringify(body)).not.toMatch(/hunter|right-key|127\.0/);
      }
    } finally {
      server.fault = '';
    }
    expect(await words(avatar)).toBe('bobann private public sam');
    expect(await words(avatar, { sandboxId: 'box' })).toBe('boxed');
  });

  test('a sandbox is reset, also of what it held before the choice', async () => {
    const other = await newAvatar();
    await call(other, 'pages', { content: 'the secret word is old', sandboxId: 'box' });
    await select(other, system, settings());
    await call(other, 'pages', { content: 'the secret word is new', sandboxId: 'box' });
    await call(other, 'pages', { content: 'the secret word is bobs', sandboxId: 'box' }, bob.apiKey);
    const { body } = await t.rest('DELETE', `/avatars/${other}/brain/sandboxes/box`, { as: ada.apiKey });
    expect(body).toEqual({ ok: true, sandboxId: 'box', deleted: 2 });
    expect(await words(other, { sandboxId: 'box' }, bob.apiKey)).toBe('bobs');
    expect(await words(avatar, { sandboxId: 'box' })).toBe('boxed');
  });

  test('choosing the managed system again finds what it kept, and the other keeps its own', async () => {
    await select(avatar, 'managed');
    expect(await words(avatar)).toBe('managed');
    await select(avatar, system, settings());
    expect(await words(avatar)).toBe('bobann private public sam');
  });

  test('a wrong key is a 502', async () => {
    const other = await newAvatar();
    await select(other, system, { ...settings(), apiKey: 'wrong-key' });
    expect((await call(other, 'pages', { content: 'x' })).status).toBe(502);
  });
});

describe('selectBrainSystem', () => {
  test.each<[string, string, object, string]>([
    ['an unknown system', 'toString', {}, 'system'],
    ['mem0 without an address', 'mem0', {}, 'baseUrl'],
    ['an address that is no plain one', 'mem0', { baseUrl: 'http://u:p@mem0.example' }, 'baseUrl'],
    ['supermemory without a key', 'supermemory', {}, 'apiKey'],
  ])('%s is refused', async (_, system, settings, field) => {
    const { body } = await select(await newAvatar(), system, settings);
    expect(body.errors![0]).toMatchObject({ extensions: { code: 'BAD_INPUT' } });
    expect(body.errors![0].message).toMatch(new RegExp(`^${field} `));
  });

  test('is the owner’s alone', async () => {
    const { body } = await select(await newAvatar(), 'managed', {}, bob.session);
    expect(body.errors![0].extensions.code).toBe('NOT_FOUND');
  });

  test('reaches no private network that the operator does not exempt', async () => {
    const inside = await startMem0();
    try {
      const avatar = await newAvatar();
      await select(avatar, 'mem0', { baseUrl: inside.url, apiKey: 'right-key' });
      expect((await call(avatar, 'pages', { content: 'x' })).status).toBe(502);
      expect(inside.stored).toEqual([]);
    } finally {
      await inside.stop();
    }
  });
});

describe('credentials', () => {
  const SECRET = 'sk-memory-7f3a9c51';
  test('no output field could carry them', () => {
    const carriers = Object.values(t.server.executor.schema.getTypeMap())
      .filter(isObjectType)
      .filter(({ name }) => !name.startsWith('__') && name !== 'Mutation')
      .flatMap((type) => Object.keys(type.getFields()).map((field) => `${type.name}.${field}`))
      .filter((field) => /\.(?:apiKey|baseUrl|.*settings|brain(?!System$).*)$/i.test(field))
      // Who may talk with an avatar, which has no secrets.
      .filter((field) => !/talkSettings/i.test(field));
    expect(carriers).toEqual([]);
  });

  test('a dump of the database does not show them', async () => {
    const avatar = await newAvatar();
    await select(avatar, 'mem0', { baseUrl: 'https://memory-host.example', apiKey: SECRET });
    const [row] = await t.app.db.rows<{ sealed: string }>('select brain_settings as sealed from avatar where id = $1', [
      avatar,
    ]);
    expect(row!.sealed).toMatch(/^v1\./);
    const dump = await dumpOf(t);
    expect(dump).toContain(row!.sealed);
    expect(dump).not.toContain(SECRET);
    expect(dump).not.toContain('memory-host.example');
  });
});

/** Every row of every table as text; `pg_dump` is not part of the embedded PostgreSQL. */
async function dumpOf(app: TestApp): Promise<string> {
  const tables = await app.app.db.rows<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) =>
      (await app.app.db.rows(`select t::text as row from ${name} t`)).map(({ row }) => row),
    ),
  );
  return texts.flat().join('\n');
}
