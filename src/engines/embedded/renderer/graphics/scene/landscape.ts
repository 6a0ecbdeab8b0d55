/** Open-air places, far to near: sky, clouds, range, hills, woods, water, ground, grass. Subjects are placed elsewhere. */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import type { ImagePlan } from '../prompt.ts';
import { drawNeonSigns, drawSkyline } from './city.ts';
import { drawFireworks, drawRainbow } from './festive.ts';
import { drawGround, shoreLine, waterFor } from './ground.ts';
import { groundLand, hillsLand, rangeLand } from './lands.ts';
import type { Layer } from './layer.ts';
import { hazed, type Light, lightOf } from './light.ts';
import { type Recipe, recipeFor } from './recipes.ts';
import { drawAir, drawAurora, drawClouds } from './sky.ts';
import type { Stage } from './stage.ts';
import { type Camera, cameraOf, drawLand, groundY, type Land } from './terrain.ts';
import { drawFoam } from './water.ts';
import { drawLightning } from './weather.ts';
import { drawHouses, plant } from './woods.ts';

/** Layers from behind, of the given size in pixels, and where subjects may be. The same seed gives the same. */
export function landscape(
  image: ImagePlan,
  width: number,
  height: number,
  seed: number,
): { layers: Layer[]; stage: Stage } {
  const recipe = recipeFor(image);
  const horizonY = height > width * 1.2 ? recipe.horizonY + 0.04 : recipe.horizonY;
  const light = lightOf(image, horizonY, seed);
  const camera = cameraOf(width, height, horizonY, recipe.eye);
  const layers = skyLayers(width, height, horizonY, light, seed, image);
  if (recipe.range)
    layers.push({ canvas: drawLand(camera, light, rangeLand(recipe, image, seed)), depth: 0.12, kind: 'far' });
  if (recipe.skyline) {
    const isNeon = /\b(cyberpunk|neon|futuristic|tokyo|sci-?fi)\b/i.test(image.prompt);
    const base = height * (recipe.water?.topY ?? horizonY);
    if (light.time === 'night' || light.time === 'dusk')
      layers.push({ canvas: cityGlow(width, height, base, isNeon), depth: 0.1, kind: 'glow' });
    for (const near of [0, 0.5, 1])
      layers.push({
        canvas: drawSkyline(width, height, base, near, light, seed),
        depth: 0.15 + near * 0.15,
        kind: 'city',
      });
    if (isNeon && light.time !== 'day')
      layers.push({ canvas: drawNeonSigns(width, height, base, seed), depth: 0.31, kind: 'neon' });
  }
  const hills = recipe.hills ? hillsLand(recipe, image, seed) : undefined;
  if (hills) layers.push({ canvas: drawLand(camera, light, hills), depth: 0.3, kind: 'mid' });
  const ground = groundLand(recipe, image, seed);
  const heightAt = (x: number, z: number) => (hills && z > ground.far ? hills.heightAt(x, z) : ground.heightAt(x, z));
  const woods = plant(camera, light, recipe, image, seed, heightAt);
  layers.push({ canvas: woods.far, depth: 0.36, kind: 'trees' });
  const { water } = recipe;
  const isGroundFirst = water?.form === 'river';
  const pushGround = () =>
    layers.push({ canvas: drawGround(camera, light, ground, recipe, seed), depth: 0.6, kind: 'ground' });
  if (isGroundFirst) pushGround();
  if (water) layers.push({ canvas: waterFor(recipe, width, height, layers, light, seed), depth: 0.5, kind: 'water' });
  if (!isGroundFirst && water?.form !== 'sea') pushGround();
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
  image: ImagePlan,
): Layer[] {
  const layers: Layer[] = [{ canvas: drawAir(width, height, horizonY, light, seed), depth: 0, kind: 'sky' }];
  if (/\b(aurora|northern lights|polar lights)\b/i.test(image.prompt))
    layers.push({ canvas: drawAurora(width, height, horizonY, seed), depth: 0.02, kind: 'aurora' });
  layers.push({ canvas: drawClouds(width, height, horizonY, light, seed), depth: 0.06, kind: 'clouds' });
  if (light.weather === 'storm')
    layers.push({ canvas: drawLightning(width, height, horizonY, seed), depth: 0.07, kind: 'lightning' });
  if (/\bfire ?works?\b/i.test(image.prompt))
    layers.push({ canvas: drawFireworks(width, height, horizonY, seed), depth: 0.07, kind: 'fireworks' });
  if (/\brainbow\b/i.test(image.prompt))
    layers.push({ canvas: drawRainbow(width, height, horizonY), depth: 0.08, kind: 'rainbow' });
  return layers;
}

/** The haze a city lights from below. */
function cityGlow(width: number, height: number, base: number, isNeon: boolean): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  const rise = ctx.createLinearGradient(0, base - height * 0.5, 0, base);
  rise.addColorStop(0, 'rgba(120,90,160,0)');
  rise.addColorStop(0.6, isNeon ? 'rgba(200,60,190,.34)' : 'rgba(190,110,150,.28)');
  rise.addColorStop(1, isNeon ? 'rgba(60,200,255,.5)' : 'rgba(255,170,110,.55)');
  ctx.fillStyle = rise;
  ctx.fillRect(0, base - height * 0.5, width, height * 0.5);
  return canvas;
}

function stageOf(recipe: Recipe, camera: Camera, light: Light, seed: number, ground: Land): Stage {
  const { water } = recipe;
  const stage: Stage = {
    camera,
    light,
    surface: water?.form === 'sea' ? 'water' : recipe.surface,
    groundTop:
      water && recipe.isFrozen
        ? water.topY + 0.12
        : water && (water.form === 'band' || water.form === 'shore')
          ? water.bottomY + 0.03
          : Math.min(0.97, groundY(camera, 17) / camera.height),
    heightAt: ground.heightAt,
    haze: (paint, metres) => hazed(paint, light, metres),
  };
  if (water && !recipe.isFrozen)
    stage.water = {
      top: water.topY + 0.02,
      bottom: water.form === 'sea' ? 1 : water.form === 'river' ? 0.98 : water.bottomY,
    };
  if (water?.form === 'river') stage.sides = true;
  void seed;
  return stage;
}
