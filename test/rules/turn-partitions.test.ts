/** Turns in partitions by the age of their conversation: made once there are many, in the way of none, and dropped when nothing is left. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, jest, test } from '@jest/globals';
import { openSchema } from '../../src/app/open-schema.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { openDatabase } from '../../src/kernel/database.ts';
import { newId, newToken, sha256 } from '../../src/kernel/ids.ts';
import { migrate } from '../../src/kernel/migrations.ts';
import { openTestApp, type TestApp, type TestOptions, type TestUser } from '../support/app.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeAvatar } from '../support/oauth.ts';
import { until } from '../support/until.ts';

let nowMs = Date.now();
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
  nowMs = Date.now();
});

async function start(options: TestOptions = {}): Promise<TestApp> {
  const t = await openTestApp({ clock: { now: () => nowMs }, work: true, ...options });
  open.push(t);
  return t;
}

/** A model server that says one sentence whatever it is asked. */
async function model(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const choice = { index: 0, delta: { role: 'assistant', content: 'Guten Morgen.' }, finish_reason: 'stop' };
    response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

interface Room {
  conversationId: string;
  shareSlug: string;
  viewerToken: string;
}

/** A conversation with an avatar that has a voice, of now. */
async function begin(t: TestApp, ada: TestUser, voiceId = 'noop'): Promise<Room> {
  const avatarId = await makeAvatar(t, ada);
  await t.rest('POST', `/avatars/${avatarId}/voice`, { as: ada.apiKey, body: { voiceId } });
  const body = { avatarOwnerUserId: ada.userId, avatarId };
  return (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
}
/** Says something in it, aloud; returns its turns. */
async function say(t: TestApp, ada: TestUser, { conversationId, shareSlug }: Room, words = 'Good morning.') {
  const body = { userText: 'Hello?', output: 'audio', avatarText: words };
  const answer = await t.rest('POST', `/conversations/${conversationId}/turn`, { as: ada.apiKey, body });
  expect(answer.status).toBe(202);
  return (await t.settled(shareSlug, ada.apiKey)).turns as any[];
}

/** The partitions of turns by name, and how many each has. */
async function partitionsOf({ app }: TestApp): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const all = await app.db.rows<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'conversation_turn'::regclass order by 1`,
  );
  for (const { name } of all) found[name] = (await app.db.rows<any>(`select count(*)::int as n from ${name}`))[0]!.n;
  return found;
}
/** How many foreign keys each has. */
async function keysOf({ app }: TestApp): Promise<Record<string, number>> {
  const found = await app.db.rows<{ name: string; keys: number }>(
    `select conrelid::regclass::text as name, count(*)::int as keys from pg_constraint
     where contype = 'f' and conrelid in (select inhrelid from pg_inherits where inhparent = 'conversation_turn'::regclass) group by 1`,
  );
  return Object.fromEntries(found.map(({ name, keys }) => [name, keys]));
}
/** What PostgreSQL believes that a partition has. */
const believe = ({ app }: TestApp, partition: string, rows: number) =>
  app.db.rows(`select pg_restore_relation_stats('schemaname', 'public', 'relname', $1::text, 'reltuples', $2::real)`, [
    partition,
    rows,
  ]);
/** The first day on which conversations go to the next partition, and what that is called. */
function nextPartition(): { fromMs: number; name: string } {
  const fromMs = Math.ceil((nowMs + 14 * DAY_MS) / DAY_MS) * DAY_MS;
  return { fromMs, name: `conversation_turn_from_${new Date(fromMs).toISOString().slice(0, 10).replace(/-/g, '')}00` };
}
/** A next partition, and the time at which conversations go there. */
async function split(t: TestApp, newest: string): Promise<string> {
  const { fromMs, name } = nextPartition();
  await believe(t, newest, 20_000_000);
  // The worker's own round may be at it, which leaves nothing to a second one.
  await until(async () => {
    await t.app.partitions.run();
    return name in (await partitionsOf(t));
  });
  nowMs = fromMs + 1;
  return name;
}
const auditOf = async (t: TestApp) =>
  (await t.app.db.rows<any>('select invariant from ledger_audit() where not holds')).map((row) => row.invariant);

test('a small installation has one partition; a large one gets a next, and turns of each time are read and deleted alike', async () => {
  const t = await start({ engines: 'real', env: { CHAT_BASE_URL: await model(), CHAT_MODEL: 'test' } });
  const ada = await t.person('Ada', 100);
  const older = await begin(t, ada, 'amelia');
  await say(t, ada, older);
  const warned = jest.spyOn(t.app.log, 'warn');
  await believe(t, 'turn', 9_999_999);
  await t.app.partitions.run();
  expect(await partitionsOf(t)).toEqual({ turn: 2 });
  const name = await split(t, 'turn');
  expect(await partitionsOf(t)).toEqual({ turn: 2, [name]: 0 });
  await t.app.partitions.run();
  expect(warned.mock.calls).toEqual([]);

  const newer = await begin(t, ada, 'amelia');
  const [old, fresh] = [await say(t, ada, older, 'Good evening.'), await say(t, ada, newer)];
  // A conversation stays where it began.
  expect(await partitionsOf(t)).toEqual({ turn: 4, [name]: 2 });
  expect(old.map((turn) => [turn.status, turn.avatarText ?? turn.userText])).toEqual([
    ['ready', 'Hello?'],
    ['audio', 'Good morning.'],
    ['ready', 'Hello?'],
    ['audio', 'Good evening.'],
  ]);

  // By place, by change, by id, by slug, live and in words of another language: as in one table.
  const last = [old.at(-1), fresh.at(-1)];
  for (const [index, room] of [older, newer].entries()) {
    const path = `/conversations/by-slug/${room.shareSlug}`;
    const { body } = await t.rest('GET', `${path}?limit=1`, { as: ada.apiKey });
    expect(body.turns.map(({ id }: any) => id)).toEqual([last[index].id]);
    const before = await t.rest('GET', `${path}?limit=9&before=${last[index].id}`, { as: ada.apiKey });
    expect(before.body.turns).toHaveLength(index === 0 ? 3 : 1);
  }
  const nodes = `query($ids: [ID!]!) { nodes(ids: $ids) { ... on Turn { id avatarText } } }`;
  const { body: byId } = await t.graphql<any>(nodes, { ids: last.map(({ id }) => id) }, ada.apiKey);
  expect(byId.data.nodes.map(({ avatarText }: any) => avatarText)).toEqual(['Good evening.', 'Good morning.']);
  for (const { shareSlug } of last) expect((await fetch(`${t.url}/${shareSlug}`)).status).toBe(200);
  const caption = `query($id: ID!, $slug: String!) { translatedCaption(turnId: $id, viewerToken: $slug, language: "de") { text } }`;
  const captions = async () => (await t.app.db.rows<any>('select count(*)::int as n from translated_caption'))[0]!.n;
  for (const [index, { viewerToken: slug }] of [older, newer].entries()) {
    const { body } = await t.graphql<any>(caption, { id: last[index].id, slug });
    expect(body).toEqual({ data: { translatedCaption: { text: 'Guten Morgen.' } } });
  }
  expect(await captions()).toBe(2);
  // Nothing comes to a turn that is not there.
  await expect(
    t.app.db.rows(`insert into translated_caption values ('trn_none', 'de', '', '', 1)`),
  ).rejects.toMatchObject({ code: '23503' });
  expect(await auditOf(t)).toEqual([]);

  // Deleted one by one, and with all that belongs to them.
  expect((await t.rest('DELETE', `/turns/${last[1].id}`, { as: ada.apiKey })).status).toBe(200);
  expect([await captions(), (await partitionsOf(t))[name]]).toEqual([1, 1]);
  for (const { conversationId } of [older, newer]) {
    expect((await t.rest('DELETE', `/conversations/${conversationId}`, { as: ada.apiKey })).status).toBe(200);
  }
  expect(await partitionsOf(t)).toEqual({ turn: 0, [name]: 0 });
  expect([await captions(), await auditOf(t)]).toEqual([0, []]);
});

test('a slug that lies in another partition is not given twice', async () => {
  const t = await start();
  const ada = await t.person('Ada', 100);
  const [, { shareSlug }] = (await say(t, ada, await begin(t, ada))) as [any, any];
  await split(t, 'turn');
  const [, other] = (await say(t, ada, await begin(t, ada))) as [any, any];
  const give = (slug: string | null) =>
    t.app.db.rows('update conversation_turn set share_slug = $2 where id = $1', [other.id, slug]);
  await give(null);
  await expect(give(shareSlug)).rejects.toMatchObject({
    code: '23505',
    message: expect.stringContaining('turn_share_slug_key'),
  });
  await give(other.shareSlug);
});

test('a partition in which nothing is left is dropped, and its time has a place all the same', async () => {
  const t = await start();
  const ada = await t.person('Ada', 100);
  const [kept, gone] = [await begin(t, ada), await begin(t, ada)];
  await say(t, ada, gone);
  const second = await split(t, 'turn');
  const present = await begin(t, ada);
  await say(t, ada, present);
  const third = await split(t, second);
  expect(await t.app.partitions.run()).toMatchObject({ made: expect.any(Number) });
  expect(Object.keys(await partitionsOf(t))).toEqual([second, third, 'turn'].sort());

  await t.rest('DELETE', `/conversations/${gone.conversationId}`, { as: ada.apiKey });
  await until(async () => {
    await t.app.partitions.run();
    return !('turn' in (await partitionsOf(t)));
  });
  expect(await partitionsOf(t)).toEqual({ conversation_turn_other: 0, [second]: 2, [third]: 0 });
  // A conversation of then in which nothing was said goes on.
  expect((await say(t, ada, kept)).map(({ status }) => status)).toEqual(['ready', 'audio']);
  expect(await partitionsOf(t)).toEqual({ conversation_turn_other: 2, [second]: 2, [third]: 0 });
  // Each keeps to what turns belong to.
  expect(await keysOf(t)).toEqual({ conversation_turn_other: 4, [second]: 4, [third]: 4 });
  // Further partitions are made beside the default one.
  const fourth = await split(t, third);
  expect(await say(t, ada, await begin(t, ada))).toHaveLength(2);
  expect(await partitionsOf(t)).toMatchObject({ conversation_turn_other: 2, [fourth]: 2 });
  expect(await auditOf(t)).toEqual([]);
});

test('workers that make a next partition at once leave it every key that turns have', async () => {
  const t = await start({ work: false });
  let newest = 'turn';
  for (let round = 0; round < 4; round += 1) {
    const { fromMs, name } = nextPartition();
    await believe(t, newest, 20_000_000);
    const work = async () => {
      while (!(name in (await partitionsOf(t)))) await t.app.partitions.run();
    };
    await Promise.all([work(), work(), work()]);
    newest = name;
    nowMs = fromMs + 1;
  }
  const keys = await keysOf(t);
  expect(Object.keys(keys)).toContain(newest);
  expect(new Set(Object.values(keys))).toEqual(new Set([4]));
});

test('a partition that was taken out and is written to by the release before is not dropped', async () => {
  // Without a worker: its own round would be at the same steps, and drop what is to be written to.
  const t = await start({ work: false });
  const ada = await t.person('Ada', 100);
  const room = await begin(t, ada);
  const second = await split(t, 'turn');
  nowMs += DAY_MS;
  await until(async () => {
    await t.app.db.rows('select drop_empty_turns($1)', [nowMs]);
    return !('turn' in (await partitionsOf(t)));
  });
  const rows = (text: string, values: unknown[]) => t.app.db.rows(text, values);
  await rows(
    `insert into injection (id, conversation_id, number, state, request, created_at) values ('inj_late', $1, 1, 'done', '{}', 1)`,
    [room.conversationId],
  );
  await rows(
    `insert into turn (id, conversation_id, injection_id, number, chunk, role, user_text, status, voiced_by_avatar_id, created_at)
     select 'trn_late', id, 'inj_late', 1, 1, 'user', 'Late.', 'ready', avatar_id, 1 from conversation where id = $1`,
    [room.conversationId],
  );
  await t.app.partitions.run();
  expect(await t.app.db.rows('select user_text as text from turn')).toEqual([{ text: 'Late.' }]);
  expect(await partitionsOf(t)).toEqual({ conversation_turn_other: 0, [second]: 0 });
});

test('who works on turns is not kept waiting, and an end that comes near without a next partition is moved', async () => {
  const t = await start();
  const ada = await t.person('Ada', 100);
  const room = await begin(t, ada);
  const [turn] = await say(t, ada, room);
  await believe(t, 'turn', 20_000_000);
  const warned = jest.spyOn(t.app.log, 'warn');
  const left = async () => (await t.app.partitions.left()).find(({ table }) => table === 'conversation_turn')?.leftMs;
  expect(await left()).toBeUndefined();
  const { fromMs } = nextPartition();
  await t.app.db.rows('select split_turns(1, $1, 0)', [fromMs]);
  const stopping = new AbortController();
  await t.app.db.transaction(async (tx) => {
    await tx.rows('update conversation_turn set seconds = 1 where id = $1', [turn.id]);
    const running = t.app.partitions.run(stopping.signal);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%split_turns%'`;
    await until(async () => (await t.app.db.rows(waiting)).length > 0);
    for (let other = 0; other < 3; other += 1) await say(t, ada, await begin(t, ada));
    stopping.abort();
    await running;
  });
  expect(Object.keys(await partitionsOf(t))).toEqual(['turn']);
  expect(await left()).toBe(fromMs - nowMs);

  // A week before its end nothing else has been made: it gets another, and with it the partition.
  nowMs = fromMs - 6 * DAY_MS;
  const { name } = nextPartition();
  await t.app.partitions.run();
  expect(Object.keys(await partitionsOf(t))).toEqual([name, 'turn']);
  expect(await left()).toBeUndefined();
  expect(warned.mock.calls.filter(([fields]: any) => fields.table === 'conversation_turn')).toEqual([]);

  // Where a wrong clock made a conversation of the time to come, it is said, and nothing is refused.
  nowMs += 400 * DAY_MS;
  await say(t, ada, await begin(t, ada));
  nowMs -= 400 * DAY_MS;
  await believe(t, name, 20_000_000);
  await t.app.partitions.run();
  expect(warned).toHaveBeenCalledWith({ table: 'conversation_turn' }, 'partition range taken');
  expect(Object.keys(await partitionsOf(t))).toEqual([name, 'turn']);
});

test('what a release before left is put under partitions as it is, and that release goes on with it', async () => {
  const database = await createTestDatabase('template0');
  const schema = openSchema(database.url, 4);
  const before = await openDatabase({ ...schema, migrations: schema.migrations.filter(({ name }) => name < '0074') });
  try {
    await migrate(before);
    const rows = (text: string, values: unknown[] = []) => before.rows<any>(text, values);
    const [user, avatar, conversation, injection, turn] = ['usr', 'avt', 'cnv', 'inj', 'trn'].map((kind) =>
      newId(kind),
    );
    const token = newToken('svc_');
    await rows('insert into app_user (id, email, created_at) values ($1, $2, 1)', [user, 'ada@example.com']);
    await rows('insert into api_key (id, user_id, name, token_hash, created_at) values ($1, $2, $3, $4, 1)', [
      newId('key'),
      user,
      'Old',
      sha256(token),
    ]);
    await rows(
      `insert into avatar (id, owner_user_id, display_name, created_at, updated_at) values ($1, $2, 'Nova', 1, 1)`,
      [avatar, user],
    );
    await rows(
      `insert into conversation (id, share_slug, owner_user_id, avatar_id, viewer_token, version, injections, created_at)
       values ($1, 'c-26-01-abcd', $2, $3, 'token', 1, 1, 1)`,
      [conversation, user, avatar],
    );
    await rows(
      `insert into injection (id, conversation_id, number, state, request, created_at) values ($1, $2, 1, 'done', '{}', 1)`,
      [injection, conversation],
    );
    // As that release writes it.
    const insert = `insert into turn (id, conversation_id, injection_id, number, chunk, role, avatar_text, status, voiced_by_avatar_id,
        version, share_slug, created_at) values ($1, $2, $3, 1, $5, 'avatar', 'Before.', 'ready', $4, $6, $7, 1)
      on conflict (injection_id, chunk) do nothing returning id`;
    const slug = 't-26-01-abcd';
    expect(await rows(insert, [turn, conversation, injection, avatar, 1, 1, slug])).toHaveLength(1);
    await rows(`insert into translated_caption values ($1, 'de', 'hash', 'Vorher.', 1)`, [turn]);
    const [table] = await rows(`select 'turn'::regclass::oid::text as oid, pg_relation_filenode('turn')::text as file`);

    const t = await start({ database });
    expect(await rows(`select 'turn'::regclass::oid::text as oid, pg_relation_filenode('turn')::text as file`)).toEqual(
      [table],
    );
    const turns = async () => (await t.rest('GET', '/conversations/by-slug/c-26-01-abcd', { as: token })).body.turns;
    expect((await turns()).map(({ avatarText }: any) => avatarText)).toEqual(['Before.']);
    const later = newId('trn');
    expect(await rows(insert, [newId('trn'), conversation, injection, avatar, 1, 2, null])).toEqual([]);
    expect(await rows(insert, [later, conversation, injection, avatar, 2, 2, null])).toEqual([{ id: later }]);
    expect(await turns()).toHaveLength(2);
    await rows(`insert into translated_caption values ($1, 'de', 'hash', 'Nachher.', 1)`, [later]);
    await rows('delete from turn where id = $1', [turn]);
    expect(await rows('select turn_id as id from translated_caption')).toEqual([{ id: later }]);
    expect((await turns()).map(({ id }: any) => id)).toEqual([later]);
    await rows('delete from conversation where id = $1', [conversation]);
    expect(await rows('select id from conversation_turn union all select turn_id from translated_caption')).toEqual([]);
    expect(await auditOf(t)).toEqual([]);
  } finally {
    await before.close();
  }
});
