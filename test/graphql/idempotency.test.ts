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

const gift = async () => (await rest('/donations/intents', { to: bob.userId, amount: 1 })).intentId as string;

interface Mutation {
  /** Its arguments beside the key, and other ones. */
  given: string;
  other?: string;
  shown: string;
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
};

const send = (document: string, as = ada.session, headers: Record<string, string> = {}) =>
  t.rest('POST', '/graphql', { as, body: { query: document }, headers });
const codeOf = ({ body }: { body: any }) => body.errors?.[0]?.extensions.code;
/** How much there is of whatever a key must not make twice. */
const made = async () =>
  (
    await t.app.db.rows(
      `select (select count(*) from ledger_hold) as holds, (select count(*) from injection) as injections,
       (select count(*) from conversation) as conversations, (select count(*) from avatar) as avatars,
       (select count(*) from avatar_folder) as folders, (select count(*) from gift_intent) as gifts,
       (select count(*) from tribe_member) as members, (select count(*) from ledger_transfer where kind <> 'speech') as transfers`,
    )
  )[0];

describe.each(Object.keys(MUTATIONS))('%s', (name) => {
  test('answers the same for the same key, does it once, and refuses another request with it', async () => {
    const { given, other, shown } = await MUTATIONS[name]!();
    const ask = (args: string, fields = shown) =>
      send(`mutation { made: ${name}(${args}, idempotencyKey: "one ${name}") { ${fields} } }`);
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

  test('of a document with two of them names the first: the second is refused, and may have a key of its own', async () => {
    const own = { 'idempotency-key': 'of two' };
    const { body } = await send(`mutation { a: ${propose('a')} b: ${propose('b')} }`, ada.apiKey, own);
    expect([body.data, body.errors[0].path, body.errors[0].extensions.code]).toEqual([null, ['b'], 'KEY_REUSED']);
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
  expect(keyed.map(({ name }) => name).sort()).toEqual([...Object.keys(MUTATIONS), 'editImage', 'sayToAvatar'].sort());
  const failing = Object.values(fields).filter(({ description }) => /INSUFFICIENT/.test(description ?? ''));
  expect(failing.filter((field) => !keyed.includes(field)).map(({ name }) => name)).toEqual([]);
});
