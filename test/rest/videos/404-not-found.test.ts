/** Avatars and videos that are not the caller’s are not there. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeClient, tokenFor } from '../../support/oauth.ts';
import {
  ada,
  closeVideos,
  generate,
  made,
  make,
  nova,
  openVideos,
  read,
  t,
  usualEngine,
} from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

test.each<[string, () => object]>([
  ['an unknown avatar', () => ({ avatarId: 'avt_none' })],
  ['an unknown avatar to feature', () => ({ avatarIds: ['avt_none'] })],
  ['another user’s avatar', () => ({ avatarId: foreign.avatarId })],
])('%s is a 404', async (_, body) => {
  foreign ??= await make('Foreign', 'noop', await t.person('Bob'));
  expect((await generate({ prompt: 'x', ...body() })).status).toBe(404);
});

let foreign: any;

test('its maker polls it; others and other apps do not', async () => {
  const { generationId } = await made({ prompt: 'x' });
  const bob = await t.person('Bob');
  expect((await read(generationId, bob.apiKey)).status).toBe(404);
  expect((await read('vid_none')).status).toBe(404);
  const token = await tokenFor(t, ada, nova.avatarId, await makeClient(t, ada, { scopes: ['generate'] }), 'generate');
  expect((await read(generationId, token)).status).toBe(404);
  const own = await generate({ prompt: 'x' }, token);
  expect((await read(own.body.generationId, token)).status).toBe(200);
  expect((await read(own.body.generationId)).status).toBe(200);
});
