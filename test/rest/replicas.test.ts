/**
 * A real streaming replica of PostgreSQL behind a web process: what is read comes from it, and nobody sees less than is there
 * while it lags, stands still or is gone.
 */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { prepareData, takeBaseBackup } from '../../src/embedded-postgres/base-backup.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded-postgres/server.ts';
import { openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
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
  // Whoever follows is let in; the rules of the copy are those of before.
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
      failed: () => {},
      revoked: () => {},
    },
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

test('a public page is read from it for anybody, and not a moment longer than it is public', async () => {
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
  const begin = async (who: TestUser) => {
    const { avatar } = (await t.rest('POST', '/avatars', { as: who.apiKey, body: { displayName: 'Rex' } })).body;
    const body = { avatarOwnerUserId: who.userId, avatarId: avatar.avatarId };
    return (await t.rest('POST', '/conversations', { as: who.apiKey, body })).body;
  };
  const say = async (who: TestUser, { conversationId, shareSlug }: typeof room, words: string) => {
    const body = { userText: `${words}?`, avatarText: words, output: 'text' };
    const answer = await t.rest('POST', `/conversations/${conversationId}/turn`, { as: who.apiKey, body });
    expect(answer.status).toBe(202);
    await t.settled(shareSlug, who.apiKey);
  };
  const eve = await t.person('Eve', 10);
  const [ofBob, ofEve] = [await begin(bob), await begin(eve)];
  await say(bob, ofBob, 'Before');
  await say(eve, ofEve, 'Before');
  await answered(() => readLists(bob));
  await answered(() => readLists(eve));

  await pauseReplay();
  // What raises no version tells where it was read.
  await on(primary, `update turn set avatar_text = 'Primary' where avatar_text = 'Before'`);
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

test('what a migration changed is read from PostgreSQL itself until it has it, and so is what has no version', async () => {
  await pauseReplay();
  await on(primary, 'create table migrated as select 7 as n');
  const { conversationId } = room;
  const { replicas } = t.app;
  const { away } = replicas.stats;
  const found = await replicas.read([{ conversationId, version: 0 }], (from) => from.rows('select n from migrated'));
  expect(found).toEqual([{ n: 7 }]);
  expect(replicas.stats.away).toBe(away + 1);
  await on(replica, 'select pg_wal_replay_resume()');
  await answered();
  const { behind } = replicas.stats;
  await replicas.read([{ conversationId, version: Number.POSITIVE_INFINITY }], (from) => from.rows('select 1'));
  expect(replicas.stats.behind).toBe(behind);
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
