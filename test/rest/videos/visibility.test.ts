/** Who sees a video on its page. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { ada, closeVideos, made, openVideos, t, usualEngine } from '../../support/videos.ts';

beforeAll(openVideos);
afterAll(closeVideos);
beforeEach(usualEngine);

test('its page is private until its maker shows it, and again when they hide it', async () => {
  const { slug, generationId } = await made({ prompt: 'x' });
  const open = async (as?: string) =>
    (
      await t.graphql<any>(
        'query($slug: String!) { sharedVideo(slug: $slug) { isOwner video { visibility } } }',
        { slug: slug.toUpperCase() },
        as,
      )
    ).body;
  const flip = (visibility: string, as = ada.session) =>
    t.graphql<any>(
      'mutation($id: ID!, $v: Visibility!) { setVideoVisibility(generationId: $id, visibility: $v) { visibility } }',
      { id: generationId, v: visibility },
      as,
    );
  const bob = await t.person('Bob');
  expect((await open()).errors?.[0].extensions.code).toBe('NOT_FOUND');
  expect((await open(bob.apiKey)).errors?.[0].extensions.code).toBe('NOT_FOUND');
  expect((await open(ada.session)).data.sharedVideo).toEqual({ isOwner: true, video: { visibility: 'private' } });
  expect((await flip('public', bob.session)).body.errors?.[0].extensions.code).toBe('NOT_FOUND');
  expect((await flip('public')).body.data.setVideoVisibility).toEqual({ visibility: 'public' });
  expect((await open()).data.sharedVideo).toEqual({ isOwner: false, video: { visibility: 'public' } });
  await flip('private');
  expect((await open()).errors?.[0].extensions.code).toBe('NOT_FOUND');
  expect((await flip('hidden')).body.errors?.[0].message).toBe('v must be one of private, public.');
});

test('visibility may be asked for at once', async () => {
  const { slug } = await made({ prompt: 'x', visibility: 'public' });
  const { body } = await t.graphql<any>('query($slug: String!) { sharedVideo(slug: $slug) { isOwner } }', { slug });
  expect(body.data.sharedVideo.isOwner).toBe(false);
});
