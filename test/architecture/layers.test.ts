/** Imports go downward only, and in no circle. */
import { expect, test } from '@jest/globals';
// @ts-expect-error: a plain script, shared with `npm run lint`.
import { breaches } from '../../scripts/layers.mjs';

test('every import goes to a layer below, and none in a circle', () => {
  expect(breaches()).toEqual([]);
});
