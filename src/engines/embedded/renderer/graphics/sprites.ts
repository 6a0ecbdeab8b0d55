/**
 * Sprites: Noto emoji and our own drawings, rasterised at the size they are used, recoloured and lit. Keeps a small
 * cache of rasters; it draws only what `nouns.ts` lists.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import { LRUCache } from 'lru-cache';
import { type Canvas, emptyCanvas } from './canvas.ts';
import { fromHsl, type Rgb, rgb, toHsl } from './colour.ts';
import { NOUNS } from './nouns.ts';
import { OWN_SPRITES } from './own-sprites.ts';

interface IconSet {
  icons: Record<string, { body: string }>;
  aliases: Record<string, { parent: string }>;
}

let icons: IconSet | undefined;

/** The set as it is published, or as `scripts/trim.mjs` packs it. */
function readIcons(): IconSet {
  const folder = path.dirname(createRequire(import.meta.url).resolve('@iconify-json/noto/package.json'));
  const plain = path.join(folder, 'icons.json');
  // In one piece, so that no second copy of it is made.
  const bytes = existsSync(plain)
    ? readFileSync(plain)
    : brotliDecompressSync(readFileSync(`${plain}.br`), { chunkSize: 2 ** 25 });
  return JSON.parse(bytes.toString()) as IconSet;
}

/** Body of an emoji's drawing in a 128 x 128 box. Throws for a name that is not in the set: the noun list is at fault. */
export function spriteBody(name: string): string {
  if (name.startsWith('own:')) {
    const own = OWN_SPRITES[name.slice(4)];
    if (!own) throw new Error(`No drawing of our own is called ${name}.`);
    return own((inner) => spriteBody(inner));
  }
  // 25 MB of JSON: read at first need, by the thread that draws.
  icons ??= readIcons();
  const icon = icons.icons[name] ?? icons.icons[icons.aliases[name]?.parent ?? ''];
  if (!icon) throw new Error(`The emoji set has no ${name}.`);
  return icon.body;
}

/** A drawing as pixels, with transparency round it. */
export interface Sprite {
  canvas: Canvas;
  /** The box of what is visible, in pixels of the canvas. */
  box: { x: number; y: number; w: number; h: number };
}

/** Whose colours are their own. */
const ANIMALS = new Set(NOUNS.flatMap(({ role, sprite: name }) => (role === 'animal' ? [name] : [])));

const CACHE_LIMIT = 48;
const cache = new LRUCache<string, Sprite>({ max: CACHE_LIMIT });

/** @param pixels side of the square it is drawn in. @param colour '#rrggbb' to dye it with. */
export function sprite(name: string, pixels: number, colour?: string): Sprite {
  const size = Math.max(8, Math.min(1600, Math.round(pixels)));
  const key = `${name}|${size}|${colour ?? ''}`;
  const known = cache.get(key);
  if (known) return known;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 128 128">${spriteBody(name)}</svg>`;
  const drawn = new Resvg(svg, { fitTo: { mode: 'width', value: size }, font: { loadSystemFonts: false } }).render();
  const { canvas, ctx } = emptyCanvas(size, size);
  const image = ctx.createImageData(drawn.width, drawn.height);
  image.data.set(drawn.pixels);
  unmultiply(image.data);
  if (colour) dye(image.data, rgb(colour), ANIMALS.has(name));
  ctx.putImageData(image, 0, 0);
  const made = { canvas, box: visibleBox(image.data, drawn.width, drawn.height) };
  cache.set(key, made);
  return made;
}

/** The height of a drawing as a share of its longer side: what is flat is no taller for being wide. */
export function flatness(name: string): number {
  const { box } = sprite(name, 64);
  return Math.min(1, box.h / box.w);
}

/** resvg gives premultiplied pixels; the canvas wants them straight. */
function unmultiply(data: Uint8ClampedArray): void {
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] as number;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = 0; c < 3; c++) data[i + c] = ((data[i + c] as number) * 255) / alpha;
  }
}

function visibleBox(data: Uint8ClampedArray, width: number, height: number): Sprite['box'] {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0, i = 3; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      if ((data[i] as number) < 40) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return right < left
    ? { x: 0, y: 0, w: width, h: height }
    : { x: left, y: top, w: right - left + 1, h: bottom - top + 1 };
}

/** Gives the sprite's main hue the wanted one; outlines, whites and other hues stay. */
function dye(data: Uint8ClampedArray, target: Rgb, isAnimal: boolean): void {
  const main = dominantHue(data);
  const [hue, saturation, lightness] = toHsl(target);
  // A red fox and a brown bear are so by nature.
  if (
    main &&
    saturation > 0.2 &&
    Math.abs(((hue - main.hue + 540) % 360) - 180) < (isAnimal ? 32 : 12) &&
    Math.abs(lightness - main.lightness) < (lightness > 0.7 ? 0.1 : 0.2)
  )
    return;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] === 0) continue;
    const [h, s, l] = toHsl([data[i] as number, data[i + 1] as number, data[i + 2] as number]);
    const isMain = main === undefined ? l > 0.25 : s > 0.16 && Math.abs(((h - main.hue + 540) % 360) - 180) < 42;
    if (!isMain) continue;
    const level = main?.lightness ?? 0.6;
    // Shading stays: the pixel keeps its distance from the main lightness.
    const shade = Math.min(0.97, Math.max(0.03, lightness + (l - level) * (lightness < 0.2 ? 0.5 : 0.85)));
    const dyed = fromHsl(hue, saturation < 0.12 ? saturation : Math.min(1, saturation * 0.6 + s * 0.4), shade);
    for (let c = 0; c < 3; c++) data[i + c] = dyed[c] as number;
  }
}

function dominantHue(data: Uint8ClampedArray): { hue: number; lightness: number } | undefined {
  const bins = new Float64Array(36);
  const lights = new Float64Array(36);
  let opaque = 0;
  for (let i = 0; i < data.length; i += 16) {
    if ((data[i + 3] as number) < 128) continue;
    opaque++;
    const [h, s, l] = toHsl([data[i] as number, data[i + 1] as number, data[i + 2] as number]);
    if (s < 0.2 || l < 0.1 || l > 0.94) continue;
    const bin = Math.min(35, Math.floor(h / 10));
    bins[bin] = (bins[bin] as number) + 1;
    lights[bin] = (lights[bin] as number) + l;
  }
  let best = 0;
  for (let i = 1; i < 36; i++) if ((bins[i] as number) > (bins[best] as number)) best = i;
  const count = bins[best] as number;
  return count < opaque * 0.06 ? undefined : { hue: best * 10 + 5, lightness: (lights[best] as number) / count };
}
