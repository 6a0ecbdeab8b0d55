/** Edits of an image that was drawn here are seen in it: hours, seasons, grounds, things beside others, and what sitters have. */
import { describe, expect, test } from '@jest/globals';
import { backdropIn } from '../../../../src/engines/embedded/renderer/graphics/backdrop.ts';
import { readEdits } from '../../../../src/engines/embedded/renderer/graphics/edit/read.ts';
import { paintPrompt } from '../../../../src/engines/embedded/renderer/graphics/paint.ts';
import { describePerson } from '../../../../src/engines/embedded/renderer/graphics/portrait/index.ts';
import { readPrompt } from '../../../../src/engines/embedded/renderer/graphics/prompt.ts';
import { redrawn } from '../../../../src/engines/embedded/renderer/illustrator/drawing.ts';

function edited(prompt: string, edit: string) {
  const drawing = redrawn({ prompt, width: 64, height: 64, seed: 7, steps: [] }, readEdits(edit, 1, true));
  return { prompt: drawing?.prompt ?? '', changes: drawing?.changes ?? [] };
}

test.each<[prompt: string, edit: string, read: object]>([
  ['a city street at night', 'make it day', { time: 'day', place: 'street' }],
  ['a lake', 'make it morning', { time: 'dawn', place: 'lake' }],
  ['a house in the snow', 'make it summer', { season: 'summer', place: 'village' }],
  ['a village with a church', 'change the season to autumn', { season: 'autumn' }],
])('%s: %s', (prompt, edit, read) => {
  expect(readPrompt(edited(prompt, edit).prompt)).toMatchObject(read);
});

test.each([
  ['a red bicycle leaning against a yellow wall', 'make the wall blue', [47, 111, 214]],
  ['sneakers on a pink background', 'change the background to green', [63, 158, 77]],
  ['a perfume bottle', 'make the background white', [246, 245, 241]],
])('%s: %s', (prompt, edit, colour) => {
  expect(backdropIn(edited(prompt, edit).prompt)?.colour).toEqual(colour);
});

test('a ground is not given to a scene that has a place', () => {
  expect(() => edited('a dog on the beach', 'make the background blue')).toThrow('asks to change "blue"');
});

test.each<[prompt: string, edit: string, read: object]>([
  ['portrait of a man', 'give him a long beard', { beard: 'long' }],
  ['portrait of a man without a beard', 'add a moustache', { beard: 'moustache' }],
  ['portrait of a woman', 'add sunglasses', { glasses: 'sun' }],
  ['portrait of a woman with round glasses', 'remove the glasses', { glasses: 'none' }],
  ['portrait of a serious woman', 'make her smile', { mood: 'smile' }],
  ['portrait of a young man', 'make him older', { age: 'old' }],
  ['portrait of a woman with brown hair', 'make her hair blonde', { hair: { colour: '#d2a85c' } }],
])('%s: %s', (prompt, edit, traits) => {
  expect(describePerson(edited(prompt, edit).prompt, 7)).toMatchObject(traits);
});

describe('a thing beside another', () => {
  test.each([
    ['a cup of coffee on a table', 'add a croissant next to the cup', 'croissant'],
    ['a cat on a sofa', 'add a dog beside the sofa', 'dog'],
    ['a table with a vase', 'add a candle on the table', 'candle'],
    ['a dog and a cat', 'add a ball between the dog', undefined],
  ])('%s: %s', (prompt, edit, sprite) => {
    const read = () => edited(prompt, edit).changes;
    if (sprite) expect(read()).toMatchObject([{ kind: 'add', by: { sprite } }]);
    else expect(read).toThrow('cannot do');
  });

  test('is seen on it', () => {
    const { prompt, changes } = edited('a blue cube', 'put a red apple on the cube');
    const { data } = paintPrompt(prompt, 128, 128, 3, undefined, changes)
      .canvas.getContext('2d')
      .getImageData(0, 0, 128, 128);
    const rowsOf = (channel: 0 | 2) =>
      Array.from({ length: 128 * 128 }, (_, i) => i).flatMap((i) => {
        const [own, other] = [data[i * 4 + channel] as number, data[i * 4 + 2 - channel] as number];
        return own > 150 && other < own - 110 ? [Math.floor(i / 128)] : [];
      });
    const [red, blue] = [rowsOf(0), rowsOf(2)];
    expect(red.length).toBeGreaterThan(50);
    expect(Math.min(...red)).toBeLessThan(Math.min(...blue));
  });
});

test('the shape that a colour is given', () => {
  expect(edited('a red triangle above a blue square', 'make the triangle green').changes).toMatchObject([
    { kind: 'colour', what: { sprite: 'own:triangle' }, colour: '#3f9e4d' },
  ]);
});

test('what stands in the sky is high and small', () => {
  expect(readEdits('add a dragon in the sky', 1)).toMatchObject([
    { op: 'add', subject: { sprite: 'dragon', size: 'small' }, at: { y: 0.24 } },
  ]);
});
