/**
 * Resuming without gap or duplicate while sixteen writers change one conversation and PostgreSQL is
 * killed once. It has a PostgreSQL of its own: a killed backend takes the whole server through recovery.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openApp } from '../../src/app/app.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded-postgres/server.ts';
import { readConfig } from '../../src/kernel/config.ts';
import { LOCK_CLASSES } from '../../src/kernel/session-locks.ts';
import { bumpVersion } from '../../src/services/conversations/conversation-version.repository.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { until } from '../support/until.ts';
import { Watcher } from './live-viewers.ts';

const WRITERS = 16;
const CHANGES = 30;
const RETRY_MS = 20;

let directory: string;
let postgres: EmbeddedPostgres;
let t: TestApp;
let owner: TestUser;

beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'avatar-resume-'));
  // Commits are flushed to the kernel, as in production: what a viewer saw must survive the kill.
  postgres = await startPostgres(directory, { fsync: 'off', max_connections: '100' });
  await postgres.ensureDatabase('avatar_template');
  const config = readConfig({ ENGINES: 'noop', LOG_LEVEL: 'silent', SECRETS_KEY: 'k'.repeat(32) });
  const template = await openApp({ config, databaseUrl: postgres.urlOf('avatar_template'), work: false });
  // The suite's own instance makes keys of its own.
  await template.db.rows('delete from instance_secret');
  await template.close();
  process.env.TEST_POSTGRES_URL = postgres.urlOf('postgres');
  t = await openTestApp({ env: { LOG_LEVEL: 'silent' } });
  owner = await t.person('Ada', 100);
});
afterAll(async () => {
  await t?.close();
  await postgres?.stop();
  await rm(directory, { recursive: true, force: true });
});

interface Conversation {
  conversationId: string;
  shareSlug: string;
  avatarId: string;
  turnId: string;
}

async function start(): Promise<Conversation> {
  const as = owner.apiKey;
  const { avatarId } = (await t.rest('POST', '/avatars', { as, body: { displayName: 'Nova' } })).body.avatar;
  const body = { avatarOwnerUserId: owner.userId, avatarId };
  const { conversationId, shareSlug } = (await t.rest('POST', '/conversations', { as, body })).body;
  const where = `/conversations/${conversationId}/turn`;
  const { turn } = (await t.rest('POST', where, { as, body: { userText: 'Hello', output: 'text' } })).body;
  return { conversationId, shareSlug, avatarId, turnId: turn.id };
}

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, RETRY_MS));

/** Until it is committed; a commit whose answer was lost is done again, which is one more change. */
async function persist(work: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch {
      await wait();
    }
  }
}

/** New turns and changes of the one that all writers change, in turns. */
async function write({ conversationId, avatarId, turnId }: Conversation, writer: number): Promise<void> {
  for (let i = 0; i < CHANGES; i += 1) {
    const id = i % 2 ? turnId : `trn_${writer}_${i}`;
    await persist(() =>
      t.app.db.transaction(async (tx) => {
        if (id === turnId)
          await tx.rows('update conversation_turn set avatar_text = $2 where id = $1', [id, `${writer}/${i}`]);
        else {
          await tx.rows(
            `insert into conversation_turn (id, conversation_id, injection_id, number, chunk, role, status, voiced_by_avatar_id, created_at)
             select $1, $2, injection_id, number, $4, 'avatar', 'ready', $5, 0 from conversation_turn where id = $3
             on conflict do nothing`,
            [id, conversationId, turnId, 10 + writer * CHANGES + i, avatarId],
          );
        }
        bumpVersion(tx, t.app, conversationId, { turnIds: [id] });
      }),
    );
  }
}

/** SIGKILL of one backend: the postmaster ends all the others and recovers from the log. */
async function killPostgres(): Promise<void> {
  const [victim] = await t.app.db.rows<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() limit 1',
  );
  process.kill(victim!.pid, 'SIGKILL');
}

test('sixteen writers, eight viewers on bad connections, one killed database: no gap, no duplicate', async () => {
  const conversation = await start();
  const { conversationId, shareSlug } = conversation;
  const watchers = Array.from(
    { length: 8 },
    () => new Watcher(t.url, shareSlug, { as: owner.session, after: '0', retryAttempts: Number.POSITIVE_INFINITY }),
  );
  try {
    await Promise.all(watchers.map((watcher) => watcher.until(({ updates }) => updates.length >= 2)));
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(conversation, writer)));
    const dropping = watchers.map(async (watcher, i) => {
      for (let seen = 20 + i; seen < 200; seen += 40) {
        await watcher.until(({ updates }) => updates.length >= seen);
        watcher.drop();
      }
    });
    await watchers[0]!.until(({ updates }) => updates.length >= 60);
    await killPostgres();
    await writing;
    await Promise.all(dropping);

    const rows = await t.app.db.rows<{ id: string; version: number; text: string | null }>(
      `select id, version::float8 as version, avatar_text as text from conversation_turn where conversation_id = $1 order by version`,
      [conversationId],
    );
    const last = rows.at(-1)!.version;
    expect(last).toBeGreaterThanOrEqual(WRITERS * CHANGES);
    for (const watcher of watchers) {
      await watcher.until(({ cursors }) => cursors.at(-1) === last);
      const { cursors, updates, errors } = watcher;
      expect(errors).toEqual([]);
      expect(cursors).toEqual([...new Set(cursors)].sort((a, b) => a - b));
      // What was written once and never changed was seen exactly once; what changed was seen as it is.
      const seen = new Map(updates.map(({ cursor, turn }) => [Number(cursor), turn]));
      expect(
        rows.filter(({ version, id, text }) => seen.get(version)?.id !== id || seen.get(version)!.avatarText !== text),
      ).toEqual([]);
      expect(watcher.connections).toBeGreaterThan(1);
    }
    // A listening connection holds the lock of a web; what it asked last says nothing, for it is asked for signs of life.
    const listening = async (): Promise<number> => {
      const sql = "select from pg_locks where locktype = 'advisory' and classid = $1 and granted";
      return (await t.app.db.rows(sql, [LOCK_CLASSES.web])).length;
    };
    await until(async () => (await listening()) > 0);
    expect(await listening()).toBe(1);
    // Transactions that were open when it died give their connections back.
    const { pool } = t.app.db;
    await until(async () => pool.totalCount === pool.idleCount);
  } finally {
    await Promise.all(watchers.map((watcher) => watcher.stop()));
  }
});
