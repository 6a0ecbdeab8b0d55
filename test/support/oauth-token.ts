/**
 * An app with a service avatar, its owner, and a user with an avatar, at a time that stands still: what the files of
 * `test/rest/oauth-token` share. One instance is open at a time, as a worker runs its test files one after the other.
 */
import { type Answer, openTestApp, type TestApp, type TestUser } from './app.ts';
import { codeFor, makeAvatar, makeClient, type TestClient } from './oauth.ts';

export let t: TestApp;
export let owner: TestUser;
export let user: TestUser;
export let avatarId: string;
export let serviceAvatarId: string;
export let client: TestClient;
/** Time stands still unless a test moves it. */
export const clock = { nowMs: 0 };

export async function openTokens(): Promise<void> {
  clock.nowMs = Date.now();
  t = await openTestApp({ clock: { now: () => clock.nowMs } });
  [owner, user] = [await t.person('Ada'), await t.person('Uma')];
  avatarId = await makeAvatar(t, user, 'Vega');
  serviceAvatarId = await makeAvatar(t, owner, 'Helper');
  client = await makeClient(t, owner, { scopes: ['profile', 'generate'], serviceAvatarId });
}

export const closeTokens = (): Promise<void> => t.close();

export const code = (consent = {}) => codeFor(t, user, avatarId, { clientId: client.clientId, ...consent });
export const works = async (token: string) => (await t.rest('GET', '/oauth/userinfo', { as: token })).status === 200;
export const form = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> =>
  t.rest('POST', '/oauth/token', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });
export const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
});
export const tokenCount = async () =>
  Number((await t.app.db.rows('select count(*) as n from api_key where client_id = $1', [client.clientId]))[0]!.n);
export const wrongSecret = `svcs_${'x'.repeat(38)}`;
