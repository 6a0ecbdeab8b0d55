/** Gifts that are proposed, confirmed, cancelled and listed. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { expectSoundLedger } from '../../support/credits.ts';
import {
  ada,
  app,
  bob,
  cancel,
  closeGifts,
  confirm,
  eve,
  newGift,
  openGifts,
  propose,
  read,
  runOut,
  t,
  token,
  transferable,
} from '../../support/gifts.ts';
import { makeAvatar, tokenFor } from '../../support/oauth.ts';

beforeAll(openGifts);
afterEach(() => expectSoundLedger(t.app.db));
afterAll(closeGifts);

describe('POST /donations/intents', () => {
  test('answers the intent, for ten minutes, and moves nothing', async () => {
    const [mine, his] = [await transferable(ada), await transferable(bob)];
    const { status, body } = await propose(ada.apiKey, { to: 'bob_live', amount: 2.5, note: '  for the song ' });
    expect(status).toBe(200);
    expect(body).toEqual({
      intentId: expect.stringMatching(/^gft_/),
      status: 'pending',
      amount: 2.5,
      to: bob.userId,
      from: ada.userId,
      note: 'for the song',
      createdAt: expect.any(Number),
      expiresAt: body.createdAt + 600_000,
      confirmUrl: `${t.app.config.SITE_URL}/gifts/${body.intentId}`,
    });
    expect([await transferable(ada), await transferable(bob)]).toEqual([mine, his]);
  });

  test('an app sees the recipient as it sent it and its own sub as sender, never an id', async () => {
    const { body } = await propose(token, { to: 'Bob_Live', amount: 1 });
    const { body: who } = await t.rest('GET', '/oauth/userinfo', { as: token });
    expect(body).toMatchObject({ to: 'Bob_Live', from: who.sub });
    expect(JSON.stringify(body)).not.toContain(ada.userId);
    expect((await read(body.intentId, token)).body).toEqual(body);
    expect((await read(body.intentId, ada.session)).body).toMatchObject({ to: bob.userId, from: ada.userId });
  });

  test('a note of 200 emoji and the smallest amount are taken', async () => {
    const { status, body } = await propose(ada.apiKey, { to: bob.userId, amount: 0.01, note: '🎁'.repeat(200) });
    expect([status, body.amount]).toEqual([200, 0.01]);
  });
});

describe('POST /donations/intents/{intentId}/confirm', () => {
  test('moves the credits as global ones, once; then 409', async () => {
    const [mine, his] = [await transferable(ada), await transferable(bob)];
    const id = await newGift(token, 1.25);
    const { status, body } = await confirm(id, ada.session);
    expect([status, body.intentId, body.status, body.amount]).toEqual([200, id, 'confirmed', 1.25]);
    expect([await transferable(ada), await transferable(bob)]).toEqual([mine - 1.25, his + 1.25]);
    expect((await confirm(id, ada.session)).status).toBe(409);
    expect((await read(id, token)).body.status).toBe('confirmed');
    expect((await cancel(id, ada.session)).body).toEqual({ intentId: id, status: 'confirmed' });
    expect(await transferable(ada)).toBe(mine - 1.25);
  });
});

describe('POST /donations/intents/{intentId}/cancel', () => {
  test('by the sender or by any token of the proposing app; a terminal one keeps its status', async () => {
    const [own, proposed, late] = [await newGift(), await newGift(token), await newGift()];
    expect((await cancel(own, ada.apiKey)).body).toEqual({ intentId: own, status: 'cancelled' });
    expect((await cancel(own, ada.apiKey)).body).toEqual({ intentId: own, status: 'cancelled' });
    const eves = await tokenFor(t, eve, await makeAvatar(t, eve), app, 'donations');
    expect((await cancel(proposed, eves)).body.status).toBe('cancelled');
    await runOut(late);
    expect((await cancel(late, ada.apiKey)).body.status).toBe('expired');
  });
});

describe('GET /donations/sent', () => {
  test('counts confirmed gifts alone, through whatever app, newest first', async () => {
    const [dan, fay] = [await t.person('Dan', 10), await t.person('Fay')];
    const dansToken = await tokenFor(t, dan, await makeAvatar(t, dan), app, 'donations');
    for (const [as, amount] of [
      [dan.apiKey, 1],
      [dansToken, 2.5],
    ] as const) {
      const { body } = await propose(as, { to: fay.userId, amount, note: `${amount}` });
      expect((await confirm(body.intentId, dan.session)).status).toBe(200);
    }
    await propose(dan.apiKey, { to: fay.userId, amount: 3 });
    const { status, body } = await t.rest('GET', `/donations/sent?to=${fay.userId}`, { as: dansToken });
    expect(status).toBe(200);
    expect(body).toEqual({
      to: fay.userId,
      total: 3.5,
      count: 2,
      gifts: [
        { amount: 2.5, note: '2.5', createdAt: expect.any(Number) },
        { amount: 1, note: '1', createdAt: expect.any(Number) },
      ],
    });
  });

  test.each([
    ['', 400],
    ['?to=', 400],
    ['?to=nobody_here', 404],
    ['?to=Bob_Live', 200],
  ])('sent%s answers %d', async (query, status) => {
    expect((await t.rest('GET', `/donations/sent${query}`, { as: eve.apiKey })).status).toBe(status);
  });
});
