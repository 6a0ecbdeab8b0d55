/** What a document can be answered with is bounded before it runs: edges lead round in circles, and lists multiply. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { MAX_OBJECTS, objectsOf } from '../../resolvers/answer-size.ts';
import { openTestApp, type TestApp, type TestUser } from '../support/app.ts';

let t: TestApp;
let ada: TestUser;

beforeAll(async () => {
  t = await openTestApp();
  ada = await t.person('Ada');
});
afterAll(() => t.close());

/** Avatars, whose owners have avatars, so many times. */
const circle = (times: number): string =>
  `{ publicAvatars { nodes { ${'owner { avatars { nodes { '.repeat(times)} avatarId ${'} } }'.repeat(times)} } } }`;

const COUNTED: [string, string, number][] = [
  ['a value', '{ canTranscribe }', 0],
  ['one thing', '{ me { displayName balance { available } } }', 2],
  ['a list that says how many', '{ conversations(first: 7) { nodes { id } } }', 7],
  ['from its end', '{ conversations(last: 7) { nodes { id } } }', 7],
  ['by both sizes: the larger', '{ conversations(first: 20, last: 100) { nodes { id } } }', 100],
  ['by both sizes, the other way round', '{ conversations(last: 3, first: 20) { nodes { id } } }', 20],
  ['by its edges', '{ conversations(first: 7) { edges { cursor node { id } } } }', 7],
  [
    'by both, with its page',
    '{ conversations(first: 7) { edges { node { id } } nodes { id } pageInfo { endCursor } } }',
    15,
  ],
  ['its page alone', '{ conversations(first: 7) { pageInfo { endCursor } } }', 1],
  ['a list within a list', '{ conversations(first: 7) { nodes { turns(last: 3) { nodes { id } } } } }', 7 + 21],
  [
    'within edges',
    '{ conversations(first: 7) { edges { node { turns(last: 3) { edges { node { id } } } } } } }',
    7 + 21,
  ],
  ['a list by a variable: as many as any has', 'query($n: Int!) { conversations(first: $n) { nodes { id } } }', 100],
  ['by a variable that may be null: all of it', 'query($n: Int) { avatars(first: $n) { nodes { id } } }', 1000],
  ['by one with a default, which may be null', 'query($n: Int = 5) { avatars(last: $n) { nodes { id } } }', 1000],
  [
    'by one that is null in another operation',
    'query A($n: Int!) { ...F } query B($n: Int) { ...F } fragment F on Query { avatars(first: $n) { nodes { id } } }',
    1000,
  ],
  ['by null', '{ avatars(first: null) { nodes { id } } }', 1000],
  ['by null, where it has pages', '{ conversations(first: null) { nodes { id } } }', 20],
  ['by one that has a value', 'query($n: Int!) { avatars(first: $n) { nodes { id } } }', 100],
  ['by a number beside what may be null', 'query($n: Int) { avatars(first: 5, last: $n) { nodes { id } } }', 100],
  ['a list that does not say: its page', '{ conversations { nodes { id } } }', 20],
  ['a list that is given whole', '{ avatars { nodes { id } } }', 1000],
  [
    'words of a turn are the turn',
    '{ conversations(first: 2) { nodes { turns(last: 3) { nodes { words { ms } } } } } }',
    2 + 6,
  ],
  [
    'a fragment twice',
    '{ a: avatars(first: 9) { ...A } b: avatars(first: 3) { ...A } } fragment A on AvatarConnection { nodes { owner { id } } }',
    2 * 9 + 2 * 3,
  ],
  ['things by their ids', '{ nodes(ids: ["a", "b"]) { id } }', 2],
  ['things by their ids, as a variable: as many as any has', 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }', 100],
  ['an inline fragment', '{ node(id: "x") { ... on Avatar { images { nodes { url } } } } }', 101],
  ['within a connection', '{ avatars(first: 4) { ... on AvatarConnection { nodes { id } } } }', 4],
  ['the dearer of two operations', 'query A { me { id } } query B { avatars(last: 9) { nodes { id } } }', 9],
];

test.each(COUNTED)('%s', (_name, text, objects) => {
  expect(objectsOf(t.server.executor.schema, parse(text))).toBe(objects);
});

test('a circle is refused from its third round on, over HTTP as over WebSocket, and by a name of its own', async () => {
  expect((await t.graphql(circle(2))).body.errors).toBeUndefined();
  const { status, body } = await t.graphql(circle(3));
  expect([status, body.errors?.[0].message]).toEqual([
    400,
    expect.stringMatching(/^The answer could have \d+ objects; at most 20000\./),
  ]);
  const deep = `query($n: Int!) { conversations(first: $n) { edges { node { turns(last: $n) { nodes { voicedBy { images { nodes { url } } } } } } } } }`;
  expect((await t.graphql(deep, { n: 1 })).status).toBe(400);
  expect(objectsOf(t.server.executor.schema, parse(deep))).toBeGreaterThan(MAX_OBJECTS);
});

test('the default of first, written out beside last, makes no answer look smaller than it may be', async () => {
  const size = 'first: 20, last: 100';
  const text = `{ avatars(${size}) { nodes { conversations(${size}) { nodes { turns(${size}) { nodes { id } } } } } } }`;
  const { status, body } = await t.graphql(text, {}, ada.apiKey);
  expect([status, body.errors?.[0].message]).toEqual([
    400,
    expect.stringMatching(/^The answer could have 1010100 objects; at most 20000\./),
  ]);
});

test('an id of no kind is nothing, whatever JavaScript calls it', async () => {
  const { body } = await t.graphql<any>('{ nodes(ids: ["constructor_1", "toString_1", "__proto__"]) { id } }');
  expect(body).toEqual({ data: { nodes: [null, null, null] } });
});

test('a list costs the same by a number in the document and by a variable, by edges and by nodes', async () => {
  const item = `id title createdAt isPublic avatar { id displayName avatarImageUrl owner { id displayName } }
    lastTurn { id role userText avatarText status audioUrl }`;
  for (const fields of [`edges { cursor node { ${item} } }`, `nodes { ${item} }`]) {
    for (const query of [
      `{ conversations(first: 100) { ${fields} pageInfo { endCursor hasNextPage } } }`,
      `query($n: Int = 100) { conversations(first: $n) { ${fields} pageInfo { endCursor hasNextPage } } }`,
      `{ conversations(first: 100) { ...Page } } fragment Page on ConversationConnection { ${fields} }`,
    ]) {
      const { status, body } = await t.graphql(query, {}, ada.apiKey);
      expect([status, body.errors]).toEqual([200, undefined]);
    }
  }
});
