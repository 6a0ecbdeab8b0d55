/** What of the graph breaks documents of its clients is found, unless the changelog names it. */
import { expect, test } from '@jest/globals';
// @ts-expect-error a script without types
import { unannounced } from '../../scripts/graph-changes.mjs';

const BEFORE = 'type Query { old(id: ID): Int kept: Int! } type Gone { id: ID } union All = Gone | Query';
const AFTER = 'type Query { old: Int kept: String! added: Int }';

test.each([
  ['', ['Gone', 'All', 'Query.kept', 'Query.old.id']],
  ['`Query.old` has no argument, `All` and `Gone` are gone.', ['Query.kept']],
  ['`Query` and `Query.old.id` are other, Query.kept as well.', ['Gone', 'All', 'Query.kept']],
  ['`All`, `Gone`, `Query.kept`, `Query.old`', []],
])('%s', async (text, missing) => {
  const found = await unannounced(BEFORE, AFTER, text);
  expect(found.map(({ at }: { at: string }) => at).sort()).toEqual(missing.sort());
});
