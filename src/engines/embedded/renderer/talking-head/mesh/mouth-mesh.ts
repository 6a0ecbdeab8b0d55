/**
 * The lower face as a mesh about the lips: rings from the lips' inner edges out to nose, cheeks and neck. Sets where each
 * vertex is for a pose; begins from the closed mouth at ease, not from what the still shows. Reads no pixels.
 */
import { smoothstep } from '../../graphics/numbers.ts';
import type { MouthPose } from '../phonemes.ts';
import { COLUMNS, type Curve, type MouthOutline, withJaw } from './mouth-outline.ts';
import { gridTriangles, type Mesh } from './raster.ts';

/** Rings about the lips: inner edge, within the lip, its outer edge, then skin; in the last one nothing moves. */
const LIP_RINGS = 3;
const RINGS = 9;
/** How much of the outer lips' motion the skin's rings keep, above and below. */
const KEPT_ABOVE = [0.72, 0.5, 0.3, 0.14, 0.04, 0];
const SKIN_RINGS = RINGS - LIP_RINGS;
/** Columns of the upper half, then of the lower half but for both corners, in one round. */
const ROUND = COLUMNS * 2 - 2;
/** Pixels of the source over which the lips' inner edges fade. */
const FADE = 1.6;
/** At least this much of half the mouth's width: lips are round, and a sharp cut between them and the teeth is a paper mask's. */
const FADE_OF_HALF = 0.05;

/** From the closed lips of the still to lips at ease: shares of the way that each part goes. */
const EASE = {
  /** Less at the outer edge of a lip, so that lips drawn thin by a smile grow a little fuller; with more they seem to part. */
  outerEdgeLess: 0.4,
  /** Sideways, less at the outer edge. */
  asideLess: 0.1,
  /** The skin next to the lips; none in the outermost ring. With more, cheeks and folds no longer look like the same person's. */
  skin: 0.5,
} as const;

/** The outermost ring, and how the rings lie between it and the lips. */
const SKIN = {
  /** Rings lie at `share ** density` of the way out: denser near the lips. */
  density: 1.35,
  /** Aside, in half widths of the mouth. */
  aside: 2.05,
  /** Up, in distances from the lips to the nose. */
  up: 0.92,
  /** Down, in distances from the lips to the chin. */
  down: 1.62,
  /** Exponent of its outline: 1 is an ellipse, 0 a rectangle. */
  corners: 0.8,
  /** Height of the lips' own outline, in half widths of the mouth: the rings' angles follow from it. */
  lipsHeight: 0.45,
} as const;

/**
 * How a pose of 1 (`MouthPose`) shows, tuned by eye on portraits and measured in `test/engines/renderer/talking-head/mesh.test.ts`. `round` is
 * the weight of a rounded mouth (wide below 0), `spread` of a spread one (above 0).
 */
const POSE = {
  /** The opening, in the largest openings of this mouth: rounding makes it lower, spreading higher, a bite leaves a gap. */
  gap: { roundLess: 0.1, spreadMore: 0.4, bite: 0.18 },
  /** Lips that are closed in the still hide a small opening between them, so they open sooner: exponent of the opening. */
  sooner: 0.85,
  /** Share of the opening by which the upper lip lifts; the lower one falls by the rest. */
  lift: { rest: 0.16, round: 0.2, spread: 0.06, bite: 0.7 },
  /** Factor of the mouth's width. */
  width: { spread: 0.1, roundLess: 0.28 },
  /**
   * How much less a mouth is rounded that smiles in the still: its corners are far apart, and the skin about them creased. And one that
   * is closed where the landmarks see it apart.
   */
  partedLess: 0.2,
  pressedLess: 0.28,
  /** Part of the mouth's width that opens. */
  aperture: { roundLess: 0.3, biteLess: 0.1 },
  /** Exponent of the opening's outline: 0.8 is a lens with sharp corners, 0.5 an ellipse. */
  outline: { rest: 0.8, roundLess: 0.3 },
  /**
   * Share of a lip's thickness that goes (pressed, spread) or comes (pouting). Lips that are far apart in the still are pressed more
   * firmly, the lower one most; without colours, where light alone distinguishes a lip from teeth, still more.
   */
  thinner: {
    press: 0.18,
    /** A smile makes lips thin: shut and not pressed at all, the upper one grows by this share of `press` instead. */
    easeMore: 0.5,
    agapeMore: { coloured: 0.05, grey: 0.12 },
    agapeMoreBelow: { coloured: 0.24, grey: 0.3 },
    roundLess: 0.22,
    spread: 0.12,
  },
  /** How much less of that there is at the corners. */
  cornersThinLess: 0.6,
  /** The lips' motion that reaches no skin: skin follows in the inner part of its rings. */
  skinNear: 1.35,
  /** Shares of the lift that the outer edge of the upper lip loses, and that the skin above it follows. */
  upperEdgeLess: 0.16,
  skinAbove: 0.84,
} as const;

/**
 * At f and v the lower lip comes up to the upper teeth, by which they are recognised: more of what the still's smile keeps stays of the
 * upper lip, and less of the lower one, so that between them it is as much as the pose says.
 */
const BITE = { aboveMore: 0.35, belowLess: 0.4 } as const;
/** Who smiles is spread already: by this share less where all of the smile stays. */
const SPREAD_LESS = 0.8;

/** Closed lips have rolled in whole at this opening. */
const ROLLED = 0.15;

/** How the lower face follows an opening. */
const JAW = {
  /** Shares of the lip's fall: of the jaw, of the skin next to the lip; less by each ring within the lip. */
  fall: 0.62,
  skin: 0.94,
  lipRingLess: 0.06,
  /** Exponent by which the jaw's fall ends towards the cheeks. */
  asidePower: 1.5,
  /** Where the lip's fall becomes the jaw's: from so many half widths below the line, over such a share of the chin's distance. */
  from: 0.3,
  over: 0.5,
  /** Where all of it ends below the chin, in distances from the lips to the chin. */
  end: 1.02,
  fade: 0.6,
  /** Share of the motion that the outermost ring loses, and how many rings before the last it is lost whole. */
  outerLess: 0.35,
  outerRings: 0.5,
} as const;

/** Positions in the still's own pixels, before the head moves. */
export interface MouthMesh {
  mesh: Mesh;
  /** The lips alone, in one colour; who draws them sets `alpha` of its columns by `shadeLips`. */
  shade: Mesh;
  /** Lips' inner edges fading into what is between them. */
  rim: Mesh;
  /** u, v of each vertex now. */
  now: Float32Array;
  rimNow: Float32Array;
  /** Inner edges now, by column. */
  upper: Curve;
  lower: Curve;
  /** Height of the opening in its middle. */
  gap: number;
  pose(pose: MouthPose): void;
}

interface Vertex {
  /** Column of the curves, and whether it is of the lower half. */
  column: number;
  isLower: boolean;
  ring: number;
}

/** The mesh of a mouth whose outline was measured in the still. @param rigPress `press` of its rig */
export function mouthMesh(shape: MouthOutline, rigPress = 1): MouthMesh {
  const vertices = roundVertices();
  const still = new Float32Array(vertices.length * 2);
  const ease = new Float32Array(vertices.length * 2);
  layOut(shape, vertices, still, ease);
  const [now, base] = [ease.slice(), ease.slice()];
  const from = new Float32Array(still.length);
  for (let i = 0; i < vertices.length; i++) place(shape, still, from, i);
  const roll = shape.pressed && rollOf({ ...shape, ...shape.pressed }, vertices, from, ease);
  const upper = { u: new Float32Array(COLUMNS), v: new Float32Array(COLUMNS) };
  const lower = { u: new Float32Array(COLUMNS), v: new Float32Array(COLUMNS) };
  const rim = rimOf(from);
  const fade = Math.max(FADE, shape.half * FADE_OF_HALF);
  const to = new Float32Array(from.length);
  const out: MouthMesh = {
    mesh: {
      triangles: Uint16Array.from(gridTriangles(ROUND, RINGS, 0, true)),
      from,
      to,
    },
    shade: {
      triangles: Uint16Array.from(gridTriangles(ROUND, LIP_RINGS, 0, true)),
      from: new Float32Array(ROUND * LIP_RINGS * 2).fill(2),
      to: to.subarray(0, ROUND * LIP_RINGS * 2),
      alpha: new Float32Array(ROUND * LIP_RINGS),
    },
    rim,
    now,
    rimNow: new Float32Array(rim.from.length),
    upper,
    lower,
    gap: 0,
    pose(pose) {
      roll?.(Math.max(pose.press, smoothstep(0, 1, pose.open / ROLLED)));
      const kept = shape.parted > 0 ? shape.stays(pose.kept) : 0;
      const [above, below] = [keptAbove(kept, pose.bite), kept * (1 - BITE.belowLess * pose.bite)];
      for (const [i, { isLower }] of vertices.entries()) {
        const stays = isLower ? below : above;
        for (let at = i * 2; at < i * 2 + 2; at++)
          base[at] = (ease[at] as number) + ((still[at] as number) - (ease[at] as number)) * stays;
      }
      setPose(out, shape, vertices, base, { ...pose, kept: (above + below) / 2 }, rigPress);
      setRim(out, fade);
    },
  };
  return out;
}

/** How much of the still's upper lip stays, of the `kept` and the `bite` of a pose. */
export const keptAbove = (kept: number, bite: number): number => Math.min(1, kept * (1 + BITE.aboveMore * bite));

/** How much of a shade at the lips' inner edge each ring has: it ends at the outer edge. */
const SHADED = [1, 0.3, 0] as const;
/** And how much more a lower lip has whose inner side the still shows. */
const LIT_MORE = [0.4, 1.1, 0] as const;

/**
 * Shades the lips towards the line between them.
 * @param shares 0 to 1 by column, at the inner edges @param lit how much of the lower lip's inner side the still shows, 0 to 1
 */
export function shadeLips({ alpha = new Float32Array() }: Mesh, shares: Float32Array, lit: number): void {
  for (let i = 0; i < ROUND; i++) {
    const isLower = i >= COLUMNS;
    const k = isLower ? ROUND - i : i;
    for (const [ring, share] of SHADED.entries()) {
      const more = isLower ? (LIT_MORE[ring] as number) * lit : 0;
      alpha[ring * ROUND + i] = (shares[k] as number) * share * (1 + more);
    }
  }
}

/** Lips roll in as they are pressed and as they part: changes `from` and `ease`, which are those at rest, by 0 to 1. */
function rollOf(
  pressed: MouthOutline,
  vertices: Vertex[],
  from: Float32Array,
  ease: Float32Array,
): (share: number) => void {
  const [still, easeIn, fromIn] = [ease.slice(), ease.slice(), from.slice()];
  layOut(pressed, vertices, still, easeIn);
  for (let i = 0; i < vertices.length; i++) place(pressed, still, fromIn, i);
  const [fromOut, easeOut] = [from.slice(), ease.slice()];
  let now = 0;
  return (share) => {
    if (share === now) return;
    now = share;
    for (let i = 0; i < from.length; i++) {
      from[i] = (fromOut[i] as number) + ((fromIn[i] as number) - (fromOut[i] as number)) * share;
      ease[i] = (easeOut[i] as number) + ((easeIn[i] as number) - (easeOut[i] as number)) * share;
    }
  };
}

function roundVertices(): Vertex[] {
  const vertices: Vertex[] = [];
  for (let ring = 0; ring < RINGS; ring++) {
    for (let k = 0; k < COLUMNS; k++) vertices.push({ column: k, isLower: false, ring });
    for (let k = COLUMNS - 2; k > 0; k--) vertices.push({ column: k, isLower: true, ring });
  }
  return vertices;
}

/** u, v of a vertex to pixels of the still. */
function place({ origin, across, down }: MouthOutline, local: Float32Array, to: Float32Array, i: number): void {
  const [u, v] = [local[i * 2] as number, local[i * 2 + 1] as number];
  to[i * 2] = origin.x + across.x * u + down.x * v;
  to[i * 2 + 1] = origin.y + across.y * u + down.y * v;
}

/** Where the vertices lie in the still, and where with the mouth closed at ease. */
function layOut(shape: MouthOutline, vertices: Vertex[], still: Float32Array, ease: Float32Array): void {
  for (const [i, { column: k, isLower, ring }] of vertices.entries()) {
    const inner = isLower ? shape.lower : shape.upper;
    const edge = isLower ? shape.lowerEdge : shape.upperEdge;
    const [iu, iv, eu, ev] = [inner.u[k], inner.v[k], edge.u[k], edge.v[k]] as [number, number, number, number];
    const lens = isLower && shape.jaw > 0 ? withJaw((k / (COLUMNS - 1)) * 2 - 1) : 0;
    // Where the jaw comes up it takes lip, chin and skin along, and only the rest is left to the lips.
    const up = (u: number, v: number) => (lens > 0 ? dropAt(shape, shape.jaw, lens, u, v, ring) : 0);
    const closeU = (shape.line.u[k] as number) - iu;
    const closeV = (shape.line.v[k] as number) - (iv - shape.jaw * lens);
    if (ring < LIP_RINGS) {
      const share = ring / (LIP_RINGS - 1);
      still[i * 2] = iu + (eu - iu) * share;
      still[i * 2 + 1] = iv + (ev - iv) * share;
      const kept = 1 - EASE.outerEdgeLess * share;
      ease[i * 2] = (still[i * 2] as number) + closeU * (1 - EASE.asideLess * share);
      ease[i * 2 + 1] = (still[i * 2 + 1] as number) - shape.jaw * lens + closeV * kept;
      continue;
    }
    const share = (ring - LIP_RINGS + 1) / SKIN_RINGS;
    const angle = rimAngle(shape, eu, ev);
    const far = boundary(shape, angle);
    const reach = share ** SKIN.density;
    still[i * 2] = eu + (far.u - eu) * reach;
    still[i * 2 + 1] = ev + (far.v - ev) * reach;
    const kept = (1 - smoothstep(0, 1, share)) * EASE.skin;
    const [u, v] = [still[i * 2] as number, still[i * 2 + 1] as number];
    ease[i * 2] = u + closeU * kept;
    ease[i * 2 + 1] = v - up(u, v) + closeV * kept;
  }
}

const rimAngle = ({ half }: MouthOutline, u: number, v: number): number =>
  Math.atan2(v / (half * SKIN.lipsHeight), u / half);

/** The outermost ring: up to the nose, aside over the cheeks, down beyond the chin. */
function boundary({ half, toNose, toChin }: MouthOutline, angle: number): { u: number; v: number } {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const round = (value: number) => Math.sign(value) * Math.abs(value) ** SKIN.corners;
  return { u: half * SKIN.aside * round(c), v: s < 0 ? toNose * SKIN.up * round(s) : toChin * SKIN.down * round(s) };
}

/** Sets all vertices for a pose. */
function setPose(
  out: MouthMesh,
  shape: MouthOutline,
  vertices: Vertex[],
  ease: Float32Array,
  pose: MouthPose,
  rigPress: number,
): void {
  const { now, upper, lower } = out;
  const roundness = Math.max(0, -pose.wide);
  const spread = Math.max(0, pose.wide);
  const bite = pose.bite * shape.most;
  // What is apart already opens less far.
  const ajar = pose.kept * shape.gap;
  const open = pose.open ** (1 - (1 - POSE.sooner) * (1 - shape.parted));
  const asked = open * (shape.most - ajar) * (1 - POSE.gap.roundLess * roundness + POSE.gap.spreadMore * spread);
  const gap = Math.max(0, Math.min(asked, shape.most - ajar), POSE.gap.bite * bite - ajar);
  const lift =
    gap *
    Math.max(POSE.lift.rest + POSE.lift.round * roundness + POSE.lift.spread * spread, POSE.lift.bite * pose.bite);
  const drop = gap - lift;
  const narrow = POSE.width.roundLess * (1 - (shape.pressed ? POSE.pressedLess : POSE.partedLess * shape.parted));
  const further = spread * (1 - SPREAD_LESS * pose.kept);
  const scale = 1 + POSE.width.spread * further - narrow * roundness;
  const aperture = 1 - POSE.aperture.roundLess * roundness - POSE.aperture.biteLess * pose.bite;
  const power = POSE.outline.rest - POSE.outline.roundLess * roundness;
  const { press: least, easeMore, agapeMore, agapeMoreBelow } = POSE.thinner;
  const most = least + (shape.isGrey ? agapeMore.grey : agapeMore.coloured) * shape.agape;
  const press = most * rigPress * pose.press;
  const fuller = most * easeMore * Math.max(0, 1 - rigPress) * shape.parted * pose.press;
  const thinner = POSE.thinner.spread * further - POSE.thinner.roundLess * roundness;
  const squeeze = press - fuller + thinner;
  // The lower lip of a broad smile hangs in its bow, and is full enough for a rounded mouth.
  const squeezeBelow =
    press +
    thinner +
    (shape.isGrey ? agapeMoreBelow.grey : agapeMoreBelow.coloured) *
      shape.agape *
      Math.max(pose.press * rigPress, roundness);
  const last = COLUMNS - 1;
  for (const [i, { column: k, isLower, ring }] of vertices.entries()) {
    const s = shape.places[k] as number;
    const part = s / aperture;
    const lens = Math.abs(part) < 1 ? (1 - part * part) ** power : 0;
    let [u, v] = [ease[i * 2] as number, ease[i * 2 + 1] as number];
    const line = shape.line.v[k] as number;
    const skin = ring < LIP_RINGS ? 0 : (ring - LIP_RINGS + 1) / SKIN_RINGS;
    const near = 1 - smoothstep(0, 1, skin * POSE.skinNear);
    const thick = ring < LIP_RINGS ? ring / (LIP_RINGS - 1) : near;
    // Pressed lips are thinner, pouting ones fuller.
    v -=
      (v - line) *
      (isLower ? squeezeBelow : squeeze) *
      thick *
      (ring < LIP_RINGS ? 1 : near) *
      (1 - s * s * POSE.cornersThinLess);
    u += u * (scale - 1) * near;
    if (!isLower)
      v -=
        lift *
        lens *
        (ring < LIP_RINGS ? 1 - POSE.upperEdgeLess * thick : POSE.skinAbove * (KEPT_ABOVE[ring - LIP_RINGS] as number));
    else v += dropAt(shape, drop, lens, u, v, ring);
    now[i * 2] = u;
    now[i * 2 + 1] = v;
  }
  out.gap = gap + ajar;
  for (let k = 0; k < COLUMNS; k++) {
    const below = k === 0 || k === last ? k : ROUND - k;
    upper.u[k] = now[k * 2] as number;
    upper.v[k] = now[k * 2 + 1] as number;
    lower.u[k] = now[below * 2] as number;
    lower.v[k] = now[below * 2 + 1] as number;
  }
}

/** How far a vertex of the lower half falls: the lip with the opening, the chin with the jaw, the neck not at all. */
function dropAt(
  { half, toChin }: MouthOutline,
  drop: number,
  lens: number,
  u: number,
  v: number,
  ring: number,
): number {
  const aside = u / (half * SKIN.aside);
  const jaw = drop * JAW.fall * Math.max(0, 1 - aside * aside) ** JAW.asidePower;
  const lip = drop * lens * (ring < LIP_RINGS ? 1 - JAW.lipRingLess * ring : 1);
  if (ring < LIP_RINGS) return lip;
  const toJaw = smoothstep(0, 1, (v - half * JAW.from) / (toChin * JAW.over));
  const remaining = 1 - smoothstep(0, 1, (v - toChin * JAW.end) / (toChin * JAW.fade));
  const isRim = ring === RINGS - 1 ? 0 : 1;
  return (lip * JAW.skin * (1 - toJaw) + jaw * toJaw) * remaining * isRim * sideways(ring);
}

/** Towards the outermost ring all motion ends, at the sides as well. */
const sideways = (ring: number): number =>
  1 - smoothstep(0, 1, (ring - LIP_RINGS) / (SKIN_RINGS - JAW.outerRings)) ** 2 * JAW.outerLess;

/** A strip inside the opening that carries on the lips' edge and fades. */
function rimOf(from: Float32Array): Mesh {
  const edge = from.subarray(0, ROUND * 2);
  const both = new Float32Array(ROUND * 4);
  both.set(edge);
  both.set(edge, ROUND * 2);
  const alpha = new Float32Array(ROUND * 2).fill(1, 0, ROUND);
  return {
    triangles: Uint16Array.from(gridTriangles(ROUND, 2, 0, true)),
    from: both,
    to: new Float32Array(both.length),
    alpha,
  };
}

function setRim({ now, rimNow, upper, lower }: MouthMesh, most: number): void {
  const last = COLUMNS - 1;
  for (let i = 0; i < ROUND; i++) {
    const isLower = i > last;
    const k = isLower ? ROUND - i : i;
    const gap = (lower.v[k] as number) - (upper.v[k] as number);
    const fade = Math.min(most, gap / 2);
    rimNow[i * 2] = now[i * 2] as number;
    rimNow[i * 2 + 1] = now[i * 2 + 1] as number;
    rimNow[(ROUND + i) * 2] = now[i * 2] as number;
    rimNow[(ROUND + i) * 2 + 1] = (now[i * 2 + 1] as number) + (isLower ? -fade : fade);
  }
}
