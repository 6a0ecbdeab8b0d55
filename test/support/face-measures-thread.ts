/** The landmark library on decoded frames, in a thread: its arrays must be of its own realm, which a test's are not. */
import sharp from 'sharp';
import {
  DESCRIBED_SIDE,
  type FoundFace,
  loadLandmarker,
  type Pixels,
} from '../../src/engines/embedded/faces/landmarker.ts';
import { turned } from '../../src/engines/embedded/faces/pixels.ts';
import { serve } from '../../src/engines/ports/serve.ts';
import type { FrameTask, SeenFace } from './face-measures.ts';

interface Result {
  rotation?: { angle: { yaw: number; pitch: number; roll: number } } | null;
}

/**
 * Landmarks that speech does not move (corners of the eyes, base of the nose), and where each is in the described square, in shares of
 * it: about where they were on average in squares cut about all of a face's points, as the library cuts them.
 */
const FIXED = [
  { point: 33, x: 0.297, y: 0.37 },
  { point: 133, x: 0.415, y: 0.374 },
  { point: 362, x: 0.585, y: 0.374 },
  { point: 263, x: 0.703, y: 0.37 },
  { point: 2, x: 0.5, y: 0.6 },
] as const;
/** The library cuts its points to whole pixels: it is shown the region so large that a pixel is less than what is measured. */
const SIDE = 1024;

let models: ReturnType<typeof loadLandmarker> | undefined;

serve<FrameTask>(async ({ rgba, width, height, region, isDescribed = true }) => {
  models ??= loadLandmarker({ descriptors: true });
  const { left, top, side, lean } = region ?? { left: 0, top: 0, side: Math.max(width, height), lean: 0 };
  const [wide, tall] = [Math.min(side, width - left), Math.min(side, height - top)];
  const scale = SIDE / Math.max(wide, tall);
  const { data, info } = await sharp(rgba, { raw: { width, height, channels: 4 } })
    .extract({ left, top, width: wide, height: tall })
    .removeAlpha()
    .resize(Math.round(wide * scale), Math.round(tall * scale), { fit: 'fill', kernel: 'cubic' })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const enlarged = { rgb: data, width: info.width, height: info.height };
  const shown = lean === 0 ? enlarged : await turned(enlarged, -lean);
  const found = await (await models).find(shown);
  // The region is the face's: another in it is smaller.
  const [face] = found.sort((one, other) => other.box[2] - one.box[2]);
  if (!face) return undefined;
  const { rotation } = face as typeof face & Result;
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)];
  return {
    points: face.points.map(([x, y, z]) => {
      const [dx, dy] = [x + 0.5 - shown.width / 2, y + 0.5 - shown.height / 2];
      const [px, py] = [info.width / 2 + dx * cos - dy * sin, info.height / 2 + dx * sin + dy * cos];
      return [left + px / scale, top + py / scale, z / scale];
    }),
    angle: rotation?.angle ?? { yaw: 0, pitch: 0, roll: 0 },
    embedding: isDescribed ? await describe(face.points, shown) : [],
  } satisfies SeenFace;
});

/** Of a square in which eyes and nose are always in the same place: one about all points grows and moves as the jaw drops. */
async function describe(points: FoundFace['points'], pixels: Pixels): Promise<number[]> {
  const { middle, angle, side } = squareOf(points);
  const upright = await turned(pixels, -angle);
  const [dx, dy] = [middle.x - pixels.width / 2, middle.y - pixels.height / 2];
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const long = Math.min(upright.width, upright.height, Math.round(side));
  const within = (at: number, length: number) => Math.round(Math.min(Math.max(0, at - long / 2), length - long));
  const cut = await sharp(upright.rgb, { raw: { width: upright.width, height: upright.height, channels: 3 } })
    .extract({
      left: within(upright.width / 2 + dx * cos + dy * sin, upright.width),
      top: within(upright.height / 2 + dy * cos - dx * sin, upright.height),
      width: long,
      height: long,
    })
    .resize(DESCRIBED_SIDE, DESCRIBED_SIDE)
    .raw()
    .toBuffer();
  const face = { rgb: cut, width: DESCRIBED_SIDE, height: DESCRIBED_SIDE };
  return [...(await (await (models as NonNullable<typeof models>)).describe(face))];
}

/** The square whose `FIXED` places lie nearest to their landmarks, by least squares: shifted, turned and scaled only. */
function squareOf(points: FoundFace['points']) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const pairs = FIXED.map(({ point, x, y }) => ({ x, y, seenX: points[point]![0], seenY: points[point]![1] }));
  const [x, y] = [mean(pairs.map((one) => one.x)), mean(pairs.map((one) => one.y))];
  const [seenX, seenY] = [mean(pairs.map((one) => one.seenX)), mean(pairs.map((one) => one.seenY))];
  let [a, b, length] = [0, 0, 0];
  for (const pair of pairs) {
    const [u, v, seenU, seenV] = [pair.x - x, pair.y - y, pair.seenX - seenX, pair.seenY - seenY];
    a += u * seenU + v * seenV;
    b += u * seenV - v * seenU;
    length += u * u + v * v;
  }
  [a, b] = [a / length, b / length];
  const [u, v] = [0.5 - x, 0.5 - y];
  return {
    middle: { x: seenX + a * u - b * v, y: seenY + b * u + a * v },
    angle: Math.atan2(b, a),
    side: Math.hypot(a, b),
  };
}
