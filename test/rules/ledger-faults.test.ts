/**
 * Money when processes die: a worker killed before and inside settling a turn, and PostgreSQL
 * killed before, inside and after a transfer and under load. The points are named by row locks of the test's own: the
 * victim stands at exactly that row when it is killed. After each, every invariant of the audit holds.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { openSchema } from '../../src/app/open-schema.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/embedded-postgres/server.ts';
import { type Database, openDatabase } from '../../src/kernel/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { migrate } from '../../src/kernel/migrations.ts';
import { openHolds, settleHold } from '../../src/ledger/holds.ts';
import { balanceOf } from '../../src/ledger/reads.ts';
import { giveGift, lockGiftAccounts } from '../../src/ledger/transfers.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger, ledgerUsers } from '../support/credits.ts';
import { until } from '../support/until.ts';
import { openWorker, type TestWorker } from '../support/workers.ts';

/** Gifts of this suite have no intents: they are the ledger's alone. */
const BARE = /^a gift/;

interface Turn {
  turnId: string;
  conversationId: string;
}
interface Held {
  /** Of its backend. */
  pid: number;
  release(): Promise<void>;
}

/** A connection of the test that holds a row, at which the victim then stands. */
async function holdRow(url: string, sql: string, values: unknown[]): Promise<Held> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  const { rowCount } = await client.query(`${sql} for update`, values);
  expect(rowCount).toBe(1);
  const [{ pid }] = (await client.query('select pg_backend_pid() as pid')).rows;
  return { pid, release: () => client.end().catch(() => {}) };
}

describe('a worker killed', () => {
  let t: TestApp;
  let owner: TestUser;
  let avatarId: string;
  const workers: ChildProcess[] = [];
  let successor: TestWorker | undefined;

  beforeAll(async () => {
    t = await openTestApp({ env: { SIGNUP_CREDITS: '0' } });
    owner = await t.person('Ada', 10);
    const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
    avatarId = (await t.rest('POST', '/avatars', { as: owner.apiKey, body })).body.avatarId;
  });
  afterEach(async () => {
    for (const worker of workers.splice(0)) worker.kill('SIGKILL');
    await successor?.stop();
    successor = undefined;
  });
  afterAll(() => t.close());

  async function work(): Promise<ChildProcess> {
    const worker = spawn(process.execPath, ['--no-warnings', 'dist/src/main.js'], {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ROLE: 'worker',
        PORT: String(await freePort()),
        DATABASE_URL: t.databaseUrl,
        DATA_DIR: t.app.config.DATA_DIR,
        ENGINES: 'noop',
        LOG_LEVEL: 'silent',
      },
      stdio: 'ignore',
    });
    workers.push(worker);
    return worker;
  }
  const isBlocked = async ({ pid }: Held) =>
    (
      await t.app.db.rows(
        'select 1 from pg_stat_activity where datname = current_database() and $1::int = any(pg_blocking_pids(pid))',
        [pid],
      )
    ).length > 0;
  async function injectOne(): Promise<Turn & { shareSlug: string }> {
    const started = { avatarOwnerUserId: owner.userId, avatarId };
    const { conversationId, shareSlug } = (await t.rest('POST', '/conversations', { as: owner.apiKey, body: started }))
      .body;
    const body = { userText: 'One line.', mode: 'speak', output: 'audio' };
    const { turn } = (await t.rest('POST', `/conversations/${conversationId}/turn`, { as: owner.apiKey, body })).body;
    return { turnId: turn.id, conversationId, shareSlug };
  }
  const charges = async (turnId: string) =>
    (await t.app.db.rows('select 1 from ledger_transfer where source = $1', [`turn:${turnId}`])).length;

  const turnRow = ({ turnId }: Turn) =>
    holdRow(t.databaseUrl, 'select 1 from conversation_turn where id = $1', [turnId]);
  const conversationRow = ({ conversationId }: Turn) =>
    holdRow(t.databaseUrl, 'select 1 from conversation where id = $1', [conversationId]);
  const jobRow = ({ turnId }: Turn) =>
    holdRow(t.databaseUrl, `select 1 from pgboss.job where data->>'id' = $1`, [turnId]);

  // The rows at which the victim stands one after the other; at the last one it is killed, and nothing is charged by then.
  test.each<[string, ((turn: Turn) => Promise<Held>)[]]>([
    ['before settling', [turnRow]],
    ['inside settling, its charge written but not committed', [conversationRow]],
    ['inside settling, before its job is ended with it', [turnRow, jobRow]],
  ])('%s: charged once', async (_, rows) => {
    const turn = await injectOne();
    let held = await rows[0]!(turn);
    const victim = await work();
    await until(() => isBlocked(held));
    for (const row of rows.slice(1)) {
      const next = await row(turn);
      await held.release();
      held = next;
    }
    await until(() => isBlocked(held));
    expect(await charges(turn.turnId)).toBe(0);
    victim.kill('SIGKILL');
    await held.release();
    successor = await openWorker(t, t.app.engines);
    await t.settled(turn.shareSlug, owner.apiKey);
    await until(async () => {
      const jobs = await t.app.db.rows(`select 1 from pgboss.job where data->>'id' = $1 and state < 'completed'`, [
        turn.turnId,
      ]);
      return jobs.length === 0;
    });
    await expectSoundLedger(t.app.db);
    expect(await charges(turn.turnId)).toBe(1);
    expect((await balance(t, owner)).held).toBe(0);
  });
});

describe('PostgreSQL killed', () => {
  let directory: string;
  let postgres: EmbeddedPostgres;
  let db: Database;

  async function open(): Promise<void> {
    // A server that was just killed may take a moment to be gone, and looks as if it could be adopted until then.
    postgres = await until(async () => {
      try {
        const started = await startPostgres(directory);
        await started.ensureDatabase('faults');
        return started;
      } catch {
        return undefined;
      }
    });
    db = await openDatabase(openSchema(postgres.urlOf('faults'), 10));
    db.pool.on('error', () => {});
  }

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'avatar-faults-'));
    // PostgreSQL runs as `nobody` where the tests run as root, and must be able to enter.
    await chmod(directory, 0o755);
    await open();
    await migrate(db);
  });
  afterAll(async () => {
    await db.close().catch(() => {});
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** kill -9 of the server and of everything it has started: nothing of it can still write. */
  async function kill(): Promise<void> {
    const [pid] = (await readFile(path.join(directory, 'data/postmaster.pid'), 'utf8')).split('\n');
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', pid!], { encoding: 'utf8' }).trim().split(/\s+/);
    for (const victim of [pid!, ...children]) {
      try {
        process.kill(Number(victim), 'SIGKILL');
      } catch {
        // It ended by itself when its parent died.
      }
    }
  }
  async function restart(): Promise<void> {
    await db.close().catch(() => {});
    await open();
  }
  const availableOf = async (userId: string) => (await balanceOf(db, userId)).available;

  /** A gift with a hook at each of its points. */
  const give = (from: string, to: string, at: { locked?: () => Promise<void>; moved?: () => Promise<void> } = {}) =>
    db.transaction(async (tx) => {
      const gift = await lockGiftAccounts(tx, from, to);
      await at.locked?.();
      const request = { source: newId('test'), fromUserId: from, toUserId: to, amount: 1_000_000n };
      await giveGift(tx, gift, request, Date.now());
      await at.moved?.();
    });

  test.each<[string, 'locked' | 'moved' | 'committed', bigint]>([
    ['before a transfer, both accounts locked', 'locked', 0n],
    ['inside a transfer, everything written', 'moved', 0n],
    ['after a transfer', 'committed', 1_000_000n],
  ])('%s', async (_, point, moved) => {
    const [from, to] = (await ledgerUsers(db, 2, 5_000_000n)) as [string, string];
    if (point === 'committed') {
      await give(from, to);
      await kill();
    } else await expect(give(from, to, { [point]: kill })).rejects.toThrow();
    await restart();
    expect([await availableOf(from), await availableOf(to)]).toEqual([5_000_000n - moved, 5_000_000n + moved]);
    await expectSoundLedger(db, BARE);
    // Nothing stays locked by the dead.
    await give(from, to);
  });

  test.each<[string, boolean, string]>([
    ['inside settling a hold: it is open, and can be settled', false, 'open'],
    ['after settling a hold: it stays settled, a second settling does nothing', true, 'captured'],
  ])('%s', async (_, commits, state) => {
    const [userId] = (await ledgerUsers(db, 1, 5_000_000n)) as [string];
    const request = { source: `turn:${newId('trn')}`, kind: 'turn', userId, amount: 2_000_000n, revealBalance: true };
    const [holdId] = (await db.transaction((tx) => openHolds(tx, [request], Date.now()))) as [string];
    const settle = (then?: () => Promise<void>) =>
      db.transaction(async (tx) => {
        const captured = await settleHold(tx, holdId, 1_500_000n, Date.now());
        await then?.();
        return captured;
      });
    if (commits) await settle().then(kill);
    else await expect(settle(kill)).rejects.toThrow();
    await restart();
    expect((await db.rows('select state from ledger_hold where id = $1', [holdId]))[0]!.state).toBe(state);
    expect(await settle()).toBe(commits ? undefined : 1_500_000n);
    expect(await availableOf(userId)).toBe(3_500_000n);
    await expectSoundLedger(db, BARE);
  });

  test('under load: what was answered has happened, and nothing half', async () => {
    const users = await ledgerUsers(db, 4, 1_000_000_000n);
    let given = 0;
    let isDown = false;
    const busy = Array.from({ length: 8 }, async (_, i) => {
      while (!isDown) {
        try {
          await give(users[i % 4]!, users[(i + 1) % 4]!);
          given += 1;
        } catch {
          return;
        }
      }
    });
    await until(async () => given > 100);
    await kill();
    isDown = true;
    await Promise.all(busy);
    await restart();
    await expectSoundLedger(db, BARE);
    const [row] = await db.rows<{ n: number }>(
      `select count(*)::int as n from ledger_entry where amount = 1000000 and account_id = any($1)`,
      [users.map((id) => `g:${id}`)],
    );
    // One more each at most: committed, but dead before it could say so.
    expect(row!.n).toBeGreaterThanOrEqual(given);
    expect(row!.n).toBeLessThanOrEqual(given + busy.length);
  });
});
