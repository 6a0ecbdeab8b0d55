/** Nose and mouth: the crisp lines over the shaded relief. The lips are closed; a talking head opens them. */
import { css, mix, type Rgb, tone } from './colour.ts';
import { brush, curve, glow, type Pen, soft, type View } from './layer.ts';
import type { Face, Pt } from './shape.ts';
import type { SkinColours } from './skin.ts';
import type { PersonTraits } from './traits.ts';

/** Nostrils, wings and the shadow the nose throws to the right. */
export function paintNose(pen: Pen, view: View, face: Face, colours: SkinColours): void {
  const { nose } = face;
  soft(pen, view, 4, (p) => {
    p.fillStyle = css(colours.deep, 0.42);
    p.beginPath();
    p.moveTo(2, nose.y + 1);
    p.quadraticCurveTo(nose.w, nose.y + 13, nose.w + 9, nose.y + 6);
    p.quadraticCurveTo(nose.w + 5, nose.y - 8, nose.w * 0.8, nose.y - 10);
    p.quadraticCurveTo(nose.w * 0.9, nose.y, 2, nose.y + 1);
    p.fill();
  });
  for (const side of [-1, 1]) {
    pen.save();
    pen.scale(side, 1);
    glow(pen, nose.w * 0.5, nose.y + 0.6, nose.w * 0.42, 4.2, tone(colours.deep, -0.35), 0.95);
    pen.fillStyle = css(tone(colours.deep, -0.45), 0.6);
    brush(
      pen,
      curve(
        [
          [nose.w * 0.16, nose.y + 2],
          [nose.w * 0.5, nose.y - 0.8],
          [nose.w * 0.84, nose.y + 1],
        ],
        10,
      ),
      2.6,
    );
    pen.fillStyle = css(colours.deep, side < 0 ? 0.26 : 0.46);
    brush(
      pen,
      curve(
        [
          [nose.w * 0.92, nose.y + 1.5],
          [nose.w * 1.06, nose.y - 4],
          [nose.w * 0.96, nose.y - 10],
        ],
        10,
      ),
      2.2,
    );
    pen.restore();
  }
  glow(pen, -3, nose.y - 9, 5.5, 5, [255, 250, 240], 0.3);
}

/** How far the middle of the lip line hangs below its usual place: a smile is a bow. In drawing units. */
export const sagOf = (smile: number): number => Math.max(0, smile - 0.3) * 2.6;

/** Points of the lips, left corner to right corner. */
export function lipLines(mouth: Face['mouth']): { top: Pt[]; line: Pt[]; bottom: Pt[] } {
  const { y, half, upper, lower, smile } = mouth;
  const lift = -smile * 6.8;
  const left: Pt = [-half, y + lift];
  const right: Pt = [half, y + lift];
  const mid = sagOf(smile);
  return {
    top: curve(
      [
        left,
        [-half * 0.55, y + lift * 0.4 - upper * 0.62],
        [-half * 0.19, y - upper + mid * 0.8],
        [0, y - upper * 0.76 + mid * 0.85],
        [half * 0.19, y - upper + mid * 0.8],
        [half * 0.55, y + lift * 0.4 - upper * 0.62],
        right,
      ],
      36,
    ),
    line: curve(
      [
        left,
        [-half * 0.5, y + lift * 0.2 + mid],
        [-half * 0.16, y - 0.6 + mid],
        [0, y + 0.8 + mid],
        [half * 0.16, y - 0.6 + mid],
        [half * 0.5, y + lift * 0.2 + mid],
        right,
      ],
      36,
    ),
    bottom: curve(
      [
        left,
        [-half * 0.6, y + lift * 0.15 + lower * 0.66],
        [-half * 0.22, y + lower + mid],
        [half * 0.22, y + lower + mid],
        [half * 0.6, y + lift * 0.15 + lower * 0.66],
        right,
      ],
      36,
    ),
  };
}

function fillBetween(pen: Pen, a: Pt[], b: Pt[]): void {
  pen.beginPath();
  for (const [x, y] of a) pen.lineTo(x, y);
  for (const [x, y] of [...b].reverse()) pen.lineTo(x, y);
  pen.closePath();
  pen.fill();
}

/** Lips with their own light: the upper one in shade, the lower one catching it. */
export function paintMouth(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours): void {
  const { mouth } = face;
  const { y, half, upper, lower } = mouth;
  const { top, line, bottom } = lipLines(mouth);
  const lip = colours.lip;
  const dark: Rgb = mix(tone(lip, -0.55), colours.deep, 0.4);
  glow(pen, 0, y + lower + 4.5, half * 0.62, 5, colours.deep, 0.42);
  const above = pen.createLinearGradient(0, y - upper, 0, y + 1);
  above.addColorStop(0, css(mix(lip, colours.base, 0.18)));
  above.addColorStop(0.5, css(tone(lip, -0.08)));
  above.addColorStop(1, css(tone(lip, -0.34)));
  pen.fillStyle = above;
  fillBetween(pen, top, line);
  const below = pen.createLinearGradient(0, y, 0, y + lower);
  below.addColorStop(0, css(tone(lip, -0.2)));
  below.addColorStop(0.3, css(tone(lip, 0.06)));
  below.addColorStop(0.62, css(tone(lip, 0.13)));
  below.addColorStop(1, css(mix(tone(lip, -0.1), colours.shade, 0.25)));
  pen.fillStyle = below;
  fillBetween(pen, line, bottom);
  const wet = traits.lipstick ? 0.6 : traits.gender === 'female' ? 0.4 : 0.2;
  glow(pen, -half * 0.16, y + lower * 0.5, half * 0.34, lower * 0.26, [255, 240, 236], wet);
  glow(pen, half * 0.24, y + lower * 0.52, half * 0.14, lower * 0.18, [255, 240, 236], wet * 0.6);
  pen.fillStyle = css(mix(colours.light, colours.base, 0.3), 0.35);
  brush(
    pen,
    top.slice(11, 26).map(([px, py]): Pt => [px, py - 1.1]),
    1.3,
  );
  pen.fillStyle = css(dark, 0.95);
  brush(pen, line, 2.5);
  for (const side of [-1, 1])
    glow(
      pen,
      side * (half + 0.5),
      y - mouth.smile * 6.6,
      4.6 + Math.max(0, mouth.smile),
      4 + Math.max(0, mouth.smile),
      colours.deep,
      0.65,
    );
  if (traits.age === 'old' || traits.age === 'middle') paintWrinkles(pen, face, traits, colours);
}

function paintWrinkles(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours): void {
  const { mouth, nose, eye } = face;
  const depth = traits.age === 'old' ? 0.24 : 0.08;
  pen.fillStyle = css(colours.deep, depth);
  for (const side of [-1, 1]) {
    const m = (points: Pt[]) => points.map(([x, y]): Pt => [x * side, y]);
    brush(
      pen,
      curve(
        m([
          [nose.w + 6, nose.y - 4],
          [nose.w + 15, nose.y + 9],
          [mouth.half + 9, mouth.y - 4],
          [mouth.half + 9, mouth.y + 7],
        ]),
        16,
      ),
      2,
    );
    brush(
      pen,
      curve(
        m([
          [eye.x - 16, 15],
          [eye.x - 2, 19],
          [eye.x + 14, 15],
        ]),
        12,
      ),
      1.6,
    );
    for (let i = -1; i <= 1; i++) {
      brush(
        pen,
        curve(
          m([
            [eye.x + eye.rx + 5, i * 4 - 1],
            [eye.x + eye.rx + 12, i * 7 - 1],
            [eye.x + eye.rx + 17, i * 9 + 1],
          ]),
          8,
        ),
        1.3,
      );
    }
  }
  if (traits.age !== 'old') return;
  for (const [y, reach] of [
    [-47, 36],
    [-58, 38],
    [-70, 32],
  ] as const) {
    brush(
      pen,
      curve(
        [
          [-reach, y + 2],
          [-reach * 0.4, y - 1],
          [0, y + 1],
          [reach * 0.4, y - 1],
          [reach, y + 2],
        ],
        20,
      ),
      1.3,
    );
  }
}
