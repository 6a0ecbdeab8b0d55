/** What holds of the graph as a whole: how scalars are written, what refuses what charges, what is left out of a list's arguments. */
import { beforeAll, expect, test } from '@jest/globals';
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { createSchema } from '../../resolvers/schema.ts';
import { ROUTES } from '../../rest-compat/routes/index.ts';

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await createSchema();
});

test('every scalar says how it is written', () => {
  const own = Object.values(schema.getTypeMap()).filter((type) => isScalarType(type) && !isSpecifiedScalarType(type));
  expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['URL', 'Scope', 'AspectRatio', 'SafeInt']));
  const silent = own.filter((type) => !(isScalarType(type) && URL.canParse(type.specifiedByURL ?? '')));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

const takesKey = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ type }) => {
    const input = getNamedType(type);
    return isInputObjectType(input) && 'idempotencyKey' in input.getFields();
  });

/** What takes a key because it makes something, without charging for it. */
const FREE = [
  'addAvatarImage',
  'createAccessLink',
  'createApiKey',
  'createAvatar',
  'createAvatarFolder',
  'createConversation',
  'createCustomVoice',
  'createUpload',
  'createWebhookEndpoint',
  'drawPortrait',
  'grantCredits',
  'registerOAuthClient',
  'rotateClientSecret',
  'rotateWebhookSecret',
  'saveMemory',
  'testWebhookEndpoint',
];

/** What adds something and takes no key, and why it need not. */
const WITHOUT_KEY: Record<string, string> = {
  approveAuthorization: 'another code is as good; each works once, for five minutes',
  beginVisit: 'a visitor has one conversation with an avatar, and may be nobody who has an account',
  exportAccount: 'what is being made is the answer',
  oauthRegister: 'nobody is known whose key it would be',
  oauthToken: 'a code works once',
  pushAuthorization: 'nobody is known whose key it would be',
  signIn: 'another session is as good',
  signUp: 'an address has one account',
  startStreamLink: 'another address is as good',
  trainAvatar: 'what is queued is the answer',
  transcribe: 'nothing is kept',
  transcribeForAvatar: 'nothing is kept',
  tryPersona: 'nothing is kept',
};
/** Mutations that change, end or send what is there: twice is once. */
const CHANGES =
  /^(?:cancel|change|confirmEmail|delete|finish|forget|interrupt|link|oauthRevoke|pin|rename|request|resend|reset|retry|revoke|select|set|signOut|update|verify)/;

test('every mutation that makes something takes a key, but for a short list', () => {
  const left = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
    (field) => !CHANGES.test(field.name) && !takesKey(field),
  );
  expect(left.map(({ name }) => name).sort()).toEqual(Object.keys(WITHOUT_KEY));
});

test('a path takes an Idempotency-Key where its mutation takes one', () => {
  const mutations = schema.getMutationType()?.getFields() ?? {};
  const odd = ROUTES.filter(({ oauth, operation, idempotent = false }) => {
    const [, name = ''] = /^mutation[^{]*\{\s*(?:\w+: )?(\w+)/.exec(operation) ?? [];
    return !oauth && mutations[name] !== undefined && takesKey(mutations[name]) !== idempotent;
  });
  expect(odd.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test('every mutation that charges says what refuses it, with the amounts', () => {
  const charging = Object.values(schema.getMutationType()?.getFields() ?? {})
    .filter(takesKey)
    .filter(({ name }) => !FREE.includes(name));
  expect(charging.length).toBeGreaterThan(8);
  const silent = charging.filter(
    ({ description }) =>
      !/Refused.*INSUFFICIENT_(?:CREDITS|TRANSFERABLE|BALANCE) \((?:`\w+`, `\w+`|no amounts)/s.test(description ?? ''),
  );
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('of the size of a page one argument has a default, unless the list is whole', () => {
  const sized = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.values(type.getFields()).filter(({ args }) => args.some(({ name }) => name === 'first'))
      : [],
  );
  expect(sized.length).toBeGreaterThan(30);
  const defaults = sized.map(({ name, args }) => {
    const of = (argument: string): unknown => args.find((each) => each.name === argument)?.defaultValue;
    return [name, [of('first'), of('last')].filter((size) => size !== undefined)];
  });
  const whole = defaults.filter(([, sizes]) => sizes?.length === 0).map(([name]) => String(name));
  expect([...new Set(whole)].sort()).toEqual(
    ['apiKeys', 'avatarFolders', 'avatars', 'images', 'oauthClients', 'sessions', 'voices', 'webhookEndpoints'].sort(),
  );
  expect(defaults.filter(([name, sizes]) => !whole.includes(String(name)) && String(sizes) !== '20')).toEqual([]);
});
