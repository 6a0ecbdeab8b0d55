import { curve, type Pen, trace } from '../layer.ts';
import { type Random } from '../random.ts';
import type { Face, Pt } from '../shape.ts';
import { drawLocks, drawMass, type HairInk } from '../strands.ts';
import type { PersonTraits } from '../traits.ts';

export interface Scene {
  pen: Pen;
  face: Face;
  traits: PersonTraits;
  ink: HairInk;
  random: Random;
}

/** The hairline and the silhouette of hair of some thickness, both for a in -1 (left sideburn) .. 1 (right). */
export function cap(face: Face, volume: number, lift = volume): { inner: (a: number) => Pt; outer: (a: number) => Pt } {
  const { w, top, hairline: h } = face;
  const inner = curve(
    [
      [-w * 0.98, 6],
      [-w * 0.93, -34],
      [-w * 0.76, -58],
      [-w * 0.62, h + 12],
      [-w * 0.3, h + 1],
      [0, h - 1],
      [w * 0.3, h + 1],
      [w * 0.62, h + 12],
      [w * 0.76, -58],
      [w * 0.93, -34],
      [w * 0.98, 6],
    ],
    60,
  );
  const v = volume;
  const outer = curve(
    [
      [-w * 1.02, 2],
      [-w - v * 0.62, -38],
      [-w - v * 0.72, -74],
      [-w * 0.77 - v * 0.52, -110 - v * 0.44],
      [-w * 0.44, top - lift + 8],
      [0, top - lift],
      [w * 0.44, top - lift + 8],
      [w * 0.77 + v * 0.52, -110 - v * 0.44],
      [w + v * 0.72, -74],
      [w + v * 0.62, -38],
      [w * 1.02, 2],
    ],
    60,
  );
  const on = (line: Pt[]) => (a: number) => line[Math.round(Math.max(0, Math.min(1, (a + 1) / 2)) * 60)]!;
  return { inner: on(inner), outer: on(outer) };
}

export const RUN = Array.from({ length: 41 }, (_, i) => i / 20 - 1);

/** Fills the cap and combs it: `comb` says where a strand rooted at a ends. */
export function paintCap(
  s: Scene,
  volume: number,
  comb: (a: number) => number,
  options: { lift?: number; from?: number; density?: number; arc?: number; gloss?: number } = {},
): void {
  const { pen, face, ink, random } = s;
  const { inner, outer } = cap(face, volume, options.lift);
  const set = RUN.filter((a) => Math.abs(a) >= (options.from ?? 0));
  const mid = (a: number, t: number): Pt => {
    const [p, q] = [inner(a), outer(a)];
    return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
  };
  pen.save();
  // Cut along the silhouette: strands that end in the open look like grass.
  trace(pen, [...RUN.map((a) => outer(a)), [face.w * 1.02, 60], [-face.w * 1.02, 60]]);
  pen.clip();
  pen.fillStyle = ink.dark[0]!;
  const parts = options.from ? [set.filter((a) => a < 0), set.filter((a) => a > 0)] : [set];
  for (const part of parts) {
    trace(pen, [...part.map((a) => mid(a, 0.1)), ...part.map((a) => mid(a, 0.96)).reverse()]);
    pen.fill();
    const guides = part.map((a): Pt[] => {
      const end = comb(a);
      return [0, 0.33, 0.66, 1].map((t) =>
        mid(a + (end - a) * t ** 1.3, t * (1 + (options.arc ?? 0) * Math.sin(Math.PI * t))),
      );
    });
    drawMass(pen, guides, ink, random, {
      fine: 0.55,
      density: options.density ?? 1.5,
      jitter: 2.4,
      gloss: options.gloss ?? 0.7,
    });
    drawLocks(pen, guides, ink, random, { count: 110, width: [0.8, 1.8], jitter: 3.2, ragged: [0, 0.7], alpha: 0.8 });
  }
  pen.restore();
}
