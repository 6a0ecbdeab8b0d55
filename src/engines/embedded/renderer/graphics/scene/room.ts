/** An interior: walls, boards, a rug, and a window with the scene outside; lamplight after dark. */
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, rgb, scale } from '../colour.ts';
import { between, pick, type Random, seeded } from '../random.ts';
import { drawBoards } from './boards.ts';
import { drawFireplace, drawShelves } from './furniture.ts';
import { type Light, lit } from './light.ts';
import { glow } from './sky.ts';

/** A room: wall, window with the scene's own sky in it, its light on the boards, curtains, a rug, an image. */
export function drawRoom(
  width: number,
  height: number,
  sky: Canvas,
  light: Light,
  seed: number,
  prompt: string,
): { canvas: Canvas; floorY: number; sill: { x: number; y: number; wide: number } } {
  const random = seeded(seed, 'room');
  const { canvas, ctx } = emptyCanvas(width, height);
  const isDark = light.time === 'night' || light.time === 'dusk';
  const wallPaint = rgb(pick(random, ['#d8c7a9', '#a9bdb2', '#c9a793', '#9fb0c2', '#d9cdb9', '#b7a6bd']));
  const indoors: Light = {
    ...light,
    ambient: isDark ? [0.5, 0.4, 0.32] : [0.68, 0.66, 0.64],
    key: isDark ? [0.45, 0.3, 0.14] : light.key,
  };
  const floorY = height * 0.7;
  const wx = width * between(random, 0.1, 0.24);
  const wall = ctx.createLinearGradient(0, 0, width, height * 0.4);
  wall.addColorStop(0, css(lit(wallPaint, indoors, 0.42)));
  wall.addColorStop(1, css(lit(wallPaint, indoors, 0.12)));
  ctx.fillStyle = wall;
  ctx.fillRect(0, 0, width, floorY);
  drawBoards(ctx, width, height, { floorY, vanishY: height * 0.38 }, lit(rgb('#9a6a42'), indoors, 0.35), random);
  ctx.fillStyle = css(lit(rgb('#f1ece2'), indoors, 0.3));
  ctx.fillRect(0, floorY - height * 0.03, width, height * 0.03);
  ctx.fillStyle = css([30, 20, 14], 0.25);
  ctx.fillRect(0, floorY, width, height * 0.006);
  const room = furnished(prompt, wx / width);
  const [left, wide] = [room.window[0] * width, room.window[1] * width];
  if (!WINDOWLESS.test(prompt)) drawWindow(ctx, sky, left, height * 0.12, wide, height * 0.43, indoors);
  const frame = Math.min(width, height) * 0.17;
  if (room.frameX !== undefined) {
    const above = room.fire === undefined ? 0.2 : 0.09;
    drawFrame(ctx, room.frameX * width - frame / 2, height * above, frame, indoors, random);
  }
  if (!isDark && !WINDOWLESS.test(prompt)) drawSunbeam(ctx, left, wide, height, floorY, light);
  else if (room.lampX !== undefined) drawFloorLamp(ctx, room.lampX * width, width, height, floorY);
  for (const [at, share] of room.shelves) {
    const top = height * 0.1;
    drawShelves(ctx, { x: at * width, y: top, w: share * width, h: floorY - top }, indoors, random);
  }
  ctx.fillStyle = css(lit(rgb(pick(random, ['#a8473f', '#3f6f7a', '#7a5a8c', '#c08a3a'])), indoors, 0.4), 0.92);
  for (const [k, tone] of [
    [1, 1],
    [0.86, 1.25],
    [0.74, 0.95],
  ] as const) {
    if (tone !== 1) ctx.fillStyle = css(lit(scale(rgb('#b9854e'), tone), indoors, 0.4), 0.75);
    ctx.beginPath();
    ctx.ellipse(width / 2, height * 0.875, width * 0.36 * k, height * 0.085 * k, 0, 0, 7);
    ctx.fill();
  }
  if (room.fire !== undefined) {
    const top = height * 0.38;
    const [x, w] = [room.fire * width, FIRE_WIDE * width];
    drawFireplace(ctx, { x, y: top, w, h: floorY - top }, indoors, random);
  }
  return { canvas, floorY, sill: { x: left + wide / 2, y: height * 0.55 + wide * 0.024, wide } };
}

const WINDOWLESS = /\b(?:no|without(?: any| a)?) windows?\b|\bwindowless\b/i;
const FIRE_WIDE = 0.26;

/** Where furniture stands, as shares of the image's width. */
interface Furnished {
  window: readonly [at: number, wide: number];
  shelves: readonly (readonly [at: number, wide: number])[];
  frameX?: number;
  lampX?: number;
  fire?: number;
}

/** Reads the furniture from the prompt; a room of which none is named has an image and a lamp. */
function furnished(prompt: string, windowAt: number): Furnished {
  const hasFire = /\b(fire ?places?|hearth|chimney ?piece|open fire|log fire)\b/i.test(prompt);
  const isLibrary = /\b(library|libraries|book ?shop|book ?store|full of books|books everywhere)\b/i.test(prompt);
  const hasBooks = isLibrary || /\b(book ?shel(f|ves)|book ?cases?|shelves|books|study)\b/i.test(prompt);
  const fire = hasFire ? { fire: 0.69 } : {};
  if (isLibrary && !hasFire)
    return {
      window: [0.37, 0.26],
      shelves: [
        [0.03, 0.27],
        [0.7, 0.27],
      ],
    };
  if (hasBooks && hasFire) return { window: [0.07, 0.25], shelves: [[0.42, 0.2]], frameX: 0.82, ...fire };
  if (hasBooks) return { window: [windowAt * 0.6, 0.4], shelves: [[0.71, 0.25]], lampX: 0.645 };
  if (hasFire) return { window: [windowAt * 0.8, 0.4], shelves: [], frameX: 0.82, ...fire };
  return { window: [windowAt, 0.4], shelves: [], frameX: 0.8, lampX: 0.9 };
}

function drawWindow(ctx: Context, sky: Canvas, x: number, y: number, w: number, h: number, light: Light): void {
  const frame = css(lit(rgb('#f4efe6'), light, 0.4));
  ctx.fillStyle = frame;
  ctx.fillRect(x - w * 0.04, y - w * 0.04, w * 1.08, h + w * 0.08);
  // Cut to the window's own proportions: the moon stays round.
  const k = Math.min((sky.width * 0.8) / w, (sky.height * 0.8) / h);
  ctx.drawImage(sky, (sky.width - w * k) / 2, sky.height * 0.05, w * k, h * k, x, y, w, h);
  ctx.fillStyle = frame;
  ctx.fillRect(x + w * 0.485, y, w * 0.03, h);
  ctx.fillRect(x, y + h * 0.44, w, w * 0.026);
  ctx.fillRect(x - w * 0.08, y + h + w * 0.02, w * 1.16, w * 0.05);
  for (const side of [-1, 1]) {
    for (let i = 0; i < 6; i++) {
      const t = i / 6;
      const cx = side < 0 ? x - w * 0.12 + t * w * 0.2 : x + w * 0.92 + t * w * 0.2;
      ctx.fillStyle = css(lit(scale(rgb('#c7b49a'), i % 2 ? 0.86 : 1.06), light, 0.35));
      ctx.beginPath();
      ctx.moveTo(cx, y - w * 0.08);
      ctx.lineTo(cx + w * 0.036, y - w * 0.08);
      ctx.lineTo(cx + w * 0.04, y + h * 1.28);
      ctx.lineTo(cx - w * 0.004, y + h * 1.28);
      ctx.fill();
    }
  }
  ctx.fillStyle = css(lit(rgb('#6a4a32'), light, 0.3));
  ctx.fillRect(x - w * 0.16, y - w * 0.1, w * 1.32, w * 0.022);
}

function drawSunbeam(ctx: Context, x: number, w: number, height: number, floorY: number, light: Light): void {
  if (light.sun.visible < 0.5) return;
  ctx.globalCompositeOperation = 'screen';
  const beam = ctx.createLinearGradient(0, height * 0.3, 0, height);
  beam.addColorStop(0, css(light.sun.colour, 0.0));
  beam.addColorStop(1, css(mix(light.sun.colour, [255, 190, 110], 0.45), 0.4));
  ctx.fillStyle = beam;
  for (const shift of [0, w * 0.52]) {
    ctx.beginPath();
    ctx.moveTo(x + shift + w * 0.2, floorY);
    ctx.lineTo(x + shift + w * 0.62, floorY);
    ctx.lineTo(x + shift + w * 0.92, height);
    ctx.lineTo(x + shift + w * 0.32, height);
    ctx.fill();
  }
  ctx.globalCompositeOperation = 'source-over';
}

function drawFloorLamp(ctx: Context, x: number, width: number, height: number, floorY: number): void {
  ctx.fillStyle = '#3a2c22';
  ctx.fillRect(x - width * 0.004, height * 0.36, width * 0.008, floorY - height * 0.34);
  ctx.beginPath();
  ctx.ellipse(x, floorY + height * 0.025, width * 0.04, height * 0.012, 0, 0, 7);
  ctx.fill();
  ctx.fillStyle = '#ffe0a3';
  ctx.beginPath();
  ctx.moveTo(x - width * 0.035, height * 0.27);
  ctx.lineTo(x + width * 0.035, height * 0.27);
  ctx.lineTo(x + width * 0.065, height * 0.38);
  ctx.lineTo(x - width * 0.065, height * 0.38);
  ctx.fill();
  ctx.globalCompositeOperation = 'screen';
  glow(ctx, x, height * 0.36, Math.max(width, height) * 0.55, rgb('#ffb65c'), 0.55);
  ctx.globalCompositeOperation = 'source-over';
}

function drawFrame(ctx: Context, x: number, y: number, size: number, light: Light, random: Random): void {
  ctx.fillStyle = 'rgba(20,12,8,.25)';
  ctx.fillRect(x + size * 0.03, y + size * 0.04, size, size * 1.2);
  ctx.fillStyle = css(lit(rgb('#5a3d28'), light, 0.3));
  ctx.fillRect(x, y, size, size * 1.2);
  ctx.fillStyle = css(lit(rgb('#efe7d8'), light, 0.3));
  ctx.fillRect(x + size * 0.07, y + size * 0.07, size * 0.86, size * 1.06);
  for (let i = 0; i < 4; i++) {
    ctx.fillStyle = css(lit(rgb(pick(random, ['#c9694b', '#3f6f7a', '#d9a94e', '#6b7f5a'])), light, 0.3), 0.9);
    ctx.beginPath();
    ctx.arc(
      x + size * between(random, 0.3, 0.7),
      y + size * between(random, 0.35, 0.85),
      size * between(random, 0.08, 0.2),
      0,
      7,
    );
    ctx.fill();
  }
}
