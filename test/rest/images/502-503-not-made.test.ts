/** POST /images/generate where the model fails, or all of its places are taken. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TestUser } from '../../support/app.ts';
import type { ImageAnswer as Answer } from '../../support/images.ts';
import { balance, closeImages, generate, imageModel, openImages, t, usualAnswers } from '../../support/images.ts';
import { until } from '../../support/until.ts';

beforeAll(openImages);
afterAll(closeImages);
beforeEach(usualAnswers);

test.each<[string, () => Promise<Partial<Answer>>]>([
  [
    'throws',
    async () => {
      throw new Error('provider: key=hunter2');
    },
  ],
  ['returns nothing', async () => ({ images: [] })],
  ['returns no image', async () => ({ images: [new Uint8Array([1, 2, 3])] })],
])('an engine that %s is a 502 that discloses nothing; nothing is charged, nothing stays held', async (_, fail) => {
  const before = await balance();
  imageModel.draw = fail;
  const { status, body } = await generate({ prompt: 'A boat' });
  expect([status, body.error]).toEqual([502, 'The image could not be made.']);
  expect(await balance()).toEqual(before);
});

test('with every slot taken, one more image is 503 with Retry-After, and uncharged', async () => {
  const users = await Promise.all(['Ann', 'Bob', 'Cem', 'Dan', 'Eve'].map((name) => t.person(name, 20)));
  const [ann, bob, cem, dan, eve] = users as [TestUser, TestUser, TestUser, TestUser, TestUser];
  const latch = Promise.withResolvers<void>();
  let drawn = 0;
  imageModel.draw = async () => {
    drawn += 1;
    await latch.promise;
    throw new Error('The provider gave up.');
  };
  const generate = (person: TestUser, images: number) =>
    Array.from({ length: images }, () =>
      t.rest('POST', '/images/generate', { as: person.apiKey, body: { prompt: 'A red bicycle', model: 'default' } }),
    );
  // Four are drawn at once, three of them at most of one account; 64 wait, 16 at most of one account.
  const begun = generate(ann, 3);
  await until(async () => drawn === 3);
  begun.push(...generate(bob, 1));
  await until(async () => drawn === 4);
  const waiting = [ann, bob, cem, dan].flatMap((person) => generate(person, 16));
  const all = [...begun, ...waiting, ...generate(eve, 1)];
  const more = await Promise.race(all);
  expect(more.status).toBe(503);
  expect(more.body.error).toBe('Too much is being made: try again later.');
  expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(0);
  latch.resolve();
  const answers = await Promise.all(all);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(1);
  for (const { session } of users) {
    const { body } = await t.graphql<any>('{ me { balance { available held } } }', {}, session);
    expect(body.data.me.balance).toEqual({ available: 20, held: 0 });
  }
});
