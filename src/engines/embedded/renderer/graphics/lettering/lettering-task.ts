/** What a style of lettering is given and what it gives back. */
import { type Canvas, type Context, copyOf } from '../canvas.ts';
import type { ImagePlan } from '../prompt.ts';
import type { Random } from '../random.ts';
import type { Face } from './fonts.ts';
import type { SetLine } from './layout.ts';

/** A lettered image. */
export interface Lettered {
  canvas: Canvas;
  /** Every line as it was set, for proof that all words are there. */
  lines: SetLine[];
}

/** A painting of the image without its words, at any size; given by the caller so that portraits come the same way. */
export type PaintBase = (image: ImagePlan, width: number, height: number) => Canvas;

/** What is to be lettered, and on what. */
export interface LetteringTask {
  image: ImagePlan;
  width: number;
  height: number;
  random: Random;
  paintBase: PaintBase;
  faces: [Face, Face];
}

/** The scene under a board leaves the board its room: subjects are drawn by the caller's base as always. */
export function base(job: LetteringTask): { canvas: Canvas; ctx: Context } {
  return copyOf(job.paintBase(job.image, job.width, job.height));
}
