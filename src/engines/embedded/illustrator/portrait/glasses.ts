/** Spectacles, sunglasses and the pirate's patch, with the shadow they throw. */
import { css } from './colour.ts';
import { glow, type Pen, trace } from './layer.ts';
import type { Face, Pt } from './shape.ts';
import type { Glasses } from './traits.ts';

interface Frame {
  colour: readonly [number, number, number];
  line: number;
  lens: string;
  shape: (pen: Pen, r: number) => void;
}

const round = (pen: Pen, r: number) => {
  pen.beginPath();
  pen.ellipse(0, 2, r, r * 0.95, 0, 0, Math.PI * 2);
};
const square = (pen: Pen, r: number) => {
  pen.beginPath();
  pen.roundRect(-r * 1.06, -r * 0.72, r * 2.12, r * 1.6, r * 0.42);
};
const poly = (points: (r: number) => Pt[]) => (pen: Pen, r: number) => {
  const p = points(r);
  pen.beginPath();
  p.forEach(([x, y], i) => {
    const [nx, ny] = p[(i + 1) % p.length]!;
    if (i === 0) pen.moveTo((x + p[p.length - 1]![0]) / 2, (y + p[p.length - 1]![1]) / 2);
    pen.quadraticCurveTo(x, y, (x + nx) / 2, (y + ny) / 2);
  });
  pen.closePath();
};
const cat = poly((r) => [
  [-r * 1.1, -r * 0.9],
  [r * 0.4, -r * 0.95],
  [r * 1.45, -r * 1.25],
  [r * 1.15, r * 0.6],
  [r * 0.3, r * 1.15],
  [-r * 0.9, r * 0.95],
]);
const drop = poly((r) => [
  [-r * 1.15, -r * 0.95],
  [r * 0.3, -r * 1.0],
  [r * 1.35, -r * 0.85],
  [r * 1.2, r * 0.85],
  [r * 0.1, r * 1.55],
  [-r * 1.1, r * 0.9],
]);

const FRAMES: Record<Exclude<Glasses, 'none' | 'patch'>, Frame> = {
  round: { colour: [150, 112, 58], line: 2.6, lens: 'rgba(225,238,255,0.10)', shape: round },
  square: { colour: [24, 22, 26], line: 4.2, lens: 'rgba(225,238,255,0.10)', shape: square },
  cat: { colour: [86, 24, 44], line: 4, lens: 'rgba(240,232,255,0.10)', shape: cat },
  aviator: { colour: [182, 150, 84], line: 2.4, lens: 'rgba(180,160,110,0.22)', shape: drop },
  sun: { colour: [16, 14, 18], line: 4, lens: 'rgba(14,12,22,0.90)', shape: drop },
};

export function paintGlasses(pen: Pen, face: Face, kind: Glasses): void {
  if (kind === 'none') return;
  if (kind === 'patch') paintPatch(pen, face);
  else paintSpectacles(pen, face, kind);
}

function paintSpectacles(pen: Pen, face: Face, kind: Exclude<Glasses, 'none' | 'patch'>): void {
  const frame = FRAMES[kind];
  const { eye } = face;
  const r = Math.min(eye.x * 0.76, eye.rx * 1.48);
  const y = 2;
  const line = (width: number, colour: string, shift: number) => {
    pen.strokeStyle = colour;
    pen.lineWidth = width;
    for (const side of [-1, 1]) {
      pen.save();
      pen.translate(side * eye.x + shift, y + shift);
      pen.scale(side, 1);
      frame.shape(pen, r);
      pen.stroke();
      pen.restore();
      trace(
        pen,
        [
          [side * (eye.x + r) + shift, y - r * 0.35 + shift],
          [side * face.w * 0.99 + shift, y - r * 0.5 + shift],
        ],
        false,
      );
      pen.stroke();
    }
    pen.beginPath();
    pen.moveTo(-(eye.x - r) + shift, y - 3 + shift);
    pen.quadraticCurveTo(shift, y - 11 + shift, eye.x - r + shift, y - 3 + shift);
    pen.stroke();
  };
  line(frame.line + 2.5, 'rgba(40,14,10,0.22)', 3);
  for (const side of [-1, 1]) {
    pen.save();
    pen.translate(side * eye.x, y);
    pen.scale(side, 1);
    frame.shape(pen, r);
    pen.fillStyle = frame.lens;
    pen.fill();
    pen.clip();
    pen.scale(side, 1);
    const g = pen.createLinearGradient(-r, -r, r, r);
    g.addColorStop(0, 'rgba(255,255,255,0.30)');
    g.addColorStop(0.32, 'rgba(255,255,255,0.06)');
    g.addColorStop(0.34, 'rgba(255,255,255,0)');
    pen.fillStyle = g;
    pen.fillRect(-r * 2, -r * 2, r * 4, r * 4);
    pen.restore();
  }
  line(frame.line, css(frame.colour), 0);
  pen.globalAlpha = 0.45;
  line(frame.line * 0.3, '#ffffff', -frame.line * 0.22);
  pen.globalAlpha = 1;
}

function paintPatch(pen: Pen, face: Face): void {
  const { eye } = face;
  pen.strokeStyle = '#191417';
  pen.lineWidth = 4;
  trace(
    pen,
    [
      [-face.w * 0.9, -62],
      [eye.x, -8],
      [face.w * 0.99, 4],
    ],
    false,
  );
  pen.stroke();
  pen.fillStyle = '#1c171a';
  pen.save();
  pen.translate(eye.x, 0);
  drop(pen, eye.rx * 1.15);
  pen.fill();
  glow(pen, -6, -8, 14, 10, [120, 110, 116], 0.4);
  pen.restore();
}
