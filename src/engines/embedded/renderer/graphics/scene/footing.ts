/** What ties a subject to the ground or water it is on: shadow, grass about its feet, reflection and ripples. */
import type { Canvas, Context, Reused } from '../canvas.ts';
import { css, mix, rgb, scale } from '../colour.ts';
import { between, seeded } from '../random.ts';
import { type Sprite } from '../sprites.ts';
import { lit } from './light.ts';
import type { Spot } from './spot.ts';
import type { Stage } from './stage.ts';

/** Moments of a figure throw a shadow that is drawn this many times smaller: enlarged it is as soft, for a fifth of the time. */
const SMALLER = 3;

/**
 * A dark touch where it stands, and the shadow the sun throws: towards us from a sun ahead, behind it from one at our back.
 * @param take gives the empty canvas that the shadow is drawn on
 * @param isMoment one of many
 */
export function drawShadow(
  ctx: Context,
  spot: Spot,
  raster: Sprite,
  stage: Stage,
  take: Reused['take'],
  isMoment: boolean,
): void {
  const { light } = stage;
  const wide = (raster.box.w / raster.box.h) * spot.size;
  ctx.save();
  ctx.translate(spot.x, spot.foot - spot.size * 0.012);
  ctx.scale(1, 0.17);
  const contact = ctx.createRadialGradient(0, 0, 0, 0, 0, wide * 0.62);
  contact.addColorStop(0, 'rgba(12,14,24,.62)');
  contact.addColorStop(0.6, 'rgba(12,14,24,.26)');
  contact.addColorStop(1, 'rgba(12,14,24,0)');
  ctx.fillStyle = contact;
  ctx.fillRect(-wide, -wide, wide * 2, wide * 2);
  ctx.restore();
  const strength = Math.max(...light.key) * 0.5;
  if (strength < 0.16 || stage.surface === 'floor') return;
  const { width, height } = raster.canvas;
  const smaller = isMoment ? SMALLER : 1;
  const [w, h] = [Math.ceil(width / smaller), Math.ceil(height / smaller)];
  const shadow = take(w, h);
  if (isMoment) shadow.ctx.imageSmoothingQuality = 'medium';
  shadow.ctx.drawImage(raster.canvas, 0, 0, width / smaller, height / smaller);
  shadow.ctx.globalCompositeOperation = 'source-in';
  shadow.ctx.fillStyle = 'rgb(14,16,34)';
  shadow.ctx.fillRect(0, 0, w, h);
  const isAhead = light.direction[2] > 0;
  const stretch = isAhead ? 0.55 : -0.3;
  const skew = -light.direction[0] * (isAhead ? 1.1 : 1.5);
  ctx.save();
  ctx.globalAlpha = Math.min(0.4, strength);
  if (isMoment) ctx.imageSmoothingQuality = 'low';
  else ctx.filter = `blur(${Math.max(1, spot.size * 0.012).toFixed(1)}px)`;
  ctx.translate(spot.x, spot.foot - spot.size * 0.015);
  ctx.transform(spot.flip ? -1 : 1, 0, -skew, -stretch, 0, 0);
  const k = spot.size / raster.box.h;
  ctx.drawImage(
    shadow.canvas,
    -(raster.box.x + raster.box.w / 2) * k,
    -(raster.box.y + raster.box.h) * k,
    w * smaller * k,
    h * smaller * k,
  );
  ctx.restore();
  ctx.filter = 'none';
}

/** Grass over the lowest edge, so that it stands in the place and not before it. */
export function drawFooting(ctx: Context, spot: Spot, raster: Sprite, stage: Stage, seed: number): void {
  const wide = (raster.box.w / raster.box.h) * spot.size;
  const random = seeded(seed + Math.round(spot.x), 'footing');
  const { light } = stage;
  if (stage.surface === 'grass') {
    const blade = rgb('#688a40');
    ctx.lineCap = 'round';
    for (let i = 0; i < 40; i++) {
      const x = spot.x + between(random, -0.56, 0.56) * wide;
      const tall = spot.size * between(random, 0.04, 0.12);
      ctx.strokeStyle = css(lit(scale(blade, between(random, 0.7, 1.2)), light, between(random, 0.2, 0.8)));
      ctx.lineWidth = Math.max(1, spot.size * 0.009);
      ctx.beginPath();
      ctx.moveTo(x, spot.foot + spot.size * 0.03);
      ctx.quadraticCurveTo(x, spot.foot - tall * 0.4, x + between(random, -0.5, 0.5) * tall, spot.foot - tall);
      ctx.stroke();
    }
  }
}

/**
 * The subject upside down below its foot, fainter with the depth. @param painted the subject in the light of the
 * scene
 */
export function drawReflection(ctx: Context, spot: Spot, painted: Canvas, raster: Sprite, stage: Stage): void {
  const k = spot.size / raster.box.h;
  const line = spot.foot - spot.size * 0.05;
  ctx.save();
  ctx.translate(spot.x, line);
  ctx.scale(spot.flip ? -1 : 1, -0.62);
  // Torn into rows that shift, as small waves do.
  const rows = 22;
  for (let i = 0; i < rows; i++) {
    ctx.globalAlpha = 0.42 * (1 - i / rows);
    const sy = raster.box.y + raster.box.h * (1 - (i + 1) / rows);
    const shift = Math.sin(i * 1.9 + spot.x) * spot.size * 0.014 * (1 + i / 7);
    const sh = raster.box.h / rows;
    ctx.drawImage(
      painted,
      raster.box.x,
      sy,
      raster.box.w,
      sh,
      (-raster.box.w / 2) * k + shift,
      -(i + 1) * sh * k,
      raster.box.w * k,
      sh * k + 1,
    );
  }
  ctx.restore();
  void stage;
}

/** Rings where a subject touches the water, over its lower edge. */
export function drawRipples(ctx: Context, spot: Spot, raster: Sprite, stage: Stage): void {
  const wide = (raster.box.w / raster.box.h) * spot.size;
  const { light } = stage;
  const body = mix(light.mid, rgb('#1f5f78'), 0.55);
  const paint = lit(body, light, 0.4);
  ctx.save();
  ctx.translate(spot.x, spot.foot - spot.size * 0.02);
  ctx.scale(1, 0.1);
  const skirt = ctx.createRadialGradient(0, 0, 0, 0, 0, wide * 0.62);
  skirt.addColorStop(0, css(paint, 0.75));
  skirt.addColorStop(0.7, css(paint, 0.5));
  skirt.addColorStop(1, css(paint, 0));
  ctx.fillStyle = skirt;
  ctx.fillRect(-wide, -wide * 0.12, wide * 2, wide);
  ctx.restore();
  ctx.strokeStyle = css(lit([240, 248, 250], light, 0.7), 0.5);
  for (let i = 0; i < 3; i++) {
    ctx.lineWidth = Math.max(1, spot.size * 0.006);
    ctx.beginPath();
    ctx.ellipse(
      spot.x,
      spot.foot - spot.size * 0.035 + i * spot.size * 0.018,
      wide * (0.42 + i * 0.1),
      spot.size * (0.02 + i * 0.012),
      0,
      0.15 * Math.PI * i,
      Math.PI - 0.12 * i,
    );
    ctx.stroke();
  }
}
