/**
 * A user who gives, one who is given to, a third, and two apps that propose: what the files of `test/rest/gifts` share. One
 * instance is open at a time, as a worker runs its test files one after the other.
 */
import { openTestApp, type TestApp, type TestUser } from './app.ts';
import { balance } from './credits.ts';
import { makeAvatar, makeClient, type TestClient, tokenFor } from './oauth.ts';

export let t: TestApp;
export let ada: TestUser;
export let bob: TestUser;
export let eve: TestUser;
export let app: TestClient;
export let token: string;
export let otherToken: string;

const SCOPES = { scopes: ['profile', 'donations'] };

export async function openGifts(): Promise<void> {
  t = await openTestApp({ env: { SIGNUP_CREDITS: '0' } });
  [ada, bob, eve] = await Promise.all([t.person('Ada', 100), t.person('Bob'), t.person('Eve', 5)]);
  await t.graphql(
    'mutation($userId: ID!) { linkStreamAccount(userId: $userId, streamUsername: "Bob_Live") { userId } }',
    { userId: bob.userId },
    await t.operator(),
  );
  app = await makeClient(t, eve, SCOPES);
  const otherApp = await makeClient(t, eve, SCOPES);
  const avatarId = await makeAvatar(t, ada);
  token = await tokenFor(t, ada, avatarId, app, 'profile donations');
  otherToken = await tokenFor(t, ada, avatarId, otherApp, 'profile donations');
}

export const closeGifts = (): Promise<void> => t.close();

export const propose = (as: string, body: object) => t.rest('POST', '/donations/intents', { as, body });
export const read = (id: string, as: string) => t.rest('GET', `/donations/intents/${id}`, { as });
export const confirm = (id: string, as: string) => t.rest('POST', `/donations/intents/${id}/confirm`, { as });
export const cancel = (id: string, as: string) => t.rest('POST', `/donations/intents/${id}/cancel`, { as });
export const newGift = async (as = ada.apiKey, amount = 1) =>
  (await propose(as, { to: bob.userId, amount })).body.intentId as string;
/** Lets the ten minutes be over, by the clock that counts: the database's. */
export const runOut = (id: string) =>
  t.app.db.rows('update gift_intent set expires_at = now_ms() - 1 where id = $1', [id]);
export const transferable = async (person: TestUser) => (await balance(t, person)).transferable;
