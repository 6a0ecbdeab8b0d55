/** POST /images/generate and /images/edit of what is no image. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  balance,
  closeImages,
  edit,
  face,
  generate,
  imageModel,
  imageServer,
  openImages,
  usualAnswers,
} from '../../support/images.ts';

beforeAll(openImages);
afterAll(closeImages);
beforeEach(usualAnswers);

describe('POST /images/generate', () => {
  test.each<[object, string]>([
    [{}, 'prompt is required.'],
    [{ prompt: ' ' }, 'prompt must not be empty.'],
    [{ prompt: 5 }, 'prompt must be a string.'],
    [{ prompt: '🙂'.repeat(2001) }, 'prompt must have at most 2000 characters.'],
    [{ prompt: 'x', aspectRatio: '5:4' }, 'aspectRatio must be one of 1:1, 16:9, 9:16, 4:3, 3:4, 3:2, 2:3.'],
    [
      { prompt: 'x', aspectRatio: 'match_input_image' },
      'aspectRatio must be one of 1:1, 16:9, 9:16, 4:3, 3:4, 3:2, 2:3.',
    ],
    [{ prompt: 'x', model: 'typo_edit' }, 'model must be one of default, typo_gen.'],
  ])('bad input %# is refused by name, nothing is held', async (body, error) => {
    const before = await balance();
    expect(await generate(body)).toMatchObject({ status: 400, body: { error } });
    expect(await balance()).toEqual(before);
    expect(imageModel.calls).toEqual([]);
  });
});

describe('POST /images/edit', () => {
  test.each<[() => object, string]>([
    [() => ({ prompt: 'grey' }), 'imageUrl or images is required.'],
    [() => ({ imageUrl: face() }), 'prompt is required.'],
    [() => ({ prompt: 'grey', images: [] }), 'images must have 1 to 5 items.'],
    [() => ({ prompt: 'grey', images: Array(6).fill(face()) }), 'images must have 1 to 5 items.'],
    [() => ({ prompt: 'grey', imageUrl: face(), images: [face()] }), 'images must not be given beside imageUrl.'],
    [() => ({ prompt: 'grey', imageUrl: 'ftp://a.b/c.png' }), 'imageUrl must be an http or https address.'],
    [() => ({ prompt: 'grey', imageUrl: 'http://127.0.0.1:1/x.png' }), 'imageUrl could not be fetched.'],
    [() => ({ prompt: 'grey', imageUrl: `${imageServer.url}/page.html` }), 'imageUrl could not be fetched.'],
    [
      () => ({ prompt: 'grey', images: [face(), `${imageServer.url}/fake.png`] }),
      'images[1] is not a JPEG, PNG or WebP image that can be read.',
    ],
    [() => ({ prompt: 'grey', images: [7] }), 'images[0] must be a string.'],
    [
      () => ({ prompt: 'grey', imageUrl: face(), aspectRatio: '5:4' }),
      'aspectRatio must be one of match_input_image, 1:1,',
    ],
    [() => ({ prompt: 'grey', imageUrl: face(), model: 'typo_gen' }), 'model must be one of default, typo_edit.'],
    [
      () => ({ prompt: 'grey', images: Array(3).fill(face()), model: 'typo_edit' }),
      'images must have at most 2 items for typo_edit.',
    ],
  ])('bad input %# is refused by name, nothing is charged or held', async (body, error) => {
    const before = await balance();
    const answer = await edit(body());
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(error);
    expect(await balance()).toEqual(before);
    expect(imageModel.calls).toEqual([]);
  });
});
