/**
 * Memories by meaning on both kinds of database: where the newest are compared, and where pgvector leads to the nearest
 * of a brain that holds more than are compared. What is asked for is older than all that would be compared.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Row } from '../../src/kernel/database.ts';
import { storeVectors, takeDue, useModel } from '../../src/services/brain/memory/embedding.queue.ts';
import { type Graph, openGraph, type Prepared, prepareGraph } from '../../src/services/brain/memory/graph.service.ts';
import { createManagedBrain, NS } from '../../src/services/brain/memory/managed-memory.service.ts';
import { type Reader, readableNamespaces } from '../../src/services/brain/memory/memory.access.ts';
import { removeMemory, replaceKnowledge, updateMemory } from '../../src/services/brain/memory/memory.repository.ts';
import type { Sql } from '../../src/services/brain/memory/memory-system.port.ts';
import { pack, signs, vectorOf } from '../../src/services/brain/memory/vector.codec.ts';
import { startBrainDatabase } from '../support/brain-pg.ts';
import { embed } from '../support/embedding-server.ts';
import { startVectorDatabase, type VectorDatabase } from '../support/pgvector.ts';

const DIMENSIONS = 256;
/** As many newer memories differ. */
const VARIOUS = 2_020;
const NOW = 1_700_000_000_000;
const OWNER: Reader = { kind: 'owner' };
const QUESTION = 'Who made the automobile purchase?';
const car = (slot: string): string => `Tom bought a ${slot} car in May.`;

type Db = Omit<VectorDatabase, 'pool' | 'run'> & { pool: Parameters<typeof openGraph>[0] };

/** A database, and the brain `nova` in it as one process of an instance has it open. */
class Stand {
  readonly outcomes: (Prepared | { error: unknown })[] = [];
  graph!: Graph;
  model = 'one';
  readonly db: Db;
  readonly #ids = new Map<string, string>();

  constructor(db: Db) {
    this.db = db;
  }

  get brain() {
    // What the other model takes a question for is as far from every memory as can be.
    const sense = this.model === 'one' ? 1 : -1;
    const vector = async (text: string) =>
      vectorOf(
        this.model,
        embed(text, DIMENSIONS).map((value) => sense * value),
      );
    return createManagedBrain({ now: () => NOW, questions: { vector }, near: (which) => this.graph.near(which) });
  }

  /** As a process starts. */
  async start(): Promise<void> {
    this.graph = openGraph(this.db.pool, (outcome) => this.outcomes.push(outcome));
    await this.graph.ready;
  }

  async save(content: string, more: object = {}, avatarId = 'nova'): Promise<void> {
    const { id } = await this.brain.save(this.db.sql, { avatarId, sandboxId: null, content, ...more });
    this.#ids.set(content, id);
  }

  id(content: string): string {
    return this.#ids.get(content)!;
  }

  async embedAll(): Promise<void> {
    for (;;) {
      const { entries, untilMs } = await takeDue(this.db.sql, NOW, NOW + 1, 64);
      if (entries.length === 0) return;
      const vectors = entries.map(({ content }) => vectorOf(this.model, embed(content, DIMENSIONS)));
      await this.db.transaction((tx) => storeVectors(tx, entries, vectors, untilMs));
    }
  }

  async find(reader = OWNER, query = QUESTION, limit = 20): Promise<string[]> {
    const readable = readableNamespaces(reader);
    const place = { avatarId: 'nova', sandboxId: null };
    const memories = await this.brain.recall(this.db.sql, { ...place, query, limit, readable });
    return memories.map(({ content }) => content);
  }

  /** The slots of the cars that are found before anything else. */
  async cars(reader = OWNER): Promise<string[]> {
    const found = (await this.find(reader)).map((text) => /a (\w+) car/.exec(text)?.[1]);
    return found.slice(0, found.indexOf(undefined)).map(String).sort();
  }

  /** Newer memories, public ones unless `ns` says otherwise. */
  async fill(count: number, textOf: (i: number) => string, avatarId = 'nova', ns = 0): Promise<void> {
    const { sql } = this.db;
    // The same again after a thousand: what is alike is one place of the graph, which is built in a quarter of the time.
    const various = Array.from({ length: Math.min(count, VARIOUS) }, (_, i) =>
      vectorOf(this.model, embed(textOf(i), DIMENSIONS)),
    );
    const vectors = Array.from({ length: count }, (_, i) => various[i % VARIOUS]!);
    const [brain] = await sql.rows<{ scope_id: number; next_seq: number }>(
      `SELECT scope_id, next_seq FROM brain WHERE avatar_id = $1 AND sandbox_id = ''`,
      [avatarId],
    );
    const { scope_id, next_seq } = brain!;
    const each = '(scope_id, seq, ns';
    await sql.rows(
      `INSERT INTO brain_entry ${each}, id, content, len, created_at)
        SELECT $1, $2::int + i, $5::int, $4 || ($2::int + i), 'Nothing.', 1, 0 FROM generate_series(0, $3::int - 1) AS i`,
      [scope_id, next_seq, count, avatarId, ns],
    );
    await sql.rows(
      `INSERT INTO brain_vector ${each}, space, bits, exact)
        SELECT $1, $2::int + v.at - 1, $6::int, $3::int, v.bits::varbit, decode(v.exact, 'hex')
        FROM unnest($4::text[], $5::text[]) WITH ORDINALITY AS v (bits, exact, at)`,
      [
        scope_id,
        next_seq,
        vectors[0]!.space,
        vectors.map(({ unit }) => signs(unit)),
        vectors.map(({ unit }) => pack(unit).toString('hex')),
        ns,
      ],
    );
    const text = 'UPDATE brain SET n = n + $2::int, next_seq = next_seq + $2::int WHERE scope_id = $1';
    await sql.rows(text, [scope_id, count]);
  }
}

async function plain(): Promise<Db> {
  const db = await startBrainDatabase();
  return { sql: db.sql, pool: db.pool, transaction: (fn) => db.transaction(fn), stop: () => db.stop() };
}

/** Everyone's memories of a car, and what is to be edited and removed. */
async function remember(stand: Stand): Promise<void> {
  await useModel(stand.db.sql, stand.model);
  await stand.save(car('public'));
  await stand.save(car('private'), { namespace: 'private' });
  await stand.save(car('owned'), { speakerRef: 'sam' });
  await stand.save(car('bobs'), { speakerRef: 'bob:a' });
  await stand.save(car('other'), { speakerRef: 'bob:b' });
  await stand.save(car('boxed'), { sandboxId: 'box' });
  await stand.save(car('elsewhere'), {}, 'another avatar');
  await stand.db.transaction((tx) => replaceKnowledge(tx, 'nova', [{ text: car('known'), source: 'u' }], NOW));
  await stand.save('Ida met the doctor.');
  await stand.save('The infant laughs.');
  await stand.embedAll();
}

describe.each<[string, () => Promise<Db>, number]>([
  ['compared', plain, 300],
  ['by pgvector', startVectorDatabase, 10_100],
])('memories by meaning, %s', (name, open, others) => {
  let stand: Stand;
  const byGraph = name === 'by pgvector';

  beforeAll(async () => {
    stand = new Stand(await open());
    await remember(stand);
    await stand.fill(others, (i) => `said${i % 89} heard${i % 83} seen${i % 79} felt${i}`);
    await stand.fill(others / 10, (i) => `${QUESTION} ${i}`, 'another avatar');
  });
  afterAll(async () => {
    await stand.graph.close();
    await stand.db.stop();
  });

  test(
    byGraph ? 'an extension that is there is picked up with what was stored before' : 'no extension: it is said why',
    async () => {
      if (byGraph) {
        const before = createManagedBrain({
          questions: { vector: async (text) => vectorOf(stand.model, embed(text, DIMENSIONS)) },
        });
        const input = {
          avatarId: 'nova',
          sandboxId: null,
          query: QUESTION,
          limit: 5,
          readable: readableNamespaces({ kind: 'other', callerId: 'eve' }),
        };
        expect((await before.recall(stand.db.sql, input)).map(({ content }) => content)).not.toContain(car('public'));
      }
      await stand.start();
      expect(stand.outcomes).toEqual([
        byGraph ? { version: expect.stringMatching(/^0\.8/) } : { without: 'the database does not offer pgvector' },
      ]);
      // As a second process finds it.
      expect(await prepareGraph(stand.db.sql)).toEqual(stand.outcomes[0]);
    },
  );

  test.each<[string, Reader, string]>([
    ['the owner', OWNER, 'bobs known other owned private public'],
    ['the owner for a speaker', { kind: 'owner', speakerRef: 'sam' }, 'owned private public'],
    ['someone else', { kind: 'other', callerId: 'eve' }, 'public'],
    ['an app', { kind: 'other', callerId: 'bob' }, 'bobs other public'],
    ['an app for a speaker', { kind: 'other', callerId: 'bob', speakerRef: 'a' }, 'bobs public'],
    ['an app for an unknown speaker', { kind: 'other', callerId: 'bob', speakerRef: 'c' }, 'public'],
    ['a reply', { kind: 'reply', speakerRef: 'bob:b' }, 'known other public'],
  ])('%s finds what they may read, and nothing else', async (_, reader, wanted) => {
    expect(await stand.cars(reader)).toEqual(wanted.split(' '));
  });

  test('hidden memories nearer to the question take no place of readable ones', async () => {
    await stand.fill(150, (i) => `${QUESTION} ${i}`, 'nova', NS.private);
    expect((await stand.find(OWNER))[0]).toBe('Nothing.');
    expect(await stand.cars({ kind: 'other', callerId: 'eve' })).toEqual(['public']);
  });

  test('an edited memory is found by what it says now, a removed one not at all', async () => {
    const eve: Reader = { kind: 'other', callerId: 'eve' };
    expect((await stand.find(eve, 'physician'))[0]).toBe('Ida met the doctor.');
    expect((await stand.find(eve, 'baby'))[0]).toBe('The infant laughs.');
    await stand.db.transaction((tx) => updateMemory(tx, 'nova', stand.id('Ida met the doctor.'), 'Ida got a puppy.'));
    await stand.db.transaction((tx) => removeMemory(tx, 'nova', stand.id('The infant laughs.')));
    expect(await stand.find(eve, 'physician')).not.toContain('Ida got a puppy.');
    await stand.embedAll();
    expect((await stand.find(eve, 'canine'))[0]).toBe('Ida got a puppy.');
    expect((await stand.find(eve, 'physician'))[0]).not.toBe('Ida got a puppy.');
    expect(await stand.find(eve, 'baby')).not.toContain('The infant laughs.');
  });

  test('vectors of another model are not compared', async () => {
    stand.model = 'two';
    expect(await stand.find()).toEqual([]);
    await stand.db.sql.rows('INSERT INTO brain_due SELECT scope_id, seq, 0 FROM brain_entry WHERE id = $1', [
      stand.id(car('public')),
    ]);
    await stand.embedAll();
    expect(await stand.find()).toEqual([car('public')]);
    stand.model = 'one';
  });
});

describe('a database that offers pgvector', () => {
  let db: VectorDatabase;
  const run = (text: string) => db.run(text);
  beforeAll(async () => {
    db = await startVectorDatabase();
  });
  afterAll(() => db.stop());
  const valid = async () =>
    db.sql.rows(`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('brain_vector_graph')`);

  test('but not to this role is searched without, until someone creates it', async () => {
    await run('CREATE ROLE modest; GRANT ALL ON SCHEMA public TO modest; ALTER TABLE brain_vector OWNER TO modest');
    await run('SET ROLE modest');
    const refused = await prepareGraph(db.sql);
    expect(refused).toEqual({ without: expect.stringContaining('permission denied') });
    await run('RESET ROLE');
    await run('CREATE SCHEMA "Else where"; GRANT USAGE ON SCHEMA "Else where" TO modest');
    await run('CREATE EXTENSION vector SCHEMA "Else where"');
    await run('SET ROLE modest');
    expect(await prepareGraph(db.sql)).toEqual({ version: expect.any(String) });
    await run(`SELECT * FROM brain_vector_nearest(1, NULL, 1, '1')`);
    await run('RESET ROLE');
  });

  test('builds anew what was broken off, and what a lost extension took along', async () => {
    await run(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'brain_vector_graph'::regclass`);
    await prepareGraph(db.sql);
    expect(await valid()).toEqual([{ indisvalid: true }]);
    await run('DROP EXTENSION vector CASCADE');
    expect(await valid()).toEqual([]);
    await prepareGraph(db.sql);
    expect(await valid()).toEqual([{ indisvalid: true }]);
  });

  test.each([
    ['0.7.4', true],
    ['0.8.0', false],
    ['0.10.1', false],
    ['1.0.0', false],
  ])('as version %s is too old: %s', async (installed, old) => {
    const asked: string[] = [];
    const sql: Sql = {
      async rows<T extends Row>(text: string) {
        asked.push(text);
        return [{ installed, schema: 'public', built: true }] as Row[] as T[];
      },
    };
    const prepared = await prepareGraph(sql);
    expect('without' in prepared).toBe(old);
    expect(asked.some((text) => text.includes('CREATE'))).toBe(!old);
  });
});
