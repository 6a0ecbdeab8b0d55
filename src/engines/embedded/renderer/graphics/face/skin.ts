/** Colours read off the image around the face, and what is done with them. Read-only. */
import { type Planes, toI420 } from '../../../codec/colour.ts';
import { sample } from './sample.ts';

/** A colour in YUV, 0 to 255 each. */
export interface Colour {
  y: number;
  u: number;
  v: number;
}

/** Luma of the nearest pixel. */
export function lumaAt(source: Planes, x: number, y: number): number {
  const column = Math.min(source.width - 1, Math.max(0, x));
  const row = Math.min(source.height - 1, Math.max(0, y));
  return source.y[row * source.width + column] as number;
}

/** Between pixels; 0 is the left or upper edge of the first one. */
export function sampledColour({ y, u, v, width, height }: Planes, px: number, py: number): Colour {
  return {
    y: sample(y, width, height, px - 0.5, py - 0.5),
    u: sample(u, width >> 1, height >> 1, px / 2 - 0.5, py / 2 - 0.5),
    v: sample(v, width >> 1, height >> 1, px / 2 - 0.5, py / 2 - 0.5),
  };
}

/** Of the nearest pixel. */
function colourAt(source: Planes, x: number, y: number): Colour {
  const column = Math.min(source.width - 1, Math.max(0, Math.round(x)));
  const row = Math.min(source.height - 1, Math.max(0, Math.round(y)));
  const at = (row >> 1) * (source.width >> 1) + (column >> 1);
  return { y: lumaAt(source, column, row), u: source.u[at] as number, v: source.v[at] as number };
}

/** Forty colours of a box, from dark to bright. */
export function samples(source: Planes, x: number, y: number, w: number, h: number): Colour[] {
  const out: Colour[] = [];
  for (let i = 0; i < 8; i++) for (let k = 0; k < 5; k++) out.push(colourAt(source, x + (w * i) / 7, y + (h * k) / 4));
  return out.sort((one, other) => one.y - other.y);
}

/** The middle of the sampled colours by brightness, averaged. */
export function medianColour(source: Planes, x: number, y: number, w: number, h: number): Colour {
  const sorted = samples(source, x, y, w, h);
  return meanColour(sorted.slice(14, 30));
}

/** The darkest eighth of a box about a centre: lashes, pupil. */
export function darkest(source: Planes, x: number, y: number, rx: number, ry: number): Colour {
  return meanColour(samples(source, x - rx * 0.8, y - ry, rx * 1.6, ry * 2).slice(0, 5));
}

/** The mean of each part. */
export function meanColour(colours: Colour[]): Colour {
  const mean = (pick: (colour: Colour) => number) => colours.reduce((sum, one) => sum + pick(one), 0) / colours.length;
  return { y: mean((one) => one.y), u: mean((one) => one.u), v: mean((one) => one.v) };
}

/** From `one` (share 0) to `other` (share 1). */
export function mix(one: Colour, other: Colour, share: number): Colour {
  const between = (a: number, b: number) => a + (b - a) * share;
  return { y: between(one.y, other.y), u: between(one.u, other.u), v: between(one.v, other.v) };
}

/** A colour given as #rrggbb; undefined when it is not one. */
export function fromHex(hex: string): Colour | undefined {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (!digits) return undefined;
  const value = Number.parseInt(digits, 16);
  const rgba = new Uint8Array(16);
  for (let pixel = 0; pixel < 4; pixel++) rgba.set([value >> 16, (value >> 8) & 255, value & 255, 255], pixel * 4);
  const [y, , , , u, v] = toI420(rgba, 2, 2);
  return { y: y as number, u: u as number, v: v as number };
}
