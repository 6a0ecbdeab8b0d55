/** POST /videos/generate by who cannot pay. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { at, closeVideos, generate, openVideos, t, usualEngine } from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

test('who cannot pay hears both amounts, and nothing of the request is kept', async () => {
  const poor = await t.person('Poor', 0.1);
  const { status, body } = await generate({ prompt: 'x', image: at('/face.png'), duration: 5 }, poor.apiKey);
  expect([status, body]).toEqual([402, expect.objectContaining({ requiredCredits: 0.125, availableCredits: 0.1 })]);
  expect((await t.app.db.rows('select 1 from video_generation where user_id = $1', [poor.userId])).length).toBe(0);
});

test('who cannot pay what it costs at least is refused before anything is fetched', async () => {
  const poor = await t.person('Poor', 0);
  const body = { prompt: 'Make it grey', srcVideo: at('/gone.mp4') };
  const refused = await t.rest('POST', '/videos/generate', { as: poor.apiKey, body });
  expect([refused.status, refused.body.availableCredits]).toEqual([402, 0]);
  // With credits the address is asked, and is not there.
  const rich = await t.person('Rich', 1);
  const asked = await t.rest('POST', '/videos/generate', { as: rich.apiKey, body });
  expect([asked.status, asked.body.error]).toEqual([400, expect.stringMatching(/^srcVideo /)]);
});
