/** Carries out operations read from an edit prompt on one to five pictures, and joins them when asked. */

import type { Rig } from '../../../ports.ts';
import { type Canvas, copyOf, sheet } from '../canvas.ts';
import { css, rgb } from '../colour.ts';
import { familyOf } from '../lettering/fonts.ts';
import { checkGlyphs } from '../lettering/index.ts';
import { letterOver, measure } from '../lettering/ink.ts';
import { setTexts } from '../lettering/layout.ts';
import { lightOf } from '../scene/light.ts';
import { drawStars } from '../scene/sky.ts';
import { drawSubjects } from '../scene/subjects.ts';
import { cameraOf } from '../scene/terrain.ts';
import { drawFireflies, drawFog, drawRain, drawSnowfall } from '../scene/weather.ts';
import * as px from './pixels.ts';
import type { CropRegion, Edit } from './read.ts';

type One<K extends Edit['op']> = Extract<Edit, { op: K }>;

/**
 * Applies the operations in order: to every picture until they are joined, to the one picture after. Deterministic for
 * a seed. @param rig the first picture's face, when known, for the background blur.
 */
export function applyEdits(pictures: Canvas[], edits: readonly Edit[], seed: number, rig?: Rig): Canvas {
  checkGlyphs(edits.flatMap((edit) => (edit.op === 'caption' ? [edit.words] : [])));
  let current = pictures;
  for (const edit of edits) {
    if (edit.op === 'collage') current = current.length > 1 ? [collage(current, edit.kind)] : current;
    else if (edit.op === 'blend') current = current.length > 1 ? [blend(current)] : current;
    else current = current.map((picture, i) => applyOne(picture, edit, seed + i, rig));
  }
  return current[0] as Canvas;
}

function applyOne(picture: Canvas, edit: Exclude<Edit, { op: 'collage' | 'blend' }>, seed: number, rig?: Rig): Canvas {
  switch (edit.op) {
    case 'grey':
      return px.toGrey(picture);
    case 'sepia':
      return px.sepia(picture);
    case 'sketch':
      return px.sketch(picture);
    case 'invert':
      return px.invert(picture);
    case 'posterize':
      return px.posterize(px.saturate(picture, 1.3), 5);
    case 'cartoon':
      return px.cartoon(picture);
    case 'painting':
      return px.saturate(px.paintStrokes(picture, 0.006), 1.12);
    case 'vignette':
      return px.vignette(picture);
    case 'night':
      return px.nightGrade(picture);
    case 'golden':
      return px.goldenGrade(picture);
    case 'sharpen':
      return px.sharpen(picture);
    case 'pixelate':
      return px.pixelate(picture);
    case 'blurBackground':
      return px.blurBackground(picture, rig?.face);
    case 'blur':
      return px.blur(picture, 0.011 * edit.amount);
    case 'brighten':
      return px.brighten(picture, edit.amount);
    case 'contrast':
      return px.stretchContrast(picture, edit.amount);
    case 'saturate':
      return px.saturate(picture, edit.amount);
    case 'warm':
      return px.warm(picture, edit.amount);
    case 'tint':
      return px.tint(picture, edit.colour);
    case 'crop':
      return crop(picture, edit.region);
    case 'rotate':
      return rotate(picture, edit.degrees);
    case 'flip':
      return flip(picture, edit.axis);
    case 'frame':
      return frame(picture, edit);
    case 'caption':
      return caption(picture, edit);
    case 'weather':
      return weather(picture, edit, seed);
    case 'add':
      return addSubject(picture, edit, seed);
  }
}

function crop(picture: Canvas, region: CropRegion): Canvas {
  const { width: w, height: h } = picture;
  const half = {
    left: [0, 0, w / 2, h],
    right: [w / 2, 0, w / 2, h],
    top: [0, 0, w, h / 2],
    bottom: [0, h / 2, w, h / 2],
  };
  let box = half[region as keyof typeof half];
  if (region === 'centre') box = [w * 0.125, h * 0.125, w * 0.75, h * 0.75];
  if (!box) {
    const [rw, rh] = region === 'square' ? [1, 1] : (region.split(':').map(Number) as [number, number]);
    const cw = Math.min(w, (h * rw) / rh);
    const ch = Math.min(h, (w * rh) / rw);
    box = [(w - cw) / 2, (h - ch) / 2, cw, ch];
  }
  const [x, y, cw, ch] = box.map(Math.round) as [number, number, number, number];
  const { canvas, ctx } = sheet(cw, ch);
  ctx.drawImage(picture, -x, -y);
  return canvas;
}

/** Quarter turns are exact; other angles enlarge the picture so that no corner is empty. */
function rotate(picture: Canvas, degrees: number): Canvas {
  const { width: w, height: h } = picture;
  const turn = (((degrees % 360) + 360) % 360) as number;
  const isQuarter = turn % 90 === 0;
  const swap = isQuarter && turn % 180 !== 0;
  const { canvas, ctx } = sheet(swap ? h : w, swap ? w : h);
  const angle = (turn * Math.PI) / 180;
  ctx.imageSmoothingEnabled = !isQuarter;
  ctx.translate(canvas.width / 2, canvas.height / 2);
  ctx.rotate(angle);
  if (!isQuarter) {
    const [c, s] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const grow = Math.max((w * c + h * s) / w, (w * s + h * c) / h);
    ctx.scale(grow, grow);
  }
  ctx.drawImage(picture, -w / 2, -h / 2);
  return canvas;
}

function flip(picture: Canvas, axis: 'horizontal' | 'vertical'): Canvas {
  const { canvas, ctx } = sheet(picture.width, picture.height);
  if (axis === 'horizontal') {
    ctx.translate(picture.width, 0);
    ctx.scale(-1, 1);
  } else {
    ctx.translate(0, picture.height);
    ctx.scale(1, -1);
  }
  ctx.drawImage(picture, 0, 0);
  return canvas;
}

function frame(picture: Canvas, { colour, kind }: One<'frame'>): Canvas {
  if (kind === 'polaroid') return px.frame(picture, rgb('#fbfaf5'), 0.05, 4);
  const outer = px.frame(picture, rgb(colour), { thin: 0.022, plain: 0.055, thick: 0.1 }[kind]);
  const ctx = outer.getContext('2d');
  const edge = (outer.width - picture.width) / 2;
  // A bevel: light above and left, dark below and right of the opening.
  ctx.lineWidth = Math.max(1, edge * 0.05);
  ctx.strokeStyle = 'rgba(0,0,0,.35)';
  ctx.strokeRect(edge - 1, edge - 1, picture.width + 2, picture.height + 2);
  ctx.strokeStyle = 'rgba(255,255,255,.35)';
  ctx.strokeRect(edge * 0.12, edge * 0.12, outer.width - edge * 0.24, outer.height - edge * 0.24);
  return outer;
}

function caption(picture: Canvas, { words, where, face }: One<'caption'>): Canvas {
  const { canvas, ctx } = copyOf(picture);
  const { width, height } = canvas;
  familyOf(face);
  const tall = Math.min(0.4, 0.14 + words.length * 0.0016);
  const y = { top: 0.04, bottom: 0.96 - tall, centre: 0.5 - tall / 2 }[where];
  const lines = setTexts(
    ctx,
    [words],
    face,
    face,
    { x: width * 0.06, y: height * y, w: width * 0.88, h: height * tall },
    Math.min(width, height) * 0.13,
  );
  letterOver(ctx, canvas, lines);
  return canvas;
}

function weather(picture: Canvas, { kind }: One<'weather'>, seed: number): Canvas {
  const base =
    kind === 'rain'
      ? px.saturate(px.brighten(picture, -0.3), 0.75)
      : kind === 'snow'
        ? px.saturate(px.warm(picture, -0.25), 0.85)
        : picture;
  const { canvas, ctx } = copyOf(base);
  const { width, height } = canvas;
  switch (kind) {
    case 'rain':
      ctx.drawImage(drawRain(width, height, seed, 1.4), 0, 0);
      break;
    case 'snow':
      ctx.drawImage(drawSnowfall(width, height, seed), 0, 0);
      ctx.drawImage(drawSnowfall(width, height, seed + 1), 0, 0);
      break;
    case 'fog':
      ctx.drawImage(drawFog(width, height, seed, [222, 228, 232], 0.68, 1), 0, 0);
      break;
    case 'stars':
      ctx.globalCompositeOperation = 'screen';
      drawStars(ctx, width, height * 0.62, 1.2, seed);
      break;
    case 'fireflies':
      ctx.drawImage(drawFireflies(width, height, 0.35, seed), 0, 0);
  }
  return canvas;
}

/** A subject of the noun list in the light the picture has about its lower middle. */
function addSubject(picture: Canvas, { subject, at }: One<'add'>, seed: number): Canvas {
  const { canvas, ctx } = copyOf(picture);
  const { width, height } = canvas;
  const mean = measure(picture, { x: 0, y: height * 0.4, w: width, h: height * 0.6 }).mean;
  const level = Math.max(0.45, Math.min(1, (mean[0] + mean[1] + mean[2]) / 3 / 140));
  const light = lightOf(
    {
      prompt: '',
      kind: 'scene',
      time: 'day',
      weather: 'clear',
      subjects: [],
      palette: [],
      words: [],
      lettering: 'caption',
    },
    0.5,
    seed,
  );
  const stage = {
    camera: cameraOf(width, height, 0.5, 2.4),
    light: {
      ...light,
      ambient: [0.5 * level, 0.5 * level, 0.52 * level] as const,
      key: [0.5 * level, 0.48 * level, 0.44 * level] as const,
    },
    surface: 'floor' as const,
    groundTop: 0.74,
    heightAt: () => 0,
    haze: (paint: readonly [number, number, number]) => paint,
  };
  const drawn = drawSubjects([subject], stage, seed);
  const shift = at ? offsetTo(drawn, at.x * width, at.y * height) : [0, 0];
  ctx.drawImage(drawn, shift[0] as number, shift[1] as number);
  return canvas;
}

/** How far what is drawn must move for its middle to stand at a point, kept inside the picture. */
function offsetTo(drawn: Canvas, x: number, y: number): [number, number] {
  const { width, height } = drawn;
  const { data } = drawn.getContext('2d').getImageData(0, 0, width, height);
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let i = 3, at = 0; i < data.length; i += 16, at += 4) {
    if ((data[i] as number) < 128) continue;
    const [px, py] = [at % width, Math.floor(at / width)];
    left = Math.min(left, px);
    right = Math.max(right, px);
    top = Math.min(top, py);
    bottom = Math.max(bottom, py);
  }
  const within = (shift: number, low: number, high: number, size: number) =>
    Math.min(size - high - 4, Math.max(4 - low, shift));
  return [within(x - (left + right) / 2, left, right, width), within(y - (top + bottom) / 2, top, bottom, height)];
}

/** Covers a cell with the picture, its middle kept. */
function cover(
  ctx: ReturnType<typeof sheet>['ctx'],
  picture: Canvas,
  x: number,
  y: number,
  w: number,
  h: number,
): void {
  const k = Math.max(w / picture.width, h / picture.height);
  const [sw, sh] = [w / k, h / k];
  ctx.drawImage(picture, (picture.width - sw) / 2, (picture.height - sh) / 2, sw, sh, x, y, w, h);
}

/** Longest side of a collage, pixels. */
const COLLAGE_SIDE = 1536;

function collage(pictures: Canvas[], kind: 'row' | 'column' | 'grid'): Canvas {
  const n = pictures.length;
  const columns = kind === 'row' ? n : kind === 'column' ? 1 : n === 2 ? 2 : n <= 4 ? 2 : 3;
  const rows = Math.ceil(n / columns);
  const first = pictures[0] as Canvas;
  const k = Math.min(1, COLLAGE_SIDE / Math.max(first.width * columns, first.height * rows));
  const [cw, ch] = [Math.round(first.width * k), Math.round(first.height * k)];
  const gap = Math.max(2, Math.round(Math.min(cw, ch) * 0.02));
  const { canvas, ctx } = sheet(cw * columns + gap * (columns + 1), ch * rows + gap * (rows + 1));
  ctx.fillStyle = css(rgb('#f7f5ef'));
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  for (const [i, picture] of pictures.entries()) {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, n - row * columns);
    // A short last row is stretched over the whole width: no hole is left.
    const w = (canvas.width - gap * (inRow + 1)) / inRow;
    cover(ctx, picture, gap + (i - row * columns) * (w + gap), gap + row * (ch + gap), w, ch);
  }
  return canvas;
}

/** The mean of all pictures, each covering the first one's size. */
function blend(pictures: Canvas[]): Canvas {
  const first = pictures[0] as Canvas;
  const { canvas, ctx } = sheet(first.width, first.height);
  for (const [i, picture] of pictures.entries()) {
    ctx.globalAlpha = 1 / (i + 1);
    cover(ctx, picture, 0, 0, first.width, first.height);
  }
  return canvas;
}
