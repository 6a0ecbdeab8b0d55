/** Conversations deleted while their replies begin, are written and end: there is no deadlock, and nothing stays open. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Tx } from '../../src/kernel/database.ts';
import { newId } from '../../src/kernel/ids.ts';
import { openHolds } from '../../src/ledger/holds.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until } from '../support/until.ts';

const CALLERS = 6;
const ROUNDS = 12;

let t: TestApp;
let ada: TestUser;
let avatarId: string;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  ada = await t.person('Ada', 1_000);
  const avatar = { displayName: 'Nova', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' };
  avatarId = (await call('POST', '/avatars', avatar)).body.avatarId;
});
afterAll(() => t.close());

const call = (method: string, path: string, body?: object) =>
  t.rest(method, path, { as: ada.apiKey, ...(body ? { body } : {}) });

/** PostgreSQL's own count; each connection hands on what it counted when it is asked to. */
async function deadlocks(): Promise<number> {
  const { pool } = t.app.db;
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  await Promise.all(clients.map((client) => client.query('select pg_stat_force_next_flush()')));
  for (const client of clients) client.release();
  const [row] = await t.app.db.rows<{ n: number }>(
    'select deadlocks::int as n from pg_stat_database where datname = current_database()',
  );
  return row!.n;
}

/** Two turns; the conversation is deleted once it has been read so many times, at other moments of the replies. */
async function deleteAfter(reads: number): Promise<number[]> {
  const { conversationId: id } = (await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId }))
    .body;
  const say = (userText: string) => call('POST', `/conversations/${id}/turn`, { userText, output: 'text' });
  const first = await say('Hi');
  const second = say('And you?');
  for (let n = 0; n < reads; n += 1) await call('GET', `/conversations/${id}`);
  const deleted = await call('DELETE', `/conversations/${id}`);
  // A turn for a conversation that goes was accepted before, or finds none.
  const { status } = await second;
  return [first.status, status === 404 ? 202 : status, deleted.status];
}

test('deleting conversations whose replies are being written: each goes, nothing deadlocks or stays open', async () => {
  const before = await deadlocks();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const answers: number[][] = [];
    for (let round = 0; round < ROUNDS; round += 1) answers.push(await deleteAfter((caller + round) % 5));
    return answers;
  });
  const answers = (await Promise.all(callers)).flat();
  expect(answers.filter((statuses) => statuses.join() !== '202,202,200')).toEqual([]);
  await until(async () => {
    const open = await t.app.db.rows(`select 1 from pgboss.job where state in ('created', 'retry', 'active')
      and name in ('reply', 'render')`);
    return open.length === 0;
  });
  expect((await deadlocks()) - before).toBe(0);
  expect(await t.app.db.rows('select 1 from injection union all select 1 from turn')).toEqual([]);
  expect((await balance(t, ada)).held).toBe(0);
  await expectSoundLedger(t.app.db);
});

test('deleting a conversation while a render changes its turn and then the version: the deletion waits, and goes', async () => {
  const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
  const { conversationId: id, shareSlug } = body;
  await call('POST', `/conversations/${id}/turn`, { userText: 'Hi', output: 'audio' });
  await t.settled(shareSlug, ada.apiKey);
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let deleting: ReturnType<typeof call> | undefined;
  await t.app.db.transaction(async (tx) => {
    await tx.rows('update turn set stream_key = null where conversation_id = $1', [id]);
    deleting = call('DELETE', `/conversations/${id}`);
    await until(async () => (await t.app.db.rows(waiting)).length > 0);
    await tx.rows('update conversation set version = version + 1 where id = $1', [id]);
  });
  expect((await deleting)?.status).toBe(200);
  await expectSoundLedger(t.app.db);
});

test.each(['conversation', 'turn'])(
  'deleting a %s while its reply holds credits for a chunk and then for the next: no deadlock',
  async (what) => {
    const { db } = t.app;
    const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
    const { conversationId: id, shareSlug } = body;
    const { turn } = (await call('POST', `/conversations/${id}/turn`, { userText: 'Hi', output: 'text' })).body;
    await t.settled(shareSlug, ada.apiKey);
    // What is being written of it is written by hand here, to stop between the statements.
    await db.rows(`update injection set state = 'writing' where conversation_id = $1`, [id]);
    const lockInjection = 'select 1 from injection where conversation_id = $1 for update';
    const waiters = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const waiting = (count: number) => until(async () => (await db.rows(waiters)).length >= count);
    const holdFor = async (tx: Tx, chunk: number) => {
      const hold = { source: `turn:${id}/${chunk}`, kind: 'turn', userId: ada.userId, amount: 1n, revealBalance: true };
      const [holdId] = await openHolds(tx, [hold], Date.now());
      await tx.rows(lockInjection, [id]);
      await tx.rows(
        `insert into turn (id, conversation_id, injection_id, number, chunk, role, avatar_text, output, status,
           voiced_by_avatar_id, hold_id, created_at)
         select $2, i.conversation_id, i.id, i.number, $3, 'avatar', 'And', 'audio', 'pending', $4, $5, 0
         from injection i where i.conversation_id = $1`,
        [id, newId('trn'), chunk, avatarId, holdId],
      );
    };
    let deleting: ReturnType<typeof call> | undefined;
    let next: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      await holdFor(tx, 2);
      deleting = call('DELETE', what === 'turn' ? `/turns/${turn.id}` : `/conversations/${id}`);
      await waiting(1);
      next = db.transaction((other) => holdFor(other, 3));
      await waiting(2);
    });
    const gone = await next!.then(
      () => undefined,
      (error) => error.message,
    );
    expect((await deleting)?.status).toBe(200);
    // The chunk found its injection still there, or gone.
    expect(gone ?? '').not.toMatch(/deadlock/);
    await call('DELETE', `/conversations/${id}`);
    expect((await balance(t, ada)).held).toBe(0);
    await expectSoundLedger(db);
  },
);

test('deleting avatars while others are heard speaking as them: each goes, nothing deadlocks or stays open', async () => {
  const before = await deadlocks();
  const callers = Array.from({ length: CALLERS }, async (_, caller) => {
    const statuses: number[] = [];
    for (let round = 0; round < ROUNDS / 3; round += 1) {
      const avatar = { displayName: 'Guest', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' };
      const speakerAvatarId = (await call('POST', '/avatars', avatar)).body.avatarId;
      const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId });
      const turn = { userText: 'Hi', output: 'audio', speakerAvatarId };
      for (let said = 0; said < 3; said += 1) await call('POST', `/conversations/${body.conversationId}/turn`, turn);
      for (let n = 0; n < (caller + round) % 5; n += 1) await call('GET', `/conversations/${body.conversationId}`);
      statuses.push((await call('DELETE', `/avatars/${speakerAvatarId}`)).status);
    }
    return statuses;
  });
  const statuses = (await Promise.all(callers)).flat();
  expect((await deadlocks()) - before).toBe(0);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  await until(async () => (await balance(t, ada)).held === 0);
  await expectSoundLedger(t.app.db);
});

test.each([
  ['avatar', 'avatars'],
  ['conversation', 'conversations'],
])('deleting: %s, while a counter of %s changes and then that of files: no deadlock', async (what, kind) => {
  const { db } = t.app;
  const avatar = { displayName: 'Guest', personalityPrompt: 'Kind.', ttsVoiceId: 'noop' };
  const guestId = (await call('POST', '/avatars', avatar)).body.avatarId;
  const { body } = await call('POST', '/conversations', { avatarOwnerUserId: ada.userId, avatarId: guestId });
  await call('POST', `/conversations/${body.conversationId}/turn`, { userText: 'Hi', output: 'audio' });
  await t.settled(body.shareSlug, ada.apiKey);
  // As an avatar that is made counts itself and then its portrait's file.
  const count = (tx: Tx, counted: string) =>
    tx.rows('update account_usage set used = used where user_id = $1 and kind = $2 returning used', [
      ada.userId,
      counted,
    ]);
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let deleting: ReturnType<typeof call> | undefined;
  await db.transaction(async (tx) => {
    expect(await count(tx, kind)).toHaveLength(1);
    deleting = call('DELETE', what === 'avatar' ? `/avatars/${guestId}` : `/conversations/${body.conversationId}`);
    await until(async () => (await db.rows(waiting)).length > 0);
    expect(await count(tx, 'storageBytes')).toHaveLength(1);
  });
  expect((await deleting)?.status).toBe(200);
  await expectSoundLedger(db);
});
