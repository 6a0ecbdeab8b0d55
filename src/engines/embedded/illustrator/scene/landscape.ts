/** Open-air places, far to near: sky, clouds, range, hills, woods, water, ground, grass. Subjects are placed elsewhere. */
import { type Canvas, sheet } from '../canvas.ts';
import { css, mix, rgb, scale, toHsl } from '../colour.ts';
import type { Picture } from '../prompt.ts';
import { between, fbm, noise, ridged, seeded, smoothstep } from '../random.ts';
import { sprite } from '../sprites.ts';
import { drawSkyline } from './city.ts';
import type { Layer } from './layer.ts';
import { hazed, type Light, lightOf, lit } from './light.ts';
import { type Recipe, recipeFor, type Surface } from './recipes.ts';
import { drawAir, drawAurora, drawClouds, glow } from './sky.ts';
import type { Stage } from './stage.ts';
import { type Camera, cameraOf, drawLand, groundY, type Land } from './terrain.ts';
import { drawGrass, paintTree, veiled } from './trees.ts';
import { drawFoam, drawWater } from './water.ts';
import { drawLightning } from './weather.ts';

const SURFACES: Record<Surface, [string, string]> = {
  grass: ['#6f9147', '#8aa552'],
  sand: ['#e2c690', '#d3b077'],
  snow: ['#c6d0dc', '#b3c1d1'],
  stone: ['#99968f', '#87847e'],
  earth: ['#9a7a56', '#86694a'],
};

export function landscape(
  picture: Picture,
  width: number,
  height: number,
  seed: number,
): { layers: Layer[]; stage: Stage } {
  const recipe = recipeFor(picture);
  const horizonY = height > width * 1.2 ? recipe.horizonY + 0.04 : recipe.horizonY;
  const light = lightOf(picture, horizonY, seed);
  const camera = cameraOf(width, height, horizonY, recipe.eye);
  const layers = skyLayers(width, height, horizonY, light, seed, picture);
  if (recipe.range)
    layers.push({ canvas: drawLand(camera, light, rangeLand(recipe, picture, seed)), depth: 0.12, kind: 'far' });
  if (recipe.skyline) {
    const base = height * (recipe.water?.topY ?? horizonY);
    if (light.time === 'night' || light.time === 'dusk')
      layers.push({ canvas: cityGlow(width, height, base), depth: 0.1, kind: 'glow' });
    for (const near of [0, 0.5, 1])
      layers.push({
        canvas: drawSkyline(width, height, base, near, light, seed),
        depth: 0.15 + near * 0.15,
        kind: 'city',
      });
  }
  const hills = recipe.hills ? hillsLand(recipe, picture, seed) : undefined;
  if (hills) layers.push({ canvas: drawLand(camera, light, hills), depth: 0.3, kind: 'mid' });
  const ground = groundLand(recipe, picture, seed);
  const heightAt = (x: number, z: number) => (hills && z > ground.far ? hills.heightAt(x, z) : ground.heightAt(x, z));
  const woods = plant(camera, light, recipe, picture, seed, heightAt);
  layers.push({ canvas: woods.far, depth: 0.36, kind: 'trees' });
  const { water } = recipe;
  const isGroundFirst = water?.form === 'river';
  const groundCanvas = drawGround(camera, light, ground, recipe, seed);
  if (isGroundFirst) layers.push({ canvas: groundCanvas, depth: 0.6, kind: 'ground' });
  if (water) layers.push({ canvas: waterFor(recipe, width, height, layers, light, seed), depth: 0.5, kind: 'water' });
  if (!isGroundFirst && water?.form !== 'sea') layers.push({ canvas: groundCanvas, depth: 0.6, kind: 'ground' });
  if (recipe.houses)
    layers.push({ canvas: drawHouses(camera, light, recipe.houses, seed, heightAt), depth: 0.62, kind: 'houses' });
  if (water?.form === 'shore')
    layers.push({
      canvas: drawFoam(width, height, shoreLine(seed, water.bottomY), light, seed),
      depth: 0.6,
      kind: 'foam',
    });
  layers.push({ canvas: woods.near, depth: 0.72, kind: 'trees' });
  return { layers, stage: stageOf(recipe, camera, light, seed, ground) };
}

/** Air, stars and clouds, shared by every place that has a sky. */
export function skyLayers(
  width: number,
  height: number,
  horizonY: number,
  light: Light,
  seed: number,
  picture: Picture,
): Layer[] {
  const layers: Layer[] = [{ canvas: drawAir(width, height, horizonY, light, seed), depth: 0, kind: 'sky' }];
  if (/\b(aurora|northern lights|polar lights)\b/i.test(picture.prompt))
    layers.push({ canvas: drawAurora(width, height, horizonY, seed), depth: 0.02, kind: 'aurora' });
  layers.push({ canvas: drawClouds(width, height, horizonY, light, seed), depth: 0.06, kind: 'clouds' });
  if (light.weather === 'storm')
    layers.push({ canvas: drawLightning(width, height, horizonY, seed), depth: 0.07, kind: 'lightning' });
  if (/\brainbow\b/i.test(picture.prompt))
    layers.push({ canvas: drawRainbow(width, height, horizonY), depth: 0.08, kind: 'rainbow' });
  return layers;
}

function drawRainbow(width: number, height: number, horizonY: number): Canvas {
  const { canvas, ctx } = sheet(width, height);
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

/** The haze a city lights from below. */
function cityGlow(width: number, height: number, base: number): Canvas {
  const { canvas, ctx } = sheet(width, height);
  const rise = ctx.createLinearGradient(0, base - height * 0.5, 0, base);
  rise.addColorStop(0, 'rgba(120,90,160,0)');
  rise.addColorStop(0.6, 'rgba(190,110,150,.28)');
  rise.addColorStop(1, 'rgba(255,170,110,.55)');
  ctx.fillStyle = rise;
  ctx.fillRect(0, base - height * 0.5, width, height * 0.5);
  return canvas;
}

function rangeLand(recipe: Recipe, picture: Picture, seed: number): Land {
  const { amp, snow, rock } = recipe.range as NonNullable<Recipe['range']>;
  const source = noise(seed, 'range');
  const grain = noise(seed, 'grain');
  const stone = rgb(rock);
  const isDesert = recipe.surface === 'sand';
  const green = isDesert ? rgb('#b98d5f') : rgb(picture.season === 'autumn' ? '#8f7a44' : '#5a7148');
  return {
    near: 2600,
    far: 15000,
    steps: 120,
    clearness: isDesert ? 8000 : 13500,
    heightAt(x, z) {
      const rise = smoothstep(2600, 7600, z);
      const shape = ridged(source, x / 9500 + 3.1, z / 8200, 5);
      return (shape * 1.3 - 0.2) * amp * rise * (0.85 + 0.4 * source(x / 15000, z / 12000));
    },
    paint(x, z, h, slope, out) {
      // By height as well as place: on a steep face, noise of the ground plane alone would run down in stripes.
      const rough = grain(x / 260 + z / 500, h / 90) * 0.5 + grain(x / 900, h / 300) * 0.5;
      const alpine = smoothstep(amp * 0.1, amp * 0.32, h + rough * 160);
      const white =
        smoothstep(snow - 170, snow + 230, h + rough * 330) * (1 - smoothstep(0.55, 0.85, slope + rough * 0.14));
      const tone = 0.88 + rough * 0.24;
      for (let c = 0; c < 3; c++) {
        const base = ((green[c] as number) + ((stone[c] as number) - (green[c] as number)) * alpine) * tone;
        out[c] = base + (252 - base) * white;
      }
    },
  };
}

function hillsLand(recipe: Recipe, picture: Picture, seed: number): Land {
  const { amp, wave, cover, cover2 } = recipe.hills as NonNullable<Recipe['hills']>;
  const source = noise(seed, 'hills');
  const first = rgb(seasonal(cover, picture));
  const second = rgb(seasonal(cover2, picture));
  const isDune = recipe.surface === 'sand';
  const start = recipe.water?.form === 'band' || recipe.water?.form === 'sea' ? 230 : 60;
  return {
    near: start,
    far: 2700,
    steps: 84,
    clearness: 5200,
    heightAt(x, z) {
      const rise = smoothstep(start, start * 4 + 500, z);
      if (isDune) {
        // Dunes: long crests, gentle to windward and steep to leeward.
        const phase = z / (wave * 1.6) + source(x / (wave * 3.2), z / (wave * 5)) * 1.1 + x / (wave * 4.5);
        const saw = phase - Math.floor(phase);
        const crest = saw < 0.72 ? smoothstep(0, 0.72, saw) : 1 - smoothstep(0.72, 1, saw);
        return (crest * 0.8 + source(x / (wave * 1.5), z / (wave * 2)) * 0.3) * amp * (0.15 + rise);
      }
      return (fbm(source, x / wave, z / wave, 4) + 0.28) * amp * rise;
    },
    paint(x, z, _h, slope, out) {
      const patch = smoothstep(-0.25, 0.35, source(x / 130, z / 210)) * 0.7 + 0.3 * source(x / 17, z / 26);
      for (let c = 0; c < 3; c++)
        out[c] = ((first[c] as number) + ((second[c] as number) - (first[c] as number)) * patch) * (1 - slope * 0.2);
    },
  };
}

function groundLand(recipe: Recipe, picture: Picture, seed: number): Land {
  const source = noise(seed, 'ground');
  const [a, b] = SURFACES[recipe.surface];
  const isField = recipe.surface === 'grass' && recipe.hills;
  const first = rgb(seasonal(isField ? (recipe.hills as NonNullable<Recipe['hills']>).cover : a, picture));
  const second = rgb(seasonal(isField ? (recipe.hills as NonNullable<Recipe['hills']>).cover2 : b, picture));
  const isRippled = recipe.surface === 'sand';
  const near = 1.2;
  return {
    near,
    far: recipe.water && recipe.water.form !== 'river' ? 60 : 90,
    steps: 96,
    clearness: 6000,
    heightAt: (x, z) => fbm(source, x / 14, z / 14, 3) * Math.min(1, z / 12) * recipe.ground * (1 + z / 45),
    paint(x, z, _h, _slope, out) {
      const broad = smoothstep(-0.4, 0.5, source(x / 5, z / 7));
      const fine = source(x * 2.2, z * 2.6) * 0.08 + source(x * 9, z * 4) * 0.04;
      const ripple = isRippled
        ? Math.sin(z * 5 + source(x / 1.6, z / 1.6) * 4.2 + x * 1.3) * 0.05 * Math.exp(-z / 14)
        : 0;
      for (let c = 0; c < 3; c++)
        out[c] = ((first[c] as number) + ((second[c] as number) - (first[c] as number)) * broad) * (1 + fine + ripple);
    },
  };
}

function seasonal(hex: string, picture: Picture): string {
  const [hue, saturation] = toHsl(rgb(hex));
  if (picture.season !== 'autumn' || hue < 60 || hue > 170 || saturation < 0.1) return hex;
  const [r, g, b] = mix(rgb(hex), rgb('#b08a3c'), 0.55).map((v) => Math.round(v).toString(16).padStart(2, '0'));
  return `#${r}${g}${b}`;
}

/** The near ground, cut along the shore where water comes before it. */
function drawGround(camera: Camera, light: Light, ground: Land, recipe: Recipe, seed: number): Canvas {
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
        petals: PETALS,
      });
  }
  return land;
}

const PETALS = ['#f2f0ea', '#f0c33c', '#e0527a', '#b07ae0', '#e8643c', '#7a9af0'];

/** A paved quay along the lower edge, with a parapet. */
function drawQuay(camera: Camera, light: Light, recipe: Recipe): Canvas {
  const { width, height } = camera;
  const { canvas, ctx } = sheet(width, height);
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

function shoreLine(seed: number, at: number): (x: number) => number {
  const source = noise(seed, 'shore');
  const tilt = between(seeded(seed, 'tilt'), -0.06, 0.06);
  return (x) => at + tilt * (x - 0.5) + 0.022 * source(x * 2.2, 0.5) + 0.006 * source(x * 9, 3);
}

function waterFor(recipe: Recipe, width: number, height: number, layers: Layer[], light: Light, seed: number): Canvas {
  const water = recipe.water as NonNullable<Recipe['water']>;
  const above = sheet(width, height);
  for (const layer of layers)
    if (water.form !== 'river' || layer.kind !== 'ground') above.ctx.drawImage(layer.canvas, 0, 0);
  const form = {
    topY: water.topY,
    waves: light.weather === 'storm' ? Math.min(1.3, water.waves + 0.5) : water.waves,
    deep: rgb(water.deep),
  };
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

/** Trees from far to near; the near ones on a sheet of their own, because they pass before the subjects' ground. */
function plant(
  camera: Camera,
  light: Light,
  recipe: Recipe,
  picture: Picture,
  seed: number,
  heightAt: (x: number, z: number) => number,
): { far: Canvas; near: Canvas } {
  const random = seeded(seed, 'woods');
  const far = sheet(camera.width, camera.height);
  const near = sheet(camera.width, camera.height);
  const isSnowy = recipe.surface === 'snow';
  const isBlossoming = /\b(cherry blossoms?|sakura|cherry trees?)\b/i.test(picture.prompt);
  for (const grove of recipe.groves) {
    const kind = grove.kind === 'broadleaf' && isSnowy ? 'bare' : grove.kind;
    const largest = Math.min(camera.height * 1.1, (grove.tall * camera.focal) / grove.near);
    const models = [0, 1, 2].map(() =>
      paintTree(kind, light, random, Math.max(60, largest), picture.season, isSnowy, isBlossoming),
    );
    const spots = Array.from({ length: grove.count }, () => grove.near * (grove.far / grove.near) ** random()).sort(
      (a, b) => b - a,
    );
    const bands = spots.map((z) => z);
    let veil: { z: number; models: Canvas[] } | undefined;
    for (const z of bands) {
      const reach = 0.56;
      let across = between(random, -reach, reach);
      if (Math.abs(across) < grove.clear / 2) across = (across < 0 ? -1 : 1) * between(random, grove.clear / 2, reach);
      const x = (across * camera.width * z) / camera.focal;
      const size = (grove.tall * between(random, 0.72, 1.2) * camera.focal) / z;
      const y = groundY(camera, z, heightAt(x, z)) + size * 0.02;
      // Veils are shared by trees of about one distance: a veil for each would double the time.
      if (!veil || z < veil.z * 0.8) {
        const thickness = 1 - Math.exp((-z * light.hazeDensity) / 1500);
        veil = {
          z,
          models: models.map((model) =>
            thickness < 0.015 ? model : veiled(model, light.haze, Math.min(0.93, thickness)),
          ),
        };
      }
      const model = veil.models[Math.floor(random() * 3)] as Canvas;
      const target = grove.near < 35 ? near.ctx : far.ctx;
      if (grove.near < 35) {
        target.fillStyle = 'rgba(10,18,20,.22)';
        target.beginPath();
        target.ellipse(camera.width / 2 + across * camera.width, y - size * 0.015, size * 0.24, size * 0.026, 0, 0, 7);
        target.fill();
      }
      target.drawImage(model, camera.width / 2 + across * camera.width - size * 0.45, y - size, size * 0.9, size);
    }
  }
  return { far: far.canvas, near: near.canvas };
}

/** Houses of a village, in the emoji's manner so that subjects match, with lights at night. */
function drawHouses(
  camera: Camera,
  light: Light,
  count: number,
  seed: number,
  heightAt: (x: number, z: number) => number,
): Canvas {
  const { canvas, ctx } = sheet(camera.width, camera.height);
  const random = seeded(seed, 'houses');
  const roofs = ['#c0573e', '#8a4a3a', '#b5713f', '#6f5a52', '#a8503f'];
  const spots = Array.from({ length: count }, (_, i) => 26 * (120 / 26) ** (1 - i / count));
  const isDark = light.time === 'night' || light.time === 'dusk' || light.time === 'golden';
  for (const [i, z] of spots.entries()) {
    const across = (i % 2 ? 1 : -1) * between(random, 0.1, 0.5) * (1 - (i / count) * 0.1) + (i % 2 ? 0.02 : -0.02);
    const x = (across * camera.width * z) / camera.focal;
    const name = i === 2 ? 'church' : i % 3 ? 'house' : 'house-with-garden';
    const size = ((name === 'church' ? 12 : 7.5) * camera.focal) / z;
    const house = sprite(name, size, i === 2 ? undefined : roofs[i % roofs.length]);
    const tint = sheet(house.canvas.width, house.canvas.height);
    tint.ctx.drawImage(house.canvas, 0, 0);
    tint.ctx.globalCompositeOperation = 'multiply';
    tint.ctx.fillStyle = css(lit([255, 255, 255], light, 0.55));
    tint.ctx.fillRect(0, 0, size + 1, size + 1);
    tint.ctx.globalCompositeOperation = 'source-atop';
    tint.ctx.fillStyle = css(light.haze, Math.min(0.6, 1 - Math.exp((-z * light.hazeDensity) / 1100)));
    tint.ctx.fillRect(0, 0, size + 1, size + 1);
    tint.ctx.globalCompositeOperation = 'destination-in';
    tint.ctx.drawImage(house.canvas, 0, 0);
    const left = camera.width / 2 + across * camera.width - size / 2;
    const foot = groundY(camera, z, heightAt(x, z)) + size * 0.04;
    ctx.fillStyle = 'rgba(20,24,20,.25)';
    ctx.beginPath();
    ctx.ellipse(left + size / 2, foot - size * 0.03, size * 0.5, size * 0.05, 0, 0, 7);
    ctx.fill();
    ctx.drawImage(tint.canvas, left, foot - (house.box.y + house.box.h));
    if (isDark && i % 3 !== 1)
      glow(
        ctx,
        left + size * 0.38,
        foot - size * 0.22,
        size * 0.34,
        rgb('#ffc56a'),
        light.time === 'golden' ? 0.5 : 0.95,
      );
  }
  return canvas;
}

function stageOf(recipe: Recipe, camera: Camera, light: Light, seed: number, ground: Land): Stage {
  const { water } = recipe;
  const stage: Stage = {
    camera,
    light,
    surface: water?.form === 'sea' ? 'water' : recipe.surface,
    groundTop:
      water && (water.form === 'band' || water.form === 'shore')
        ? water.bottomY + 0.03
        : Math.min(0.97, groundY(camera, 17) / camera.height),
    heightAt: ground.heightAt,
    haze: (paint, metres) => hazed(paint, light, metres),
  };
  if (water)
    stage.water = {
      top: water.topY + 0.02,
      bottom: water.form === 'sea' ? 1 : water.form === 'river' ? 0.98 : water.bottomY,
    };
  if (water?.form === 'river') stage.sides = true;
  void seed;
  return stage;
}
