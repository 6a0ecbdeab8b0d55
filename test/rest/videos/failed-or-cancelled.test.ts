/** A video that was accepted and ends as an error. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { PlatformError } from '../../../src/kernel/errors.ts';
import { until } from '../../support/until.ts';
import {
  ada,
  at,
  balance,
  closeVideos,
  ended,
  engine,
  generate,
  made,
  openVideos,
  t,
  usual,
  usualEngine,
} from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

test('a video that fails is reported, charges nothing and leaves nothing', async () => {
  const eve = await t.person('Eve', 1);
  engine.render = async function* () {
    yield { progress: 0.5 };
    throw new Error('video: key=hunter2');
  };
  const { body } = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
  const failed = await ended(body.generationId, eve.apiKey);
  expect(failed).toMatchObject({
    status: 'error',
    error: 'The video could not be rendered.',
    videoUrl: null,
    creditCost: 0,
  });
  expect(engine.queries).toHaveLength(3);
  expect(await balance(eve)).toEqual({ available: 1, held: 0 });
  await until(async () => !(await t.app.store.exists(`videos/${body.generationId}/image.bin`)));
});

test('an edit that cannot be done fails at once, with the engine’s reason', async () => {
  engine.render = async function* () {
    yield { progress: 0.1 };
    throw new PlatformError('BAD_INPUT', 'prompt asks for what no edit can do.');
  };
  const { body } = await generate({ prompt: 'x' });
  expect((await ended(body.generationId)).error).toBe('prompt asks for what no edit can do.');
  expect(engine.queries).toHaveLength(1);
});

test('progress is seen; a cancelled video ends uncharged, stops, leaves nothing, and webhooks are notified', async () => {
  const eve = await t.person('Eve', 1);
  const hook =
    'mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { endpoint { id } } }';
  await t.graphql(hook, { input: { url: at('/hook'), events: ['video.failed'] } }, eve.session);
  let stopped = false;
  engine.render = async function* ({ signal }) {
    try {
      for (let share = 0.1; ; share = Math.min(0.9, share + 0.1)) {
        signal?.throwIfAborted();
        yield { progress: share };
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    } finally {
      stopped = true;
    }
  };
  const { body } = await generate({ prompt: 'x', image: at('/face.png') }, eve.apiKey);
  const { generationId } = body;
  const progress = async () =>
    (
      await t.graphql<any>(
        'query($id: ID!) { video(generationId: $id) { status progress } }',
        { id: generationId },
        eve.apiKey,
      )
    ).body.data.video;
  await until(async () => (await progress()).progress > 0);
  expect((await progress()).status).toBe('rendering');
  expect((await balance(eve)).held).toBe(0.125);
  const cancel = 'mutation($id: ID!) { cancelVideo(generationId: $id) { status error creditCost } }';
  const { body: cancelled } = await t.graphql<any>(cancel, { id: generationId }, eve.apiKey);
  expect(cancelled.data.cancelVideo).toEqual({ status: 'error', error: 'Cancelled.', creditCost: 0 });
  const notified = 'select event_type as type, data from webhook_delivery where subject_id = $1';
  expect(await t.app.db.rows(notified, [generationId])).toEqual([
    { type: 'video.failed', data: expect.objectContaining({ status: 'error', errorMessage: 'Cancelled.' }) },
  ]);
  await until(async () => stopped);
  expect(await balance(eve)).toEqual({ available: 1, held: 0 });
  await until(async () => !(await t.app.store.exists(`videos/${generationId}/image.bin`)));
  expect(await t.app.store.exists(`videos/${generationId}-1.mp4`)).toBe(false);
  // Cancelling again, or what is ready, changes nothing.
  engine.render = usual.render;
  const ready = await made({ prompt: 'x' });
  const { body: late } = await t.graphql<any>(cancel, { id: ready.generationId }, ada.apiKey);
  expect(late.data.cancelVideo.status).toBe('ready');
});
