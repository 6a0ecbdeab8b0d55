/** Idempotency keys of the graph: by its field and by header, for whatever charges or makes something. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type GraphQLArgument, getNamedType, isInputObjectType } from 'graphql';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;
let bob: TestUser;
let avatarId: string;
let conversationId: string;
const rest = async (path: string, body: object, as = ada.session) => (await t.rest('POST', path, { as, body })).body;

beforeAll(async () => {
  t = await openTestApp({ work: true });
  [ada, bob] = [await t.person('Ada', 50), await t.person('Bob')];
  avatarId = (await rest('/avatars', { displayName: 'Nova', ttsVoiceId: 'noop', publiclyRenderable: true })).avatarId;
  conversationId = (await rest('/conversations', { avatarOwnerUserId: ada.userId, avatarId })).conversationId;
  await t.graphql('mutation { updateTribe(joinCost: 2) { joinCost } }', {}, bob.session);
});
afterAll(() => t.close());

/** Endpoints of webhooks and apps, made when a test begins. */
const webhook = async () =>
  (
    await t.graphql<any>(
      `mutation { createWebhookEndpoint(input: { url: "https://webhooks.invalid/", events: ["turn.completed"] }) { endpoint { id } } }`,
      {},
      ada.session,
    )
  ).body.data.createWebhookEndpoint.endpoint.id as string;
const app = async () =>
  (await rest('/oauth/clients', { name: 'Tea', redirectDomains: ['tea.example'] })).clientId as string;

const gift = async () => (await rest('/donations/intents', { to: bob.userId, amount: 1 })).intentId as string;

interface Mutation {
  /** Its arguments beside the key, and other ones. */
  given: string;
  other?: string;
  shown: string;
  as?: string;
}

/** Every mutation with a key; made when its test begins. */
const MUTATIONS: Record<string, () => Mutation | Promise<Mutation>> = {
  injectTurn: () => ({
    given: `conversationId: "${conversationId}", input: { userText: "Hi", output: audio }`,
    other: `conversationId: "${conversationId}", input: { userText: "Hi", output: text }`,
    shown: 'turn { id } storePath',
  }),
  speak: () => ({
    given: `avatarId: "${avatarId}", input: { text: "Good day" }`,
    other: `avatarId: "${avatarId}", input: { text: "Good night" }`,
    shown: 'generationId reused createdAt',
  }),
  generateVideo: () => ({
    given: 'input: { prompt: "The sea", duration: 1, image: null }',
    other: 'input: { prompt: "The sea", duration: 1 }',
    shown: 'generationId creditCost',
  }),
  generateImage: () => ({
    given: 'input: { prompt: "A boat" }',
    other: 'input: { prompt: "A bird" }',
    shown: 'imageUrl creditCost',
  }),
  joinTribe: () => ({ given: `user: "${bob.userId}"`, other: `user: "${ada.userId}"`, shown: 'success charged' }),
  confirmGift: async () => ({ given: `intentId: "${await gift()}"`, other: 'intentId: "gft_0"', shown: 'status' }),
  proposeGift: () => ({
    given: `to: "${bob.userId}", amount: 1`,
    other: `to: "${bob.userId}", amount: 2`,
    shown: 'intentId amount',
  }),
  createConversation: () => ({
    given: `avatarOwnerUserId: "${ada.userId}", avatarId: "${avatarId}"`,
    other: `avatarOwnerUserId: "${bob.userId}", avatarId: "${avatarId}"`,
    shown: 'id viewerToken avatar { id }',
  }),
  createAvatar: () => ({
    given: 'input: { displayName: "Mona" }',
    other: 'input: { displayName: "Lisa" }',
    shown: 'avatarId avatar { id owner { id } }',
  }),
  createAvatarFolder: () => ({ given: 'name: "Friends"', other: 'name: "Foes"', shown: 'id name' }),
  saveMemory: () => ({
    given: `avatarId: "${avatarId}", input: { content: "Likes tea." }`,
    other: `avatarId: "${avatarId}", input: { content: "Likes coffee." }`,
    shown: 'ok id system sandboxId',
  }),
  addAvatarImage: async () => {
    const { imageUrl } = await rest('/images/generate', { prompt: 'A face' });
    return {
      given: `avatarId: "${avatarId}", imageUrl: "${imageUrl}"`,
      other: `avatarId: "${avatarId}", imageUrl: "${imageUrl}?other"`,
      shown: 'id url assetId',
    };
  },
  createCustomVoice: () => ({
    given: `avatarId: "${avatarId}", input: { name: "Low", baseVoiceId: "noop", pitch: -2 }`,
    other: `avatarId: "${avatarId}", input: { name: "High", baseVoiceId: "noop", pitch: 2 }`,
    shown: 'id name source language',
  }),
  drawPortrait: () => ({ given: 'description: "A baker"', other: 'description: "A boatman"', shown: 'url' }),
  testWebhookEndpoint: async () => ({
    given: `id: "${await webhook()}"`,
    other: `id: "${await webhook()}"`,
    shown: 'delivery { id subjectId state }',
  }),
  grantCredits: async () => ({
    given: `userId: "${bob.userId}", amount: 3`,
    other: `userId: "${bob.userId}", amount: 4`,
    shown: 'available',
    as: await t.operator(),
  }),
};

interface Secret extends Mutation {
  secret: string;
}

/** What makes something whose secret is shown once: what is asked, and where the secret is in the answer. */
const SECRETS: Record<string, () => Secret | Promise<Secret>> = {
  createApiKey: () => ({ given: 'name: "Robot"', other: 'name: "Other"', shown: 'id name token', secret: 'token' }),
  createAccessLink: () => ({
    given: `conversationId: "${conversationId}"`,
    other: 'conversationId: "cnv_0"',
    shown: 'ok linkId url',
    secret: 'url',
  }),
  registerOAuthClient: () => ({
    given: 'name: "App", redirectDomains: ["a.example"]',
    other: 'name: "App", redirectDomains: ["b.example"]',
    shown: 'clientId clientSecret name scopes',
    secret: 'clientSecret',
  }),
  rotateClientSecret: async () => {
    const clientId = await app();
    return {
      given: `clientId: "${clientId}"`,
      other: `clientId: "${clientId}", keepOldFor: 5`,
      shown: 'clientId clientSecret previousValidUntil',
      secret: 'clientSecret',
    };
  },
  createWebhookEndpoint: () => ({
    given: 'url: "https://webhooks.invalid/a", events: ["turn.completed"]',
    other: 'url: "https://webhooks.invalid/b", events: ["turn.completed"]',
    shown: 'secret endpoint { id url events createdAt }',
    secret: 'secret',
  }),
  rotateWebhookSecret: async () => {
    const id = await webhook();
    return {
      given: `id: "${id}"`,
      other: `id: "${id}", keepOldFor: 5`,
      shown: 'secret endpoint { id }',
      secret: 'secret',
    };
  },
};

const send = (document: string, as = ada.session, headers: Record<string, string> = {}) =>
  t.rest('POST', '/graphql', { as, body: { query: document }, headers });
const codeOf = ({ body }: { body: any }) => body.errors?.[0]?.extensions.code;
/** How much there is of whatever a key must not make twice; turns that get ready meanwhile are sent to webhooks too. */
const made = async () =>
  (
    await t.app.db.rows(
      `select (select count(*) from ledger_hold) as holds, (select count(*) from injection) as injections,
       (select count(*) from conversation) as conversations, (select count(*) from avatar) as avatars,
       (select count(*) from avatar_folder) as folders, (select count(*) from gift_intent) as gifts,
       (select count(*) from tribe_member) as members, (select count(*) from brain_entry) as memories,
       (select count(*) from custom_voice) as voices, (select count(*) from upload) as uploads,
       (select count(*) from api_key) as keys, (select count(*) from access_link) as links, (select count(*) from oauth_client) as apps,
       (select count(*) from webhook_endpoint) as endpoints, (select count(*) from webhook_delivery where event_type = 'webhook.test') as deliveries,
       (select count(*) from audit_event where action <> 'signed_in') as events, (select count(*) from ledger_transfer where kind <> 'speech') as transfers`,
    )
  )[0];

describe.each(Object.keys(MUTATIONS))('%s', (name) => {
  test('answers the same for the same key, does it once, and refuses another request with it', async () => {
    const { given, other, shown, as } = await MUTATIONS[name]!();
    const ask = (args: string, fields = shown) =>
      send(`mutation { made: ${name}(${args}, idempotencyKey: "one ${name}") { ${fields} } }`, as);
    const first = await ask(given);
    expect(first.body).toEqual({ data: { made: expect.anything() } });
    const after = await made();
    expect((await ask(given)).body).toEqual(first.body);
    // What is selected may be other fields of the same.
    expect((await ask(given, '__typename')).body.errors).toBeUndefined();
    expect(codeOf(await ask(other!))).toBe('KEY_REUSED');
    if (!['injectTurn', 'speak', 'generateVideo'].includes(name)) expect(await made()).toEqual(after);
  });
});

describe.each(Object.keys(SECRETS))('%s', (name) => {
  test('answers the secret again for the same key, and none of it is readable in the database', async () => {
    const { given, other, shown, secret } = await SECRETS[name]!();
    const ask = (args: string, as = ada.session) =>
      send(`mutation { made: ${name}(${args}, idempotencyKey: "one ${name}") { ${shown} } }`, as);
    const first = await ask(given);
    expect(first.body).toEqual({ data: { made: expect.objectContaining({ [secret]: expect.any(String) }) } });
    const after = await made();
    expect((await ask(given)).body).toEqual(first.body);
    expect(codeOf(await ask(other!))).toBe('KEY_REUSED');
    expect(await made()).toEqual(after);
    const kept = await t.app.db.rows<any>('select caller, body::text from idempotency_key where key = $1', [
      `one ${name}`,
    ]);
    expect(kept).toEqual([{ caller: ada.userId, body: expect.stringMatching(/^\{"\$sealed": "v1\.[\w-]{40,}"\}$/) }]);
    const plain = String(first.body.data.made[secret]).replace(/=+$/, '').split(/[=_]/).at(-1)!;
    expect(kept[0].body).not.toContain(plain);
  });

  test('belongs to its account: another account with the same key makes, or is refused, its own', async () => {
    const { given, shown, secret } = await SECRETS[name]!();
    const ask = (as: string) =>
      send(`mutation { made: ${name}(${given}, idempotencyKey: "theirs ${name}") { ${shown} } }`, as);
    const mine = (await ask(ada.session)).body.data.made[secret];
    const { body } = await ask(bob.session);
    expect(body.data?.made[secret] ?? body.errors[0].extensions.code).not.toBe(mine);
  });
});

test('createUpload, which may have no input, takes the key of either place', async () => {
  const key = { 'idempotency-key': 'an address' };
  const bare = () => send('mutation { createUpload { uploadId uploadUrl maxBytes expiresAt } }', ada.session, key);
  const first = await bare();
  expect(first.body.data.createUpload.uploadUrl).toMatch(/token=/);
  expect((await bare()).body).toEqual(first.body);
  const own = () => send('mutation { createUpload(input: { idempotencyKey: "another" }) { uploadId uploadUrl } }');
  const second = await own();
  expect(second.body.data.createUpload.uploadId).not.toBe(first.body.data.createUpload.uploadId);
  expect((await own()).body).toEqual(second.body);
  const kept = await t.app.db.rows<any>(
    `select body::text from idempotency_key where key in ('an address', 'another')`,
  );
  for (const { body } of kept) expect(body).toContain('$sealed');
});

test('the answers of an account that is deleted go with it', async () => {
  const eve = await t.person('Eve');
  const made = await send(
    'mutation { createApiKey(input: { name: "Mine", idempotencyKey: "eve" }) { id } }',
    eve.session,
  );
  expect(made.body.errors).toBeUndefined();
  const kept = () => t.app.db.rows('select 1 from idempotency_key where caller = $1', [eve.userId]);
  expect(await kept()).toHaveLength(1);
  await t.rest('DELETE', '/me', { as: eve.session, body: { password: 'correct horse' } });
  expect(await kept()).toEqual([]);
});

test('a turn is made and held once, however often it is sent', async () => {
  const turns = async () =>
    (
      await t.app.db.rows<any>(`select count(*)::int as n from injection where conversation_id = $1`, [conversationId])
    )[0].n;
  const before = await turns();
  const ask = () =>
    send(`mutation { injectTurn(conversationId: "${conversationId}", idempotencyKey: "at once",
      input: { userText: "Hello", output: text }) { turn { id } } }`);
  const answers = await Promise.all(Array.from({ length: 5 }, ask));
  for (const answer of answers) expect([undefined, 'IN_FLIGHT']).toContain(codeOf(answer));
  expect(answers.filter((answer) => !codeOf(answer)).length).toBeGreaterThan(0);
  const waits = answers.filter((answer) => codeOf(answer)).map(({ body }) => body.errors[0].extensions);
  for (const wait of waits) expect(wait).toMatchObject({ retryAfterSeconds: 1, requestId: expect.any(String) });
  expect(await turns()).toBe(before + 1);
});

describe('the header Idempotency-Key', () => {
  const key = { 'idempotency-key': 'of the header' };
  const propose = (note: string) => `proposeGift(to: "${bob.userId}", amount: 1, note: "${note}") { intentId }`;

  test('is the key of the one mutation that takes it, also as variables', async () => {
    const answers = [await send(`mutation { ${propose('a')} }`, ada.apiKey, key)];
    const query = `mutation($to: String!, $amount: Credits!) { proposeGift(to: $to, amount: $amount, note: "a") { intentId } }`;
    const variables = { to: bob.userId, amount: 1 };
    answers.push(await t.rest('POST', '/graphql', { as: ada.apiKey, body: { query, variables }, headers: key }));
    expect(answers[1]!.body).toEqual(answers[0]!.body);
  });

  test('of a document with two of them names the first: an equal second is the first, another is refused, and may have a key of its own', async () => {
    const own = { 'idempotency-key': 'of two' };
    const { body } = await send(`mutation { a: ${propose('a')} b: ${propose('b')} }`, ada.apiKey, own);
    expect([body.data, body.errors[0].path, body.errors[0].extensions.code]).toEqual([null, ['b'], 'KEY_REUSED']);
    const twins = await send(`mutation { a: ${propose('c')} b: ${propose('c')} }`, ada.apiKey, {
      'idempotency-key': 'of twins',
    });
    expect(twins.body.data.b).toEqual(twins.body.data.a);
    const b = propose('b').replace('note', 'idempotencyKey: "its own", note');
    const both = await send(`mutation { a: ${propose('a')} b: ${b} }`, ada.apiKey, own);
    expect(both.body.data).toEqual({ a: { intentId: expect.any(String) }, b: { intentId: expect.any(String) } });
  });

  test('is no business of queries and other mutations', async () => {
    const rename = 'mutation { updateTribe(tribeName: "Tea") { tribeName } }';
    for (const document of ['{ me { id } }', '{ me { userId } }', rename]) {
      expect((await send(document, ada.apiKey, key)).body.errors).toBeUndefined();
    }
  });

  test('may be that of the input; another one is refused, and nothing is done with either', async () => {
    const ask = (inInput: string, inHeader: string) =>
      send(
        `mutation { proposeGift(input: { to: "${bob.userId}", amount: 1, idempotencyKey: "${inInput}" }) { intentId } }`,
        ada.apiKey,
        { 'idempotency-key': inHeader },
      );
    const same = await ask('equal', 'equal');
    expect(same.body.errors).toBeUndefined();
    const before = await made();
    const { body } = await ask('equal', 'unequal');
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', field: 'idempotencyKey' });
    expect(body.errors[0].message).toMatch(/Idempotency-Key/);
    // In a fragment, and beside a mutation that takes none.
    const spread = await send(
      `mutation { updateTribe(tribeName: "Tea") { tribeName } ...on Mutation {
        proposeGift(input: { to: "${bob.userId}", amount: 1, idempotencyKey: "equal" }) { intentId } } }`,
      ada.apiKey,
      { 'idempotency-key': 'unequal' },
    );
    expect(codeOf(spread)).toBe('BAD_INPUT');
    expect(await made()).toEqual(before);
  });
});

test('a request that failed is forgotten; keys are of a caller, and of 1 to 255 characters', async () => {
  const ask = (key: string, as: string, note = '') =>
    send(
      `mutation { proposeGift(to: "${bob.userId}", amount: 1, note: "${note}", idempotencyKey: "${key}") { intentId } }`,
      as,
    );
  expect(codeOf(await ask('failed', ada.apiKey, 'x'.repeat(201)))).toBe('BAD_INPUT');
  expect(codeOf(await ask('failed', ada.apiKey))).toBeUndefined();
  expect(codeOf(await ask('failed', bob.apiKey))).toBe('SELF_GIFT');
  for (const key of ['', 'x'.repeat(256)]) {
    const { body } = await ask(key, ada.apiKey);
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_INPUT', field: 'idempotencyKey' });
  }
  expect(codeOf(await ask('x'.repeat(255), ada.apiKey))).toBeUndefined();
});

test('a key of REST is not a key of the graph: the other request is refused', async () => {
  const body = { to: bob.userId, amount: 1 };
  const proposed = () =>
    t.rest('POST', '/donations/intents', { as: ada.apiKey, body, headers: { 'idempotency-key': 'both' } });
  const [first, second] = [await proposed(), await proposed()];
  expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
  const ask = `mutation { proposeGift(to: "${bob.userId}", amount: 1, idempotencyKey: "both") { intentId } }`;
  expect(codeOf(await send(ask, ada.apiKey))).toBe('KEY_REUSED');
});

test('every mutation that may answer INSUFFICIENT_CREDITS or move credits takes a key', () => {
  const fields = t.server.executor.schema.getMutationType()?.getFields() ?? {};
  const hasKey = ({ type }: GraphQLArgument) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && 'idempotencyKey' in input.getFields();
  };
  const keyed = Object.values(fields).filter(({ args }) => args.some(hasKey));
  const tried = [...Object.keys(MUTATIONS), ...Object.keys(SECRETS), 'createUpload', 'editImage', 'sayToAvatar'];
  expect(keyed.map(({ name }) => name).sort()).toEqual(tried.sort());
  const failing = Object.values(fields).filter(({ description }) => /INSUFFICIENT/.test(description ?? ''));
  expect(failing.filter((field) => !keyed.includes(field)).map(({ name }) => name)).toEqual([]);
});
