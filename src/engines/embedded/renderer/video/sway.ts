/**
 * Portraits in videos breathe and sway: rows of the image are shifted, those of the head most, those below the
 * shoulders not at all. A share of a percent of the image, so that what is behind the head is not seen to bend.
 */
import type { Rig } from '../../../ports/index.ts';
import type { Canvas } from '../graphics/canvas.ts';
import { smoothstep } from '../graphics/numbers.ts';
import type { FrameContext } from './planes-canvas.ts';

/** Rows drawn at once: neighbours then differ by an eighth of a pixel. */
const BAND = 6;
/** How far the image sways to the side and rises, as shares of its width and height. */
const ASIDE = 0.0055;
const RISE = 0.0035;
/** Seconds until it has begun: a video's first frame is the image as it is. */
const BEGINS_S = 1.2;

/** Draws the image at a place of the frame. @param face in fractions of the image */
export function drawSwaying(
  ctx: FrameContext,
  image: Canvas,
  [x, y, w, h]: readonly [number, number, number, number],
  face: Rig,
  t: number,
  height: number,
): void {
  const begun = smoothstep(0, BEGINS_S, t);
  // Never so far that the frame is seen behind the image's edge.
  const most = Math.min(ASIDE * w, -x * 0.9);
  const aside = begun * Math.max(0, most) * (Math.sin(t * 0.83) + 0.4 * Math.sin(t * 1.71 + 1));
  const rise = begun * RISE * h * (0.5 - 0.5 * Math.cos(t * 1.65));
  const [top, foot] = [face.face.y, face.chin.y + 0.14];
  const k = image.height / h;
  for (let row = 0; row < height; row += BAND) {
    const at = (row + BAND / 2 - y) / h;
    const up = smoothstep(foot, top, at);
    const high = Math.min(BAND + 1, height - row);
    const lifted = rise * smoothstep(1, foot - 0.1, at);
    const from = Math.min(image.height - high * k, Math.max(0, (row - y + lifted) * k));
    ctx.drawImage(image, 0, from, image.width, high * k, x + (aside / 1.4) * up, row, w, high);
  }
}
