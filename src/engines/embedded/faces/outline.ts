/**
 * The outline of all that moves with the head, in patch pixels: an egg of a head's proportions, widened ray by ray to
 * the strongest edge nearby, so that hair and hats come along. Smoothed, because a ragged outline tears the picture.
 */
import { bell, UNIT } from './eyes.ts';
import { EYE_LINE, MIDDLE } from './mouth.ts';
import type { Patch } from './picture.ts';

const RAYS = 36;

/** Distance from the centre to the plain egg in a direction (unit vector, y down). */
function eggRadius(dx: number, dy: number, half: number, up: number, down: number): number {
  return 1 / Math.hypot(dx / half, dy / (dy < 0 ? up : down));
}

/** Changes at least this share of the ray's strongest also end a head: hair is striped inside, its end comes last. */
const ALSO_AN_END = 0.62;

/** Where along a ray the head ends: the outermost strong change of colour near the egg; the egg itself without one. */
function edgeAlong(patch: Patch, cy: number, dx: number, dy: number, radius: number): number {
  const pixel = (distance: number): number => {
    const x = Math.min(Math.max(Math.round(MIDDLE + dx * distance), 0), patch.width - 1);
    const y = Math.min(Math.max(Math.round(cy + dy * distance), 0), patch.height - 1);
    return (y * patch.width + x) * 3;
  };
  // A crown may lie well inside the egg (a bald head, a drawing's low forehead), an ear may not.
  const from = radius * (dy < -0.4 ? 0.68 : 0.92);
  const scores: number[] = [];
  for (let distance = from; distance <= radius * 1.45; distance++) {
    const [a, b] = [pixel(distance - 3), pixel(distance + 3)];
    const change = Math.hypot(...[0, 1, 2].map((c) => patch.rgb[a + c]! - patch.rgb[b + c]!));
    scores.push(change * bell(distance / radius, 1.05, 0.24));
  }
  const strongest = Math.max(...scores);
  if (strongest < 12) return radius;
  let last = scores.findLastIndex((score) => score >= strongest * ALSO_AN_END);
  while (last > 0 && scores[last - 1]! > scores[last]!) last--;
  return from + last;
}

/** The head as a closed polygon. `half` is half the face's width, `chin` its row. */
export function headOutline(patch: Patch, half: number, chin: number): { x: number; y: number }[] {
  const cy = EYE_LINE + UNIT * 0.25;
  const up = UNIT * 1.75;
  const down = chin - cy + UNIT * 0.08;
  const rays = Array.from({ length: RAYS }, (_, i) => {
    const angle = (i / RAYS) * 2 * Math.PI;
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    const egg = eggRadius(dx, dy, half * 1.1, up, down);
    return { dx, dy, distance: dy > 0.25 ? egg : edgeAlong(patch, cy, dx, dy, egg) };
  });
  const smooth = rays.map((_, i) => {
    const near = [-3, -2, -1, 0, 1, 2, 3].map((step) => rays[(i + step + RAYS) % RAYS]!.distance);
    return near.sort((a, b) => a - b)[3]!;
  });
  return rays.map(({ dx, dy }, i) => {
    const distance = (smooth[(i + RAYS - 1) % RAYS]! + 2 * smooth[i]! + smooth[(i + 1) % RAYS]!) / 4;
    return { x: MIDDLE + dx * distance, y: cy + dy * distance };
  });
}
