import { curve, trace } from '../layer.ts';
import { between } from '../random.ts';
import type { Face, Pt } from '../shape.ts';
import { drawCurls, drawLocks, drawMass } from '../strands.ts';
import { cap, type Scene } from './scalp.ts';

/** One half of parted hair: from the parting over the temple and down to y = `length`. */
function curtain(face: Face, side: number, part: number, volume: number, length: number, flare = 0): Pt[][] {
  const { w, top, hairline: h } = face;
  const px = part * w * 0.45;
  const v = volume;
  const x = (n: number) => side * n;
  return [
    [
      [px, h - 3],
      [px + x(Math.abs(x(w * 0.66) - px) * 0.5), h + 11],
      [x(w * 0.74), -62],
      [x(w * 0.9), -28],
      [x(w * 0.99), 14],
      [x(w * 0.97 + flare * 0.3), 70],
      [x(w * 0.9 + flare * 0.5), length - 6],
    ],
    [
      [px, h - 20],
      [px + x(Math.abs(x(w * 0.8) - px) * 0.52), h - 16],
      [x(w * 0.84), -78],
      [x(w * 1.02), -36],
      [x(w * 1.08), 14],
      [x(w * 1.08 + flare * 0.4), 74],
      [x(w * 1.02 + flare * 0.7), length],
    ],
    [
      [px, top - v * 0.8],
      [px + x(Math.abs(x(w * 0.72) - px) * 0.55), top - v * 0.8 + 5],
      [x(w * 0.8 + v * 0.38), -103 - v * 0.36],
      [x(w + v * 0.62), -54],
      [x(w + v * 0.85), 14],
      [x(w + v + flare * 0.6), 78],
      [x(w * 1.06 + v * 0.8 + flare), length + 4],
    ],
    [
      [px, top - v],
      [px + x(Math.abs(x(w * 0.7) - px) * 0.62), top - v + 6],
      [x(w * 0.79 + v * 0.5), -110 - v * 0.45],
      [x(w + v * 0.84), -62],
      [x(w + v * 1.1), 8],
      [x(w + v * 1.25 + flare * 0.7), 78],
      [x(w * 1.06 + v * 1.05 + flare), length - 4],
    ],
  ];
}

function paintFringe(s: Scene, volume: number, y: number): void {
  const { w, top } = s.face;
  const guides = Array.from({ length: 9 }, (_, i): Pt[] => {
    const k = i / 4 - 1;
    return [
      [k * w * 0.34, top - volume + 4 + k * k * 8],
      [k * w * 0.66, s.face.hairline - 22 + k * k * 14],
      [k * w * 0.82, s.face.hairline + 18 + k * k * 8],
      [k * w * (0.86 + 0.06 * k * k), y + k * k * 18],
    ];
  });
  drawMass(s.pen, guides, s.ink, s.random, { density: 1, jitter: 4, gloss: 1 });
}

export function parted(
  s: Scene,
  volume: number,
  length: number,
  flare: number,
  wave?: { amp: number; turns: number },
  curls = false,
): void {
  const { face, traits } = s;
  for (const side of [1, -1]) {
    const guides = curtain(face, side, traits.hair.part, volume, length, flare);
    s.pen.fillStyle = s.ink.dark[1]!;
    trace(s.pen, [
      ...curve(
        guides[0]!.map(([x, y]): Pt => [x + side * 5, y - 2]),
        24,
      ),
      ...curve(guides[3]!, 24)
        .map(([x, y]): Pt => [x - side * 3, y])
        .reverse(),
    ]);
    s.pen.fill();
    drawMass(s.pen, guides, s.ink, s.random, { density: 1.3, wave, jitter: 4, gloss: curls ? 0.25 : 1 });
  }
  if (curls) paintRinglets(s, volume, length);
  else if (traits.hair.fringe) paintFringe(s, volume, face.brow.y - 17);
}

/** Hair behind neck and shoulders down to y = `length`. */
export function paintBackMass(
  s: Scene,
  volume: number,
  length: number,
  flare: number,
  wave?: { amp: number; turns: number },
): void {
  const { w } = s.face;
  const guides = Array.from({ length: 9 }, (_, i): Pt[] => {
    const k = i / 4 - 1;
    return [
      [k * (w + volume * 0.6), -70 + k * k * 20],
      [k * (w + volume), 20],
      [k * (w + volume + flare * 0.6), 90],
      [k * (w + volume * 0.9 + flare), length - k * k * 8],
    ];
  });
  s.pen.fillStyle = s.ink.dark[2]!;
  trace(s.pen, [...curve(guides[0]!, 20), ...curve(guides[8]!, 20).reverse()]);
  s.pen.fill();
  drawLocks(s.pen, guides, s.ink, s.random, { count: 120, width: [5, 11], coat: 'dark', wave, jitter: 5 });
  drawLocks(s.pen, guides, s.ink, s.random, { count: 80, width: [1.5, 4], wave, jitter: 5, alpha: 0.6 });
}

/** Ringlets over the mass of curly hair, so that it does not read as merely wavy. */
function paintRinglets(s: Scene, volume: number, length: number): void {
  const { face, random } = s;
  const place = (): Pt => {
    const side = random() < 0.5 ? -1 : 1;
    const y = between(random, -60, length + 6);
    return [side * (face.w * 1.03 + random() * volume * (0.5 + 0.75 * Math.min(1, (y + 80) / 90))), y];
  };
  drawCurls(s.pen, s.ink, random, 260, 6.5, place, 0.12);
  const { inner, outer } = cap(face, volume, volume);
  drawCurls(
    s.pen,
    s.ink,
    random,
    240,
    6,
    () => {
      const a = between(random, -0.8, 0.8);
      const t = between(random, 0.04, 1.02);
      const [p, q] = [inner(a), outer(a)];
      return [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
    },
    0.12,
  );
}
