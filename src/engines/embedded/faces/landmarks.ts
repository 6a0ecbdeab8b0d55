/**
 * Makes a rig from the few points an owner clicks: eyes and mouth, perhaps the chin. The rest follows from the usual
 * proportions of a face, turned and scaled with the eyes. Looks at no image, so colours and brows stay unknown.
 */
import { badInput } from '../../ports/errors.ts';
import type { Point, Rig } from '../../ports/index.ts';

/** Points in fractions of the image (0..1 from the top left); left is the viewer's left. */
export interface Landmarks {
  leftEye: Point;
  rightEye: Point;
  /** Centre of the line between the lips. */
  mouth: Point;
  chin?: Point;
  /** Share of the image's width. */
  mouthWidth?: number;
  /** Width of the image over its height, which fractions alone do not give; default 1. */
  aspect?: number;
}

/** Eyes nearer than this share of the image leave a face of fewer pixels than a mouth can move in. */
const MIN_EYE_DISTANCE = 0.02;
/** Steeper than 35 degrees, the head lies on its side and the warp of the talking head would tear it. */
const MAX_SLOPE = 0.7;
/** Mouth and chin below the eyes, in eye distances. */
const MOUTH_BELOW = [0.4, 2.2] as const;
const CHIN_BELOW_MOUTH = [0.2, 1.8] as const;
const MOUTH_WIDTHS = [0.2, 2] as const;
const USUAL_CHIN_BELOW_MOUTH = 0.72;

function checkPoint(field: string, point: unknown): Point {
  const { x, y } = (point ?? {}) as Partial<Point>;
  const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1;
  if (!isShare(x) || !isShare(y)) throw badInput(field, 'must have x and y between 0 and 1.');
  return { x: x as number, y: y as number };
}

function checkRange(field: string, value: number, [least, most]: readonly [number, number], sentence: string): void {
  if (!(value >= least && value <= most)) throw badInput(field, sentence);
}

/** A rig with source 'manual'. Throws BAD_INPUT naming the field that is missing, outside 0..1 or cannot be. */
export function rigFromLandmarks(input: Landmarks): Rig {
  const aspect = input.aspect ?? 1;
  checkRange('aspect', aspect, [0.05, 20], 'must be the width of the image over its height.');
  const left = checkPoint('leftEye', input.leftEye);
  const right = checkPoint('rightEye', input.rightEye);
  const mouth = checkPoint('mouth', input.mouth);

  // Lengths are measured in heights of the image, where both axes have one scale.
  const across = { x: (right.x - left.x) * aspect, y: right.y - left.y };
  const unit = Math.hypot(across.x, across.y);
  if (across.x <= 0) throw badInput('rightEye', 'must be to the right of leftEye, as seen in the image.');
  if (unit < MIN_EYE_DISTANCE) throw badInput('rightEye', 'must be further from leftEye.');
  if (Math.abs(across.y) > MAX_SLOPE * across.x) throw badInput('rightEye', 'must be nearly level with leftEye.');
  const [cos, sin] = [across.x / unit, across.y / unit];
  const middle = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 };
  /** A point of the image in eye distances from between the eyes: across the face and down it. */
  const toFace = ({ x, y }: Point): Point => {
    const [dx, dy] = [((x - middle.x) * aspect) / unit, (y - middle.y) / unit];
    return { x: dx * cos + dy * sin, y: dy * cos - dx * sin };
  };
  const clamp = (value: number) => Math.min(Math.max(value, 0), 1);
  const toImage = ({ x, y }: Point): Point => ({
    x: clamp(middle.x + ((x * cos - y * sin) * unit) / aspect),
    y: clamp(middle.y + (x * sin + y * cos) * unit),
  });

  const lips = toFace(mouth);
  checkRange('mouth', lips.y, MOUTH_BELOW, 'must lie below the eyes, about as far as they are apart.');
  checkRange('mouth', lips.x, [-0.6, 0.6], 'must lie between the eyes.');
  const chin = input.chin ? checkPoint('chin', input.chin) : toImage({ x: lips.x, y: lips.y + USUAL_CHIN_BELOW_MOUTH });
  if (input.chin) checkChin(toFace(chin), lips);
  const mouthWidth = input.mouthWidth ?? Math.min(1, (0.8 * unit) / aspect);
  const units = (mouthWidth * aspect) / unit;
  checkRange('mouthWidth', units, MOUTH_WIDTHS, 'must be near the distance of the eyes.');
  return assemble({ left, right, mouth, chin, mouthWidth, unit, aspect, toImage, jaw: toFace(chin).y });
}

function checkChin(chin: Point, lips: Point): void {
  checkRange('chin', chin.y - lips.y, CHIN_BELOW_MOUTH, 'must lie below the mouth.');
  checkRange('chin', chin.x, [-0.9, 0.9], 'must lie below the mouth.');
}

interface Measures {
  left: Point;
  right: Point;
  mouth: Point;
  chin: Point;
  mouthWidth: number;
  /** Distance of the eyes in heights of the image. */
  unit: number;
  aspect: number;
  toImage(point: Point): Point;
  /** The chin's distance below the eyes, in eye distances. */
  jaw: number;
}

/** Fills in what was not clicked: eye openings, lips and the face's box, brows to chin and ear to ear. */
function assemble({ left, right, mouth, chin, mouthWidth, unit, aspect, toImage, jaw }: Measures): Rig {
  const opening = { rx: (0.27 * unit) / aspect, ry: 0.11 * unit };
  const corners = [-1.15, 1.15].flatMap((x) => [toImage({ x, y: -0.5 }), toImage({ x, y: jaw })]);
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return {
    version: 1,
    source: 'manual',
    face: { x, y, w: Math.max(...xs) - x, h: Math.max(...ys) - y },
    leftEye: { ...left, ...opening },
    rightEye: { ...right, ...opening },
    mouth: { ...mouth, w: mouthWidth, h: 0.26 * unit },
    chin,
  };
}
