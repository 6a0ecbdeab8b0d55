/** What non-owners may spend on a public avatar, and what becomes of work whose job died. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { openHolds } from '../../src/ledger/holds.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatar: any;
let nowMs: number;

beforeAll(async () => {
  nowMs = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' }, clock: { now: () => nowMs } });
  [ada, bob] = [await t.person('Ada', 100), await t.person('Bob', 100)];
  const body = { displayName: 'Nova', ttsVoiceId: 'noop', publiclyRenderable: true };
  avatar = (await t.rest('POST', '/avatars', { as: ada.apiKey, body })).body.avatar;
});
// A clock that stands still gives every id the same time; it moves a little between tests.
beforeEach(() => {
  nowMs += 1;
});
afterEach(() => expectSoundLedger(t.app.db));
afterAll(() => t.close());

const setCap = (creditsPerDay: number | null, as = ada) =>
  t.graphql<any>(
    `mutation($avatarId: ID!, $creditsPerDay: Credits) {
      setAvatarNonOwnerCap(avatarId: $avatarId, creditsPerDay: $creditsPerDay) { nonOwnerCapPerDay } }`,
    { avatarId: avatar.avatarId, creditsPerDay },
    as.session,
  );
async function start(as: TestUser): Promise<any> {
  const body = { avatarOwnerUserId: ada.userId, avatarId: avatar.avatarId };
  return (await t.rest('POST', '/conversations', { as: as.apiKey, body })).body;
}
async function speak(as: TestUser, conversationId?: string): Promise<any> {
  const id = conversationId ?? (await start(as)).conversationId;
  const body = { userText: 'Three words here. And three more.', mode: 'speak', output: 'video' };
  return t.rest('POST', `/conversations/${id}/turn`, { as: as.apiKey, body });
}
const held = async () => (await balance(t, ada)).held as number;

describe('setAvatarNonOwnerCap', () => {
  test('is the owner’s alone', async () => {
    expect((await setCap(1)).body.data.setAvatarNonOwnerCap.nonOwnerCapPerDay).toBe(1);
    expect((await setCap(null)).body.data.setAvatarNonOwnerCap.nonOwnerCapPerDay).toBeNull();
    expect((await setCap(1, bob)).body.errors![0].extensions.code).toBe('NOT_FOUND');
    expect((await setCap(-1)).body.errors![0].extensions.code).toBe('BAD_INPUT');
  });

  test('stops non-owners at the cap with a 402 that hides the balance; the owner goes on; tomorrow is another day', async () => {
    nowMs += DAY_MS;
    const before = await held();
    expect((await speak(bob)).status).toBe(202);
    const price = Number(((await held()) - before).toFixed(6));
    expect(price).toBeGreaterThan(0);
    // What was spent before the cap was set counts: one more fits, a third does not.
    await setCap(Number((2.5 * price).toFixed(6)));
    expect((await speak(bob)).status).toBe(202);
    const refused = await speak(bob);
    expect(refused.status).toBe(402);
    expect(refused.body).toMatchObject({ requiredCredits: price, availableCredits: 0 });
    expect((await speak(ada)).status).toBe(202);
    expect(Number(((await held()) - before).toFixed(6))).toBe(Number((3 * price).toFixed(6)));
    nowMs += DAY_MS;
    expect((await speak(bob)).status).toBe(202);
  });

  test('non-owners who come at once do not pass it together', async () => {
    nowMs += DAY_MS;
    const before = await held();
    await setCap(null);
    await speak(bob);
    const price = Number(((await held()) - before).toFixed(6));
    nowMs += DAY_MS;
    await setCap(Number((3 * price).toFixed(6)));
    const conversations = await Promise.all(Array.from({ length: 12 }, () => start(bob)));
    const answers = await Promise.all(conversations.map(({ conversationId }) => speak(bob, conversationId)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(9);
  });
});

describe('orphaned work', () => {
  const kill = (ids: string[]) => t.app.db.rows(`delete from pgboss.job where data->>'id' = any($1)`, [ids]);
  const age = (ids: string[]) =>
    t.app.db.rows('update conversation_turn set created_at = created_at - $2 where id = any($1)', [
      ids,
      16 * MINUTE_MS,
    ]);
  const ageInjection = (turnId: string) =>
    t.app.db.rows(
      'update injection set created_at = created_at - $2 where id = (select injection_id from conversation_turn where id = $1)',
      [turnId, 16 * MINUTE_MS],
    );
  const statusOf = async (id: string) =>
    (await t.app.db.rows<{ status: string }>('select status from conversation_turn where id = $1', [id]))[0]!.status;

  test('a turn whose render died ends in error after 15 minutes, and its hold goes back; living work stays', async () => {
    await setCap(null);
    const before = await held();
    const [dead, young, living] = [await speak(ada), await speak(ada), await speak(ada)].map(
      ({ body }) => body.turn.id,
    );
    await kill([dead, young]);
    await age([dead, living]);
    expect(await t.app.orphanReaper.reap()).toMatchObject({ turns: 1 });
    expect([await statusOf(dead), await statusOf(young), await statusOf(living)]).toEqual([
      'error',
      'pending',
      'pending',
    ]);
    const [hold] = await t.app.db.rows<{ state: string }>(
      'select h.state from ledger_hold h join conversation_turn t on t.hold_id = h.id where t.id = $1',
      [dead],
    );
    expect(hold!.state).toBe('released');
    expect(await held()).toBeGreaterThan(before);
    expect(await t.app.orphanReaper.reap()).toMatchObject({ turns: 0 });
  });

  test('a reply that no worker writes ends in error and wakes the next one', async () => {
    const { conversationId } = await start(ada);
    const say = async () =>
      (
        await t.rest('POST', `/conversations/${conversationId}/turn`, {
          as: ada.apiKey,
          body: { userText: 'Hello', output: 'audio' },
        })
      ).body.turn.id as string;
    const [first, second] = [await say(), await say()];
    const injections = await t.app.db.rows<{ id: string }>(
      'select id from injection where conversation_id = $1 order by number',
      [conversationId],
    );
    await kill(injections.map(({ id }) => id));
    await Promise.all([ageInjection(first), ageInjection(second)]);
    expect((await t.app.orphanReaper.reap()).replies).toBe(1);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['error', 'pending']);
    const woken = await t.app.db.rows(`select 1 from pgboss.job where data->>'id' = $1 and state < 'completed'`, [
      injections[1]!.id,
    ]);
    expect(woken).toHaveLength(1);
  });

  test('a one-shot speech whose job died ends in error, so that the same request can be made again', async () => {
    const ask = async () =>
      (await t.rest('POST', `/avatars/${avatar.avatarId}/speak`, { as: ada.apiKey, body: { text: 'Say it once.' } }))
        .body;
    const { generationId } = await ask();
    expect((await ask()).reused).toBe(true);
    await kill([generationId]);
    await t.app.db.rows('update speech_generation set created_at = created_at - $2, attempt = 2 where id = $1', [
      generationId,
      16 * MINUTE_MS,
    ]);
    const left = [1, 2].map((attempt) => `speech/${generationId}-${attempt}.m4a`);
    for (const key of left) await t.app.store.put(key, new Uint8Array([1]), { contentType: 'audio/mp4' });
    expect((await t.app.orphanReaper.reap()).generations).toBe(1);
    expect(await Promise.all(left.map((key) => t.app.store.exists(key)))).toEqual([false, false]);
    expect((await t.rest('GET', `/avatars/speak/${generationId}`, { as: ada.apiKey })).body.status).toBe('error');
    expect((await ask()).reused).toBe(false);
  });

  test('an open hold that nothing refers to goes back', async () => {
    const request = { source: 'speech:gen_lost', kind: 'speech', userId: ada.userId, amount: 5n, revealBalance: true };
    await t.app.db.transaction((tx) => openHolds(tx, [request], nowMs - 16 * MINUTE_MS));
    expect((await t.app.orphanReaper.reap()).holds).toBe(1);
    expect((await t.app.orphanReaper.reap()).holds).toBe(0);
  });

  test('what cannot be ended keeps nothing else waiting', async () => {
    const requests = ['gen_bad', 'gen_good'].map((id) => {
      return { source: `speech:${id}`, kind: 'speech', userId: ada.userId, amount: 5n, revealBalance: true };
    });
    await t.app.db.transaction((tx) => openHolds(tx, requests, nowMs - 16 * MINUTE_MS));
    await t.app.db.rows(`create function refuse() returns trigger language plpgsql as $$
      begin if new.source = 'speech:gen_bad' then raise exception 'a row that nothing can change'; end if; return new; end $$`);
    await t.app.db.rows('create trigger refuse before update on ledger_hold for each row execute function refuse()');
    try {
      expect((await t.app.orphanReaper.reap()).holds).toBe(1);
    } finally {
      await t.app.db.rows('drop function refuse cascade');
    }
    expect((await t.app.orphanReaper.reap()).holds).toBe(1);
  });
});
