/** Memories found by meaning, where an embedding model is configured: saved at once, embedded behind. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { type EmbeddingServer, startEmbeddings } from '../support/embedding-server.ts';
import { until } from '../support/until.ts';

let server: EmbeddingServer;
let t: TestApp;
let now = 1_700_000_000_000;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;

/** What Nova remembers; no sentence shares a content word with the question it answers. */
const CAR = 'Tom bought a red car in May.';
const QUESTION = 'Who made the automobile purchase?';
const OTHERS = ['Tea is served at five.', 'The ferry is blue.', 'Rain fell all Tuesday.', 'Chess bores Ida.'];

beforeAll(async () => {
  server = await startEmbeddings();
  t = await openTestApp({
    clock: { now: () => now },
    env: {
      EMBEDDING_BASE_URL: server.url,
      EMBEDDING_API_KEY: 'right-key',
      EMBEDDING_MODEL: 'small',
    },
  });
  [ada, bob] = [await t.person('Ada'), await t.person('Bob')];
});
afterAll(async () => {
  await t.close();
  await server.stop();
});
beforeEach(async () => {
  const body = { displayName: 'Nova', publiclyRenderable: true };
  avatarId = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatarId;
});
afterEach(async () => {
  Object.assign(server, { fault: '', refuses: null });
  now += 7_200_000;
  await embedAll();
});

const save = async (content: string, more: object = {}, who = ada): Promise<string> => {
  const { status, body } = await t.rest('POST', `/avatars/${avatarId}/brain/pages`, {
    as: who.apiKey,
    body: { content, ...more },
  });
  expect(status).toBe(200);
  return body.id;
};
const recall = async (query: string, more: object = {}, who = ada): Promise<string[]> => {
  const { status, body } = await t.rest('POST', `/avatars/${avatarId}/brain/recall`, {
    as: who.apiKey,
    body: { query, ...more },
  });
  expect(status).toBe(200);
  return body.memories.map(({ content }: any) => content);
};
const embedAll = () => until(async () => (await t.app.embeddings.round()) === 0);
const waiting = async () => (await t.app.db.rows<{ n: number }>('select count(*)::int as n from brain_due'))[0]!.n;
const saveAll = async (more: object = {}, who = ada) => {
  for (const content of [CAR, ...OTHERS]) await save(content, more, who);
};

describe('with an embedding model', () => {
  test('a paraphrase without a common word is found once the memory is embedded, and not before', async () => {
    await t.app.embeddings.round();
    await saveAll();
    expect(await recall(QUESTION)).toEqual([]);
    await embedAll();
    expect((await recall(QUESTION))[0]).toBe(CAR);
    expect(await waiting()).toBe(0);
  });

  test('what matches by words stays first, and a page that matches both ways is found once', async () => {
    await saveAll();
    await embedAll();
    const found = await recall('The ferry is blue');
    expect(found[0]).toBe('The ferry is blue.');
    expect(new Set(found).size).toBe(found.length);
    expect(await recall('car', { limit: 1 })).toEqual([CAR]);
  });

  test('scores are from 0 to 1 and fall', async () => {
    await saveAll();
    await embedAll();
    const { body } = await t.rest('POST', `/avatars/${avatarId}/brain/recall`, {
      as: ada.apiKey,
      body: { query: `${QUESTION} ferry` },
    });
    const scores = body.memories.map(({ score }: any) => score);
    expect(scores).toEqual([...scores].sort((a: number, b: number) => b - a));
    expect(Math.max(...scores)).toBeLessThanOrEqual(1);
    expect(Math.min(...scores)).toBeGreaterThan(0);
  });

  test('namespaces hold for vectors: owner, non-owner, speaker against speaker, sandbox against main', async () => {
    const words = (slot: string) => CAR.replace('red', slot);
    await save(words('public'));
    await save(words('private'), { namespace: 'private' });
    await save(words('owned'), { speakerRef: 'sam' });
    await save(words('bobs'), { speakerRef: 'a' }, bob);
    await save(words('other'), { speakerRef: 'b' }, bob);
    await save(words('boxed'), { sandboxId: 'box' });
    await save(words('boxbob'), { sandboxId: 'box', speakerRef: 'a' }, bob);
    await embedAll();
    const seen = async (who: TestUser, more: object = {}) =>
      (await recall(QUESTION, { limit: 100, ...more }, who)).map((text) => /a (\w+) car/.exec(text)![1]).sort();
    expect(await seen(ada)).toEqual(['bobs', 'other', 'owned', 'private', 'public']);
    expect(await seen(ada, { speakerRef: 'sam' })).toEqual(['owned', 'private', 'public']);
    expect(await seen(bob)).toEqual(['bobs', 'other', 'public']);
    expect(await seen(bob, { speakerRef: 'a' })).toEqual(['bobs', 'public']);
    expect(await seen(bob, { speakerRef: 'c' })).toEqual(['public']);
    expect(await seen(ada, { sandboxId: 'box' })).toEqual(['boxed']);
    expect(await seen(bob, { sandboxId: 'box' })).toEqual(['boxbob']);
    expect(await seen(bob, { sandboxId: 'box', speakerRef: 'c' })).toEqual([]);
    expect(await seen(bob, { sandboxId: 'empty' })).toEqual([]);
  });

  test('an edited memory is found by what it says now', async () => {
    await saveAll();
    const id = await save('Ida met the doctor.');
    await embedAll();
    expect((await recall('physician'))[0]).toBe('Ida met the doctor.');
    const { body } = await t.graphql(
      'mutation($a: ID!, $id: ID!) { updateMemory(avatarId: $a, id: $id, content: "Ida got a puppy.") { id } }',
      { a: avatarId, id },
      ada.session,
    );
    expect(body.errors).toBeUndefined();
    expect(await recall('canine')).not.toContain('Ida got a puppy.');
    expect(await recall('physician')).not.toContain('Ida got a puppy.');
    await embedAll();
    expect((await recall('canine'))[0]).toBe('Ida got a puppy.');
    expect((await recall('physician'))[0]).not.toBe('Ida got a puppy.');
  });

  test('a deleted memory and a reset sandbox leave no vector and no mark', async () => {
    const left = async () =>
      (
        await t.app.db.rows(
          `select p.content from brain b join brain_vector v using (scope_id) left join brain_entry p using (scope_id, seq)
           where b.avatar_id = $1`,
          [avatarId],
        )
      ).length + (await waiting());
    const id = await save(CAR);
    await save(CAR, { sandboxId: 'box' });
    await embedAll();
    expect(await left()).toBe(2);
    await save('Not embedded yet.', { sandboxId: 'box' });
    await t.graphql(
      'mutation($a: ID!, $id: ID!) { deleteMemory(avatarId: $a, id: $id) { deletedId } }',
      { a: avatarId, id },
      ada.session,
    );
    const { body } = await t.rest('DELETE', `/avatars/${avatarId}/brain/sandboxes/box`, { as: ada.apiKey });
    expect(body.deleted).toBe(2);
    expect(await left()).toBe(0);
  });

  test('a text changed while the model was asked gets the vector of its new text', async () => {
    await saveAll();
    const id = await save('Ida met the doctor.');
    const held = Promise.withResolvers<void>();
    server.held = held.promise;
    const round = t.app.embeddings.round();
    await until(async () => server.asked.includes('Ida met the doctor.'));
    await t.graphql(
      'mutation($a: ID!, $id: ID!) { updateMemory(avatarId: $a, id: $id, content: "Ida got a puppy.") { id } }',
      { a: avatarId, id },
      ada.session,
    );
    held.resolve();
    await round;
    await embedAll();
    expect((await recall('canine'))[0]).toBe('Ida got a puppy.');
  });
});

describe('when the model', () => {
  test.each(['down', 'denied', 'wrong'] as const)(
    'is %s, saves are accepted, recall goes by words, nothing is lost',
    async (fault) => {
      server.fault = fault;
      await saveAll();
      await t.app.embeddings.round();
      expect(await waiting()).toBe(1 + OTHERS.length);
      expect((await recall('red car'))[0]).toBe(CAR);
      expect(await recall(QUESTION)).toEqual([]);
      server.fault = '';
      // Left alone for a while, then asked again.
      expect(await t.app.embeddings.round()).toBe(0);
      now += 60_000;
      await embedAll();
      expect((await recall(QUESTION))[0]).toBe(CAR);
    },
  );

  test('refuses one text, the others are embedded', async () => {
    server.refuses = 'Tea';
    await saveAll();
    await embedAll();
    expect(await waiting()).toBe(1);
    expect((await recall(QUESTION))[0]).toBe(CAR);
    expect((await recall('tea'))[0]).toContain('Tea');
  });

  test('is another one, everything is embedded anew', async () => {
    await saveAll();
    await embedAll();
    server.dimensions = 128;
    try {
      await save('A new memory.');
      await embedAll();
      await embedAll();
      const [row] = await t.app.db.rows('select count(distinct space)::int as spaces from brain_vector');
      expect(row).toEqual({ spaces: 1 });
      expect((await recall('Which vehicle was a purchase of Tom?'))[0]).toBe(CAR);
    } finally {
      server.dimensions = 256;
      await save('Back again.');
      await embedAll();
    }
  });
});

test('memories from before a model was configured are embedded once it is', async () => {
  await t.app.db.rows('delete from brain_embedding');
  await saveAll();
  expect(await waiting()).toBe(0);
  const { Embeddings } = await import('../../src/services/brain/embedding.service.ts');
  const started = new Embeddings(t.app);
  await until(async () => (await started.round()) === 0);
  expect((await recall(QUESTION))[0]).toBe(CAR);
});
