/** Built places: skylines, a street in perspective and an interior. Windows light up as the day goes. */
import { type Canvas, type Context, sheet } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import { between, pick, type Random, seeded } from '../random.ts';
import { hazed, type Light, lit } from './light.ts';
import { glow } from './sky.ts';

const LIT_WINDOWS = ['#ffd58a', '#ffe2ae', '#ffc266', '#fff0cf', '#cfe4ff'];
/** Share of windows lit at each hour. */
const LIT_SHARE = { dawn: 0.16, day: 0, golden: 0.22, dusk: 0.5, night: 0.6 };
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
  const { canvas, ctx } = sheet(width, height);
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

/** A street seen along its length: facades left and right, lamps, pavement and wet road when it rains. */
export function drawStreet(
  width: number,
  height: number,
  horizonY: number,
  light: Light,
  seed: number,
): { canvas: Canvas; depth: number; kind: string }[] {
  const random = seeded(seed, 'street');
  const vanish = { x: width * between(random, 0.46, 0.54), y: horizonY * height };
  const road = drawRoad(width, height, vanish, light);
  const sides = sheet(width, height);
  for (const side of [-1, 1]) drawFacades(sides.ctx, width, height, vanish, side, light, random);
  const lamps = sheet(width, height);
  drawLamps(lamps.ctx, width, height, vanish, light);
  return [
    { canvas: road, depth: 0.4, kind: 'ground' },
    { canvas: sides.canvas, depth: 0.5, kind: 'facades' },
    { canvas: lamps.canvas, depth: 0.6, kind: 'lamps' },
  ];
}

interface Vanish {
  x: number;
  y: number;
}

function drawRoad(width: number, height: number, vanish: Vanish, light: Light): Canvas {
  const { canvas, ctx } = sheet(width, height);
  const wedge = (left: number, right: number, fill: string) => {
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
    return fill as unknown as string;
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

/** A room: wall, window with the scene's own sky in it, its light on the boards, curtains, a rug, a picture. */
export function drawRoom(
  width: number,
  height: number,
  sky: Canvas,
  light: Light,
  seed: number,
): { canvas: Canvas; floorY: number } {
  const random = seeded(seed, 'room');
  const { canvas, ctx } = sheet(width, height);
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
  drawFloor(ctx, width, height, floorY, indoors, random);
  ctx.fillStyle = css(lit(rgb('#f1ece2'), indoors, 0.3));
  ctx.fillRect(0, floorY - height * 0.03, width, height * 0.03);
  ctx.fillStyle = css([30, 20, 14], 0.25);
  ctx.fillRect(0, floorY, width, height * 0.006);
  drawWindow(ctx, sky, wx, height * 0.12, width * 0.4, height * 0.43, indoors);
  drawFrame(ctx, width * 0.76, height * 0.2, Math.min(width, height) * 0.17, indoors, random);
  if (!isDark) drawSunbeam(ctx, wx, width * 0.4, height, floorY, light);
  else drawFloorLamp(ctx, width, height, floorY);
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
  return { canvas, floorY };
}

function drawFloor(ctx: Context, width: number, height: number, floorY: number, light: Light, random: Random): void {
  const vanish = { x: width / 2, y: height * 0.38 };
  const board = width * 0.085;
  for (let i = -14; i < 14; i++) {
    ctx.fillStyle = css(lit(scale(rgb('#9a6a42'), between(random, 0.82, 1.12)), light, 0.35));
    ctx.beginPath();
    const at = (x: number, y: number) => vanish.x + (x - vanish.x) * ((y - vanish.y) / (height - vanish.y));
    const [a, b] = [width / 2 + i * board, width / 2 + (i + 1) * board];
    ctx.moveTo(at(a, floorY), floorY);
    ctx.lineTo(at(b, floorY) + 1, floorY);
    ctx.lineTo(b + 1, height);
    ctx.lineTo(a, height);
    ctx.fill();
    ctx.strokeStyle = 'rgba(40,22,10,.35)';
    ctx.lineWidth = 1.5;
    ctx.stroke();
  }
}

function drawWindow(ctx: Context, sky: Canvas, x: number, y: number, w: number, h: number, light: Light): void {
  const frame = css(lit(rgb('#f4efe6'), light, 0.4));
  ctx.fillStyle = frame;
  ctx.fillRect(x - w * 0.04, y - w * 0.04, w * 1.08, h + w * 0.08);
  ctx.drawImage(sky, sky.width * 0.1, sky.height * 0.05, sky.width * 0.8, sky.height * 0.8, x, y, w, h);
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

function drawFloorLamp(ctx: Context, width: number, height: number, floorY: number): void {
  const x = width * 0.9;
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
