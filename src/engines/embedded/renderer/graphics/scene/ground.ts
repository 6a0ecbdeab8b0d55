/** The near ground and its waters: grass, sand to the shore line, a quay in the city, lakes, rivers and the sea. */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import { css, rgb, scale } from '../colour.ts';
import { noise } from '../noise.ts';
import { between, seeded } from '../random.ts';
import { SURFACES } from './lands.ts';
import type { Layer } from './layer.ts';
import { type Light, lit } from './light.ts';
import { type Recipe } from './recipes.ts';
import { type Camera, drawLand, groundY, type Land } from './terrain.ts';
import { drawGrass } from './trees.ts';
import { drawWater } from './water.ts';

/** The near ground, cut along the shore where water comes before it. */
export function drawGround(camera: Camera, light: Light, ground: Land, recipe: Recipe, seed: number): Canvas {
  const { width, height } = camera;
  const land = recipe.surface === 'stone' ? drawQuay(camera, light, recipe) : drawLand(camera, light, ground);
  const ctx = land.getContext('2d');
  const { water } = recipe;
  if (water && (water.form === 'band' || water.form === 'shore') && recipe.surface !== 'stone') {
    const line = shoreLine(seed, water.bottomY);
    ctx.globalCompositeOperation = 'destination-out';
    ctx.beginPath();
    ctx.moveTo(0, 0);
    for (let x = 0; x <= 60; x++) ctx.lineTo((x / 60) * width, line(x / 60) * height);
    ctx.lineTo(width, 0);
    ctx.fill();
    ctx.globalCompositeOperation = 'source-atop';
    if (recipe.surface === 'sand') {
      // Wet sand darkens towards the water.
      for (let i = 0; i < 14; i++) {
        ctx.strokeStyle = css(lit(rgb('#8d7150'), light, 0.3), 0.05);
        ctx.lineWidth = height * 0.006 * (i + 1) * 2;
        ctx.beginPath();
        for (let x = 0; x <= 60; x++) ctx.lineTo((x / 60) * width, line(x / 60) * height);
        ctx.stroke();
      }
    }
    ctx.globalCompositeOperation = 'source-over';
  }
  if (recipe.flowers !== undefined) {
    const from = water && water.form === 'band' ? water.bottomY * height : groundY(camera, 26);
    const blade = scale(rgb(SURFACES.grass[0]), 0.95);
    if (water?.form !== 'river')
      drawGrass(ctx, width, height, from + height * 0.02, light, seeded(seed, 'grass'), {
        blade,
        flowers: recipe.flowers,
        petals: recipe.petals ?? PETALS,
      });
  }
  return land;
}

const PETALS = ['#f2f0ea', '#f0c33c', '#e0527a', '#b07ae0', '#e8643c', '#7a9af0'];

/** A paved quay along the lower edge, with a parapet. */
function drawQuay(camera: Camera, light: Light, recipe: Recipe): Canvas {
  const { width, height } = camera;
  const { canvas, ctx } = emptyCanvas(width, height);
  const top = (recipe.water?.bottomY ?? 0.9) * height;
  const stone = ctx.createLinearGradient(0, top, 0, height);
  stone.addColorStop(0, css(lit(rgb('#8b8880'), light, 0.55)));
  stone.addColorStop(1, css(lit(rgb('#6f6c66'), light, 0.35)));
  ctx.fillStyle = stone;
  ctx.fillRect(0, top, width, height - top);
  ctx.strokeStyle = css(lit(rgb('#4e4c48'), light, 0.2), 0.7);
  ctx.lineWidth = Math.max(1, height * 0.0014);
  for (let row = 0; row < 4; row++) {
    const y = top + (height - top) * (row / 4) ** 1.5;
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(width, y);
    ctx.stroke();
  }
  for (let i = -18; i <= 18; i++) {
    ctx.beginPath();
    ctx.moveTo(width / 2 + i * width * 0.05, top);
    ctx.lineTo(width / 2 + i * width * 0.062, height);
    ctx.stroke();
  }
  ctx.fillStyle = css(lit(rgb('#a8a59c'), light, 0.75));
  ctx.fillRect(0, top - height * 0.006, width, height * 0.01);
  return canvas;
}

/** The row of the shore by column, both as fractions of the image. @param at its row in the middle */
export function shoreLine(seed: number, at: number): (x: number) => number {
  const source = noise(seed, 'shore');
  const tilt = between(seeded(seed, 'tilt'), -0.06, 0.06);
  return (x) => at + tilt * (x - 0.5) + 0.022 * source(x * 2.2, 0.5) + 0.006 * source(x * 9, 3);
}

/** Ice over still water: pale, with what it mirrors faintly seen, and the lines of skates. */
function frozen(canvas: Canvas, topY: number, light: Light, seed: number): Canvas {
  const ctx = canvas.getContext('2d');
  const { width, height } = canvas;
  const [top, random] = [topY * height, seeded(seed, 'ice')];
  const ice = ctx.createLinearGradient(0, top, 0, height);
  ice.addColorStop(0, css(lit(rgb('#dfeaf2'), light, 0.5), 0.8));
  ice.addColorStop(1, css(lit(rgb('#b9d3e4'), light, 0.5), 0.86));
  ctx.fillStyle = ice;
  ctx.fillRect(0, top, width, height - top);
  for (let i = 0; i < 46; i++) {
    const t = random();
    const [x, y, wide] = [random() * width, top + (height - top) * t, width * between(random, 0.04, 0.2) * (0.3 + t)];
    ctx.strokeStyle = css(lit(rgb('#f6fafd'), light, 0.7), between(random, 0.25, 0.7));
    ctx.lineWidth = Math.max(0.8, height * 0.0022 * (0.3 + t));
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.quadraticCurveTo(
      x + wide / 2,
      y + between(random, -0.02, 0.02) * height * t,
      x + wide,
      y + between(random, -0.01, 0.01) * height,
    );
    ctx.stroke();
  }
  return canvas;
}

/** The water of a place as a layer of its own: sea, lake or bending river. @param layers what it mirrors */
export function waterFor(
  recipe: Recipe,
  width: number,
  height: number,
  layers: Layer[],
  light: Light,
  seed: number,
): Canvas {
  const water = recipe.water as NonNullable<Recipe['water']>;
  const above = emptyCanvas(width, height);
  for (const layer of layers)
    if (water.form !== 'river' || layer.kind !== 'ground') above.ctx.drawImage(layer.canvas, 0, 0);
  const form = {
    topY: water.topY,
    waves: light.weather === 'storm' ? Math.min(1.3, water.waves + 0.5) : water.waves,
    deep: rgb(water.deep),
  };
  if (recipe.isFrozen)
    return frozen(drawWater(above.canvas, { ...form, waves: 0 }, light, seed), water.topY, light, seed);
  if (water.form !== 'river') return drawWater(above.canvas, form, light, seed);
  const source = noise(seed, 'bend');
  const span = (y: number): readonly [number, number] => {
    const t = Math.max(0, (y - water.topY) / (1 - water.topY));
    const middle = 0.52 + Math.sin(t * 3.4 + 0.6) * 0.12 * (1 - t * 0.35) + source(t * 2, 0) * 0.03;
    const half = 0.012 + 0.3 * t ** 1.35 + 0.008 * source(y * 40, 2);
    return [middle - half, middle + half];
  };
  return drawWater(above.canvas, { ...form, span }, light, seed);
}
