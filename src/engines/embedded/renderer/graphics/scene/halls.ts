/** Places with walls that are no rooms: a stage with its curtains, a cave with its mouth, a greenhouse of glass. */
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import { between, type Random, seeded } from '../random.ts';
import { drawBoards } from './boards.ts';
import { type Light, lit } from './light.ts';
import { glow } from './sky.ts';

/** A place with walls: what is painted, and where its floor begins (share of the height). */
export interface Hall {
  canvas: Canvas;
  groundTop: number;
}

const BEAMS: readonly Rgb[] = ['#ff5fa8', '#5fd0ff', '#ffd25f', '#9d7bff', '#6dff9e'].map(rgb);

/** Curtains at both sides, a dark back wall, boards, and spots from above. @param isColourful their light is of many colours */
export function drawTheatre(width: number, height: number, isColourful: boolean, seed: number): Hall {
  const random = seeded(seed, 'theatre');
  const { canvas, ctx } = emptyCanvas(width, height);
  const floorY = height * 0.72;
  const back = ctx.createLinearGradient(0, 0, 0, floorY);
  back.addColorStop(0, '#120d1c');
  back.addColorStop(1, '#3a2448');
  ctx.fillStyle = back;
  ctx.fillRect(0, 0, width, floorY);
  drawBoards(ctx, width, height, { floorY, vanishY: floorY - height * 0.3 }, rgb('#8a5a36'), random);
  for (let i = 0; i < 5; i++) {
    const from = width * (0.2 + i * 0.15);
    const to = width * between(random, 0.2, 0.8);
    const colour = isColourful ? (BEAMS[i] as Rgb) : rgb('#ffe9bd');
    const beam = ctx.createLinearGradient(0, 0, 0, height * 0.9);
    beam.addColorStop(0, css(colour, 0.5));
    beam.addColorStop(1, css(colour, 0.04));
    ctx.globalCompositeOperation = 'screen';
    ctx.fillStyle = beam;
    ctx.beginPath();
    ctx.moveTo(from - width * 0.012, 0);
    ctx.lineTo(from + width * 0.012, 0);
    ctx.lineTo(to + width * 0.13, height * 0.9);
    ctx.lineTo(to - width * 0.13, height * 0.9);
    ctx.fill();
    glow(ctx, from, height * 0.02, width * 0.07, colour, 0.9);
    ctx.globalCompositeOperation = 'source-over';
  }
  for (const side of [-1, 1]) curtain(ctx, width, height, floorY, side);
  for (let i = 0; i < 9; i++) {
    const x = (i / 9) * width;
    const swag = ctx.createLinearGradient(x, 0, x + width / 9, 0);
    swag.addColorStop(0, '#6e1420');
    swag.addColorStop(0.5, '#b8283a');
    swag.addColorStop(1, '#5c0f1a');
    ctx.fillStyle = swag;
    ctx.beginPath();
    ctx.moveTo(x, 0);
    ctx.lineTo(x + width / 9, 0);
    ctx.lineTo(x + width / 9, height * 0.06);
    ctx.quadraticCurveTo(x + width / 18, height * 0.14, x, height * 0.06);
    ctx.fill();
  }
  const edge = ctx.createLinearGradient(0, height * 0.955, 0, height);
  edge.addColorStop(0, '#3a2214');
  edge.addColorStop(1, '#160c08');
  ctx.fillStyle = edge;
  ctx.fillRect(0, height * 0.955, width, height * 0.045);
  return { canvas, groundTop: 0.78 };
}

function curtain(ctx: Context, width: number, height: number, floorY: number, side: number): void {
  const folds = 5;
  for (let i = 0; i < folds; i++) {
    const wide = width * 0.034;
    const x = side < 0 ? i * wide : width - (i + 1) * wide;
    const fold = ctx.createLinearGradient(x, 0, x + wide, 0);
    fold.addColorStop(0, '#5c0f1a');
    fold.addColorStop(0.5, '#c22f42');
    fold.addColorStop(1, '#6e1420');
    ctx.fillStyle = fold;
    ctx.fillRect(x, 0, wide + 1, floorY + height * 0.02 + i * height * 0.004);
  }
}

/** Rock all round, and the land outside seen through its mouth. @param outside of the size of the image */
export function drawCave(width: number, height: number, outside: Canvas, seed: number): Hall {
  const random = seeded(seed, 'cave');
  const { canvas, ctx } = emptyCanvas(width, height);
  ctx.drawImage(outside, 0, 0, width, height);
  const rim = (grow: number): void => {
    ctx.beginPath();
    ctx.rect(0, 0, width, height);
    const [cx, cy] = [width * 0.5, height * 0.5];
    for (let i = 0; i <= 26; i++) {
      const turn = (i / 26) * Math.PI * 2;
      const r = 1 + grow + 0.13 * Math.sin(turn * 5 + seed) + 0.08 * Math.sin(turn * 11 + seed * 3);
      const [x, y] = [cx + Math.cos(turn) * width * 0.25 * r, cy - Math.sin(turn) * height * 0.25 * r];
      if (i === 0) ctx.moveTo(x, y);
      else ctx.lineTo(x, y);
    }
    ctx.closePath();
  };
  for (const [grow, paint] of [
    [0, '#7a6f66'],
    [0.16, '#5d544e'],
    [0.38, '#443d3a'],
    [0.7, '#2f2a2a'],
  ] as const) {
    ctx.fillStyle = paint;
    rim(grow);
    ctx.fill('evenodd');
  }
  const floor = ctx.createLinearGradient(0, height * 0.72, 0, height);
  floor.addColorStop(0, '#6b6059');
  floor.addColorStop(1, '#2c2726');
  ctx.fillStyle = floor;
  ctx.beginPath();
  ctx.moveTo(0, height * 0.8);
  for (let i = 0; i <= 16; i++) ctx.lineTo((i / 16) * width, height * (0.735 + 0.02 * Math.sin(i * 1.7 + seed)));
  ctx.lineTo(width, height);
  ctx.lineTo(0, height);
  ctx.fill();
  for (let i = 0; i < 13; i++) {
    const x = width * between(random, 0, 1);
    const [w, long] = [width * between(random, 0.02, 0.05), height * between(random, 0.06, 0.2)];
    ctx.fillStyle = css(scale(rgb('#574e49'), between(random, 0.6, 1)));
    ctx.beginPath();
    ctx.moveTo(x - w, -2);
    ctx.lineTo(x + w, -2);
    ctx.lineTo(x + w * 0.1, long);
    ctx.fill();
  }
  return { canvas, groundTop: 0.8 };
}

/** Panes of glass on thin ribs, the garden behind them, beds with plants along both walls, a path between. */
export function drawGreenhouse(width: number, height: number, outside: Canvas, light: Light, seed: number): Hall {
  const random = seeded(seed, 'greenhouse');
  const { canvas, ctx } = emptyCanvas(width, height);
  ctx.drawImage(outside, 0, 0, width, height);
  ctx.fillStyle = css(mix([226, 246, 240], light.haze, 0.3), 0.34);
  ctx.fillRect(0, 0, width, height);
  const floorY = height * 0.7;
  const [ax, ay] = [width / 2, height * 0.06];
  ctx.strokeStyle = css(lit(rgb('#f3f7f4'), light, 0.5));
  const rib = (thick: number, ...points: [number, number][]): void => {
    ctx.lineWidth = width * thick;
    ctx.beginPath();
    for (const [i, [x, y]] of points.entries()) i === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y);
    ctx.stroke();
  };
  for (const k of [1, 0.7, 0.48]) {
    const [left, right, eaves, foot] = [ax - width * 0.5 * k, ax + width * 0.5 * k, height * (0.5 - 0.24 * k), floorY];
    const top = ay + (1 - k) * height * 0.22;
    rib(0.011 * k, [left, foot], [left, eaves], [ax, top], [right, eaves], [right, foot]);
  }
  for (let i = 1; i < 8; i++)
    rib(0.004, [(width * i) / 8, floorY], [(width * i) / 8, height * (0.2 + Math.abs(i - 4) * 0.03)]);
  for (const y of [0.36, 0.52]) rib(0.004, [width * 0.02, height * y], [width * 0.98, height * y]);
  rib(0.009, [ax, ay], [ax, height * 0.17]);
  const path = ctx.createLinearGradient(0, floorY, 0, height);
  path.addColorStop(0, css(lit(rgb('#b9ab95'), light, 0.4)));
  path.addColorStop(1, css(lit(rgb('#d8cbb4'), light, 0.5)));
  ctx.fillStyle = path;
  ctx.fillRect(0, floorY, width, height - floorY);
  for (const side of [-1, 1]) bed(ctx, width, height, floorY, side, light, random);
  return { canvas, groundTop: 0.8 };
}

function bed(
  ctx: Context,
  width: number,
  height: number,
  floorY: number,
  side: number,
  light: Light,
  random: Random,
): void {
  const x = (share: number) => width / 2 + side * width * share;
  ctx.fillStyle = css(lit(rgb('#7a4f30'), light, 0.4));
  ctx.beginPath();
  ctx.moveTo(x(0.17), floorY);
  ctx.lineTo(x(0.5), floorY);
  ctx.lineTo(x(0.5), height);
  ctx.lineTo(x(0.36), height);
  ctx.fill();
  for (let i = 0; i < 90; i++) {
    const t = i / 90;
    const y = floorY + (height - floorY) * t;
    const along = x(between(random, 0.19 + 0.19 * t, 0.52));
    const tall = height * (0.05 + 0.1 * t) * between(random, 0.6, 1.3);
    ctx.fillStyle = css(lit(scale(rgb('#4d8a3c'), between(random, 0.65, 1.25)), light, 0.5));
    for (let leaf = -2; leaf <= 2; leaf++) {
      ctx.beginPath();
      ctx.ellipse(
        along + leaf * tall * 0.16,
        y - tall * (0.6 - Math.abs(leaf) * 0.1),
        tall * 0.09,
        tall * 0.42,
        leaf * 0.42,
        0,
        7,
      );
      ctx.fill();
    }
  }
}
