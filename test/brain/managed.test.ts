/** The managed brain on a real PostgreSQL: who finds what, what an edit changes, what many writers at once leave. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createManagedBrain, NS } from '../../src/services/brain/memory/managed-memory.service.ts';
import { type Reader, readableNamespaces, storedSpeakerRef } from '../../src/services/brain/memory/memory.access.ts';
import {
  listMemories,
  removeMemory,
  replaceKnowledge,
  updateMemory,
} from '../../src/services/brain/memory/memory.repository.ts';
import type { Readable } from '../../src/services/brain/memory/memory-system.port.ts';
import { stem } from '../../src/text/stem.ts';
import { type BrainDatabase, startBrainDatabase } from '../support/brain-pg.ts';

let db: BrainDatabase;
let clock = 1_700_000_000_000;
const brain = createManagedBrain({ now: () => clock });
const owner: Readable = readableNamespaces({ kind: 'owner' });

beforeAll(async () => {
  db = await startBrainDatabase();
});
afterAll(() => db.stop());

const find = async (avatarId: string, query: string, readable = owner, sandboxId: string | null = null) =>
  brain.recall(db.sql, { avatarId, sandboxId, query, limit: 10, readable });
const save = (avatarId: string, content: string, more: object = {}) =>
  brain.save(db.sql, { avatarId, sandboxId: null, content, ...more });

/** What the index says must be what the pages say, whatever was done to them. */
async function expectSound(): Promise<void> {
  const { rows } = await db.pool.query(`
    SELECT b.scope_id, b.n, b.total_len::int AS total, count(p.*)::int AS pages, coalesce(sum(p.len), 0)::int AS len,
      (SELECT coalesce(sum(t.tf), 0)::int FROM brain_term t WHERE t.scope_id = b.scope_id) AS tf,
      (SELECT count(*)::int FROM brain_term t LEFT JOIN brain_entry g ON g.scope_id = t.scope_id AND g.seq = t.seq
        AND g.ns = t.ns AND g.len = t.len WHERE t.scope_id = b.scope_id AND g.id IS NULL) AS strays
    FROM brain b LEFT JOIN brain_entry p USING (scope_id) GROUP BY b.scope_id`);
  for (const row of rows) expect(row).toMatchObject({ n: row.pages, total: row.len, tf: row.len, strays: 0 });
}

const newest = (limit: number) => ({ above: null, below: null, descending: true, limit });

describe('who may read what', () => {
  const stored = (callerId: string, ref: string) => storedSpeakerRef({ kind: 'other', callerId }, ref);
  beforeAll(async () => {
    await save('vis', 'The secret word is public.');
    await save('vis', 'The secret word is private.', { namespace: 'private' });
    await save('vis', 'The secret word is ownslice.', { speakerRef: 'sam' });
    await save('vis', 'The secret word is slice-a.', { speakerRef: stored('usr_1', 'ann') });
    await save('vis', 'The secret word is slice-b.', { speakerRef: stored('usr_1', 'bob') });
    await save('vis', 'The secret word is slice-c.', { speakerRef: stored('usr_11', 'ann') });
    await db.transaction((sql) =>
      replaceKnowledge(sql, 'vis', [{ text: 'The secret word is knowledge.', source: 'u' }]),
    );
    await save('vis', 'The secret word is sandbox.', { sandboxId: 'box' });
    await save('vis', 'The secret word is boxslice.', { sandboxId: 'box', speakerRef: stored('usr_1', 'ann') });
    await save('other', 'The secret word is elsewhere.');
  });

  test.each<[string, Reader, string | null, string]>([
    ['owner', { kind: 'owner' }, null, 'knowledge ownslice private public slice-a slice-b slice-c'],
    ['owner naming a speaker', { kind: 'owner', speakerRef: 'sam' }, null, 'ownslice private public'],
    ['other user', { kind: 'other', callerId: 'usr_2' }, null, 'public'],
    ['app, all its speakers', { kind: 'other', callerId: 'usr_1' }, null, 'public slice-a slice-b'],
    ['app for speaker A', { kind: 'other', callerId: 'usr_1', speakerRef: 'ann' }, null, 'public slice-a'],
    ['app for speaker B', { kind: 'other', callerId: 'usr_1', speakerRef: 'bob' }, null, 'public slice-b'],
    ['a longer id with the same beginning', { kind: 'other', callerId: 'usr_11' }, null, 'public slice-c'],
    ['a non-owner naming the owner’s speaker', { kind: 'other', callerId: 'usr_2', speakerRef: 'sam' }, null, 'public'],
    ['a non-owner naming a stored ref', { kind: 'other', callerId: 'usr_2', speakerRef: 'usr_1:ann' }, null, 'public'],
    ['a reply to speaker A', { kind: 'reply', speakerRef: 'usr_1:ann' }, null, 'knowledge public slice-a'],
    ['a reply to no speaker', { kind: 'reply', speakerRef: null }, null, 'knowledge public'],
    ['owner in the sandbox', { kind: 'owner' }, 'box', 'boxslice sandbox'],
    ['non-owner in the sandbox', { kind: 'other', callerId: 'usr_2' }, 'box', 'sandbox'],
    ['owner in an unused sandbox', { kind: 'owner' }, 'empty', ''],
  ])('%s', async (_, reader, sandboxId, wanted) => {
    const readable = readableNamespaces(reader);
    const found = await find('vis', 'What is the secret word?', readable, sandboxId);
    const word = (text: string) => /([\w-]+)\.$/.exec(text)![1];
    expect(
      found
        .map(({ content }) => word(content))
        .sort()
        .join(' '),
    ).toBe(wanted);
    const listed = await listMemories(db.sql, { avatarId: 'vis', sandboxId, readable, ...newest(100) });
    expect(
      listed
        .map(({ memory }) => word(memory.content))
        .sort()
        .join(' '),
    ).toBe(wanted);
    if (sandboxId) expect(found.every(({ namespace }) => namespace === 'sandbox')).toBe(true);
  });

  test('names of the namespaces', async () => {
    const names = (await find('vis', 'secret word')).map(({ namespace }) => namespace);
    expect(new Set(names)).toEqual(new Set(['public', 'private', 'knowledge', 'speaker']));
  });

  test('a reset sandbox is empty, says how much it held, and changes nothing else', async () => {
    expect(await brain.deleteSandbox(db.sql, { avatarId: 'other', sandboxId: 'box' })).toBe(0);
    expect(await brain.deleteSandbox(db.sql, { avatarId: 'vis', sandboxId: '' })).toBe(0);
    expect(await brain.deleteSandbox(db.sql, { avatarId: 'vis', sandboxId: 'box' })).toBe(2);
    expect(await find('vis', 'secret word', owner, 'box')).toEqual([]);
    expect(await find('vis', 'secret word')).toHaveLength(7);
    await save('vis', 'Born again.', { sandboxId: 'box' });
    expect(await find('vis', 'secret born', owner, 'box')).toHaveLength(1);
  });
});

describe('memories', () => {
  test('are listed newest first or oldest first, page by page', async () => {
    for (let i = 0; i < 5; i += 1) await save('list', `Memory ${i}`);
    const scope = { avatarId: 'list', sandboxId: null, readable: owner };
    for (const descending of [true, false]) {
      const seen: string[] = [];
      let bound = {};
      for (;;) {
        const page = await listMemories(db.sql, { ...scope, ...newest(2), descending, ...bound });
        seen.push(...page.map(({ memory }) => memory.content));
        const last = page.at(-1);
        if (!last) break;
        bound = { [descending ? 'below' : 'above']: String(last.seq) };
      }
      const all = ['Memory 4', 'Memory 3', 'Memory 2', 'Memory 1', 'Memory 0'];
      expect(seen).toEqual(descending ? all : all.reverse());
    }
  });

  test('that are corrected are found by the new text alone', async () => {
    const { id } = await save('edit', 'Ann has a red bicycle, a red one.');
    const changed = await updateMemory(db.sql, 'edit', id, 'Ann has a blue boat.');
    expect(changed).toMatchObject({ id, content: 'Ann has a blue boat.', namespace: 'public' });
    expect(await find('edit', 'red bicycle')).toEqual([]);
    expect(await find('edit', 'boat')).toMatchObject([{ id, content: 'Ann has a blue boat.' }]);
    await expectSound();
  });

  test('that are removed are gone, and another avatar cannot reach them', async () => {
    const { id } = await save('gone', 'Ann keeps bees.');
    await expect(removeMemory(db.sql, 'thief', id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(updateMemory(db.sql, 'thief', id, 'x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await removeMemory(db.sql, 'gone', id);
    await expect(removeMemory(db.sql, 'gone', id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await find('gone', 'bees')).toEqual([]);
    await expectSound();
  });

  test('survive many writers at once: none lost, none indexed twice', async () => {
    const kept = await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        save('busy', `Fact number${i} of all`, i % 3 ? {} : { speakerRef: `s${i % 2}` }),
      ),
    );
    await Promise.all([
      ...kept.slice(0, 8).map(({ id }, i) => updateMemory(db.sql, 'busy', id, `Changed fact${i}`)),
      ...kept.slice(0, 8).map(({ id }) => updateMemory(db.sql, 'busy', id, 'Changed otherwise')),
      ...kept.slice(8, 16).map(({ id }) => removeMemory(db.sql, 'busy', id)),
      ...Array.from({ length: 8 }, (_, i) => save('busy', `Late fact${i}`)),
      ...Array.from({ length: 3 }, (_, i) =>
        db.transaction((sql) => replaceKnowledge(sql, 'busy', [{ text: `Edition${i} of the almanac`, source: null }])),
      ),
    ]);
    const namespaces = await db.sql.rows<{ ns: number }>(
      "select p.ns from brain b join brain_entry p using (scope_id) where b.avatar_id = 'busy'",
    );
    expect(namespaces).toHaveLength(41);
    expect(namespaces.filter(({ ns }) => ns === NS.knowledge)).toHaveLength(1);
    await expectSound();
  });

  test('any text can be saved, and no query breaks the recall', async () => {
    const odd = [
      '',
      ' ',
      '???',
      '🎂',
      "'; DROP TABLE brain; --",
      'the of and',
      '犬が好き',
      'a'.repeat(8000),
      '\\ % _ {}',
    ];
    for (const text of odd) await save('odd', text);
    for (const text of odd) await find('odd', text);
    const { id } = await save('odd', 'nul\0', { speakerRef: 'n\0' });
    await updateMemory(db.sql, 'odd', id, '\0');
    expect((await find('odd', '犬が好きですか'))[0]!.content).toBe('犬が好き');
    await expectSound();
  });
});

describe('recall', () => {
  test('of a large brain: rare words lead, common words alone still find the newest', async () => {
    const passages = Array.from({ length: 900 }, (_, i) => ({
      text: `Daily report number${i} about tea`,
      source: null,
    }));
    await db.transaction((sql) => replaceKnowledge(sql, 'large', passages));
    expect((await find('large', 'report number417'))[0]!.content).toContain('number417');
    for (const readable of [owner, readableNamespaces({ kind: 'reply', speakerRef: null })]) {
      const common = await find('large', 'daily tea', readable);
      expect(common).toHaveLength(10);
      expect(common[0]!.content).toContain('number899');
    }
    expect(await find('large', 'daily tea', readableNamespaces({ kind: 'other', callerId: 'u' }))).toEqual([]);
  });

  test('links neighbours in time only', async () => {
    await save('time', 'Where is the kite?');
    await save('time', 'In the attic.');
    clock += 24 * 3600 * 1000;
    await save('time', 'Weather is fine.');
    const found = (await find('time', 'kite')).map(({ content }) => content);
    expect(found).toContain('In the attic.');
    expect(found).not.toContain('Weather is fine.');
  });

  test('a neighbour that may not be read neither shows nor counts', async () => {
    await save('hidden', 'The kite is mine.', { namespace: 'private' });
    await save('hidden', 'In the attic.');
    expect(await find('hidden', 'kite', readableNamespaces({ kind: 'other', callerId: 'u' }))).toEqual([]);
  });
});

describe('knowledge', () => {
  test('is replaced whole or not at all', async () => {
    const train = (text: string) =>
      db.transaction((sql) => replaceKnowledge(sql, 'know', [{ text, source: 'https://a' }]));
    await save('know', 'A memory stays.');
    await train('Opening hours are nine to five.');
    expect(await find('know', 'opening hours')).toMatchObject([{ namespace: 'knowledge', source: 'https://a' }]);
    await train('Closed for winter.');
    expect(await find('know', 'opening hours')).toEqual([]);
    const broken = db.transaction(async (sql) => {
      await replaceKnowledge(sql, 'know', []);
      throw new Error('no');
    });
    await expect(broken).rejects.toThrow('no');
    expect((await find('know', 'winter'))[0]).toMatchObject({ content: 'Closed for winter.' });
    expect((await find('know', 'stays'))[0]).toMatchObject({ content: 'A memory stays.' });
    await expectSound();
  });

  test('refuses to be replaced outside a transaction', async () => {
    await expect(replaceKnowledge(db.sql, 'know', [])).rejects.toThrow('transaction');
  });
});

test('our stems are those of PostgreSQL’s Snowball', async () => {
  await db.pool.query('CREATE TEXT SEARCH DICTIONARY plain_english (TEMPLATE = snowball, Language = english)');
  const roots = 'accept admir bak bless cod commit creat decid defin differ educat employ enjoy explor free happen';
  const more = 'hop hopp imagin lov memor nation occurr play predict quick relat remov sens stud tri vis wonder yield';
  const endings =
    ' e ed es ing s ly able ation ational ment er ers ness ful fully ive ively ity y ies ied ism ist al ally ence'.split(
      ' ',
    );
  const words = `${roots} ${more}`.split(' ').flatMap((root) => endings.map((ending) => root + ending));
  const { rows } = await db.pool.query(
    `SELECT w, (ts_lexize('plain_english', w))[1] AS s FROM unnest($1::text[]) AS w`,
    [words],
  );
  expect(Object.fromEntries(rows.map(({ w }) => [w, stem(w)]))).toEqual(
    Object.fromEntries(rows.map(({ w, s }) => [w, s])),
  );
});
