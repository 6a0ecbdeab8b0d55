/** A gift whose ten minutes are over. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectSoundLedger } from '../../support/credits.ts';
import {
  ada,
  cancel,
  closeGifts,
  confirm,
  newGift,
  openGifts,
  read,
  runOut,
  t,
  transferable,
} from '../../support/gifts.ts';

beforeAll(openGifts);
afterEach(() => expectSoundLedger(t.app.db));
afterAll(closeGifts);

test('shows that it expired, before any cleanup ran', async () => {
  const id = await newGift();
  await runOut(id);
  expect((await read(id, ada.apiKey)).body.status).toBe('expired');
});

test('410 once it ran out, also when the session waited in line; 409 once cancelled; nothing moves', async () => {
  const before = await transferable(ada);
  const [late, dropped] = [await newGift(), await newGift()];
  await runOut(late);
  await cancel(dropped, ada.apiKey);
  expect((await confirm(late, ada.session)).status).toBe(410);
  expect((await confirm(dropped, ada.session)).status).toBe(409);
  expect(await transferable(ada)).toBe(before);
});
