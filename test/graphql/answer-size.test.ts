/** What a document can be answered with is bounded before it runs: edges lead round in circles, and lists multiply. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { MAX_OBJECTS, objectsOf } from '../../resolvers/answer-size.ts';
import { openTestApp, type TestApp } from '../support/app.ts';

let t: TestApp;

beforeAll(async () => {
  t = await openTestApp();
});
afterAll(() => t.close());

/** Avatars, whose owners have avatars, so many times. */
const circle = (times: number): string =>
  `{ publicAvatars { ${'owner { avatars { '.repeat(times)} avatarId ${'} }'.repeat(times)} } }`;

const COUNTED: [string, string, number][] = [
  ['a value', '{ canTranscribe }', 0],
  ['one thing', '{ me { displayName balance { available } } }', 2],
  ['a list that says how many', '{ conversations(first: 7) { id } }', 7],
  ['a list within a list', '{ conversations(first: 7) { turns(limit: 3) { id } } }', 7 + 21],
  ['a list by a variable: as many as any has', 'query($n: Int!) { conversations(first: $n) { id } }', 100],
  ['a list that does not say', '{ avatars { id } }', 100],
  ['words of a turn are the turn', '{ conversations(first: 2) { turns(limit: 3) { words { ms } } } }', 2 + 6],
  ['a fragment twice', '{ a: avatars { ...A } b: avatars { ...A } } fragment A on Avatar { owner { id } }', 400],
  ['an inline fragment', '{ node(id: "x") { ... on Avatar { images { url } } } }', 101],
  ['the dearer of two operations', 'query A { me { id } } query B { avatars { id } }', 100],
];

test.each(COUNTED)('%s', (_name, text, objects) => {
  expect(objectsOf(t.app.executor.schema, parse(text))).toBe(objects);
});

test('a circle is refused from its second round on, over HTTP as over WebSocket, and by a name of its own', async () => {
  expect((await t.graphql(circle(1))).body.errors).toBeUndefined();
  for (const times of [2, 3, 5]) {
    const { status, body } = await t.graphql(circle(times));
    expect([times, status, body.errors?.[0].message]).toEqual([
      times,
      400,
      expect.stringMatching(/^The answer could have \d+ objects; at most 20000\./),
    ]);
  }
  const deep = `query($n: Int!) { conversations(first: $n) { turns(limit: $n) { voicedBy { images { url } } } } }`;
  expect((await t.graphql(deep, { n: 1 })).status).toBe(400);
  expect(objectsOf(t.app.executor.schema, parse(deep))).toBeGreaterThan(MAX_OBJECTS);
});

test('an id of no kind is nothing, whatever JavaScript calls it', async () => {
  const { body } = await t.graphql<any>('{ nodes(ids: ["constructor_1", "toString_1", "__proto__"]) { id } }');
  expect(body).toEqual({ data: { nodes: [null, null, null] } });
});
