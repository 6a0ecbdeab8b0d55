/** The rig of a face from its landmarks: the points themselves, rounded, and what the other readers of a rig want. */
import type { Point, Rig, RigEye } from '../../ports/index.ts';
import type { Pixels } from './landmarker.ts';

/** Pixels of the image; depth in a unit of the models. */
export type FacePoints = [x: number, y: number, z: number][];

/** A point's fractions are kept to this: a tenth of a pixel in an image of a thousand. */
const STEPS = 10_000;
const BROWS = { left: [70, 63, 105, 66, 107], right: [336, 296, 334, 293, 300] } as const;
/** The face's outline from the forehead's middle, clockwise as seen. */
const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136,
  172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;

export function rigOfPoints(points: FacePoints, { rgb, width, height }: Pixels): Rig {
  const share = ({ x, y }: Point): Point => ({ x: clamp(x / width), y: clamp(y / height) });
  const at = (index: number): Point => ({ x: points[index]![0], y: points[index]![1] });
  const mean = (indices: readonly number[]): Point => {
    const sum = indices.map(at).reduce((one, other) => ({ x: one.x + other.x, y: one.y + other.y }));
    return { x: sum.x / indices.length, y: sum.y / indices.length };
  };
  const apart = (one: number, other: number) => Math.hypot(at(one).x - at(other).x, at(one).y - at(other).y);
  const eye = (outer: number, inner: number, upper: number, lower: number): RigEye => ({
    ...share(mean([outer, inner, upper, lower])),
    rx: clamp(apart(outer, inner) / 2 / width),
    ry: clamp(Math.max(apart(upper, lower) / 2, apart(outer, inner) * 0.1) / height),
  });
  const outline = OVAL.map(at);
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)];
  const top = Math.min(...[...BROWS.left, ...BROWS.right].map((index) => at(index).y));
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const bottom = Math.max(...ys);
  const corner = share({ x: left, y: top });
  const cheek = colourAt(rgb, width, height, mean([50, 205]));
  return {
    version: 6,
    source: 'detected',
    face: { ...corner, w: clamp(right / width) - corner.x, h: clamp(bottom / height) - corner.y },
    leftEye: eye(33, 133, 159, 145),
    rightEye: eye(362, 263, 386, 374),
    mouth: {
      ...share(mean([13, 14])),
      w: clamp(apart(61, 291) / width),
      h: clamp(Math.max(apart(0, 17), apart(61, 291) * 0.2) / height),
    },
    chin: share(at(152)),
    leftBrow: share(mean(BROWS.left)),
    rightBrow: share(mean(BROWS.right)),
    head: headOutline(outline, at(10), at(152)).map(share),
    skin: cheek,
    landmarks: points.flatMap(([x, y, z]) => [x / width, y / height, z / width].map(rounded)),
  };
}

/** The face's outline, wider by the ears and higher by the hair. */
function headOutline(outline: Point[], forehead: Point, chin: Point): Point[] {
  const up = { x: forehead.x - chin.x, y: forehead.y - chin.y };
  const length2 = up.x * up.x + up.y * up.y;
  const centre = { x: (forehead.x + chin.x) / 2, y: (forehead.y + chin.y) / 2 };
  return outline.map(({ x, y }) => {
    const along = ((x - chin.x) * up.x + (y - chin.y) * up.y) / length2;
    const wider = 1 + 0.2 * Math.min(1, Math.max(0, along * 1.6));
    const higher = 0.32 * Math.max(0, along - 0.45) * 1.8;
    return {
      x: centre.x + (x - centre.x) * wider + up.x * higher,
      y: centre.y + (y - centre.y) * wider + up.y * higher,
    };
  });
}

/** The median colour of a small square as '#rrggbb'. */
function colourAt(rgb: Uint8Array, width: number, height: number, { x, y }: Point): string {
  const channels: number[][] = [[], [], []];
  for (let dy = -3; dy <= 3; dy++) {
    for (let dx = -3; dx <= 3; dx++) {
      const column = Math.min(width - 1, Math.max(0, Math.round(x) + dx));
      const row = Math.min(height - 1, Math.max(0, Math.round(y) + dy));
      for (const [c, values] of channels.entries()) values.push(rgb[(row * width + column) * 3 + c] as number);
    }
  }
  const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] as number;
  return `#${channels.map((values) => median(values).toString(16).padStart(2, '0')).join('')}`;
}

const clamp = (value: number) => Math.min(Math.max(value, 0), 1);
const rounded = (value: number) => Math.round(value * STEPS) / STEPS;
