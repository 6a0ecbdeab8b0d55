/** People of scenes as figures: what their words say is seen on them, and they move by their limbs. */
import { describe, expect, test } from '@jest/globals';
import { type Act, paintFigure } from '../../../../src/engines/embedded/renderer/graphics/art/index.ts';
import type { Canvas } from '../../../../src/engines/embedded/renderer/graphics/canvas.ts';
import { readPrompt } from '../../../../src/engines/embedded/renderer/graphics/prompt.ts';
import { figureOf } from '../../../../src/engines/embedded/renderer/graphics/scene/figures.ts';
import { type Spot, sceneParts } from '../../../../src/engines/embedded/renderer/graphics/scene/index.ts';
import { loadOf } from '../../../../src/engines/embedded/renderer/graphics/scene/load.ts';
import { subjectMotion } from '../../../../src/engines/embedded/renderer/video/subject-motion.ts';

const TALL = 140;
const someone = figureOf(readPrompt('a man in a green shirt walking in a field').subjects[0]!, 0, 3);
const moment = (act: Act, phase: number) => paintFigure(someone, { act, phase }, TALL);

/** Columns that are painted between two heights, as shares from crown (0) to soles (1). */
function width({ canvas, box }: { canvas: Canvas; box: { y: number; h: number } }, from: number, to: number): number {
  const [top, rows] = [Math.round(box.y + box.h * from), Math.round(box.h * (to - from))];
  const { data, width: columns } = canvas.getContext('2d').getImageData(0, top, canvas.width, rows);
  let painted = 0;
  for (let x = 0; x < columns; x++)
    if (Array.from({ length: rows }, (_, y) => data[(y * columns + x) * 4 + 3] as number).some((alpha) => alpha > 128))
      painted += 1;
  return painted / TALL;
}

test('who walks has the legs apart, together and apart again, one after the other before the body', () => {
  const feet = [0, 0.25, 0.5, 0.75].map((phase) => width(moment('walk', phase), 0.85, 0.99));
  expect(Math.min(feet[0]!, feet[2]!)).toBeGreaterThan(Math.max(feet[1]!, feet[3]!) * 1.3);
  const [one, other] = [moment('walk', 0.25), moment('walk', 0.75)].map(({ canvas }) => canvas.encodeSync('png'));
  expect(one!.equals(other!)).toBe(false);
});

test('who waves has a hand beside the head, which goes to and fro; who stands has none', () => {
  const beside = (act: Act, phase: number) => width(moment(act, phase), -0.05, 0.12);
  expect(beside('wave', 0.1)).toBeGreaterThan(beside('stand', 0.1) * 1.1);
  expect(Math.abs(beside('wave', 0.125) - beside('wave', 0.375))).toBeGreaterThan(0.02);
});

test('who dances has both arms up, and is off the ground twice', () => {
  // Who waves has one arm up.
  const [dancing, waving] = [moment('dance', 0), moment('wave', 0)];
  expect(width(dancing, 0, 0.2)).toBeGreaterThan(width(waving, 0, 0.2) * 1.15);
  const soles = (phase: number) => width(moment('dance', phase), 0.985, 1);
  expect(soles(0)).toBeGreaterThan(soles(0.25) * 1.2);
});

test('who sits has the knees before the body, and no legs below the seat where there is only the ground', () => {
  const [standing, seated, crossed] = (['stand', 'sit', 'sit-on-ground'] as const).map((act) => moment(act, 0));
  const wide = (raster: typeof standing, from: number, to: number) => width(raster!, from, to);
  // The head of one height is a larger share of a smaller body.
  expect(wide(seated, 0, 0.3)).toBeGreaterThan(wide(standing, 0, 0.3) * 1.05);
  expect(wide(crossed, 0.8, 0.99)).toBeGreaterThan(wide(seated, 0.8, 0.99) * 1.3);
});

test.each([
  ['a couple sitting on a bench', ['own:bench'], ['sit', 'sit']],
  ['my grandma knitting on the sofa', ['couch-and-lamp'], ['sit']],
  ['kids sitting at desks', ['own:table', 'own:table', 'own:table'], ['sit', 'sit', 'sit']],
  ['a man sitting on a rock', ['rock'], ['sit']],
  ['a man standing on a rock', ['rock'], [undefined]],
  ['a gamer sitting in his room', ['chair'], ['sit']],
  ['a family having a picnic', ['own:picnic'], ['sit-on-ground', 'sit-on-ground', 'sit-on-ground', 'sit-on-ground']],
])('seats are sat on: %s', (prompt, seats, acts) => {
  const spots = sceneParts(readPrompt(prompt), 320, 180, 7).layers.flatMap(({ spot }) => spot ?? []);
  const sitters = spots.flatMap((spot) => loadOf(spot)).filter(({ spot }) => spot.subject.role === 'person');
  expect(spots.map(({ subject }) => subject.sprite)).toEqual(seats);
  expect(sitters.map(({ spot }) => spot.subject.act)).toEqual(acts);
});

test('who sits on the grass is a figure of its own there', () => {
  const { layers } = sceneParts(readPrompt('a girl sitting on the grass in a meadow'), 320, 180, 7);
  expect(layers.flatMap(({ spot }) => spot?.subject.act ?? [])).toEqual(['sit-on-ground']);
});

test('several of a calling look like one, and whose girlfriend it is does not make her a man', () => {
  const lookOf = (prompt: string, at = 0) => figureOf(readPrompt(prompt).subjects[at]!, 0, 3);
  expect(lookOf('three firefighters').look.body.part).toBe('body:firefighter');
  expect(lookOf('a man proposing to his girlfriend', 1).body).toBe('woman');
});

test('what is heavy lies on the ground of the sea, and what burns has the flames before it', () => {
  const spotsOf = (prompt: string) =>
    sceneParts(readPrompt(prompt), 320, 320, 7).layers.flatMap(({ spot }) => spot ?? []);
  const [chest] = spotsOf('a treasure chest at the bottom of the sea');
  expect(chest!.foot).toBeGreaterThan(320 * 0.85);
  const [castle] = spotsOf('a burning castle');
  const [flames] = loadOf(castle!);
  expect([flames!.spot.subject.sprite, flames!.isBehind]).toEqual(['fire', false]);
});

test('who repairs a car is near it, wherever chance has them', () => {
  const image = readPrompt('a mechanic repairing a car');
  for (const seed of [1, 2, 3, 4, 5]) {
    const [one, other] = sceneParts(image, 320, 320, seed).layers.flatMap(({ spot }) => spot ?? []);
    expect(Math.abs(one!.x - other!.x)).toBeLessThan(one!.size + other!.size);
  }
});

const MOMENTS = 24;
const films = [
  ['a woman walking on a beach', 'walk'],
  ['two kids running through a park', 'walk'],
  ['a chef waving in a kitchen', 'wave'],
  ['a couple in a meadow', 'stand'],
  ['a couple dancing on a beach', 'dance'],
  ['two students raising their hands', 'wave'],
  ['a cyclist on a mountain road', 'cycle'],
  ['a woman riding a red bicycle in a park', 'cycle'],
  ['two surfers at sunset', 'surf'],
  ['a skier', 'ski'],
] as const;

describe.each(films)('%s', (prompt, act) => {
  const image = readPrompt(prompt);
  const { layers } = sceneParts(image, 320, 180, 7);
  const people = layers.filter(({ spot }) => spot?.subject.act);

  test(`are figures that ${act}, each its own`, () => {
    expect(people.map(({ spot }) => spot?.subject.act)).toEqual(people.map(() => act));
    expect(layers.some(({ spot }) => spot?.subject.sprite === 'bicycle')).toBe(false);
    expect(people.length).toBe(/couple|two/.test(prompt) ? 2 : 1);
    const looks = people.map(({ cycle }) =>
      Array.from({ length: MOMENTS }, (_, i) =>
        cycle?.(i / MOMENTS)
          .image.data()
          .toString('latin1'),
      ),
    );
    for (const moments of looks) expect(new Set(moments).size).toBeGreaterThan(moments.length / 3);
    expect(new Set(looks.map(([first]) => first)).size).toBe(people.length);
  });

  test('feet stay where they tread', () => {
    const spot = people[0]?.spot as Spot;
    const life = subjectMotion(spot, prompt, 1, 4, 320, 7);
    const [begin, end] = [life(0, 0), life(4, 1)];
    const cycles = (end.phase ?? 0) - (begin.phase ?? 0);
    expect(cycles).toBeGreaterThan(0.6);
    const gone = Math.abs(end.dx - begin.dx);
    // A cycle of two steps is seven eighths of a height long; who goes slower than that treads on the spot.
    if (act === 'walk') expect(gone / cycles).toBeGreaterThan(0.4);
    // A turn of the pedals is one and a quarter of the wheels: wheels neither slip nor slide.
    else if (act === 'cycle') expect(gone / cycles).toBeCloseTo((1.25 * 2 * Math.PI * 5.1) / 28, 1);
    else if (act === 'surf' || act === 'ski') expect(gone).toBeGreaterThan(0.3);
    else expect(gone).toBe(0);
    // Figures look to the left; none goes backwards.
    expect(Math.sign(end.dx - begin.dx)).toBe(gone === 0 ? 0 : spot.flip ? 1 : -1);
  });
});

test('what is worn is on the figure and not beside it', () => {
  const { subjects } = readPrompt('a woman in a red dress and a hat walking on a beach');
  expect(subjects.map(({ sprite }) => sprite)).toEqual(['woman-standing']);
  expect(figureOf(subjects[0]!, 0, 3)).toMatchObject({
    body: 'woman',
    skirt: 'knee',
    cloth: expect.stringMatching(/^#[a-f]/),
  });
});

test.each([
  ['a girl holding a red balloon', 'a girl'],
  ['a boy with a green umbrella', 'a boy'],
  ['an old man with a blue backpack', 'an old man'],
])('the colour of what is held is not that of the skin: %s', (held, alone) => {
  const skinOf = (prompt: string) => figureOf(readPrompt(prompt).subjects[0]!, 0, 3).look.skin;
  expect(skinOf(held)).toBe(skinOf(alone));
});
