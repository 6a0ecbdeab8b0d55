/** mem0 and supermemory behind the same port: one contract, run against small servers that speak their HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openSecret, sealSecret } from '../../src/kernel/sealing.ts';
import type { ExternalOptions, Fetch } from '../../src/services/brain/memory/external.client.ts';
import { createMem0 } from '../../src/services/brain/memory/mem0.client.ts';
import { type Reader, readableNamespaces } from '../../src/services/brain/memory/memory.access.ts';
import type { BrainSystem } from '../../src/services/brain/memory/memory-system.port.ts';
import { externalSettings, openExternal, sealSettings } from '../../src/services/brain/memory/memory-system.service.ts';
import { createSupermemory } from '../../src/services/brain/memory/supermemory.client.ts';
import { type BrainDatabase, startBrainDatabase } from '../support/brain-pg.ts';
import { type FakeSystem, startMem0, startSupermemory } from '../support/brain-servers.ts';

let db: BrainDatabase;
beforeAll(async () => {
  db = await startBrainDatabase();
});
afterAll(() => db.stop());

describe.each<[string, () => Promise<FakeSystem>, (options: ExternalOptions) => BrainSystem]>([
  ['mem0', startMem0, createMem0],
  ['supermemory', startSupermemory, createSupermemory],
])('%s', (name, startServer, create) => {
  let server: FakeSystem;
  let brain: BrainSystem;
  const scope = { avatarId: `avt_${name}`, sandboxId: null as string | null };
  const save = (content: string, more: object = {}) => brain.save(db.sql, { ...scope, content, ...more });
  const find = async (reader: Reader, sandboxId: string | null = null, avatarId = scope.avatarId) => {
    const input = { avatarId, sandboxId, query: 'secret word', limit: 20, readable: readableNamespaces(reader) };
    return brain.recall(db.sql, input);
  };
  const lastWords = (memories: { content: string }[]) =>
    memories
      .map(({ content }) => content.split(' ').at(-1))
      .sort()
      .join(' ');

  beforeAll(async () => {
    server = await startServer();
    brain = create({ baseUrl: `${server.url}/`, apiKey: 'right-key', timeoutMs: 60_000 });
    await save('the secret word is public');
    await save('the secret word is private', { namespace: 'private' });
    await save('the secret word is sam', { speakerRef: 'sam' });
    await save('the secret word is star', { speakerRef: '*private' });
    await save('the secret word is a', { speakerRef: 'usr_1:ann' });
    await save('the secret word is c', { speakerRef: 'usr_11:ann' });
    await save('the secret word is sandbox', { sandboxId: 's'.repeat(64) });
    await save('the secret word is elsewhere', { avatarId: 'avt_other' });
  });
  afterAll(() => server.stop());

  test('says what it is', () => expect(brain).toMatchObject({ name, supportsQuery: false }));

  describe.each([false, true])('who reads what, the system careless: %p', (careless) => {
    beforeAll(() => {
      server.careless = careless;
    });
    afterAll(() => {
      server.careless = false;
    });
    test.each<[string, Reader, string | null, string]>([
      ['owner', { kind: 'owner' }, null, 'a c private public sam star'],
      ['owner for sam', { kind: 'owner', speakerRef: 'sam' }, null, 'private public sam'],
      ['other', { kind: 'other', callerId: 'usr_2' }, null, 'public'],
      ['other naming a star', { kind: 'other', callerId: 'usr_2', speakerRef: '*private' }, null, 'public'],
      ['app', { kind: 'other', callerId: 'usr_1' }, null, 'a public'],
      ['reply to its speaker', { kind: 'reply', speakerRef: 'usr_1:ann' }, null, 'a public'],
      ['owner in the sandbox', { kind: 'owner' }, 's'.repeat(64), 'sandbox'],
      ['owner in an unused sandbox', { kind: 'owner' }, 'unused', ''],
    ])('%s', async (_, reader, sandboxId, wanted) => expect(lastWords(await find(reader, sandboxId))).toBe(wanted));
  });

  test('returns our ids, scores from 0 to 1, best first', async () => {
    const { id } = await save('the secret word of words, the secret of secrets');
    const found = await find({ kind: 'owner' });
    expect(found.map((memory) => memory.id)).toContain(id);
    expect(found.every(({ score }) => score > 0 && score <= 1)).toBe(true);
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  });

  test.each(['down', 'hang', 'html', 'redirect'] as const)(
    'that is %s is a 502, and nothing accepted is lost',
    async (fault) => {
      const before = (await find({ kind: 'owner' })).length;
      server.fault = fault;
      const patient = brain;
      if (fault === 'hang') brain = create({ baseUrl: `${server.url}/`, apiKey: 'right-key', timeoutMs: 100 });
      try {
        await expect(save('lost')).rejects.toMatchObject({ code: 'UPSTREAM_FAILED', status: 502 });
        await expect(find({ kind: 'owner' })).rejects.toMatchObject({ code: 'UPSTREAM_FAILED' });
        const reset = brain.deleteSandbox(db.sql, { avatarId: scope.avatarId, sandboxId: 's'.repeat(64) });
        await expect(reset).rejects.toMatchObject({
          code: 'UPSTREAM_FAILED',
          message: expect.not.stringContaining('hunter'),
        });
      } finally {
        server.fault = '';
        brain = patient;
      }
      expect(await find({ kind: 'owner' })).toHaveLength(before);
      expect(await find({ kind: 'owner' }, 's'.repeat(64))).toHaveLength(1);
    },
  );

  test('with the wrong key, or no server listening, is a 502 that names neither key nor address', async () => {
    for (const options of [
      { baseUrl: server.url, apiKey: 'wrong-key' },
      { baseUrl: 'http://127.0.0.1:1', apiKey: 'right-key' },
    ]) {
      const error = await create(options)
        .save(db.sql, { ...scope, content: 'x' })
        .catch((e) => e);
      expect(error).toMatchObject({ code: 'UPSTREAM_FAILED' });
      expect(error.message).not.toMatch(/key|127/);
    }
  });

  test('resets a sandbox and only that', async () => {
    const before = (await find({ kind: 'owner' })).length;
    const sandboxId = 's'.repeat(64);
    await save('the secret word is second', { sandboxId, speakerRef: 'x' });
    expect(await brain.deleteSandbox(db.sql, { avatarId: scope.avatarId, sandboxId })).toBe(2);
    expect(await brain.deleteSandbox(db.sql, { avatarId: scope.avatarId, sandboxId })).toBe(0);
    expect(await find({ kind: 'owner' }, sandboxId)).toEqual([]);
    expect(await find({ kind: 'owner' })).toHaveLength(before);
    expect(server.stored.some(({ text }) => text.endsWith('second'))).toBe(false);
    expect(lastWords(await find({ kind: 'owner' }, null, 'avt_other'))).toBe('elsewhere');
  });
});

describe('the choice of an owner', () => {
  const key = 'k'.repeat(32);
  test.each<[string, object, object]>([
    ['mem0', { baseUrl: 'http://mem0.example/api/' }, { baseUrl: 'http://mem0.example/api', apiKey: '' }],
    ['supermemory', { apiKey: ' sm_1 ' }, { baseUrl: 'https://api.supermemory.ai', apiKey: 'sm_1' }],
  ])('%s %p', (system, given, wanted) => expect(externalSettings(system, given)).toEqual(wanted));

  test.each<[string, object, string]>([
    ['managed', {}, 'system'],
    ['toString', {}, 'system'],
    ['mem0', {}, 'baseUrl'],
    ['mem0', { baseUrl: 'file:///etc/passwd' }, 'baseUrl'],
    ['mem0', { baseUrl: 'http://user:pw@host/' }, 'baseUrl'],
    ['mem0', { baseUrl: 'http://host', apiKey: 'a\r\nhost: b' }, 'apiKey'],
    ['supermemory', {}, 'apiKey'],
  ])('%s %p names %s', (system, given, field) =>
    expect(() => externalSettings(system, given)).toThrow(
      expect.objectContaining({ code: 'BAD_INPUT', details: { field } }),
    ),
  );

  test('is stored sealed, opens for its avatar only, and reaches the system by the fetch it is given', async () => {
    const sealed = sealSettings(
      key,
      'avt_1',
      externalSettings('mem0', { baseUrl: 'http://mem0.example', apiKey: 'k1' }),
    );
    const asked: string[] = [];
    const fetch: Fetch = async (url, init) => {
      asked.push(`${url} ${new Headers(init.headers).get('x-api-key')}`);
      return Response.json({ results: [{ id: 'theirs' }] });
    };
    const options = { masterKey: key, avatarId: 'avt_1', fetch };
    await openExternal('mem0', sealed, options).save(db.sql, { avatarId: 'avt_1', sandboxId: null, content: 'x' });
    expect(asked).toEqual(['http://mem0.example/memories k1']);
    expect(() => openExternal('mem0', sealed, { ...options, avatarId: 'avt_2' })).toThrow();
  });
});

describe('sealed credentials', () => {
  const key = 'k'.repeat(32);
  test('open with their key and context, and with nothing else', () => {
    const sealed = sealSecret(key, 'sm_secret ✓', 'avt_1');
    expect(openSecret(key, sealed, 'avt_1')).toBe('sm_secret ✓');
    expect(sealed).not.toContain('secret');
    expect(sealSecret(key, 'sm_secret ✓', 'avt_1')).not.toBe(sealed);
    expect(() => openSecret(key, sealed, 'avt_2')).toThrow();
    expect(() => openSecret('x'.repeat(32), sealed, 'avt_1')).toThrow();
    // Another letter in its place, whichever stood there: by chance it is any.
    const changed = `${sealed.slice(0, -3)}${sealed.at(-3) === 'A' ? 'B' : 'A'}${sealed.slice(-2)}`;
    expect(() => openSecret(key, changed, 'avt_1')).toThrow();
    for (const broken of ['', 'v1.', 'v2.AAAA', 'plain']) expect(() => openSecret(key, broken, 'avt_1')).toThrow();
    expect(() => sealSecret('short', 'x', 'y')).toThrow('32');
  });
});
