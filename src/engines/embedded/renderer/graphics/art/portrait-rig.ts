/** The rig of a portrait: the numbers it is painted by, as fractions of the image, and the look itself. */
import type { Point, Rig } from '../../../../ports/index.ts';
import { art, type Box } from './art.ts';
import { isBeast } from './art-units.ts';
import { BEASTS, type Beast } from './beasts.ts';
import { lidOf, mouthOf } from './compose.ts';
import type { Layers } from './layers.ts';
import { blend } from './tint.ts';

/** Where a person's face is, in units. */
const FACE = { left: 6.4, right: 25.8, chin: 29.8, browY: 13.4, browX: 4.45 };
const BEARDS = new Set(['beard:full', 'beard:santa', 'beard:short']);

export function rigOf(layers: Layers): Rig {
  const { look, frame } = layers;
  const { width, height, scale } = frame;
  const point = (x: number, y: number): Point => ({
    x: rounded((frame.x + x * scale) / width),
    y: rounded((frame.y + y * scale) / height),
  });
  const [w, h] = [
    (units: number) => rounded((units * scale) / width),
    (units: number) => rounded((units * scale) / height),
  ];
  const beast = isBeast(look) ? (BEASTS[look.head] as Beast) : undefined;
  const [left, right] = beast ? beastBoxes(beast) : (art().heads[look.head] as { eyes: readonly [Box, Box] }).eyes;
  const eye = ([x, y, bw, bh]: Box) => ({ ...point(x + bw / 2, y + bh / 2), rx: w(bw / 2), ry: h(bh / 2) });
  const mouth = beast?.mouth ?? { ...mouthOf(look), w: mouthOf(look).half * 2 };
  const chin = beast?.chin ?? FACE.chin;
  const browY = beast ? left[1] - 2 : FACE.browY;
  const skin = beast ? (look.skin ?? beast.fur) : (look.skin ?? '#e6ae8f');
  return {
    version: 1,
    source: 'rig',
    face: { ...point(FACE.left, browY), w: w(FACE.right - FACE.left), h: h(chin - browY) },
    leftEye: eye(left),
    rightEye: eye(right),
    mouth: { ...point(mouth.x, mouth.y), w: w(mouth.w), h: h(1.4) },
    chin: point(mouth.x, chin),
    leftBrow: point(left[0] + left[2] / 2, browY),
    rightBrow: point(right[0] + right[2] / 2, browY),
    head: outlineOf(layers),
    skin,
    lips: beast ? '#2e2530' : (look.lips ?? blend('#88024e', skin, 0.1)),
    lid: beast ? skin : lidOf(skin),
    beard: look.over.some(({ part }) => BEARDS.has(part)),
    look,
  };
}

const beastBoxes = ({ eyes: { left, right, y, rx, ry } }: Beast): readonly [Box, Box] => [
  [left - rx, y - ry, rx * 2, ry * 2],
  [right - rx, y - ry, rx * 2, ry * 2],
];

/** An oval round all that moves with the head. */
function outlineOf({ of, frame }: Layers): Point[] {
  const { width, height } = frame;
  const boxes = [of.skin, of.hair, of.hat].flatMap((layer) =>
    layer ? [{ x0: layer.x, y0: layer.y, x1: layer.x + layer.canvas.width, y1: layer.y + layer.canvas.height }] : [],
  );
  const [x0, y0] = [Math.min(...boxes.map((box) => box.x0)), Math.min(...boxes.map((box) => box.y0))];
  const [x1, y1] = [Math.max(...boxes.map((box) => box.x1)), Math.max(...boxes.map((box) => box.y1))];
  const clamp = (value: number) => rounded(Math.min(0.995, Math.max(0.005, value)));
  return Array.from({ length: 32 }, (_, i) => {
    const turn = (i / 32) * Math.PI * 2;
    // Squarer than an ellipse: heads of the art fill their box.
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const reach = (v: number) => Math.sign(v) * Math.abs(v) ** 0.7;
    return {
      x: clamp(((x0 + x1) / 2 + ((x1 - x0) / 2) * reach(c)) / width),
      y: clamp(((y0 + y1) / 2 + ((y1 - y0) / 2) * reach(s)) / height),
    };
  });
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;
