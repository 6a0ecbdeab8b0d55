/** What a prompt says of where things are, on what ground and in what manner is to be seen in the image. */
import { describe, expect, test } from '@jest/globals';
import { paintPrompt } from '../../../../src/engines/embedded/renderer/graphics/paint.ts';
import { readPrompt } from '../../../../src/engines/embedded/renderer/graphics/prompt.ts';
import { sceneParts } from '../../../../src/engines/embedded/renderer/graphics/scene/index.ts';

const SIDE = 192;
const PAINTS = { red: [216, 52, 47], green: [63, 158, 77], blue: [47, 111, 214], yellow: [230, 200, 70] } as const;
type Paint = keyof typeof PAINTS;

/** The middle of what has a colour, and where it ends, as shares of the image. */
function whereIs(prompt: string, paint: Paint) {
  const { canvas } = paintPrompt(prompt, SIDE, SIDE, 3);
  const { data } = canvas.getContext('2d').getImageData(0, 0, SIDE, SIDE);
  const wanted = PAINTS[paint];
  const found: [x: number, y: number][] = [];
  for (let i = 0; i < data.length; i += 4) {
    const far = wanted.reduce((sum, value, c) => sum + Math.abs(value - (data[i + c] as number)), 0);
    if (far < 60) found.push([((i / 4) % SIDE) / SIDE, Math.floor(i / 4 / SIDE) / SIDE]);
  }
  const [xs, ys] = [found.map(([x]) => x), found.map(([, y]) => y)];
  const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  return {
    count: found.length,
    x: mean(xs),
    y: mean(ys),
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
  };
}

describe('shapes', () => {
  test('one above another', () => {
    const prompt = 'a red triangle above a blue square';
    expect(whereIs(prompt, 'red').bottom).toBeLessThan(whereIs(prompt, 'blue').top);
  });
  test('one below another', () => {
    const prompt = 'a red circle under a blue square';
    expect(whereIs(prompt, 'red').top).toBeGreaterThan(whereIs(prompt, 'blue').bottom);
  });
  test('one between two', () => {
    const prompt = 'a green circle between two red squares';
    const [green, red] = [whereIs(prompt, 'green'), whereIs(prompt, 'red')];
    expect(green.left).toBeGreaterThan(red.left);
    expect(green.right).toBeLessThan(red.right);
    expect(Math.abs(green.x - red.x)).toBeLessThan(0.03);
  });
  test('one inside another', () => {
    const prompt = 'a blue star inside a yellow circle';
    const [star, circle] = [whereIs(prompt, 'blue'), whereIs(prompt, 'yellow')];
    expect(star.count).toBeGreaterThan(100);
    expect([
      star.left > circle.left,
      star.right < circle.right,
      star.top > circle.top,
      star.bottom < circle.bottom,
    ]).toEqual([true, true, true, true]);
  });
});

test.each<[prompt: string, upper: Paint, lower: Paint]>([
  ['a red apple above a blue cube', 'red', 'blue'],
  ['a red cube on a blue cube', 'red', 'blue'],
  ['a blue cube under a red sphere', 'red', 'blue'],
])('a still life: %s', (prompt, upper, lower) => {
  expect(whereIs(prompt, upper).y).toBeLessThan(whereIs(prompt, lower).y - 0.1);
});

describe('the ground', () => {
  test.each([
    ['a dog on a light blue background', 'scene', 'studio'],
    ['a red bicycle leaning against a yellow wall', 'scene', 'studio'],
    ['a man dancing in front of a brick wall', 'scene', 'studio'],
    ['a product shot of sneakers', 'object', undefined],
    ['a modern kitchen with a marble island', 'scene', 'room'],
    ['a chef tossing a pizza in the air', 'scene', 'room'],
    ['a green traffic light in the fog', 'scene', 'street'],
    ['a wedding cake with white roses', 'object', undefined],
    ['a dog in a forest, blurred background', 'scene', 'forest'],
    ['a sad robot sitting alone in the rain', 'scene', 'meadow'],
    ['a minimalist icon of a plane', 'object', undefined],
    ['a girl with pigtails blowing bubbles', 'scene', 'meadow'],
    ['a woman with big sparkling eyes and red hair', 'portrait', undefined],
  ])('%s is a %s in %s', (prompt, kind, place) => {
    const { kind: read, place: where } = readPrompt(prompt);
    expect([read, where === 'field' ? 'meadow' : where]).toEqual([kind, place]);
  });

  test.each([
    ['a penguin on a red background', [216, 52, 47]],
    ['sneakers on a green background', [63, 158, 77]],
    ['an icon of a cat on a blue background', [47, 111, 214]],
  ])('%s has its colour', (prompt, wanted) => {
    const { canvas } = paintPrompt(prompt, SIDE, SIDE, 3);
    const [r = 0, g = 0, b = 0] = canvas.getContext('2d').getImageData(4, SIDE / 2, 1, 1).data;
    const hue = wanted.indexOf(Math.max(...wanted));
    expect([r, g, b].indexOf(Math.max(r, g, b))).toBe(hue);
  });

  test('a sticker has a white edge', () => {
    const { canvas } = paintPrompt('a sticker of an eggplant', SIDE, SIDE, 3);
    const row = canvas.getContext('2d').getImageData(0, SIDE / 2, SIDE, 1).data;
    expect(
      Array.from({ length: SIDE }, (_, i) => i).filter((i) => row[i * 4] === 255 && row[i * 4 + 2] === 255).length,
    ).toBeGreaterThan(2);
  });
});

describe('scenes', () => {
  const spotsOf = (prompt: string) =>
    sceneParts(readPrompt(prompt), 300, 300, 5).layers.flatMap(({ spot }) => (spot ? [spot] : []));
  const at = (prompt: string, sprite: string) => spotsOf(prompt).filter(({ subject }) => subject.sprite === sprite);

  /** As far from the one as from the other, but for what keeps all inside the image. */
  const isAmid = (to: number, on: number): boolean => to * on > 0 && Math.min(to / on, on / to) > 0.5;
  type Seen = { x: number; foot: number; size: number };
  test.each<
    [prompt: string, who: string, hosts: string[], isThere: (one: Seen, first: Seen, second?: Seen) => boolean]
  >([
    [
      'an umbrella over a dog',
      'umbrella',
      ['dog'],
      (one, host) => one.foot < host.foot - host.size && Math.abs(one.x - host.x) < 2,
    ],
    ['a cat behind a horse', 'cat', ['horse'], (one, host) => one.foot < host.foot],
    ['a cat in front of a horse', 'cat', ['horse'], (one, host) => one.foot > host.foot + 8],
    [
      'a cat between a dog and a horse',
      'cat',
      ['dog', 'horse'],
      (one, dog, horse = dog) => isAmid(one.x - dog.x, horse.x - one.x),
    ],
    ['a cow between two horses', 'cow', ['horse'], (one, a, b) => b !== undefined && isAmid(one.x - a.x, b.x - one.x)],
  ])('%s, at any seed', (prompt, who, hosts, isThere) => {
    const plan = readPrompt(prompt);
    const wrong = [1, 2, 3, 4, 5, 6, 7, 8].filter((seed) => {
      const spots = sceneParts(plan, 300, 300, seed).layers.flatMap(({ spot }) => (spot ? [spot] : []));
      const named = (name: string) => spots.filter(({ subject }) => subject.sprite === name);
      const [one] = named(who);
      const [first, second] = hosts.flatMap(named);
      return !one || !first || !isThere(one, first, second);
    });
    expect(wrong).toEqual([]);
  });

  test('two under one stand on its two sides', () => {
    const prompt = 'a couple under a streetlight at night';
    const [lamp] = at(prompt, 'own:lamppost');
    const sides = spotsOf(prompt).flatMap(({ subject, x }) =>
      subject.role === 'person' ? [Math.sign(x - (lamp?.x ?? 0))] : [],
    );
    expect(sides.sort()).toEqual([-1, 1]);
  });
});
