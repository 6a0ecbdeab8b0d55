/**
 * What shows between open lips: a dark cavity, the upper teeth in the shade of the lip, the tongue. Computed per
 * pixel without allocation, since it runs some ten thousand times a frame.
 */
import type { MouthShape } from '../graphics/face/geometry.ts';

/** How the inside looks in this frame. */
export interface Inside {
  /** 0 to 1: visibility of the teeth; they belong to a moderately open, not rounded mouth. */
  teeth: number;
  /** Height of the tongue's tip: 0 rests on the floor, 1 behind the teeth. */
  tongue: number;
  /** Height of the opening in the middle, pixels. */
  gap: number;
}

/** The colour `paintInside` left behind: reused instead of returned, to spare an object per pixel. */
export const inside = { y: 0, u: 0, v: 0 };

/**
 * @param s position across the opening, -1 left corner to 1 right corner
 * @param above pixels below the upper lip's edge  @param below pixels above the lower lip's edge
 * @param drop pixels below the line where the closed lips met: the teeth hang there, not on the lip
 */
export function paintInside(
  state: Inside,
  mouth: Pick<MouthShape, 'half' | 'most'>,
  s: number,
  above: number,
  below: number,
  drop: number,
): void {
  const side = 1 - s * s;
  const depth = above / (above + below + 1e-3);
  // The cavity: nearly black under the palate, a little warmer towards the floor and in the middle.
  let luma = 27 + 15 * depth * side;
  let u = 122;
  let v = 141 + 8 * depth;

  const raise = state.tongue * 0.5;
  const hill = state.gap * (0.34 + raise) * (1 - 0.75 * s * s);
  const tongue = step((hill - below) / (state.gap * 0.16 + 2)) * step((state.gap - 6) / (mouth.most * 0.35));
  if (tongue > 0) {
    const shine = step((hill - below) / (hill + 1)) * (1 - 0.1 * Math.exp(-s * s * 90));
    luma += (62 + 44 * shine * side - luma) * tongue;
    u += (117 - u) * tongue;
    v += (160 - v) * tongue;
  }

  if (state.teeth > 0.01) {
    const width = 0.2; // Of half a mouth: the middle incisors; the others narrow with the curve of the jaw.
    const place = Math.abs(s) / (width * (1 - 0.28 * Math.abs(s)));
    const fraction = place - Math.floor(place);
    const round = (fraction - 0.5) * (fraction - 0.5) * 4;
    const edge = mouth.half * (0.122 - 0.055 * s * s - 0.022 * round - (place >= 1 && place < 2 ? 0.012 : 0));
    const shown = state.teeth * step((edge - drop) / 2.4 + 0.5) * step((0.86 - Math.abs(s)) / 0.22);
    if (shown > 0) {
      // In the lip's shadow at the top, in the mouth's shadow at the sides: never a flat white strip.
      const shade = (0.5 + 0.5 * step(above / (mouth.half * 0.17))) * (0.36 + 0.64 * side);
      const groove = 1 - 0.13 * step((round - 0.62) / 0.38);
      luma += (20 + 168 * shade * groove - luma) * shown;
      u += (122 - u) * shown;
      v += (131 - v) * shown;
    }
  }

  // The lips throw a soft shadow inwards.
  const rim = Math.min(above * 1.6, below * 2.4);
  luma = 22 + (luma - 22) * (0.62 + 0.38 * step(rim / 7));
  inside.y = luma;
  inside.u = u;
  inside.v = v;
}

function step(value: number): number {
  if (value <= 0) return 0;
  if (value >= 1) return 1;
  return value * value * (3 - 2 * value);
}
