/**
 * What shows between parted lips: the still's own upper teeth where it has them, else drawn ones in its light; tongue and
 * the dark behind. Teeth hang on the skull: they do not follow the lips.
 */
import type { Planes } from '../../../codec/colour.ts';
import { sample } from '../../graphics/face/sample.ts';
import { type Colour, medianColour } from '../../graphics/face/skin.ts';
import { clamp01, smoothstep } from '../../graphics/numbers.ts';
import { type Inside, inside as ink, paintInside } from '../mouth-interior.ts';
import { LANDMARK, type MeshFace } from './mesh-face.ts';
import type { MouthMesh } from './mouth-mesh.ts';
import { COLUMNS, type Curve, GREY, type MouthOutline } from './mouth-outline.ts';

/** The still's upper teeth: how much of each pixel of a box of the source is one. */
interface Teeth {
  left: number;
  top: number;
  width: number;
  height: number;
  share: Uint8Array;
}

/** How the inside looks in this frame, and how much of it is as the still shows it. */
interface Within extends Inside {
  kept: number;
}

/** Paints teeth and tongue between open lips. */
export interface InsidePainter {
  /** Draws into the opening, whose corners the head has carried to `upper` and `lower` (x, y pairs in the video). */
  paint(mouth: MouthMesh, state: Within, upper: Float32Array, lower: Float32Array): void;
}

/** A strip of teeth narrower than this, in heights of the face, is too little to go by. */
const LEAST_GAP = 0.022;
/** Skin and lips less coloured than the first are those of a photograph without colours; than the second, of one with all. */
const COLOURED = [2, 12] as const;
/** Share of their light that teeth have between lips that only just part, and the gap at which they have all of it. */
const SHADED = { least: 0.66, until: 0.3 } as const;
/** Brightness of the drawn teeth and tongue goes by that of the skin; this skin needs no change. */
const USUAL_SKIN = 165;

export function insidePainter(shape: MouthOutline, face: MeshFace, source: Planes, frame: Planes): InsidePainter {
  const teeth = shape.gap > face.height * LEAST_GAP ? teethOf(shape, source) : undefined;
  const cheek = face.at(LANDMARK.leftCheek);
  const skin = medianColour(source, cheek.x - 8, cheek.y - 8, 16, 16);
  const light = Math.min(1.12, Math.max(0.42, (skin.y - 16) / (USUAL_SKIN - 16)));
  const lip = lipBelow(shape, source);
  const most = Math.max(...[skin, lip].map(({ u, v }) => Math.hypot(u - 128, v - 128)));
  const colours = smoothstep(0, 1, (most - COLOURED[0]) / (COLOURED[1] - COLOURED[0]));
  return {
    paint(mouth, state, upper, lower) {
      if (mouth.gap < 0.4) return;
      const shown = teeth ? { ...state, teeth: 0 } : state;
      for (let k = 0; k + 1 < COLUMNS; k++) {
        paintColumn({ shape, mouth, source, frame, teeth, light, colours, skin, state: shown, upper, lower }, k);
      }
    },
  };
}

interface Drawing {
  shape: MouthOutline;
  mouth: MouthMesh;
  source: Planes;
  frame: Planes;
  teeth: Teeth | undefined;
  light: number;
  /** 0 in a photograph without colours, 1 in one with them. */
  colours: number;
  skin: Colour;
  state: Within;
  upper: Float32Array;
  lower: Float32Array;
}

/** One strip between two columns of the lips, as two triangles. */
function paintColumn(drawing: Drawing, k: number): void {
  const corner = (edge: Float32Array, i: number, t: number): Corner => [edge[i * 2]!, edge[i * 2 + 1]!, i, t];
  const { upper, lower } = drawing;
  const [a, b] = [corner(upper, k, 0), corner(upper, k + 1, 0)];
  const [c, d] = [corner(lower, k, 1), corner(lower, k + 1, 1)];
  paintTriangle(drawing, a, b, c);
  paintTriangle(drawing, b, d, c);
}

/** x, y in the video, column, and 0 at the upper lip to 1 at the lower one. */
type Corner = [x: number, y: number, column: number, t: number];

function paintTriangle(drawing: Drawing, a: Corner, b: Corner, c: Corner): void {
  const { frame } = drawing;
  const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
  if (Math.abs(area) < 1e-3) return;
  const left = Math.max(0, Math.floor(Math.min(a[0], b[0], c[0])));
  const right = Math.min(frame.width, Math.ceil(Math.max(a[0], b[0], c[0])));
  const top = Math.max(0, Math.floor(Math.min(a[1], b[1], c[1])));
  const bottom = Math.min(frame.height, Math.ceil(Math.max(a[1], b[1], c[1])));
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const [px, py] = [x + 0.5 - a[0], y + 0.5 - a[1]];
      const ofB = (px * (c[1] - a[1]) - py * (c[0] - a[0])) / area;
      const ofC = (py * (b[0] - a[0]) - px * (b[1] - a[1])) / area;
      // A little beyond the edges: what lies over the lips is drawn over by them.
      if (ofB < -0.02 || ofC < -0.02 || ofB + ofC > 1.02) continue;
      const ofA = 1 - ofB - ofC;
      paintPixel(drawing, ofA * a[2] + ofB * b[2] + ofC * c[2], clamp01(ofA * a[3] + ofB * b[3] + ofC * c[3]), x, y);
    }
  }
}

function paintPixel(
  { shape, mouth, source, frame, teeth, light, colours, skin, state }: Drawing,
  column: number,
  t: number,
  x: number,
  y: number,
): void {
  const u = along(mouth.upper.u, column) * (1 - t) + along(mouth.lower.u, column) * t;
  const [high, low] = [along(mouth.upper.v, column), along(mouth.lower.v, column)];
  const v = high + (low - high) * t;
  const s = along(shape.places, column);
  paintInside(state, shape, s, v - high, low - v, v - along(shape.line.v, column));
  // Without colours: in the tone of the skin, which a brownish print has too.
  const tone = (drawn: number, own: number) => 128 + (drawn - 128) * colours + (own - 128) * (1 - colours);
  let [luma, cb, cr] = [16 + (ink.y - 16) * light, tone(ink.u, skin.u), tone(ink.v, skin.v)];
  const own = state.kept > 0 ? state.kept * insideStill(shape, column, v) : 0;
  if (teeth || own > 0) {
    const sx = shape.origin.x + shape.across.x * u + shape.down.x * v;
    const sy = shape.origin.y + shape.across.y * u + shape.down.y * v;
    const share = Math.max(own, teeth ? shareAt(teeth, sx, sy) : 0);
    if (share > 0) {
      const within = SHADED.least + (1 - SHADED.least) * smoothstep(0, 1, mouth.gap / (shape.half * SHADED.until));
      const drawn = (0.62 + 0.38 * smoothstep(0, 1, (v - high) / (shape.half * 0.14))) * within;
      const shade = drawn + (1 - drawn) * own;
      luma += (16 + (sample(source.y, source.width, source.height, sx - 0.5, sy - 0.5) - 16) * shade - luma) * share;
      const [hw, hh] = [source.width >> 1, source.height >> 1];
      cb += (sample(source.u, hw, hh, sx / 2 - 0.5, sy / 2 - 0.5) - cb) * share;
      cr += (sample(source.v, hw, hh, sx / 2 - 0.5, sy / 2 - 0.5) - cr) * share;
    }
  }
  frame.y[y * frame.width + x] = luma + 0.5;
  if ((x | y) & 1) return;
  const at = (y >> 1) * (frame.width >> 1) + (x >> 1);
  frame.u[at] = cb + 0.5;
  frame.v[at] = cr + 0.5;
}

/** 1 where the still shows the inside of its mouth, and not its lips. */
function insideStill({ upper, lower, half }: MouthOutline, column: number, v: number): number {
  const [above, below] = [v - along(upper.v, column), along(lower.v, column) - v];
  return clamp01(Math.min(above, below) / (half * 0.03) + 0.5);
}

function along(values: Float32Array, column: number): number {
  const k = Math.min(COLUMNS - 2, column | 0);
  return (values[k] as number) + ((values[k + 1] as number) - (values[k] as number)) * (column - k);
}

function shareAt({ left, top, width, height, share }: Teeth, x: number, y: number): number {
  const [column, row] = [x - 0.5 - left, y - 0.5 - top];
  if (column < 0 || row < 0 || column >= width - 1 || row >= height - 1) return 0;
  return sample(share, width, height, column, row) / 255;
}

/**
 * Teeth are less red than the lip by so many levels, in warm light too; or brighter by so many, and where lips are pale less red by such
 * a share of its own red. A tongue is neither.
 */
const LESS_RED = 3;
const BRIGHTER = 25;
const LESS_RED_PALE = 0.35;

/** Upper teeth in the still's open mouth: what is bright and not red below the upper lip, down to the first dark. */
function teethOf(shape: MouthOutline, source: Planes): Teeth | undefined {
  const { origin, across, down } = shape;
  const seen = pixelsBetween(shape, source);
  if (seen.length < 30) return undefined;
  const bright = seen.map(({ y }) => y).sort((one, other) => other - one)[Math.floor(seen.length * 0.1)] as number;
  const white = seen.filter(({ y }) => y > bright * 0.8);
  const red = white.reduce((sum, { v }) => sum + v, 0) / white.length;
  const lip = lipBelow(shape, source);
  // Where lips have no colour, they are distinguished from teeth by being darker; where they have little, by both.
  const isGrey = Math.hypot(lip.u - 128, lip.v - 128) < GREY;
  const lessRed = lip.v - red;
  const isUnlike =
    (!isGrey && lessRed >= LESS_RED) ||
    (bright - lip.y > BRIGHTER && (isGrey || lessRed > Math.max(0, LESS_RED_PALE * (lip.v - 128))));
  if (bright < 70 || !isUnlike || white.length < seen.length * 0.12) return undefined;
  const limit = isGrey ? 255 : (lip.v + red) / 2 + 5;
  const isTooth = (u: number, v: number) => {
    const [x, y] = [origin.x + across.x * u + down.x * v, origin.y + across.y * u + down.y * v];
    const luma = sample(source.y, source.width, source.height, x - 0.5, y - 0.5);
    return (
      luma > bright * 0.42 && sample(source.v, source.width >> 1, source.height >> 1, x / 2 - 0.5, y / 2 - 0.5) < limit
    );
  };
  const edge = lowerEdge(shape, isTooth);
  return edge && filled(shape, edge);
}

/** The lower lip's colour in its middle. */
function lipBelow({ origin, lower, half }: MouthOutline, source: Planes): Colour {
  const top = origin.y + (lower.v[COLUMNS >> 1] as number) + 1;
  return medianColour(source, origin.x - half * 0.3, top, half * 0.6, half * 0.1);
}

/** Upper teeth are no taller than this, in halves of the mouth's width: what goes on is a tongue. */
const TALLEST = 0.38;
/** How many places across the mouth the teeth's lower edge is looked for in. */
const EDGE = 48;

/** In the middle half of a mouth, so many times as tall as what a quarter of it does not reach, is no more than this share of its teeth. */
const FANGS = { taller: 2, places: 0.15 } as const;

/**
 * The lower edge of the upper teeth from the left corner to the right, evened; above the lip where there are none. Undefined where
 * they are no row: of a mouth that shows its lower teeth and the dark above them, specks would stay as fangs.
 */
function lowerEdge(
  { upper, lower, half }: MouthOutline,
  isTooth: (u: number, v: number) => boolean,
): Float32Array | undefined {
  const [from, to] = [upper.u[0] as number, upper.u[COLUMNS - 1] as number];
  const found = Array.from({ length: EDGE }, (_, i) => {
    const u = from + ((to - from) * (i + 0.5)) / EDGE;
    const [top, bottom] = [curveAt(upper, u), curveAt(lower, u)];
    let [last, dark] = [top - half * 0.05, 0];
    for (let v = top; v < bottom; v += 0.5) {
      dark = isTooth(u, v) ? 0 : dark + 0.5;
      if (dark === 0) last = v;
      if ((dark > half * 0.05 && last > top) || v > top + half * TALLEST) break;
    }
    return last;
  });
  const tops = Array.from({ length: EDGE }, (_, i) => curveAt(upper, from + ((to - from) * (i + 0.5)) / EDGE));
  const rooms = tops.map((top, i) => curveAt(lower, from + ((to - from) * (i + 0.5)) / EDGE) - top);
  const heights = rowOfTeeth(found.map((last, i) => last - (tops[i] as number))).map((height, i) =>
    Math.min(height, rooms[i] as number),
  );
  const middle = heights.slice(EDGE / 4, EDGE - EDGE / 4);
  // Towards the corners teeth are no taller than in the middle: what is bright there is the cheek's wet skin, or a lower tooth.
  const tallest = Math.max(...middle);
  const short = middle.toSorted((one, other) => one - other)[middle.length >> 2] as number;
  const tall = middle.filter((height) => height > short * FANGS.taller);
  if (tall.length > middle.length * FANGS.places) return undefined;
  return Float32Array.from(heights, (_, i) => {
    const near = [-2, -1, 0, 1, 2].map((step) => Math.min(EDGE - 1, Math.max(0, i + step)));
    return (
      near.reduce((sum, k) => sum + (tops[k] as number) + Math.min(heights[k] as number, tallest), 0) / near.length
    );
  });
}

/** Places on each side within which the tallest tooth speaks for one that stands in the shade. */
const NEIGHBOURS = 5;
/** A side in the shade has teeth almost as tall as the other's. */
const MIRRORED = 0.9;

/** A row without holes: teeth that shade or a glint hides are as tall as their neighbours, or those of the other side. */
function rowOfTeeth(seen: number[]): number[] {
  const at = (i: number) => seen[Math.min(EDGE - 1, Math.max(0, i))] as number;
  const around = (i: number, reach: number) => Array.from({ length: reach * 2 + 1 }, (_, k) => at(i + k - reach));
  const middle = seen.map((_, i) => around(i, 2).sort((p, q) => p - q)[2] as number);
  const whole = middle.map((height, i) => Math.max(height, (middle[EDGE - 1 - i] as number) * MIRRORED));
  return whole.map((height, i) => {
    const near = whole.slice(Math.max(0, i - NEIGHBOURS), i + NEIGHBOURS + 1);
    const [left, right] = [whole.slice(Math.max(0, i - NEIGHBOURS), i + 1), near.slice(-NEIGHBOURS - 1)];
    // A hole has teeth on both sides of it; towards the corners the row ends as it was seen.
    return Math.max(height, Math.min(Math.max(...left), Math.max(...right)));
  });
}

/** Everything between the upper lip and that edge, with a soft rim. */
function filled({ origin, across, down, upper, half }: MouthOutline, edge: Float32Array): Teeth {
  const reach = half * 1.1;
  const [left, top] = [Math.floor(origin.x - reach), Math.floor(origin.y - reach)];
  const side = Math.ceil(reach * 2);
  const teeth: Teeth = { left, top, width: side, height: side, share: new Uint8Array(side * side) };
  const [from, to] = [upper.u[0] as number, upper.u[COLUMNS - 1] as number];
  const soft = Math.max(1.2, half * 0.025);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const [dx, dy] = [column + left + 0.5 - origin.x, row + top + 0.5 - origin.y];
      const u = dx * across.x + dy * across.y;
      const v = dx * down.x + dy * down.y;
      if (u < from || u > to) continue;
      const place = Math.min(EDGE - 1.001, Math.max(0, ((u - from) / (to - from)) * EDGE - 0.5));
      const one = edge[place | 0] as number;
      const low = one + ((edge[(place | 0) + 1] as number) - one) * (place % 1);
      const sides = smoothstep(0, 1, Math.min(u - from, to - u) / (half * 0.12));
      teeth.share[row * side + column] =
        255 * smoothstep(0, 1, (low - v) / soft + 0.5) * smoothstep(0, 1, (v - curveAt(upper, u)) / soft + 1.5) * sides;
    }
  }
  return teeth;
}

function pixelsBetween(
  { origin, across, down, upper, lower }: MouthOutline,
  source: Planes,
): { y: number; v: number }[] {
  const out: { y: number; v: number }[] = [];
  const [from, to] = [upper.u[2] as number, upper.u[COLUMNS - 3] as number];
  for (let u = from; u < to; u++) {
    for (let v = curveAt(upper, u) + 1; v < curveAt(lower, u) - 1; v++) {
      const x = Math.round(origin.x + across.x * u + down.x * v);
      const y = Math.round(origin.y + across.y * u + down.y * v);
      if (x < 0 || y < 0 || x >= source.width || y >= source.height) continue;
      out.push({
        y: source.y[y * source.width + x] as number,
        v: source.v[(y >> 1) * (source.width >> 1) + (x >> 1)] as number,
      });
    }
  }
  return out;
}

/** A curve's v at a place across the mouth. */
function curveAt({ u, v }: Curve, at: number): number {
  for (let k = 0; k + 1 < COLUMNS; k++) {
    const [one, other] = [u[k] as number, u[k + 1] as number];
    if (at <= other || k + 2 === COLUMNS)
      return (v[k] as number) + (((v[k + 1] as number) - (v[k] as number)) * (at - one)) / (other - one || 1);
  }
  return v[0] as number;
}
