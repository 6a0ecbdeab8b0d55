/** What stands on the land: trees by the groves of the recipe and the houses of a village, far ones veiled by air. */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import { css, rgb } from '../colour.ts';
import type { ImagePlan } from '../prompt.ts';
import { between, seeded } from '../random.ts';
import { sprite } from '../sprites.ts';
import { type Light, lit } from './light.ts';
import { type Recipe } from './recipes.ts';
import { glow } from './sky.ts';
import { type Camera, groundY } from './terrain.ts';
import { paintTree, veiled } from './trees.ts';

/** Trees from far to near; the near ones on a layer of their own, because they pass before the subjects' ground. */
export function plant(
  camera: Camera,
  light: Light,
  recipe: Recipe,
  image: ImagePlan,
  seed: number,
  heightAt: (x: number, z: number) => number,
): { far: Canvas; near: Canvas } {
  const random = seeded(seed, 'woods');
  const far = emptyCanvas(camera.width, camera.height);
  const near = emptyCanvas(camera.width, camera.height);
  const isSnowy = recipe.surface === 'snow';
  const isBlossoming = /\b(cherry blossoms?|sakura|cherry trees?)\b/i.test(image.prompt);
  for (const grove of recipe.groves) {
    const kind = grove.kind === 'broadleaf' && isSnowy ? 'bare' : grove.kind;
    const largest = Math.min(camera.height * 1.1, (grove.tall * camera.focal) / grove.near);
    const models = [0, 1, 2].map(() =>
      paintTree(kind, light, random, Math.max(60, largest), image.season, isSnowy, isBlossoming),
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
export function drawHouses(
  camera: Camera,
  light: Light,
  count: number,
  seed: number,
  heightAt: (x: number, z: number) => number,
): Canvas {
  const { canvas, ctx } = emptyCanvas(camera.width, camera.height);
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
    const tint = emptyCanvas(house.canvas.width, house.canvas.height);
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
