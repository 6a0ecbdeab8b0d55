/**
 * A page of a long list reads its own rows: turns, conversations, memories, knowledge, movements of credits. Statements are
 * prepared, so PostgreSQL plans them for the usual list, which is short, and runs the long ones by the same plan.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Keyset } from '../../src/kernel/keyset.ts';
import { knowledgePassages } from '../../src/services/brain/memory/knowledge.queries.ts';
import { listMemories } from '../../src/services/brain/memory/memory.repository.ts';
import type { Readable } from '../../src/services/brain/memory/memory-system.port.ts';
import { ownConversations } from '../../src/services/conversations/conversation.queries.ts';
import { readTurns, turnsOf } from '../../src/services/turns/turn.queries.ts';
import { historyBefore } from '../../src/services/turns/turn-work.queries.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await openTestApp();
  await t.app.db.transaction(async (tx) => {
    tx.send('set local session_replication_role = replica', []);
    const insert = `insert into conversation_turn (id, conversation_id, injection_id, number, chunk, role, avatar_text, status,
        voiced_by_avatar_id, version, created_at)
      select 't' || c || '_' || n, 'c' || c, 'i' || c || '_' || n, n, 1, 'avatar', repeat('word ', 20), 'ready', 'a', n, 0
      from generate_series($1::int, $2::int) c, generate_series(1, $3::int) n`;
    tx.send(insert, [1, 2_000, 10]);
    tx.send(insert, [2_001, 2_001, 2_000]);
    const rooms = `insert into conversation (id, share_slug, owner_user_id, avatar_id, viewer_token, created_at)
      select 'cnv_' || o || '_' || lpad(n::text, 5, '0'), 's' || o || '_' || n, 'o' || o, 'a', 'v', 0
      from generate_series($1::int, $2::int) o, generate_series(1, $3::int) n`;
    tx.send(rooms, [1, 1_000, 10]);
    tx.send(rooms, [1_001, 1_001, 5_000]);
    // In the long one every second is learnt.
    tx.send(
      "insert into brain (scope_id, avatar_id) overriding system value select n, 'avt_' || n from generate_series(1001, 1201) n",
      [],
    );
    const entries = `insert into brain_entry (scope_id, seq, id, ns, source, content, len, created_at)
      select b, n, 'mem_' || b || '_' || n, case when n % 2 = 0 then 2 else 0 end, 'page', repeat('word ', 20), 20, 0
      from generate_series($1::int, $2::int) b, generate_series(1, $3::int) n`;
    tx.send(entries, [1_001, 1_200, 20]);
    tx.send(entries, [1_201, 1_201, 5_000]);
  });
  await t.app.db.rows('analyze turn, conversation, brain, brain_entry');
});
afterAll(() => t.close());

/** The plans of what is run: for any values, and for these. */
async function plansOf(run: (db: { rows: never }) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const explained = async (sql: string, values: unknown[]) => {
    for (const asked of [{ text: `explain (generic_plan) ${sql}` }, { text: `explain ${sql}`, values }]) {
      const { rows } = await t.app.db.pool.query(asked);
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return [];
  };
  await run({ rows: explained as never });
  expect(plans).toHaveLength(2);
  return plans;
}

test.each([
  ['its newest', { limit: 24 }],
  ['what was before', { limit: 24, before: 't2001_900' }],
  ['what was before, from the start of what changed', { limit: 24, before: 't2001_900', afterVersion: 0 }],
])('%s: no row is read that is not shown', async (_, page) => {
  const [plan] = await plansOf((db) => readTurns(db, 'c2001', page));
  expect(plan).toContain('turn_order');
  expect(plan).not.toContain('Sort');
});

test('what a reply is written from: no row is read that is not among the newest before it', async () => {
  const given = { id: 'i2001_1000', startedJob: null, limit: 80 };
  for (const plan of await plansOf((db) => historyBefore(db, given))) {
    expect(plan).toMatch(/Index Scan .*turn_order[\s\S]*Index Cond: .*conversation_id = .*number < /);
    expect(plan).not.toContain('Sort');
  }
});

test.each(['from its end', 'from its beginning'])(
  'a page of each of several, %s: the index ends each',
  async (from) => {
    const keyset: Keyset = { above: '5.1', below: '1900.1', descending: from === 'from its end', limit: 3 };
    for (const plan of await plansOf((db) => turnsOf(db, ['c1', 'c2001'], { ...keyset, limit: 21 }))) {
      expect(plan).toMatch(
        /Index Scan .*turn_order[\s\S]*Index Cond: .*conversation_id = c\.id.*ROW\(.*> ROW.*ROW\(.*< ROW/,
      );
      // What is sorted is the page that was read.
      expect(plan.match(/Sort +\(/g)).toHaveLength(1);
      expect(plan.indexOf('Sort ')).toBeLessThan(plan.indexOf('Limit'));
    }
    const rows = await turnsOf(t.app.db, ['c1', 'c2001'], keyset);
    const numbers = (id: string) => rows.filter((row) => row.conversationId === id).map(({ number }) => number);
    expect(numbers('c1')).toEqual(keyset.descending ? [10, 9, 8] : [6, 7, 8]);
    expect(numbers('c2001')).toEqual(keyset.descending ? [1_899, 1_898, 1_897] : [6, 7, 8]);
  },
);

test.each([true, false])(
  'a page of a long list of conversations reads its own rows, newest first: %s',
  async (descending) => {
    const keyset: Keyset = { above: 'cnv_1001_00100', below: 'cnv_1001_04900', descending, limit: 21 };
    for (const plan of await plansOf((db) => ownConversations(db, { ownerId: 'o1001', ...keyset }))) {
      const page = plan.slice(plan.indexOf('Limit'));
      expect(page).toMatch(/conversation_(?:listed|by_owner)[\s\S]*Index Cond: .*owner_user_id.*id > .*id < /);
      expect(page).not.toContain('Sort');
    }
  },
);

/** Memories and passages, from the first page and from the middle. */
const KEYSETS: Keyset[] = [
  { above: null, below: null, descending: true, limit: 21 },
  { above: '100', below: '4900', descending: true, limit: 21 },
  { above: '100', below: '4900', descending: false, limit: 21 },
];
const readable: Readable = { shared: ['public', 'private', 'knowledge'], speakers: 'all' };

test.each(KEYSETS)(
  'a page of a large brain reads its own rows, what is remembered and what was learnt: %j',
  async (keyset) => {
    const brain = { avatarId: 'avt_1201', sandboxId: null };
    const lists = {
      brain_entry_pkey: (db: any) => listMemories(db, { ...brain, readable, ...keyset }),
      brain_entry_learnt: (db: any) =>
        knowledgePassages(db, { avatarId: 'avt_1201', source: null, search: null, ...keyset }),
    };
    for (const [index, run] of Object.entries(lists))
      for (const plan of await plansOf(run)) {
        expect(plan).toMatch(new RegExp(`Index Scan .*${index}[\\s\\S]*Index Cond: .*scope_id = .*seq > .*seq < `));
        expect(plan).not.toContain('Sort');
      }
  },
);

test('what changed is found by its version, and pages hold what they should', async () => {
  const numbers = async (page: object) => (await readTurns(t.app.db, 'c2001', page)).map(({ version }) => version);
  expect(await numbers({ afterVersion: 1_998 })).toEqual([1_999, 2_000]);
  expect(await numbers({ limit: 2 })).toEqual([1_999, 2_000]);
  expect(await numbers({ limit: 2, before: 't2001_900' })).toEqual([898, 899]);
  expect(await numbers({ limit: 2, afterVersion: 1_000 })).toEqual([1_999, 2_000]);
  expect(await numbers({ before: 't2001_3' })).toEqual([1, 2]);
  expect(await numbers({})).toHaveLength(2_000);
});
