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

/** What makes something without charging for it. */
const FREE = ['createAvatar', 'createAvatarFolder', 'createConversation'];

test('every mutation that charges says what refuses it, with the amounts', () => {
  const takesKey = ({ args }: GraphQLField<unknown, unknown>): boolean =>
    args.some(({ type }) => {
      const input = getNamedType(type);
      return isInputObjectType(input) && 'idempotencyKey' in input.getFields();
    });
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
