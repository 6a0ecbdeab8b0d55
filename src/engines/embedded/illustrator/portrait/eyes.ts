/** Eyes and brows. Each eye is drawn in its own frame, +x outwards, so that both mirror; the light does not. */
import { css, mix, type Rgb, rgb, tone } from './colour.ts';
import { brush, curve, glow, type Pen } from './layer.ts';
import type { Random } from './random.ts';
import type { Face, Pt } from './shape.ts';
import type { SkinColours } from './skin.ts';
import type { PersonTraits } from './traits.ts';

/** The lids' lines, inner to outer corner, in the eye's frame. */
export function lids(eye: Face['eye']): { upper: Pt[]; lower: Pt[] } {
  const inner: Pt = [-eye.rx, 2.2 + eye.tilt * 0.4];
  const outer: Pt = [eye.rx, -0.4 - eye.tilt];
  const upper = curve(
    [
      inner,
      [-eye.rx * 0.62, -eye.up * 0.62],
      [-eye.rx * 0.08, -eye.up],
      [eye.rx * 0.55, -eye.up * 0.78 - eye.tilt * 0.4],
      outer,
    ],
    28,
  );
  const lower = curve(
    [
      inner,
      [-eye.rx * 0.55, eye.down * 0.66],
      [eye.rx * 0.1, eye.down],
      [eye.rx * 0.64, eye.down * 0.66 - eye.tilt * 0.3],
      outer,
    ],
    28,
  );
  return { upper, lower };
}

function opening(pen: Pen, upper: Pt[], lower: Pt[]): void {
  pen.beginPath();
  for (const [x, y] of upper) pen.lineTo(x, y);
  for (const [x, y] of [...lower].reverse()) pen.lineTo(x, y);
  pen.closePath();
}

function paintIris(pen: Pen, radius: number, colour: Rgb, side: number, random: Random, glowing: boolean): void {
  const g = pen.createRadialGradient(0, radius * 0.25, radius * 0.1, 0, 0, radius);
  g.addColorStop(0, css(tone(colour, 0.3)));
  g.addColorStop(0.55, css(tone(colour, 0.08)));
  g.addColorStop(0.82, css(tone(colour, -0.25)));
  g.addColorStop(1, css(tone(colour, -0.72)));
  pen.fillStyle = g;
  pen.beginPath();
  pen.arc(0, 0, radius, 0, Math.PI * 2);
  pen.fill();
  for (let i = 0; i < 44; i++) {
    const a = random() * Math.PI * 2;
    const from = radius * (0.38 + random() * 0.1);
    const to = radius * (0.7 + random() * 0.22);
    pen.strokeStyle = css(tone(colour, i % 2 ? 0.45 : -0.45), 0.3);
    pen.lineWidth = 0.5;
    pen.beginPath();
    pen.moveTo(Math.cos(a) * from, Math.sin(a) * from);
    pen.lineTo(Math.cos(a) * to, Math.sin(a) * to);
    pen.stroke();
  }
  glow(pen, 0, radius * 0.55, radius * 0.7, radius * 0.45, tone(colour, 0.55), 0.5);
  pen.fillStyle = glowing ? css(tone(colour, 0.8)) : '#0b0809';
  pen.beginPath();
  pen.arc(0, 0, radius * 0.42, 0, Math.PI * 2);
  pen.fill();
  pen.fillStyle = 'rgba(255,255,255,0.95)';
  pen.beginPath();
  pen.ellipse(-radius * 0.3 * side, -radius * 0.38, radius * 0.19, radius * 0.21, 0, 0, Math.PI * 2);
  pen.fill();
  glow(pen, radius * 0.36 * side, radius * 0.42, radius * 0.28, radius * 0.2, [255, 255, 255], 0.5);
}

function paintLashes(pen: Pen, upper: Pt[], lower: Pt[], traits: PersonTraits, random: Random): void {
  const female = traits.gender === 'female';
  const ink: Rgb = traits.makeup ? [14, 9, 12] : mix(rgb(traits.hair.colour), [22, 12, 12], 0.75);
  pen.fillStyle = css(ink, 0.95);
  const last = upper[upper.length - 1]!;
  const wing: Pt[] = female ? [...upper, [last[0] + 3.5, last[1] - 2.4]] : upper;
  brush(pen, wing, traits.makeup ? 4.4 : female ? 3.6 : 2.7);
  pen.fillStyle = css(ink, 0.3);
  brush(pen, lower, 1.5);
  const count = female ? 17 : traits.age === 'child' ? 12 : 8;
  const long = (traits.makeup ? 7 : female ? 5.4 : 3) + (traits.age === 'child' ? 1 : 0);
  pen.fillStyle = css(ink, female ? 0.9 : 0.55);
  for (let i = 0; i < count; i++) {
    const t = 0.16 + (0.84 * (i + random() * 0.5)) / count;
    const [x, y] = upper[Math.min(28, Math.round(t * 28))]!;
    const l = long * (0.55 + 0.6 * t) * (0.8 + random() * 0.35);
    const lean = (t - 0.3) * 1.35;
    brush(
      pen,
      [
        [x, y],
        [x + l * lean * 0.35, y - l * 0.62],
        [x + l * lean, y - l * 0.9],
      ],
      1.2,
      1,
    );
  }
}

/** The line above the lid, the lid's light, and eye shadow if there is make-up. */
function paintLid(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours, upper: Pt[]): void {
  const { eye } = face;
  if (traits.makeup)
    glow(pen, eye.rx * 0.2, -eye.up * 1.15, eye.rx * 1.2, eye.up * 0.9, mix(colours.shade, [120, 60, 96], 0.5), 0.6);
  const gap = 3.6 + Math.max(0, eye.crease + 0.6) * 2.2;
  const crease: Pt[] = upper
    .slice(2)
    .map(([x, y], i, all) => [x * 1.04, y - gap * Math.sin(Math.PI * (0.12 + (0.8 * i) / all.length))]);
  pen.fillStyle = css(colours.deep, eye.crease < -0.6 ? 0.2 : 0.62);
  brush(pen, crease, 1.9);
  glow(pen, -eye.rx * 0.1, -eye.up * 1.05 - gap * 0.4, eye.rx * 0.62, 2.6, colours.light, 0.35);
}

/** Paints both eyes over the shaded face. */
export function paintEyes(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours, random: Random): void {
  const { eye } = face;
  const { upper, lower } = lids(eye);
  const iris = rgb(traits.eyes);
  const alien = traits.species === 'alien' || traits.species === 'robot';
  for (const side of [-1, 1]) {
    pen.save();
    pen.translate(side * eye.x, 0);
    pen.scale(side, 1);
    glow(pen, -2, -2, eye.rx * 1.5, eye.up * 2, colours.deep, 0.24);
    paintLid(pen, face, traits, colours, upper);
    pen.save();
    opening(pen, upper, lower);
    pen.clip();
    const white = pen.createLinearGradient(0, -eye.up, 0, eye.down);
    white.addColorStop(0, '#b9b0b2');
    white.addColorStop(0.45, '#f1edea');
    white.addColorStop(1, '#dcd2cf');
    pen.fillStyle = white;
    pen.fillRect(-30, -30, 60, 60);
    glow(pen, -eye.rx, 2, 7, 6, [206, 112, 108], 0.85);
    glow(pen, eye.rx, 0, 9, 10, [120, 90, 92], 0.55);
    pen.save();
    pen.translate(-0.4, -1);
    paintIris(pen, eye.iris * (alien ? 1.15 : 1), iris, side, random, traits.species === 'robot');
    pen.restore();
    pen.globalCompositeOperation = 'multiply';
    const shadow = pen.createLinearGradient(0, -eye.up, 0, eye.up * 0.15);
    shadow.addColorStop(0, 'rgba(70,48,56,0.85)');
    shadow.addColorStop(1, 'rgba(255,255,255,0)');
    pen.fillStyle = shadow;
    pen.fillRect(-30, -30, 60, 60);
    pen.restore();
    pen.fillStyle = css(mix(colours.light, colours.blush, 0.4), 0.6);
    brush(
      pen,
      lower.slice(3, -2).map(([x, y]): Pt => [x, y + 1]),
      1.6,
    );
    paintLashes(pen, upper, lower, traits, random);
    pen.restore();
  }
}

/** Brows: a soft base and hairs lying along it. */
export function paintBrows(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours, random: Random): void {
  if (traits.species === 'robot') return;
  const { brow } = face;
  const hair = rgb(traits.hair.colour);
  const vivid = traits.age === 'old' ? mix(hair, colours.shade, 0.25) : mix(hair, [40, 24, 20], 0.5);
  const bald = traits.hair.style === 'bald' && traits.beard === 'none';
  const ink = bald ? mix(vivid, colours.deep, 0.3) : vivid;
  for (const side of [-1, 1]) {
    pen.save();
    pen.translate(side * brow.x, brow.y);
    pen.scale(side, 1);
    const middle = curve(
      [
        [-brow.half, 2 + brow.slant * 0.7],
        [-brow.half * 0.3, -brow.arch * 0.6 + brow.slant * 0.2],
        [brow.half * 0.36, -brow.arch],
        [brow.half * 1.02, 5 - brow.slant * 0.4],
      ],
      24,
    );
    pen.fillStyle = css(ink, 0.6);
    brush(pen, middle, brow.thick);
    const hairs = 70;
    for (let i = 0; i < hairs; i++) {
      const t = i / hairs;
      const [x, y] = middle[Math.round(t * 24)]!;
      const half = (brow.thick / 2) * Math.sin(Math.PI * (0.16 + 0.84 * (1 - t)) * 0.94) ** 0.6;
      const at = y + (random() * 1.5 - 0.75) * half;
      const l = 5 + random() * 4;
      const [px, py] = middle[Math.max(0, Math.round(t * 24) - 1)]!;
      const [qx, qy] = middle[Math.min(24, Math.round(t * 24) + 1)]!;
      // Hairs stand up at the nose and lie down along the brow towards the temple.
      const angle = Math.atan2(qy - py, qx - px) - (1 - t) ** 2 * 0.8 + (random() - 0.5) * 0.25;
      const [dx, dy] = [Math.cos(angle) * l, Math.sin(angle) * l];
      pen.fillStyle = css(mix(ink, [20, 12, 10], random() * 0.3), 0.6);
      brush(
        pen,
        [
          [x - dx * 0.3, at - dy * 0.3],
          [x + dx * 0.3, at + dy * 0.3],
          [x + dx, at + dy],
        ],
        1.2,
      );
    }
    pen.restore();
  }
}
