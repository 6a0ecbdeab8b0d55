/** Squares of an image as the models of eyes and of faces take them: upright, and of so many pixels. */
import type { Point } from '../../ports/index.ts';
import type { Pixels } from './landmarker.ts';

/** A square of the image: its middle and side in pixels, and the angle and direction that it is looked at in. */
export interface View {
  centre: Point;
  side: number;
  /** Radians as the clock goes by which what is in it leans. */
  lean: number;
  isMirrored?: boolean;
}

/** Where a point of the square, 0 to 1 across and down, is in the image. */
export function placeIn({ centre, side, lean, isMirrored }: View, across: number, down: number): Point {
  const [u, v] = [(across - 0.5) * side * (isMirrored ? -1 : 1), (down - 0.5) * side];
  const [cos, sin] = [Math.cos(lean), Math.sin(lean)];
  return { x: centre.x + u * cos - v * sin, y: centre.y + u * sin + v * cos };
}

/** Spots of the image a side that make a pixel of what a model sees. */
const SPOTS = 3;

/** The square as a model sees it: 0 to 1 for each colour of each pixel. @param pixels a side that the model takes */
export function sampled({ rgb, width, height }: Pixels, view: View, pixels: number): Float32Array {
  const out = new Float32Array(pixels * pixels * 3);
  const fine = pixels * SPOTS;
  for (let row = 0; row < fine; row++) {
    for (let column = 0; column < fine; column++) {
      const { x, y } = placeIn(view, (column + 0.5) / fine, (row + 0.5) / fine);
      const left = Math.min(width - 1, Math.max(0, Math.floor(x)));
      const top = Math.min(height - 1, Math.max(0, Math.floor(y)));
      const to = (Math.floor(row / SPOTS) * pixels + Math.floor(column / SPOTS)) * 3;
      for (let colour = 0; colour < 3; colour++)
        out[to + colour] =
          (out[to + colour] as number) + (rgb[(top * width + left) * 3 + colour] as number) / (255 * SPOTS * SPOTS);
    }
  }
  return out;
}
