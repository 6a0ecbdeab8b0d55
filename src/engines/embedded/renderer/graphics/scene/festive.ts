/** What is seen in the air now and then: a rainbow, fireworks, soap bubbles. */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import { css, mix, type Rgb, rgb } from '../colour.ts';
import { between, pick, seeded } from '../random.ts';
import { glow } from './sky.ts';

const BURSTS: readonly Rgb[] = ['#ff6b5e', '#ffd25f', '#7bd0ff', '#ff8fd0', '#9dff8f', '#c79bff', '#fff0c8'].map(rgb);

/** Bursts of sparks in the upper part of the sky. */
export function drawFireworks(width: number, height: number, horizonY: number, seed: number): Canvas {
  const random = seeded(seed, 'fireworks');
  const { canvas, ctx } = emptyCanvas(width, height);
  const unit = Math.min(width, height);
  ctx.lineCap = 'round';
  for (let i = 0; i < 6; i++) {
    const x = width * (0.12 + 0.152 * i + between(random, -0.04, 0.04));
    const y = height * horizonY * between(random, 0.16, 0.6);
    const radius = unit * between(random, 0.09, 0.2);
    const colour = pick(random, BURSTS);
    glow(ctx, x, y, radius * 1.5, colour, 0.5);
    const rays = 34;
    for (let k = 0; k < rays; k++) {
      const turn = (k / rays) * Math.PI * 2 + between(random, -0.06, 0.06);
      const long = radius * between(random, 0.7, 1.08);
      const [dx, dy] = [Math.cos(turn) * long, Math.sin(turn) * long];
      const ray = ctx.createLinearGradient(x, y, x + dx, y + dy);
      ray.addColorStop(0, css(colour, 0));
      ray.addColorStop(0.35, css(colour, 0.35));
      ray.addColorStop(1, css(mix(colour, [255, 255, 255], 0.5), 0.95));
      ctx.strokeStyle = ray;
      ctx.lineWidth = unit * 0.0032;
      ctx.beginPath();
      ctx.moveTo(x + dx * 0.12, y + dy * 0.12);
      ctx.quadraticCurveTo(x + dx * 0.7, y + dy * 0.66, x + dx, y + dy + long * 0.1);
      ctx.stroke();
      ctx.fillStyle = css(mix(colour, [255, 255, 255], 0.6));
      ctx.beginPath();
      ctx.arc(x + dx, y + dy + long * 0.1, unit * 0.0042, 0, 7);
      ctx.fill();
    }
  }
  return canvas;
}

/** Clear balls with a rainbow in their skin and the window's light on it. */
export function drawBubbles(width: number, height: number, seed: number): Canvas {
  const random = seeded(seed, 'bubbles');
  const { canvas, ctx } = emptyCanvas(width, height);
  const unit = Math.min(width, height);
  for (let i = 0; i < 26; i++) {
    const r = unit * between(random, 0.012, 0.05) * (i % 7 === 0 ? 1.3 : 1);
    const [x, y] = [width * between(random, 0.06, 0.94), height * between(random, 0.12, 0.74)];
    const skin = ctx.createRadialGradient(x, y, r * 0.62, x, y, r);
    skin.addColorStop(0, 'rgba(255,255,255,.04)');
    skin.addColorStop(0.7, 'rgba(150,210,255,.26)');
    skin.addColorStop(0.9, 'rgba(255,170,230,.42)');
    skin.addColorStop(1, 'rgba(255,255,255,.75)');
    ctx.fillStyle = skin;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 7);
    ctx.fill();
    ctx.fillStyle = 'rgba(255,255,255,.85)';
    ctx.beginPath();
    ctx.ellipse(x - r * 0.36, y - r * 0.42, r * 0.2, r * 0.12, -0.7, 0, 7);
    ctx.fill();
  }
  return canvas;
}

/** Its bow, highest over the middle. */
export function drawRainbow(width: number, height: number, horizonY: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const radius = width * 0.62;
  for (let i = 0; i < 42; i++) {
    ctx.strokeStyle = `hsla(${(i / 41) * 275},85%,62%,${0.3 * Math.sin((Math.PI * (i + 0.5)) / 42)})`;
    ctx.lineWidth = width * 0.0024;
    ctx.beginPath();
    ctx.arc(width * 0.52, height * (horizonY + 0.22), radius - i * width * 0.0016, Math.PI, 0);
    ctx.stroke();
  }
  return canvas;
}
