/**
 * Portraits of animals: the emoji's head, large and lit, on shoulders of the fur's own colour before a studio wall,
 * with the rig that lets it speak and blink.
 */
import type { Rig } from '../../ports.ts';
import { type Canvas, type Context, sheet } from './canvas.ts';
import { css, fromHsl, mix, type Rgb, rgb, toHsl } from './colour.ts';
import { type Head, headOf } from './heads.ts';
import { hex } from './portrait/colour.ts';
import type { ImagePlan } from './prompt.ts';
import { between, type Random, seeded } from './random.ts';
import { finish } from './scene/weather.ts';
import { type Sprite, sprite } from './sprites.ts';

export function paintBust(image: ImagePlan, width: number, height: number, seed: number): { canvas: Canvas; rig: Rig } {
  const { canvas, ctx } = sheet(width, height);
  const random = seeded(seed, 'bust');
  const [subject] = image.subjects.filter(({ sprite: name }) => headOf(name));
  const head = headOf(subject?.sprite ?? '') ?? (headOf('cat') as Head);
  const unit = Math.min(width * 0.94, height);
  const colour = subject?.sprite === 'black-cat' ? '#3a3640' : subject?.colour;
  const drawn = sprite(head.emoji, unit * 0.66, colour);
  const fur = head.fur && !colour ? rgb(head.fur) : furOf(drawn);
  drawWall(ctx, width, height, fur, random);
  const foot = height * 0.5 + unit * 0.24;
  drawShoulders(ctx, { x: width / 2, y: foot, unit, height }, fur, random);
  const { box } = drawn;
  const place = { x: width / 2 - box.x - box.w / 2, y: foot - box.y - box.h };
  drawHead(ctx, drawn, place);
  const rig = rigOf(ctx, head, drawn, place);
  finish(ctx, width, height, seeded(seed, 'grain'), 5);
  return { canvas, rig };
}

/** In fractions of the image; colours are read from it. */
function rigOf(
  ctx: Context,
  { eyes, mouth, chin }: Head,
  { canvas, box }: Sprite,
  place: { x: number; y: number },
): Rig {
  const { width, height } = ctx.canvas;
  const k = canvas.width / 128;
  const point = (x: number, y: number) => ({ x: (place.x + x * k) / width, y: (place.y + y * k) / height });
  const colourAt = (x: number, y: number): string => {
    const { data } = ctx.getImageData(Math.round(place.x + x * k), Math.round(place.y + y * k), 1, 1);
    return hex([data[0] as number, data[1] as number, data[2] as number]);
  };
  const eye = (x: number) => ({ ...point(x, eyes.y), rx: (eyes.rx * k) / width, ry: (eyes.ry * k) / height });
  const [left, right] = [eyes.left - 20, eyes.right + 20];
  const top = eyes.y - eyes.ry * 2.4;
  return {
    version: 1,
    source: 'rig',
    face: { ...point(left, top), w: ((right - left) * k) / width, h: ((chin - top) * k) / height },
    leftEye: eye(eyes.left),
    rightEye: eye(eyes.right),
    mouth: { ...point(mouth.x, mouth.y), w: (mouth.w * k) / width, h: (7 * k) / height },
    chin: point(mouth.x, chin),
    head: Array.from({ length: 28 }, (_, i) => {
      const turn = (i / 28) * Math.PI * 2;
      const [x, y] = [box.x + (box.w / 2) * (1 + Math.cos(turn) * 1.04), box.y + (box.h / 2) * (1 + Math.sin(turn))];
      return point(x / k, y / k);
    }),
    skin: colourAt(mouth.x, (mouth.y * 2 + chin) / 3),
    lips: '#2a2422',
    lid: colourAt(eyes.right, eyes.y - eyes.ry - 2.5),
    beard: false,
  };
}

/** The mean colour of the head's outer band, where it is fur and neither eyes nor muzzle. */
function furOf({ canvas, box }: Sprite): Rgb {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const [cx, cy] = [box.x + box.w / 2, box.y + box.h / 2];
  const sum: [number, number, number] = [0, 0, 0];
  let count = 0;
  for (let y = 0; y < canvas.height; y += 3)
    for (let x = 0; x < canvas.width; x += 3) {
      const at = (y * canvas.width + x) * 4;
      const out = Math.hypot((x - cx) / box.w, (y - cy) / box.h);
      if ((data[at + 3] as number) < 250 || out < 0.36 || y < cy) continue;
      for (const c of [0, 1, 2] as const) sum[c] += data[at + c] as number;
      count++;
    }
  const n = Math.max(1, count);
  return [sum[0] / n, sum[1] / n, sum[2] / n];
}

function drawWall(ctx: Context, width: number, height: number, fur: Rgb, random: Random): void {
  const [hue, saturation] = toHsl(fur);
  const wall = fromHsl(hue + 180 + between(random, -25, 25), Math.min(0.36, 0.16 + saturation * 0.25), 0.5);
  const reach = Math.hypot(width, height) * 0.72;
  const light = ctx.createRadialGradient(width * 0.34, height * 0.3, 0, width * 0.45, height * 0.45, reach);
  light.addColorStop(0, css(mix(wall, [255, 255, 255], 0.45)));
  light.addColorStop(0.5, css(wall));
  light.addColorStop(1, css(mix(wall, [18, 14, 36], 0.6)));
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, width, height);
}

interface Torso {
  x: number;
  /** Where the head ends. */
  y: number;
  unit: number;
  height: number;
}

/** Shoulders and chest, with tufts of fur along their light. */
function drawShoulders(ctx: Context, { x, y, unit, height }: Torso, fur: Rgb, random: Random): void {
  const [half, top] = [unit * 0.4, y - unit * 0.14];
  const outline = () => {
    ctx.beginPath();
    ctx.moveTo(x - half * 1.06, height + 4);
    ctx.bezierCurveTo(x - half, y + unit * 0.04, x - half * 0.6, top, x, top);
    ctx.bezierCurveTo(x + half * 0.6, top, x + half, y + unit * 0.04, x + half * 1.06, height + 4);
    ctx.closePath();
  };
  const shade = ctx.createLinearGradient(x - half, top, x + half, height);
  shade.addColorStop(0, css(mix(fur, [255, 250, 240], 0.16)));
  shade.addColorStop(0.45, css(mix(fur, [40, 24, 40], 0.12)));
  shade.addColorStop(1, css(mix(fur, [24, 12, 36], 0.5)));
  ctx.fillStyle = shade;
  outline();
  ctx.fill();
  ctx.save();
  outline();
  ctx.clip();
  ctx.lineCap = 'round';
  for (let i = 0; i < 420; i++) {
    const [u, v] = [between(random, -1, 1), random()];
    const [px, py] = [x + u * half, top + v * (height - top)];
    const long = unit * between(random, 0.02, 0.05);
    ctx.strokeStyle = css(random() < 0.5 ? mix(fur, [255, 250, 240], 0.3) : mix(fur, [30, 16, 36], 0.45), 0.3);
    ctx.lineWidth = unit * between(random, 0.002, 0.005);
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.quadraticCurveTo(px + u * long * 0.3, py + long * 0.6, px + u * long * 0.8, py + long);
    ctx.stroke();
  }
  const under = ctx.createRadialGradient(x, y - unit * 0.05, 0, x, y - unit * 0.05, unit * 0.34);
  under.addColorStop(0, css(mix(fur, [20, 8, 30], 0.8), 0.75));
  under.addColorStop(1, css(mix(fur, [20, 8, 30], 0.8), 0));
  ctx.fillStyle = under;
  ctx.fillRect(x - unit / 2, top, unit, unit * 0.5);
  ctx.restore();
}

/** The head, its form given by light from the upper left. */
function drawHead(ctx: Context, { canvas, box }: Sprite, { x, y }: { x: number; y: number }): void {
  const lit = sheet(canvas.width, canvas.height);
  lit.ctx.drawImage(canvas, 0, 0);
  const wash = (operation: 'multiply' | 'screen', stops: readonly (readonly [number, string])[]) => {
    const [cx, cy] = [box.x + box.w * 0.34, box.y + box.h * 0.3];
    const form = lit.ctx.createRadialGradient(cx, cy, 0, cx, cy, Math.max(box.w, box.h) * 0.86);
    for (const [at, style] of stops) form.addColorStop(at, style);
    lit.ctx.globalCompositeOperation = operation;
    lit.ctx.fillStyle = form;
    lit.ctx.fillRect(0, 0, canvas.width, canvas.height);
  };
  wash('multiply', [
    [0, 'rgb(255,253,248)'],
    [0.55, 'rgb(240,232,236)'],
    [1, 'rgb(138,122,156)'],
  ]);
  wash('screen', [
    [0, 'rgba(255,246,226,.3)'],
    [0.5, 'rgba(255,246,226,0)'],
  ]);
  lit.ctx.globalCompositeOperation = 'destination-in';
  lit.ctx.drawImage(canvas, 0, 0);
  ctx.drawImage(lit.canvas, x, y);
}
