/**
 * Given images in a video: decoded once, cut to the video's proportions, and then panned and zoomed. A video that opens
 * on an image shows it whole in its first frame unless the prompt wants another way.
 */
import sharp from 'sharp';
import { badInput } from '../../../ports/errors.ts';
import type { Rig } from '../../../ports/index.ts';
import { type Canvas, emptyCanvas } from '../graphics/canvas.ts';
// For its effect: it shuts every loader of sharp but jpeg, png and webp.
import '../graphics/image-files.ts';
import { rigOfPart } from '../graphics/edit/rig-after-edit.ts';
import { shutEyed } from './blink.ts';
import { type CameraMoves, poseAt } from './camera-moves.ts';
import { toYuv } from './frame-canvas.ts';
import type { Painter } from './scenery.ts';
import { drawSwaying } from './sway.ts';

const PIXEL_LIMIT = 40e6;
/** Images are decoded larger than the frame by this, so that the closest view is still sharp. */
const RESERVE = 1.16;

/** Width by height of an encoded image, as it is to be seen. Rejects with badInput(field, ...). */
export async function ratioOf(image: Uint8Array, field: string): Promise<number> {
  try {
    const { autoOrient } = await sharp(image, { limitInputPixels: PIXEL_LIMIT }).metadata();
    return autoOrient.width / autoOrient.height;
  } catch {
    throw unreadable(field);
  }
}

/** An image that fills a frame, cut at its edges where proportions differ; in YUV. @param rig keeps the face inside */
export async function readImage(
  image: Uint8Array,
  field: string,
  width: number,
  height: number,
  rig?: Rig,
): Promise<Canvas> {
  return (await readFace(image, field, width, height, rig)).open;
}

/** As `readImage`, and with its eyes shut where they are known. */
export async function readFace(
  image: Uint8Array,
  field: string,
  width: number,
  height: number,
  rig?: Rig,
): Promise<{ open: Canvas; shut?: Canvas; face?: Rig }> {
  try {
    const input = sharp(image, { limitInputPixels: PIXEL_LIMIT, failOn: 'error' })
      .autoOrient()
      .timeout({ seconds: 10 });
    const { autoOrient: from } = await sharp(image, { limitInputPixels: PIXEL_LIMIT }).metadata();
    const k = Math.max(width / from.width, height / from.height);
    const [w, h] = [Math.max(width, Math.round(from.width * k)), Math.max(height, Math.round(from.height * k))];
    const cut = cutOf(w, h, width, height, rig);
    const { data } = await input
      .flatten({ background: '#ffffff' })
      .resize(w, h, { fit: 'fill' })
      .extract({ ...cut, width, height })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { canvas, ctx } = emptyCanvas(width, height);
    const pixels = ctx.createImageData(width, height);
    pixels.data.set(data);
    ctx.putImageData(pixels, 0, 0);
    const open = toYuv(canvas);
    const face = rig && rigOfPart(rig, { width: w, height: h }, { x: cut.left, y: cut.top, w: width, h: height });
    const shut = face && shutEyed(open, face);
    return { open, ...(shut ? { shut } : {}), ...(face ? { face } : {}) };
  } catch {
    throw unreadable(field);
  }
}

const unreadable = (field: string) => badInput(field, 'must be a jpeg, png or webp image of at most 40 megapixels.');

/** The middle, or where the face is: faces sit a little above the middle of a cut. */
function cutOf(
  w: number,
  h: number,
  width: number,
  height: number,
  rig: Rig | undefined,
): { left: number; top: number } {
  const focusX = rig ? rig.face.x + rig.face.w / 2 : 0.5;
  const focusY = rig ? rig.face.y + rig.face.h / 2 : h > height * 1.15 ? 0.42 : 0.5;
  const within = (value: number, most: number) => Math.round(Math.min(most, Math.max(0, value)));
  return { left: within(focusX * w - width / 2, w - width), top: within(focusY * h - height * 0.46, h - height) };
}

/** How an image is filmed. */
export interface StillOptions {
  width: number;
  height: number;
  moves: CameraMoves;
  /** 'opens': the first frame is the whole image; 'closes': the last one is. */
  role: 'opens' | 'closes' | 'free';
  /** The same image with its eyes shut, and how far they are. */
  blinks?: { shut: Canvas; lids: (t: number) => number };
  /** Where its face is, in fractions of it: it then breathes. */
  face?: Rig;
}

/** How large an image is to be decoded for a video of this size. */
export const stillSize = (width: number, height: number, draft: boolean): [number, number] => {
  const k = draft ? 0.6 : width * height > 1_200_000 ? 1.05 : RESERVE;
  return [Math.round(width * k), Math.round(height * k)];
};

/** Pans and zooms over an image in YUV. */
export function stillPainter(image: Canvas, options: StillOptions): Painter {
  const { width, height, moves, role, blinks, face } = options;
  const near = Math.max(0.07, moves.closer || (moves.pan || moves.tilt ? 0 : 0.09));
  return (ctx, t, p) => {
    const { scale, x, y } = viewAt(moves, role, near, p, t);
    const [w, h] = [width * scale, height * scale];
    const [roomX, roomY] = [(w - width) / 2, (h - height) / 2];
    const place = [-roomX - x * roomX, -roomY - y * roomY, w, h] as const;
    const draw = (what: Canvas) =>
      face ? drawSwaying(ctx, what, place, face, t, height) : ctx.drawImage(what, ...place);
    draw(image);
    const lid = blinks?.lids(t) ?? 0;
    if (!blinks || lid === 0) return;
    ctx.globalAlpha = lid;
    draw(blinks.shut);
    ctx.globalAlpha = 1;
  };
}

/** @param near how much closer the nearest view is, as a share */
function viewAt(moves: CameraMoves, role: StillOptions['role'], near: number, p: number, t: number) {
  const pose = poseAt(moves, p, t);
  const drift = moves.isNamed ? 1 : 0.7;
  const eased = p + 0.5 * (p * p * (3 - 2 * p) - p);
  if (role === 'closes') return { scale: 1 + near * (1 - p) ** 1.4, x: pose.x * drift, y: pose.y * drift };
  const isStatic = moves.isNamed && !moves.pan && !moves.tilt && !moves.zoom;
  if (isStatic) return { scale: 1 + near * 0.15 * eased, x: pose.x, y: pose.y };
  if (moves.isNamed && moves.zoom < 0) return { scale: 1 + near * (1 - eased), x: pose.x, y: pose.y };
  // A pan needs room aside from the start, so it alone does not open on the whole image.
  const room = moves.isNamed && (moves.pan !== 0 || moves.tilt !== 0) && moves.zoom === 0;
  if (room && role === 'free') return { scale: 1 + moves.reach * 1.6, x: pose.x, y: pose.y };
  const opened = room ? Math.min(1, p * 4) : eased;
  const soft = opened * opened * (3 - 2 * opened);
  return {
    scale: 1 + (room ? moves.reach * 1.6 * soft : near * eased),
    x: pose.x * drift * soft,
    y: pose.y * drift * soft,
  };
}
