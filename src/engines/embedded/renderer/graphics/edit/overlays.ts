import { type Canvas, copyOf } from '../canvas.ts';
import { familyOf } from '../lettering/fonts.ts';
import { letterOver, letterSteadily, measure } from '../lettering/ink.ts';
import { setTexts } from '../lettering/layout.ts';
import { drawBubbles, drawFireworks, drawRainbow } from '../scene/festive.ts';
import { lightOf } from '../scene/light.ts';
import { drawStars } from '../scene/sky.ts';
import { drawSubjects } from '../scene/subjects.ts';
import { cameraOf } from '../scene/terrain.ts';
import { drawFireflies, drawFog, drawRain, drawSnowfall } from '../scene/weather.ts';
import * as px from './pixels.ts';
import type { One } from './rules.ts';

/** Words set over the image. */
export function caption(image: Canvas, { words, where, face, isSteady }: One<'caption'>): Canvas {
  const { canvas, ctx } = copyOf(image);
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
  if (isSteady) letterSteadily(ctx, lines);
  else letterOver(ctx, canvas, lines);
  return canvas;
}

/** Rain, snow, fog, stars, fireflies, a rainbow, fireworks or soap bubbles over the image. */
export function weather(image: Canvas, { kind }: One<'weather'>, seed: number): Canvas {
  const base =
    kind === 'rain'
      ? px.saturate(px.brighten(image, -0.3), 0.75)
      : kind === 'snow'
        ? px.saturate(px.warm(image, -0.25), 0.85)
        : image;
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
    case 'rainbow':
      ctx.drawImage(drawRainbow(width, height, 0.5), 0, 0);
      break;
    case 'fireworks':
      ctx.globalCompositeOperation = 'screen';
      ctx.drawImage(drawFireworks(width, height, 0.5, seed), 0, 0);
      break;
    case 'bubbles':
      ctx.drawImage(drawBubbles(width, height, seed), 0, 0);
      break;
    case 'fireflies':
      ctx.drawImage(drawFireflies(width, height, 0.35, seed), 0, 0);
  }
  return canvas;
}

/** A subject of the noun list in the light the image has about its lower middle. */
export function addSubject(image: Canvas, { subject, at }: One<'add'>, seed: number): Canvas {
  const { canvas, ctx } = copyOf(image);
  const { width, height } = canvas;
  const mean = measure(image, { x: 0, y: height * 0.4, w: width, h: height * 0.6 }).mean;
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

/** How far what is drawn must move for its middle to stand at a point, kept inside the image. */
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
