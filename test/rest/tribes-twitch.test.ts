/** Tribes on an instance with Twitch: its sign-in proves names, Helix says who subscribes, and when it does not, no one pays. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger } from '../support/credits.ts';
import { makeAvatar } from '../support/oauth.ts';
import { Visitor } from '../support/page-client.ts';
import { openTwitchServer, TWITCH_ENV, type TwitchServer } from '../support/twitch-server.ts';

let twitch: TwitchServer;
let t: TestApp;
let ada: TestUser;
let accounts = 0;
let signIns = 0;

beforeAll(async () => {
  twitch = await openTwitchServer();
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0', ...TWITCH_ENV(twitch.url) } });
  ada = await t.person('Ada');
  await link(ada, { userId: '1000', login: 'ada_live' });
  await t.graphql('mutation { updateTribe(joinCost: 2) { joinCost } }', {}, ada.session);
});
beforeEach(() => {
  twitch.down = undefined;
});
afterEach(() => expectSoundLedger(t.app.db));
afterAll(async () => {
  await t?.close();
  await twitch.close();
});

/** Signs in at the platform as a browser would: our page, its sign-in, back to our page. */
async function link(person: TestUser, account: { userId: string; login: string }, who?: Visitor) {
  const visitor = who ?? (await new Visitor(t.url).signIn(person.email));
  const sent = await visitor.get('/stream-link');
  const signIn = new URL(sent.location!);
  expect([sent.status, signIn.origin, signIn.pathname]).toEqual([303, twitch.url, '/oauth2/authorize']);
  expect(signIn.searchParams.get('redirect_uri')).toBe(`${t.app.config.SITE_URL}/stream-link/callback`);
  signIns += 1;
  const code = `code-${signIns}`;
  twitch.codes.set(code, account);
  const state = signIn.searchParams.get('state')!;
  return visitor.get(`/stream-link/callback?code=${code}&state=${state}`);
}
/** A person with ten credits, linked, who subscribes to Ada or does not. */
async function viewer(isSubscriber: boolean): Promise<TestUser & { twitchId: string }> {
  accounts += 1;
  const person = await t.person('Viewer', 10);
  const twitchId = String(2000 + accounts);
  await link(person, { userId: twitchId, login: `viewer_${accounts}` });
  if (isSubscriber) twitch.subscriptions.add(`1000 ${twitchId}`);
  return { ...person, twitchId };
}
const join = (person: TestUser) => t.rest('POST', '/tribes/ada_live/join', { as: person.apiKey });
const expire = (twitchId: string) => {
  for (const [token, { userId }] of twitch.tokens) if (userId === twitchId) twitch.tokens.delete(token);
};

describe('who joins free of charge', () => {
  test('an active subscriber; Helix is asked for exactly this pair, with the member’s token', async () => {
    const member = await viewer(true);
    expect((await join(member)).body).toEqual({ success: true, isSubscriber: true, charged: 0 });
    expect(twitch.requests.at(-1)).toBe(`GET /helix/subscriptions/user?broadcaster_id=1000&user_id=${member.twitchId}`);
    expect((await balance(t, member)).available).toBe(10);
  });

  test('not one who does not subscribe, nor one who never linked an account', async () => {
    expect((await join(await viewer(false))).body).toEqual({ success: true, isSubscriber: false, charged: 2 });
    const asked = twitch.requests.length;
    expect((await join(await t.person('Stranger', 10))).body.charged).toBe(2);
    expect(twitch.requests).toHaveLength(asked);
  });

  test('an expired token is renewed, sealed and used again', async () => {
    const member = await viewer(true);
    expire(member.twitchId);
    expect((await join(member)).body.isSubscriber).toBe(true);
    expect(twitch.requests.slice(-3).map((line) => line.split('?')[0])).toEqual([
      'GET /helix/subscriptions/user',
      'POST /oauth2/token',
      'GET /helix/subscriptions/user',
    ]);
    const rows = await t.app.db.rows<{ all: string }>('select stream_account::text as all from stream_account');
    for (const { all } of rows) expect(all).not.toMatch(/access-\d|refresh-\d/);
  });

  test('a link that the platform took back: 502, uncharged; after that the user pays the full price', async () => {
    const member = await viewer(true);
    expire(member.twitchId);
    twitch.refreshTokens.clear();
    const refused = await join(member);
    expect([refused.status, refused.body.code]).toEqual([502, 'UPSTREAM_FAILED']);
    expect((await balance(t, member)).available).toBe(10);
    expect((await join(member)).body).toEqual({ success: true, isSubscriber: false, charged: 2 });
  });

  test.each([500, 429, 503])('Helix answering %d: 502, uncharged, no member', async (status) => {
    const member = await viewer(true);
    twitch.down = status;
    expect((await join(member)).status).toBe(502);
    expect((await balance(t, member)).available).toBe(10);
    twitch.down = undefined;
    expect((await t.rest('GET', '/tribes/ada_live', { as: member.apiKey })).body.isMember).toBe(false);
    expect((await join(member)).body.charged).toBe(0);
  });
});

describe('names that the platform proves', () => {
  test('link the name, lock the avatar that bears it', async () => {
    const kim = await t.person('Kim');
    const avatarId = await makeAvatar(t, kim, 'Kim_Plays');
    const { status, text } = await link(kim, { userId: '3000', login: 'kim_plays' });
    expect([status, text.includes('kim_plays')]).toEqual([200, true]);
    const body = { displayName: 'Other' };
    const renamed = await t.rest('PATCH', `/avatars/${avatarId}`, { as: kim.apiKey, body });
    expect([renamed.status, renamed.body.code]).toEqual([403, 'NAME_LOCKED']);
    expect((await t.rest('GET', '/tribes/KIM_plays', { as: kim.apiKey })).body.isOwner).toBe(true);
  });

  test('one account links one user; a name follows the account that has it now', async () => {
    const [lee, mia] = [await t.person('Lee'), await t.person('Mia')];
    await link(lee, { userId: '4000', login: 'star' });
    expect((await link(mia, { userId: '4000', login: 'star' })).status).toBe(409);
    expect((await link(mia, { userId: '4001', login: 'star' })).status).toBe(200);
    expect((await t.rest('GET', '/tribes/star', { as: mia.apiKey })).body.user).toBe(mia.userId);
  });

  test('of many who link one account at once one does, and of many who bear one name each says who has it', async () => {
    const racers = await Promise.all(Array.from({ length: 8 }, (_, i) => t.person(`Racer ${i}`)));
    const visitors = await Promise.all(racers.map((person) => new Visitor(t.url).signIn(person.email)));
    const one = { userId: '4100', login: 'one' };
    const linked = await Promise.all(racers.map((person, i) => link(person, one, visitors[i])));
    expect(linked.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
    const named = await Promise.all(
      racers.map((person, i) => link(person, { userId: `42${i}`, login: 'shared' }, visitors[i])),
    );
    for (const { status } of named) expect([200, 409]).toContain(status);
    const bearing = await t.app.db.rows("select id from app_user where stream_username = 'shared'");
    expect(bearing).toHaveLength(1);
  });

  test('a state works once, and only for the user who began', async () => {
    const [nia, oli] = [await t.person('Nia'), await t.person('Oli')];
    const visitor = await new Visitor(t.url).signIn(nia.email);
    const state = new URL((await visitor.get('/stream-link')).location!).searchParams.get('state');
    twitch.codes.set('code-x', { userId: '5000', login: 'nia' });
    const callback = `/stream-link/callback?code=code-x&state=${state}`;
    expect((await (await new Visitor(t.url).signIn(oli.email)).get(callback)).status).toBe(400);
    expect((await visitor.get(callback)).status).toBe(200);
    expect((await visitor.get(callback)).status).toBe(400);
    expect((await visitor.get('/stream-link/callback?error=access_denied')).status).toBe(400);
    expect((await new Visitor(t.url).get('/stream-link')).status).toBe(303);
  });

  test('operators link and subscribe no user here', async () => {
    const { body } = await t.graphql<any>(
      'mutation($id: ID!) { linkStreamAccount(userId: $id, streamUsername: "x") { userId } }',
      { id: ada.userId },
      await t.operator(),
    );
    expect(body.errors![0].extensions.code).toBe('FORBIDDEN');
  });
});
