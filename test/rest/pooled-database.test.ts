/**
 * Web processes and a worker behind PgBouncer in transaction mode, with half as many connections as they would open: no
 * connection is held for longer than a transaction.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type App, openApp } from '../../src/app/app.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import { migrate } from '../../src/kernel/migrations.ts';
import { freePort, openTestApp, type TestApp } from '../support/app.ts';
import { hasPgBouncer, openPgBouncer } from '../support/pgbouncer.ts';
import { until } from '../support/until.ts';

const CONNECTIONS = 6;

(hasPgBouncer ? describe : describe.skip)('behind a pooler of transactions', () => {
  let t: TestApp;
  let other: App;
  let server: RunningServer;
  let url = '';

  beforeAll(async () => {
    t = await openTestApp({
      work: true,
      pooler: async (databaseUrl) => {
        const pooler = await openPgBouncer(databaseUrl, CONNECTIONS);
        url = pooler.url;
        return pooler;
      },
    });
    const config = { ...t.app.config, PORT: await freePort() };
    other = await openApp({ config, databaseUrl: url, work: false });
    server = await startServer(other);
  });
  afterAll(async () => {
    await server?.close();
    await other?.close();
    await t?.close();
  });

  test('turns of many are accepted, spoken, paid for and pushed, each once', async () => {
    const users = await Promise.all(['Ada', 'Bob', 'Cleo', 'Dan'].map((name) => t.person(name, 10)));
    const rooms = await Promise.all(
      users.map(async (person) => {
        const { avatar } = (
          await t.rest('POST', '/avatars', { as: person.apiKey, body: { displayName: 'Nova', ttsVoiceId: 'noop' } })
        ).body;
        const body = { avatarOwnerUserId: person.userId, avatarId: avatar.avatarId };
        return { person, ...(await t.rest('POST', '/conversations', { as: person.apiKey, body })).body };
      }),
    );
    const [first] = rooms;
    // The process that watches hears of what the other one accepts.
    const notified = new Set<string>();
    const updates = other.services.live;
    const leave = await updates.join(
      undefined,
      { slug: first!.shareSlug, viewerToken: first!.viewerToken, after: '0' },
      {
        encoder: updates.objectEncoder,
        deliver: (update) => Boolean(notified.add(`${update.injection}.${update.chunk} ${update.turn.status}`)),
        revoked: () => {},
      },
      (error) => {
        throw error;
      },
    );
    const EACH = 6;
    const post = async (url: string, apiKey: string, index: number) => {
      const headers = {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'idempotency-key': `pooled-${index}`,
      };
      const body = JSON.stringify({ userText: 'Hi', avatarText: `Yes ${index}.`, output: 'audio' });
      // Who finds no free connection in time, on a machine that is busy, is to come again.
      const answer = await until(async () => {
        const given = await fetch(url, { method: 'POST', headers, body });
        const { message } = (await given.json()) as { message?: string };
        return given.status !== 503 && given.status !== 409 && [given.status, message];
      });
      return answer;
    };
    const posts = rooms.flatMap(({ person, conversationId }) =>
      Array.from({ length: EACH }, (_, index) => {
        const { port } = index % 2 ? server : t.server;
        return post(`http://127.0.0.1:${port}/conversations/${conversationId}/turn`, person.apiKey, index);
      }),
    );
    expect(await Promise.all(posts)).toEqual(posts.map(() => [202, undefined]));
    for (const { person, shareSlug } of rooms) {
      const { turns } = await t.settled(shareSlug, person.apiKey);
      const said = turns.filter((turn: any) => turn.role === 'avatar');
      expect(said.map((turn: any) => turn.status)).toEqual(said.map(() => 'audio'));
      expect(said.map((turn: any) => turn.avatarText).sort()).toEqual(
        Array.from({ length: EACH }, (_, n) => `Yes ${n}.`),
      );
    }
    await until(async () => [1, 2, 3, 4, 5, 6].every((n) => notified.has(`${n}.1 audio`)));
    leave();
    const [open] = await t.app.db.rows("select count(*)::int as n from ledger_hold where state = 'open'");
    expect(open).toEqual({ n: 0 });
  });

  test('no setting stays on a connection, and a transaction has its limits', async () => {
    const { db } = t.app;
    const limit = "select current_setting('statement_timeout') as ms";
    expect(await db.transaction((tx) => tx.rows<{ ms: string }>(limit))).toEqual([{ ms: '15s' }]);
    const settings = await Promise.all(Array.from({ length: 2 * CONNECTIONS }, () => db.rows(limit)));
    expect(new Set(settings.flat().map(({ ms }) => ms))).toEqual(new Set(['0']));
  });

  test('who migrates has the lock on a session, and gives it back', async () => {
    expect(await Promise.all([migrate(t.app.db), migrate(other.db)])).toEqual([[], []]);
    // Of this database alone: other test files migrate their own on the same server.
    const locks = await t.app.db.rows(`select 1 from pg_locks where locktype = 'advisory' and objid = 4020261
      and database = (select oid from pg_database where datname = current_database())`);
    expect(locks).toEqual([]);
  });
});
