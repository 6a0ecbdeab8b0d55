/** The deep sea: light falling from above, a far school, weed and coral, a ripple-lit floor; subjects float in it. */
import { type Canvas, emptyCanvas, shaded } from '../canvas.ts';
import { css, mix, rgb } from '../colour.ts';
import { fbm, noise } from '../noise.ts';
import { smoothstep } from '../numbers.ts';
import { between, pick, seeded } from '../random.ts';
import type { Layer } from './layer.ts';

/** The deep: light falling from above, rays, a ripple-lit floor, weed and bubbles. */
export function underwaterLayers(width: number, height: number, seed: number): Layer[] {
  const random = seeded(seed, 'deep');
  const water = emptyCanvas(width, height);
  const depth = water.ctx.createLinearGradient(0, 0, 0, height);
  depth.addColorStop(0, '#8fe3e6');
  depth.addColorStop(0.25, '#2fa6c4');
  depth.addColorStop(0.7, '#115f94');
  depth.addColorStop(1, '#0b3d6c');
  water.ctx.fillStyle = depth;
  water.ctx.fillRect(0, 0, width, height);
  const rays = emptyCanvas(width, height);
  const origin = { x: width * between(random, 0.3, 0.7), y: -height * 0.35 };
  for (let i = 0; i < 16; i++) {
    const angle = between(random, -0.75, 0.75);
    const spread = between(random, 0.012, 0.05);
    const ray = rays.ctx.createLinearGradient(0, 0, 0, height * 0.95);
    ray.addColorStop(0, `rgba(235,255,250,${between(random, 0.1, 0.26)})`);
    ray.addColorStop(1, 'rgba(200,255,250,0)');
    rays.ctx.fillStyle = ray;
    rays.ctx.beginPath();
    rays.ctx.moveTo(origin.x, origin.y);
    rays.ctx.lineTo(origin.x + Math.tan(angle - spread) * height * 1.5, height * 1.15);
    rays.ctx.lineTo(origin.x + Math.tan(angle + spread) * height * 1.5, height * 1.15);
    rays.ctx.fill();
  }
  return [
    { canvas: water.canvas, depth: 0, kind: 'sky' },
    { canvas: reef(width, height, seed, 0.3), depth: 0.25, kind: 'far' },
    { canvas: school(width, height, seed), depth: 0.28, kind: 'school' },
    { canvas: rays.canvas, depth: 0.3, kind: 'rays' },
    { canvas: seaFloor(width, height, seed), depth: 0.5, kind: 'ground' },
    { canvas: reef(width, height, seed + 5, 1), depth: 0.9, kind: 'near' },
    { canvas: bubbles(width, height, seed), depth: 0.95, kind: 'bubbles' },
  ];
}

/** A far school of small fish, dim in the water. */
function school(width: number, height: number, seed: number): Canvas {
  const random = seeded(seed, 'school');
  const { canvas, ctx } = emptyCanvas(width, height);
  const middle = { x: width * between(random, 0.3, 0.7), y: height * between(random, 0.3, 0.5) };
  const unit = Math.min(width, height);
  for (let i = 0; i < 34; i++) {
    const [dx, dy] = [between(random, -1, 1), between(random, -1, 1)];
    const [x, y, r] = [
      middle.x + dx * unit * 0.3,
      middle.y + dy * unit * 0.1 - dx * unit * 0.04,
      unit * between(random, 0.006, 0.012),
    ];
    ctx.fillStyle = `rgba(12,74,116,${between(random, 0.3, 0.6)})`;
    ctx.beginPath();
    ctx.ellipse(x, y, r * 1.5, r * 0.6, -0.12, 0, 7);
    ctx.moveTo(x + r * 1.2, y);
    ctx.lineTo(x + r * 2.3, y - r * 0.75);
    ctx.lineTo(x + r * 2.3, y + r * 0.6);
    ctx.fill();
  }
  return canvas;
}

function seaFloor(width: number, height: number, seed: number): Canvas {
  const source = noise(seed, 'floor');
  return shaded(width, height, 2, (px, py, out) => {
    const crest = height * (0.84 + 0.03 * source((px / width) * 2, 1));
    out[3] = smoothstep(crest - 3, crest + 6, py);
    if (out[3] === 0) return;
    const depth = 1 / ((py - height * 0.7) / height + 0.05);
    const u = (px / width - 0.5) * depth * 5;
    const ripple = Math.abs(fbm(source, u, depth * 3.4, 2)) ** 0.7;
    const shine = Math.max(0, 1 - ripple * 3.4) * 0.5;
    const t = (py - crest) / (height - crest);
    out[0] = 62 + 70 * t + shine * 110;
    out[1] = 130 + 40 * t + shine * 95;
    out[2] = 150 + 6 * t + shine * 70;
  });
}

/** Weed and coral; `near` 0..1 decides size and how much blue water lies before it. */
function reef(width: number, height: number, seed: number, near: number): Canvas {
  const random = seeded(seed, 'reef');
  const { canvas, ctx } = emptyCanvas(width, height);
  const water = rgb('#176a9a');
  ctx.lineCap = 'round';
  const floor = height * (0.86 + near * 0.13);
  for (let i = 0; i < 26; i++) {
    // The middle stays free for swimmers.
    const edge = random() ** 1.5 * 0.36;
    const x = width * (random() < 0.5 ? edge : 1 - edge);
    const paint = mix(
      rgb(pick(random, ['#2f8f5a', '#4fae62', '#d8567a', '#e8894a', '#8a5fc0', '#2f9a8a'])),
      water,
      0.72 - near * 0.55,
    );
    const tall = height * between(random, 0.08, 0.26) * (0.55 + near * 0.55);
    ctx.strokeStyle = css(paint);
    ctx.fillStyle = css(paint);
    if (random() < 0.55) {
      ctx.lineWidth = height * between(random, 0.006, 0.014) * (0.5 + near * 0.6);
      for (let k = 0; k < 4; k++) {
        const sway = between(random, -0.3, 0.3) * tall;
        const foot = x + (k - 1.5) * tall * 0.07;
        ctx.beginPath();
        ctx.moveTo(foot, floor + 10);
        ctx.bezierCurveTo(
          foot + sway,
          floor - tall * 0.3,
          foot - sway,
          floor - tall * 0.65,
          foot + sway * 0.6,
          floor - tall * between(random, 0.7, 1),
        );
        ctx.stroke();
      }
    } else {
      for (let k = 0; k < 9; k++) {
        ctx.lineWidth = tall * 0.075;
        const angle = -Math.PI / 2 + (k - 4) * 0.24;
        ctx.beginPath();
        ctx.moveTo(x, floor + 8);
        ctx.quadraticCurveTo(
          x,
          floor - tall * 0.25,
          x + Math.cos(angle) * tall * 0.55,
          floor - tall * 0.1 + Math.sin(angle) * tall * 0.5,
        );
        ctx.stroke();
      }
    }
  }
  return canvas;
}

function bubbles(width: number, height: number, seed: number): Canvas {
  const random = seeded(seed, 'bubbles');
  const { canvas, ctx } = emptyCanvas(width, height);
  for (let i = 0; i < 46; i++) {
    const r = height * between(random, 0.002, 0.011);
    const [x, y] = [random() * width, random() * height];
    ctx.strokeStyle = 'rgba(235,255,255,.55)';
    ctx.lineWidth = Math.max(0.8, r * 0.16);
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 7);
    ctx.stroke();
    ctx.fillStyle = 'rgba(255,255,255,.5)';
    ctx.beginPath();
    ctx.arc(x - r * 0.35, y - r * 0.35, r * 0.24, 0, 7);
    ctx.fill();
  }
  return canvas;
}
