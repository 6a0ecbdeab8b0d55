/** A gift is its sender’s, and of the app that proposed it: all others are refused. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { expectSoundLedger } from '../../support/credits.ts';
import {
  ada,
  bob,
  cancel,
  closeGifts,
  confirm,
  newGift,
  openGifts,
  otherToken,
  read,
  t,
  token,
} from '../../support/gifts.ts';

beforeAll(openGifts);
afterEach(() => expectSoundLedger(t.app.db));
afterAll(closeGifts);

test('is for the sender, and for no other app than the one that proposed', async () => {
  const [own, proposed] = [await newGift(), await newGift(token)];
  expect((await read(own, ada.apiKey)).status).toBe(200);
  expect((await read(proposed, token)).status).toBe(200);
  for (const [id, as] of [
    [own, bob.apiKey],
    [own, token],
    [proposed, otherToken],
  ] as const) {
    expect((await read(id, as)).status).toBe(403);
  }
  expect((await read('gft_none', ada.apiKey)).status).toBe(404);
});

test('only a session of the sender may: 403 for keys, tokens and others, 401 without a credential, 404 unknown', async () => {
  const id = await newGift(token);
  for (const as of [ada.apiKey, token, bob.session]) expect((await confirm(id, as)).status).toBe(403);
  expect((await t.rest('POST', `/donations/intents/${id}/confirm`)).status).toBe(401);
  expect((await confirm('gft_none', ada.session)).status).toBe(404);
  expect((await read(id, token)).body.status).toBe('pending');
});

test('403 for others and other apps, 404 unknown', async () => {
  const [own, proposed] = [await newGift(), await newGift(token)];
  expect((await cancel(own, bob.apiKey)).status).toBe(403);
  expect((await cancel(own, token)).status).toBe(403);
  expect((await cancel(proposed, otherToken)).status).toBe(403);
  expect((await cancel('gft_none', ada.apiKey)).status).toBe(404);
  expect((await read(proposed, token)).body.status).toBe('pending');
});
