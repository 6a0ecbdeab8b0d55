/** Credit gifts through REST: two phases, every refusal, and what must not move. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger, grantTo } from '../support/credits.ts';
import { makeAvatar, makeClient, type TestClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
let app: TestClient;
let otherApp: TestClient;
let token: string;
let otherToken: string;

const SCOPES = { scopes: ['profile', 'donations'] };

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' } });
  [ada, bob, eve] = await Promise.all([t.person('Ada', 100), t.person('Bob'), t.person('Eve', 5)]);
  await t.graphql(
    'mutation($userId: ID!) { linkStreamAccount(userId: $userId, streamUsername: "Bob_Live") { userId } }',
    { userId: bob.userId },
    await t.operator(),
  );
  [app, otherApp] = [await makeClient(t, eve, SCOPES), await makeClient(t, eve, SCOPES)];
  const avatarId = await makeAvatar(t, ada);
  token = await tokenFor(t, ada, avatarId, app, 'profile donations');
  otherToken = await tokenFor(t, ada, avatarId, otherApp, 'profile donations');
});
afterEach(() => expectSoundLedger(t.app.db));
afterAll(() => t.close());

const propose = (as: string, body: object) => t.rest('POST', '/donations/intents', { as, body });
const read = (id: string, as: string) => t.rest('GET', `/donations/intents/${id}`, { as });
const confirm = (id: string, as: string) => t.rest('POST', `/donations/intents/${id}/confirm`, { as });
const cancel = (id: string, as: string) => t.rest('POST', `/donations/intents/${id}/cancel`, { as });
const newGift = async (as = ada.apiKey, amount = 1) =>
  (await propose(as, { to: bob.userId, amount })).body.intentId as string;
/** Lets the ten minutes be over, by the clock that counts: the database's. */
const runOut = (id: string) => t.app.db.rows('update gift_intent set expires_at = now_ms() - 1 where id = $1', [id]);
const transferable = async (person: TestUser) => (await balance(t, person)).transferable;

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
    ['nobody', () => ({ to: 'nobody_here', amount: 1 }), 404, /Recipient/],
  ])('%s is refused', async (_, body, status, error) => {
    const answer = await propose(ada.apiKey, body());
    expect(answer.status).toBe(status);
    expect(answer.body.error).toMatch(error);
  });

  test('a note of 200 emoji and the smallest amount are taken', async () => {
    const { status, body } = await propose(ada.apiKey, { to: bob.userId, amount: 0.01, note: '🎁'.repeat(200) });
    expect([status, body.amount]).toEqual([200, 0.01]);
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
});

describe('GET /donations/intents/{intentId}', () => {
  test('is for the sender, and for no other app than the one that proposed', async () => {
    const [own, proposed] = [await newGift(), await newGift(token)];
    expect((await read(own, ada.apiKey)).status).toBe(200);
    expect((await read(proposed, token)).status).toBe(200);
    for (const [id, as] of [
      [own, bob.apiKey],
      [own, token],
      [proposed, otherToken],
    ] as const) {
      expect((await read(id, as)).status).toBe(403);
    }
    expect((await read('gft_none', ada.apiKey)).status).toBe(404);
  });

  test('shows that it ran out, without anybody having swept', async () => {
    const id = await newGift();
    await runOut(id);
    expect((await read(id, ada.apiKey)).body.status).toBe('expired');
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

  test('only a session of the sender may: 403 for keys, tokens and others, 401 for nobody, 404 unknown', async () => {
    const id = await newGift(token);
    for (const as of [ada.apiKey, token, bob.session]) expect((await confirm(id, as)).status).toBe(403);
    expect((await t.rest('POST', `/donations/intents/${id}/confirm`)).status).toBe(401);
    expect((await confirm('gft_none', ada.session)).status).toBe(404);
    expect((await read(id, token)).body.status).toBe('pending');
  });

  test('410 once it ran out, also when the session waited in line; 409 once cancelled; nothing moves', async () => {
    const before = await transferable(ada);
    const [late, dropped] = [await newGift(), await newGift()];
    await runOut(late);
    await cancel(dropped, ada.apiKey);
    expect((await confirm(late, ada.session)).status).toBe(410);
    expect((await confirm(dropped, ada.session)).status).toBe(409);
    expect(await transferable(ada)).toBe(before);
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

  test('403 for others and other apps, 404 unknown', async () => {
    const [own, proposed] = [await newGift(), await newGift(token)];
    expect((await cancel(own, bob.apiKey)).status).toBe(403);
    expect((await cancel(own, token)).status).toBe(403);
    expect((await cancel(proposed, otherToken)).status).toBe(403);
    expect((await cancel('gft_none', ada.apiKey)).status).toBe(404);
    expect((await read(proposed, token)).body.status).toBe('pending');
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
