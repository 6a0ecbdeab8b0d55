/** What lies on and beside the skin of the face: freckles, ears, a robot's seams. */
import { css, mix } from './colour.ts';
import { curve, glow, type Pen, trace } from './layer.ts';
import type { Face, Pt } from './shape.ts';
import type { SkinColours } from './skin.ts';
import type { PersonTraits } from './traits.ts';

/** A robot's seams: plates of the face, and bolts at the temples. */
export function paintPanels(pen: Pen, face: Face, colours: SkinColours): void {
  const { w, chin, mouth, nose } = face;
  const seams: Pt[][] = [
    [
      [0, face.top],
      [0, -60],
      [0, -34],
    ],
    [
      [w * 0.98, -8],
      [w * 0.66, 26],
      [mouth.half + 12, nose.y],
      [mouth.half + 12, mouth.y + 16],
      [mouth.half - 4, chin - 8],
    ],
    [
      [w * 0.95, -52],
      [w * 0.5, -60],
      [0, -34],
    ],
  ];
  for (const side of [-1, 1]) {
    for (const line of seams) {
      for (const [shift, colour, alpha] of [
        [0, colours.deep, 0.75],
        [1.3, colours.light, 0.5],
      ] as const) {
        pen.strokeStyle = css(colour, alpha);
        pen.lineWidth = 1.6;
        trace(
          pen,
          curve(
            line.map(([x, y]): Pt => [x * side + shift, y + shift]),
            24,
          ),
          false,
        );
        pen.stroke();
      }
    }
    glow(pen, side * w * 0.84, -34, 6, 6, colours.deep, 0.9);
    glow(pen, side * w * 0.84 - 1, -35, 3.4, 3.4, colours.light, 0.9);
  }
}

/** Freckles over nose and cheeks. */
export function paintFreckles(pen: Pen, face: Face, colours: SkinColours, random: () => number): void {
  for (let i = 0; i < 90; i++) {
    const x = (random() + random() - 1) * face.w * 0.85;
    const y = 30 + (random() + random() - 1) * 30 - Math.abs(x) * 0.08;
    pen.fillStyle = css(mix(colours.shade, [150, 78, 40], 0.5), 0.18 + random() * 0.3);
    pen.beginPath();
    pen.arc(x, y, 0.7 + random() * 1.1, 0, Math.PI * 2);
    pen.fill();
  }
}

/** Ears behind the head, with the fold inside. */
export function paintEars(pen: Pen, face: Face, traits: PersonTraits, colours: SkinColours): void {
  for (const side of [-1, 1]) {
    pen.save();
    pen.translate(side * face.ear.x, face.ear.y);
    pen.scale(side, 1);
    const h = face.ear.h;
    const g = pen.createLinearGradient(-8, -h, 18, h);
    g.addColorStop(0, css(side < 0 ? mix(colours.base, colours.light, 0.25) : colours.base));
    g.addColorStop(0.6, css(mix(colours.base, colours.blush, 0.4)));
    g.addColorStop(1, css(mix(colours.shade, colours.blush, 0.25)));
    pen.fillStyle = g;
    const rim: Pt[] =
      traits.species === 'elf'
        ? [
            [-8, -h * 0.72],
            [8, -h * 1.2],
            [34, -h * 2.1],
            [21, -h * 0.7],
            [13, h * 0.2],
            [6, h * 0.85],
            [-2, h * 0.95],
            [-8, h * 0.7],
          ]
        : [
            [-8, -h * 0.72],
            [4, -h * 1.02],
            [14, -h * 0.82],
            [17, -h * 0.28],
            [12, h * 0.26],
            [7, h * 0.82],
            [-1, h * 0.98],
            [-8, h * 0.7],
          ];
    trace(pen, curve(rim, 40));
    pen.fill();
    pen.strokeStyle = css(colours.shade, 0.75);
    pen.lineWidth = 2.4;
    pen.beginPath();
    pen.moveTo(1, -h * 0.62);
    pen.bezierCurveTo(12, -h * 0.78, 15, -h * 0.2, 8, h * 0.18);
    pen.bezierCurveTo(5, h * 0.34, 6, h * 0.4, 3, h * 0.52);
    pen.stroke();
    glow(pen, 3, -h * 0.05, 8, h * 0.42, colours.deep, 0.5);
    pen.restore();
  }
}
