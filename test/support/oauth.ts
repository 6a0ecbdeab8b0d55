/** What tests of the sign-in flow share: an app, its user with an avatar, and the user's yes without a browser. */
import { createHash, randomBytes } from 'node:crypto';
import type { Answer, TestApp, TestUser } from './app.ts';

export interface TestClient {
  clientId: string;
  clientSecret: string;
}

export const REDIRECT = 'https://app.example.com/callback';

export async function makeAvatar(t: TestApp, owner: TestUser, displayName = 'Nova'): Promise<string> {
  const { status, body } = await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.avatarId;
}

export async function makeClient(t: TestApp, owner: TestUser, body: Record<string, unknown> = {}): Promise<TestClient> {
  const answer = await t.rest('POST', '/oauth/clients', {
    as: owner.apiKey,
    body: { name: 'Test App', redirectDomains: ['app.example.com', 'localhost'], scopes: ['profile'], ...body },
  });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export interface Consent {
  clientId: string;
  redirectUri?: string;
  scope?: string;
  state?: string;
  codeChallenge?: string;
  codeChallengeMethod?: string;
  resource?: string;
}

/** The user agrees; where the browser would be sent. */
export async function approve(t: TestApp, user: TestUser, avatarId: string, consent: Consent): Promise<URL> {
  const { body } = await t.graphql<any>(
    'mutation($input: ApproveAuthorizationInput!) { approveAuthorization(input: $input) { redirectTo } }',
    { input: { redirectUri: REDIRECT, ...consent, avatarId } },
    user.session,
  );
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return new URL(body.data.approveAuthorization.redirectTo);
}

export async function codeFor(t: TestApp, user: TestUser, avatarId: string, consent: Consent): Promise<string> {
  const code = (await approve(t, user, avatarId, consent)).searchParams.get('code');
  if (!code) throw new Error('No code came back.');
  return code;
}

export const exchange = (t: TestApp, client: TestClient, body: Record<string, unknown>): Promise<Answer> =>
  t.rest('POST', '/oauth/token', {
    body: {
      grant_type: 'authorization_code',
      client_id: client.clientId,
      client_secret: client.clientSecret,
      redirect_uri: REDIRECT,
      ...body,
    },
  });

/** An access token of the app for this user, with these scopes. */
export async function tokenFor(
  t: TestApp,
  user: TestUser,
  avatarId: string,
  client: TestClient,
  scope: string,
): Promise<string> {
  const code = await codeFor(t, user, avatarId, { clientId: client.clientId, scope });
  const { status, body } = await exchange(t, client, { code });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.access_token;
}

export function newPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}
