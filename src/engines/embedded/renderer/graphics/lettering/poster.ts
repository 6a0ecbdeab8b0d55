import { emptyCanvas } from '../canvas.ts';
import { contrast, rgb } from '../colour.ts';
import { isBust } from '../prompt.ts';
import { pick } from '../random.ts';
import { enamelSign, paintDoor, woodenSign } from './boards.ts';
import { letterOver } from './ink.ts';
import { type Box, drawLines, type SetLine, setTexts } from './layout.ts';
import { base, type Lettered, type LetteringTask } from './lettering-task.ts';

/** Full-bleed art with the title in its calmer third, further words below, and for posters a printed border. */
export function paintPoster(job: LetteringTask, isBordered: boolean): Lettered {
  const { width, height, image } = job;
  const { canvas, ctx } = base(job);
  const unit = Math.min(width, height);
  const isPortrait = isBust(image);
  const [title, ...rest] = image.words;
  const shade = (from: number, to: number, alpha: number) => {
    const dark = ctx.createLinearGradient(0, height * from, 0, height * to);
    dark.addColorStop(0, `rgba(8,8,20,${alpha})`);
    dark.addColorStop(1, 'rgba(8,8,20,0)');
    ctx.fillStyle = dark;
    ctx.fillRect(0, Math.min(from, to) * height, width, Math.abs(to - from) * height);
  };
  if (!isPortrait) shade(0, 0.5, 0.55);
  if (isPortrait || rest.length > 0) shade(1, 0.55, 0.8);
  const margin = isBordered ? 0.075 : 0.06;
  const titleBox: Box = isPortrait
    ? { x: width * 0.08, y: height * 0.7, w: width * 0.84, h: height * (rest.length > 0 ? 0.15 : 0.22) }
    : { x: width * (margin + 0.02), y: height * (margin + 0.01), w: width * (0.96 - margin * 2), h: height * 0.3 };
  const lines = setTexts(ctx, [title as string], job.faces[0], job.faces[1], titleBox, unit * 0.24);
  letterOver(ctx, canvas, lines);
  if (rest.length > 0) {
    const below = setTexts(
      ctx,
      rest,
      job.faces[1],
      job.faces[1],
      { x: width * 0.14, y: height * 0.86, w: width * 0.72, h: height * 0.075 },
      unit * 0.05,
    );
    letterOver(ctx, canvas, below);
    lines.push(...below);
  }
  if (isBordered) {
    ctx.strokeStyle = '#f6f1e4';
    ctx.lineWidth = unit * 0.03;
    ctx.strokeRect(unit * 0.015, unit * 0.015, width - unit * 0.03, height - unit * 0.03);
    ctx.strokeStyle = 'rgba(246,241,228,.65)';
    ctx.lineWidth = unit * 0.003;
    ctx.strokeRect(unit * 0.05, unit * 0.05, width - unit * 0.1, height - unit * 0.1);
  } else {
    const spine = ctx.createLinearGradient(0, 0, width * 0.05, 0);
    spine.addColorStop(0, 'rgba(0,0,0,.45)');
    spine.addColorStop(0.5, 'rgba(255,255,255,.14)');
    spine.addColorStop(1, 'rgba(0,0,0,0)');
    ctx.fillStyle = spine;
    ctx.fillRect(0, 0, width * 0.05, height);
  }
  return { canvas, lines };
}

/** Words on a wooden sign in the open, on an enamel one among buildings and in rooms. */
export function paintSign(job: LetteringTask): Lettered {
  const { width, height, random, image } = job;
  const onDoor = /\bon (?:an?|the|my|our) (?:[\w-]+ ){0,2}door\b/i.test(image.prompt) && image.kind !== 'portrait';
  const { canvas, ctx } = onDoor ? emptyCanvas(width, height) : base(job);
  if (onDoor) {
    const plate = paintDoor(ctx, width, height, random);
    const lines = setTexts(ctx, image.words, job.faces[0], job.faces[1], plate, Math.min(width, height) * 0.15);
    ctx.fillStyle = '#2e190a';
    drawLines(ctx, lines);
    return { canvas, lines };
  }
  const isBuilt =
    image.place === 'street' ||
    image.place === 'city' ||
    image.place === 'room' ||
    isBust(image) ||
    image.kind === 'object';
  const length = image.words.join(' ').length;
  const wide = Math.min(0.78, 0.44 + length * 0.012);
  const high = Math.min(0.46, 0.2 + length * 0.004);
  const at = isBust(image) ? 0.97 - high : isBuilt ? 0.13 : 0.37;
  const outer: Box = { x: (width * (1 - wide)) / 2, y: height * at, w: width * wide, h: height * high };
  const wood = !isBuilt || /\bwood(en)?\b/i.test(image.prompt);
  const paint = rgb(image.palette[0] ?? pick(random, ['#1f4f7a', '#1f6a4a', '#8a2f34', '#2b2f38']));
  const box = wood
    ? woodenSign(ctx, outer, Math.min(height * 0.97, outer.y + outer.h + height * 0.2), random, [255, 250, 240])
    : enamelSign(ctx, outer, paint);
  const lines = setTexts(ctx, image.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.17);
  if (wood) {
    ctx.fillStyle = 'rgba(255,236,200,.55)';
    ctx.save();
    ctx.translate(0, Math.max(1, (lines[0] as SetLine).size * 0.02));
    drawLines(ctx, lines);
    ctx.restore();
    ctx.fillStyle = '#2e190a';
  } else ctx.fillStyle = contrast([255, 252, 242], paint) > 3.5 ? '#fffcf2' : '#16181d';
  drawLines(ctx, lines);
  return { canvas, lines };
}
