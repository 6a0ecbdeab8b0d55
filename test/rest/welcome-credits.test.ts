/** Welcome credits: they pay for work, and no road leads from many new accounts into one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { expectSoundLedger, grantTo } from '../support/credits.ts';

let t: TestApp;
let creator: TestUser;

beforeAll(async () => {
  t = await openTestApp({ work: true, env: { SIGNUP_CREDITS: '5' } });
  creator = await t.person('Ada');
  const set = 'mutation { updateTribe(joinCost: 2) { joinCost } }';
  expect((await t.graphql<any>(set, {}, creator.session)).body.data.updateTribe.joinCost).toBe(2);
});
afterAll(async () => {
  await expectSoundLedger(t.app.db);
  await t.close();
});

const BALANCE = '{ me { balance { available transferable welcome } } }';
const balance = async (who: TestUser) => {
  const { body } = await t.graphql<any>(BALANCE, {}, who.session);
  expect(body.errors).toBeUndefined();
  return body.data.me.balance;
};
const propose = (who: TestUser, amount: number) =>
  t.rest('POST', '/donations/intents', { as: who.apiKey, body: { to: creator.userId, amount } });
const join = (who: TestUser) => t.rest('POST', `/tribes/${creator.userId}/join`, { as: who.apiKey });
const draw = (who: TestUser) => t.rest('POST', '/images/generate', { as: who.apiKey, body: { prompt: 'a red boat' } });

test('ten new accounts cannot move a credit to an eleventh, at once or one by one', async () => {
  const sybils = await Promise.all(Array.from({ length: 10 }, (_, i) => t.person(`Sybil ${i}`)));
  const before = await balance(creator);
  const gifts = await Promise.all(sybils.map((sybil) => propose(sybil, 1)));
  for (const { status, body } of gifts) {
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'Insufficient transferable credits', transferable: 0, required: 1 }),
    ]);
  }
  for (const { status, body } of await Promise.all(sybils.map(join))) {
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: 'Insufficient balance', balance: 0, required: 2 }),
    ]);
  }
  expect(await balance(creator)).toEqual(before);
  expect(await balance(sybils[0]!)).toMatchObject({ available: 5, welcome: 5, transferable: 0 });
});

test('they pay for work, before credits that can be given away', async () => {
  const bob = await t.person('Bob', 3);
  const { status, body } = await draw(bob);
  expect(status).toBe(200);
  const { available, welcome, transferable } = await balance(bob);
  expect([welcome, transferable]).toEqual([5 - body.creditCost, 3]);
  expect(available).toBeCloseTo(8 - body.creditCost, 6);
});

test('a gift that was proposed with credits of one’s own is not paid with welcome ones', async () => {
  const cleo = await t.person('Cleo', 2);
  const { body } = await propose(cleo, 1.5);
  expect((await join(cleo)).status).toBe(200);
  const confirmed = await t.rest('POST', `/donations/intents/${body.intentId}/confirm`, { as: cleo.session });
  expect([confirmed.status, confirmed.body.transferable]).toEqual([400, 0]);
});

test('credits locked to the creator still open the tribe', async () => {
  const dan = await t.person('Dan');
  await grantTo(t, dan, 2, creator);
  expect((await join(dan)).status).toBe(200);
  expect(await balance(dan)).toMatchObject({ available: 5, welcome: 5, transferable: 0 });
});
