/** Rigs from the points an owner clicks: what follows from them, and which points are refused by name. */
import { describe, expect, test } from '@jest/globals';
import { type Landmarks, rigFromLandmarks } from '../../../src/engines/embedded/faces/landmarks.ts';
import { PlatformError } from '../../../src/kernel/errors.ts';

const GOOD: Landmarks = { leftEye: { x: 0.4, y: 0.4 }, rightEye: { x: 0.6, y: 0.4 }, mouth: { x: 0.5, y: 0.6 } };

describe('rigFromLandmarks', () => {
  test('keeps the given points and fills in the rest in proportion', () => {
    const rig = rigFromLandmarks(GOOD);
    expect(rig).toMatchObject({ version: 1, source: 'manual', leftEye: GOOD.leftEye, rightEye: GOOD.rightEye });
    expect(rig.mouth).toMatchObject({ x: 0.5, y: 0.6 });
    expect(rig.mouth.w).toBeCloseTo(0.16);
    expect(rig.chin.x).toBeCloseTo(0.5);
    expect(rig.chin.y).toBeCloseTo(0.744);
    expect(rig.face.y).toBeLessThan(0.4);
    expect(rig.face.y + rig.face.h).toBeCloseTo(rig.chin.y);
  });

  test('keeps the given chin and mouth width', () => {
    const rig = rigFromLandmarks({ ...GOOD, chin: { x: 0.51, y: 0.77 }, mouthWidth: 0.13 });
    expect(rig.chin).toEqual({ x: 0.51, y: 0.77 });
    expect(rig.mouth.w).toBe(0.13);
  });

  test('a tilted head has its chin along the tilt', () => {
    const rig = rigFromLandmarks({
      leftEye: { x: 0.4, y: 0.36 },
      rightEye: { x: 0.6, y: 0.44 },
      mouth: { x: 0.42, y: 0.6 },
    });
    expect(rig.chin.x).toBeLessThan(0.42);
  });

  test('a wide image has proportions in pixels, not in fractions', () => {
    const eyes = { leftEye: { x: 0.45, y: 0.4 }, rightEye: { x: 0.55, y: 0.4 }, mouth: { x: 0.5, y: 0.6 } };
    const rig = rigFromLandmarks({ ...eyes, aspect: 2 });
    expect(rig.chin.y).toBeCloseTo(0.744);
    expect(rig.leftEye.ry / rig.leftEye.rx).toBeCloseTo((0.11 / 0.27) * 2);
  });

  const far = { x: 0.5, y: 0.95 };
  test.each<[string, string, Record<string, unknown>]>([
    ['leftEye', 'missing', { leftEye: undefined }],
    ['leftEye', 'beyond the image', { leftEye: { x: -0.1, y: 0.4 } }],
    ['rightEye', 'not a number', { rightEye: { x: '0.6', y: 0.4 } }],
    ['rightEye', 'no number at all', { rightEye: { x: Number.NaN, y: 0.4 } }],
    ['rightEye', 'left of the left eye', { rightEye: { x: 0.3, y: 0.4 } }],
    ['rightEye', 'on the left eye', { rightEye: { x: 0.405, y: 0.4 } }],
    ['rightEye', 'far lower', { rightEye: { x: 0.5, y: 0.6 } }],
    ['mouth', 'above the eyes', { mouth: { x: 0.5, y: 0.2 } }],
    ['mouth', 'far below', { mouth: far }],
    ['mouth', 'beside the face', { mouth: { x: 0.8, y: 0.6 } }],
    ['mouth', 'null', { mouth: null }],
    ['chin', 'above the mouth', { chin: { x: 0.5, y: 0.5 } }],
    ['chin', 'beyond the image', { chin: { x: 0.5, y: 1.2 } }],
    ['chin', 'beside the face', { chin: { x: 0.75, y: 0.75 } }],
    ['mouthWidth', 'of nothing', { mouthWidth: 0 }],
    ['mouthWidth', 'wider than a face', { mouthWidth: 0.9 }],
    ['aspect', 'of nothing', { aspect: 0 }],
  ])('refuses %s %s', (field, _case, change) => {
    const attempt = () => rigFromLandmarks({ ...GOOD, ...change } as Landmarks);
    expect(attempt).toThrow(PlatformError);
    expect(attempt).toThrow(expect.objectContaining({ code: 'BAD_INPUT', details: { field } }));
  });
});
