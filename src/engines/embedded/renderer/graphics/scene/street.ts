/** A street seen along its length: houses with shops in perspective, pavement, road and lamps. */
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, rgb, scale } from '../colour.ts';
import { between, pick, type Random, seeded } from '../random.ts';
import { LIT_SHARE, LIT_WINDOWS } from './city.ts';
import { hazed, type Light, lit } from './light.ts';
import { glow } from './sky.ts';

/** A street seen along its length: facades left and right, lamps, pavement and wet road when it rains. */
export function drawStreet(
  width: number,
  height: number,
  horizonY: number,
  light: Light,
  seed: number,
  isNeon: boolean,
): { canvas: Canvas; depth: number; kind: string }[] {
  const random = seeded(seed, 'street');
  const vanish = { x: width * between(random, 0.46, 0.54), y: horizonY * height };
  const road = drawRoad(width, height, vanish, light);
  const sides = emptyCanvas(width, height);
  for (const side of [-1, 1]) drawFacades(sides.ctx, width, height, vanish, side, light, random);
  const lamps = emptyCanvas(width, height);
  drawLamps(lamps.ctx, width, height, vanish, light);
  return [
    { canvas: road, depth: 0.4, kind: 'ground' },
    { canvas: sides.canvas, depth: 0.5, kind: 'facades' },
    { canvas: lamps.canvas, depth: 0.6, kind: 'lamps' },
    ...(isNeon
      ? [{ canvas: drawNeonBoards(width, height, vanish, seeded(seed, 'street neon')), depth: 0.55, kind: 'neon' }]
      : []),
  ];
}

/** Upright signs that stand out from the houses, lit; their strokes are no letters. */
function drawNeonBoards(width: number, height: number, vanish: Vanish, random: Random): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  for (const s of [0.16, 0.22, 0.3, 0.4, 0.54, 0.72])
    for (const side of [-1, 1]) {
      const colour = rgb(pick(random, ['#ff2fa0', '#25e0ff', '#b44dff', '#ffb02f', '#4dffb0', '#ff4d4d']));
      const [w, h] = [width * 0.075 * s, height * between(random, 0.26, 0.42) * s];
      const x = vanish.x + side * (width * 0.5 * s + w * 0.1) - w / 2;
      const y = vanish.y + height * s * 0.49 - height * between(random, 0.46, 0.62) * s - h * 0.5;
      ctx.globalCompositeOperation = 'screen';
      glow(ctx, x + w / 2, y + h / 2, h * 0.95, colour, 0.6);
      ctx.globalCompositeOperation = 'source-over';
      ctx.fillStyle = css(mix(colour, [10, 8, 24], 0.78));
      ctx.fillRect(x, y, w, h);
      ctx.strokeStyle = css(mix(colour, [255, 255, 255], 0.3));
      ctx.lineWidth = Math.max(1, w * 0.09);
      ctx.strokeRect(x + w * 0.08, y + w * 0.08, w * 0.84, h - w * 0.16);
      for (let k = 0; k < 5; k++) {
        const [left, at] = [x + w * between(random, 0.24, 0.4), y + h * (0.12 + k * 0.17)];
        ctx.beginPath();
        ctx.moveTo(left, at);
        ctx.lineTo(left + w * between(random, 0.2, 0.4), at);
        ctx.lineTo(left + w * between(random, 0, 0.4), at + h * 0.08);
        ctx.stroke();
      }
    }
  return canvas;
}

interface Vanish {
  x: number;
  y: number;
}

function drawRoad(width: number, height: number, vanish: Vanish, light: Light): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const wedge = (left: number, right: number, fill: typeof ctx.fillStyle) => {
    ctx.fillStyle = fill;
    ctx.beginPath();
    ctx.moveTo(vanish.x - width * 0.012, vanish.y);
    ctx.lineTo(left, height);
    ctx.lineTo(right, height);
    ctx.lineTo(vanish.x + width * 0.012, vanish.y);
    ctx.fill();
  };
  const ground = (paint: string) => {
    const fill = ctx.createLinearGradient(0, vanish.y, 0, height);
    fill.addColorStop(0, css(hazed(lit(rgb(paint), light, 0.6), light, 4500)));
    fill.addColorStop(0.3, css(lit(rgb(paint), light, 0.6)));
    fill.addColorStop(1, css(lit(scale(rgb(paint), 0.9), light, 0.5)));
    return fill;
  };
  ctx.fillStyle = ground('#b3aca3');
  ctx.fillRect(0, vanish.y, width, height - vanish.y);
  ctx.strokeStyle = css(lit(rgb('#8d8780'), light, 0.4), 0.6);
  for (let i = 1; i < 15; i++) {
    const y = vanish.y + (height - vanish.y) / i ** 1.15;
    ctx.lineWidth = 2.4 / i;
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(width, y);
    ctx.stroke();
  }
  wedge(width * 0.02, width * 0.98, css(lit(rgb('#8f8982'), light, 0.5)));
  wedge(width * 0.06, width * 0.94, ground('#5d6066'));
  ctx.fillStyle = css(lit(rgb('#efe9d6'), light, 0.8), 0.85);
  for (let i = 0; i < 9; i++) {
    const [a, b] = [vanish.y + (height - vanish.y) * 0.74 ** i, vanish.y + (height - vanish.y) * 0.74 ** i * 0.86];
    const [wa, wb] = [0.74 ** i * width * 0.011, 0.74 ** i * 0.86 * width * 0.011];
    ctx.beginPath();
    ctx.moveTo(vanish.x - wa, a);
    ctx.lineTo(vanish.x + wa, a);
    ctx.lineTo(vanish.x + wb, b);
    ctx.lineTo(vanish.x - wb, b);
    ctx.fill();
  }
  return canvas;
}

const HOUSE_PAINT = ['#c9866b', '#d9b48a', '#b5695a', '#8fa5a8', '#d6c6a5', '#a8886d', '#7f93a8', '#c7a0a0', '#9aa889'];

/** Houses along one side: each a wall in perspective, with windows, a shop below and an awning. */
function drawFacades(
  ctx: Context,
  width: number,
  height: number,
  vanish: Vanish,
  side: number,
  light: Light,
  random: Random,
): void {
  const edge = side < 0 ? -width * 0.08 : width * 1.08;
  const xAt = (s: number) => vanish.x + (edge - vanish.x) * s;
  const yAt = (s: number, up: number) => vanish.y + (height * 0.99 - vanish.y) * s - up * height * s;
  const cuts = [1.25, 0.86, 0.6, 0.43, 0.31, 0.23, 0.17, 0.125, 0.09, 0.06];
  for (let i = cuts.length - 2; i >= 0; i--) {
    const [near, far] = [cuts[i] as number, cuts[i + 1] as number];
    const storeys = 3 + Math.floor(random() * 3);
    const up = 0.24 * storeys + 0.2;
    const metres = (1 / far - 0.8) * 420;
    const facing = side * light.direction[0] < 0 ? 0.75 : 0.16;
    const paint = rgb(pick(random, HOUSE_PAINT));
    const wall = hazed(lit(paint, light, facing), light, metres);
    const quad = (a: number, b: number, low: number, high: number, fill: string) => {
      const s = (t: number) => 1 / (1 / near + (1 / far - 1 / near) * t);
      const [sa, sb] = [s(a), s(b)];
      ctx.fillStyle = fill;
      ctx.beginPath();
      ctx.moveTo(xAt(sa), yAt(sa, low));
      ctx.lineTo(xAt(sb), yAt(sb, low));
      ctx.lineTo(xAt(sb), yAt(sb, high));
      ctx.lineTo(xAt(sa), yAt(sa, high));
      ctx.fill();
    };
    quad(0, 1, 0, up, css(wall));
    quad(0, 1, up, up + 0.045, css(scale(wall, 0.8)));
    quad(0, 1, up - 0.03, up, css(mix(wall, [255, 250, 240], 0.2)));
    const share = LIT_SHARE[light.time] * 1.2;
    for (let storey = 1; storey < storeys; storey++) {
      for (let k = 0; k < 3; k++) {
        const a = 0.11 + k * 0.29;
        const low = 0.12 + storey * 0.24;
        quad(a - 0.02, a + 0.2, low - 0.018, low + 0.165, css(mix(wall, [255, 252, 245], 0.3)));
        const isLit = random() < share;
        const glass = isLit
          ? mix(rgb(pick(random, LIT_WINDOWS)), light.haze, Math.min(0.5, metres / 6000))
          : mix(scale(wall, 0.42), light.mid, 0.3);
        quad(a, a + 0.18, low, low + 0.148, css(glass));
        quad(a + 0.085, a + 0.095, low, low + 0.148, css(mix(wall, [255, 252, 245], 0.3)));
      }
    }
    const isOpen = light.time !== 'day' || random() < 0.5;
    quad(
      0.08,
      0.92,
      0.0,
      0.235,
      css(
        isOpen && light.time !== 'day'
          ? mix(rgb('#ffcf85'), light.haze, Math.min(0.5, metres / 6000))
          : mix(scale(wall, 0.4), light.mid, 0.25),
      ),
    );
    quad(0.4, 0.44, 0, 0.235, css(scale(wall, 0.62)));
    quad(0.64, 0.67, 0, 0.235, css(scale(wall, 0.62)));
    const awning = rgb(pick(random, ['#b8423a', '#2f6f6a', '#c98a2c', '#3f5d8c', '#7b4a72']));
    for (let k = 0; k < 7; k++)
      quad(
        0.05 + k * 0.13,
        0.05 + (k + 1) * 0.13,
        0.215,
        0.285,
        css(hazed(lit(k % 2 ? [240, 234, 220] : awning, light, 0.5), light, metres)),
      );
    quad(0, 0.02, 0, up, css(scale(wall, 0.72)));
  }
}

function drawLamps(ctx: Context, width: number, height: number, vanish: Vanish, light: Light): void {
  const isLit = light.time === 'night' || light.time === 'dusk' || light.weather === 'storm';
  for (const s of [0.2, 0.3, 0.46, 0.72]) {
    for (const side of [-1, 1]) {
      const x = vanish.x + side * width * 0.47 * s;
      const foot = vanish.y + (height - vanish.y) * s * 0.98;
      const head = foot - height * 0.52 * s;
      ctx.strokeStyle = css(hazed(lit(rgb('#33383f'), light, 0.3), light, (1 / s - 1) * 300));
      ctx.lineWidth = Math.max(1, width * 0.009 * s);
      ctx.beginPath();
      ctx.moveTo(x, foot);
      ctx.lineTo(x, head);
      ctx.quadraticCurveTo(x, head - height * 0.03 * s, x - side * width * 0.03 * s, head - height * 0.03 * s);
      ctx.stroke();
      const [lx, ly] = [x - side * width * 0.034 * s, head - height * 0.02 * s];
      ctx.fillStyle = isLit ? '#fff3d0' : css(lit(rgb('#e8e4d8'), light, 0.6));
      ctx.beginPath();
      ctx.arc(lx, ly, width * 0.011 * s, 0, 7);
      ctx.fill();
      if (!isLit) continue;
      ctx.globalCompositeOperation = 'screen';
      glow(ctx, lx, ly, width * 0.2 * s, rgb('#ffcf80'), 0.8);
      glow(ctx, lx, foot, width * 0.12 * s, rgb('#ffb860'), 0.3);
      ctx.globalCompositeOperation = 'source-over';
    }
  }
}
