/** Abstract images in motion: the painting flows like liquid, in bands that swing with their own phase. */
import type { Canvas } from '../graphics/canvas.ts';
import type { CameraMoves } from './camera-moves.ts';
import type { Painter } from './scenery.ts';

/** Size and motion of what flows. */
export interface FlowOptions {
  width: number;
  height: number;
  moves: CameraMoves;
}

/** Margin that the swinging bands need, as a share of the frame. */
const ROOM = 0.07;
const BANDS = 90;

/** @param image in YUV, at least as large as the frame */
export function flowing(image: Canvas, { width, height, moves }: FlowOptions): Painter {
  const pace = Math.min(2.5, moves.pace);
  return (ctx, t, p) => {
    const near = 1 + 2 * ROOM + 0.1 * (moves.zoom < 0 ? 1 - p : p);
    const [w, h] = [width * near, height * near];
    const [x, y] = [(width - w) / 2, (height - h) / 2];
    const band = Math.ceil(height / BANDS);
    for (let top = 0; top < height; top += band) {
      const share = top / height;
      const swing = Math.sin(share * 4.1 + t * 0.55 * pace) + 0.6 * Math.sin(share * 9.7 - t * 0.8 * pace + 1);
      const lift = Math.sin(share * 6.3 - t * 0.5 * pace + 2);
      const from = ((top - y + lift * height * 0.02) / h) * image.height;
      const tall = (band / h) * image.height;
      const clamped = Math.min(image.height - tall, Math.max(0, from));
      ctx.drawImage(image, 0, clamped, image.width, tall, x + swing * width * 0.022, top, w, band);
    }
  };
}
