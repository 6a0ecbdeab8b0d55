import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { contrast, rgb } from '../colour.ts';
import { printOf } from '../object.ts';
import { type ImagePlan, isBust } from '../prompt.ts';
import { pick } from '../random.ts';
import type { Lettering } from '../vocabulary.ts';
import { banner, brickWall, neonPanel } from './boards.ts';
import { boundsOf, letterOver, measure } from './ink.ts';
import { type Box, drawLines, type SetLine, setTexts } from './layout.ts';
import { base, type Lettered, type LetteringTask } from './lettering-task.ts';
import { paintLogo } from './logo.ts';
import { drawNeon, neonColours } from './neon.ts';
import { card, note, rubChalk, slate } from './papers.ts';
import { paintPoster, paintSign } from './poster.ts';

const hasView = (image: ImagePlan): boolean => image.kind !== 'abstract' || image.place !== undefined;

/** Paints the words of a plan in each style; returns the image and where the words are. */
export const LETTERING_STYLES: Record<Lettering, (job: LetteringTask) => Lettered> = {
  neon(job) {
    const { width, height, random, image } = job;
    const inPlace = hasView(image) && image.kind !== 'object';
    const { canvas, ctx } = inPlace ? base(job) : emptyCanvas(width, height);
    if (inPlace) {
      ctx.fillStyle = 'rgba(4,4,18,.3)';
      ctx.fillRect(0, 0, width, height);
    } else brickWall(ctx, width, height, random);
    const outer: Box = {
      x: width * 0.1,
      y: height * (inPlace ? 0.14 : 0.2),
      w: width * 0.8,
      h: height * (inPlace ? 0.38 : 0.6),
    };
    const box = inPlace
      ? neonPanel(ctx, outer)
      : { x: width * 0.14, y: height * 0.26, w: width * 0.72, h: height * 0.48 };
    const lines = setTexts(
      ctx,
      image.words,
      job.faces[0] === 'hand' && /\p{Ll}/u.test(image.words.join(''))
        ? 'hand'
        : job.faces[0] === 'hand'
          ? 'plain'
          : job.faces[0],
      'plain',
      box,
      Math.min(width, height) * 0.24,
    );
    drawNeon(ctx, width, height, lines, outer, neonColours(image, random));
    return { canvas, lines };
  },
  chalk(job) {
    const { width, height, random } = job;
    const { canvas, ctx } = emptyCanvas(width, height);
    const box = slate(ctx, width, height, random);
    const dust = emptyCanvas(width, height);
    dust.ctx.fillStyle = '#f4f6f1';
    const lines = setTexts(dust.ctx, job.image.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.22);
    drawLines(dust.ctx, lines);
    flourish(dust.ctx, lines, 'rgba(240,236,200,.9)');
    dust.ctx.globalCompositeOperation = 'destination-out';
    dust.ctx.drawImage(rubChalk(width, height, random), 0, 0);
    ctx.drawImage(dust.canvas, 0, 0);
    return { canvas, lines };
  },
  wedding(job) {
    const { width, height, random, image } = job;
    const { canvas, ctx } = emptyCanvas(width, height);
    const accent = rgb(image.palette[0] ?? pick(random, ['#d98f9d', '#c48a6a', '#9a86c0', '#7fa3b8']));
    const box = card(ctx, width, height, accent, random);
    const lines = setTexts(ctx, image.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.15);
    ctx.fillStyle = '#3a3230';
    drawLines(ctx, lines);
    flourish(ctx, lines, '#b8923f');
    return { canvas, lines };
  },
  logo: paintLogo,
  poster: (job) => paintPoster(job, true),
  book: (job) => paintPoster(job, false),
  banner(job) {
    const { width, height, image } = job;
    const { canvas, ctx } = base(job);
    const colour = rgb(image.palette[0] ?? '#a8323a');
    const box = banner(ctx, { x: width * 0.1, y: height * 0.09, w: width * 0.8, h: height * 0.21 }, colour);
    const lines = setTexts(ctx, image.words, job.faces[0], job.faces[1], box, height * 0.13);
    ctx.fillStyle = contrast([255, 250, 238], colour) > 3 ? '#fffaee' : '#1c1714';
    drawLines(ctx, lines);
    return { canvas, lines };
  },
  sign: paintSign,
  handwritten(job) {
    const { width, height, random } = job;
    const { canvas, ctx } = emptyCanvas(width, height);
    const box = note(ctx, width, height, random);
    const lines = setTexts(ctx, job.image.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.17);
    ctx.fillStyle = '#1f2f6b';
    drawLines(ctx, lines);
    return { canvas, lines };
  },
  caption(job) {
    const { width, height, image } = job;
    const { canvas, ctx } = base(job);
    const print = printOf(image, width, height);
    if (print) {
      const lines = setTexts(ctx, image.words, 'poster', 'plain', print, print.h * 0.6);
      const cloth = ctx.getImageData(Math.round(print.x), Math.round(print.y + print.h / 2), 1, 1).data;
      ctx.fillStyle =
        contrast([30, 34, 46], [cloth[0] as number, cloth[1] as number, cloth[2] as number]) > 4.5
          ? '#1e222e'
          : '#fffaee';
      drawLines(ctx, lines);
      return { canvas, lines };
    }
    const lines = setTexts(
      ctx,
      image.words,
      job.faces[0],
      job.faces[1],
      calmBox(canvas, image),
      Math.min(width, height) * 0.125,
    );
    letterOver(ctx, canvas, lines);
    return { canvas, lines };
  },
};

/** The band, above or below, that is quieter; faces and subjects are not written over. */
function calmBox(canvas: Canvas, image: ImagePlan): Box {
  const { width, height } = canvas;
  const band = (y: number): Box => ({ x: width * 0.07, y: height * y, w: width * 0.86, h: height * 0.25 });
  if (isBust(image)) return { x: width * 0.07, y: height * 0.77, w: width * 0.86, h: height * 0.19 };
  if (image.kind === 'object') return { x: width * 0.07, y: height * 0.06, w: width * 0.86, h: height * 0.19 };
  if (image.kind === 'abstract') return { x: width * 0.08, y: height * 0.28, w: width * 0.84, h: height * 0.44 };
  if (/\b(bottom|below|underneath)\b/i.test(image.prompt)) return band(0.71);
  if (/\b(top|above|sky)\b/i.test(image.prompt)) return band(0.05);
  return measure(canvas, band(0.06)).unrest <= measure(canvas, band(0.7)).unrest * 1.25 ? band(0.06) : band(0.7);
}

/** A short rule with a diamond under the first block of lines, where there is room. */
function flourish(ctx: Context, lines: SetLine[], colour: string): void {
  const bounds = boundsOf(lines, 0.2);
  const size = (lines[0] as SetLine).size;
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = Math.max(1.5, size * 0.02);
  const middle = bounds.x + bounds.w / 2;
  for (const y of [bounds.y - size * 0.12, bounds.y + bounds.h + size * 0.12]) {
    for (const side of [-1, 1]) {
      ctx.beginPath();
      ctx.moveTo(middle + side * size * 0.16, y);
      ctx.lineTo(middle + side * size * 1.2, y);
      ctx.stroke();
    }
    ctx.save();
    ctx.translate(middle, y);
    ctx.rotate(Math.PI / 4);
    ctx.fillRect(-size * 0.05, -size * 0.05, size * 0.1, size * 0.1);
    ctx.restore();
  }
}
