/** Gifts that name no recipient, no amount, or more than can be given. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { balance, expectSoundLedger, grantTo } from '../../support/credits.ts';
import { ada, bob, closeGifts, confirm, newGift, openGifts, propose, read, t } from '../../support/gifts.ts';

beforeAll(openGifts);
afterEach(() => expectSoundLedger(t.app.db));
afterAll(closeGifts);

test.each<[string, () => object, number, RegExp]>([
  ['no recipient', () => ({ amount: 1 }), 400, /^to is required/],
  ['no amount', () => ({ to: bob.userId }), 400, /^amount is required/],
  ['an amount below 0.01', () => ({ to: bob.userId, amount: 0.009999 }), 400, /^amount must be from 0.01/],
  ['an amount above 1000', () => ({ to: bob.userId, amount: 1000.000001 }), 400, /^amount must be/],
  ['a negative amount', () => ({ to: bob.userId, amount: -5 }), 400, /^amount must be/],
  ['seven decimals', () => ({ to: bob.userId, amount: 1.0000001 }), 400, /^amount .*six decimals/],
  ['an amount in words', () => ({ to: bob.userId, amount: '5' }), 400, /^amount/],
  ['a note of 201 characters', () => ({ to: bob.userId, amount: 1, note: 'ä'.repeat(201) }), 400, /^note/],
  ['oneself', () => ({ to: ada.userId, amount: 1 }), 400, /yourself/],
  ['no user', () => ({ to: 'nobody_here', amount: 1 }), 404, /Recipient/],
])('%s is refused', async (_, body, status, error) => {
  const answer = await propose(ada.apiKey, body());
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatch(error);
});

test('more than is transferable is 400 with both amounts; locked and held credits are not transferable', async () => {
  const cleo = await t.person('Cleo', 3);
  await grantTo(t, cleo, 50, bob);
  const { status, body } = await propose(cleo.apiKey, { to: bob.userId, amount: 3.5 });
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'Insufficient transferable credits', transferable: 3, required: 3.5 });
  expect(await balance(t, cleo)).toEqual({
    available: 53,
    transferable: 3,
    held: 0,
    locked: [{ creatorUserId: bob.userId, amount: 50 }],
  });
});

test('credits spent meanwhile: 400 with both amounts, still pending', async () => {
  const cleo = await t.person('Cleo', 3);
  const [first, second] = [await newGift(cleo.apiKey, 2), await newGift(cleo.apiKey, 2)];
  expect((await confirm(first, cleo.session)).status).toBe(200);
  const { status, body } = await confirm(second, cleo.session);
  expect(status).toBe(400);
  expect(body).toMatchObject({ error: 'Insufficient transferable credits', transferable: 1, required: 2 });
  expect((await read(second, cleo.apiKey)).body.status).toBe('pending');
});
