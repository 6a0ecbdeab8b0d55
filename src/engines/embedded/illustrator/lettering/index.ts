/**
 * Lettering: the words of a prompt set into a picture, whole and legible, on the thing the prompt names (neon, sign,
 * poster, card, slate ...) or over the painting itself. Refuses characters no font has; never drops or changes a word.
 */
import { badInput } from '../../../../kernel/errors.ts';
import { type Canvas, type Context, copyOf, sheet } from '../canvas.ts';
import { contrast, css, fromHsl, mix, type Rgb, rgb, toHsl } from '../colour.ts';
import type { Picture } from '../prompt.ts';
import { between, pick, type Random, seeded } from '../random.ts';
import { sprite } from '../sprites.ts';
import type { Lettering } from '../vocabulary.ts';
import { banner, brickWall, card, enamelSign, neonPanel, note, rubChalk, slate, woodenSign } from './boards.ts';
import { type Face, missingGlyphs } from './fonts.ts';
import { boundsOf, letterOver, measure } from './ink.ts';
import { type Box, drawLines, type SetLine, setTexts } from './layout.ts';

export interface Lettered {
  canvas: Canvas;
  /** Every line as it was set, for proof that all words are there. */
  lines: SetLine[];
}

const FACES: Record<Lettering, [Face, Face]> = {
  neon: ['hand', 'plain'],
  chalk: ['hand', 'hand'],
  wedding: ['elegantItalic', 'elegant'],
  logo: ['plain', 'plain'],
  poster: ['poster', 'plain'],
  book: ['elegant', 'plain'],
  banner: ['elegant', 'plain'],
  sign: ['plain', 'plain'],
  handwritten: ['hand', 'hand'],
  caption: ['plain', 'plain'],
};

/** Throws badInput('prompt', ...) naming characters that cannot be set. Call before anything is charged or drawn. */
export function checkGlyphs(words: readonly string[], field = 'prompt'): void {
  // Every face falls back to the plain one, so that one decides.
  const missing = [
    ...new Set(
      words.flatMap((text) => missingGlyphs(text, 'hand').filter((c) => missingGlyphs(c, 'elegant').length > 0)),
    ),
  ];
  if (missing.length > 0) {
    const shown = missing.slice(0, 12).join(' ');
    throw badInput(
      field,
      `asks for characters that our typefaces do not have: ${shown}. Latin, Greek and Cyrillic letters can be drawn.`,
    );
  }
}

/** A painting of the picture without its words, at any size; given by the caller so that portraits come the same way. */
export type PaintBase = (picture: Picture, width: number, height: number) => Canvas;

export function paintLettering(
  picture: Picture,
  width: number,
  height: number,
  seed: number,
  paintBase: PaintBase,
): Lettered {
  checkGlyphs(picture.words);
  const random = seeded(seed, 'lettering');
  const manner = MANNERS[picture.lettering];
  return manner({ picture, width, height, random, paintBase, faces: facesFor(picture) });
}

interface Job {
  picture: Picture;
  width: number;
  height: number;
  random: Random;
  paintBase: PaintBase;
  faces: [Face, Face];
}

/** The prompt may ask for a hand other than the surface's own. */
function facesFor(picture: Picture): [Face, Face] {
  const text = picture.prompt.toLowerCase();
  if (/\b(hand-?written|handwriting|cursive|script|brush)\b/.test(text)) return ['hand', 'hand'];
  if (/\b(elegant|serif|classic|classy|fancy|luxur\w+|vintage)\b/.test(text)) return ['elegant', 'elegant'];
  if (/\b(bold|block letters|heavy|impact|huge letters)\b/.test(text)) return ['poster', 'plain'];
  return FACES[picture.lettering];
}

const hasView = (picture: Picture): boolean => picture.kind !== 'abstract' || picture.place !== undefined;

/** The scene under a board leaves the board its room: subjects are drawn by the caller's base as always. */
function base(job: Job): { canvas: Canvas; ctx: Context } {
  return copyOf(job.paintBase(job.picture, job.width, job.height));
}

const MANNERS: Record<Lettering, (job: Job) => Lettered> = {
  neon(job) {
    const { width, height, random, picture } = job;
    const inPlace = hasView(picture) && picture.kind !== 'object';
    const { canvas, ctx } = inPlace ? base(job) : sheet(width, height);
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
      picture.words,
      job.faces[0] === 'hand' && /\p{Ll}/u.test(picture.words.join(''))
        ? 'hand'
        : job.faces[0] === 'hand'
          ? 'plain'
          : job.faces[0],
      'plain',
      box,
      Math.min(width, height) * 0.24,
    );
    drawNeon(ctx, width, height, lines, outer, neonColours(picture, random));
    return { canvas, lines };
  },
  chalk(job) {
    const { width, height, random } = job;
    const { canvas, ctx } = sheet(width, height);
    const box = slate(ctx, width, height, random);
    const dust = sheet(width, height);
    dust.ctx.fillStyle = '#f4f6f1';
    const lines = setTexts(
      dust.ctx,
      job.picture.words,
      job.faces[0],
      job.faces[1],
      box,
      Math.min(width, height) * 0.22,
    );
    drawLines(dust.ctx, lines);
    flourish(dust.ctx, lines, 'rgba(240,236,200,.9)');
    dust.ctx.globalCompositeOperation = 'destination-out';
    dust.ctx.drawImage(rubChalk(width, height, random), 0, 0);
    ctx.drawImage(dust.canvas, 0, 0);
    return { canvas, lines };
  },
  wedding(job) {
    const { width, height, random, picture } = job;
    const { canvas, ctx } = sheet(width, height);
    const accent = rgb(picture.palette[0] ?? pick(random, ['#d98f9d', '#c48a6a', '#9a86c0', '#7fa3b8']));
    const box = card(ctx, width, height, accent, random);
    const lines = setTexts(ctx, picture.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.15);
    ctx.fillStyle = '#3a3230';
    drawLines(ctx, lines);
    flourish(ctx, lines, '#b8923f');
    return { canvas, lines };
  },
  logo: paintLogo,
  poster: (job) => paintPoster(job, true),
  book: (job) => paintPoster(job, false),
  banner(job) {
    const { width, height, picture } = job;
    const { canvas, ctx } = base(job);
    const colour = rgb(picture.palette[0] ?? '#a8323a');
    const box = banner(ctx, { x: width * 0.1, y: height * 0.09, w: width * 0.8, h: height * 0.21 }, colour);
    const lines = setTexts(ctx, picture.words, job.faces[0], job.faces[1], box, height * 0.13);
    ctx.fillStyle = contrast([255, 250, 238], colour) > 3 ? '#fffaee' : '#1c1714';
    drawLines(ctx, lines);
    return { canvas, lines };
  },
  sign: paintSign,
  handwritten(job) {
    const { width, height, random } = job;
    const { canvas, ctx } = sheet(width, height);
    const box = note(ctx, width, height, random);
    const lines = setTexts(ctx, job.picture.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.17);
    ctx.fillStyle = '#1f2f6b';
    drawLines(ctx, lines);
    return { canvas, lines };
  },
  caption(job) {
    const { width, height, picture } = job;
    const { canvas, ctx } = base(job);
    const lines = setTexts(
      ctx,
      picture.words,
      job.faces[0],
      job.faces[1],
      calmBox(canvas, picture),
      Math.min(width, height) * 0.125,
    );
    letterOver(ctx, canvas, lines);
    return { canvas, lines };
  },
};

/** The band, above or below, that is quieter; faces and subjects are not written over. */
function calmBox(canvas: Canvas, picture: Picture): Box {
  const { width, height } = canvas;
  const band = (y: number): Box => ({ x: width * 0.07, y: height * y, w: width * 0.86, h: height * 0.25 });
  if (picture.kind === 'portrait') return { x: width * 0.07, y: height * 0.77, w: width * 0.86, h: height * 0.19 };
  if (picture.kind === 'object') return { x: width * 0.07, y: height * 0.06, w: width * 0.86, h: height * 0.19 };
  if (picture.kind === 'abstract') return { x: width * 0.08, y: height * 0.28, w: width * 0.84, h: height * 0.44 };
  if (/\b(bottom|below|underneath)\b/i.test(picture.prompt)) return band(0.71);
  if (/\b(top|above|sky)\b/i.test(picture.prompt)) return band(0.05);
  return measure(canvas, band(0.06)).unrest <= measure(canvas, band(0.7)).unrest * 1.25 ? band(0.06) : band(0.7);
}

function neonColours(picture: Picture, random: Random): [Rgb, Rgb] {
  const own = picture.palette.map(rgb).filter((colour) => toHsl(colour)[1] > 0.2);
  const first = own[0] ?? rgb(pick(random, ['#ff3d9a', '#3dc8ff', '#ff7a3d', '#7dff5a']));
  const [hue] = toHsl(first);
  return [fromHsl(hue, 1, 0.6), own[1] ?? fromHsl(hue + 150, 1, 0.62)];
}

/** Tubes: a wide halo, a tight glow, the coloured glass and the white-hot core, which is what is read. */
function drawNeon(
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

function paintLogo(job: Job): Lettered {
  const { width, height, random, picture } = job;
  const { canvas, ctx } = sheet(width, height);
  const isDark = /\b(dark|black|night)\b/i.test(picture.prompt);
  const ink = rgb(picture.palette[0] ?? pick(random, ['#1f3a5f', '#7a2e3a', '#2f5d50', '#4a3a7a', '#b5562c']));
  const ground: Rgb = isDark ? [22, 24, 30] : [250, 248, 243];
  ctx.fillStyle = css(ground);
  ctx.fillRect(0, 0, width, height);
  const unit = Math.min(width, height);
  const [x, y, r] = [width / 2, height * 0.38, unit * 0.21];
  const disc = ctx.createLinearGradient(x - r, y - r, x + r, y + r);
  disc.addColorStop(0, css(mix(ink, [255, 255, 255], 0.16)));
  disc.addColorStop(1, css(mix(ink, [0, 0, 0], 0.12)));
  ctx.fillStyle = disc;
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 7);
  ctx.fill();
  ctx.strokeStyle = css(mix(ink, ground, 0.15));
  ctx.lineWidth = unit * 0.006;
  ctx.beginPath();
  ctx.arc(x, y, r * 1.1, 0, 7);
  ctx.stroke();
  const emblem = picture.subjects[0] ?? subjectFromWords(picture);
  if (emblem) {
    const mark = sprite(emblem.sprite, r * 1.25);
    ctx.drawImage(mark.canvas, x - mark.canvas.width / 2, y - mark.canvas.height / 2);
  } else geometricMark(ctx, x, y, r, ground, random);
  const lines = setTexts(
    ctx,
    picture.words,
    job.faces[0],
    job.faces[1],
    { x: width * 0.1, y: height * 0.64, w: width * 0.8, h: height * 0.2 },
    unit * 0.13,
  );
  ctx.fillStyle = css(contrast(ink, ground) >= 4.5 ? ink : isDark ? [255, 255, 255] : [24, 26, 32]);
  drawLines(ctx, lines);
  return { canvas, lines };
}

/** "Acme Coffee" may carry a cup. */
function subjectFromWords(picture: Picture): { sprite: string } | undefined {
  const text = picture.words.join(' ').toLowerCase();
  const marks: [RegExp, string][] = [
    [/coffee|caf[eé]|espresso/, 'hot-beverage'],
    [/tea\b/, 'teapot'],
    [/bak(ery|ed)|bread|crust/, 'croissant'],
    [/pizza/, 'pizza'],
    [/flor(al|ist)|flower|bloom/, 'hibiscus'],
    [/music|sound|records/, 'guitar'],
    [/book|press/, 'open-book'],
    [/rocket|launch|space/, 'rocket'],
  ];
  const found = marks.find(([pattern]) => pattern.test(text));
  return found && { sprite: found[1] };
}

function geometricMark(ctx: Context, x: number, y: number, r: number, ground: Rgb, random: Random): void {
  const petals = Math.floor(between(random, 3, 9));
  ctx.save();
  ctx.translate(x, y);
  for (let i = 0; i < petals; i++) {
    ctx.rotate((Math.PI * 2) / petals);
    ctx.fillStyle = css(ground, i % 2 ? 0.95 : 0.65);
    ctx.beginPath();
    ctx.ellipse(0, -r * 0.38, r * (1.1 / petals + 0.06), r * 0.34, 0, 0, 7);
    ctx.fill();
  }
  ctx.restore();
}

/** Full-bleed art with the title in its calmer third, further words below, and for posters a printed border. */
function paintPoster(job: Job, isBordered: boolean): Lettered {
  const { width, height, picture } = job;
  const { canvas, ctx } = base(job);
  const unit = Math.min(width, height);
  const isPortrait = picture.kind === 'portrait';
  const [title, ...rest] = picture.words;
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

function paintSign(job: Job): Lettered {
  const { width, height, random, picture } = job;
  const { canvas, ctx } = base(job);
  const isBuilt =
    picture.place === 'street' ||
    picture.place === 'city' ||
    picture.place === 'room' ||
    picture.kind === 'portrait' ||
    picture.kind === 'object';
  const length = picture.words.join(' ').length;
  const wide = Math.min(0.78, 0.44 + length * 0.012);
  const high = Math.min(0.46, 0.2 + length * 0.004);
  const at = picture.kind === 'portrait' ? 0.97 - high : isBuilt ? 0.13 : 0.37;
  const outer: Box = { x: (width * (1 - wide)) / 2, y: height * at, w: width * wide, h: height * high };
  const wood = !isBuilt || /\bwood(en)?\b/i.test(picture.prompt);
  const paint = rgb(picture.palette[0] ?? pick(random, ['#1f4f7a', '#1f6a4a', '#8a2f34', '#2b2f38']));
  const box = wood
    ? woodenSign(ctx, outer, Math.min(height * 0.97, outer.y + outer.h + height * 0.2), random, [255, 250, 240])
    : enamelSign(ctx, outer, paint);
  const lines = setTexts(ctx, picture.words, job.faces[0], job.faces[1], box, Math.min(width, height) * 0.17);
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
