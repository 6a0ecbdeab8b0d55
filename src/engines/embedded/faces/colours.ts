/**
 * Samples what the talking head paints with, colours of skin, lips and eyelids, measures the opening of the eyes and
 * the brows, and guesses whether a beard surrounds the mouth. Works on the aligned patch only.
 */
import { UNIT } from './eyes.ts';
import { EYE_LINE, MIDDLE, type Mouth, redness } from './mouth.ts';
import type { Patch } from './picture.ts';

export type Colour = [number, number, number];

/** Median colour of small squares round the given points (patch pixels). */
function medianAt(patch: Patch, points: [number, number][], radius = 2): Colour {
  const channels: [number[], number[], number[]] = [[], [], []];
  for (const [cx, cy] of points) {
    for (let y = Math.round(cy) - radius; y <= Math.round(cy) + radius; y++) {
      for (let x = Math.round(cx) - radius; x <= Math.round(cx) + radius; x++) {
        if (x < 0 || y < 0 || x >= patch.width || y >= patch.height) continue;
        for (const c of [0, 1, 2] as const) channels[c].push(patch.rgb[(y * patch.width + x) * 3 + c]!);
      }
    }
  }
  return channels.map((values) => values.sort((a, b) => a - b)[values.length >> 1] ?? 128) as Colour;
}

/** '#rrggbb'. */
export function hex(colour: Colour): string {
  return `#${colour.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

export function colourDistance(a: Colour, b: Colour): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** Skin beside the nose and on the cheeks, which beards and fringes leave free. */
export function cheekColour(patch: Patch): Colour {
  const y = EYE_LINE + UNIT * 0.52;
  return medianAt(patch, [
    [MIDDLE - UNIT * 0.42, y],
    [MIDDLE + UNIT * 0.42, y],
    [MIDDLE - UNIT * 0.55, y],
    [MIDDLE + UNIT * 0.55, y],
  ]);
}

/** Roughness of a square: the mean step between neighbouring greys, across and down. */
function textureAt({ grey, width }: Patch, cx: number, cy: number): number {
  let sum = 0;
  let count = 0;
  for (let y = Math.round(cy) - 4; y <= Math.round(cy) + 4; y++) {
    for (let x = Math.round(cx) - 4; x <= Math.round(cx) + 4; x++, count++) {
      const at = y * width + x;
      sum += Math.abs(grey[at]! - grey[at + 1]!) + Math.abs(grey[at]! - grey[at + width]!);
    }
  }
  return sum / count;
}

/** These told beards from shaven jaws on 64 of 65 drawn faces; hue alone mistook shade from the side for hair. */
const BEARD = { unlike: 0.3, texture: 7 } as const;

/** True when both sides of the mouth have another colour than the cheeks, and the roughness of hair. */
export function guessBeard(patch: Patch, mouth: Mouth): boolean {
  const cheek = cheekColour(patch);
  const y = mouth.y + mouth.h / 2 + UNIT * 0.05;
  const sides = [MIDDLE - UNIT * 0.48, MIDDLE + UNIT * 0.48];
  const unlike = Math.min(...sides.map((x) => unlikeSkin(medianAt(patch, [[x, y]], 3), cheek)));
  const texture = sides.reduce((sum, x) => sum + textureAt(patch, x, y), 0) / sides.length;
  return unlike > BEARD.unlike && texture > BEARD.texture;
}

/** How unlike skin a colour is: of another hue it counts fully, merely darker or lighter much less. */
function unlikeSkin(colour: Colour, skin: Colour): number {
  const [a, b] = [colour, skin].map(([r, g, b]) => r + g + b + 1) as [number, number];
  const shade = Math.abs(Math.log(a / b));
  const hue = colour.reduce((sum, value, c) => sum + Math.abs(value / a - skin[c]! / b), 0);
  return hue * 3 + Math.max(0, shade - 0.15) * 0.8;
}

/** Pixels of a box round (cx, cy), from dark to light. */
function pixelsByLight(patch: Patch, cx: number, cy: number, halfW: number, halfH: number): [number, number][] {
  const pixels: [number, number][] = [];
  for (let y = Math.round(cy - halfH); y <= cy + halfH; y++) {
    for (let x = Math.round(cx - halfW); x <= cx + halfW; x++) pixels.push([x, y]);
  }
  const light = ([x, y]: [number, number]) => patch.grey[y * patch.width + x]!;
  return pixels.sort((p, q) => light(p) - light(q));
}

/** The lips: the redder half of what is left of the mouth without its darkest part, the line and its shade. */
function lipColour(patch: Patch, mouth: Mouth): Colour {
  const pixels = pixelsByLight(patch, mouth.x, mouth.y + 1, mouth.w * 0.3, Math.max(mouth.h * 0.5, UNIT * 0.1));
  const red = ([x, y]: [number, number]) => redness(patch, x, y);
  const lit = pixels.slice(Math.floor(pixels.length * 0.4)).sort((p, q) => red(q) - red(p));
  return medianAt(patch, lit.slice(0, Math.ceil(lit.length / 2)), 0);
}

/** Skin round the mouth, from its lighter part: below the lip and on one cheek lies shade. */
function mouthSkin(patch: Patch, mouth: Mouth): Colour {
  const aside = mouth.w / 2 + UNIT * 0.14;
  const below = mouth.y + mouth.h / 2 + UNIT * 0.18;
  const spots: [number, number][] = [
    [mouth.x - aside, mouth.y],
    [mouth.x + aside, mouth.y],
    [mouth.x - mouth.w * 0.3, below],
    [mouth.x + mouth.w * 0.3, below],
  ];
  const pixels = spots.flatMap(([x, y]) => pixelsByLight(patch, x, y, 3, 3));
  const light = ([x, y]: [number, number]) => patch.grey[y * patch.width + x]!;
  pixels.sort((p, q) => light(p) - light(q));
  return medianAt(patch, pixels.slice(Math.floor(pixels.length * 0.6), Math.ceil(pixels.length * 0.9)), 0);
}

/** Colours of a face: skin round the mouth (the cheeks' under a beard), lips, and the lid between eye and brow. */
export function sampleColours(patch: Patch, mouth: Mouth, beard: boolean): { skin: Colour; lips: Colour; lid: Colour } {
  const skin = beard ? cheekColour(patch) : mouthSkin(patch, mouth);
  const lidRow = EYE_LINE - UNIT * 0.22;
  const seen = medianAt(patch, [
    [MIDDLE - UNIT / 2, lidRow],
    [MIDDLE + UNIT / 2, lidRow],
  ]);
  // Bushy brows and the rims of spectacles reach into the lid: then shaded skin is the better guess.
  const cheek = cheekColour(patch);
  const lid = unlikeSkin(seen, cheek) > 0.55 ? (cheek.map((value) => value * 0.86) as Colour) : seen;
  return { skin, lips: lipColour(patch, mouth), lid };
}

/** Half width and half height of the visible opening of the eyes, as far as pixels unlike skin reach. */
export function eyeOpening(patch: Patch): { rx: number; ry: number } {
  const skin = cheekColour(patch);
  const unlike = (x: number, y: number) => {
    const at = (Math.round(y) * patch.width + Math.round(x)) * 3;
    return colourDistance([patch.rgb[at]!, patch.rgb[at + 1]!, patch.rgb[at + 2]!], skin) > 55;
  };
  const reach = (cx: number, stepX: number, stepY: number, most: number): number => {
    let last = 0;
    for (let i = 0; i <= most; i++)
      if (unlike(cx + stepX * i, EYE_LINE + stepY * i)) last = i;
      else if (i - last > 3) break;
    return last;
  };
  const centres = [MIDDLE - UNIT / 2, MIDDLE + UNIT / 2];
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rx = mean(centres.flatMap((x) => [reach(x, 1, 0, UNIT * 0.36), reach(x, -1, 0, UNIT * 0.36)]));
  const ry = mean(centres.map((x) => reach(x, 0, 1, UNIT * 0.2)));
  // Lower lashes and their shadow are unlike skin too; they make an eighth of what was walked.
  return {
    rx: Math.min(Math.max(rx, UNIT * 0.2), UNIT * 0.34),
    ry: Math.min(Math.max(ry * 0.88, UNIT * 0.07), UNIT * 0.16),
  };
}

/** Row of the brow above an eye at column x, when something darker than the forehead is there. */
export function findBrow(patch: Patch, x: number): number | undefined {
  const half = Math.round(UNIT * 0.2);
  const rows: number[] = [];
  const [from, to] = [Math.round(EYE_LINE - UNIT * 0.68), Math.round(EYE_LINE - UNIT * 0.22)];
  for (let y = from; y <= to; y++) {
    let sum = 0;
    for (let dx = -half; dx <= half; dx++) sum += patch.grey[y * patch.width + Math.round(x) + dx]!;
    rows.push(sum / (2 * half + 1));
  }
  let best = { row: -1, depth: 6 };
  const gap = Math.round(UNIT * 0.1);
  for (let i = gap; i < rows.length - gap; i++) {
    const depth = Math.min(rows[i - gap]!, rows[i + gap]!) - rows[i]!;
    if (depth > best.depth) best = { row: from + i, depth };
  }
  return best.row < 0 ? undefined : best.row;
}
