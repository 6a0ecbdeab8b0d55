/**
 * Hair as strands: tapered strokes interpolated between guide curves, in flat inks. The light of the head is laid over
 * them by `hair-light.ts`.
 */
import { css, luma, mix, type Rgb, tone } from './colour.ts';
import { inRing, shaded } from './hair-light.ts';
import { brush, curve, type Pen } from './layer.ts';
import { between, pick, type Random } from './random.ts';
import type { Pt } from './shape.ts';

export interface HairInk {
  colour: Rgb;
  base: string[];
  dark: string[];
  /** Of the gloss, where it is strongest. */
  shine: string;
}

/** The inks of one hair colour, to be used under `underLight`. `gloss` 0..1: curls and beards shine less. */
export function inkOf(colour: Rgb, gloss = 1): HairInk {
  const flat = (shift: number): string => css(shaded(colour, shift));
  // Black hair glints as brightly as blonde only in cartoons.
  const glow = gloss * (0.4 + (0.6 * luma(colour)) / 255);
  const shine = css(mix(tone(colour, 0.42), [255, 226, 190], 0.18), 0.36 * glow);
  return { colour, base: [0.05, 0, -0.06, -0.12, -0.18].map(flat), dark: [-0.3, -0.38, -0.48].map(flat), shine };
}

export interface Locks {
  count: number;
  width: readonly [number, number];
  /** Units of random displacement of whole strands. */
  jitter?: number;
  wave?: { amp: number; turns: number };
  /** Which inks: a base coat is dark, the gloss coat shines. */
  coat?: 'dark' | 'base' | 'shine';
  /** Share of the guide a strand may lack at its start and end. */
  ragged?: readonly [number, number];
  alpha?: number;
  root?: number;
}

/** Strands between neighbouring guides, over the whole family of guides. */
export function drawLocks(
  pen: Pen,
  guides: readonly (readonly Pt[])[],
  ink: HairInk,
  random: Random,
  locks: Locks,
): void {
  const STEPS = locks.wave && locks.wave.turns > 2 ? 40 : 26;
  const lines = guides.map((g) => curve(g, STEPS));
  const { jitter = 2, ragged = [0, 0.12], wave, coat = 'base' } = locks;
  pen.globalAlpha = locks.alpha ?? 1;
  for (let n = 0; n < locks.count; n++) {
    // The dark body stays inside the mass: dark strands along the edge would outline it like a cartoon.
    const s = (coat === 'dark' ? 0.02 + 0.96 * random() : random()) * (lines.length - 1);
    const i = Math.min(lines.length - 2, Math.floor(s));
    const k = s - i;
    const [a, b] = [lines[i]!, lines[i + 1]!];
    const dx = between(random, -jitter, jitter);
    const dy = between(random, -jitter, jitter);
    const from = Math.floor(random() * ragged[0] * STEPS);
    const to = STEPS - Math.floor(random() * ragged[1] * STEPS);
    const phase = s * 2.1 + between(random, -0.35, 0.35);
    const points: Pt[] = [];
    // Thin strands need fewer points; their paths are most of a portrait's time.
    const width = between(random, locks.width[0], locks.width[1]);
    for (let j = from; j <= to; j += 2) {
      const t = j / STEPS;
      const sway = wave ? wave.amp * Math.min(1, t * 1.6) * Math.sin(t * wave.turns * Math.PI * 2 + phase) : 0;
      points.push([
        a[j]![0] + (b[j]![0] - a[j]![0]) * k + dx * t + sway,
        a[j]![1] + (b[j]![1] - a[j]![1]) * k + dy * t + sway * 0.25,
      ]);
    }
    pen.fillStyle = coat === 'shine' ? ink.shine : pick(random, ink[coat]);
    brush(pen, points, width, locks.root);
  }
  pen.globalAlpha = 1;
}

/** Four coats: a dark body that makes the silhouette, the mass, single hairs, the gloss. */
export function drawMass(
  pen: Pen,
  guides: readonly (readonly Pt[])[],
  ink: HairInk,
  random: Random,
  options: {
    fine?: number;
    density?: number;
    wave?: Locks['wave'];
    jitter?: number;
    gloss?: number;
    root?: number;
  } = {},
): void {
  const { density = 1, wave, jitter = 3, gloss = 1, root, fine = 1 } = options;
  const shared = { wave, jitter, root };
  drawLocks(pen, guides, ink, random, { ...shared, count: 90 * density, width: [7 * fine, 11 * fine], coat: 'dark' });
  drawLocks(pen, guides, ink, random, { ...shared, count: 120 * density, width: [4 * fine, 9 * fine] });
  drawLocks(pen, guides, ink, random, {
    ...shared,
    count: 150 * density,
    width: [1.2 * fine, 3 * fine],
    ragged: [0.3, 0.3],
  });
  drawLocks(pen, guides, ink, random, {
    ...shared,
    count: 60 * density,
    width: [0.8, 1.6],
    coat: 'dark',
    ragged: [0.3, 0.3],
  });
  if (gloss > 0)
    inRing(pen, (ring) =>
      drawLocks(ring, guides, ink, random, { ...shared, count: 90 * density * gloss, width: [0.8, 2], coat: 'shine' }),
    );
}

/** Ringlets at the places `where` yields, dark ones first: afros and curls. */
export function drawCurls(
  pen: Pen,
  ink: HairInk,
  random: Random,
  count: number,
  size: number,
  where: () => Pt,
  dark = 0.4,
): void {
  for (let n = 0; n < count; n++) {
    const [x, y] = where();
    const r = size * between(random, 0.5, 1.2);
    const turn = random() * Math.PI * 2;
    const late = n / count;
    pen.strokeStyle = late < dark ? pick(random, ink.dark) : pick(random, ink.base);
    pen.lineWidth = r * between(random, 0.32, 0.6);
    pen.beginPath();
    pen.arc(x, y, r, turn, turn + between(random, 2.6, 4.6));
    pen.stroke();
    if (late < 0.45) continue;
    pen.strokeStyle = css(
      mix(tone(ink.colour, 0.35), [255, 235, 210], 0.2),
      (x + y * 0.6 < -40 ? 0.42 : 0.16) * random(),
    );
    pen.lineWidth = r * 0.16;
    pen.beginPath();
    pen.arc(x, y, r, Math.PI * 0.95, Math.PI * 1.75);
    pen.stroke();
  }
}
