/** POST /images/generate by who cannot pay, or not for all of it. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { balance, closeImages, generate, imageModel, openImages, t, usualAnswers } from '../../support/images.ts';

beforeAll(openImages);
afterAll(closeImages);
beforeEach(usualAnswers);

test('who cannot pay hears both amounts before anything is drawn', async () => {
  const poor = await t.person('Poor', 0.0149);
  const { status, body } = await generate({ prompt: 'A sign "OPEN"' }, poor.apiKey);
  expect([status, body]).toEqual([402, expect.objectContaining({ requiredCredits: 0.015, availableCredits: 0.0149 })]);
  expect(imageModel.calls).toEqual([]);
  expect((await generate({ prompt: 'A boat' }, poor.apiKey)).status).toBe(200);
});

test('twenty at once by someone who can pay for seven: seven images, nothing below zero, nothing held', async () => {
  const few = await t.person('Few', 0.035);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => generate({ prompt: `Boat ${i}` }, few.apiKey)),
  );
  const statuses = answers.map((answer) => answer.status).sort();
  expect(statuses).toEqual([...Array(7).fill(200), ...Array(13).fill(402)]);
  expect(await balance(few)).toEqual({ available: 0, held: 0 });
});
