/** Abstract images in the prompt's colours: woven flow lines, layered silk ridges, marbled paint or glowing orbs. */
import { type Canvas, emptyCanvas, shaded } from './canvas.ts';
import { css, fromHsl, luma, mix, type Rgb, rgb, toHsl } from './colour.ts';
import { fbm, noise } from './noise.ts';
import { smoothstep } from './numbers.ts';
import type { ImagePlan } from './prompt.ts';
import { between, pick, type Random, seeded } from './random.ts';
import { finish } from './scene/weather.ts';

type AbstractStyle = 'flow' | 'silk' | 'marble' | 'orbs' | 'tiles';

const WORDS: readonly (readonly [AbstractStyle, RegExp])[] = [
  ['tiles', /\b(geometric|patterns?|tiles?|mosaic|bauhaus|triangles?|shapes?|cubis\w+)\b/],
  ['flow', /\b(flow|lines?|hair|wind|current|swirl\w*|generative|strands?)\b/],
  ['silk', /\b(waves?|silk|ridges?|layers?|smooth|curves?|ribbons?)\b/],
  ['marble', /\b(marbl\w+|fluid|ink|liquid|psychedelic|paint|acrylic|oil|fractals?)\b/],
  ['orbs', /\b(gradients?|orbs?|bubbles?|glow\w*|blur\w*|bokeh|soft|light)\b/],
];

const SCHEMES = [
  ['#0f2a43', '#1f6f8b', '#99d5c9', '#f4e9cd', '#e07a5f'],
  ['#2b1a4f', '#6b2d8f', '#d1478a', '#f78f6a', '#ffd98a'],
  ['#10312b', '#2f6b4f', '#8fb558', '#f1d36b', '#f4efe0'],
  ['#141e3c', '#344f9c', '#5fa8d3', '#cae9ff', '#f7b267'],
  ['#3a0f1f', '#8c1c3f', '#d6463f', '#f2a65a', '#f9e4b7'],
];

export function paintAbstract(image: ImagePlan, width: number, height: number, seed: number): Canvas {
  const random = seeded(seed, 'abstract');
  const text = image.prompt.toLowerCase();
  const style =
    WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? pick(random, ['flow', 'silk', 'marble', 'orbs'] as const);
  const colours = schemeFor(image, random);
  const canvas = { flow, silk, marble, orbs, tiles }[style](
    width,
    height,
    colours,
    seed,
    random,
    /\b(gradient|blur)/.test(text),
  );
  finish(canvas.getContext('2d'), width, height, seeded(seed, 'grain'), 5);
  return canvas;
}

/** Five colours from dark to light: the prompt's own, with their shades and a neighbour of each. */
function schemeFor(image: ImagePlan, random: Random): Rgb[] {
  if (image.palette.length === 0) return pick(random, SCHEMES).map(rgb);
  const own = image.palette.map(rgb);
  if (own.length < 4) {
    for (const colour of [...own]) {
      const [h, s, l] = toHsl(colour);
      own.push(
        fromHsl(h + between(random, -18, 18), s, Math.max(0.08, l * 0.45)),
        fromHsl(h + between(random, -18, 18), s * 0.9, Math.min(0.93, l + (1 - l) * 0.55)),
      );
    }
  }
  return own.sort((a, b) => luma(a) - luma(b));
}

function ramp(colours: Rgb[], t: number): Rgb {
  const at = Math.min(0.9999, Math.max(0, t)) * (colours.length - 1);
  const i = Math.floor(at);
  return mix(colours[i] as Rgb, colours[i + 1] ?? (colours[i] as Rgb), at - i);
}

/** Thousands of strands following a curl field, the light ones last. */
function flow(width: number, height: number, colours: Rgb[], seed: number, random: Random): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const ground = ctx.createLinearGradient(0, 0, width, height);
  ground.addColorStop(0, css(colours[0] as Rgb));
  ground.addColorStop(1, css(mix(colours[0] as Rgb, colours[1] as Rgb, 0.6)));
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, width, height);
  const field = noise(seed, 'field');
  const tint = noise(seed, 'tint');
  const unit = Math.sqrt(width * height);
  const turn = between(random, 0, 6.3);
  ctx.lineCap = 'round';
  const count = 1700;
  for (let i = 0; i < count; i++) {
    let [x, y] = [between(random, -0.1, 1.1) * width, between(random, -0.1, 1.1) * height];
    const t = 0.5 + 0.62 * tint((x / unit) * 1.1, (y / unit) * 1.1) + between(random, -0.16, 0.16);
    ctx.strokeStyle = css(ramp(colours, 0.12 + 0.88 * t), 0.35 + 0.5 * (i / count));
    ctx.lineWidth = unit * (0.0009 + 0.0055 * random() ** 3);
    ctx.beginPath();
    ctx.moveTo(x, y);
    for (let step = 0; step < 34; step++) {
      const angle = turn + 3.4 * fbm(field, (x / unit) * 0.95, (y / unit) * 0.95, 2);
      x += Math.cos(angle) * unit * 0.008;
      y += Math.sin(angle) * unit * 0.008;
      ctx.lineTo(x, y);
    }
    ctx.stroke();
  }
  return canvas;
}

/** Overlapping folds, each shaded from its lit crest into the shadow of the next. */
function silk(width: number, height: number, colours: Rgb[], seed: number, random: Random): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const sky = ctx.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, css(colours.at(-1) as Rgb));
  sky.addColorStop(1, css(ramp(colours, 0.7)));
  ctx.fillStyle = sky;
  ctx.fillRect(0, 0, width, height);
  const source = noise(seed, 'silk');
  const folds = 13;
  for (let i = 0; i < folds; i++) {
    const t = i / (folds - 1);
    const base = height * (0.1 + 0.92 * t);
    const swing = height * (0.07 + 0.09 * t);
    const phase = between(random, 0, 9);
    const crest = (x: number) =>
      base + swing * (source((x / width) * 1.3 + phase, i * 0.31) + 0.35 * Math.sin((x / width) * 4.4 + phase));
    const colour = ramp(colours, 0.95 - t * 0.95);
    ctx.shadowColor = css(mix(colour, [0, 0, 10], 0.85), 0.55);
    ctx.shadowBlur = height * 0.035;
    ctx.shadowOffsetY = -height * 0.008;
    const body = ctx.createLinearGradient(0, base - swing, width * 0.25, base + height * 0.3);
    body.addColorStop(0, css(mix(colour, [255, 255, 255], 0.32)));
    body.addColorStop(0.35, css(colour));
    body.addColorStop(1, css(mix(colour, colours[0] as Rgb, 0.65)));
    ctx.fillStyle = body;
    ctx.beginPath();
    ctx.moveTo(-20, height + 40);
    for (let x = -20; x <= width + 20; x += 6) ctx.lineTo(x, crest(x));
    ctx.lineTo(width + 20, height + 40);
    ctx.fill();
    ctx.shadowColor = 'transparent';
    ctx.strokeStyle = css(mix(colour, [255, 255, 255], 0.6), 0.5);
    ctx.lineWidth = Math.max(1, height * 0.0016);
    ctx.stroke();
  }
  return canvas;
}

/** Twice-warped noise as poured paint, with gilt veins when gold is asked for. */
function marble(width: number, height: number, colours: Rgb[], seed: number, random: Random): Canvas {
  const source = noise(seed, 'marble');
  const unit = Math.max(width, height);
  const spin = between(random, 0.7, 1.15);
  return shaded(width, height, 2, (px, py, out) => {
    const [x, y] = [(px / unit) * 0.95, (py / unit) * 0.95];
    const ax = fbm(source, x + 1, y, 3);
    const ay = fbm(source, x, y + 5, 3);
    const bx = fbm(source, x + spin * 1.5 * ax + 2, y + spin * 1.5 * ay, 3);
    const by = fbm(source, x + spin * 1.5 * ax, y + spin * 1.5 * ay + 8, 3);
    const value = fbm(source, x + 1.25 * bx, y + 1.25 * by, 4);
    const colour = ramp(colours, 0.5 + value * 0.85 + ax * 0.2);
    const relief = 1 + (by - ay) * 0.28;
    const vein = smoothstep(0.05, 0, Math.abs(value + 0.04)) * smoothstep(0, 0.25, Math.abs(bx));
    for (let c = 0; c < 3; c++)
      out[c] = Math.min(
        255,
        (colour[c] as number) * relief + ((colours.at(-1)?.[c] ?? 255) - (colour[c] as number)) * vein * 0.6,
      );
    out[3] = 1;
  });
}

/** Large soft lights melting into each other under fine rings. */
function orbs(width: number, height: number, colours: Rgb[], seed: number, random: Random, isPlain: boolean): Canvas {
  const spots = Array.from({ length: 7 }, (_, i) => ({
    x: random(),
    y: random(),
    r: between(random, 0.25, 0.5),
    colour: ramp(colours, i / 6),
  }));
  const source = noise(seed, 'orbs');
  const canvas = shaded(width, height, 4, (px, py, out) => {
    const x = px / width + 0.07 * source((px / width) * 2, py / height);
    const y = py / height + 0.07 * source(px / width, (py / height) * 2 + 9);
    let total = 0.02;
    out.fill(0);
    for (const spot of spots) {
      const weight = Math.exp(-(((x - spot.x) ** 2 + (y - spot.y) ** 2) / (spot.r * spot.r * 0.32)));
      total += weight;
      for (let c = 0; c < 3; c++) out[c] = (out[c] as number) + (spot.colour[c] as number) * weight;
    }
    for (let c = 0; c < 3; c++) out[c] = ((out[c] as number) + (colours[0]?.[c] ?? 0) * 0.02) / total;
    out[3] = 1;
  });
  const ctx = canvas.getContext('2d');
  const balls = isPlain ? 0 : 5;
  for (let i = 0; i < balls; i++) {
    const [x, y, r] = [random() * width, random() * height, Math.min(width, height) * between(random, 0.08, 0.26)];
    const ball = ctx.createRadialGradient(x - r * 0.35, y - r * 0.4, r * 0.05, x, y, r);
    const colour = ramp(colours, random());
    ball.addColorStop(0, css(mix(colour, [255, 255, 255], 0.75), 0.95));
    ball.addColorStop(0.4, css(colour, 0.9));
    ball.addColorStop(1, css(mix(colour, colours[0] as Rgb, 0.7), 0.95));
    ctx.shadowColor = css(colours[0] as Rgb, 0.55);
    ctx.shadowBlur = r * 0.5;
    ctx.shadowOffsetY = r * 0.25;
    ctx.fillStyle = ball;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 7);
    ctx.fill();
  }
  ctx.shadowColor = 'transparent';
  return canvas;
}

/** Quarter circles, discs and bars on a grid, as printed paper. */
function tiles(width: number, height: number, colours: Rgb[], _seed: number, random: Random): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const cell = Math.min(width, height) / 6;
  for (let y = 0; y < height; y += cell) {
    for (let x = 0; x < width; x += cell) {
      const [ground, figure, accent] = [pick(random, colours), pick(random, colours), pick(random, colours)];
      ctx.fillStyle = css(ground);
      ctx.fillRect(x, y, cell + 1, cell + 1);
      ctx.fillStyle = css(luma(figure) === luma(ground) ? (colours.at(luma(ground) > 0.5 ? 0 : -1) as Rgb) : figure);
      ctx.save();
      ctx.translate(x + cell / 2, y + cell / 2);
      ctx.rotate((Math.floor(random() * 4) * Math.PI) / 2);
      ctx.beginPath();
      const kind = Math.floor(random() * 5);
      if (kind === 0) ctx.arc(-cell / 2, -cell / 2, cell, 0, Math.PI / 2);
      if (kind === 0) ctx.lineTo(-cell / 2, -cell / 2);
      if (kind === 1) ctx.arc(0, 0, cell * 0.38, 0, 7);
      if (kind === 2) ctx.rect(-cell / 2, -cell / 2, cell / 2, cell);
      if (kind === 3) ctx.arc(0, -cell / 2, cell / 2, 0, Math.PI);
      if (kind === 4) {
        ctx.moveTo(-cell / 2, -cell / 2);
        ctx.lineTo(cell / 2, -cell / 2);
        ctx.lineTo(-cell / 2, cell / 2);
      }
      ctx.fill();
      if (kind < 2) {
        ctx.fillStyle = css(accent);
        ctx.beginPath();
        ctx.arc(
          kind === 0 ? -cell / 2 : 0,
          kind === 0 ? -cell / 2 : 0,
          cell * (kind === 0 ? 0.5 : 0.18),
          0,
          kind === 0 ? Math.PI / 2 : 7,
        );
        if (kind === 0) ctx.lineTo(-cell / 2, -cell / 2);
        ctx.fill();
      }
      ctx.restore();
    }
  }
  return canvas;
}
