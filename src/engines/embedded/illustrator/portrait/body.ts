/** Neck and shoulders under the clothes, and the relief of folds that any cloth gets. */
import { css, mix } from './colour.ts';
import { brush, curve, glow, type Pen, soft, trace, type View } from './layer.ts';
import { between, type Random } from './random.ts';
import { addBumps, type Bump, fieldOf, render } from './relief.ts';
import type { Face, Pt } from './shape.ts';
import type { SkinColours } from './skin.ts';
import type { PersonTraits } from './traits.ts';

/** Right edge of neck, shoulder and arm from under the ear to below any image; `grow` widens it for cloth. */
export function shoulderLine(face: Face, grow = 0): Pt[] {
  const { neck: n, shoulder: s } = face;
  const drop = s > 180 ? 0 : -4;
  return [
    ...curve(
      [
        [n * 0.98, 88],
        [n * 0.98, 136],
        [n * 1.06, 158],
        [s * 0.46, 180 + drop - grow],
        [s * 0.76, 199 + drop - grow],
        [s * 0.97 + grow * 0.6, 228],
        [s * 1.1 + grow, 290],
        [s * 1.16 + grow, 380],
      ],
      40,
    ),
    [s * 1.2 + grow, 2400],
  ];
}

export const mirror = (line: readonly Pt[]): Pt[] => line.map(([x, y]): Pt => [-x, y]);

/** Paints neck, throat and shoulders in skin, shaded by the head above. */
export function paintNeck(pen: Pen, view: View, face: Face, traits: PersonTraits, colours: SkinColours): void {
  const line = shoulderLine(face);
  const { neck: n, chin } = face;
  pen.save();
  trace(pen, [...line, ...mirror(line).reverse()]);
  const across = pen.createLinearGradient(-n * 1.1, 0, n * 1.1, 0);
  across.addColorStop(0, css(mix(colours.shade, colours.base, 0.35)));
  across.addColorStop(0.28, css(colours.base));
  across.addColorStop(0.6, css(mix(colours.base, colours.shade, 0.25)));
  across.addColorStop(1, css(colours.shade));
  pen.fillStyle = across;
  pen.fill();
  pen.clip();
  soft(pen, view, 7, (p) => {
    p.fillStyle = css(colours.deep, 0.62);
    p.beginPath();
    p.ellipse(8, chin + face.lift - 26, n * 1.25, 62, 0, 0, Math.PI * 2);
    p.fill();
  });
  for (const side of [-1, 1]) {
    pen.fillStyle = css(colours.shade, 0.2);
    brush(
      pen,
      curve(
        [
          [side * n * 0.9, 120],
          [side * n * 0.6, 160],
          [side * 9, 194],
        ],
        16,
      ),
      traits.gender === 'male' ? 5 : 3.5,
    );
    pen.fillStyle = css(colours.deep, 0.16);
    brush(
      pen,
      curve(
        [
          [side * 12, 200],
          [side * n * 0.9, 194],
          [side * face.shoulder * 0.62, 190],
        ],
        16,
      ),
      4,
    );
    pen.fillStyle = css(colours.light, 0.16);
    brush(
      pen,
      curve(
        [
          [side * 16, 206],
          [side * n * 0.9, 200],
          [side * face.shoulder * 0.6, 196],
        ],
        16,
      ),
      4,
    );
  }
  glow(pen, 0, 196, 9, 10, colours.deep, 0.24);
  if (traits.gender === 'male' && traits.age !== 'child') glow(pen, 3, 158, 9, 11, colours.deep, 0.18);
  pen.restore();
}

/**
 * Light and folds over everything painted on `pen` so far: the torso as a cylinder with creases running from the
 * armpits. `strength` 0..1: cloth hangs, metal does not.
 */
export function paintFolds(pen: Pen, view: View, face: Face, random: Random, strength = 1, sheen = 0.1): void {
  const s = face.shoulder;
  const bottom = Math.min(900, (view.height - view.y) / view.scale + 10);
  const field = fieldOf(-s * 1.35, 130, s * 1.35, bottom, 3);
  for (let j = 0; j < field.rows; j++) {
    const y = field.y0 + j * field.step;
    const reach = s * (0.7 + 0.52 / (1 + Math.exp((208 - y) / 20)));
    const rise = 66 * (1 - Math.exp(-Math.max(10, y - 140) / 80));
    for (let i = 0; i < field.columns; i++) {
      const u = Math.min(1, Math.abs(field.x0 + i * field.step) / reach);
      field.values[j * field.columns + i] = rise * Math.sqrt(1 - u ** 3) * 1.1;
    }
  }
  addBumps(field, creases(face, random, strength));
  pen.save();
  pen.globalCompositeOperation = 'source-atop';
  render(pen, field, 20, (out, at, l) => {
    const d = l.diffuse - 0.74;
    const v = d > 0 ? d * 1.2 + l.highlight * sheen : d * 1.5;
    const white = v > 0;
    out[at] = white ? 255 : 14;
    out[at + 1] = white ? 250 : 8;
    out[at + 2] = white ? 240 : 22;
    out[at + 3] = Math.min(1, Math.abs(v)) * 235;
  });
  pen.restore();
}

function creases(face: Face, random: Random, strength: number): Bump[] {
  const s = face.shoulder;
  const out: Bump[] = [];
  const line = (from: Pt, to: Pt, spread: number, amount: number) => {
    const bend: Pt = [(from[0] + to[0]) / 2 + between(random, -9, 9), (from[1] + to[1]) / 2 + between(random, -6, 12)];
    const count = Math.max(6, Math.ceil(Math.hypot(to[0] - from[0], to[1] - from[1]) / (spread * 0.8)));
    for (const [i, [x, y]] of curve([from, bend, to], count).entries()) {
      const fade = Math.sin((Math.PI * (i + 0.5)) / (count + 1));
      out.push({ x, y, sx: spread, sy: spread, amount: amount * 0.62 * fade * strength });
    }
  };
  for (const side of [-1, 1]) {
    for (let i = 0; i < 6; i++) {
      const from: Pt = [side * s * between(random, 0.74, 0.82), between(random, 285, 320)];
      const to: Pt = [side * s * between(random, 0.1, 0.5), between(random, 225 + i * 22, 262 + i * 34)];
      line(from, to, between(random, 5, 9), between(random, 1.5, 3.2) * (i % 2 ? 1 : -1));
    }
    for (let i = 0; i < 3; i++) {
      line(
        [side * s * between(random, 0.5, 0.7), 205],
        [side * s * between(random, 0.85, 1), 300 + i * 30],
        7,
        between(random, -3, 3),
      );
    }
    line([side * s * 0.78, 285], [side * s * 0.86, 640], 9, -3);
  }
  for (let i = 0; i < 5; i++)
    line([between(random, -70, 70), 300], [between(random, -90, 90), 560], 11, between(random, -2, 2));
  return out;
}
