/**
 * Draws a face with its lips shut, one press after the other, until the caller has seen enough (`fit-press.ts`). A thread of its
 * own: setting the image of an avatar does not wait for videos that are being made.
 */
import type { Point, Rig } from '../../../ports/index.ts';
import { serve } from '../../../ports/serve.ts';
import { planesOf, toRgba } from '../../codec/colour.ts';
import { isMouthHidden } from './mesh/hidden-mouth.ts';
import { type MeshFace, meshFace } from './mesh/mesh-face.ts';
import { meshPainter } from './mesh/mesh-painter.ts';
import { mouthOutline } from './mesh/mouth-outline.ts';
import type { MotionTrack } from './motion.ts';
import type { MouthTrack } from './mouth-track.ts';
import { OVERSAMPLE, readStill, type Still } from './still.ts';

/** Longest side of the still, as of most videos. */
const SIZE = 512;
/**
 * How firmly the lips are pressed, 1 being usual; the fullest lips first. Those that are closed in the still, or all but closed, are
 * full as they are: pressed less they gain little, and are seen apart.
 */
const PRESSES = { parted: [0, 0.35, 0.7, 1, 1.5, 2], closed: [1, 1.5, 2] } as const;
/** Poses of the head in which they are drawn: upright, nodded down and up as far as p, b and m are, and turned. */
const HEADS = [
  { pitch: 0.6, swayY: 0.4, yaw: 0.3 },
  { pitch: 0, swayY: 0, yaw: 0 },
  { pitch: -0.8, swayY: -0.5, yaw: -0.3 },
  { pitch: 0, swayY: 0, yaw: 1 },
] as const;
/** So much of a frame is shown about a face's middle, in its longer sides. */
const ABOUT = 0.9;

/** Raw pixels of a face and what is about it, three bytes (red, green, blue) each. */
export interface FaceImage {
  pixels: { rgb: Uint8Array; width: number; height: number };
  /** Where the face is in them: its middle, its longer side, and the radians by which it leans as the clock goes. */
  face: { centre: Point; side: number; lean: number };
}

/** A face with its lips pressed so firmly, in several poses of the head. */
export interface ClosedLips {
  press: number;
  faces: FaceImage[];
}

serve<{ image: Uint8Array; rig: Rig }>(async ({ image, rig }, run) => {
  const still = await readStill(image, SIZE);
  const face = meshFace(rig, still.source.width, still.source.height);
  if (isMouthHidden(face, still.source)) return;
  const { parted } = mouthOutline(face, still.source);
  for (const press of parted === 1 ? PRESSES.parted : PRESSES.closed) {
    if (run.stopped()) return;
    run.piece({ press, faces: drawn(still, face, { ...rig, press }) } satisfies ClosedLips);
  }
});

function drawn(still: Still, face: MeshFace, rig: Rig): FaceImage[] {
  const values = () => new Float32Array(HEADS.length);
  const mouths: MouthTrack = {
    open: values(),
    wide: values(),
    press: values().fill(1),
    bite: values(),
    tongue: values(),
    kept: values(),
  };
  const motion: MotionTrack = {
    lids: values(),
    gazeX: values(),
    gazeY: values(),
    brows: values(),
    swayX: values(),
    swayY: Float32Array.from(HEADS, ({ swayY }) => swayY),
    yaw: Float32Array.from(HEADS, ({ yaw }) => yaw),
    pitch: Float32Array.from(HEADS, ({ pitch }) => pitch),
    roll: values(),
    breath: values(),
  };
  const painter = meshPainter(still, rig, mouths, motion);
  return HEADS.map((_, index) => {
    painter.draw(index);
    return faceOf(painter.frame, still, face);
  });
}

/** The part of a frame that shows the face, with room about it. */
function faceOf(frame: Uint8Array, { width, height }: Still, face: MeshFace): FaceImage {
  const at = (axis: number) => face.points.filter((_, i) => i % 3 === axis).map((value) => value / OVERSAMPLE);
  const [xs, ys] = [at(0), at(1)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const side = Math.max(right - left, bottom - top);
  const whole = (value: number, length: number) => Math.round(Math.min(Math.max(0, value), length));
  const centre = { x: (left + right) / 2, y: (top + bottom) / 2 };
  const [x, y] = [whole(centre.x - side * ABOUT, width), whole(centre.y - side * ABOUT, height)];
  const [wide, tall] = [whole(centre.x + side * ABOUT, width) - x, whole(centre.y + side * ABOUT, height) - y];
  const rgba = toRgba(planesOf(frame, width, height));
  const rgb = new Uint8Array(wide * tall * 3);
  for (let row = 0, to = 0; row < tall; row++) {
    for (let from = ((y + row) * width + x) * 4, end = from + wide * 4; from < end; from += 4) {
      for (let colour = 0; colour < 3; colour++) rgb[to++] = rgba[from + colour] as number;
    }
  }
  const lean = Math.atan2(face.across.y, face.across.x);
  return {
    pixels: { rgb, width: wide, height: tall },
    face: { centre: { x: centre.x - x, y: centre.y - y }, side, lean },
  };
}
