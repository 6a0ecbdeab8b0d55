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

/** The described square in sizes of the face. */
const MARGIN = 1.3;
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

/** As the library does it: of the square about the face's points, in the model's size. */
async function describe(points: FoundFace['points'], { rgb, width, height }: Pixels): Promise<number[]> {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.min(width, height, Math.round(MARGIN * Math.max(right - left, bottom - top)));
  const within = (middle: number, length: number) =>
    Math.round(Math.min(Math.max(0, middle - side / 2), length - side));
  const square = { left: within((left + right) / 2, width), top: within((top + bottom) / 2, height) };
  const cut = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .extract({ ...square, width: side, height: side })
    .resize(DESCRIBED_SIDE, DESCRIBED_SIDE)
    .raw()
    .toBuffer();
  const face = { rgb: cut, width: DESCRIBED_SIDE, height: DESCRIBED_SIDE };
  return [...(await (await (models as NonNullable<typeof models>)).describe(face))];
}
