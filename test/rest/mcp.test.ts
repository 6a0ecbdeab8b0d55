/** Tools for models at /mcp: found, signed in to and used by the SDK's own client; and what a hostile one meets. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { type App, openApp } from '../../src/app/app.ts';
import { type RunningServer, startServer } from '../../src/http/server.ts';
import { sha256 } from '../../src/kernel/ids.ts';
import { freePort, openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { CALLBACK, connect, consent, type Program, signInProgram, toolsAt } from '../support/mcp-client.ts';
import { codeFor, exchange, makeAvatar, makeClient, newPkce, tokenFor } from '../support/oauth.ts';
import { csrfOf, Visitor } from '../support/page-client.ts';
import { until } from '../support/until.ts';

let t: TestApp;
let user: TestUser;
let avatarId: string;
let program: Program;
const open: Client[] = [];

beforeAll(async () => {
  t = await openTestApp({ work: true, env: { SIGNUP_CREDITS: '0.1' } });
  user = await t.person('Uma', 100);
  avatarId = await makeAvatar(t, user, 'Vega');
  await t.rest('POST', `/avatars/${avatarId}/voice`, { as: user.apiKey, body: { voiceId: 'noop' } });
  program = await signInProgram(t, user, avatarId);
});
afterAll(async () => {
  for (const client of open) await client.close();
  await t?.close();
});

const connected = async (...[who, options]: [string | Program, { modern?: boolean }?]): Promise<Client> => {
  const client = await connect(t, who, options);
  open.push(client);
  return client;
};
const token = () => program.held!.access_token;
const clientId = () => program.client!.client_id;
const secret = () => (program.client as { client_secret?: string }).client_secret;
/** What a tool answers, as data. */
const call = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> => {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(JSON.stringify(content));
  return structuredContent;
};
const refusal = async (client: Client, name: string, args: Record<string, unknown> = {}): Promise<any> => {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError).toBe(true);
  // Clients of the SDK's first version measure it against the form of results, and throw where it is another.
  expect(result.structuredContent).toBeUndefined();
  const [words, body] = result.content as { text: string }[];
  return { text: words!.text, ...(JSON.parse(body!.text) as Record<string, unknown>) };
};
const register = (body: unknown) => t.rest('POST', '/oauth/register', { body });
const post = (message: unknown, { as = token(), ...headers }: Record<string, string | undefined> = {}) =>
  t.rest('POST', '/mcp', {
    body: message,
    ...(as ? { as } : {}),
    headers: { accept: 'application/json, text/event-stream', ...headers } as Record<string, string>,
  });
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

describe('the sign-in of a program that knows nothing but the address', () => {
  test('leads by the 401 to the metadata of the tools, and from there to that of who gives tokens', async () => {
    const base = t.app.config.BASE_URL;
    const refused = await post(LIST, { as: '' });
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${base}/.well-known/oauth-protected-resource/mcp", scope="profile avatars:read generate"`,
    );
    expect((await post(LIST, { as: 'svc_wrong' })).headers.get('www-authenticate')).toContain('error="invalid_token"');
    for (const path of ['/mcp', '']) {
      const { status, body } = await t.rest('GET', `/.well-known/oauth-protected-resource${path}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ resource: `${base}/mcp`, authorization_servers: [base] });
    }
    const { body } = await t.rest('GET', '/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({ issuer: base, registration_endpoint: `${base}/oauth/register` });
  });

  test('gave it a token for the tools and nothing else; a token for the API opens no tool', async () => {
    expect(program.held).toMatchObject({ token_type: 'Bearer', scope: 'profile avatars:read generate' });
    for (const path of ['/me', '/avatars', '/oauth/userinfo', '/voices']) {
      expect([path, (await t.rest('GET', path, { as: token() })).status]).toEqual([path, 401]);
    }
    expect((await t.graphql('{ avatars { nodes { avatarId } } }', {}, token())).body.errors![0].extensions.code).toBe(
      'UNAUTHENTICATED',
    );
    const app = await makeClient(t, user, { scopes: ['avatars:read'] });
    const forTheApi = await tokenFor(t, user, avatarId, app, 'avatars:read');
    expect((await t.rest('GET', '/avatars', { as: forTheApi })).status).toBe(200);
    for (const as of [forTheApi, user.session]) expect((await post(LIST, { as })).status).toBe(401);
  });

  test('is described as an app without an owner, and is listed among the connected apps', async () => {
    const browser = await new Visitor(t.url).signIn(user.email);
    const { pathname, search } = program.sentTo!;
    const { text, headers } = await browser.get(pathname + search);
    expect(text).toContain('This app registered itself: we do not know who made it');
    expect(text).toContain('localhost:8090');
    expect(headers.get('content-security-policy')).toContain('http://localhost:*');
    const { body } = await t.rest('GET', '/oauth/grants', { as: user.apiKey });
    expect(body.grants).toContainEqual(expect.objectContaining({ clientId: clientId(), name: 'Claude' }));
    expect((await t.rest('GET', '/oauth/clients', { as: user.apiKey })).body.apps).not.toContainEqual(
      expect.objectContaining({ clientId: clientId() }),
    );
  });

  test('a registered app of an owner gets such a token where it names the tools', async () => {
    const app = await makeClient(t, user, { scopes: ['avatars:read'] });
    const resource = toolsAt(t).href;
    const asked = { clientId: app.clientId, scope: 'avatars:read', resource };
    const code = await codeFor(t, user, avatarId, asked);
    const isFoundByOldReleases = async (table: string, column: string, secret: string) =>
      (await t.app.db.rows(`select from ${table} where ${column} = $1`, [sha256(secret)])).length > 0;
    expect(await isFoundByOldReleases('oauth_code', 'code_hash', code)).toBe(false);
    const { body } = await exchange(t, app, { code, resource });
    // They would take it for one that opens the API.
    expect(await isFoundByOldReleases('api_key', 'token_hash', body.access_token)).toBe(false);
    const client = await connected(body.access_token);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['list_avatars', 'get_avatar', 'list_public_avatars']),
    );
    expect(tools.map(({ name }) => name)).not.toContain('say');
    expect(await refusal(client, 'say', { conversationId: 'c', userText: 'Hi' })).toMatchObject({
      code: 'MISSING_SCOPE',
    });
    const own = { client_id: app.clientId, client_secret: app.clientSecret, token: body.access_token };
    expect((await t.rest('POST', '/oauth/revoke', { body: own })).status).toBe(200);
    expect((await post(LIST, { as: body.access_token })).status).toBe(401);
  });
});

describe('tools', () => {
  test.each([
    ['with the handshake of before', false],
    ['without one', true],
  ])('a program talks with an avatar %s', async (_name, modern) => {
    const client = await connected(program, { modern });
    expect(client.getServerVersion()).toMatchObject({ name: 'avatar-platform' });
    const { tools } = await client.listTools();
    // What is the owner's alone is no app's.
    expect(tools.map(({ name }) => name)).not.toContain('create_avatar');
    expect(tools.find(({ name }) => name === 'say')!.inputSchema).toMatchObject({
      required: ['conversationId', 'userText'],
      properties: { userText: { type: 'string', maxLength: 500 } },
    });
    // The client compares every result with it.
    expect(tools.find(({ name }) => name === 'say')!.outputSchema).toMatchObject({
      required: ['conversationId', 'isDone', 'reply'],
      properties: { reply: { type: 'array', items: { properties: { avatarText: { type: ['string', 'null'] } } } } },
    });
    for (const { name, outputSchema } of tools) expect([name, outputSchema?.type]).toEqual([name, 'object']);
    const { avatars } = await call(client, 'list_avatars', { name: 'veg' });
    expect(avatars).toMatchObject([{ avatarId, displayName: 'Vega' }]);
    expect((await call(client, 'list_avatars', { name: 'nobody' })).avatars).toEqual([]);
    const owner = avatars[0].avatarOwnerUserId;
    const { conversation } = await call(client, 'start_conversation', { avatarOwnerUserId: owner, avatarId });
    const { conversationId } = conversation;
    const said = await client.callTool({ name: 'say', arguments: { conversationId, userText: 'Hello!' } });
    expect(said.structuredContent).toMatchObject({ isDone: true, reply: [{ role: 'avatar', status: 'ready' }] });
    const { reply } = said.structuredContent as { reply: { avatarText: string }[] };
    expect((said.content as any[])[0].text).toBe(reply.map(({ avatarText }) => avatarText).join(' '));
    const read = await call(client, 'get_conversation', { conversationId });
    expect(read.conversation.turns.map(({ role }: any) => role)).toEqual(['user', 'avatar']);
  });

  test('what is made comes as a link, with progress for who asked for it', async () => {
    const client = await connected(user.apiKey);
    const seen: number[] = [];
    const spoken = await client.callTool(
      { name: 'speak', arguments: { avatarId, text: 'Good morning.' } },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(spoken.structuredContent).toMatchObject({ speech: { status: 'audio' } });
    expect(spoken.content).toContainEqual(expect.objectContaining({ type: 'resource_link', name: 'recording' }));
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    const image = await client.callTool({ name: 'generate_image', arguments: { prompt: 'A green hill' } });
    const link = (image.content as any[]).find(({ type }) => type === 'resource_link');
    expect(link).toMatchObject({ uri: (image.structuredContent as any).image.imageUrl, mimeType: 'image/jpeg' });
    const answer = await client.callTool({
      name: 'generate_video',
      arguments: { prompt: 'A green hill', duration: 1 },
    });
    const { video } = answer.structuredContent as { video: { generationId: string; status: string; videoUrl: string } };
    expect(video.status).toBe('ready');
    const videoLink = { type: 'resource_link', uri: video.videoUrl, mimeType: 'video/mp4' };
    expect(answer.content).toContainEqual(expect.objectContaining(videoLink));
    expect((await call(client, 'get_video', { generationId: video.generationId })).video.status).toBe('ready');
  });

  test('the owner’s own key makes avatars and lets them remember', async () => {
    const client = await connected(user.apiKey);
    const { created } = await call(client, 'create_avatar', { displayName: 'Rigel', idempotencyKey: 'rigel' });
    const again = await call(client, 'create_avatar', { displayName: 'Rigel', idempotencyKey: 'rigel' });
    expect(again.created.avatar.avatarId).toBe(created.avatar.avatarId);
    const its = { avatarId: created.avatar.avatarId };
    await call(client, 'save_memory', { ...its, content: 'The harbour opens at nine.' });
    const { recalled } = await call(client, 'recall_memories', { ...its, query: 'When does the harbour open?' });
    expect(recalled.memories[0].content).toBe('The harbour opens at nine.');
    expect((await call(client, 'get_balance')).account.balance.available).toBeGreaterThan(0);
  });

  test('what is wrong is said in words', async () => {
    const client = await connected((await t.person('Poe')).apiKey);
    const long = await refusal(client, 'generate_image', { prompt: 'x'.repeat(2_001) });
    expect(long).toMatchObject({ code: 'BAD_INPUT', text: expect.stringContaining('prompt') });
    const odd = await refusal(client, 'generate_image', { promt: 'A hill' });
    expect(odd.text).toBe('promt is not a known field; did you mean prompt?');
    const none = await refusal(client, 'get_avatar', { avatarId: 'avt_none' });
    expect(none.code).toBe('NOT_FOUND');
    const missing = await refusal(client, 'say', {});
    expect(missing.text).toContain('is required');
    const dear = { prompt: 'A long film', duration: 20, resolution: '1080p' };
    expect(await refusal(client, 'generate_video', dear)).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      text: expect.stringMatching(/requiredCredits: [\d.]+ availableCredits: [\d.]+/),
    });
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({ code: -32602 });
  });
});

describe('a program without an owner', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['no address', { redirect_uris: [] }, 'invalid_client_metadata'],
    ['no list', { redirect_uris: undefined }, 'invalid_client_metadata'],
    ['plain http', { redirect_uris: ['http://app.example.com/cb'] }, 'invalid_redirect_uri'],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['an app of the phone', { redirect_uris: ['cursor://anysphere/cb'] }, 'invalid_redirect_uri'],
    ['a fragment', { redirect_uris: ['https://app.example.com/cb#x'] }, 'invalid_redirect_uri'],
    ['a user in the address', { redirect_uris: ['https://a:b@app.example.com/'] }, 'invalid_redirect_uri'],
    [
      'a host that looks like this machine',
      { redirect_uris: ['http://localhost.evil.example/'] },
      'invalid_redirect_uri',
    ],
    ['a wildcard', { redirect_uris: ['http://*.localhost/'] }, 'invalid_redirect_uri'],
    ['an endless name', { client_name: 'x'.repeat(81) }, 'invalid_client_metadata'],
    ['the implicit grant alone', { grant_types: ['implicit'] }, 'invalid_client_metadata'],
    ['a token at the redirect', { response_types: ['token'] }, 'invalid_client_metadata'],
    ['another proof', { token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
    ['scopes that are not for it', { scope: 'tribes donations' }, 'invalid_client_metadata'],
  ])('is not registered with %s', async (_name, change, error) => {
    const { status, body } = await register({ redirect_uris: [CALLBACK], client_name: 'X', ...change });
    expect([status, body.error, typeof body.error_description]).toEqual([400, error, 'string']);
  });

  test('is registered as it asked, with what it may have of it', async () => {
    const { status, body, headers } = await register({
      redirect_uris: ['https://app.example.com/cb'],
      client_name: 'Mail',
      scope: 'generate donations admin',
      grant_types: ['authorization_code', 'refresh_token'],
      contacts: ['a@example.com'],
      jwks: { keys: [] },
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    expect(body).toEqual({
      client_id: expect.stringMatching(/^svcc_/),
      client_id_issued_at: expect.any(Number),
      client_secret: expect.stringMatching(/^svcs_/),
      client_secret_expires_at: 0,
      client_name: 'Mail',
      redirect_uris: ['https://app.example.com/cb'],
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      scope: 'generate',
    });
    const bare = await register({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' });
    expect(bare.body).toMatchObject({ client_name: 'localhost', scope: 'profile avatars:read generate' });
    expect(bare.body).not.toHaveProperty('client_secret');
  });

  const ask = (change: Record<string, string>) => {
    const input = { clientId: clientId(), redirectUri: CALLBACK, scope: 'generate', ...change };
    return t.graphql<any>(
      'query($input: AuthorizationRequestInput!) { authorizationRequest(input: $input) { errorRedirect redirectOrigin } }',
      { input },
    );
  };

  test.each([
    ['another path', 'http://localhost:8090/callback/../evil'],
    ['a longer path', 'http://localhost:8090/callback2'],
    ['a query beside', 'http://localhost:8090/callback?to=evil'],
    ['another host', 'https://evil.example/callback'],
    ['another name of this machine', 'http://127.0.0.1:8090/callback'],
    ['https', 'https://localhost:8090/callback'],
    ['a host behind a user', 'http://localhost:8090@evil.example/callback'],
    ['a dot behind the host', 'http://localhost.:8090/callback'],
  ])('is answered at none but the exact address: not at %s', async (_name, redirectUri) => {
    const { errors } = (await ask({ redirectUri })).body;
    expect(errors![0].extensions).toMatchObject({ code: 'BAD_INPUT', field: 'redirect_uri' });
  });

  test('may listen at another port of this machine, which no other registration may', async () => {
    const { verifier, challenge } = newPkce();
    const pkce = { codeChallenge: challenge, codeChallengeMethod: 'S256' };
    const free = 'http://localhost:51234/callback';
    expect((await ask({ redirectUri: free, ...pkce })).body.data.authorizationRequest).toEqual({
      redirectOrigin: 'http://localhost:51234',
      errorRedirect: null,
    });
    const code = await codeFor(t, user, avatarId, { clientId: clientId(), redirectUri: free, ...pkce });
    // And the code is for that port alone.
    const { body } = await t.rest('POST', '/oauth/token', {
      body: {
        grant_type: 'authorization_code',
        client_id: clientId(),
        client_secret: secret(),
        code,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      },
    });
    expect(body.error).toBe('invalid_grant');
    const registered = await register({ redirect_uris: ['https://app.example.com:8443/cb'] });
    const other = { clientId: registered.body.client_id, redirectUri: 'https://app.example.com/cb', ...pkce };
    expect((await ask(other)).body.errors![0].extensions.field).toBe('redirect_uri');
  });

  test('must prove itself by PKCE, and names no other resource', async () => {
    const bare = (await ask({})).body.data.authorizationRequest.errorRedirect;
    expect(new URL(bare).searchParams.get('error')).toBe('invalid_request');
    const { verifier, challenge } = newPkce();
    const pkce = { codeChallenge: challenge, codeChallengeMethod: 'S256' };
    for (const resource of ['https://other.example/mcp', t.app.config.BASE_URL, `${toolsAt(t).href}/x`]) {
      const { errorRedirect } = (await ask({ ...pkce, resource })).body.data.authorizationRequest;
      expect(new URL(errorRedirect).searchParams.get('error')).toBe('invalid_target');
    }
    // Silent about the resource, it gets a token for the tools all the same.
    const code = await codeFor(t, user, avatarId, {
      clientId: clientId(),
      redirectUri: CALLBACK,
      scope: 'avatars:read',
      ...pkce,
    });
    const { body } = await t.rest('POST', '/oauth/token', {
      body: {
        grant_type: 'authorization_code',
        client_id: clientId(),
        client_secret: secret(),
        code,
        redirect_uri: CALLBACK,
        code_verifier: verifier,
      },
    });
    expect((await t.rest('GET', '/avatars', { as: body.access_token })).status).toBe(401);
    expect((await post(LIST, { as: body.access_token })).status).toBe(200);
  });

  test('that registered with a secret does not get in without it', async () => {
    const { body: app } = await register({ redirect_uris: ['https://app.example.com/cb'] });
    const { verifier, challenge } = newPkce();
    const redirectUri = 'https://app.example.com/cb';
    const code = await codeFor(t, user, avatarId, {
      clientId: app.client_id,
      redirectUri,
      codeChallenge: challenge,
      codeChallengeMethod: 'S256',
    });
    const fields = {
      grant_type: 'authorization_code',
      client_id: app.client_id,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    expect((await t.rest('POST', '/oauth/token', { body: fields })).body.error).toBe('invalid_client');
    const { status } = await t.rest('POST', '/oauth/token', { body: { ...fields, client_secret: app.client_secret } });
    expect(status).toBe(200);
  });

  test('gets no code by the consent to another one, nor a token by its code (confused deputy)', async () => {
    const browser = await new Visitor(t.url).signIn(user.email);
    const page = await browser.get(program.sentTo!.pathname + program.sentTo!.search);
    const { body: evil } = await register({ redirect_uris: ['https://evil.example/cb'], client_name: 'Claude' });
    const swapped = new URL(program.sentTo!);
    swapped.searchParams.set('client_id', evil.client_id);
    const answer = await browser.post(swapped.pathname + swapped.search, {
      csrf: csrfOf(page.text),
      decision: 'approve',
      avatarId,
    });
    expect([answer.status, answer.location]).toEqual([400, undefined]);
    // A consent that was given once is asked for again: no user is sent on without a click.
    expect((await browser.get(program.sentTo!.pathname + program.sentTo!.search)).status).toBe(200);
    const code = (await consent(t, user, program.sentTo!, avatarId)).searchParams.get('code')!;
    const stolen = await t.rest('POST', '/oauth/token', {
      body: {
        grant_type: 'authorization_code',
        client_id: evil.client_id,
        client_secret: evil.client_secret,
        code,
        redirect_uri: CALLBACK,
        code_verifier: 'v'.repeat(43),
      },
    });
    expect(stolen.body.error).toBe('invalid_grant');
  });
});

describe('the address itself', () => {
  test('takes one message of who may, from no page of elsewhere, and by POST alone', async () => {
    expect((await post(LIST)).status).toBe(200);
    for (const origin of [
      'https://evil.example',
      'http://127.0.0.1.evil.example',
      'null',
      'http://rebound.test:4000',
    ]) {
      expect([origin, (await post(LIST, { origin })).status]).toEqual([origin, 403]);
    }
    for (const origin of [new URL(t.app.config.BASE_URL).origin, 'http://localhost:6274']) {
      expect((await post(LIST, { origin })).status).toBe(200);
    }
    expect((await post([LIST, LIST])).status).toBe(400);
    expect((await post('{')).status).toBe(400);
    expect((await post({ ...LIST, params: { x: 'x'.repeat(300_000) } })).status).toBe(413);
    for (const method of ['GET', 'DELETE']) {
      const { status, headers } = await t.rest(method, '/mcp', { as: token() });
      expect([status, headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
    }
  });

  test('a token that was revoked opens it no more', async () => {
    const brief = await signInProgram(t, user, avatarId);
    const client = await connected(brief);
    expect((await call(client, 'list_avatars')).avatars).not.toEqual([]);
    const { body } = await t.rest('GET', '/oauth/grants', { as: user.apiKey });
    const { tokenId } = body.grants.find((grant: any) => grant.clientId === brief.client!.client_id);
    await t.rest('DELETE', `/oauth/grants/${tokenId}`, { as: user.apiKey });
    expect((await post(LIST, { as: brief.held!.access_token })).status).toBe(401);
  });
});

describe('a call that its caller gives up', () => {
  let idle: TestApp;
  let second: { app: App; server: RunningServer };
  let owner: TestUser;
  let speaking: string;
  const clients: Client[] = [];
  /** A call that never ends by itself, for no worker is there; once the server waits for so many. */
  const begin = async (client: Client, inAll: number) => {
    const givingUp = new AbortController();
    let isOver = false;
    const args = { avatarId: speaking, text: `Good morning, ${inAll}.` };
    const said = client
      .callTool({ name: 'speak', arguments: args }, { signal: givingUp.signal })
      .then(() => 'answered', String)
      .finally(() => {
        isOver = true;
      });
    await until(async () => (await waiting()) === inAll);
    return { said, isOver: () => isOver, giveUp: () => givingUp.abort('Never mind.') };
  };
  const connectIdle = async (...options: [Parameters<typeof connect>[2]?]): Promise<Client> => {
    const client = await connect(idle, owner.apiKey, ...options);
    clients.push(client);
    return client;
  };

  const waiting = async (): Promise<number> => {
    const metrics = await (await fetch(`${idle.url}/metrics`)).text();
    return Number(/avatar_live\{of="toolCalls"[^}]*\} (\d+)/.exec(metrics)?.[1]);
  };

  beforeAll(async () => {
    idle = await openTestApp();
    const config = { ...idle.app.config, PORT: await freePort() };
    const app = await openApp({ config, databaseUrl: idle.databaseUrl, work: false });
    second = { app, server: await startServer(app) };
    owner = await idle.person('Ida', 100);
    speaking = await makeAvatar(idle, owner, 'Deneb');
    await idle.rest('POST', `/avatars/${speaking}/voice`, { as: owner.apiKey, body: { voiceId: 'noop' } });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await second?.server.close();
    await second?.app.close();
    await idle?.close();
  });

  test.each([
    ['with the handshake of before', false],
    ['without one', true],
  ])('is waited for no more, and that of another client goes on: %s', async (_name, modern) => {
    // Both count their calls from the same number.
    const [one, two] = [await connectIdle({ modern }), await connectIdle({ modern })];
    const kept = await begin(two, 1);
    const given = await begin(one, 2);
    given.giveUp();
    expect(await given.said).toContain('Never mind.');
    await until(async () => (await waiting()) === 1);
    // Both go on being served.
    for (const client of [one, two]) expect((await call(client, 'get_balance')).account.displayName).toBe('Ida');
    expect([await waiting(), kept.isOver()]).toEqual([1, false]);
    kept.giveUp();
    await until(async () => (await waiting()) === 0);
    expect(await kept.said).toContain('Never mind.');
  });

  test('is waited for no more where another process hears of it', async () => {
    const isGivenUp = (init: RequestInit | undefined) => String(init?.body).includes('notifications/cancelled');
    const elsewhere = `http://127.0.0.1:${second.server.port}/mcp`;
    const client = await connectIdle({ fetch: (url, init) => fetch(isGivenUp(init) ? elsewhere : url, init) });
    const kept = await begin(client, 1);
    const given = await begin(client, 2);
    given.giveUp();
    await until(async () => (await waiting()) === 1);
    await call(client, 'get_balance');
    expect([await waiting(), kept.isOver()]).toEqual([1, false]);
    kept.giveUp();
    await until(async () => (await waiting()) === 0);
  });

  test('is given up by its own account alone', async () => {
    const client = await connectIdle();
    const called = await begin(client, 1);
    const eve = await idle.person('Eve');
    const { sessionId } = client.transport as { sessionId?: string };
    const cancelAll = async (as: string): Promise<void> => {
      for (let requestId = 0; requestId < 9; requestId += 1) {
        const body = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
        const headers = { accept: 'application/json, text/event-stream', 'mcp-session-id': String(sessionId) };
        expect((await idle.rest('POST', '/mcp', { as, body, headers })).status).toBe(202);
      }
    };
    await cancelAll(eve.apiKey);
    // What Eve sent has been heard: her own call, behind it, is.
    const eves = await connect(idle, eve.apiKey);
    clients.push(eves);
    await call(eves, 'get_balance');
    expect([await waiting(), called.isOver()]).toEqual([1, false]);
    called.giveUp();
    await called.said;
    await until(async () => (await waiting()) === 0);
  });
});
