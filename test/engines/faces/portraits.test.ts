/** The face detector on the illustrator's people with the rig withheld: theirs is exact, so errors are measurable. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { createFaceDetector } from '../../../src/engines/embedded/faces/index.ts';
import { portraitFor } from '../../../src/engines/embedded/renderer/graphics/portrait/index.ts';
import type { Point, Rig } from '../../../src/engines/ports/index.ts';
import { portraitPrompts } from '../../support/portrait-prompts.ts';

const detector = createFaceDetector();
afterAll(() => detector.close());

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
/** Errors of a square image's rig, in shares of the true face's width or height. */
function errorsOf(found: Rig, truth: Rig) {
  return {
    eyes: Math.max(distance(found.leftEye, truth.leftEye), distance(found.rightEye, truth.rightEye)) / truth.face.w,
    mouth: distance(found.mouth, truth.mouth) / truth.face.h,
    chin: distance(found.chin, truth.chin) / truth.face.h,
    width: Math.abs(found.face.w / truth.face.w - 1),
  };
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

describe('portraits whose rig is withheld', () => {
  test('at least 10 of 12 are found, each with its eyes and mouth in place', async () => {
    const prompts = portraitPrompts.filter((_, i) => i % 2 === 0);
    const errors: (ReturnType<typeof errorsOf> & { prompt: string })[] = [];
    for (const prompt of prompts) {
      const { image, rig } = await portraitFor(prompt, { width: 400, height: 400 });
      const found = await detector.detect(image);
      if (found) errors.push({ prompt, ...errorsOf(found.rig, rig) });
    }
    expect(prompts.length).toBe(12);
    expect(errors.length).toBeGreaterThanOrEqual(10);
    expect(errors.filter(({ eyes }) => eyes > 0.12)).toEqual([]);
    expect(errors.filter(({ mouth }) => mouth > 0.15)).toEqual([]);
    expect(errors.filter(({ chin }) => chin > 0.25)).toEqual([]);
    // The art's eyes are half domes: their middles are above those of the models.
    expect(median(errors.map(({ eyes }) => eyes))).toBeLessThan(0.07);
    expect(median(errors.map(({ mouth }) => mouth))).toBeLessThan(0.08);
    expect(median(errors.map(({ width }) => width))).toBeLessThan(0.2);
  });
});
