/**
 * Who may call what: ONE table. Each row names an endpoint, or a root field of GraphQL that no endpoint has, and
 * the exact status for every caller; `request` makes a call that succeeds for callers who may make it. A new endpoint
 * without a row fails test/rest/scopes.test.ts.
 */
import type { TestApp, TestUser } from './app.ts';
import { codeFor, makeAvatar, REDIRECT, type TestClient, tokenFor } from './oauth.ts';
import { until } from './until.ts';

/** No credential, both first-party credentials, and a token of an app with one scope alone. */
export const CALLERS = [
  'noToken',
  'session',
  'apiKey',
  'profile',
  'avatars:read',
  'generate',
  'tribes',
  'donations',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** What the table's calls are made on. Everything belongs to `owner`. */
export interface World {
  t: TestApp;
  owner: TestUser;
  avatarId: string;
  client: TestClient;
  /** Raw tokens by caller; undefined for none. */
  tokens: Record<CallerName, string | undefined>;
  /** A private conversation that the caller could read: one the app started for its tokens, the owner's for others. */
  conversation(caller: CallerName): { conversationId: string; shareSlug: string };
}

export interface Call {
  /** Path parameters of the endpoint. */
  path?: Record<string, string>;
  query?: string;
  body?: unknown;
  /** Variables of a GraphQL operation. */
  variables?: Record<string, unknown>;
  /** Another credential of the same kind of caller, where the call uses it up. */
  as?: string;
}

export interface Row {
  /** Statuses in the order of CALLERS. */
  statuses: readonly [number, number, number, number, number, number, number, number];
  request?(world: World, caller: CallerName): Call | Promise<Call>;
  /** The operation of a GraphQL-only row; its errors are read as the status their code has. */
  operation?: string;
}

const avatar = ({ avatarId }: World) => ({ path: { avatarId } });
const conversation = (world: World, caller: CallerName) => ({
  path: { conversationId: world.conversation(caller).conversationId },
});
const isToken = (caller: CallerName) => !['noToken', 'session', 'apiKey'].includes(caller);

/** A token of the same kind that may be thrown away. */
const spare = ({ t, owner, avatarId, client, tokens }: World, caller: CallerName): Promise<string> | string =>
  isToken(caller) ? tokenFor(t, owner, avatarId, client, caller) : (tokens[caller] ?? '');

/** The address of the avatar's primary image. */
async function primaryOf({ t, owner, avatarId }: World): Promise<string> {
  const { body } = await t.rest('GET', `/avatars/${avatarId}/images`, { as: owner.apiKey });
  return body.primary;
}

/** A video that the caller may read: its app's for a token, the owner's own for others. */
async function video({ t, tokens }: World, caller: CallerName): Promise<string> {
  const as = (isToken(caller) ? tokens.generate : tokens.apiKey)!;
  const { body } = await t.rest('POST', '/videos/generate', { as, body: { prompt: 'A boat', duration: 1 } });
  return body.generationId;
}

async function shortLivedAvatar({ t, owner }: World): Promise<string> {
  return (await t.rest('POST', '/avatars', { as: owner.apiKey, body: { displayName: 'Short-lived' } })).body.avatarId;
}

async function shortLivedConversation({ t, owner, avatarId }: World): Promise<{ conversationId: string }> {
  const body = { avatarOwnerUserId: owner.userId, avatarId };
  return (await t.rest('POST', '/conversations', { as: owner.apiKey, body })).body;
}

/** For what ends the sessions of an account: another account's. */
async function shortLivedSession({ t }: World, caller: CallerName): Promise<Call> {
  return caller === 'session' ? { as: (await t.person('Short-lived')).session } : {};
}

async function newApp(world: World): Promise<string> {
  const { body } = await world.t.rest('POST', '/oauth/clients', {
    as: world.owner.apiKey,
    body: { name: 'Short-lived', redirectDomains: ['app.example.com'] },
  });
  return body.clientId;
}

/** A memory of the avatar that the call may change or forget. */
async function memory({ t, owner, avatarId }: World): Promise<Call> {
  const { body } = await t.rest('POST', `/avatars/${avatarId}/brain/pages`, {
    as: owner.apiKey,
    body: { content: `Likes tea number ${Math.random()}.` },
  });
  return { variables: { avatarId, id: body.id } };
}

async function tokenIdOf(world: World, token: string): Promise<string> {
  const principal = await world.t.app.credentials.principalOf(`Bearer ${token}`);
  return principal!.credentialId;
}

/** An intent that the caller may read: its app's for a token, the owner's own for others. */
async function gift({ t, tokens }: World, caller: CallerName): Promise<{ path: { intentId: string } }> {
  const { body } = await t.rest('POST', '/donations/intents', {
    as: (isToken(caller) ? tokens.donations : tokens.apiKey)!,
    body: { to: (await t.person('Friend')).userId, amount: 0.01 },
  });
  return { path: { intentId: body.intentId } };
}

/** A webhook endpoint of the owner's that the call may use up. */
async function webhook({ t, owner }: World): Promise<string> {
  const { body } = await t.graphql<any>(
    `mutation { createWebhookEndpoint(input: { url: "https://webhooks.invalid/", events: ["turn.completed"] }) {
      endpoint { id } } }`,
    {},
    owner.session,
  );
  return body.data.createWebhookEndpoint.endpoint.id;
}

/** One of the owner's that stays; an account may have only so many. */
const lasting = new WeakMap<TestUser, Promise<string>>();
function lastingWebhook(world: World): Promise<string> {
  const made = lasting.get(world.owner) ?? webhook(world);
  lasting.set(world.owner, made);
  return made;
}

/** A line of its log, tried once in vain: one that is being sent is not sent again. */
async function webhookDelivery(world: World): Promise<string> {
  const { body } = await world.t.graphql<any>(
    'mutation($id: ID!) { testWebhookEndpoint(input: { id: $id }) { delivery { id } } }',
    { id: await lastingWebhook(world) },
    world.owner.session,
  );
  const { id } = body.data.testWebhookEndpoint.delivery;
  await until(async () => {
    const { body: read } = await world.t.graphql<any>(
      'query($id: ID!) { node(id: $id) { ... on WebhookDelivery { attempts } } }',
      { id },
      world.owner.session,
    );
    return read.data.node.attempts > 0;
  });
  return id;
}

/** Opens the avatar's page, and comes there as this caller: what names the visitor. */
async function visit({ t, owner, avatarId, tokens }: World, caller: CallerName = 'noToken') {
  const opened = await t.graphql<any>(
    `mutation($id: ID!) { setTalkSettings(input: { avatarId: $id, audience: everyone }) { settings { url } } }`,
    { id: avatarId },
    owner.session,
  );
  const slug = opened.body.data.setTalkSettings.settings.url.split('/a/')[1] as string;
  const begun = await t.graphql<any>(
    'mutation($slug: String!) { beginVisit(input: { slug: $slug }) { visitorToken } }',
    { slug },
    isToken(caller) ? undefined : tokens[caller],
  );
  const visitorToken = begun.body.data.beginVisit.visitorToken as string | null;
  return { slug, ...(visitorToken ? { visitorToken } : {}) };
}

//                           noToken session apiKey profile avatars:read generate tribes donations
const EVERYONE = /*        */ [200, 200, 200, 200, 200, 200, 200, 200] as const;
const FIRST_PARTY = /*     */ [401, 200, 200, 403, 403, 403, 403, 403] as const;
const OPERATORS_ONLY = [401, 403, 403, 403, 403, 403, 403, 403] as const;
const SESSION_ONLY = /*    */ [401, 200, 401, 401, 401, 401, 401, 401] as const;
const AVATARS_READ = /*    */ [401, 200, 200, 403, 200, 403, 403, 403] as const;
const GENERATE = /*        */ [401, 200, 200, 403, 403, 200, 403, 403] as const;
const READ_OR_GENERATE = /**/ [401, 200, 200, 403, 200, 200, 403, 403] as const;
const ACCEPTED = /*        */ [401, 202, 202, 403, 403, 202, 403, 403] as const;
const PRIVATE_READ = /*    */ [403, 200, 200, 403, 403, 200, 403, 403] as const;
const TRIBES = /*          */ [401, 200, 200, 403, 403, 403, 200, 403] as const;
const DONATIONS = /*       */ [401, 200, 200, 403, 403, 403, 403, 200] as const;
const CONFIRM = /*         */ [401, 200, 403, 403, 403, 403, 403, 403] as const;
const OPERATORS = /*       */ [401, 403, 403, 403, 403, 403, 403, 403] as const;
const USERINFO = /*        */ [401, 401, 401, 200, 403, 403, 403, 403] as const;
const VISITORS = /*        */ [200, 200, 200, 403, 403, 403, 403, 403] as const;
const ANY_CREDENTIAL = /*  */ [401, 200, 200, 200, 200, 200, 200, 200] as const;

export const REST_ACCESS: Readonly<Record<string, Row>> = {
  'POST /api-keys': { statuses: SESSION_ONLY, request: () => ({ body: { name: 'another' } }) },
  'GET /api-keys': { statuses: SESSION_ONLY },
  'DELETE /api-keys/{id}': {
    statuses: SESSION_ONLY,
    request: async ({ t, owner }) => {
      const { body } = await t.rest('POST', '/api-keys', { as: owner.session, body: { name: 'short-lived' } });
      return { path: { id: body.id } };
    },
  },
  // Beside what is documented.
  'GET /me': { statuses: FIRST_PARTY },
  'DELETE /me': {
    statuses: SESSION_ONLY,
    request: async (world, caller) => ({
      ...(await shortLivedSession(world, caller)),
      body: { password: 'correct horse' },
    }),
  },
  'GET /me/balance': { statuses: FIRST_PARTY },
  'GET /avatars/{avatarId}': { statuses: [404, 200, 200, 404, 200, 404, 404, 404], request: avatar },
  'GET /conversations/{conversationId}': { statuses: PRIVATE_READ, request: conversation },
  'GET /conversations': { statuses: FIRST_PARTY },
  'GET /conversations/{conversationId}/access-link': {
    statuses: FIRST_PARTY,
    request: (world) => ({ path: { conversationId: world.conversation('apiKey').conversationId } }),
  },
  'GET /videos': { statuses: FIRST_PARTY },
  'GET /images': { statuses: FIRST_PARTY },
  'GET /speech': { statuses: FIRST_PARTY },
  'GET /donations/received': { statuses: FIRST_PARTY },
  'GET /tribes/{user}/members': {
    statuses: FIRST_PARTY,
    request: ({ owner }) => ({ path: { user: owner.userId } }),
  },
  'GET /avatars': { statuses: AVATARS_READ },
  'POST /avatars': { statuses: FIRST_PARTY, request: () => ({ body: { displayName: 'Another' } }) },
  'GET /avatars/public': { statuses: EVERYONE },
  'DELETE /avatars/{avatarId}': {
    statuses: FIRST_PARTY,
    request: async (world) => ({ path: { avatarId: await shortLivedAvatar(world) } }),
  },
  'PATCH /avatars/{avatarId}': {
    statuses: FIRST_PARTY,
    request: (world) => ({ ...avatar(world), body: { displayName: 'Renamed' } }),
  },
  'POST /avatars/{avatarId}/public': {
    statuses: FIRST_PARTY,
    request: (world) => ({ ...avatar(world), body: { publiclyRenderable: false } }),
  },
  'GET /voices': { statuses: READ_OR_GENERATE },
  'POST /avatars/{avatarId}/voice': {
    statuses: FIRST_PARTY,
    request: (world) => ({ ...avatar(world), body: { voiceId: 'noop' } }),
  },
  'GET /avatars/{avatarId}/images': { statuses: READ_OR_GENERATE, request: avatar },
  'GET /avatar-folders': { statuses: AVATARS_READ },
  'POST /avatar-folders': { statuses: FIRST_PARTY, request: () => ({ body: { name: 'Friends' } }) },
  'DELETE /avatar-folders/{folderId}': {
    statuses: FIRST_PARTY,
    request: async ({ t, owner }) => {
      const { body } = await t.rest('POST', '/avatar-folders', { as: owner.apiKey, body: { name: 'short-lived' } });
      return { path: { folderId: body.folder.folderId } };
    },
  },
  'POST /avatars/{avatarId}/train': { statuses: FIRST_PARTY, request: avatar },
  'POST /avatars/{avatarId}/brain/pages': {
    statuses: FIRST_PARTY,
    request: (world) => ({ ...avatar(world), body: { content: 'Likes tea.' } }),
  },
  'POST /avatars/{avatarId}/brain/recall': {
    statuses: FIRST_PARTY,
    request: (world) => ({ ...avatar(world), body: { query: 'tea' } }),
  },
  'POST /avatars/{avatarId}/brain/query': {
    statuses: FIRST_PARTY,
    request: (world) => ({ ...avatar(world), body: { query: 'tea?' } }),
  },
  'DELETE /avatars/{avatarId}/brain/sandboxes/{sandboxId}': {
    statuses: FIRST_PARTY,
    request: (world) => ({ path: { avatarId: world.avatarId, sandboxId: 'trial' } }),
  },
  'POST /avatars/{avatarId}/speak': {
    statuses: ACCEPTED,
    request: (world, caller) => ({ ...avatar(world), body: { text: `Hello ${caller}` } }),
  },
  'DELETE /avatars/speak/{generationId}': {
    statuses: FIRST_PARTY,
    request: async (world, caller) => {
      const body = { text: `Gone soon, ${caller}` };
      const made = await world.t.rest('POST', `/avatars/${world.avatarId}/speak`, { as: world.owner.apiKey, body });
      return { path: { generationId: made.body.generationId } };
    },
  },
  'GET /avatars/speak/{generationId}': {
    statuses: GENERATE,
    request: async (world, caller) => {
      const body = { text: `Hello again ${caller}` };
      const as = world.tokens[caller] ?? '';
      const made = await world.t.rest('POST', `/avatars/${world.avatarId}/speak`, { as, body });
      return { path: { generationId: made.body.generationId ?? 'spk_none' } };
    },
  },
  'POST /conversations': {
    statuses: GENERATE,
    request: ({ owner, avatarId }) => ({ body: { avatarOwnerUserId: owner.userId, avatarId } }),
  },
  'POST /conversations/{conversationId}/turn': {
    statuses: ACCEPTED,
    request: (world, caller) => ({ ...conversation(world, caller), body: { userText: 'Hello', output: 'text' } }),
  },
  'POST /conversations/{conversationId}/visibility': {
    statuses: FIRST_PARTY,
    request: (world, caller) => ({ ...conversation(world, caller), body: { isPublic: false } }),
  },
  'GET /conversations/by-slug/{slug}': {
    statuses: PRIVATE_READ,
    request: (world, caller) => ({ path: { slug: world.conversation(caller).shareSlug } }),
  },
  'POST /conversations/{conversationId}/avatar-image': {
    statuses: GENERATE,
    request: async (world, caller) => {
      return { ...conversation(world, caller), body: { avatarImageUrl: await primaryOf(world) } };
    },
  },
  'POST /conversations/{conversationId}/access-link': { statuses: FIRST_PARTY, request: conversation },
  'DELETE /conversations/{conversationId}': {
    statuses: FIRST_PARTY,
    request: async (world) => ({ path: { conversationId: (await shortLivedConversation(world)).conversationId } }),
  },
  'DELETE /turns/{turnId}': {
    statuses: FIRST_PARTY,
    request: async (world) => {
      const { conversationId } = await shortLivedConversation(world);
      const body = { userText: 'Gone soon.', output: 'text' };
      const as = world.owner.apiKey;
      const made = await world.t.rest('POST', `/conversations/${conversationId}/turn`, { as, body });
      return { path: { turnId: made.body.turn.id } };
    },
  },
  'DELETE /images/{imageId}': {
    statuses: FIRST_PARTY,
    request: async ({ t, owner }) => {
      await t.rest('POST', '/images/generate', { as: owner.apiKey, body: { prompt: 'a kite', model: 'default' } });
      const { body } = await t.graphql<any>('{ images(first: 1) { nodes { imageId } } }', {}, owner.session);
      return { path: { imageId: body.data.images.nodes[0].imageId } };
    },
  },
  'DELETE /videos/{generationId}': {
    statuses: FIRST_PARTY,
    request: async (world) => ({ path: { generationId: await video(world, 'apiKey') } }),
  },
  'DELETE /conversations/{conversationId}/access-link/{linkId}': {
    statuses: FIRST_PARTY,
    request: async (world, caller) => {
      const { path } = conversation(world, caller);
      const made = await world.t.rest('POST', `/conversations/${path.conversationId}/access-link`, {
        as: world.owner.apiKey,
      });
      return { path: { ...path, linkId: made.body.linkId } };
    },
  },
  'POST /images/generate': { statuses: GENERATE, request: () => ({ body: { prompt: 'A boat' } }) },
  'POST /images/edit': {
    statuses: GENERATE,
    request: async (world) => ({ body: { prompt: 'Make it grey', imageUrl: await primaryOf(world) } }),
  },
  'POST /videos/generate': { statuses: ACCEPTED, request: () => ({ body: { prompt: 'A boat', duration: 1 } }) },
  'GET /videos/pricing': { statuses: EVERYONE },
  'GET /videos/{generationId}': {
    statuses: GENERATE,
    request: async (world, caller) => ({ path: { generationId: await video(world, caller) } }),
  },
  'POST /oauth/clients': {
    statuses: FIRST_PARTY,
    request: () => ({ body: { name: 'Another', redirectDomains: ['app.example.com'] } }),
  },
  'GET /oauth/clients': { statuses: FIRST_PARTY },
  'DELETE /oauth/clients/{clientId}': {
    statuses: FIRST_PARTY,
    request: async (world) => ({ path: { clientId: await newApp(world) } }),
  },
  'PATCH /oauth/clients/{clientId}': {
    statuses: FIRST_PARTY,
    request: ({ client, avatarId }) => ({
      path: { clientId: client.clientId },
      body: { serviceAvatarId: avatarId },
    }),
  },
  'POST /oauth/clients/{clientId}/secret': {
    statuses: FIRST_PARTY,
    request: async (world) => ({ path: { clientId: await newApp(world) } }),
  },
  'POST /oauth/token': {
    statuses: EVERYONE,
    request: async ({ t, owner, avatarId, client }) => ({
      body: {
        grant_type: 'authorization_code',
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uri: REDIRECT,
        code: await codeFor(t, owner, avatarId, { clientId: client.clientId }),
      },
    }),
  },
  // Off, unless it is configured.
  'POST /oauth/introspect': {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    request: ({ client }) => ({ body: { client_id: client.clientId, client_secret: client.clientSecret, token: 'x' } }),
  },
  'POST /oauth/par': {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    request: ({ client }) => ({ body: { client_id: client.clientId, redirect_uri: REDIRECT } }),
  },
  'POST /oauth/register': {
    statuses: [201, 201, 201, 201, 201, 201, 201, 201],
    request: () => ({ body: { redirect_uris: ['http://localhost:8090/callback'] } }),
  },
  'POST /oauth/revoke': {
    statuses: EVERYONE,
    request: async ({ t, owner, avatarId, client }) => ({
      body: { client_id: client.clientId, token: await tokenFor(t, owner, avatarId, client, 'profile') },
    }),
  },
  'GET /oauth/userinfo': { statuses: USERINFO },
  'GET /oauth/grants': { statuses: FIRST_PARTY },
  'DELETE /oauth/grants/{tokenId}': {
    statuses: ANY_CREDENTIAL,
    // A token revokes itself alone.
    request: async (world, caller) => {
      const token = isToken(caller) ? await spare(world, caller) : await spare(world, 'profile');
      return { path: { tokenId: await tokenIdOf(world, token) }, ...(isToken(caller) ? { as: token } : {}) };
    },
  },
  'GET /tribes/{user}': { statuses: TRIBES, request: ({ owner }) => ({ path: { user: owner.userId } }) },
  'GET /tribes/{user}/membership': {
    statuses: TRIBES,
    request: ({ owner }) => ({ path: { user: owner.userId } }),
  },
  'POST /tribes/{user}/join': {
    statuses: TRIBES,
    request: async ({ t }) => ({ path: { user: (await t.person('Creator')).userId } }),
  },
  'POST /donations/intents': {
    statuses: DONATIONS,
    request: async ({ t }) => ({ body: { to: (await t.person('Friend')).userId, amount: 0.01 } }),
  },
  'GET /donations/intents/{intentId}': { statuses: DONATIONS, request: gift },
  'POST /donations/intents/{intentId}/confirm': { statuses: CONFIRM, request: gift },
  'POST /donations/intents/{intentId}/cancel': { statuses: DONATIONS, request: gift },
  'GET /donations/sent': {
    statuses: DONATIONS,
    request: async ({ t }) => ({ query: `?to=${(await t.person('Friend')).userId}` }),
  },
};

const request = ({ client }: World) => ({ input: { clientId: client.clientId, redirectUri: REDIRECT } });

/** Root fields of GraphQL that no endpoint has. */
export const GRAPHQL_ACCESS: Readonly<Record<string, Row>> = {
  // To whom it does not exist it is null, which is no error.
  node: { statuses: EVERYONE, operation: '{ node(id: "avt_none") { id } }' },
  errorKinds: { statuses: EVERYONE, operation: '{ errorKinds { code } }' },
  nodes: { statuses: EVERYONE, operation: '{ nodes(ids: ["avt_none"]) { id } }' },
  auditEvents: { statuses: FIRST_PARTY, operation: '{ auditEvents { nodes { id } } }' },
  // For operators, which none of these callers is.
  updateCursor: { statuses: [401, 200, 200, 403, 403, 200, 403, 200], operation: '{ updateCursor }' },
  auditLog: { statuses: [401, 403, 403, 403, 403, 403, 403, 403], operation: '{ auditLog { nodes { id } } }' },
  ledgerEntries: { statuses: FIRST_PARTY, operation: '{ ledgerEntries { nodes { id } } }' },
  usage: { statuses: FIRST_PARTY, operation: '{ usage { day } }' },
  renameConversation: {
    statuses: FIRST_PARTY,
    operation: 'mutation($id: ID!) { renameConversation(input: { conversationId: $id, title: "Plans" }) { title } }',
    request: (world, caller) => ({ variables: { id: world.conversation(caller).conversationId } }),
  },
  conversationTag: {
    statuses: PRIVATE_READ,
    operation: 'query($slug: String!) { conversationTag(slug: $slug) }',
    request: (world, caller) => ({ variables: { slug: world.conversation(caller).shareSlug } }),
  },
  idleVideo: {
    statuses: PRIVATE_READ,
    operation: 'query($slug: String!) { idleVideo(slug: $slug) }',
    request: (world, caller) => ({ variables: { slug: world.conversation(caller).shareSlug } }),
  },
  // A turn that one may not read looks like none; who may gets an error: no translator is configured here.
  translatedCaption: {
    statuses: [404, 503, 503, 404, 404, 503, 404, 404],
    operation: 'query($turnId: ID!) { translatedCaption(turnId: $turnId, language: "en") { __typename } }',
    request: async (world, caller) => {
      const { shareSlug } = world.conversation(caller);
      const { body } = await world.t.rest('GET', `/conversations/by-slug/${shareSlug}`, { as: world.owner.apiKey });
      return { variables: { turnId: body.turns[0].id } };
    },
  },
  // There is no such slug, for any caller.
  turnBySlug: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: '{ turnBySlug(slug: "t-26-01-zzzz") { id } }',
  },
  sharedVideo: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: '{ sharedVideo(slug: "v-26-01-zzzz") { isOwner } }',
  },
  setVideoVisibility: {
    statuses: FIRST_PARTY,
    operation:
      'mutation($id: ID!) { setVideoVisibility(input: { generationId: $id, visibility: private }) { visibility } }',
    request: async (world, caller) => ({ variables: { id: await video(world, caller) } }),
  },
  cancelVideo: {
    statuses: GENERATE,
    operation: 'mutation($id: ID!) { cancelVideo(input: { generationId: $id }) { status } }',
    request: async (world, caller) => ({ variables: { id: await video(world, caller) } }),
  },
  speechCard: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: '{ speechCard(slug: "g-26-01-zzzz") { text } }',
  },
  turnCard: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: '{ turnCard(slug: "t-26-01-zzzz") { turn { id } } }',
  },
  signUp: {
    statuses: [400, 400, 400, 400, 400, 400, 400, 400],
    operation: 'mutation { signUp(input: { email: "no address", password: "whatever" }) { idToken } }',
  },
  signIn: {
    statuses: EVERYONE,
    operation:
      'mutation($email: String!) { signIn(input: { email: $email, password: "correct horse" }) { expiresAt } }',
    request: ({ owner }) => ({ variables: { email: owner.email } }),
  },
  interruptTurn: {
    statuses: [401, 404, 404, 403, 403, 404, 403, 403],
    operation: 'mutation { interruptTurn(input: { turnId: "inj_none" }) { turnId } }',
  },
  canTranscribe: { statuses: EVERYONE, operation: '{ canTranscribe }' },
  // No model is set for the table's instance.
  transcribe: {
    statuses: [401, 503, 503, 403, 403, 503, 403, 403],
    operation: 'mutation { transcribe(input: { audio: "UklGRg==" }) { text } }',
  },
  deleteCustomVoice: {
    statuses: [401, 404, 404, 403, 403, 403, 403, 403],
    operation: 'mutation { deleteCustomVoice(input: { voiceId: "voc_none" }) { deletedId } }',
  },
  updateOAuthClient: {
    statuses: [401, 404, 404, 403, 403, 403, 403, 403],
    operation: 'mutation { updateOAuthClient(input: { clientId: "svcc_none", name: "x" }) { name } }',
  },
  knowledgeSources: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { knowledgeSources(avatarId: $avatarId) { passages } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  knowledge: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { knowledge(avatarId: $avatarId) { nodes { id } } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  forgetKnowledge: {
    statuses: [401, 404, 404, 403, 403, 403, 403, 403],
    operation:
      'mutation($avatarId: ID!) { forgetKnowledge(input: { avatarId: $avatarId, source: "https://example.com/" }) { passages } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  avatarUsage: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { avatarUsage(avatarId: $avatarId) { credits } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  tryPersona: {
    statuses: FIRST_PARTY,
    operation: 'mutation($input: TryPersonaInput!) { tryPersona(input: $input) { text } }',
    request: ({ avatarId }) => ({ variables: { input: { avatarId, userText: 'Who are you?' } } }),
  },
  verifyEmail: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: 'mutation { verifyEmail(input: { token: "none of ours" }) }',
  },
  resendVerification: {
    statuses: [401, 200, 200, 401, 401, 401, 401, 401],
    operation: 'mutation { resendVerification }',
  },
  // The table's instance sends no mail, to no caller.
  requestPasswordReset: {
    statuses: [503, 503, 503, 503, 503, 503, 503, 503],
    operation: 'mutation { requestPasswordReset(input: { email: "nobody@example.com" }) }',
  },
  resetPassword: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: 'mutation { resetPassword(input: { token: "none of ours", newPassword: "correct horse" }) }',
  },
  confirmEmailChange: {
    statuses: [404, 404, 404, 404, 404, 404, 404, 404],
    operation: 'mutation { confirmEmailChange(input: { token: "none of ours" }) }',
  },
  changeEmail: {
    statuses: SESSION_ONLY,
    operation: `mutation { changeEmail(input: { email: "moved-${process.pid}@example.com", password: "correct horse" }) }`,
    request: shortLivedSession,
  },
  updateProfile: {
    statuses: SESSION_ONLY,
    operation: 'mutation { updateProfile(input: { displayName: "Ada" }) { displayName } }',
  },
  sessions: { statuses: SESSION_ONLY, operation: '{ sessions { nodes { sessionId } } }' },
  changePassword: {
    statuses: SESSION_ONLY,
    operation: 'mutation { changePassword(input: { currentPassword: "correct horse", newPassword: "correct horse" }) }',
    request: shortLivedSession,
  },
  signOutEverywhere: {
    statuses: SESSION_ONLY,
    operation: 'mutation { signOutEverywhere }',
    request: shortLivedSession,
  },
  exportAccount: { statuses: SESSION_ONLY, operation: 'mutation { exportAccount { status } }' },
  accountExport: { statuses: SESSION_ONLY, operation: '{ accountExport { status url } }' },
  signOut: {
    statuses: SESSION_ONLY,
    operation: 'mutation { signOut }',
    request: async ({ t, owner }, caller) => {
      if (caller !== 'session') return {};
      const { body } = await t.graphql<any>(
        'mutation($email: String!) { signIn(input: { email: $email, password: "correct horse" }) { idToken } }',
        { email: owner.email },
      );
      return { as: body.data.signIn.idToken };
    },
  },
  // The owner is no operator.
  operatorUsers: { statuses: OPERATORS_ONLY, operation: '{ operatorUsers { nodes { userId } } }' },
  jobQueues: { statuses: OPERATORS_ONLY, operation: '{ jobQueues { kind } }' },
  failedJobs: { statuses: OPERATORS_ONLY, operation: '{ failedJobs { nodes { jobId } } }' },
  retryFailedJobs: { statuses: OPERATORS_ONLY, operation: 'mutation { retryFailedJobs }' },
  engineHealth: { statuses: OPERATORS_ONLY, operation: '{ engineHealth { part } }' },
  storageUsed: { statuses: OPERATORS_ONLY, operation: '{ storageUsed { bytes } }' },
  grantCredits: {
    statuses: [401, 403, 403, 403, 403, 403, 403, 403],
    operation: 'mutation { grantCredits(input: { userId: "usr_x", amount: 1 }) { available } }',
  },
  // Reached, and refused for its address.
  addAvatarImage: {
    statuses: [401, 400, 400, 403, 403, 403, 403, 403],
    operation:
      'mutation($avatarId: ID!) { addAvatarImage(input: { avatarId: $avatarId, imageUrl: "nowhere" }) { url } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  setAvatarFace: {
    statuses: [401, 400, 400, 403, 403, 403, 403, 403],
    operation: `mutation($avatarId: ID!) { setAvatarFace(input: { avatarId: $avatarId, imageUrl: "nowhere", face: {
      leftEye: { x: 0.4, y: 0.4 }, rightEye: { x: 0.6, y: 0.4 }, mouth: { x: 0.5, y: 0.6 } } }) { url } }`,
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  createUpload: { statuses: FIRST_PARTY, operation: 'mutation { createUpload { uploadUrl } }' },
  drawPortrait: {
    statuses: FIRST_PARTY,
    operation: 'mutation { drawPortrait(input: { description: "A baker", variation: 2 }) { url } }',
  },
  setPrimaryAvatarImage: {
    statuses: [401, 400, 400, 403, 403, 403, 403, 403],
    operation:
      'mutation($avatarId: ID!) { setPrimaryAvatarImage(input: { avatarId: $avatarId, assetId: "img_none" }) { url } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  voiceSample: { statuses: SESSION_ONLY, operation: '{ voiceSample(baseVoiceId: "noop", pitch: 2) }' },
  createCustomVoice: {
    statuses: FIRST_PARTY,
    operation: `mutation($avatarId: ID!) {
      createCustomVoice(input: { avatarId: $avatarId, name: "Mine", baseVoiceId: "noop" }) { id } }`,
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  training: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { training(avatarId: $avatarId) { __typename } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  memories: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { memories(avatarId: $avatarId) { __typename } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  updateAvatar: {
    statuses: FIRST_PARTY,
    operation: `mutation($avatarId: ID!) {
      updateAvatar(input: { avatarId: $avatarId, knowledgeBaseUrls: [] }) { avatarId } }`,
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  selectBrainSystem: {
    statuses: FIRST_PARTY,
    operation:
      'mutation($avatarId: ID!) { selectBrainSystem(input: { avatarId: $avatarId, system: "managed" }) { avatarId } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  setMemorySystem: {
    statuses: FIRST_PARTY,
    operation: `mutation($avatarId: ID!) {
      setMemorySystem(input: { avatarId: $avatarId, system: { managed: true } }) { avatar { brainSystem } } }`,
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  updateMemory: {
    statuses: FIRST_PARTY,
    operation: `mutation($avatarId: ID!, $id: ID!) {
      updateMemory(input: { avatarId: $avatarId, id: $id, content: "Likes coffee." }) { __typename } }`,
    request: memory,
  },
  deleteMemory: {
    statuses: FIRST_PARTY,
    operation:
      'mutation($avatarId: ID!, $id: ID!) { deleteMemory(input: { avatarId: $avatarId, id: $id }) { deletedId } }',
    request: memory,
  },
  authorizationRequest: {
    statuses: EVERYONE,
    operation: 'query($input: AuthorizationRequestInput!) { authorizationRequest(input: $input) { name } }',
    request: (world) => ({ variables: request(world) }),
  },
  approveAuthorization: {
    statuses: SESSION_ONLY,
    operation: `mutation($input: AuthorizationRequestInput!, $avatarId: ID!) {
      approveAuthorization(input: $input, avatarId: $avatarId) { redirectTo } }`,
    request: (world) => ({ variables: { ...request(world), avatarId: world.avatarId } }),
  },
  giftConfirmation: {
    statuses: CONFIRM,
    operation: 'query($intentId: ID!) { giftConfirmation(intentId: $intentId) { transferable } }',
    request: async (world, caller) => ({ variables: (await gift(world, caller)).path }),
  },
  setAvatarNonOwnerCap: {
    statuses: FIRST_PARTY,
    operation: 'mutation($avatarId: ID!) { setAvatarNonOwnerCap(input: { avatarId: $avatarId }) { avatarId } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  webhookEndpoints: {
    statuses: FIRST_PARTY,
    operation: '{ webhookEndpoints { nodes { id deliveries { nodes { id } } } } }',
  },
  createWebhookEndpoint: {
    statuses: FIRST_PARTY,
    operation: `mutation { createWebhookEndpoint(input: { url: "https://example.com/", events: ["turn.failed"] }) {
      endpoint { id } } }`,
  },
  updateWebhookEndpoint: {
    statuses: FIRST_PARTY,
    operation: 'mutation($id: ID!) { updateWebhookEndpoint(input: { id: $id, isEnabled: true }) { endpoint { id } } }',
    request: async (world) => ({ variables: { id: await lastingWebhook(world) } }),
  },
  rotateWebhookSecret: {
    statuses: FIRST_PARTY,
    operation: 'mutation($id: ID!) { rotateWebhookSecret(input: { id: $id }) { endpoint { id } } }',
    request: async (world) => ({ variables: { id: await lastingWebhook(world) } }),
  },
  deleteWebhookEndpoint: {
    statuses: FIRST_PARTY,
    operation: 'mutation($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { deletedId } }',
    request: async (world) => ({ variables: { id: await webhook(world) } }),
  },
  testWebhookEndpoint: {
    statuses: FIRST_PARTY,
    operation: 'mutation($id: ID!) { testWebhookEndpoint(input: { id: $id }) { delivery { id } } }',
    request: async (world) => ({ variables: { id: await lastingWebhook(world) } }),
  },
  resendWebhook: {
    statuses: FIRST_PARTY,
    operation: 'mutation($id: ID!) { resendWebhook(input: { deliveryId: $id }) { delivery { id } } }',
    request: async (world) => ({ variables: { id: await webhookDelivery(world) } }),
  },
  talkSettings: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { talkSettings(avatarId: $avatarId) { audience } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  setTalkSettings: {
    statuses: FIRST_PARTY,
    operation: 'mutation($input: SetTalkSettingsInput!) { setTalkSettings(input: $input) { settings { audience } } }',
    request: ({ avatarId }) => ({ variables: { input: { avatarId, greeting: 'Hello' } } }),
  },
  visitors: {
    statuses: FIRST_PARTY,
    operation: 'query($avatarId: ID!) { visitors(avatarId: $avatarId) { pageInfo { endCursor } } }',
    request: ({ avatarId }) => ({ variables: { avatarId } }),
  },
  setVisitorBlocked: {
    statuses: FIRST_PARTY,
    operation: 'mutation($input: SetVisitorBlockedInput!) { setVisitorBlocked(input: $input) { isBlocked } }',
    request: async (world) => {
      await visit(world);
      const [visitor] = await world.t.app.db.rows<{ id: string }>('select id from visitor limit 1');
      return { variables: { input: { visitorId: visitor!.id, isBlocked: false } } };
    },
  },
  talkPage: {
    statuses: EVERYONE,
    operation: 'query($slug: String!) { talkPage(slug: $slug) { displayName } }',
    request: async (world) => ({ variables: { slug: (await visit(world)).slug } }),
  },
  beginVisit: {
    statuses: VISITORS,
    operation: 'mutation($input: BeginVisitInput!) { beginVisit(input: $input) { viewerToken } }',
    request: async (world) => ({ variables: { input: await visit(world) } }),
  },
  sayToAvatar: {
    statuses: VISITORS,
    operation: 'mutation($input: SayToAvatarInput!) { sayToAvatar(input: $input) { turn { id } } }',
    request: async (world, caller) => ({
      variables: { input: { ...(await visit(world, caller)), userText: 'Hi', output: 'text' } },
    }),
  },
  // Reached by callers who may talk, and refused: there is no such turn.
  interruptAvatar: {
    statuses: [404, 404, 404, 403, 403, 403, 403, 403],
    operation: 'mutation($input: InterruptAvatarInput!) { interruptAvatar(input: $input) { turnId } }',
    request: async (world, caller) => ({
      variables: { input: { ...(await visit(world, caller)), turn: { turnId: 'trn_none' } } },
    }),
  },
  // Reached by callers who may talk, and refused: this instance does not understand speech.
  transcribeForAvatar: {
    statuses: [503, 503, 503, 403, 403, 403, 403, 403],
    operation: 'mutation($input: TranscribeForAvatarInput!) { transcribeForAvatar(input: $input) { text } }',
    request: async (world, caller) => ({ variables: { input: { ...(await visit(world, caller)), audio: 'AAAA' } } }),
  },
  tribesJoined: { statuses: FIRST_PARTY, operation: '{ tribesJoined { nodes { tribeOwner } } }' },
  giftsGiven: { statuses: FIRST_PARTY, operation: '{ giftsGiven { nodes { to } } }' },
  updateTribe: { statuses: FIRST_PARTY, operation: 'mutation { updateTribe(input: { tribeName: "Ours" }) { user } }' },
  linkStreamAccount: {
    statuses: OPERATORS,
    operation: 'mutation { linkStreamAccount(input: { streamUsername: "ada" }) { userId } }',
  },
  setStreamSubscription: {
    statuses: OPERATORS,
    operation:
      'mutation { setStreamSubscription(input: { creatorUserId: "usr_x", memberUserId: "usr_y", active: true }) }',
  },
  // Reached by sessions, and refused: this instance has no streaming platform.
  startStreamLink: {
    statuses: [401, 403, 401, 401, 401, 401, 401, 401],
    operation: 'mutation { startStreamLink { url } }',
  },
  finishStreamLink: {
    statuses: [401, 403, 401, 401, 401, 401, 401, 401],
    operation: 'mutation { finishStreamLink(input: { code: "c", state: "s" }) { userId } }',
  },
};

/** Follows what is the caller's from before something of it changes. */
function following(
  field: string,
  statuses: Row['statuses'],
  change: (world: World, as: string) => Promise<unknown>,
): Row {
  return {
    statuses,
    operation: `subscription($after: String!) { ${field}(after: $after) { cursor } }`,
    request: async (world, caller) => {
      const { body } = await world.t.graphql<any>('{ updateCursor }', {}, world.owner.session);
      await change(world, (isToken(caller) ? world.tokens.generate : world.tokens.apiKey)!);
      return { variables: { after: body.data.updateCursor } };
    },
  };
}

const makeVideo = ({ t }: World, as: string) =>
  t.rest('POST', '/videos/generate', { as, body: { prompt: 'A boat', duration: 1 } });

/** Subscriptions, over the socket: refused at the first message, or fed. */
export const SUBSCRIPTION_ACCESS: Readonly<Record<string, Row>> = {
  turnUpdated: {
    statuses: PRIVATE_READ,
    operation: 'subscription($slug: String!) { turnUpdated(slug: $slug, after: "0") { cursor } }',
    request: (world, caller) => ({ variables: { slug: world.conversation(caller).shareSlug } }),
  },
  events: following('events', [401, 200, 200, 403, 403, 200, 403, 200], async (world, as) => {
    await makeVideo(world, as);
    await gift(world, 'donations');
  }),
  conversationUpdated: following('conversationUpdated', GENERATE, ({ t, owner, avatarId }, as) =>
    t.rest('POST', '/conversations', { as, body: { avatarOwnerUserId: owner.userId, avatarId } }),
  ),
  videoUpdated: following('videoUpdated', GENERATE, makeVideo),
  speechUpdated: following('speechUpdated', GENERATE, ({ t, avatarId }, as) =>
    t.rest('POST', `/avatars/${avatarId}/speak`, { as, body: { text: `Hello, ${Math.random()}` } }),
  ),
  imageUpdated: following('imageUpdated', FIRST_PARTY, ({ t }, as) =>
    t.rest('POST', '/images/generate', { as, body: { prompt: 'A boat' } }),
  ),
  balanceUpdated: following('balanceUpdated', FIRST_PARTY, makeVideo),
  giftUpdated: following('giftUpdated', [401, 200, 200, 403, 403, 403, 403, 200], (world) => gift(world, 'donations')),
  trainingUpdated: following('trainingUpdated', FIRST_PARTY, ({ t, owner, avatarId }) =>
    t.rest('POST', `/avatars/${avatarId}/train`, { as: owner.apiKey }),
  ),
};

/** A world with one app and one user, who gave it a token for each scope. */
export async function createWorld(t: TestApp): Promise<World> {
  const owner = await t.person('Ada', 100);
  const avatarId = await makeAvatar(t, owner);
  const scopes = CALLERS.slice(3);
  const registered = await t.rest('POST', '/oauth/clients', {
    as: owner.apiKey,
    body: { name: 'App', redirectDomains: ['app.example.com'], scopes },
  });
  const client: TestClient = registered.body;
  const tokens = { noToken: undefined, session: owner.session, apiKey: owner.apiKey } as World['tokens'];
  for (const scope of scopes) tokens[scope] = await tokenFor(t, owner, avatarId, client, scope);
  const started = async (as: string) => {
    const { body } = await t.rest('POST', '/conversations', {
      as,
      body: { avatarOwnerUserId: owner.userId, avatarId },
    });
    await t.rest('POST', `/conversations/${body.conversationId}/turn`, {
      as,
      body: { userText: 'Hi', output: 'text' },
    });
    return body;
  };
  const [own, theirs] = [await started(owner.apiKey), await started(tokens.generate!)];
  return { t, owner, avatarId, client, tokens, conversation: (caller) => (isToken(caller) ? theirs : own) };
}
