/** A layer of a scene, opaque or transparent, all of one size: drawn one over another they are the image. */
import type { Canvas } from '../canvas.ts';

/** One such layer. */
export interface Layer {
  canvas: Canvas;
  /** Where the canvas lies on the scene, in whole pixels, when it is smaller. */
  at?: { x: number; y: number };
  /** 0 (infinitely far) to 1 (at the lens): how much it shifts when the viewer moves. */
  depth: number;
  /** What is on it: sky, clouds, far, mid, water, ground, subject, near, weather ... */
  kind: string;
}
