/** Money under contention: each gift moves once, each member pays once, there is no deadlock. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { until } from '../support/until.ts';

let t: TestApp;

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' } });
});
afterEach(() => expectSoundLedger(t.app.db));
afterAll(() => t.close());

const intend = async (from: TestUser, to: TestUser, amount = 1): Promise<string> => {
  const { body } = await t.rest('POST', '/donations/intents', { as: from.apiKey, body: { to: to.userId, amount } });
  return body.intentId;
};
const confirm = (id: string, who: TestUser) => t.rest('POST', `/donations/intents/${id}/confirm`, { as: who.session });
const cancel = (id: string, who: TestUser) => t.rest('POST', `/donations/intents/${id}/cancel`, { as: who.session });
const tally = (answers: { status: number }[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

test('one gift confirmed 100 times at once: one 200, ninety-nine 409', async () => {
  const [ada, bob] = [await t.person('Ada', 500), await t.person('Bob')];
  const id = await intend(ada, bob, 3);
  const answers = await Promise.all(Array.from({ length: 100 }, () => confirm(id, ada)));
  expect(tally(answers)).toEqual({ 200: 1, 409: 99 });
  expect([(await balance(t, ada)).available, (await balance(t, bob)).available]).toEqual([497, 3]);
});

test('one user joining 100 times at once pays once', async () => {
  const [ada, bob] = [await t.person('Ada'), await t.person('Bob', 500)];
  await t.graphql('mutation { updateTribe(joinCost: 2) { joinCost } }', {}, ada.session);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => t.rest('POST', `/tribes/${ada.userId}/join`, { as: bob.apiKey })),
  );
  expect(tally(answers)).toEqual({ 200: 1, 400: 99 });
  expect([(await balance(t, ada)).available, (await balance(t, bob)).available]).toEqual([2, 498]);
  expect((await t.rest('GET', `/tribes/${ada.userId}`, { as: bob.apiKey })).body.memberCount).toBe(1);
});

test('confirming against cancelling: one of them wins, and what happened is what is shown', async () => {
  const [ada, bob] = [await t.person('Ada', 500), await t.person('Bob')];
  let given = 0;
  for (let round = 0; round < 25; round += 1) {
    const id = await intend(ada, bob);
    const [confirmed, cancelled] = await Promise.all(
      round % 2 ? [confirm(id, ada), cancel(id, ada)] : [cancel(id, ada), confirm(id, ada)].reverse(),
    );
    const { status } = (await t.rest('GET', `/donations/intents/${id}`, { as: ada.apiKey })).body;
    expect(status).toBe(confirmed!.status === 200 ? 'confirmed' : 'cancelled');
    expect(cancelled!.body.status).toBe(status);
    if (status === 'confirmed') given += 1;
    else expect(confirmed!.status).toBe(409);
  }
  expect((await balance(t, bob)).available).toBe(given);
});

test('an intent that runs out while its confirmation waits for the account is expired, not confirmed', async () => {
  const [ada, bob] = [await t.person('Ada', 5), await t.person('Bob')];
  const id = await intend(ada, bob);
  const client = await t.app.db.pool.connect();
  try {
    await client.query('begin');
    await client.query(`select 1 from ledger_account where id = 'g:' || $1 for update`, [ada.userId]);
    const waiting = confirm(id, ada);
    // It has read a pending intent and stands behind our lock before the ten minutes end.
    await until(async () => {
      const blocked = await t.app.db.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database() and query like '%ledger_lock%'`);
      return blocked.length > 0;
    });
    await t.app.db.rows('update gift_intent set expires_at = now_ms() where id = $1', [id]);
    await client.query('commit');
    expect((await waiting).status).toBe(410);
  } finally {
    client.release();
  }
  expect((await balance(t, ada)).available).toBe(5);
});

test('gifts that cross on a few users all arrive, and nothing deadlocks', async () => {
  const users = await Promise.all(['Ada', 'Bob', 'Cleo', 'Dan'].map((name) => t.person(name, 500)));
  const pairs = Array.from({ length: 60 }, (_, i) => {
    const from = users[i % 4]!;
    return [from, users[(i + 1 + (Math.floor(i / 4) % 3)) % 4]!] as const;
  });
  const ids = await Promise.all(pairs.map(([from, to]) => intend(from, to)));
  const answers = await Promise.all(pairs.map(([from], i) => confirm(ids[i]!, from)));
  expect(tally(answers)).toEqual({ 200: 60 });
  const left = await Promise.all(users.map((person) => balance(t, person)));
  expect(left.reduce((sum, { available }) => sum + available, 0)).toBe(2000);
});

test('more gifts at once than one can give: exactly what there is leaves', async () => {
  const [ada, bob] = [await t.person('Ada', 5), await t.person('Bob')];
  const ids = await Promise.all(Array.from({ length: 20 }, () => intend(ada, bob)));
  expect(tally(await Promise.all(ids.map((id) => confirm(id, ada))))).toEqual({ 200: 5, 400: 15 });
  expect([(await balance(t, ada)).available, (await balance(t, bob)).available]).toEqual([0, 5]);
});

test('a member who deletes the account while another joins: the tribe counts the one who is left', async () => {
  const [ada, bob, cleo] = [await t.person('Ada'), await t.person('Bob'), await t.person('Cleo')];
  const join = (who: TestUser) => t.rest('POST', `/tribes/${ada.userId}/join`, { as: who.apiKey });
  await join(bob);
  const bye = 'mutation { deleteAccount(password: "correct horse") { deletedId } }';
  const client = await t.app.db.pool.connect();
  let leaving: Promise<unknown>;
  try {
    await client.query('begin');
    // The row is locked, as by one who is about to be counted.
    await client.query('select 1 from tribe where creator_user_id = $1 for update', [ada.userId]);
    leaving = t.graphql(bye, {}, bob.session);
    await until(async () => {
      const blocked = await t.app.db.rows(`select 1 from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database() and query like '%"tribe"%'`);
      return blocked.length > 0;
    });
    await client.query('update tribe set member_count = member_count + 1 where creator_user_id = $1', [ada.userId]);
    await client.query(
      `insert into tribe_member (creator_user_id, member_user_id, charged, is_subscriber, joined_at)
        values ($1, $2, 0, false, 0)`,
      [ada.userId, cleo.userId],
    );
    await client.query('commit');
  } finally {
    client.release();
  }
  expect(await leaving).toMatchObject({ body: { data: { deleteAccount: { deletedId: bob.userId } } } });
  expect((await t.rest('GET', `/tribes/${ada.userId}`, { as: cleo.apiKey })).body).toMatchObject({ memberCount: 1 });
});
