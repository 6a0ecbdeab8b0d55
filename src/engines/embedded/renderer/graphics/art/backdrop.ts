/** The wall behind a person: a soft light of the person's colours, and a few quiet signs of what he or she is about. */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { hashText, mulberry32 } from '../random.ts';
import type { Frame } from './art-units.ts';
import type { Look, Motif } from './look.ts';
import { blend, lighter } from './tint.ts';

export function paintBackdrop({ backdrop, head }: Look, { width, height }: Frame): Canvas {
  const canvas = createCanvas(width, height);
  const pen = canvas.getContext('2d');
  const reach = Math.hypot(width, height);
  const light = pen.createRadialGradient(width * 0.6, height * 0.28, 0, width * 0.52, height * 0.45, reach * 0.72);
  light.addColorStop(0, lighter(backdrop.light, 0.05));
  light.addColorStop(0.45, blend(backdrop.light, backdrop.shade, 0.3));
  light.addColorStop(1, backdrop.shade);
  pen.fillStyle = light;
  pen.fillRect(0, 0, width, height);
  const unit = Math.min(width, height) / 10;
  pen.fillStyle = lighter(backdrop.light, 0.08);
  pen.strokeStyle = lighter(backdrop.light, 0.08);
  const random = mulberry32(hashText(head + backdrop.light + backdrop.motif));
  for (const [x, y] of placesOf(width, height, unit)) {
    pen.save();
    pen.translate(x + (random() - 0.5) * unit * 0.9, y + (random() - 0.5) * unit * 0.9);
    pen.rotate((random() - 0.5) * 0.9);
    pen.globalAlpha = 0.16 + 0.22 * random();
    SIGNS[backdrop.motif](pen, unit * (0.26 + 0.3 * random()));
    pen.restore();
  }
  return canvas;
}

function* placesOf(width: number, height: number, unit: number): Generator<[number, number]> {
  const step = unit * 2.3;
  for (let y = step * 0.4, row = 0; y < height; y += step, row++)
    for (let x = step * (row % 2 ? 0.9 : 0.35); x < width; x += step) yield [x, y];
}

type Sign = (pen: SKRSContext2D, r: number) => void;

const SIGNS: Record<Motif, Sign> = {
  plain() {},
  dots(pen, r) {
    pen.beginPath();
    pen.arc(0, 0, r, 0, Math.PI * 2);
    pen.fill();
  },
  bubbles(pen, r) {
    pen.lineWidth = r * 0.22;
    pen.beginPath();
    pen.arc(0, 0, r, 0, Math.PI * 2);
    pen.stroke();
  },
  stars(pen, r) {
    pen.beginPath();
    for (let i = 0; i < 8; i++) {
      const [far, turn] = [i % 2 ? r * 0.34 : r * 1.1, (i / 8) * Math.PI * 2];
      pen.lineTo(Math.sin(turn) * far, -Math.cos(turn) * far);
    }
    pen.closePath();
    pen.fill();
  },
  leaves(pen, r) {
    pen.beginPath();
    pen.moveTo(0, -r * 1.4);
    pen.bezierCurveTo(r * 1.1, -r * 0.5, r * 0.9, r * 0.8, 0, r * 1.3);
    pen.bezierCurveTo(-r * 0.9, r * 0.8, -r * 1.1, -r * 0.5, 0, -r * 1.4);
    pen.fill();
  },
  waves(pen, r) {
    pen.lineWidth = r * 0.34;
    pen.lineCap = 'round';
    pen.rotate(-pen.getTransform().b * 0.5);
    pen.beginPath();
    pen.moveTo(-r * 1.8, 0);
    for (const side of [-1, 0, 1]) pen.quadraticCurveTo((side - 0.25) * r * 1.2, -r * 0.9, (side + 0.5) * r * 1.2, 0);
    pen.stroke();
  },
  rays(pen, r) {
    pen.lineWidth = r * 0.3;
    pen.lineCap = 'round';
    for (let i = 0; i < 3; i++) {
      pen.beginPath();
      pen.moveTo((i - 1) * r * 0.7, r);
      pen.lineTo((i - 1) * r * 0.7, -r * (i === 1 ? 1.1 : 0.6));
      pen.stroke();
    }
  },
  hearts(pen, r) {
    pen.beginPath();
    pen.moveTo(0, r);
    pen.bezierCurveTo(-r * 1.7, -r * 0.2, -r * 0.8, -r * 1.3, 0, -r * 0.45);
    pen.bezierCurveTo(r * 0.8, -r * 1.3, r * 1.7, -r * 0.2, 0, r);
    pen.fill();
  },
  notes(pen, r) {
    pen.beginPath();
    pen.ellipse(-r * 0.3, r * 0.8, r * 0.5, r * 0.38, -0.3, 0, Math.PI * 2);
    pen.fill();
    pen.lineWidth = r * 0.2;
    pen.beginPath();
    pen.moveTo(r * 0.15, r * 0.8);
    pen.lineTo(r * 0.15, -r * 0.9);
    pen.quadraticCurveTo(r * 0.4, -r * 0.4, r * 0.8, -r * 0.25);
    pen.stroke();
  },
};
