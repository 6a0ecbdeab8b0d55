/**
 * The eyes of one frame, drawn into the working copy of the source: lids in the colour of the skin around them that
 * shut fully, and small glances. Touches nothing outside the eyes' areas.
 */
import type { Planes } from '../../../codec/colour.ts';
import { clamp01 } from '../numbers.ts';
import type { Area, EyeShape } from './geometry.ts';
import { sample } from './sample.ts';
import { mix } from './skin.ts';

/** Paints lids and glances. */
export interface EyePainter {
  areas: Area[];
  /** @param lid 0 open to 1 shut. @param gazeX @param gazeY -1 to 1. */
  paint(lid: number, gazeX: number, gazeY: number): void;
}

/** The lid's outline is a little larger than the opening, so that lashes drawn round it are covered too. */
const MARGIN = 1.16;
/** How far a full glance moves the iris, in half widths and half heights of the eye. */
const GLANCE_X = 0.13;
const GLANCE_Y = 0.12;

export function eyePainter(eyes: EyeShape[], source: Planes, target: Planes): EyePainter {
  const areas = eyes.map((eye) => areaOf(eye, source));
  let last = '0 0 0';
  return {
    areas,
    paint(lid, gazeX, gazeY) {
      const now = `${lid.toFixed(3)} ${gazeX.toFixed(2)} ${gazeY.toFixed(2)}`;
      if (now === last) return;
      last = now;
      for (const [index, eye] of eyes.entries()) {
        const dx = gazeX * GLANCE_X * eye.rx;
        const dy = gazeY * GLANCE_Y * eye.ry;
        paintEye(eye, areas[index] as Area, source, target, lid, dx, dy);
      }
    },
  };
}

function areaOf(eye: EyeShape, source: Planes): Area {
  const even = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.round(value / 2) * 2));
  return {
    left: even(eye.x - eye.rx * 1.3, source.width),
    right: even(eye.x + eye.rx * 1.3, source.width),
    top: even(eye.y - eye.ry * 1.9, source.height),
    bottom: even(eye.y + eye.ry * 1.6, source.height),
  };
}

function paintEye(
  eye: EyeShape,
  area: Area,
  source: Planes,
  target: Planes,
  lid: number,
  dx: number,
  dy: number,
): void {
  const { width, height } = source;
  const [halfWidth, halfHeight] = [width >> 1, height >> 1];
  for (let row = area.top; row < area.bottom; row++) {
    for (let column = area.left; column < area.right; column++) {
      const s = (column + 0.5 - eye.x) / eye.rx;
      const t = (row + 0.5 - eye.y) / eye.ry;
      // Inside the eye the iris moves; at its rim nothing does.
      const free = Math.max(0, 1 - s * s - t * t) ** 2;
      const luma = sample(source.y, width, height, column - dx * free, row - dy * free);
      const cover = lid > 0 ? lidCover(eye, s, t, lid) : 0;
      const at = row * width + column;
      target.y[at] = luma + (skin.y - luma) * cover + 0.5;
      if ((row | column) & 1) continue;
      const cx = (column - dx * free) / 2;
      const cy = (row - dy * free) / 2;
      const u = sample(source.u, halfWidth, halfHeight, cx, cy);
      const v = sample(source.v, halfWidth, halfHeight, cx, cy);
      const small = (row >> 1) * halfWidth + (column >> 1);
      target.u[small] = u + (skin.u - u) * cover + 0.5;
      target.v[small] = v + (skin.v - v) * cover + 0.5;
    }
  }
}

/** The lid's colour at the point `lidCover` was last asked about. */
let skin = { y: 0, u: 0, v: 0 };

/** How much the lids cover a point of the eye's frame (s and t in half widths and half heights): sets `skin`. */
function lidCover(eye: EyeShape, s: number, t: number, lid: number): number {
  const wide = s / MARGIN;
  if (wide * wide >= 1) return 0;
  const arc = Math.sqrt(1 - wide * wide);
  const top = -arc * MARGIN;
  // Shut, the edge rests a little above the lower rim, bent downwards as lashes are.
  const edge = top + lid * (arc * 0.8 - top);
  const pixel = 1 / eye.ry;
  const sides = clamp01((1 - Math.abs(wide)) / 0.12);
  // Above the opening the lid fades into the image's own skin, beyond the lashes that stood there.
  const upper = clamp01((edge - t) / (pixel * 1.6) + 0.5) * clamp01((t - top + 0.66) / 0.34) * sides;
  // The lower lid comes up a little to meet it: no white is left below the edge.
  const lower = clamp01((arc * MARGIN + 0.18 - t) / 0.2) * sides * clamp01((lid - 0.55) / 0.35);
  const lash = clamp01(1.3 - Math.abs(t - edge) / Math.max(0.17, pixel * 1.6)) * Math.sqrt(arc) * sides;
  const depth = clamp01((t - top) / Math.max(0.2, edge - top));
  skin = mix(eye.above, eye.below, t > edge ? 0.85 : depth * 0.6);
  // The eyeball rounds the lid: lighter in its middle, a crease at its top.
  skin.y *= 0.97 + 0.05 * Math.sin(Math.PI * depth) * arc - 0.1 * Math.exp(-(((t - top) / 0.14) ** 2)) * lid;
  if (lash > 0) skin = mix(skin, eye.dark, lash * 0.9);
  return Math.max(upper, t > edge ? lower : 0, lash * 0.9) * clamp01(lid * 5);
}
