/**
 * Sheets of a scene made ready for film: in ink, with the box that is painted on them and the rows they fill wholly,
 * so that nothing is drawn where it is empty or hidden.
 */
import type { Canvas } from '../illustrator/canvas.ts';
import type { Spot } from '../illustrator/scene/index.ts';
import { toInk } from './ink.ts';

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Sheet {
  canvas: Canvas;
  depth: number;
  kind: string;
  spot?: Spot;
  /** What is painted; grows smaller when nearer sheets hide its foot. */
  box: Box;
  /** From this row down every pixel is opaque; the sheet's height when none is. */
  solidFrom: number;
  /** True where the sheet is painted. */
  covers(x: number, y: number): boolean;
}

/** Looks at every second pixel: boxes are padded by that. Undefined for an empty sheet. */
const STEP = 2;

export function sheetOf(layer: { canvas: Canvas; depth: number; kind: string; spot?: Spot }): Sheet | undefined {
  const { canvas } = layer;
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  let [left, right, top, bottom] = [width, -1, height, -1];
  let solidFrom = height;
  let isSolid = true;
  for (let y = height - 1; y >= 0; y -= STEP) {
    let solid = 0;
    for (let x = 0; x < width; x += STEP) {
      const alpha = data[(y * width + x) * 4 + 3] as number;
      if (alpha === 255) solid++;
      if (alpha < 3) continue;
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
    isSolid &&= solid === Math.ceil(width / STEP);
    if (isSolid) solidFrom = y;
  }
  if (right < 0) return undefined;
  const x = Math.max(0, left - STEP);
  const y = Math.max(0, top - STEP);
  const box = { x, y, w: Math.min(width, right + STEP + 1) - x, h: Math.min(height, bottom + STEP + 1) - y };
  const mask = maskOf(data, width, height);
  toInk(canvas);
  const covers = (px: number, py: number) =>
    px >= 0 && py >= 0 && px < width && py < height && mask[(py >> 2) * (width >> 2) + (px >> 2)] === 1;
  return { ...layer, box, solidFrom, covers };
}

/** A quarter of the resolution is enough to know where water is. */
function maskOf(data: Uint8ClampedArray, width: number, height: number): Uint8Array {
  const [w, h] = [width >> 2, height >> 2];
  const mask = new Uint8Array(w * h);
  for (let y = 0; y < h; y++)
    for (let x = 0; x < w; x++) mask[y * w + x] = (data[(y * 4 * width + x * 4) * 4 + 3] as number) > 200 ? 1 : 0;
  return mask;
}

/** Cuts from each sheet the rows that nearer, fixed sheets always hide. @param slack rows that parallax may uncover */
export function hideCovered(sheets: Sheet[], isFixed: (sheet: Sheet) => boolean, slack: number): void {
  let solid = Number.POSITIVE_INFINITY;
  for (let i = sheets.length - 1; i >= 0; i--) {
    const sheet = sheets[i] as Sheet;
    const { box } = sheet;
    const hiddenFrom = solid + slack;
    if (!sheet.spot && box.y + box.h > hiddenFrom) box.h = Math.max(0, hiddenFrom - box.y);
    if (isFixed(sheet)) solid = Math.min(solid, sheet.solidFrom);
  }
}
