/**
 * Images for the face detector's tests, drawn from numbers: one proportionate shaded face, placed anywhere, and many
 * images without a face, among them things that look like one (cars from the front, sockets, house fronts, animals).
 */
import { type Canvas, createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { spriteBody } from '../../../src/engines/embedded/renderer/graphics/sprites.ts';

/** A seeded stream of numbers in 0..1 (mulberry32). */
function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Where the parts of a drawn face are, in pixels. */
export interface DrawnFace {
  leftEye: { x: number; y: number };
  rightEye: { x: number; y: number };
  mouth: { x: number; y: number };
  chin: { x: number; y: number };
  width: number;
  height: number;
}

/** Draws a face: (x, y) is between the eyes, `unit` the distance of the eyes. Returns the truth to measure against. */
export function drawFace(
  g: SKRSContext2D,
  x: number,
  y: number,
  unit: number,
  skin = '#d9a07c',
  hair = '#3a2618',
): DrawnFace {
  g.save();
  g.translate(x, y);
  g.scale(unit, unit);
  g.fillStyle = hair;
  oval(g, 0, -0.25, 1.45, 1.5);
  g.fillStyle = skin;
  g.fillRect(-0.6, 1, 1.2, 1.4);
  g.fillStyle = '#2b4a7a';
  oval(g, 0, 3.2, 2.4, 1.3);
  const light = g.createRadialGradient(-0.2, 0.3, 0.2, 0, 0.3, 1.9);
  light.addColorStop(0, 'rgba(255,240,220,0.35)');
  light.addColorStop(0.6, 'rgba(0,0,0,0)');
  light.addColorStop(1, 'rgba(40,10,0,0.55)');
  for (const fill of [skin, light]) {
    g.fillStyle = fill;
    oval(g, 0, 0.3, 1.15, 1.5);
  }
  for (const side of [-0.5, 0.5]) drawEye(g, side, hair);
  g.strokeStyle = 'rgba(90,40,20,0.55)';
  g.lineWidth = 0.05;
  line(g, [-0.18, 0.62], [0, 0.7], [0.18, 0.62]);
  g.fillStyle = '#a8483f';
  oval(g, 0, 1.08, 0.4, 0.13);
  g.strokeStyle = '#5e1f1c';
  line(g, [-0.4, 1.06], [0, 1.09], [0.4, 1.06]);
  g.restore();
  const at = (dx: number, dy: number) => ({ x: x + dx * unit, y: y + dy * unit });
  return {
    leftEye: at(-0.5, 0),
    rightEye: at(0.5, 0),
    mouth: at(0, 1.08),
    chin: at(0, 1.8),
    width: 2.3 * unit,
    height: 2.3 * unit,
  };
}

function drawEye(g: SKRSContext2D, x: number, hair: string): void {
  g.fillStyle = 'rgba(70,30,20,0.35)';
  oval(g, x, -0.03, 0.33, 0.2);
  g.fillStyle = '#f3efe9';
  oval(g, x, 0, 0.26, 0.11);
  g.fillStyle = '#4b3220';
  oval(g, x, 0, 0.11, 0.11);
  g.fillStyle = '#120c08';
  oval(g, x, 0, 0.05, 0.05);
  g.strokeStyle = '#2a1712';
  g.lineWidth = 0.05;
  line(g, [x - 0.27, 0], [x, -0.14], [x + 0.27, 0]);
  g.strokeStyle = hair;
  g.lineWidth = 0.09;
  line(g, [x - 0.32, -0.33], [x, -0.45], [x + 0.32, -0.33]);
}

function oval(g: SKRSContext2D, x: number, y: number, rx: number, ry: number): void {
  g.beginPath();
  g.ellipse(x, y, rx, ry, 0, 0, Math.PI * 2);
  g.fill();
}

function line(g: SKRSContext2D, from: number[], bend: number[], to: number[]): void {
  g.beginPath();
  g.moveTo(from[0]!, from[1]!);
  g.quadraticCurveTo(bend[0]!, bend[1]! * 2 - (from[1]! + to[1]!) / 2, to[0]!, to[1]!);
  g.stroke();
}

/** A canvas painted by `paint`, as PNG. */
export function paintImage(
  width: number,
  height: number,
  paint: (g: SKRSContext2D, canvas: Canvas) => void,
): Uint8Array {
  const canvas = createCanvas(width, height);
  paint(canvas.getContext('2d'), canvas);
  return canvas.toBuffer('image/png');
}

function backdrop(g: SKRSContext2D, width: number, height: number, ...colours: string[]): void {
  const fill = g.createLinearGradient(0, 0, 0, height);
  for (const [i, colour] of colours.entries())
    fill.addColorStop(colours.length < 2 ? 0 : i / (colours.length - 1), colour);
  g.fillStyle = fill;
  g.fillRect(0, 0, width, height);
}

/** A plain portrait of 640 x 640 and its truth. */
export function portrait(paint?: (g: SKRSContext2D) => void): { image: Uint8Array; truth: DrawnFace } {
  let truth!: DrawnFace;
  const image = paintImage(640, 640, (g) => {
    backdrop(g, 640, 640, '#9fb4c8', '#5d7184');
    truth = drawFace(g, 320, 260, 110);
    paint?.(g);
  });
  return { image, truth };
}

type Painter = (g: SKRSContext2D, next: () => number) => void;
const SIDE = 512;

function ridges(g: SKRSContext2D, next: () => number, colours: string[]): void {
  for (const [i, colour] of colours.entries()) {
    g.fillStyle = colour;
    g.beginPath();
    g.moveTo(0, SIDE);
    let y = 180 + i * 80;
    for (let x = 0; x <= SIDE; x += 16) {
      y += (next() - 0.5) * 36;
      g.lineTo(x, y);
    }
    g.lineTo(SIDE, SIDE);
    g.fill();
  }
}

function blobs(g: SKRSContext2D, next: () => number, count: number, most: number, colour: () => string): void {
  for (let i = 0; i < count; i++) {
    g.fillStyle = colour();
    oval(g, next() * SIDE, next() * SIDE, 2 + next() * most, 2 + next() * most);
  }
}

function noise(cell: number): Painter {
  return (g, next) => {
    const small = createCanvas(Math.ceil(SIDE / cell), Math.ceil(SIDE / cell));
    const s = small.getContext('2d');
    const pixels = s.createImageData(small.width, small.height);
    for (let i = 0; i < pixels.data.length; i += 4) {
      const value = next() * 255;
      pixels.data.fill(value, i, i + 3);
      pixels.data[i + 3] = 255;
    }
    s.putImageData(pixels, 0, 0);
    g.drawImage(small, 0, 0, SIDE, SIDE);
  };
}

function text(font: string, size: number, words: string): Painter {
  return (g) => {
    backdrop(g, SIDE, SIDE, '#fdfbf4');
    g.fillStyle = '#1c1c22';
    g.font = `${size}px ${font}`;
    for (let y = size * 1.3, row = 0; y < SIDE + size; y += size * 1.35, row++)
      g.fillText(words.repeat(9).slice(row * 7), 12, y);
  };
}

function house(g: SKRSContext2D): void {
  backdrop(g, SIDE, SIDE, '#9cc9f0', '#e8f4ff', '#5f9a4a');
  g.fillStyle = '#d9a07c';
  g.fillRect(130, 190, 252, 240);
  g.fillStyle = '#7a2f25';
  g.beginPath();
  g.moveTo(100, 195);
  g.lineTo(256, 80);
  g.lineTo(412, 195);
  g.fill();
  g.fillStyle = '#223a55';
  g.fillRect(165, 235, 60, 55);
  g.fillRect(287, 235, 60, 55);
  g.fillStyle = '#5a2c18';
  g.fillRect(226, 345, 60, 85);
}

function car(g: SKRSContext2D): void {
  backdrop(g, SIDE, SIDE, '#c8d2da', '#6b6f73');
  g.fillStyle = '#b3262b';
  g.fillRect(90, 220, 332, 150);
  g.fillRect(140, 130, 232, 100);
  g.fillStyle = '#263845';
  g.fillRect(160, 145, 192, 70);
  for (const x of [150, 362]) {
    g.fillStyle = '#f7f2d0';
    oval(g, x, 270, 36, 28);
    g.fillStyle = '#555';
    oval(g, x, 270, 14, 14);
  }
  g.fillStyle = '#1a1a1a';
  g.fillRect(196, 300, 120, 36);
  g.fillRect(100, 370, 60, 50);
  g.fillRect(352, 370, 60, 50);
}

function socket(g: SKRSContext2D): void {
  backdrop(g, SIDE, SIDE, '#d8d4c8');
  g.fillStyle = '#f6f4ee';
  g.fillRect(130, 90, 252, 330);
  g.fillStyle = '#2a2a2a';
  g.fillRect(200, 180, 22, 70);
  g.fillRect(290, 180, 22, 70);
  oval(g, 256, 310, 26, 26);
}

function city(g: SKRSContext2D, next: () => number): void {
  backdrop(g, SIDE, SIDE, '#101a3a', '#3c2d55', '#c06a4a');
  for (let x = 0; x < SIDE; x += 46) {
    const top = 120 + next() * 220;
    g.fillStyle = `hsl(230,25%,${10 + next() * 12}%)`;
    g.fillRect(x, top, 42, SIDE);
    for (let y = top + 10; y < SIDE; y += 18) {
      for (let w = 5; w < 38; w += 11) {
        g.fillStyle = next() < 0.5 ? '#f8d774' : '#1b2340';
        g.fillRect(x + w, y, 7, 10);
      }
    }
  }
}

/** Of noise the models find most to like, then of what has two eyes; of plain scenes nothing, whatever the threshold. */
const PAINTED: Record<string, Painter> = {
  'white noise': noise(1),
  'coarse noise': noise(12),
  clouds: noise(40),
  'warm clouds': (g, next) => {
    noise(64)(g, next);
    g.fillStyle = 'rgba(217,150,110,0.5)';
    g.fillRect(0, 0, SIDE, SIDE);
  },
  mountains: (g, next) => {
    backdrop(g, SIDE, SIDE, '#7fb2e0', '#e6f0f5');
    ridges(g, next, ['#8c9db3', '#66788f', '#3f5a4c', '#24382c']);
  },
  city,
  'skin blobs': (g, next) => blobs(g, next, 90, 80, () => `hsl(${15 + next() * 20},50%,${40 + next() * 35}%)`),
  'large text': text('DejaVu Sans', 90, 'oo o. BODO: 08 '),
  'two dots': (g) => {
    backdrop(g, SIDE, SIDE, '#e0b090');
    g.fillStyle = '#201510';
    oval(g, 190, 220, 26, 26);
    oval(g, 322, 220, 26, 26);
  },
  'house of the colour of skin': house,
  car,
  socket,
};

const NOTO_THINGS = ['dog', 'dog-face', 'cat', 'horse', 'oncoming-automobile'];

function drawnThing(name: string): Uint8Array {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -16 160 160">
    <rect x="-16" y="-16" width="160" height="160" fill="#dfe8ee"/>${spriteBody(name)}</svg>`;
  return new Resvg(svg, { fitTo: { mode: 'width', value: SIDE } }).render().asPng();
}

/** Images without a human face, by name: painted and drawn things, animals among them. */
export async function negatives(): Promise<{ name: string; image: Uint8Array }[]> {
  const painted = Object.entries(PAINTED).map(([name, paint], i) => {
    const next = random(i + 1);
    return { name, image: paintImage(SIDE, SIDE, (g) => paint(g, next)) };
  });
  const drawn = NOTO_THINGS.map((name) => ({ name: `drawn ${name}`, image: drawnThing(name) }));
  // A blur brings noise nearer to photographs, where a cascade finds more to like.
  const softened = await Promise.all(
    painted
      .filter(({ name }) => /noise|clouds/.test(name))
      .map(async ({ name, image }) => ({ name: `soft ${name}`, image: await sharp(image).blur(3).png().toBuffer() })),
  );
  return [...painted, ...drawn, ...softened];
}

/**
 * A photograph of a head that faces the viewer as if it were turned to the viewer's right: its pixels on an ellipsoid with a nose, on
 * grey, as raw RGB.
 */
export function turnedHead(
  { rgb, width, height }: { rgb: Uint8Array; width: number; height: number },
  landmarks: number[],
  degrees: number,
): Uint8Array {
  const at = (index: number) => [landmarks[index * 3]! * width, landmarks[index * 3 + 1]! * height] as const;
  const [[left], [right], [, top], [, chin], nose] = [at(234), at(454), at(10), at(152), at(1)] as const;
  const [cx, cy] = [(left + right) / 2, (top + chin) / 2];
  const [rx, ry] = [(right - left) * 0.56, (chin - top) * 0.65];
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  const out = new Uint8Array(width * height * 3).fill(128);
  const nearest = new Float32Array(width * height).fill(Number.NEGATIVE_INFINITY);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += 0.25) {
      const round = 1 - ((x - cx) / rx) ** 2 - ((y - cy) / ry) ** 2;
      if (round <= 0) continue;
      const bump = Math.exp(-(((x - nose[0]) / (rx * 0.16)) ** 2) - ((y - nose[1] + ry * 0.08) / (ry * 0.2)) ** 2);
      const depth = rx * (0.95 * Math.sqrt(round) + 0.35 * bump);
      const to = y * width + Math.round(cx + (x - cx) * cos + depth * sin);
      const near = depth * cos - (x - cx) * sin;
      if (near <= nearest[to]!) continue;
      nearest[to] = near;
      const from = (y * width + Math.floor(x)) * 3;
      out.set(rgb.subarray(from, from + 3), to * 3);
    }
  }
  return out;
}
