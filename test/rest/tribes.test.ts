/** Tribes through REST, on an instance whose operators keep the subscriptions. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger, grantTo } from '../support/credits.ts';
import { makeAvatar, makeClient, tokenFor } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;

beforeAll(async () => {
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' } });
  [ada, bob] = [await t.person('Ada'), await t.person('Bob', 10)];
  await operate(
    'mutation($userId: ID!) { linkStreamAccount(userId: $userId, streamUsername: "Ada_Live") { userId } }',
    {
      userId: ada.userId,
    },
  );
  await setCost(ada, 2);
});
afterEach(() => expectSoundLedger(t.app.db));
afterAll(() => t.close());

async function operate(operation: string, variables: object): Promise<any> {
  const { body } = await t.graphql<any>(operation, variables as never, await t.operator());
  return body;
}
async function update(owner: TestUser, change: object): Promise<any> {
  return (
    await t.graphql<any>(
      `mutation($tribeName: String, $joinCost: Credits) { updateTribe(tribeName: $tribeName, joinCost: $joinCost) {
        user tribeName joinCost memberCount isMember isOwner } }`,
      change as never,
      owner.session,
    )
  ).body;
}
const setCost = (owner: TestUser, joinCost: number) => update(owner, { joinCost });
const tribe = (user: string, as: string) => t.rest('GET', `/tribes/${user}`, { as });
const join = (user: string, as: string) => t.rest('POST', `/tribes/${user}/join`, { as });
const membership = (user: string, as: string, member?: string) =>
  t.rest('GET', `/tribes/${user}/membership${member ? `?member=${member}` : ''}`, { as });

describe('GET /tribes/{user}', () => {
  test('everyone has one, free of charge until a cost is set; by id or name in any case', async () => {
    expect((await tribe(bob.userId, ada.apiKey)).body).toEqual({
      user: bob.userId,
      tribeName: 'Bob',
      joinCost: 0,
      memberCount: 0,
      isMember: false,
      isOwner: false,
    });
    const { status, body } = await tribe('ada_live', ada.apiKey);
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: ada.userId, joinCost: 2, isMember: false, isOwner: true });
  });

  test('404 for an unknown user, 401 without a credential', async () => {
    expect((await tribe('usr_none', ada.apiKey)).status).toBe(404);
    expect((await t.rest('GET', `/tribes/${ada.userId}`)).status).toBe(401);
  });
});

describe('updateTribe', () => {
  test('sets what is given and leaves the rest; null takes the name away', async () => {
    const cleo = await t.person('Cleo');
    await update(cleo, { tribeName: ' The Crew ', joinCost: 0.5 });
    expect((await update(cleo, { joinCost: 1.5 })).data.updateTribe).toMatchObject({
      tribeName: 'The Crew',
      joinCost: 1.5,
      isOwner: true,
    });
    expect((await update(cleo, { tribeName: null })).data.updateTribe).toMatchObject({
      tribeName: 'Cleo',
      joinCost: 1.5,
    });
  });

  test.each([[{ joinCost: -1 }], [{ joinCost: 10_001 }], [{ tribeName: 'x'.repeat(81) }]])(
    '%j is refused',
    async (bad) => {
      expect((await update(bob, bad)).errors[0].extensions.code).toBe('BAD_INPUT');
    },
  );
});

describe('POST /tribes/{user}/join', () => {
  test('charges the member once and pays the creator; then 400', async () => {
    const { status, body } = await join('Ada_Live', bob.apiKey);
    expect([status, body]).toEqual([200, { success: true, isSubscriber: false, charged: 2 }]);
    expect((await balance(t, bob)).available).toBe(8);
    expect((await balance(t, ada)).transferable).toBe(2);
    expect((await tribe(ada.userId, bob.apiKey)).body).toMatchObject({ memberCount: 1, isMember: true });
    const again = await join(ada.userId, bob.apiKey);
    expect([again.status, again.body.error]).toEqual([400, 'Already a member of this tribe.']);
    expect((await balance(t, bob)).available).toBe(8);
  });

  test('spends credits locked to that creator first, and no others’; the creator gets global ones', async () => {
    const cleo = await t.person('Cleo', 5);
    await grantTo(t, cleo, 1.5, ada);
    await grantTo(t, cleo, 9, bob);
    const before = (await balance(t, ada)).transferable;
    expect((await join(ada.userId, cleo.apiKey)).body.charged).toBe(2);
    const left = await balance(t, cleo);
    expect(left).toMatchObject({ available: 13.5, transferable: 4.5 });
    expect(left.locked).toEqual(
      expect.arrayContaining([
        { creatorUserId: ada.userId, amount: 0 },
        { creatorUserId: bob.userId, amount: 9 },
      ]),
    );
    expect((await balance(t, ada)).transferable).toBe(before + 2);
  });

  test('is free of charge for the creator’s subscribers', async () => {
    const dan = await t.person('Dan');
    const set =
      'mutation($c: ID!, $m: ID!, $a: Boolean!) { setStreamSubscription(creatorUserId: $c, memberUserId: $m, active: $a) }';
    await operate(set, { c: ada.userId, m: dan.userId, a: true });
    expect((await join(ada.userId, dan.apiKey)).body).toEqual({ success: true, isSubscriber: true, charged: 0 });
    const fay = await t.person('Fay');
    await operate(set, { c: ada.userId, m: fay.userId, a: true });
    await operate(set, { c: ada.userId, m: fay.userId, a: false });
    expect((await join(ada.userId, fay.apiKey)).status).toBe(400);
  });

  test('too little: 400 with balance and required; credits locked to others do not count; no membership is made', async () => {
    const gil = await t.person('Gil', 1.25);
    await grantTo(t, gil, 7, bob);
    const { status, body } = await join(ada.userId, gil.apiKey);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Insufficient balance', balance: 1.25, required: 2 });
    expect((await tribe(ada.userId, gil.apiKey)).body.isMember).toBe(false);
    expect((await balance(t, gil)).available).toBe(8.25);
  });

  test('one’s own tribe is 400, an unknown creator 404', async () => {
    const own = await join(ada.userId, ada.apiKey);
    expect([own.status, own.body.error]).toEqual([400, 'You cannot join your own tribe.']);
    expect((await join('nobody_here', bob.apiKey)).status).toBe(404);
  });

  test('an Idempotency-Key replays the answer instead of “already a member”', async () => {
    const hal = await t.person('Hal', 5);
    const send = () =>
      t.rest('POST', `/tribes/${ada.userId}/join`, { as: hal.apiKey, headers: { 'idempotency-key': 'one' } });
    expect([(await send()).body, (await send()).body]).toEqual(
      Array(2).fill({ success: true, isSubscriber: false, charged: 2 }),
    );
    expect((await balance(t, hal)).available).toBe(3);
  });
});

describe('GET /tribes/{user}/membership', () => {
  test('the member asks for themselves, the owner for anyone; others are refused', async () => {
    const [ida, jon] = [await t.person('Ida', 5), await t.person('Jon')];
    await join(ada.userId, ida.apiKey);
    const mine = await membership('ada_live', ida.apiKey);
    expect(mine.body).toEqual({ tribeOwner: ada.userId, member: ida.userId, joinedAt: expect.any(Number) });
    expect((await membership(ada.userId, ada.apiKey, ida.userId)).body).toEqual(mine.body);
    expect((await membership(ada.userId, jon.apiKey)).body).toEqual({
      tribeOwner: ada.userId,
      member: jon.userId,
      joinedAt: null,
    });
    expect((await membership(ada.userId, jon.apiKey, ida.userId)).status).toBe(403);
    expect((await membership('nobody_here', jon.apiKey)).status).toBe(404);
    expect((await membership(ada.userId, ada.apiKey, 'nobody_here')).status).toBe(404);
  });

  test('an app sees users as it named them, and its user by its own sub', async () => {
    const client = await makeClient(t, ada, { scopes: ['profile', 'tribes'] });
    const token = await tokenFor(t, bob, await makeAvatar(t, bob), client, 'profile tribes');
    const { sub } = (await t.rest('GET', '/oauth/userinfo', { as: token })).body;
    expect((await tribe('Ada_Live', token)).body.user).toBe('Ada_Live');
    expect((await membership('Ada_Live', token)).body).toMatchObject({ tribeOwner: 'Ada_Live', member: sub });
    expect((await membership('Ada_Live', token, sub)).body.joinedAt).toEqual(expect.any(Number));
  });
});

describe('names on the streaming platform', () => {
  const link = (userId: string, streamUsername: string) =>
    operate(
      'mutation($userId: ID!, $streamUsername: String!) { linkStreamAccount(userId: $userId, streamUsername: $streamUsername) { streamUsername } }',
      { userId, streamUsername },
    );

  test('locks the avatar that bears the name, and lets go of it with the next name', async () => {
    const kim = await t.person('Kim');
    const avatarId = await makeAvatar(t, kim, 'KimPlays');
    const rename = () => t.rest('PATCH', `/avatars/${avatarId}`, { as: kim.apiKey, body: { displayName: 'KimPlays' } });
    await link(kim.userId, 'kimplays');
    expect((await rename()).status).toBe(403);
    await link(kim.userId, 'kim_two');
    expect((await rename()).status).toBe(200);
  });

  test('is one user’s, of many who get it at once', async () => {
    const racers = await Promise.all(Array.from({ length: 8 }, (_, i) => t.person(`Racer ${i}`)));
    const answers = await Promise.all(racers.map(({ userId }) => link(userId, 'Raced_For')));
    const codes = answers.map(({ errors }) => errors?.[0].extensions.code ?? 'OK').sort();
    expect(codes).toEqual([...Array(7).fill('BAD_INPUT'), 'OK']);
  });

  test('is unique in any case, and has the platform’s form', async () => {
    expect((await link(bob.userId, 'ADA_live')).errors[0].extensions.code).toBe('BAD_INPUT');
    expect((await link(bob.userId, 'no spaces')).errors[0].extensions.code).toBe('BAD_INPUT');
  });
});
