/** POST /videos/generate of what is no video. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ada, at, balance, closeVideos, generate, nova, openVideos, usualEngine, zed } from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

test.each<[object, string]>([
  [{}, 'prompt is required.'],
  [{ prompt: ' ' }, 'prompt must not be empty.'],
  [{ prompt: '🙂'.repeat(2001) }, 'prompt must have at most 2000 characters.'],
  [{ prompt: 'x', duration: 0 }, 'duration must be from 1 to 20.'],
  [{ prompt: 'x', duration: 21 }, 'duration must be from 1 to 20.'],
  [{ prompt: 'x', duration: 2.5 }, 'duration must be a whole number.'],
  [{ prompt: 'x', duration: '3' }, 'duration must be a whole number.'],
  [{ prompt: 'x', resolution: '4k' }, 'resolution must be one of 720p, 1080p.'],
  [{ prompt: 'x', fps: 30 }, 'fps must be one of 24, 48.'],
  [{ prompt: 'x', aspectRatio: '5:4' }, 'aspectRatio must be one of 1:1, 16:9, 9:16,'],
  [{ prompt: 'x', seed: 1.5 }, 'seed must be a whole number.'],
  [{ prompt: 'x', draft: 'yes' }, 'draft must be true or false.'],
  [{ prompt: 'x', visibility: 'secret' }, 'visibility must be one of private, public.'],
  [{ prompt: 'x', model: 'sora' }, 'model must be one of cinematic, motion, scene, ensemble.'],
  [{ prompt: 'x', model: 'motion' }, 'model motion needs an image.'],
  [{ prompt: 'x', model: 'motion', image: null }, 'model motion needs an image.'],
  [{ prompt: 'x', model: 'ensemble' }, 'model ensemble needs an image.'],
  [{ prompt: 'x', model: 'scene', image: '/face.png' }, 'image is not taken by model scene'],
  [{ prompt: 'x', model: 'motion', srcVideo: '/video.mp4' }, 'model must be ensemble with srcVideo.'],
  [{ prompt: 'x', srcVideo: '/video.mp4', image: '/face.png' }, 'image must not be given with srcVideo.'],
  [
    { prompt: 'x', srcVideo: '/video.mp4', lastFrameImage: '/face.png' },
    'lastFrameImage must not be given with srcVideo.',
  ],
  [{ prompt: 'x', srcVideo: '/broken.mp4' }, 'srcVideo is not a video that can be read.'],
  [{ prompt: 'x', srcVideo: '/face.png' }, 'srcVideo could not be fetched.'],
  [{ prompt: 'x', image: '/page.html' }, 'image could not be fetched.'],
  [{ prompt: 'x', image: '/fake.png' }, 'image is not a JPEG, PNG or WebP image that can be read.'],
  [{ prompt: 'x', image: 'data:image/png;base64,AA==' }, 'image must be an http or https address.'],
  [{ prompt: 'x', lastFrameImage: '/gone.png' }, 'lastFrameImage could not be fetched.'],
  [{ prompt: 'x', speechText: 'Hello' }, 'avatarId is required with speechText.'],
  [{ prompt: 'x', speechText: '' }, 'speechText must not be empty.'],
  [{ prompt: 'x', speechText: '🙂'.repeat(301), avatarId: 'nova' }, 'speechText must have at most 300 characters.'],
  [{ prompt: 'x', speechText: 'Hello', avatarId: 'zed' }, 'speechText needs an avatar with a voice.'],
  [
    { prompt: 'x', speechText: 'Hello', avatarId: 'nova', audio: '/voice.wav' },
    'audio must not be given with speechText.',
  ],
  [{ prompt: 'x', audio: '/noise.mp3' }, 'audio is not a recording that can be read.'],
  [{ prompt: 'x', audio: '/long.wav' }, 'audio must be at most 60 seconds long.'],
  [{ prompt: 'x', avatarIds: ['a', 'b', 'c', 'd'] }, 'avatarIds must have at most 3 items.'],
  [
    { prompt: 'x', avatarId: 'nova', avatarIds: ['a', 'b', 'c'] },
    'avatarIds and avatarId may name at most 3 avatars in all.',
  ],
])('bad input %# is refused by name, nothing is held or left', async (body, error) => {
  const before = await balance(ada);
  const answer = await generate(filled(body));
  expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(error)]);
  expect(await balance(ada)).toEqual(before);
});

/** Addresses and names of the table above, which is written before there are any. */
function filled(body: object): object {
  const names: Record<string, any> = { nova, zed };
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      typeof value === 'string' && value.startsWith('/') ? at(value) : (names[value as string]?.avatarId ?? value),
    ]),
  );
}
