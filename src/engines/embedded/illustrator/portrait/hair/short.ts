import { trace } from '../layer.ts';
import { between } from '../random.ts';
import type { Pt } from '../shape.ts';
import { drawCurls, drawMass } from '../strands.ts';
import { cap, paintCap, RUN, type Scene } from './scalp.ts';

/** A cloud of small curls between the hairline and a bigger silhouette. */
export function paintCloud(s: Scene, volume: number): void {
  const { pen, face, ink, random } = s;
  const { inner, outer } = cap(face, volume * 1.3, volume);
  const place = (): Pt => {
    const a = between(random, -1, 1);
    const [p, q] = [inner(a), outer(a)];
    const t = random() ** 0.7 * 1.02;
    return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t - 2];
  };
  pen.fillStyle = ink.dark[1]!;
  trace(pen, [...RUN.map((a) => inner(a)), ...RUN.map((a) => outer(a)).reverse()]);
  pen.fill();
  drawCurls(pen, ink, random, 1500, 4.6, place);
}

/** Short hair: cropped sides, and a top swept from the parting or, as a quiff, up from the hairline. */
export function paintShort(s: Scene, volume: number, quiff: boolean): void {
  const { pen, face, ink, random, traits } = s;
  const { w, top, hairline: h } = face;
  const dir = traits.hair.part > 0 ? -1 : 1;
  paintCap(s, 8, (a) => a * 1.01, { lift: 10, density: 1, gloss: 0.2 });
  const mass = { fine: 0.6, density: 1.6, jitter: 2.6, gloss: 0.55 };
  if (quiff) {
    const guides = Array.from({ length: 9 }, (_, i): Pt[] => {
      const k = i / 4 - 1;
      const x = k * w * 0.72;
      // Towards the side it falls to, the quiff must not stick out past the temple.
      const calm = 1 - 0.85 * Math.max(0, k * dir);
      const rise = volume * (1 - 0.5 * k * k * (k * dir < 0 ? 1 : 0.6));
      return [
        [x, h + 2 + k * k * 16],
        [x - dir * 3, h - 14 + k * k * 14],
        [x * 1.04 + dir * 4, top - rise + 16 + k * k * 16],
        [x * 0.97 + dir * 18 * calm, top - rise + 2 + k * k * 20],
        [x * 0.92 + dir * 34 * calm, top - rise * 0.72 + 6 + k * k * 22],
      ];
    });
    drawMass(pen, guides, ink, random, mass);
    return;
  }
  const px = -dir * w * (0.34 + 0.24 * Math.abs(traits.hair.part));
  for (const side of [-dir, dir]) {
    // The narrow side of the parting lies flat; the wide one carries the volume.
    const v = volume * (side === dir ? 1 : 0.45);
    const m = (t: number, reach: number) => px + (side * w * reach - px) * t;
    const guides: Pt[][] = [
      [
        [px, h + 4],
        [m(0.45, 0.7), h - 3],
        [m(0.85, 0.7), h + 10],
        [side * w * 0.84, -60],
        [side * w * 0.93, -38],
      ],
      [
        [px, h - 14],
        [m(0.45, 0.8), h - 32],
        [m(0.85, 0.84), h - 12],
        [side * (w + v * 0.2), -64],
        [side * (w + v * 0.3), -34],
      ],
      [
        [px, top - volume * 0.3],
        [m(0.42, 0.8), top - v * 0.7],
        [m(0.86, 0.86), top + 16],
        [side * (w + v * 0.45), -82],
        [side * (w + v * 0.5), -40],
      ],
      [
        [px, top - volume * 0.8],
        [m(0.4, 0.8), top - v - 1],
        [m(0.84, 0.9), top + 6],
        [side * (w + v * 0.55), -90],
        [side * (w + v * 0.55), -46],
      ],
    ];
    drawMass(pen, guides, ink, random, mass);
  }
}

/** What balding leaves: a fringe of hair round the sides, thinning out towards the temples. */
export function paintSides(s: Scene): void {
  const { w } = s.face;
  for (const side of [-1, 1]) {
    const guides: Pt[][] = [
      [
        [side * w * 0.86, -46],
        [side * w * 0.93, -22],
        [side * w * 0.97, 8],
      ],
      [
        [side * w * 0.9, -66],
        [side * w * 0.99, -34],
        [side * w * 1.02, 6],
      ],
      [
        [side * w * 0.91, -66],
        [side * (w + 5), -32],
        [side * w * 1.05, 2],
      ],
    ];
    drawMass(s.pen, guides, s.ink, s.random, { fine: 0.5, density: 0.7, jitter: 3, gloss: 0.2 });
  }
}
