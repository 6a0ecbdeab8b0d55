/** Documents of the earlier form, whose mutations have no `input`: each mutation of the last release, and ten of them over HTTP. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { createClient } from 'graphql-sse';
import { pino } from 'pino';
import { inTodaysForm, validBesideInput } from '../../resolvers/earlier-arguments.ts';
import { guardedOf } from '../../resolvers/rate-limits.ts';
import { createSchema } from '../../resolvers/schema.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { makeAvatar } from '../support/oauth.ts';

let t: TestApp;
let ada: TestUser;
let avatarId: string;
const lines: string[] = [];
const sink = new Writable({
  write: (line, _encoding, done) => {
    lines.push(String(line));
    done();
  },
});

beforeAll(async () => {
  t = await openTestApp({ log: pino({ level: 'info' }, sink) });
  ada = await t.person('Ada', 10);
  avatarId = await makeAvatar(t, ada);
});
afterAll(() => t.close());

const send = (query: string, variables: object = {}, as: string | undefined = ada.session, rest: object = {}) =>
  t.rest('POST', '/graphql', { body: { query, variables, ...rest }, ...(as ? { as } : {}) });

/** The data of a document that must succeed. */
async function dataOf(query: string, variables: object = {}, as: string | undefined = ada.session): Promise<any> {
  const { body } = await send(query, variables, as);
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data;
}

/** Status, code and sentence that a document is refused with. */
async function refusalOf(query: string, variables: object = {}): Promise<unknown[]> {
  const { status, body } = await send(query, variables);
  return [status, body.errors[0].extensions.code, body.errors[0].message];
}

describe('every mutation of the last release', () => {
  const released = buildSchema(readFileSync(new URL('../../schema/released.graphql', import.meta.url), 'utf8'));
  const earlier = Object.values(released.getMutationType()?.getFields() ?? {});

  /** Something of the type, as a document has it. */
  function literalOf(type: GraphQLInputType): string {
    const inner = getNullableType(type);
    if (isListType(inner)) return `[${literalOf(inner.ofType)}]`;
    if (isInputObjectType(inner)) {
      const required = Object.values(inner.getFields()).filter(isRequiredInputField);
      return `{ ${required.map((field) => `${field.name}: ${literalOf(field.type)}`).join(', ')} }`;
    }
    if (isEnumType(inner)) return inner.getValues()[0]?.name ?? '';
    return { Boolean: 'true', Int: '1', Float: '1', Credits: '1', EpochMillis: '1' }[inner.name] ?? '"x"';
  }

  test('is read as today’s schema has it, with values and with variables', async () => {
    const schema = await createSchema();
    const today = schema.getMutationType()?.getFields() ?? {};
    const moved: string[] = [];
    for (const { name, args } of earlier) {
      const field = today[name];
      // Gone since, which the changelog says.
      if (!field) continue;
      const input = getNullableType(field.args[0]?.type);
      const fields = isInputObjectType(input) ? input.getFields() : {};
      const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
      // What the client declares is of the release, and so are texts where today's enumerations are.
      const literal = (given: { name: string; type: GraphQLInputType }): string => {
        const now = getNamedType(fields[given.name]?.type);
        return isEnumType(now) ? `"${literalOf(now)}"` : literalOf(given.type);
      };
      const values = args.map((each) => `${each.name}: ${literal(each)}`).join(', ');
      const declared = args.map((each) => `$v_${each.name}: ${each.type}`).join(', ');
      const handed = args.map((each) => `${each.name}: $v_${each.name}`).join(', ');
      const required = args.filter(({ type }) => isNonNullType(type));
      const least = required.map((each) => `${each.name}: ${literal(each)}`).join(', ');
      for (const document of [
        `mutation { ${name}${values && `(${values})`}${selection} }`,
        `mutation { ${name}${least && `(${least})`}${selection} }`,
        `mutation${declared && `(${declared})`} { ${name}${handed && `(${handed})`}${selection} }`,
      ]) {
        const parsed = parse(document);
        const read = inTodaysForm(schema, parsed);
        expect([document, validate(schema, read, [...specifiedRules, validBesideInput])]).toEqual([document, []]);
        if (read !== parsed && !moved.includes(name)) moved.push(name);
      }
    }
    const onlyInput = earlier.filter(({ args }) => args.every(({ name }) => name === 'input')).map(({ name }) => name);
    const rest = earlier.filter(({ name }) => today[name] && !onlyInput.includes(name)).map(({ name }) => name);
    expect(moved).toEqual(rest);
    expect(moved.length).toBeGreaterThan(40);
  });

  test('and every query, as far as it has its arguments today, declares what it did', async () => {
    const schema = await createSchema();
    const queries = schema.getQueryType()?.getFields() ?? {};
    for (const { name, args } of Object.values(released.getQueryType()?.getFields() ?? {})) {
      const field = queries[name];
      const known = args.filter((each) => field?.args.some((arg) => arg.name === each.name));
      // Lists answer, and are asked, otherwise since.
      if (!field || known.length === 0 || getNamedType(field.type).name.endsWith('Connection')) continue;
      const declared = known.map((each) => `$${each.name}: ${each.type}`).join(', ');
      const handed = known.map((each) => `${each.name}: $${each.name}`).join(', ');
      const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
      const document = `query(${declared}) { ${name}(${handed})${selection} }`;
      expect([document, validate(schema, inTodaysForm(schema, parse(document)))]).toEqual([document, []]);
    }
  });

  test('takes one input today, or nothing', async () => {
    const schema = await createSchema();
    const odd = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
      ({ args }) => args.length > 0 && (args.length > 1 || args[0]?.name !== 'input' || !isNonNullType(args[0].type)),
    );
    // It took nothing, and its input has a key alone.
    expect(odd.map(({ name }) => name)).toEqual(['createUpload']);
  });
});

describe('a document of many operations that have one long chain of fragments', () => {
  const many = (length: number, text: (i: number) => string) => Array.from({ length }, (_, i) => text(i)).join(' ');
  const chain = (length: number, end: string) =>
    `${many(length, (i) => `fragment F${i} on Mutation { ...F${i + 1} }`)} fragment F${length} on Mutation { ${end} }`;

  test.each([
    [
      'a value that is moved',
      `${many(120, (i) => `mutation O${i} { ...F0 }`)} ${chain(90, 'cancelVideo(generationId: "x") { generationId }')}`,
    ],
    [
      'a variable that is completed',
      `${many(60, (i) => `mutation O${i}($input: UpdateAvatarInput!, $id: ID!) { ...F0 }`)}
        ${chain(90, 'updateAvatar(avatarId: $id, input: $input) { id }')}`,
    ],
  ])('is walked through as often as one that has them once: %s', async (_, text) => {
    const schema = await createSchema();
    const document = parse(text);
    let spreads = 0;
    let reads = 0;
    visit(document, {
      FragmentSpread(node) {
        const { name } = node;
        spreads += 1;
        const get = () => {
          reads += 1;
          return name;
        };
        Object.defineProperty(node, 'name', { enumerable: true, get });
      },
    });
    expect(inTodaysForm(schema, document)).not.toBe(document);
    expect(spreads).toBeGreaterThan(140);
    // Some walks; for each operation it would be a hundred.
    expect(reads / spreads).toBeLessThan(20);
  });
});

test('whose password is guessed at is known however it is written', () => {
  const guessedAt = (text: string, variables: Record<string, unknown> = {}) =>
    guardedOf(parse(text), undefined).map((guarded) => guarded.subject(variables));
  const [email, password] = ['a@example.com', 'x'];
  for (const [text, variables] of [
    ['mutation { signIn(input: { email: "a@example.com", password: "x" }) { idToken } }'],
    ['mutation($e: String!) { signIn(input: { email: $e, password: "x" }) { idToken } }', { e: email }],
    ['mutation($input: SignInInput!) { signIn(input: $input) { idToken } }', { input: { email, password } }],
    ['mutation($i: SignInInput! = { email: "a@example.com", password: "x" }) { signIn(input: $i) { idToken } }'],
  ] as const)
    expect([text, guessedAt(text, variables)]).toEqual([text, [email]]);
  expect(guessedAt('mutation($input: SignInInput!) { signIn(input: $input) { idToken } }')).toEqual([undefined]);
});

describe('over HTTP', () => {
  test('accounts, credits, tribes, keys: arguments one by one', async () => {
    const signUp = `mutation($email: String!) { signUp(email: $email, password: "correct horse", displayName: "Bo") {
      idToken user { userId displayName } } }`;
    const { user } = (await dataOf(signUp, { email: 'bo@example.com' }, '')).signUp;
    expect(user.displayName).toBe('Bo');
    const again = await dataOf(
      'mutation($e: String!, $p: String!) { signIn(email: $e, password: $p) { user { userId } } }',
      { e: 'bo@example.com', p: 'correct horse' },
      '',
    );
    expect(again.signIn.user.userId).toBe(user.userId);
    const operator = await t.operator();
    const granted = await dataOf(
      'mutation($to: ID!, $by: ID) { grantCredits(userId: $to, amount: 2.5, lockedToCreatorUserId: $by) { available locked { creatorUserId } } }',
      { to: user.userId, by: ada.userId },
      operator,
    );
    expect(granted.grantCredits).toEqual({ available: 7.5, locked: [{ creatorUserId: ada.userId }] });
    const link = `mutation { linkStreamAccount(streamUsername: "ada_live", userId: "${ada.userId}") { streamUsername } }`;
    const linked = await dataOf(link, {}, operator);
    expect(linked.linkStreamAccount.streamUsername).toBe('ada_live');
    const subscribed = `mutation($member: ID!) { setStreamSubscription(creatorUserId: "${ada.userId}", memberUserId: $member, active: true) }`;
    expect((await dataOf(subscribed, { member: user.userId }, operator)).setStreamSubscription).toBe(true);
    const tribe = 'mutation { updateTribe(tribeName: "Ours", joinCost: 2) { tribeName joinCost } }';
    expect((await dataOf(tribe)).updateTribe).toEqual({ tribeName: 'Ours', joinCost: 2 });
    const key = 'mutation($scopes: [String!]) { createApiKey(name: "CI", scopes: $scopes) { name scopes } }';
    expect((await dataOf(key, { scopes: ['generate'] })).createApiKey).toEqual({ name: 'CI', scopes: ['generate'] });
    // Nothing was given, and nothing was asked for.
    expect(await dataOf('mutation { resendVerification }')).toEqual({ resendVerification: false });
  });

  test('texts where enumerations and other scalars are by now: as values, variables, defaults, and in lists', async () => {
    const made = `mutation Texts($name: String!, $image: String, $pages: [String!], $mode: String = "speak") {
      avatar: createAvatar(displayName: $name, imageUrl: $image, knowledgeBaseUrls: $pages) { avatarId avatar { knowledgeBaseUrls } }
      spoken: injectTurn(conversationId: "c-none", input: { userText: "Hi", mode: $mode, output: "text" }) { turn { id } }
    }`;
    const pages = ['https://example.com/a'];
    const { data, errors } = (await send(made, { name: 'Vega', pages })).body;
    expect([errors.length, errors[0].extensions.code, errors[0].path]).toEqual([1, 'NOT_FOUND', ['spoken']]);
    const query = `query Texts($kind: String, $language: String!) {
      ledgerEntries(kind: $kind) { nodes { id } }
      translatedCaption(turnId: "t-none", language: $language) { text }
    }`;
    expect(data).toBeNull();
    expect((await send(query, { kind: 'turn', language: 'de' })).body.data).toEqual({
      ledgerEntries: { nodes: [] },
      translatedCaption: null,
    });
    // A value that there is none of, and a variable for places of two types.
    expect((await send(query, { kind: 'tea', language: 'de' })).body.errors[0].extensions).toMatchObject({
      code: 'BAD_INPUT',
      field: 'kind',
    });
    const two =
      'query($text: String!) { ledgerEntries(kind: $text) { nodes { id } } speechCard(slug: $text) { text } }';
    expect(await refusalOf(two, { text: 'turn' })).toEqual([
      400,
      'GRAPHQL_VALIDATION_FAILED',
      'Variable "$text" of type "String!" used in position expecting type "LedgerKind".',
    ]);
    const noted = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'operation with earlier types');
    expect(noted.filter(({ operation }) => operation === 'Texts')).toEqual([expect.objectContaining({ level: 30 })]);
  });

  describe('texts that operations of one document name alike are each of their own type', () => {
    // What is asked for is not there, which is known once the document was read.
    const codeOf = async (query: string, variables: object, operationName: string): Promise<unknown[]> => {
      const { status, body } = await send(query, variables, ada.session, { operationName });
      return [status, body.errors?.[0].extensions.code];
    };
    const variables = { g: 'v-none', v: 'public' };

    test('of a mutation and a query', async () => {
      const query = `mutation SetVis($v: String!, $g: ID!) { setVideoVisibility(generationId: $g, visibility: $v) { generationId } }
        query Shared($v: String!) { sharedVideo(slug: $v) { isOwner } }`;
      expect(await codeOf(query, variables, 'SetVis')).toEqual([200, 'NOT_FOUND']);
      expect((await send(query, { v: 'v-none' }, ada.session, { operationName: 'Shared' })).status).toBe(200);
    });

    test('of two enumerations, and of two declarations', async () => {
      const query = `query Cap($language: String!) { translatedCaption(turnId: "t-none", language: $language) { text } }
        mutation Speak($output: String, $language: String) {
          speak(avatarId: "a-none", text: "Hi", output: $output, language: $language) { generationId } }
        mutation Say($output: String) { injectTurn(conversationId: "c-none", userText: "Hi", output: $output) { turn { id } } }
        mutation SayToday($output: TurnOutput) {
          injectTurn(input: { conversationId: "c-none", userText: "Hi", output: $output }) { turn { id } } }`;
      expect(await codeOf(query, { language: 'de' }, 'Cap')).toEqual([200, 'NOT_FOUND']);
      expect(await codeOf(query, { output: 'audio', language: 'de' }, 'Speak')).toEqual([200, 'NOT_FOUND']);
      expect(await codeOf(query, { output: 'text' }, 'Say')).toEqual([200, 'NOT_FOUND']);
      expect(await codeOf(query, { output: 'text' }, 'SayToday')).toEqual([200, 'NOT_FOUND']);
      expect(await codeOf(query, { output: 'tea' }, 'Say')).toEqual([400, 'BAD_INPUT']);
    });

    test('of a fragment that both have, within another one', async () => {
      const query = `mutation Earlier($v: String!, $g: ID!) { ...Outer }
        mutation Todays($v: Visibility!, $g: ID!) { ...Outer }
        query Shared($v: String!) { sharedVideo(slug: $v) { isOwner } }
        fragment Outer on Mutation { ...Inner }
        fragment Inner on Mutation { setVideoVisibility(generationId: $g, visibility: $v) { generationId } }`;
      expect(await codeOf(query, variables, 'Earlier')).toEqual([200, 'NOT_FOUND']);
      expect(await codeOf(query, variables, 'Todays')).toEqual([200, 'NOT_FOUND']);
    });

    test('but one of two places within an operation, through its fragment, stays a text', async () => {
      const query = `mutation Two($o: String) { ...Say speak(avatarId: "a-none", text: "Hi", output: $o) { generationId } }
        mutation One($o: String) { ...Say }
        fragment Say on Mutation { injectTurn(conversationId: "c-none", userText: "Hi", output: $o) { turn { id } } }`;
      expect(await codeOf(query, { o: 'text' }, 'One')).toEqual([400, 'GRAPHQL_VALIDATION_FAILED']);
      const one = query.replace(/mutation Two.*\n/, '');
      expect(await codeOf(one, { o: 'text' }, 'One')).toEqual([200, 'NOT_FOUND']);
    });
  });

  test('avatars and turns: an id beside the input, a value or a variable, and the key beside both', async () => {
    const create =
      'mutation($input: CreateAvatarInput!, $key: String) { createAvatar(input: $input, idempotencyKey: $key) { avatarId } }';
    const variables = { input: { displayName: 'Rigel' }, key: 'rigel' };
    const made = (await dataOf(create, variables)).createAvatar.avatarId;
    expect((await dataOf(create, variables)).createAvatar.avatarId).toBe(made);
    const updates = `mutation($id: ID!, $input: UpdateAvatarInput!) {
      updateAvatar(avatarId: $id, input: $input) { personalityPrompt } }`;
    const changed = await dataOf(updates, { id: made, input: { personalityPrompt: 'A star.' } });
    expect(changed.updateAvatar).toEqual({ personalityPrompt: 'A star.' });
    const voice = `mutation { createCustomVoice(avatarId: "${made}", name: "Low", baseVoiceId: "aria", pitch: -2) { name } }`;
    const { data, errors } = (await send(voice)).body;
    expect(data?.createCustomVoice?.name ?? errors[0].extensions.field).toMatch(/^(Low|baseVoiceId)$/);
    const system = `mutation { selectBrainSystem(avatarId: "${made}", system: "managed") { brainSystem } }`;
    expect((await dataOf(system)).selectBrainSystem.brainSystem).toBe('managed');
    expect(await refusalOf(`mutation { addAvatarImage(avatarId: "${made}", imageUrl: "nowhere") { url } }`)).toEqual([
      200,
      'BAD_INPUT',
      'imageUrl must be an http or https address.',
    ]);
    const begin = `mutation($owner: ID!) { createConversation(avatarId: "${avatarId}", avatarOwnerUserId: $owner) { conversationId } }`;
    const { conversationId } = (await dataOf(begin, { owner: ada.userId })).createConversation;
    // One value for two turns, in a fragment and with an id of each.
    const both = `mutation Both($a: ID!, $input: InjectTurnInput!) { ...Turns }
      fragment Turns on Mutation {
        a: injectTurn(conversationId: $a, input: $input, idempotencyKey: "a") { turn { id } }
        b: injectTurn(conversationId: "${conversationId}", input: $input, idempotencyKey: "b") { turn { id } }
      }`;
    const said = { a: conversationId, input: { userText: 'Hello', output: 'text' } };
    const { a, b } = await dataOf(both, said);
    expect(a.turn.id).not.toBe(b.turn.id);
    expect(await dataOf(both, said)).toEqual({ a, b });
    // The same turn, as it is asked for today.
    const todays = 'mutation($input: InjectTurnInput!) { injectTurn(input: $input) { turn { id } } }';
    const input = { ...said.input, conversationId, idempotencyKey: 'a' };
    expect((await dataOf(todays, { input })).injectTurn.turn.id).toBe(a.turn.id);
  });

  describe('beside an input that is a variable', () => {
    const turn = (declared: string, given: string) =>
      `mutation(${declared}) { injectTurn(${given}, input: $input) { turn { id } } }`;
    const INPUT = '$input: InjectTurnInput!';
    const variables = { a: 'x', nope: 'x', input: { userText: 'Hello', output: 'text' } };

    test.each([
      ['a variable that is not declared', INPUT, 'conversationId: $nope', 'Variable "$nope" is not defined.'],
      [
        'a variable of another type',
        `$a: Int!, ${INPUT}`,
        'conversationId: $a',
        'Variable "$a" of type "Int!" used in position expecting type "ID!".',
      ],
      [
        'a variable that may be null',
        `$a: ID, ${INPUT}`,
        'conversationId: $a',
        'Variable "$a" of type "ID" used in position expecting type "ID!".',
      ],
      [
        'a value of another kind',
        INPUT,
        'conversationId: FOO',
        'ID cannot represent a non-string and non-integer value: FOO',
      ],
      [
        'the same twice',
        `$a: ID!, ${INPUT}`,
        'conversationId: $a, conversationId: "b"',
        'There can be only one argument named "conversationId".',
      ],
    ])('%s is refused as everywhere', async (_, declared, given, message) => {
      const { status, body } = await send(turn(declared, given), variables);
      const said = body.errors.map((error: any) => [error.extensions.code, error.message]);
      expect([status, said]).toEqual([400, [['GRAPHQL_VALIDATION_FAILED', message]]]);
      const inFragment = `mutation(${declared}) { ...F } fragment F on Mutation { injectTurn(${given}, input: $input) { turn { id } } }`;
      const again = await send(inFragment, variables);
      expect([again.status, again.body.errors.map((error: any) => error.message)]).toEqual([400, [message]]);
    });

    test('a null that the document allows and its place does not is bad input', async () => {
      const query = turn(`$a: ID = "x", ${INPUT}`, 'conversationId: $a');
      const message = 'conversationId must not be null.';
      expect(await refusalOf(query, { ...variables, a: null })).toEqual([400, 'BAD_INPUT', message]);
    });

    test('what is wrong in a value that two mutations take is reported once, by its own name', async () => {
      const both = `mutation(${INPUT}) {
        a: injectTurn(conversationId: "a", input: $input) { turn { id } }
        b: injectTurn(conversationId: "b", input: $input) { turn { id } }
      }`;
      for (const [userText, sentence] of [
        ['\0', 'userText has characters that are not text.'],
        [5, 'userText must be a string.'],
      ]) {
        const { body } = await send(both, { input: { userText } });
        expect(body.errors.map(({ message, extensions }: any) => [message, extensions.field])).toEqual([
          [sentence, 'userText'],
        ]);
      }
    });
  });

  const NULLABLE = '$a: ID = "x"';
  test.each([
    ['as an argument', `mutation(${NULLABLE}) { injectTurn(conversationId: $a, userText: "Hi") { turn { id } } }`],
    [
      'in an input',
      `mutation(${NULLABLE}) { injectTurn(input: { conversationId: $a, userText: "Hi" }) { turn { id } } }`,
    ],
    [
      'in a fragment',
      `mutation(${NULLABLE}) { ...F }
        fragment F on Mutation { injectTurn(input: { conversationId: $a, userText: "Hi" }) { turn { id } } }`,
    ],
    ['in a query', `query(${NULLABLE}) { conversation(conversationId: $a) { shareSlug } }`],
  ])('a null that the document allows and its place does not is bad input: %s', async (_, query) => {
    const { status, body } = await send(query, { a: null });
    const { message, extensions } = body.errors[0];
    expect([status, body.errors.length, extensions.code, extensions.field, message]).toEqual([
      400,
      1,
      'BAD_INPUT',
      'conversationId',
      'conversationId must not be null.',
    ]);
    // Where it is left out, nothing is wrong with it.
    const leftOut = query.replace(/(injectTurn|conversation)\((.*)\) \{/, '$1($2) @skip(if: true) {');
    expect((await send(leftOut, { a: null })).body.errors ?? []).toEqual([]);
  });

  test('of a fragment that is spread twice, a null is wrong unless both are left out', async () => {
    const query = `query(${NULLABLE}, $one: Boolean!, $both: Boolean!) { ...F @skip(if: $one) ...G @skip(if: $both) ...F @skip(if: $both) }
      fragment G on Query { __typename }
      fragment F on Query { conversation(conversationId: $a) { id } }`;
    const said = async (one: boolean, both: boolean): Promise<string[] | undefined> =>
      (await send(query, { a: null, one, both })).body.errors?.map(({ message }: any) => message);
    const REFUSED = ['conversationId must not be null.'];
    expect([await said(false, true), await said(true, false), await said(false, false)]).toEqual([
      REFUSED,
      REFUSED,
      REFUSED,
    ]);
    expect(await said(true, true)).toBeUndefined();
  });

  test('is refused in the words of the document', async () => {
    const INVALID = [400, 'GRAPHQL_VALIDATION_FAILED'];
    expect(await refusalOf('mutation { signIn(email: "a@example.com") { idToken } }')).toEqual([
      ...INVALID,
      'Field "signIn" argument "password" of type "String!" is required, but it was not provided.',
    ]);
    expect(await refusalOf('mutation { signIn(email: "a", pasword: "b", password: "c") { idToken } }')).toEqual([
      ...INVALID,
      'Unknown argument "pasword" on field "Mutation.signIn". Did you mean "password"?',
    ]);
    expect(await refusalOf('mutation { signIn(email: 5, password: "b") { idToken } }')).toEqual([
      ...INVALID,
      'String cannot represent a non string value: 5',
    ]);
    expect(await refusalOf('mutation($e: String) { signIn(email: $e, password: "b") { idToken } }')).toEqual([
      ...INVALID,
      'Variable "$e" of type "String" used in position expecting type "String!".',
    ]);
    const UPDATE =
      'mutation($id: ID!, $input: UpdateAvatarInput!) { updateAvatar(avatarId: $id, input: $input) { id } }';
    expect(await refusalOf(UPDATE, { input: {} })).toEqual([400, 'BAD_INPUT', 'id is required.']);
    expect(await refusalOf(UPDATE, { id: avatarId })).toEqual([400, 'BAD_INPUT', 'input is required.']);
    expect(await refusalOf(UPDATE, { id: avatarId, input: { displayName: 5 } })).toEqual([
      400,
      'BAD_INPUT',
      'displayName must be a string.',
    ]);
    expect(await refusalOf(UPDATE, { id: avatarId, input: { avatarId, displayName: 'Nova' } })).toEqual([
      400,
      'BAD_INPUT',
      'avatarId is given twice: beside input and in it.',
    ]);
    const twice = `mutation { updateAvatar(avatarId: "${avatarId}", input: { avatarId: "${avatarId}" }) { id } }`;
    expect((await refusalOf(twice)).slice(0, 2)).toEqual(INVALID);
    expect(await refusalOf(UPDATE.replace('$id: ID!', '$id: ID!, $other: Int'), { id: avatarId, input: {} })).toEqual([
      ...INVALID,
      'Variable "$other" is never used.',
    ]);
  });

  test('as a persisted query and as a stream of events; the log has each operation once', async () => {
    const query = 'mutation Persisted($name: String) { updateProfile(displayName: $name) { displayName } }';
    const sha256Hash = createHash('sha256').update(query).digest('hex');
    const extensions = { persistedQuery: { version: 1, sha256Hash } };
    const variables = { name: 'Ada L.' };
    const first = await t.rest('POST', '/graphql', { as: ada.session, body: { query, variables, extensions } });
    const next = await t.rest('POST', '/graphql', { as: ada.session, body: { variables, extensions } });
    expect([first.body, next.body]).toEqual(Array(2).fill({ data: { updateProfile: { displayName: 'Ada L.' } } }));
    const client = createClient({
      url: `${t.url}/graphql`,
      headers: { authorization: `Bearer ${ada.session}` },
      retryAttempts: 0,
    });
    const results = [];
    for await (const result of client.iterate({ query, variables })) results.push(result);
    client.dispose();
    expect(results).toEqual([first.body]);
    const noted = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'mutation with earlier arguments');
    const mine = noted.filter(({ operation }) => operation === 'Persisted');
    expect(mine).toEqual([expect.objectContaining({ level: 30, field: 'updateProfile' })]);
  });
});
