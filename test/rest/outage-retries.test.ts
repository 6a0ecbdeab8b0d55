/**
 * What work needs is away for a while: it waits and ends well, charged once. Away for too long, it ends in error and its
 * hold goes back. A job whose workers died again and again is listed, and an operator retries it.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jobs } from '../../src/commands/jobs.ts';
import { openTestApp, statusOf, type TestApp, type TestUser } from '../support/app.ts';
import { S3Server } from '../support/s3-server.ts';
import { until } from '../support/until.ts';
import { openWorker } from '../support/workers.ts';

let s3: S3Server;
let mediaUrl: string;

beforeAll(async () => {
  s3 = new S3Server();
  mediaUrl = `s3://id:secret@bucket?endpoint=${await s3.start()}`;
});
afterAll(() => s3.stop());

interface Stage {
  t: TestApp;
  ada: TestUser;
  /** Injects a line that is spoken; its only job is its render. */
  say(): Promise<string>;
  turn(id: string): Promise<any>;
  balance(): Promise<{ available: number; held: number }>;
  charges(id: string): Promise<number>;
}

async function open(env: Record<string, string>, work: boolean): Promise<Stage> {
  const t = await openTestApp({ env, work });
  const ada = await t.person('Ada', 10);
  const body = { displayName: 'Nova', ttsVoiceId: 'noop' };
  const { avatar } = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body;
  const talk = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  const slug = (await t.rest('POST', '/conversations', { as: ada.apiKey, body: talk })).body.shareSlug;
  return {
    t,
    ada,
    async say() {
      const line = { userText: 'Hello there.', mode: 'speak', output: 'audio' };
      return (await t.rest('POST', `/conversations/${slug}/turn`, { as: ada.apiKey, body: line })).body.turn.id;
    },
    async turn(id) {
      const { turns } = (await t.rest('GET', `/conversations/by-slug/${slug}`, { as: ada.apiKey })).body;
      return turns.find((one: any) => one.id === id);
    },
    balance: async () =>
      (await t.graphql<any>('{ me { balance { available held } } }', {}, ada.session)).body.data.me.balance,
    charges: async (id) =>
      (await t.app.db.rows('select 1 from ledger_transfer where source = $1', [`turn:${id}`])).length,
  };
}

const jobOf = async (t: TestApp, work: string) =>
  (
    await t.app.db.rows<any>(
      `select id, state::text, retry_count as retries, (output->>'outages')::int as outages from pgboss.job
       where data->>'id' = $1`,
      [work],
    )
  )[0];

describe('a store of media that is away', () => {
  test('for longer than three attempts costs nothing but time, whatever its hold is old', async () => {
    const { t, say, turn, balance, charges } = await open({ MEDIA_URL: mediaUrl }, true);
    try {
      s3.state = 'refusing';
      const id = await say();
      await until(async () => (await jobOf(t, id)).outages >= 3);
      // Older than what orphans are given: work that waits is no orphan.
      const old = Date.now() - 60 * 60_000;
      await t.app.db.rows('update conversation_turn set created_at = $1', [old]);
      await t.app.db.rows('update ledger_hold set created_at = $1', [old]);
      expect(await t.app.orphanReaper.reap()).toEqual({ replies: 0, turns: 0, generations: 0, exports: 0, holds: 0 });
      expect((await turn(id)).status).toBe('pending');
      expect((await balance()).held).toBeGreaterThan(0);
      s3.state = 'well';
      await until(async () => (await turn(id)).status === 'audio');
      expect([await charges(id), (await balance()).held]).toEqual([1, 0]);
    } finally {
      s3.state = 'well';
      await t.close();
    }
  });

  test('that does not answer is not waited for: reading a file is a 503 with a time to retry, or ends where the file stops coming', async () => {
    const { t, say, turn } = await open({ MEDIA_URL: mediaUrl, MEDIA_SECONDS: '1' }, true);
    try {
      const id = await say();
      const { audioUrl } = await until(async () => {
        const read = await turn(id);
        return read.status === 'audio' && read;
      });
      s3.state = 'silent';
      const answer = await fetch(audioUrl);
      await answer.arrayBuffer();
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5']);
      s3.state = 'stalling';
      const begun = await fetch(audioUrl);
      expect(begun.status).toBe(200);
      await expect(begun.arrayBuffer()).rejects.toThrow();
      s3.state = 'well';
      expect(await statusOf(audioUrl)).toBe(200);
    } finally {
      s3.state = 'well';
      await t.close();
    }
  });

  test('for longer than OUTAGE_SECONDS ends the work in error, uncharged', async () => {
    const { t, say, turn, balance, charges } = await open({ MEDIA_URL: mediaUrl, OUTAGE_SECONDS: '1' }, true);
    try {
      const before = await balance();
      s3.state = 'refusing';
      const id = await say();
      const ended = await until(async () => {
        const read = await turn(id);
        return read.status === 'error' && read;
      });
      expect(ended.errorMessage).toBe('The media could not be rendered.');
      expect([await charges(id), await balance()]).toEqual([0, before]);
    } finally {
      s3.state = 'well';
      await t.close();
    }
  });
});

test('a job whose workers died again and again is listed, retried by an operator, and charged once', async () => {
  const { t, say, turn, balance, charges } = await open({}, false);
  const said: string[] = [];
  const ask = (...words: string[]) => jobs(words, { DATABASE_URL: t.databaseUrl }, (line) => void said.push(line));
  try {
    const ids = [await say(), await say()] as const;
    // As their last worker leaves them: fetched, and without a worker.
    await t.app.db.rows('update pgboss.job set retry_limit = 0');
    await t.app.boss.fetch('render', { batchSize: 2 });
    const worker = await openWorker(t, t.app.engines);
    try {
      for (const id of ids) await until(async () => (await jobOf(t, id)).state === 'failed');
      const [first, second] = [(await jobOf(t, ids[0])).id, (await jobOf(t, ids[1])).id];
      await ask('failed');
      expect(said.join('\n')).toMatch(`render of ${ids[0]}`);
      expect(said.at(-1)).toBe('2 failed.');
      await ask('retry', first);
      await until(async () => (await turn(ids[0])).status === 'audio');
      await expect(ask('retry', first)).rejects.toThrow('is no failed job');
      // The second one's work was ended meanwhile, and its hold released: nothing is done any more.
      await t.app.db.rows('update conversation_turn set created_at = 0 where id = $1', [ids[1]]);
      await t.app.db.rows("update pgboss.job set completed_on = now() - interval '20 minutes' where id = $1", [second]);
      expect(await t.app.orphanReaper.reap()).toMatchObject({ turns: 1 });
      await ask('retry', 'all');
      await until(async () => (await jobOf(t, ids[1])).state === 'completed');
      expect((await turn(ids[1])).status).toBe('error');
      expect([await charges(ids[0]), await charges(ids[1]), (await balance()).held]).toEqual([1, 0, 0]);
      await ask('failed');
      expect(said.at(-1)).toBe('No job has failed.');
    } finally {
      await worker.stop();
    }
    await expect(ask('retry')).rejects.toThrow('Say what to do');
  } finally {
    await t.close();
  }
});
