/** Space: nebulae, stars of every magnitude, planets as lit balls; subjects float in it. */
import { type Canvas, emptyCanvas, shaded } from '../canvas.ts';
import { css, fromHsl, mix, type Rgb, rgb, toHsl } from '../colour.ts';
import { fbm, noise } from '../noise.ts';
import { smoothstep } from '../numbers.ts';
import { between, pick, seeded } from '../random.ts';
import type { Layer } from './layer.ts';
import { drawStars, glow } from './sky.ts';

/** Nebulae by domain warping: filaments rather than smoke; coloured by the prompt when it names colours. */
export function spaceLayers(width: number, height: number, palette: string[], seed: number, ringed = false): Layer[] {
  const random = seeded(seed, 'space');
  const [first, second] = nebulaColours(palette, random);
  const source = noise(seed, 'nebula');
  const unit = Math.max(width, height);
  const angle = between(random, -0.6, 0.6);
  const nebula = shaded(width, height, 3, (px, py, out) => {
    const x = (px / unit) * 2.2;
    const y = (py / unit) * 2.2;
    const wx = fbm(source, x + 3, y, 3);
    const wy = fbm(source, x, y + 7, 3);
    const dust = fbm(source, x * 1.1 + wx * 0.75, y * 1.1 + wy * 0.75, 5);
    const across = (px / width - 0.5) * Math.sin(angle) + (py / height - 0.5) * Math.cos(angle);
    const lane = Math.exp(-((across * 3.1 + wx * 0.5) ** 2));
    const cloud = smoothstep(-0.25, 0.75, dust + lane * 0.42) * (0.25 + 0.75 * lane);
    const dark = smoothstep(0, 0.75, fbm(source, x * 1.6 + 20 + wy * 0.6, y * 1.6 + wx * 0.6, 4)) * 0.7;
    const blend = smoothstep(-0.5, 0.5, wx + dust * 0.4);
    const core = cloud ** 3 * 1.1;
    for (let c = 0; c < 3; c++) {
      const base = [7, 8, 20][c] as number;
      const colour = (first[c] as number) * (1 - blend) + (second[c] as number) * blend;
      out[c] = Math.min(255, base + (colour * cloud * 1.05 + 235 * core * 0.55) * (1 - dark));
    }
    out[3] = 1;
  });
  const far = emptyCanvas(width, height);
  far.ctx.drawImage(nebula, 0, 0);
  far.ctx.globalCompositeOperation = 'screen';
  drawStars(far.ctx, width, height * 1.02, 1.5, seed);
  const stars = emptyCanvas(width, height);
  stars.ctx.globalCompositeOperation = 'screen';
  for (let i = 0; i < 9; i++)
    drawBright(stars.ctx, random() * width, random() * height, unit * between(random, 0.004, 0.011));
  const planets = emptyCanvas(width, height);
  const big = unit * between(random, 0.17, 0.27);
  const left = random() < 0.5;
  const at = ringed
    ? { x: width * (left ? 0.24 : 0.76), y: height * between(random, 0.62, 0.74) }
    : { x: width * (left ? 0.1 : 0.9), y: height * between(random, 0.84, 0.98) };
  planets.ctx.drawImage(
    paintPlanet(big, palette[0] ?? pick(random, ['#c98a5a', '#4f86b0', '#8a6fb0', '#b05a4a', '#5a9a86']), seed),
    at.x - big * 1.6,
    at.y - big * 1.6,
  );
  if (ringed) drawRings(planets.ctx, at.x, at.y, big);
  const small = unit * between(random, 0.03, 0.05);
  planets.ctx.drawImage(
    paintPlanet(small, pick(random, ['#cfc6b4', '#b7826a', '#8fa2b8']), seed + 1),
    width * (left ? 0.84 : 0.14) - small * 1.6,
    height * between(random, 0.12, 0.24) - small * 1.6,
  );
  return [
    { canvas: far.canvas, depth: 0, kind: 'sky' },
    { canvas: stars.canvas, depth: 0.15, kind: 'stars' },
    { canvas: planets.canvas, depth: 0.35, kind: 'planets' },
  ];
}

/** Row of the horizon of a world that is stood on. */
export const GROUND_Y = 0.66;

/** Dust and craters underfoot, up to a near and curved horizon. @param paint '#rrggbb' of the dust */
export function drawDust(width: number, height: number, paint: string, seed: number): Canvas {
  const random = seeded(seed, 'craters');
  const { canvas, ctx } = emptyCanvas(width, height);
  const dust = rgb(paint);
  const top = height * GROUND_Y;
  const ground = ctx.createLinearGradient(0, top, 0, height);
  ground.addColorStop(0, css(mix(dust, [255, 255, 255], 0.22)));
  ground.addColorStop(1, css(mix(dust, [20, 18, 30], 0.42)));
  ctx.beginPath();
  ctx.ellipse(width / 2, top + width * 1.6, width * 1.8, width * 1.62, 0, Math.PI, 0);
  ctx.lineTo(width, height);
  ctx.lineTo(0, height);
  ctx.fillStyle = ground;
  ctx.fill();
  ctx.clip();
  for (let i = 0; i < 34; i++) {
    const near = random() ** 1.6;
    const [x, y] = [random() * width, top + near * (height - top)];
    const wide = width * (0.008 + 0.07 * near) * between(random, 0.5, 1.3);
    for (const [shift, tone, alpha] of [
      [0, [18, 16, 28], 0.34],
      [0.3, [255, 250, 240], 0.26],
      [0.16, dust, 0.75],
    ] as const) {
      ctx.fillStyle = css(tone as Rgb, alpha);
      ctx.beginPath();
      ctx.ellipse(x, y + wide * shift * 0.3, wide * (1 - shift * 0.3), wide * 0.3 * (1 - shift * 0.3), 0, 0, 7);
      ctx.fill();
    }
  }
  return canvas;
}

function nebulaColours(palette: string[], random: () => number): [Rgb, Rgb] {
  if (palette.length > 1) return [rgb(palette[0] as string), rgb(palette[1] as string)];
  if (palette.length === 1) {
    const [h, s, l] = toHsl(rgb(palette[0] as string));
    return [rgb(palette[0] as string), fromHsl(h + 55, s, l)];
  }
  return pick(random, [
    [rgb('#d0447e'), rgb('#3a6fd8')],
    [rgb('#e07a3a'), rgb('#2f8fb8')],
    [rgb('#7a4fd8'), rgb('#2fb3b0')],
    [rgb('#c8503f'), rgb('#6a4fc0')],
  ] as [Rgb, Rgb][]);
}

function drawBright(ctx: ReturnType<typeof emptyCanvas>['ctx'], x: number, y: number, r: number): void {
  glow(ctx, x, y, r * 5, [200, 220, 255], 0.55);
  glow(ctx, x, y, r, [255, 255, 255], 1);
  for (const [dx, dy] of [
    [1, 0.05],
    [0.05, 1],
  ] as const) {
    const ray = ctx.createRadialGradient(x, y, 0, x, y, r * 6);
    ray.addColorStop(0, 'rgba(255,255,255,.85)');
    ray.addColorStop(1, 'rgba(255,255,255,0)');
    ctx.fillStyle = ray;
    ctx.beginPath();
    ctx.ellipse(x, y, r * 6 * dx, r * 6 * dy, 0, 0, 7);
    ctx.fill();
  }
}

/** Rings before the lower half of a planet; the upper half passes behind it. */
function drawRings(ctx: ReturnType<typeof emptyCanvas>['ctx'], x: number, y: number, radius: number): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(-0.32);
  for (let i = 0; i < 26; i++) {
    const r = radius * (1.32 + i * 0.024);
    ctx.strokeStyle = css([226, 208, 178], (0.25 + 0.4 * Math.abs(Math.sin(i * 1.7))) * (i % 9 === 6 ? 0.15 : 0.8));
    ctx.lineWidth = radius * 0.022;
    for (const [from, to] of [
      [-0.12, Math.PI + 0.12],
      [Math.PI + 0.12, Math.PI + 0.74],
      [Math.PI * 2 - 0.74, Math.PI * 2 - 0.12],
    ] as const) {
      ctx.beginPath();
      ctx.ellipse(0, 0, r, r * 0.25, 0, from, to);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** A lit ball with weather bands or craters and a rim of air, on a canvas 3.2 radii wide. */
function paintPlanet(radius: number, colour: string, seed: number): Canvas {
  const size = Math.ceil(radius * 3.2);
  const { canvas, ctx } = emptyCanvas(size, size);
  const source = noise(seed, 'planet');
  const paint = rgb(colour);
  const isBanded = seeded(seed, 'bands')() < 0.6;
  const image = ctx.createImageData(size, size);
  const middle = size / 2;
  const air = mix(paint, [190, 220, 255], 0.6);
  for (let y = 0, i = 0; y < size; y++) {
    for (let x = 0; x < size; x++, i += 4) {
      const [dx, dy] = [(x - middle) / radius, (y - middle) / radius];
      const r2 = dx * dx + dy * dy;
      if (r2 > 1.3) continue;
      const r = Math.sqrt(r2);
      const z = Math.sqrt(Math.max(0, 1 - r2));
      const sun = Math.max(0, -0.62 * dx - 0.5 * dy + 0.6 * z);
      const texture = isBanded
        ? 0.5 + 0.5 * Math.sin(dy * 13 + fbm(source, dx * 2.2, dy * 6, 4) * 4)
        : 0.5 + fbm(source, (dx / (z + 0.5)) * 2.2, (dy / (z + 0.5)) * 2.2, 5) * 0.9;
      const light = 0.035 + 1.1 * sun;
      const rim = Math.max(0, r - 0.72) / 0.28;
      for (let c = 0; c < 3; c++) {
        const skin = (paint[c] as number) * (0.62 + 0.55 * texture) * light;
        image.data[i + c] = Math.min(255, skin + (air[c] as number) * rim * rim * sun * 0.9);
      }
      const halo = Math.max(0, 1 - (r - 1) / 0.13) * Math.max(0, -0.62 * dx - 0.5 * dy + 0.1) * 0.5;
      if (r > 1) for (let c = 0; c < 3; c++) image.data[i + c] = air[c] as number;
      image.data[i + 3] = r <= 1 ? 255 * Math.min(1, (1 - r) * radius + 0.5) : 255 * Math.max(0, halo);
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}
