/** Skylines: rows of towers at three distances, whose windows light up as the day goes. */
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import { between, pick, type Random, seeded } from '../random.ts';
import { hazed, type Light, lit } from './light.ts';
import { glow } from './sky.ts';

/** Colours of windows behind which there is light. */
export const LIT_WINDOWS = ['#ffd58a', '#ffe2ae', '#ffc266', '#fff0cf', '#cfe4ff'];
/** Share of windows lit at each hour. */
export const LIT_SHARE = { dawn: 0.16, day: 0, golden: 0.22, dusk: 0.5, night: 0.6 };
const FACADES = ['#8d97a6', '#a3957f', '#6f7d8f', '#b0a394', '#7f8a94', '#98806f', '#5f6f80'];

/** One row of towers, `near` 0 (far) to 1, standing on `baseY` pixels. */
export function drawSkyline(
  width: number,
  height: number,
  baseY: number,
  near: number,
  light: Light,
  seed: number,
): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, `skyline${near}`);
  const unit = Math.min(width, height * 1.4);
  let x = -unit * 0.03;
  while (x < width) {
    const w = unit * between(random, 0.045, 0.085) * (0.75 + near * 0.55);
    // A crown of tall towers in the middle distance, lower ones at the sides.
    const crown = 0.55 + 0.45 * Math.cos(((x + w / 2) / width - 0.5) * 2.6 + (near - 0.5));
    const tall = baseY * (0.66 - near * 0.2) * crown * between(random, 0.42, 1.0);
    drawTower(ctx, x, baseY - tall, w, tall, near, light, random);
    x += w * between(random, 0.82, 1.1 + (1 - near) * 0.1);
  }
  return canvas;
}

/** Upright neon plates and bands on the towers, with their glow in the wet air: the city of the future at night. */
export function drawNeonSigns(width: number, height: number, baseY: number, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'neon signs');
  const unit = Math.min(width, height);
  for (let i = 0; i < 26; i++) {
    const colour = rgb(pick(random, ['#ff2fa0', '#25e0ff', '#b44dff', '#ffb02f', '#4dffb0']));
    const isUpright = random() < 0.7;
    const [w, h] = isUpright
      ? [unit * between(random, 0.01, 0.018), unit * between(random, 0.07, 0.17)]
      : [unit * between(random, 0.05, 0.09), unit * 0.012];
    const [x, y] = [random() * width, baseY - unit * between(random, 0.02, 0.2) - h];
    ctx.globalCompositeOperation = 'screen';
    glow(ctx, x + w / 2, y + h / 2, Math.max(w, h) * 1.3, colour, 0.5);
    ctx.globalCompositeOperation = 'source-over';
    ctx.fillStyle = css(mix(colour, [10, 8, 24], 0.72));
    ctx.fillRect(x, y, w, h);
    ctx.fillStyle = css(mix(colour, [255, 255, 255], 0.35));
    // Strokes that look like script from afar and are none: words are lettered elsewhere.
    const marks = Math.round((isUpright ? h : w) / (unit * 0.016));
    for (let k = 0; k < marks; k++) {
      const at = (k + 0.25) / marks;
      if (isUpright)
        ctx.fillRect(x + w * 0.22, y + h * at, w * between(random, 0.3, 0.58), Math.max(1, (h / marks) * 0.5));
      else ctx.fillRect(x + w * at, y + h * 0.2, Math.max(1, (w / marks) * 0.5), h * 0.6);
    }
  }
  return canvas;
}

function drawTower(
  ctx: Context,
  x: number,
  y: number,
  w: number,
  h: number,
  near: number,
  light: Light,
  random: Random,
): void {
  const paint = rgb(pick(random, FACADES));
  const metres = (1 - near) * 5200 + 500;
  const front = hazed(lit(paint, light, light.direction[2] < 0 ? 0.7 : 0.28), light, metres);
  const sideFacing = Math.max(0.05, Math.abs(light.direction[0]));
  const isSunRight = light.direction[0] > 0;
  const shade = hazed(lit(paint, light, light.time === 'day' ? 0.12 : 0.02), light, metres);
  const body = ctx.createLinearGradient(0, y, 0, y + h);
  body.addColorStop(0, css(front));
  body.addColorStop(1, css(mix(front, light.haze, 0.22)));
  ctx.fillStyle = body;
  ctx.fillRect(x, y, w, h + 2);
  const side = w * 0.24;
  const lateral = hazed(lit(paint, light, sideFacing), light, metres);
  ctx.fillStyle = css(isSunRight ? shade : lateral);
  ctx.fillRect(x, y, side, h + 2);
  ctx.fillStyle = css(isSunRight ? lateral : shade);
  ctx.fillRect(x + w - side * 0.5, y, side * 0.5, h + 2);
  drawRoof(ctx, x, y, w, front, shade, random);
  drawWindows(ctx, x, y, w, h, near, front, light, random);
}

function drawRoof(ctx: Context, x: number, y: number, w: number, front: Rgb, shade: Rgb, random: Random): void {
  const kind = random();
  ctx.fillStyle = css(front);
  if (kind < 0.28) {
    ctx.fillRect(x + w * 0.16, y - w * 0.22, w * 0.68, w * 0.24);
    ctx.fillRect(x + w * 0.32, y - w * 0.4, w * 0.36, w * 0.2);
  } else if (kind < 0.45) {
    ctx.beginPath();
    ctx.moveTo(x, y + 1);
    ctx.lineTo(x + w / 2, y - w * 0.85);
    ctx.lineTo(x + w, y + 1);
    ctx.fill();
    ctx.fillRect(x + w * 0.485, y - w * 1.35, w * 0.03, w * 0.6);
  } else if (kind < 0.58) {
    ctx.beginPath();
    ctx.moveTo(x, y + 1);
    ctx.lineTo(x + w, y - w * 0.5);
    ctx.lineTo(x + w, y + 1);
    ctx.fill();
  } else if (kind < 0.75) {
    ctx.fillStyle = css(shade);
    ctx.fillRect(x + w * 0.44, y - w * 0.6, w * 0.04, w * 0.6);
    ctx.fillRect(x + w * 0.2, y - w * 0.1, w * 0.3, w * 0.11);
  } else {
    ctx.fillStyle = css(shade);
    ctx.fillRect(x + w * 0.1, y - w * 0.07, w * 0.8, w * 0.08);
  }
}

/** Windows in true rows. By night whole floors and columns are lit or dark together, as offices are. */
function drawWindows(
  ctx: Context,
  x: number,
  y: number,
  w: number,
  h: number,
  near: number,
  front: Rgb,
  light: Light,
  random: Random,
): void {
  const columns = Math.max(3, Math.round(between(random, 4, 8)));
  const cell = w / (columns + 1);
  const tall = cell * between(random, 0.9, 1.7);
  const isStriped = random() < 0.25;
  const share = LIT_SHARE[light.time] * between(random, 0.35, 1.4);
  const glass = mix(front, mix(light.mid, light.top, 0.5), light.time === 'day' ? 0.42 : 0.35);
  const dark = scale(glass, light.time === 'day' ? 0.86 : 0.72);
  const warmth = pick(random, LIT_WINDOWS);
  for (let row = 0; row * tall * 1.35 + tall < h - cell; row++) {
    const floor = random();
    const top = y + cell * 0.7 + row * tall * 1.35;
    if (isStriped && share < 0.2) {
      ctx.fillStyle = css(dark, 0.75);
      ctx.fillRect(x + cell * 0.4, top, w - cell * 0.8, tall * 0.62);
      continue;
    }
    for (let column = 0; column < columns; column++) {
      const isLit = random() < share * (floor < 0.2 ? 2.2 : floor > 0.75 ? 0.15 : 1);
      const colour = isLit ? rgb(random() < 0.75 ? warmth : pick(random, LIT_WINDOWS)) : dark;
      ctx.fillStyle = css(
        isLit ? mix(colour, light.haze, (1 - near) * 0.35) : colour,
        isLit ? between(random, 0.6, 1) : 0.8,
      );
      ctx.fillRect(x + cell * (column + 0.68), top, cell * 0.64, tall * 0.72);
    }
  }
}
