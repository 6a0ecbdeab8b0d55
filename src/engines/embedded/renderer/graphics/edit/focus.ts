/** The background blurred behind a person, or around the middle where no face is known. */
import type { Point, Rig } from '../../../../ports/index.ts';
import { type Canvas, type Context, copyOf, emptyCanvas } from '../canvas.ts';
import { blur } from './pixels.ts';

/** @param rig the face, when known: head and shoulders then stay sharp to their outline; else a round middle does */
export function blurBackground(source: Canvas, rig?: Rig): Canvas {
  const { width, height } = source;
  const soft = copyOf(blur(source, 0.018));
  const sharp = copyOf(source);
  const mask = emptyCanvas(width, height);
  if (rig?.head) fillFigure(mask.ctx, rig, rig.head, width, height);
  else fillMiddle(mask.ctx, rig?.face, width, height);
  sharp.ctx.globalCompositeOperation = 'destination-in';
  sharp.ctx.drawImage(rig?.head ? blur(mask.canvas, 0.004) : mask.canvas, 0, 0);
  soft.ctx.drawImage(sharp.canvas, 0, 0);
  return soft.canvas;
}

function fillMiddle(ctx: Context, focus: Rig['face'] | undefined, width: number, height: number): void {
  const middle = focus
    ? { x: (focus.x + focus.w / 2) * width, y: (focus.y + focus.h * 0.6) * height }
    : { x: width / 2, y: height * 0.54 };
  const radius = focus ? Math.max(focus.w * width, focus.h * height) * 1.25 : Math.min(width, height) * 0.5;
  const fade = ctx.createRadialGradient(middle.x, middle.y, radius * 0.62, middle.x, middle.y, radius);
  fade.addColorStop(0, 'rgba(0,0,0,1)');
  fade.addColorStop(1, 'rgba(0,0,0,0)');
  ctx.fillStyle = fade;
  ctx.fillRect(0, 0, width, height);
}

/** The head's outline, and shoulders that widen from the chin to the lower edge. */
function fillFigure(ctx: Context, { face, chin }: Rig, head: Point[], width: number, height: number): void {
  ctx.fillStyle = '#000';
  ctx.beginPath();
  for (const { x, y } of head) ctx.lineTo(x * width, y * height);
  ctx.fill();
  const [x, y, half] = [chin.x * width, chin.y * height, face.w * width];
  const slope = y + face.h * height * 0.62;
  ctx.beginPath();
  ctx.moveTo(x - half * 0.42, y - half * 0.2);
  ctx.lineTo(x - half * 0.5, y + face.h * height * 0.22);
  ctx.quadraticCurveTo(x - half * 1.35, slope, x - half * 1.75, height);
  ctx.lineTo(x + half * 1.75, height);
  ctx.quadraticCurveTo(x + half * 1.35, slope, x + half * 0.5, y + face.h * height * 0.22);
  ctx.lineTo(x + half * 0.42, y - half * 0.2);
  ctx.fill();
}
