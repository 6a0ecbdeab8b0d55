/**
 * Where a known face is after an edit, so that an edited portrait still moves by its exact rig. Edits that move the face
 * where it cannot be followed (turned, joined with others, cut off) lose it: the image is then looked at anew.
 */
import type { Point, Rig, RigEye } from '../../../../ports/index.ts';
import type { Size } from '../sizes.ts';
import { cropBox } from './crop-and-turn.ts';
import type { Edit } from './rules.ts';

/** From fractions of one image to fractions of another: `to = from * k + d` on each axis; a negative `kx` mirrors. */
interface Move {
  kx: number;
  ky: number;
  dx: number;
  dy: number;
}

/** Eyes and mouth must be inside by this much for a face to count as shown. */
const INSIDE = 0.01;
/** These leave colours as they were; after the others they are read off the image. */
const KEEPS_COLOURS: ReadonlySet<Edit['op']> = new Set(['crop', 'flip', 'frame', 'caption', 'add', 'collage', 'blend']);

/**
 * The rig after one edit of its image, without landmarks, which are looked for anew, and without the look, which is no
 * longer what is seen; undefined when the face cannot be followed.
 */
export function rigAfter(whole: Rig, edit: Edit, before: Size, after: Size): Rig | undefined {
  const { landmarks: _points, look: _drawn, ...rest } = whole;
  const rig: Rig = { ...rest, version: 1 };
  const kept = KEEPS_COLOURS.has(edit.op) ? rig : withoutColours(rig);
  switch (edit.op) {
    case 'crop': {
      const [x, y, w, h] = cropBox(before, edit.region);
      return rigOfPart(kept, before, { x, y, w, h });
    }
    case 'frame': {
      const edge = (after.width - before.width) / 2;
      const part = { x: -edge, y: -edge, w: after.width, h: after.height };
      return rigOfPart(kept, before, part);
    }
    case 'flip':
      return edit.axis === 'horizontal' ? moved(kept, { kx: -1, ky: 1, dx: 1, dy: 0 }) : undefined;
    case 'rotate':
      return edit.degrees % 360 === 0 ? kept : undefined;
    default:
      return kept;
  }
}

/** The rig in a part of its image, which may also reach beyond it; all in pixels of that image. */
export function rigOfPart(rig: Rig, of: Size, part: { x: number; y: number; w: number; h: number }): Rig | undefined {
  const { x, y, w, h } = part;
  return moved(rig, { kx: of.width / w, ky: of.height / h, dx: -x / w, dy: -y / h });
}

function moved(rig: Rig, { kx, ky, dx, dy }: Move): Rig | undefined {
  const isMirrored = kx < 0;
  const k = Math.abs(kx);
  const point = ({ x, y }: Point): Point => ({ x: x * kx + dx, y: y * ky + dy });
  const eye = (one: RigEye): RigEye => ({ ...point(one), rx: one.rx * k, ry: one.ry * ky });
  const corner = point({ x: isMirrored ? rig.face.x + rig.face.w : rig.face.x, y: rig.face.y });
  const { leftBrow, rightBrow, head } = rig;
  const eyes = [eye(rig.leftEye), eye(rig.rightEye)] as const;
  const brows = [leftBrow && point(leftBrow), rightBrow && point(rightBrow)] as const;
  const [left, right] = isMirrored ? [1, 0] : [0, 1];
  const mouth = { ...point(rig.mouth), w: rig.mouth.w * k, h: rig.mouth.h * ky };
  const isShown = [...eyes, mouth].every(({ x, y }) => x > INSIDE && x < 1 - INSIDE && y > INSIDE && y < 1 - INSIDE);
  if (!isShown) return undefined;
  const { leftBrow: _left, rightBrow: _right, landmarks: _points, look: _drawn, ...rest } = rig;
  return {
    ...rest,
    version: 1,
    face: { ...corner, w: rig.face.w * k, h: rig.face.h * ky },
    leftEye: eyes[left] as RigEye,
    rightEye: eyes[right] as RigEye,
    mouth,
    chin: point(rig.chin),
    ...(brows[left] ? { leftBrow: brows[left] } : {}),
    ...(brows[right] ? { rightBrow: brows[right] } : {}),
    ...(head ? { head: head.map(point) } : {}),
  };
}

function withoutColours({ skin: _skin, lips: _lips, lid: _lid, ...rest }: Rig): Rig {
  return rest;
}
