/**
 * Faces in videos blink: the image once more with its eyes shut, laid over it for the moments of a blink. Lids are
 * painted as the talking head's are; nothing else of the face moves, for videos are not lip-synced.
 */
import type { Rig } from '../../../ports/index.ts';
import { copyPlanes, type Planes, planesOf } from '../../codec/colour.ts';
import { type Canvas, copyOf as copyOfCanvas } from '../graphics/canvas.ts';
import { blink } from '../graphics/face/blink.ts';
import { eyePainter } from '../graphics/face/eye-painter.ts';
import { faceShape } from '../graphics/face/geometry.ts';
import { seeded } from '../graphics/random.ts';

/** An image in YUV with its eyes shut; undefined where no open eyes can be seen. @param rig in fractions of it */
export function shutEyed(image: Canvas, rig: Rig): Canvas | undefined {
  const source = planesOfInk(image);
  const { eyes } = faceShape(rig, source);
  if (eyes.length === 0) return undefined;
  const target = copyPlanes(source);
  const painter = eyePainter(eyes, source, target);
  painter.paint(1, 0, 0);
  const { canvas, ctx } = copyOfCanvas(image);
  for (const { left, top, right, bottom } of painter.areas) {
    if (right <= left || bottom <= top) continue;
    const image = ctx.getImageData(left, top, right - left, bottom - top);
    for (let i = 0, row = top; row < bottom; row++) {
      for (let column = left; column < right; column++, i += 4) {
        const chroma = (row >> 1) * (target.width >> 1) + (column >> 1);
        image.data[i] = target.y[row * target.width + column] as number;
        image.data[i + 1] = target.u[chroma] as number;
        image.data[i + 2] = target.v[chroma] as number;
      }
    }
    ctx.putImageData(image, left, top);
  }
  return canvas;
}

/** How far shut the eyes are in each frame, 0 to 1. */
export function lidsOf(seconds: number, fps: number, seed: number, who: string): (t: number) => number {
  const lids = new Float32Array(Math.ceil(seconds * fps) + 1);
  blink(lids, fps, seeded(seed, `blink ${who}`));
  return (t) => lids[Math.min(lids.length - 1, Math.round(t * fps))] ?? 0;
}

/** Ink's red, green and blue are Y, U and V; an odd last row or column is left out. */
function planesOfInk(image: Canvas): Planes {
  const [width, height] = [image.width & ~1, image.height & ~1];
  const { data } = image.getContext('2d').getImageData(0, 0, width, height);
  const planes = planesOf(new Uint8Array((width * height * 3) / 2), width, height);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      planes.y[at] = data[at * 4] as number;
      if ((row | column) & 1) continue;
      const chroma = (row >> 1) * (width >> 1) + (column >> 1);
      planes.u[chroma] = data[at * 4 + 1] as number;
      planes.v[chroma] = data[at * 4 + 2] as number;
    }
  }
  return planes;
}
