/**
 * A real streaming replica of PostgreSQL behind a web process: what is read comes from it, and no reader sees less than is there
 * while it lags, stands still or is gone.
 */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { openApp } from '../../src/app/app.ts';
import { prepareData, takeBaseBackup } from '../../src/embedded-postgres/base-backup.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded-postgres/server.ts';
import { startServer } from '../../src/http/server.ts';
import { openReplicas } from '../../src/kernel/replicas.ts';
import { freePort, openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
import { openDatabaseLine } from '../support/database-proxy.ts';
import { until } from '../support/until.ts';

const QUICK = { fsync: 'off', full_page_writes: 'off' };

let folder: string;
let primary: EmbeddedPostgres;
let replica: EmbeddedPostgres;
let t: TestApp;
let ada: TestUser;
let room: { conversationId: string; shareSlug: string };

async function on(server: EmbeddedPostgres, sql: string, database = 'avatars'): Promise<any[]> {
  const client = new pg.Client({ connectionString: server.urlOf(database) });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** A copy of the running primary that follows it. */
async function follow(home: string): Promise<EmbeddedPostgres> {
  const data = prepareData(home);
  const into = (name: string): string => path.join(data.folder, name);
  await takeBaseBackup(primary.urlOf('postgres'), primary.data, {
    folder: async (name) => void (await mkdir(into(name), { recursive: true, mode: 0o700 })),
    file: (name, source) =>
      copyFile(source, into(name)).catch((error) => {
        if (error.code !== 'ENOENT') throw error;
      }),
    text: (name, content) => writeFile(into(name), content),
  });
  const { port, username, password } = new URL(primary.urlOf('postgres'));
  await writeFile(into('standby.signal'), '');
  await writeFile(
    into('postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=${username} password=${password}'\n`,
  );
  data.keep();
  // Followers ask for the same password.
  await copyFile(path.join(primary.data, '../password'), path.join(path.dirname(data.folder), 'password'));
  // Followers are let in; the rules of the copy are those of before.
  const rules = path.join(primary.data, 'pg_hba.conf');
  await writeFile(rules, 'host all,replication all 127.0.0.1/32 scram-sha-256\n');
  await on(primary, 'select pg_reload_conf()', 'postgres');
  return startPostgres(home, QUICK);
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'replica-'));
  primary = await startPostgres(path.join(folder, 'primary'), QUICK);
  await primary.ensureDatabase('avatars');
  replica = await follow(path.join(folder, 'replica'));
  t = await openTestApp({
    work: true,
    database: { url: primary.urlOf('avatars'), drop: async () => {} },
    env: { DATABASE_REPLICA_URLS: replica.urlOf('avatars') },
  });
  ada = await t.person('Ada', 10);
  const { avatar } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body: { displayName: 'Nova' } })).body;
  const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  room = (await t.rest('POST', '/conversations', { as: ada.apiKey, body })).body;
});
afterAll(async () => {
  await t?.close();
  await replica?.stop();
  await primary?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A conversation of their own. */
async function begin(who: TestUser): Promise<typeof room> {
  const { avatar } = (
    await t.rest('POST', '/avatars', { as: who.apiKey, body: { displayName: 'Rex', ttsVoiceId: 'noop' } })
  ).body;
  const body = { avatarOwnerUserId: who.userId, avatarId: avatar.avatarId };
  return (await t.rest('POST', '/conversations', { as: who.apiKey, body })).body;
}

/** Says something there, and waits until it is done. */
async function say(
  who: TestUser,
  { conversationId, shareSlug }: typeof room,
  words: string,
  output = 'text',
): Promise<void> {
  const body = { userText: `${words}?`, avatarText: words, output };
  const answer = await t.rest('POST', `/conversations/${conversationId}/turn`, { as: who.apiKey, body });
  expect(answer.status).toBe(202);
  await t.settled(shareSlug, who.apiKey);
}

let said = 0;

/** Says something, and reads it back at once. */
async function sayAndRead(): Promise<void> {
  said += 1;
  const body = { userText: `Say ${said}`, avatarText: `Said ${said}`, output: 'text' };
  const answer = await t.rest('POST', `/conversations/${room.conversationId}/turn`, { as: ada.apiKey, body });
  expect(answer.status).toBe(202);
  const { turns } = await read();
  expect(turns.filter((turn: any) => turn.role === 'user')).toHaveLength(said);
  const settled = await t.settled(room.shareSlug, ada.apiKey);
  expect(settled.turns.at(-1).avatarText).toBe(`Said ${said}`);
}

async function read(): Promise<any> {
  const { status, body } = await t.rest('GET', `/conversations/by-slug/${room.shareSlug}`, { as: ada.apiKey });
  expect(status).toBe(200);
  return body;
}

/** The words that a viewer gets who comes now. */
async function watch(): Promise<string[]> {
  const notified = new Set<string>();
  const { live } = t.app.services;
  const leave = await live.join(
    { kind: 'session', userId: ada.userId, credentialId: 'test' },
    { slug: room.shareSlug, after: '0' },
    {
      encoder: live.objectEncoder,
      deliver: ({ turn }) => Boolean(notified.add(turn.avatarText ?? turn.userText ?? '')),
      revoked: () => {},
    },
    () => {},
  );
  await until(async () => notified.size >= 2 * said);
  leave();
  return [...notified];
}

/** It stands still from now on; asking alone lets it go on for a moment. */
async function pauseReplay(): Promise<void> {
  await on(replica, 'select pg_wal_replay_pause()');
  await until(async () => (await on(replica, 'select pg_get_wal_replay_pause_state() as state'))[0].state === 'paused');
}

/** Reads until the replica has answered one. */
const answered = (ask: () => Promise<unknown> = read) =>
  until(async () => {
    const { hits } = t.app.replicas.stats;
    await ask();
    return t.app.replicas.stats.hits > hits;
  });

const LISTS = `{ conversations(first: 5) { nodes { id lastTurn { userText avatarText } turns(first: 20) { nodes { userText avatarText } } } }
  avatars(first: 5) { nodes { conversations(first: 5) { nodes { id turns(first: 19) { nodes { userText avatarText } } } } } } }`;

/** What is said in the caller's one conversation: by the list of conversations, by that of their avatar, and its last turn. */
async function readLists(who: TestUser): Promise<string[][]> {
  const { body } = await t.graphql(LISTS, {}, who.session);
  expect(body.errors).toBeUndefined();
  const words = ({ userText, avatarText }: any): string => avatarText ?? userText;
  const { conversations, avatars } = body.data;
  const [listed] = conversations.nodes;
  const [ofAvatar] = avatars.nodes[0].conversations.nodes;
  return [listed.turns.nodes, ofAvatar.turns.nodes, [listed.lastTurn]].map((turns) => turns.map(words));
}

const listsOf = (said: string[]): string[][] => [said, said, said.slice(-1)];

test('what was written is read back at once, and from the replica as soon as it has it', async () => {
  await sayAndRead();
  await answered();
  expect(await watch()).toEqual(['Say 1', 'Said 1']);
});

test('while it lags PostgreSQL itself is read, for polls and for viewers', async () => {
  await on(replica, 'select pg_wal_replay_pause()');
  const { behind } = t.app.replicas.stats;
  await sayAndRead();
  expect(await watch()).toHaveLength(2 * said);
  expect(t.app.replicas.stats.behind).toBeGreaterThan(behind);
  await on(replica, 'select pg_wal_replay_resume()');
  await answered();
});

test('a public page is read from it for any caller, and not a moment longer than it is public', async () => {
  const setPublic = async (isPublic: boolean) => {
    const asked = { as: ada.apiKey, body: { isPublic } };
    expect((await t.rest('POST', `/conversations/${room.conversationId}/visibility`, asked)).status).toBe(200);
  };
  const poll = async () => (await t.rest('GET', `/conversations/by-slug/${room.shareSlug}`)).status;
  const page = () => statusOf(`${t.url}/${room.shareSlug}`);
  await setPublic(true);
  for (const open of [poll, page]) await answered(async () => expect(await open()).toBe(200));
  // The replica goes on to say that it is public.
  await pauseReplay();
  await setPublic(false);
  expect([await poll(), await page()]).toEqual([403, 404]);
  const [there] = await on(replica, 'select is_public as "isPublic" from conversation');
  expect(there.isPublic).toBe(true);
  await on(replica, 'select pg_wal_replay_resume()');
  await answered();
});

test('turns in lists are read from it, and by PostgreSQL itself where it lacks one of them', async () => {
  const bob = await t.person('Bob', 10);
  const eve = await t.person('Eve', 10);
  const [ofBob, ofEve] = [await begin(bob), await begin(eve)];
  await say(bob, ofBob, 'Before');
  await say(eve, ofEve, 'Before');
  await answered(() => readLists(bob));
  await answered(() => readLists(eve));

  await pauseReplay();
  // What raises no version shows where it was read.
  await on(primary, `update conversation_turn set avatar_text = 'Primary' where avatar_text = 'Before'`);
  await say(eve, ofEve, 'After');
  const { behind } = t.app.replicas.stats;
  await until(async () => {
    expect(await readLists(eve)).toEqual(listsOf(['Before?', 'Primary', 'After?', 'After']));
    return t.app.replicas.stats.behind > behind;
  });
  const before = JSON.stringify(listsOf(['Before?', 'Before']));
  await until(async () => JSON.stringify(await readLists(bob)) === before);
  await on(replica, 'select pg_wal_replay_resume()');
  await answered(() => readLists(eve));
});

const OWN = `{ avatars(first: 9) { nodes { displayName } } conversations(first: 9) { nodes { title } } }`;
const PUBLIC = '{ publicAvatars(first: 9) { nodes { displayName } } }';
const namesOf = (list: { nodes: { displayName: string }[] }): string[] => list.nodes.map((node) => node.displayName);

test('lists are read from it, with all that was written before', async () => {
  const ida = await t.person('Ida', 10);
  const own = async () => (await t.graphql(OWN, {}, ida.session)).body.data;
  const everyones = async () => namesOf((await t.graphql(PUBLIC)).body.data.publicAvatars);
  const make = async (displayName: string) => {
    const body = { displayName, publiclyRenderable: true };
    const { avatarId } = (await t.rest('POST', '/avatars', { as: ida.apiKey, body })).body;
    const talk = { avatarOwnerUserId: ida.userId, avatarId };
    expect((await t.rest('POST', '/conversations', { as: ida.apiKey, body: talk })).status).toBe(200);
    return avatarId;
  };
  const avatarId = await make('First');
  for (const ask of [own, everyones]) await answered(ask);

  await pauseReplay();
  const { late } = t.app.replicas.stats;
  await make('Second');
  const { avatars, conversations } = await own();
  expect([namesOf(avatars), conversations.nodes.length]).toEqual([['First', 'Second'], 2]);
  expect(await everyones()).toEqual(['Second', 'First']);
  expect(t.app.replicas.stats.late).toBeGreaterThan(late);
  // The replica goes on to say that it is public.
  const hidden = { as: ida.apiKey, body: { publiclyRenderable: false } };
  expect((await t.rest('POST', `/avatars/${avatarId}/public`, hidden)).status).toBe(200);
  expect(await everyones()).toEqual(['Second']);
  await on(replica, 'select pg_wal_replay_resume()');
  await answered(async () => expect(await everyones()).toEqual(['Second']));
});

test('a turn that was shared is read from it, and not once it is deleted', async () => {
  const ivo = await t.person('Ivo', 10);
  const ofIvo = await begin(ivo);
  await say(ivo, ofIvo, 'Shared', 'audio');
  const { turns } = (await t.rest('GET', `/conversations/by-slug/${ofIvo.shareSlug}`, { as: ivo.apiKey })).body;
  const { id, shareSlug } = turns.at(-1);
  const page = () => statusOf(`${t.url}/live/${shareSlug}`);
  await answered(async () => expect(await page()).toBe(200));
  await pauseReplay();
  expect((await t.rest('DELETE', `/turns/${id}`, { as: ivo.apiKey })).status).toBe(200);
  expect(await page()).toBe(404);
  await on(replica, 'select pg_wal_replay_resume()');
});

test('a process whose line to hear of changes is silent goes by what it has kept for two seconds at most', async () => {
  const eva = await t.person('Eva', 10);
  const ofEva = await begin(eva);
  const line = await openDatabaseLine(primary.urlOf('avatars'));
  const config = { ...t.app.config, PORT: await freePort(), DATABASE_DIRECT_URL: line.url };
  // Its clock stands still: what it keeps never grows old by itself.
  const nowMs = Date.now();
  const databaseUrl = primary.urlOf('avatars');
  const other = await openApp({ config, databaseUrl, work: false, clock: { now: () => nowMs } });
  const server = await startServer(other);
  try {
    const ask = async (where: string, as: string, tag?: string) => {
      const headers = { authorization: `Bearer ${as}`, ...(tag ? { 'if-none-match': tag } : {}) };
      const answer = await fetch(`http://127.0.0.1:${server.port}${where}`, { headers });
      return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text() };
    };
    const poll = (tag?: string) => ask(`/conversations/by-slug/${ofEva.shareSlug}`, eva.apiKey, tag);
    const { id, token } = (await t.rest('POST', '/api-keys', { as: eva.session, body: { name: 'second' } })).body;
    const { hits } = other.replicas.stats;
    await until(async () => (await poll()).status === 200 && other.replicas.stats.hits > hits);
    const { tag } = await poll();
    expect([await poll(tag), await ask('/avatars', token)]).toMatchObject([{ status: 304 }, { status: 200 }]);

    const locks: (number | null)[] = [];
    other.notifier.onMissed(() => locks.push(other.notifier.lockId));
    await pauseReplay();
    line.freeze();
    const body = { userText: 'Anybody there?', avatarText: 'Always.', output: 'text' };
    const turn = `/conversations/${ofEva.conversationId}/turn`;
    expect((await t.rest('POST', turn, { as: eva.apiKey, body })).status).toBe(202);
    expect((await t.rest('DELETE', `/api-keys/${id}`, { as: eva.session })).status).toBe(200);
    expect((await poll()).text).toContain('Anybody there?');
    await until(async () => (await poll(tag)).status === 200);
    await until(async () => (await ask('/avatars', token)).status === 401);
    // By its silence, long before it is given up.
    expect(locks[0]).toEqual(expect.any(Number));
  } finally {
    line.mend();
    await on(replica, 'select pg_wal_replay_resume()');
    await server.close();
    await other.close();
    line.close();
  }
});

test('a position of the log is asked for once for all who wait, and again for who comes meanwhile', async () => {
  const asked: ((position: object) => void)[] = [];
  const rows = () => new Promise<any[]>((resolve) => asked.push((position) => resolve([position])));
  const urls = [replica.urlOf('avatars')];
  const replicas = openReplicas({ primary: { ...t.app.db, rows }, urls, poolSize: 2, onAway: () => {} });
  const ask = () => replicas.read(async (from) => (from.rows === rows ? 'primary' : 'replica'));
  try {
    const early = [ask(), ask()];
    await until(async () => asked.length > 0);
    const late = [ask(), ask()];
    asked[0]?.({ lsn: '0/0', timeline: '00000001' });
    expect(await Promise.all(early)).toEqual(['replica', 'replica']);
    await until(async () => asked.length > 1);
    // After a failover, one that went on with the lost database lacks what was written since, whatever its position.
    asked[1]?.({ lsn: '0/0', timeline: '00000002' });
    expect(await Promise.all(late)).toEqual(['primary', 'primary']);
    expect([asked.length, replicas.stats]).toEqual([2, { hits: 2, late: 2, behind: 0, away: 0, passed: 0 }]);
    // One that is late still answers what has a version.
    const isOfReplica = await replicas.readAtVersions([{ ...room, version: 0 }], async (from) => from.rows !== rows);
    expect(isOfReplica).toBe(true);
  } finally {
    await replicas.close();
  }
});

test('metrics say what became of the reads, and how far it is behind', async () => {
  const value = async (name: string) => {
    const text = await (await fetch(`${t.url}/metrics`)).text();
    const line = text.split('\n').find((line) => line.startsWith(`${name} `));
    return Number(line?.slice(name.length) ?? Number.NaN);
  };
  const { host } = new URL(replica.urlOf('avatars'));
  expect(await value('avatar_replica_reads_total{outcome="hits"}')).toBeGreaterThan(0);
  expect(await value(`avatar_replica_connections{replica="${host}",state="open"}`)).toBeGreaterThan(0);
  await pauseReplay();
  await on(primary, "update app_user set display_name = display_name || 'x'");
  expect(await value(`avatar_replica_lag_bytes{replica="${host}"}`)).toBeGreaterThan(0);
  await on(replica, 'select pg_wal_replay_resume()');
  await until(async () => (await value(`avatar_replica_lag_bytes{replica="${host}"}`)) === 0);
});

test('what a migration changed is read from PostgreSQL itself until it has it', async () => {
  await pauseReplay();
  await on(primary, 'create table migrated as select 7 as n');
  const { conversationId } = room;
  const { replicas } = t.app;
  const { away } = replicas.stats;
  const found = await replicas.readAtVersions([{ conversationId, version: 0 }], (from) =>
    from.rows('select n from migrated'),
  );
  expect(found).toEqual([{ n: 7 }]);
  expect(replicas.stats.away).toBe(away + 1);
  await on(replica, 'select pg_wal_replay_resume()');
  await answered();
});

test('while it is gone nothing is missed, and it is asked again when it is back', async () => {
  await replica.stop();
  await sayAndRead();
  expect(t.app.replicas.stats.away).toBeGreaterThan(0);
  expect(await watch()).toHaveLength(2 * said);
  const spoken = Array.from({ length: said }, (_, n) => [`Say ${n + 1}`, `Said ${n + 1}`]).flat();
  expect(await readLists(ada)).toEqual(listsOf(spoken));
  expect(await replica.revive()).toBe(true);
  await answered();
});
