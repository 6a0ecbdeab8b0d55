/** Trees and small plants, painted stroke by stroke in the light of the scene, to be planted at any distance. */
import { type Canvas, type Context, emptyCanvas } from '../canvas.ts';
import { css, mix, type Rgb, rgb, scale } from '../colour.ts';
import { between, pick, type Random } from '../random.ts';
import type { Season } from '../vocabulary.ts';
import { type Light, lit } from './light.ts';

/** What grows in a grove. */
export type TreeKind = 'conifer' | 'broadleaf' | 'palm' | 'bare' | 'birch';

const LEAVES: Record<Season | 'plain', string[]> = {
  plain: ['#4c7a35', '#5d8a3c', '#3e6b34'],
  spring: ['#8fb558', '#e9a8bd', '#f3c3d1', '#7aa84f'],
  summer: ['#4c7a35', '#5d8a3c', '#3e6b34'],
  autumn: ['#d9772b', '#c24a27', '#e2a534', '#a8552a'],
  winter: ['#6f7f77', '#8b9a95', '#5c6d66'],
};

const BLOSSOM = ['#eea9bf', '#f3c3d1', '#e791ad'];

/** A tree on a canvas of its own, rooted at the middle of its lower edge. */
export function paintTree(
  kind: TreeKind,
  light: Light,
  random: Random,
  size: number,
  season: Season | undefined,
  isSnowy: boolean,
  isBlossoming = false,
): Canvas {
  const { canvas, ctx } = emptyCanvas(size * 0.9, size);
  const side = light.direction[0] >= 0 ? 1 : -1;
  if (kind === 'conifer') conifer(ctx, size, light, side, random, isSnowy);
  else if (kind === 'palm') palm(ctx, size, light, random);
  else if (kind === 'bare') branches(ctx, size, light, random, '#4f4238');
  else
    broadleaf(
      ctx,
      size,
      light,
      side,
      random,
      pick(random, isBlossoming ? BLOSSOM : LEAVES[season ?? 'plain']),
      kind === 'birch',
      isSnowy,
    );
  return canvas;
}

function conifer(ctx: Context, size: number, light: Light, side: number, random: Random, isSnowy: boolean): void {
  const middle = size * 0.45;
  const foot = size * 0.97;
  ctx.fillStyle = css(lit(rgb('#4a3628'), light, 0.3));
  ctx.fillRect(middle - size * 0.016, size * 0.8, size * 0.032, size * 0.2);
  const green = rgb(pick(random, ['#2f5a3c', '#35603a', '#29503c']));
  const spread = size * between(random, 0.2, 0.27);
  ctx.lineCap = 'round';
  for (let pass = 0; pass < 2; pass++) {
    for (let y = size * 0.03; y < foot - size * 0.08; y += size * 0.011) {
      const t = (y - size * 0.03) / (size * 0.86);
      // Whorls of boughs: the outline swings in and out as it widens.
      const whorl = 0.72 + 0.28 * ((t * 9 + 0.3) % 1);
      const reach = spread * t ** 0.86 * whorl * between(random, 0.85, 1.12);
      for (const direction of [-1, 1]) {
        const along = pass === 0 ? 1 : between(random, 0.25, 0.9);
        const isSunny = direction === side;
        const paint = lit(scale(green, between(random, 0.75, 1.15)), light, pass === 0 ? 0.08 : isSunny ? 0.85 : 0.22);
        ctx.strokeStyle = css(
          isSnowy && pass === 1 && random() < 0.55 ? lit([240, 244, 250], light, isSunny ? 0.7 : 0.15) : paint,
        );
        ctx.lineWidth = size * between(random, 0.012, 0.022);
        ctx.beginPath();
        ctx.moveTo(middle + direction * reach * (along - 0.5) * 0.3, y);
        ctx.quadraticCurveTo(
          middle + direction * reach * 0.6 * along,
          y + reach * 0.12,
          middle + direction * reach * along,
          y + reach * 0.34,
        );
        ctx.stroke();
      }
    }
  }
}

function broadleaf(
  ctx: Context,
  size: number,
  light: Light,
  side: number,
  random: Random,
  leaf: string,
  isBirch: boolean,
  isSnowy: boolean,
): void {
  const middle = size * 0.45;
  branches(ctx, size, light, random, isBirch ? '#d8d4c8' : '#5b4332', 4);
  const green = rgb(leaf);
  const clumps: { x: number; y: number; r: number }[] = [];
  for (let i = 0; i < 22; i++) {
    const angle = random() * Math.PI * 2;
    const far = Math.sqrt(random());
    const r = size * between(random, 0.075, 0.14);
    clumps.push({
      x: middle + Math.cos(angle) * far * size * (isBirch ? 0.17 : 0.28),
      y: size * 0.36 + Math.sin(angle) * far * size * (isBirch ? 0.26 : 0.22),
      r,
    });
  }
  clumps.sort((a, b) => b.y - a.y);
  for (const clump of clumps) {
    ctx.fillStyle = css(lit(scale(green, 0.62), light, 0.05));
    ctx.beginPath();
    ctx.arc(clump.x, clump.y, clump.r * 0.86, 0, 7);
    ctx.fill();
  }
  for (const clump of [...clumps].reverse()) {
    for (let i = 0; i < 46; i++) {
      const angle = random() * Math.PI * 2;
      const far = Math.sqrt(random()) * clump.r * 1.12;
      const [x, y] = [clump.x + Math.cos(angle) * far, clump.y + Math.sin(angle) * far];
      // Lit from above and from the sun's side, over the tree as a whole and over each clump.
      const up = -Math.sin(angle) * (far / clump.r) * 0.35 + (0.5 - y / size) * 0.9;
      const across = (side * (x - middle)) / size;
      const facing = Math.min(1, Math.max(0, 0.36 + up + across * 0.9));
      const snow = isSnowy && up > 0.2 && random() < 0.6;
      ctx.fillStyle = css(
        snow ? lit([242, 245, 250], light, facing) : lit(scale(green, between(random, 0.82, 1.18)), light, facing),
      );
      ctx.beginPath();
      ctx.ellipse(x, y, size * between(random, 0.008, 0.017), size * 0.008, random() * 3, 0, 7);
      ctx.fill();
    }
  }
}

function branches(ctx: Context, size: number, light: Light, random: Random, bark: string, depth = 7): void {
  ctx.lineCap = 'round';
  const grow = (x: number, y: number, angle: number, length: number, width: number, left: number): void => {
    const [tx, ty] = [x + Math.cos(angle) * length, y + Math.sin(angle) * length];
    ctx.strokeStyle = css(lit(scale(rgb(bark), between(random, 0.85, 1.1)), light, 0.35));
    ctx.lineWidth = Math.max(0.7, width);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo((x + tx) / 2 + between(random, -1, 1) * length * 0.1, (y + ty) / 2, tx, ty);
    ctx.stroke();
    if (left === 0) return;
    const count = random() < 0.35 ? 3 : 2;
    for (let i = 0; i < count; i++) {
      grow(
        tx,
        ty,
        angle + (i - (count - 1) / 2) * between(random, 0.5, 0.8) + between(random, -0.12, 0.12),
        length * between(random, 0.66, 0.8),
        width * 0.66,
        left - 1,
      );
    }
  };
  grow(size * 0.45, size, -Math.PI / 2 + between(random, -0.06, 0.06), size * 0.27, size * 0.045, depth);
}

function palm(ctx: Context, size: number, light: Light, random: Random): void {
  const lean = between(random, -0.14, 0.14) * size;
  const [topX, topY] = [size * 0.45 + lean, size * 0.3];
  for (let i = 0; i < 34; i++) {
    const t = i / 33;
    const x = size * 0.45 + lean * t * t;
    const y = size - (size - topY) * t;
    const width = size * (0.032 - 0.014 * t);
    ctx.fillStyle = css(lit(scale(rgb('#8d6b48'), i % 2 ? 0.85 : 1.05), light, 0.45));
    ctx.fillRect(x - width / 2, y - size * 0.012, width, size * 0.026);
  }
  const green = rgb('#4f8a3c');
  for (let i = 0; i < 13; i++) {
    const angle = -Math.PI / 2 + ((i - 6) / 6) * 2.3 + between(random, -0.15, 0.15);
    const reach = size * between(random, 0.26, 0.36);
    const facing = Math.max(0.05, 0.4 - Math.sin(angle) * 0.35 + Math.cos(angle) * light.direction[0] * 0.4);
    for (let k = 0; k < 26; k++) {
      const t = (k + 1) / 26;
      const x = topX + Math.cos(angle) * reach * t;
      const y = topY + Math.sin(angle) * reach * t * 0.7 + reach * 0.62 * t * t;
      const leaf = reach * 0.24 * Math.sin(Math.PI * Math.min(1, t * 0.9 + 0.08));
      ctx.strokeStyle = css(lit(scale(green, between(random, 0.8, 1.15)), light, facing));
      ctx.lineWidth = size * 0.007;
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x - leaf * 0.35 + Math.cos(angle) * leaf * 0.5, y + leaf);
      ctx.moveTo(x, y);
      ctx.lineTo(x + leaf * 0.35 + Math.cos(angle) * leaf * 0.5, y + leaf * 0.8);
      ctx.stroke();
    }
  }
}

/** A veil of air over a painted thing, keeping its outline. */
export function veiled(source: Canvas, haze: Rgb, amount: number): Canvas {
  const { canvas, ctx } = emptyCanvas(source.width, source.height);
  ctx.drawImage(source, 0, 0);
  ctx.globalCompositeOperation = 'source-atop';
  ctx.fillStyle = css(haze, amount);
  ctx.fillRect(0, 0, source.width, source.height);
  return canvas;
}

/** Grass and the flowers in it. */
export interface Meadow {
  blade: Rgb;
  /** 0..1 share of blades that are flowers. */
  flowers: number;
  petals: readonly string[];
}

/** Grass and flowers over the nearest ground, thickening towards the viewer. */
export function drawGrass(
  ctx: Context,
  width: number,
  height: number,
  fromY: number,
  light: Light,
  random: Random,
  meadow: Meadow,
): void {
  const count = Math.round(width * 2.6);
  const unit = height / 1000;
  ctx.lineCap = 'round';
  for (let i = 0; i < count; i++) {
    const t = Math.sqrt(i / count);
    const y = fromY + (height * 1.03 - fromY) * t;
    const x = random() * width;
    const tall = unit * (5 + 46 * t * t) * between(random, 0.6, 1.3);
    const sway = tall * between(random, -0.4, 0.4);
    ctx.strokeStyle = css(lit(scale(meadow.blade, between(random, 0.72, 1.28)), light, between(random, 0.15, 0.95)));
    ctx.lineWidth = unit * (0.8 + 2 * t);
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(x, y - tall * 0.6, x + sway, y - tall);
    ctx.stroke();
    if (random() < meadow.flowers)
      flower(ctx, x + sway, y - tall, unit * (1.2 + 6.5 * t * t) * between(random, 0.7, 1.25), light, random, meadow);
  }
}

function flower(ctx: Context, x: number, y: number, r: number, light: Light, random: Random, meadow: Meadow): void {
  const petal = rgb(pick(random, meadow.petals));
  const turn = random() * 3;
  if (r < 2) {
    ctx.fillStyle = css(lit(petal, light, 0.8));
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 7);
    ctx.fill();
    return;
  }
  for (let i = 0; i < 6; i++) {
    const angle = turn + (i * Math.PI) / 3;
    ctx.fillStyle = css(lit(mix(petal, [255, 255, 255], i % 2 ? 0.12 : 0), light, i < 3 ? 0.95 : 0.6));
    ctx.beginPath();
    ctx.ellipse(x + Math.cos(angle) * r * 0.62, y + Math.sin(angle) * r * 0.5, r * 0.55, r * 0.34, angle * 0.9, 0, 7);
    ctx.fill();
  }
  ctx.fillStyle = css(lit(rgb('#f2c230'), light, 0.8));
  ctx.beginPath();
  ctx.arc(x, y, r * 0.33, 0, 7);
  ctx.fill();
}
