/** Skies: graded air, sun and moon with their glow, stars, aurora, and clouds lit from where the sun stands. */
import { type Canvas, emptyCanvas, shaded } from '../canvas.ts';
import { css, mix, type Rgb, rgb } from '../colour.ts';
import { fbm, noise } from '../noise.ts';
import { smoothstep } from '../numbers.ts';
import { between, seeded } from '../random.ts';
import type { Light } from './light.ts';

/** The air itself, opaque, with the glow of the sun and the stars. */
export function drawAir(width: number, height: number, horizonY: number, light: Light, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const air = ctx.createLinearGradient(0, 0, 0, height * horizonY);
  air.addColorStop(0, css(light.top));
  air.addColorStop(0.55, css(mix(light.top, light.mid, 0.8)));
  air.addColorStop(0.8, css(mix(light.mid, light.horizon, 0.55)));
  air.addColorStop(1, css(light.horizon));
  ctx.fillStyle = air;
  ctx.fillRect(0, 0, width, height);
  if (light.stars > 0) drawStars(ctx, width, height * horizonY, light.stars, seed);
  drawSun(ctx, width, height, light, seed);
  return canvas;
}

type Ctx = ReturnType<typeof emptyCanvas>['ctx'];

/** Stars by magnitude: many faint, few bright, slightly warm or blue, fading into the horizon's haze. */
export function drawStars(ctx: Ctx, width: number, height: number, amount: number, seed: number): void {
  const random = seeded(seed, 'stars');
  const count = Math.round(((width * height) / 1500) * amount);
  const unit = Math.sqrt(width * height) / 900;
  for (let i = 0; i < count; i++) {
    const y = random() ** 1.25;
    const size = unit * (0.45 + 1.5 * random() ** 9);
    const warm = random();
    const colour: Rgb = warm > 0.8 ? [255, 226, 190] : warm < 0.3 ? [190, 212, 255] : [255, 255, 255];
    const alpha = (1 - y * 0.85) * between(random, 0.25, 0.95) * amount;
    const x = random() * width;
    ctx.fillStyle = css(colour, alpha);
    ctx.beginPath();
    ctx.arc(x, y * height, size, 0, 7);
    ctx.fill();
    if (size > unit * 1.5) glow(ctx, x, y * height, size * 6, colour, 0.25 * alpha);
  }
}

/** A soft round light. */
export function glow(ctx: Ctx, x: number, y: number, radius: number, colour: Rgb, alpha: number): void {
  const light = ctx.createRadialGradient(x, y, 0, x, y, radius);
  light.addColorStop(0, css(colour, alpha));
  light.addColorStop(0.25, css(colour, alpha * 0.45));
  light.addColorStop(0.55, css(colour, alpha * 0.12));
  light.addColorStop(1, css(colour, 0));
  ctx.fillStyle = light;
  ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}

function drawSun(ctx: Ctx, width: number, height: number, light: Light, seed: number): void {
  const { sun } = light;
  if (sun.visible <= 0) return;
  const [x, y] = [sun.x * width, sun.y * height];
  const unit = Math.min(width, height);
  const radius = sun.radius * unit;
  ctx.globalCompositeOperation = 'screen';
  glow(ctx, x, y, unit * (sun.isMoon ? 0.42 : 0.95), mix(sun.colour, light.horizon, 0.5), 0.62 * sun.visible);
  glow(ctx, x, y, radius * 5, sun.colour, (sun.isMoon ? 0.35 : 0.9) * sun.visible);
  ctx.globalCompositeOperation = 'source-over';
  ctx.save();
  ctx.globalAlpha = sun.visible;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 7);
  ctx.fillStyle = css(sun.colour);
  ctx.fill();
  if (sun.isMoon) {
    ctx.clip();
    const random = seeded(seed, 'moon');
    for (let i = 0; i < 14; i++) {
      const at = [x + between(random, -1, 1) * radius, y + between(random, -1, 1) * radius] as const;
      ctx.fillStyle = css([150, 152, 160], between(random, 0.08, 0.22));
      ctx.beginPath();
      ctx.arc(at[0], at[1], radius * between(random, 0.08, 0.38), 0, 7);
      ctx.fill();
    }
  }
  ctx.restore();
}

/** Clouds in perspective: flattened towards the horizon, their sunward edges bright, their bodies shaded. */
export function drawClouds(
  width: number,
  height: number,
  horizonY: number,
  light: Light,
  seed: number,
  cover = light.cover,
): Canvas {
  const source = noise(seed, 'clouds');
  const isNight = light.time === 'night';
  const bright = mix(mix([255, 253, 250], light.sun.colour, 0.5), light.horizon, light.time === 'day' ? 0.02 : 0.4);
  const white: Rgb = isNight
    ? mix(light.mid, [190, 200, 225], 0.28)
    : light.weather === 'storm' || light.weather === 'rain'
      ? mix(light.mid, [235, 238, 242], 0.3)
      : bright;
  const dark = mix(
    mix(light.mid, light.top, 0.35),
    [120, 125, 140],
    isNight ? 0.05 : light.time === 'day' ? 0.25 : 0.12,
  );
  const threshold = 0.36 - cover * 0.62;
  const aspect = width / height;
  const floor = height * horizonY;
  const offset = seeded(seed, 'cloud offset')() * 50;
  return shaded(width, height, Math.max(3, Math.round(width / 300)), (px, py, out) => {
    const up = 1 - py / floor;
    out[3] = 0;
    if (up <= 0.005) return;
    const depth = 1 / (up + 0.45);
    const u = (px / width - 0.5) * aspect * depth * 2.1 + offset;
    const v = depth * 2.9;
    const warp = source(u * 0.7 + 9, v * 0.7) * 0.18;
    const density = fbm(source, u + warp, v + warp * 0.6, 5) + 0.12 * source(u * 0.25, v * 0.25);
    const alpha = smoothstep(threshold, threshold + 0.34, density);
    if (alpha <= 0.004) return;
    const toSun = (light.sun.x - px / width) * 0.3;
    const shadow = fbm(source, u + warp + toSun, v + warp * 0.6 - 0.2, 4);
    const facing = Math.min(1, Math.max(0, 0.62 + (density - shadow) * 1.7 - (density - threshold) * 0.75));
    out[0] = (dark[0] as number) + (white[0] - dark[0]) * facing;
    out[1] = dark[1] + (white[1] - dark[1]) * facing;
    out[2] = dark[2] + (white[2] - dark[2]) * facing;
    out[3] = alpha * smoothstep(0, 0.16, up) * (isNight ? 0.6 : 0.94);
  });
}

/** Curtains of northern lights. */
export function drawAurora(width: number, height: number, horizonY: number, seed: number): Canvas {
  const source = noise(seed, 'aurora');
  const green = rgb('#4df2a4');
  const violet = rgb('#8a5cf0');
  return shaded(width, height, 3, (px, py, out) => {
    const x = px / width;
    const up = 1 - py / (height * horizonY);
    let strength = 0;
    for (let band = 0; band < 2; band++) {
      const base = 0.24 + band * 0.2 + 0.14 * source(x * 1.6, band * 7) + 0.04 * source(x * 5, band * 3);
      const rise = up - base;
      if (rise > 0)
        strength +=
          Math.exp(-rise * 5) *
          (1 - Math.exp(-rise * 60)) *
          (0.55 + 0.45 * source(x * 26 + band * 5, 1)) *
          (0.6 + 0.4 * source(x * 3, band));
    }
    const colour = mix(green, violet, smoothstep(0.3, 0.95, up));
    out[0] = colour[0];
    out[1] = colour[1];
    out[2] = colour[2];
    out[3] = Math.min(0.75, Math.max(0, strength * 0.8));
  });
}
