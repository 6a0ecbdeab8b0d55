/** One's own account: name, password, where one is signed in, and its end. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestApp, signIn, type TestApp, type TestUser } from '../support/app.ts';
import { balance, expectSoundLedger, grantTo } from '../support/credits.ts';
import { until } from '../support/until.ts';

let t: TestApp;

beforeAll(async () => {
  t = await openTestApp({ work: true });
});
afterAll(() => t.close());

const ask = async (query: string, variables: object, as: string) =>
  (await t.graphql<any>(query, { ...variables }, as)).body;
const codeOf = (body: any) => body.errors?.[0].extensions.code;
const isIn = async (as: string) => (await ask('{ me { userId } }', {}, as)).data?.me != null;

async function newcomer(email: string): Promise<{ session: string; userId: string }> {
  const query = `mutation($email: String!) { signUp(email: $email, password: "first password") { idToken user { userId } } }`;
  const { data } = await ask(query, { email }, '');
  return { session: data.signUp.idToken, userId: data.signUp.user.userId };
}
const again = async (email: string, password = 'first password') => (await signIn(t, { email, password })).idToken;

const CHANGE = `mutation($old: String!, $new: String!) { changePassword(currentPassword: $old, newPassword: $new) }`;

describe('name, password and sessions', () => {
  test('a name is changed and seen', async () => {
    const { session } = await newcomer('name@example.com');
    const query = 'mutation { updateProfile(displayName: "  Ada L. ") { displayName } }';
    expect((await ask(query, {}, session)).data.updateProfile).toEqual({ displayName: 'Ada L.' });
    expect((await ask('{ me { displayName } }', {}, session)).data.me).toEqual({ displayName: 'Ada L.' });
  });

  test('a new password ends every other session; a wrong current one changes nothing', async () => {
    const email = 'password@example.com';
    const { session } = await newcomer(email);
    const other = await again(email);
    expect(codeOf(await ask(CHANGE, { old: 'wrong password', new: 'second password' }, session))).toBe('FORBIDDEN');
    expect(codeOf(await ask(CHANGE, { old: 'first password', new: 'short' }, session))).toBe('BAD_INPUT');
    expect(await isIn(other)).toBe(true);
    expect((await ask(CHANGE, { old: 'first password', new: 'second password' }, session)).data.changePassword).toBe(
      true,
    );
    expect([await isIn(session), await isIn(other)]).toEqual([true, false]);
    await expect(again(email)).rejects.toThrow();
    expect(await isIn(await again(email, 'second password'))).toBe(true);
  });

  test('sessions are listed and all ended; a key stays', async () => {
    const email = 'sessions@example.com';
    const { session } = await newcomer(email);
    const other = await again(email);
    const key = (await t.rest('POST', '/api-keys', { as: session, body: { name: 'k' } })).body.token;
    const { data } = await ask('{ sessions { nodes { isCurrent } } }', {}, session);
    expect(data.sessions.nodes.map((one: any) => one.isCurrent)).toEqual([false, true]);
    expect((await ask('mutation { signOutEverywhere }', {}, other)).data.signOutEverywhere).toBe(2);
    expect([await isIn(session), await isIn(other), await isIn(key)]).toEqual([false, false, true]);
  });
});

test('an account goes with what it made, and no other account loses anything', async () => {
  const bob: TestUser = await t.person('Bob', 20);
  const email = 'gone@example.com';
  const { session, userId } = await newcomer(email);
  await grantTo(t, { userId } as TestUser, 10);
  const made = { displayName: 'Vega', publiclyRenderable: true, ttsVoiceId: 'noop' };
  const { avatarId } = (await t.rest('POST', '/avatars', { as: session, body: made })).body;
  const images = (await t.rest('GET', `/avatars/${avatarId}/images`, { as: session })).body;
  await t.rest('POST', '/images/generate', { as: session, body: { prompt: 'a kite', model: 'default' } });
  const key = (await t.rest('POST', '/api-keys', { as: session, body: { name: 'k' } })).body.token;
  const app = { name: 'App', redirectDomains: ['app.example.com'] };
  await t.rest('POST', '/oauth/clients', { as: session, body: app });
  // Bob's own avatar, with whom the account talked.
  const nova = (await t.rest('POST', '/avatars', { as: bob.apiKey, body: { ...made, displayName: 'Nova' } })).body;
  const talk = { avatarOwnerUserId: bob.userId, avatarId: nova.avatarId };
  const { shareSlug } = (await t.rest('POST', '/conversations', { as: session, body: talk })).body;
  await t.rest('POST', `/conversations/${shareSlug}/turn`, { as: session, body: { userText: 'Hi', output: 'audio' } });
  await t.settled(shareSlug, session);
  const before = await balance(t, bob);

  const end = 'mutation($password: String!) { deleteAccount(password: $password) { deletedId } }';
  expect(codeOf(await ask(end, { password: 'wrong password' }, session))).toBe('FORBIDDEN');
  expect((await ask(end, { password: 'first password' }, session)).data.deleteAccount).toEqual({ deletedId: userId });

  await until(async () => !(await isIn(session)) && !(await isIn(key)));
  await expect(again(email)).rejects.toThrow();
  await until(async () => {
    const response = await fetch(images.primary);
    await response.arrayBuffer();
    return response.status === 404;
  });
  for (const table of ['avatar', 'avatar_folder', 'oauth_client'])
    expect(await t.app.db.rows(`select 1 from ${table} where owner_user_id = $1`, [userId])).toEqual([]);
  for (const table of ['image_generation', 'session', 'api_key'])
    expect(await t.app.db.rows(`select 1 from ${table} where user_id = $1`, [userId])).toEqual([]);
  const [row] = await t.app.db.rows<any>('select email, password_hash, display_name from app_user where id = $1', [
    userId,
  ]);
  expect(row).toEqual({ email: null, password_hash: null, display_name: null });
  expect((await t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: bob.apiKey })).status).toBe(404);
  expect((await t.rest('GET', '/avatars', { as: bob.apiKey })).body.avatars).toHaveLength(1);
  expect(await balance(t, bob)).toEqual(before);
  await expectSoundLedger(t.app.db);
  // The address is free again.
  expect((await newcomer(email)).userId).not.toBe(userId);
});

test('an operator is not deleted', async () => {
  const query = 'mutation { deleteAccount(password: "operator-password") { deletedId } }';
  expect(codeOf(await ask(query, {}, await t.operator()))).toBe('FORBIDDEN');
});
