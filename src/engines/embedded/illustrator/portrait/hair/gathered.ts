/** Hair tied up: braids and buns. */
import { tone } from '../colour.ts';
import { curve, glow } from '../layer.ts';
import type { Pt } from '../shape.ts';
import { drawLocks, drawMass } from '../strands.ts';
import { paintCap, type Scene } from './scalp.ts';

export function paintBraids(s: Scene): void {
  const { pen, face, ink, random } = s;
  paintCap(s, 12, (a) => a * 1.02, { density: 1.4 });
  for (const side of [-1, 1]) {
    const spine = curve(
      [
        [side * face.w * 1.0, 30],
        [side * face.w * 1.08, 100],
        [side * face.w * 0.92, 190],
        [side * face.w * 0.86, 290],
      ],
      26,
    );
    spine.forEach(([x, y], i) => {
      const lean = i % 2 ? 1 : -1;
      const size = 17 - i * 0.25;
      const guides: Pt[][] = [0, 0.5, 1].map((k) => [
        [x - lean * size * 0.8, y - 8 + k * 9],
        [x, y - 2 + k * 10],
        [x + lean * size * 0.5, y + 6 + k * 9],
      ]);
      drawLocks(pen, guides, ink, random, { count: 7, width: [5, 8], coat: 'dark', jitter: 1 });
      drawLocks(pen, guides, ink, random, { count: 16, width: [1.2, 3.4], jitter: 1 });
      glow(pen, x - 4, y - 2, 7, 5, tone(ink.colour, 0.5), 0.28);
    });
  }
}

export function paintBun(s: Scene): void {
  const { pen, face, ink, random } = s;
  const y = face.top - 26;
  pen.fillStyle = ink.dark[1]!;
  pen.beginPath();
  pen.ellipse(0, y, 42, 36, 0, 0, Math.PI * 2);
  pen.fill();
  const turns = Array.from({ length: 9 }, (_, i): Pt[] => {
    const r = 8 + i * 4;
    return [
      [-r, y + 12],
      [-r * 0.8, y - r * 0.6],
      [0, y - r * 0.86],
      [r * 0.8, y - r * 0.5],
      [r * 1.04, y + 10],
    ];
  });
  drawMass(pen, turns, ink, random, { density: 0.8, jitter: 2.5, gloss: 0 });
  glow(pen, -13, y - 16, 22, 14, tone(ink.colour, 0.55), 0.4);
}
