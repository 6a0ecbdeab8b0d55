import { type Context } from '../canvas.ts';
import { css, fromHsl, mix, type Rgb, rgb, toHsl } from '../colour.ts';
import type { ImagePlan } from '../prompt.ts';
import { pick, type Random } from '../random.ts';
import { boundsOf } from './ink.ts';
import { type Box, drawLines, type SetLine } from './layout.ts';

/** Colours of the tubes and of their frame: what the prompt names, else glowing ones by chance. */
export function neonColours(image: ImagePlan, random: Random): [Rgb, Rgb] {
  const own = image.palette.map(rgb).filter((colour) => toHsl(colour)[1] > 0.2);
  const first = own[0] ?? rgb(pick(random, ['#ff3d9a', '#3dc8ff', '#ff7a3d', '#7dff5a']));
  const [hue] = toHsl(first);
  return [fromHsl(hue, 1, 0.6), own[1] ?? fromHsl(hue + 150, 1, 0.62)];
}

/** Tubes: a wide halo, a tight glow, the coloured glass and the white-hot core, which is what is read. */
export function drawNeon(
  ctx: Context,
  width: number,
  height: number,
  lines: SetLine[],
  outer: Box,
  [first, second]: [Rgb, Rgb],
): void {
  const unit = Math.min(width, height);
  ctx.globalCompositeOperation = 'screen';
  const bounds = boundsOf(lines, 0.5);
  const wash = ctx.createRadialGradient(
    bounds.x + bounds.w / 2,
    bounds.y + bounds.h / 2,
    0,
    bounds.x + bounds.w / 2,
    bounds.y + bounds.h / 2,
    bounds.w * 0.75,
  );
  wash.addColorStop(0, css(first, 0.3));
  wash.addColorStop(1, css(first, 0));
  ctx.fillStyle = wash;
  ctx.fillRect(0, 0, width, height);
  ctx.globalCompositeOperation = 'source-over';
  ctx.lineJoin = 'round';
  const frame = () => {
    ctx.beginPath();
    ctx.roundRect(
      outer.x + unit * 0.03,
      outer.y + unit * 0.03,
      outer.w - unit * 0.06,
      outer.h - unit * 0.06,
      unit * 0.05,
    );
    ctx.stroke();
  };
  for (const [blur, line, tone, alpha] of [
    [0.05, 0.012, 0, 0.9],
    [0.016, 0.009, 0.25, 1],
    [0, 0.004, 0.85, 1],
  ] as const) {
    ctx.shadowColor = css(second);
    ctx.shadowBlur = unit * blur;
    ctx.strokeStyle = css(mix(second, [255, 255, 255], tone), alpha);
    ctx.lineWidth = unit * line;
    frame();
  }
  const size = Math.max(...lines.map((line) => line.size));
  for (const [blur, line, tone] of [
    [0.45, 0.06, 0],
    [0.16, 0.045, 0.15],
  ] as const) {
    ctx.shadowColor = css(first);
    ctx.shadowBlur = size * blur;
    ctx.strokeStyle = css(mix(first, [255, 255, 255], tone));
    ctx.lineWidth = size * line;
    drawLines(ctx, lines, 'stroke');
  }
  ctx.shadowBlur = 0;
  ctx.shadowColor = 'transparent';
  ctx.fillStyle = css(mix(first, [255, 255, 255], 0.86));
  drawLines(ctx, lines);
}
