/** What is in the air before the scene: rain, snow, fog, lightning, shafts of sun, fireflies. Also used by image edits. */
import { type Canvas, type Context, emptyCanvas, shaded } from '../canvas.ts';
import { css, mix, type Rgb, rgb } from '../colour.ts';
import { fbm, noise } from '../noise.ts';
import { smoothstep } from '../numbers.ts';
import { between, type Random, seeded } from '../random.ts';
import type { Light } from './light.ts';
import { glow } from './sky.ts';

/** Slanting streaks, fine and many behind, long and few in front. `amount` 1 is a steady rain. */
export function drawRain(width: number, height: number, seed: number, amount = 1): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'rain');
  const unit = Math.sqrt(width * height) / 1000;
  const slant = between(random, 0.1, 0.24) * (random() < 0.5 ? -1 : 1);
  ctx.lineCap = 'round';
  for (let i = 0; i < 900 * amount; i++) {
    const near = random() ** 2.2;
    const length = unit * (16 + 66 * near);
    const [x, y] = [between(random, -0.1, 1.1) * width, between(random, -0.1, 1) * height];
    ctx.strokeStyle = css([214, 226, 238], 0.1 + 0.24 * near * random());
    ctx.lineWidth = unit * (0.7 + 1.3 * near);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + length * slant, y + length);
    ctx.stroke();
  }
  return canvas;
}

/** Flakes at three distances; the nearest are soft, out of the lens's focus. */
export function drawSnowfall(width: number, height: number, seed: number, colour: Rgb = [255, 255, 255]): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'snowfall');
  const unit = Math.sqrt(width * height) / 1000;
  for (let i = 0; i < 900; i++) {
    const near = random() ** 5;
    const r = unit * (1.1 + 10 * near);
    const [x, y] = [random() * width, random() * height];
    if (near < 0.25) {
      ctx.fillStyle = css(colour, between(random, 0.4, 0.9));
      ctx.beginPath();
      ctx.arc(x, y, r, 0, 7);
      ctx.fill();
    } else {
      const soft = ctx.createRadialGradient(x, y, r * 0.3, x, y, r * 1.3);
      soft.addColorStop(0, css(colour, 0.5));
      soft.addColorStop(1, css(colour, 0));
      ctx.fillStyle = soft;
      ctx.fillRect(x - r * 1.3, y - r * 1.3, r * 2.6, r * 2.6);
    }
  }
  return canvas;
}

/** Banks of fog, densest about `middleY` (fraction of the height). */
export function drawFog(
  width: number,
  height: number,
  seed: number,
  colour: Rgb,
  middleY: number,
  strength = 0.85,
): Canvas {
  const source = noise(seed, 'fog');
  return shaded(width, height, 6, (px, py, out) => {
    const drift = fbm(source, (px / width) * 2.4, (py / height) * 6, 4);
    const bank = Math.exp(-(((py / height - middleY + drift * 0.1) / 0.27) ** 2));
    out[0] = colour[0];
    out[1] = colour[1];
    out[2] = colour[2];
    out[3] = Math.min(0.95, Math.max(0, bank * (0.75 + drift * 0.7) * strength));
  });
}

/** A bolt and its branches, sharp, over the same blurred: a shadow for each of their pieces took a quarter second. */
export function drawLightning(width: number, height: number, horizonY: number, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'bolt');
  const x = width * between(random, 0.2, 0.8);
  ctx.globalCompositeOperation = 'screen';
  glow(ctx, x, height * horizonY * 0.3, width * 0.5, [190, 200, 255], 0.6);
  const bolts: { thick: number; points: [number, number][] }[] = [];
  const bolt = (px: number, py: number, length: number, thick: number, angle: number, depth: number) => {
    const points: [number, number][] = [[px, py]];
    bolts.push({ thick, points });
    let [cx, cy] = [px, py];
    const steps = 13;
    for (let i = 0; i < steps; i++) {
      const turn = angle + between(random, -0.75, 0.75);
      [cx, cy] = [cx + Math.sin(turn) * (length / steps), cy + Math.cos(turn) * (length / steps)];
      points.push([cx, cy]);
      if (depth > 0 && random() < 0.22)
        bolt(cx, cy, length * 0.36, thick * 0.5, angle + between(random, -0.9, 0.9), depth - 1);
    }
  };
  const thick = Math.sqrt(width * height) * 0.0045;
  bolt(x, 0, height * horizonY * 1.15, thick, 0, 2);
  const shine = emptyCanvas(width / 4, height / 4);
  shine.ctx.scale(0.25, 0.25);
  for (const [to, colour, wider] of [
    [shine.ctx, css([160, 180, 255], 1), 1.5],
    [ctx, css([244, 244, 255], 0.95), 1],
  ] as const) {
    if (to === ctx) layBlurred(ctx, shine.canvas, (thick * 2.5) / 4);
    to.strokeStyle = colour;
    to.lineCap = 'round';
    for (const one of bolts) strokeTapered(to, one.points, one.thick * wider);
  }
  return canvas;
}

function strokeTapered(ctx: Context, points: readonly [number, number][], thick: number): void {
  for (let i = 1; i < points.length; i++) {
    ctx.lineWidth = thick * (1 - ((i - 1) / (points.length - 1)) * 0.7);
    ctx.beginPath();
    ctx.moveTo(...(points[i - 1] as [number, number]));
    ctx.lineTo(...(points[i] as [number, number]));
    ctx.stroke();
  }
}

/** A glow from a canvas of a quarter of the size, once wide and once close to the line. */
function layBlurred(ctx: Context, small: Canvas, radius: number): void {
  for (const share of [1, 0.45]) {
    const soft = emptyCanvas(small.width, small.height);
    soft.ctx.filter = `blur(${(radius * share).toFixed(2)}px)`;
    soft.ctx.drawImage(small, 0, 0);
    ctx.drawImage(soft.canvas, 0, 0, ctx.canvas.width, ctx.canvas.height);
  }
}

/** Shafts of sun falling through leaves or mist. */
export function drawShafts(width: number, height: number, light: Light, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'shafts');
  const [x, y] = [light.sun.x * width, light.sun.y * height - height * 0.15];
  const colour = mix(light.sun.colour, rgb('#ffdf9a'), 0.4);
  const away = light.sun.x < 0.5 ? 0.5 : -0.5;
  for (let i = 0; i < 12; i++) {
    const angle = away + between(random, -0.62, 0.62);
    const spread = between(random, 0.012, 0.05);
    const far = Math.hypot(width, height);
    const shaft = ctx.createRadialGradient(x, y, 0, x, y, far * 0.8);
    shaft.addColorStop(0, css(colour, between(random, 0.08, 0.2)));
    shaft.addColorStop(1, css(colour, 0));
    ctx.fillStyle = shaft;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x + Math.sin(angle - spread) * far, y + Math.cos(angle - spread) * far);
    ctx.lineTo(x + Math.sin(angle + spread) * far, y + Math.cos(angle + spread) * far);
    ctx.fill();
  }
  return canvas;
}

/** Lights over the lower part of an otherwise transparent layer. @param fromY the highest row, a fraction */
export function drawFireflies(width: number, height: number, fromY: number, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const random = seeded(seed, 'fireflies');
  const unit = Math.sqrt(width * height) / 1000;
  ctx.globalCompositeOperation = 'screen';
  for (let i = 0; i < 46; i++) {
    const r = unit * between(random, 5, 17);
    glow(ctx, random() * width, height * between(random, fromY, 0.98), r, [240, 255, 140], between(random, 0.5, 1));
  }
  return canvas;
}

/** Vignette and video grain in place: the last touch over every painting. */
export function finish(ctx: Context, width: number, height: number, random: Random, grain = 7): void {
  const shade = ctx.createRadialGradient(
    width / 2,
    height * 0.48,
    Math.min(width, height) * 0.45,
    width / 2,
    height / 2,
    Math.hypot(width, height) * 0.56,
  );
  shade.addColorStop(0, 'rgba(8,6,20,0)');
  shade.addColorStop(1, 'rgba(8,6,20,.3)');
  ctx.fillStyle = shade;
  ctx.fillRect(0, 0, width, height);
  const image = ctx.getImageData(0, 0, width, height);
  const { data } = image;
  // One table of noise walked at an odd stride: a random number for each pixel would cost 15 ms.
  const table = Float32Array.from({ length: 4099 }, () => (random() + random() - 1) * grain);
  for (let i = 0, k = 0; i < data.length; i += 4, k = (k + 1 + (i & 7)) % 4099) {
    const n = table[k] as number;
    data[i] = (data[i] as number) + n;
    data[i + 1] = (data[i + 1] as number) + n;
    data[i + 2] = (data[i + 2] as number) + n;
  }
  ctx.putImageData(image, 0, 0);
}

/** Whether the sun stands low enough for its shafts to be seen. */
export const isSunLow = (light: Light): boolean => light.time === 'dawn' || light.time === 'golden';
/** The colour of fog: the haze, whitened by what light the sky gives. */
export const veilOf = (light: Light): Rgb =>
  mix(light.haze, [255, 255, 255], smoothstep(0, 1, light.ambient[0]) * 0.25);
