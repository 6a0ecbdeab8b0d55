/** A clown's costume: two colours, pompons down the front, and a pleated ruff round the neck. */
import { css, mix, type Rgb, tone } from '../colour.ts';
import { glow, trace } from '../layer.ts';
import type { Pt } from '../shape.ts';
import { type Cloth, crew, garment } from './tailor.ts';

const LINEN: Rgb = [246, 243, 238];
const PLEATS = 15;

export function paintRuff(c: Cloth): void {
  const { pen, face } = c;
  garment(c, c.main, crew(face), 10);
  // The left half in the other colour, within the garment alone.
  pen.save();
  pen.globalCompositeOperation = 'source-atop';
  pen.fillStyle = css(c.accent);
  pen.fillRect(0, 100, 600, 1400);
  pen.restore();
  for (let y = 330; y < 900; y += 92) {
    glow(pen, 2, y + 4, 32, 32, tone(c.main, -0.7), 0.5);
    for (let i = 0; i < 26; i++) {
      const [angle, far] = [i * 2.4, Math.sqrt(i / 26) * 17];
      const tuft = mix(LINEN, [230, 190, 60], 0.75);
      glow(pen, Math.cos(angle) * far, y + Math.sin(angle) * far, 8, 8, tone(tuft, -0.25 + (i % 4) * 0.12), 0.9);
    }
  }
  for (const [reach, top, high] of [
    [face.neck * 2.15, 196, 62],
    [face.neck * 1.78, 176, 48],
  ] as const)
    paintTier(c, reach, top, high);
}

/** One tier of pleats: petals in an arc, from both ends to the middle, each in its own light. */
function paintTier({ pen }: Cloth, reach: number, top: number, high: number): void {
  const middle = (PLEATS - 1) / 2;
  const order = Array.from({ length: PLEATS }, (_, i) => i).sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
  for (const i of order) {
    const k = (i - middle) / middle;
    const [x, y] = [k * reach * 0.62, top - 22 * k * k * k * k];
    const [tx, ty] = [k * reach, top + high * Math.sqrt(1 - 0.86 * k * k)];
    const half = reach * 0.115 * (1 - 0.3 * k * k);
    const petal: Pt[] = [
      [x - half * 0.4, y],
      [tx - half, ty - 6],
      [tx - half * 0.5, ty + 5],
      [tx + half * 0.5, ty + 5],
      [tx + half, ty - 6],
      [x + half * 0.4, y],
    ];
    const shade = pen.createLinearGradient(tx - half, 0, tx + half, 0);
    const dim = k > 0 ? -0.12 * k : 0;
    shade.addColorStop(0, css(tone(LINEN, -0.3 + dim)));
    shade.addColorStop(0.45, css(tone(LINEN, dim)));
    shade.addColorStop(1, css(tone(LINEN, -0.2 + dim)));
    pen.fillStyle = shade;
    trace(pen, petal);
    pen.fill();
  }
}
