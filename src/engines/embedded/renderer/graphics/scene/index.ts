/**
 * Scenes: a place at an hour in a weather, in separately drawable layers from far to near, and the painting composed
 * of them. The same image, size and seed give the same pixels.
 */
import { backdropIn, drawStudio } from '../backdrop.ts';
import { type Canvas, emptyCanvas } from '../canvas.ts';
import type { ImagePlan, Subject } from '../prompt.ts';
import { seeded } from '../random.ts';
import { loaded, only } from '../relations.ts';
import { drawDust, GROUND_Y, spaceLayers } from './cosmos.ts';
import { drawBubbles } from './festive.ts';
import { acting, apart, isTakenAlong } from './figures.ts';
import { drawCave, drawGreenhouse, drawTheatre, type Hall } from './halls.ts';
import { landscape, skyLayers } from './landscape.ts';
import type { Layer } from './layer.ts';
import { type Light, lightOf } from './light.ts';
import { drawPlatform, onPlatform } from './platforms.ts';
import { drawRoom } from './room.ts';
import { drawClouds } from './sky.ts';
import type { Spot } from './spot.ts';
import type { Stage } from './stage.ts';
import { drawStreet } from './street.ts';
import { drawSubjects, drawSubjectsApart, type FigureCycle } from './subjects.ts';
import { cameraOf } from './terrain.ts';
import { underwaterLayers } from './underwater.ts';
import { drawFireflies, drawFog, drawRain, drawShafts, drawSnowfall, finish, isSunLow, veilOf } from './weather.ts';

export type { Layer } from './layer.ts';
export type { Spot } from './spot.ts';
export { facesRight } from './spot.ts';
export type { Stage } from './stage.ts';
export type { FigureCycle } from './subjects.ts';

/**
 * The layers of a scene, far to near, each `width` x `height`. Draw them in order for the image, or shift each by its
 * `depth` for parallax (draw larger than the frame to have margins).
 */
export function sceneLayers(image: ImagePlan, width: number, height: number, seed: number): Layer[] {
  return compose(image, width, height, seed, (subjects, stage) => [
    { canvas: drawSubjects(subjects, stage, seed), depth: SUBJECT_DEPTH, kind: 'subject' },
  ]).layers;
}

/** The same layers with each subject on a layer of its own, for videos: where it stands is in `spot`. */
export function sceneParts(
  image: ImagePlan,
  width: number,
  height: number,
  seed: number,
): { layers: (Layer & { spot?: Spot; cycle?: FigureCycle })[]; stage: Stage } {
  return compose(image, width, height, seed, (subjects, stage) =>
    drawSubjectsApart(subjects, stage, seed).map((layer) => ({ ...layer, depth: SUBJECT_DEPTH, kind: 'subject' })),
  );
}

const SUBJECT_DEPTH = 0.75;

function compose(
  image: ImagePlan,
  width: number,
  height: number,
  seed: number,
  draw: (subjects: Subject[], stage: Stage) => Layer[],
): { layers: Layer[]; stage: Stage } {
  const { layers, stage } = grounded(image, setting(image, width, height, seed), seed);
  if (hasShafts(image, stage))
    layers.push({ canvas: drawShafts(width, height, stage.light, seed), depth: 0.5, kind: 'shafts' });
  const all = standIns(image)
    .map((subject) => onCliff(subject, image))
    .map((subject) => onChair(acting(subject, image.prompt), image));
  const subjects = all.filter((subject) => !isTakenAlong(subject, all));
  if (subjects.length > 0) layers.push(...draw(subjects, stage));
  layers.push(...airLayers(image, stage, width, height, seed));
  return { layers, stage };
}

/** The finished painting of a scene. */
export function paintScene(image: ImagePlan, width: number, height: number, seed: number): Canvas {
  const { canvas, ctx } = emptyCanvas(width, height);
  for (const layer of sceneLayers(image, width, height, seed)) {
    ctx.globalCompositeOperation = layer.kind === 'shafts' || layer.kind === 'lightning' ? 'screen' : 'source-over';
    ctx.drawImage(layer.canvas, 0, 0);
  }
  ctx.globalCompositeOperation = 'source-over';
  finish(ctx, width, height, seeded(seed, 'grain'));
  return canvas;
}

/** The place with what is stood on in it, and whether snow lies on things. */
function grounded(
  image: ImagePlan,
  { layers, stage }: { layers: Layer[]; stage: Stage },
  seed: number,
): { layers: Layer[]; stage: Stage } {
  const { width, height } = stage.camera;
  const isSnowed = !isIndoors(image) && (stage.surface === 'snow' || SNOWED.test(image.prompt));
  const snowed = isSnowed ? { ...stage, isSnowed } : stage;
  const { platform } = image;
  if (!platform || isIndoors(image)) return { layers, stage: snowed };
  const floor = drawPlatform(platform, width, height, stage.light, seed);
  return { layers: [...layers, { canvas: floor, depth: 0.7, kind: 'platform' }], stage: onPlatform(platform, snowed) };
}
const SNOWED =
  /\b(?:covered (?:in|with|by) (?:\w+ )?snow|snow-(?:covered|capped|laden)|snowed in|under (?:a blanket of )?snow)\b/i;

const INSIDE: ReadonlySet<ImagePlan['place']> = new Set([
  'room',
  'stage',
  'cave',
  'greenhouse',
  'space',
  'underwater',
  'studio',
] as const);
/** No weather reaches it. */
const isIndoors = ({ place }: ImagePlan): boolean => INSIDE.has(place);

function setting(image: ImagePlan, width: number, height: number, seed: number): { layers: Layer[]; stage: Stage } {
  switch (image.place) {
    case 'space': {
      const light = lightOf({ ...image, time: 'day', weather: 'clear' }, 0.6, seed);
      const cold: Light = {
        ...light,
        ambient: [0.62, 0.64, 0.78],
        key: [0.5, 0.48, 0.46],
        direction: [-0.6, 0.6, -0.3],
      };
      const isRinged = image.subjects.some((s) => s.sprite === 'own:planet');
      const layers = spaceLayers(width, height, image.palette, seed, isRinged);
      const world = WORLDS.find(([name]) => name.test(image.prompt));
      if (!world) return { layers, stage: afloat(width, height, cold) };
      const [, paint] = world;
      layers.push({ canvas: drawDust(width, height, paint, seed), depth: 0.5, kind: 'ground' });
      const camera = cameraOf(width, height, GROUND_Y, 2.4);
      return { layers, stage: { ...afloat(width, height, cold), camera, surface: 'stone', groundTop: 0.74 } };
    }
    case 'underwater': {
      const light = lightOf({ ...image, time: 'day', weather: 'clear' }, 0.6, seed);
      const blue: Light = {
        ...light,
        ambient: [0.46, 0.68, 0.78],
        key: [0.32, 0.44, 0.42],
        haze: [26, 110, 160],
        direction: [0.1, 0.9, -0.3],
      };
      return { layers: underwaterLayers(width, height, seed), stage: { ...afloat(width, height, blue), bed: 0.94 } };
    }
    case 'sky':
      return skyPlace(image, width, height, seed);
    case 'street':
      return streetPlace(image, width, height, seed);
    case 'studio':
      return studioPlace(image, width, height, seed);
    case 'room':
      return roomPlace(image, width, height, seed);
    case 'stage':
    case 'cave':
    case 'greenhouse':
      return hallPlace(image, width, height, seed);
    default:
      return landscape(image, width, height, seed);
  }
}

/** Worlds without air that are stood on, and their dust. */
const WORLDS: readonly (readonly [RegExp, string])[] = [
  [/\bon mars\b|\bmartian\b/i, '#b4603c'],
  [/\bon the moon\b|\blunar\b|\bmoon landing\b/i, '#9a9aa2'],
];

function afloat(width: number, height: number, light: Light): Stage {
  return {
    camera: cameraOf(width, height, 0.6, 2),
    light,
    surface: 'none',
    groundTop: 0.8,
    heightAt: () => 0,
    haze: (paint) => paint,
  };
}

/** Above the clouds: a second, denser sheet of cloud, seen from over it, is the floor. */
function skyPlace(image: ImagePlan, width: number, height: number, seed: number): { layers: Layer[]; stage: Stage } {
  const light = lightOf(image, 0.72, seed);
  const layers = skyLayers(width, height, 0.86, light, seed, image);
  const floor = emptyCanvas(width, height);
  for (const [i, [top, cover]] of (
    [
      [0.5, 1.02],
      [0.34, 1.16],
    ] as const
  ).entries()) {
    const clouds = drawClouds(width, height, 0.98, light, seed + 11 + i, cover);
    floor.ctx.save();
    floor.ctx.translate(0, height);
    floor.ctx.scale(1, -(1 - top) * 0.8);
    floor.ctx.drawImage(clouds, 0, 0);
    floor.ctx.restore();
  }
  layers.push({ canvas: floor.canvas, depth: 0.4, kind: 'clouds' });
  return { layers, stage: afloat(width, height, light) };
}

function streetPlace(image: ImagePlan, width: number, height: number, seed: number): { layers: Layer[]; stage: Stage } {
  const horizonY = 0.52;
  const light = lightOf(image, horizonY, seed);
  const layers = skyLayers(width, height, horizonY, light, seed, image);
  const isNeon = light.time !== 'day' && /\b(?:neon|cyberpunk)\b/i.test(image.prompt);
  layers.push(...drawStreet(width, height, horizonY, light, seed, isNeon));
  const stage: Stage = {
    camera: cameraOf(width, height, horizonY, 2.4),
    light,
    surface: 'stone',
    groundTop: 0.72,
    heightAt: () => 0,
    haze: (paint) => paint,
  };
  return { layers, stage };
}

function roomPlace(image: ImagePlan, width: number, height: number, seed: number): { layers: Layer[]; stage: Stage } {
  const outside: ImagePlan = { ...image, place: 'meadow', subjects: [] };
  const view = emptyCanvas(Math.round(width / 2), Math.round(height / 2));
  const yonder = landscape(outside, view.canvas.width, view.canvas.height, seed);
  for (const layer of yonder.layers) view.ctx.drawImage(layer.canvas, 0, 0);
  const light = yonder.stage.light;
  const { canvas, floorY, sill } = drawRoom(width, height, view.canvas, light, seed, image.prompt);
  const isDark = light.time === 'night' || light.time === 'dusk';
  const indoors: Light = {
    ...light,
    ambient: isDark ? [0.56, 0.46, 0.38] : [0.66, 0.64, 0.62],
    key: isDark ? [0.42, 0.3, 0.16] : light.key,
  };
  const stage: Stage = {
    camera: cameraOf(width, height, 0.5, 2.4),
    light: indoors,
    surface: 'floor',
    groundTop: floorY / height + 0.08,
    sill,
    heightAt: () => 0,
    haze: (paint) => paint,
  };
  return { layers: [{ canvas, depth: 0.4, kind: 'room' }], stage };
}

/** A plain wall and the floor before it. */
function studioPlace(image: ImagePlan, width: number, height: number, seed: number): { layers: Layer[]; stage: Stage } {
  const light = lightOf({ ...image, time: 'day', weather: 'clear' }, 0.6, seed);
  const wall = backdropIn(image.prompt.toLowerCase()) ?? { isBrick: false };
  const canvas = drawStudio(width, height, wall, seeded(seed, 'studio'));
  const within: Light = { ...light, ambient: [0.7, 0.69, 0.7], key: [0.32, 0.3, 0.28] };
  const stage: Stage = {
    camera: cameraOf(width, height, 0.5, 2.4),
    light: within,
    surface: 'floor',
    groundTop: 0.74,
    heightAt: () => 0,
    haze: (paint) => paint,
  };
  return { layers: [{ canvas, depth: 0.4, kind: 'room' }], stage };
}

function hallPlace(image: ImagePlan, width: number, height: number, seed: number): { layers: Layer[]; stage: Stage } {
  const outside = emptyCanvas(Math.round(width / 2), Math.round(height / 2));
  const place = image.place === 'cave' ? 'mountains' : 'garden';
  const yonder = landscape({ ...image, place, subjects: [] }, outside.canvas.width, outside.canvas.height, seed);
  const { light } = yonder.stage;
  if (image.place !== 'stage') for (const layer of yonder.layers) outside.ctx.drawImage(layer.canvas, 0, 0);
  const hall: Hall =
    image.place === 'stage'
      ? drawTheatre(width, height, /\b(?:colou?rful|disco|neon|rock|pop|festival|concert)\b/i.test(image.prompt), seed)
      : image.place === 'cave'
        ? drawCave(width, height, outside.canvas, seed)
        : drawGreenhouse(width, height, outside.canvas, light, seed);
  const within: Light =
    image.place === 'greenhouse' ? light : { ...light, ambient: [0.62, 0.56, 0.58], key: [0.36, 0.32, 0.26] };
  const stage: Stage = {
    camera: cameraOf(width, height, 0.5, 2.4),
    light: within,
    surface: 'floor',
    groundTop: hall.groundTop,
    heightAt: () => 0,
    haze: (paint) => paint,
  };
  return { layers: [{ canvas: hall.canvas, depth: 0.4, kind: 'hall' }], stage };
}

/** Who sits in a room where no seat is named sits on a chair. */
function onChair(subject: Subject, { place, prompt }: ImagePlan): Subject {
  if (subject.act !== 'sit-on-ground' || place !== 'room' || /\b(?:floor|rug|carpet|mat|cross-legged)\b/i.test(prompt))
    return subject;
  const sitter: Subject = { ...subject, act: 'sit', how: 'on' };
  return { word: 'chair', sprite: 'chair', role: 'thing', height: 1.2, count: subject.count, load: [sitter] };
}

/** A lighthouse in the sea stands on a rock of its own, unless the prompt gives it a cliff. */
function onCliff(subject: Subject, { place, prompt }: ImagePlan): Subject {
  if (subject.sprite !== 'lighthouse' || place !== 'sea' || !CLIFF.test(prompt)) return subject;
  return { ...subject, sprite: 'own:lighthouse-on-cliff', size: 'big' };
}

const CLIFF = /\b(cliffs?|rocks|rocky|headland|promontory|bluff|crag)\b/i;

/** What the place grows by itself (trees in a wood, flowers in a garden, the planet of space) is no subject any more. */
function standIns(image: ImagePlan): Subject[] {
  const own = only(image.subjects, (subject) => standsByItself(subject, image));
  return loaded(own).flatMap(apart);
}

/** False for what the place has anyway. */
export function standsByItself(subject: Subject, image: ImagePlan): boolean {
  const { place } = image;
  const { sprite, count } = subject;
  if (subject.on !== undefined || image.subjects.some(({ on }) => on !== undefined && image.subjects[on] === subject))
    return true;
  if (sprite === 'own:planet') return place !== 'space';
  if (sprite === 'palm-tree') return count === 1 && place !== 'beach' && place !== 'jungle';
  if (sprite === 'deciduous-tree' || sprite === 'evergreen-tree') return count === 1 || place === 'room';
  if (sprite === 'cherry-blossom') return place === 'room';
  if (sprite === 'tulip' || sprite === 'hyacinth') return place !== 'field' && place !== 'meadow';
  if (sprite === 'coral') return place !== 'underwater';
  if ((sprite === 'hibiscus' || sprite === 'blossom') && !image.platform)
    return place !== 'garden' && place !== 'meadow' && !(place === 'field' && count > 1);
  return true;
}

function hasShafts({ place }: ImagePlan, { light }: Stage): boolean {
  const isWood = place === 'forest' || place === 'jungle';
  return !INSIDE.has(place) && (isWood || light.weather === 'fog') && light.sun.visible > 0.3 && !light.sun.isMoon;
}

/** What is in the air: only out of doors. */
function airLayers(image: ImagePlan, stage: Stage, width: number, height: number, seed: number): Layer[] {
  const layers: Layer[] = [];
  const { light } = stage;
  const { place } = image;
  if (/\b(?:blow(?:s|ing)?(?: soap)? bubbles|soap bubbles?|bubbles in the (?:air|sky))\b/i.test(image.prompt))
    layers.push({ canvas: drawBubbles(width, height, seed), depth: 0.85, kind: 'bubbles' });
  if (isIndoors(image)) return layers;
  if (light.weather === 'fog')
    layers.push({
      canvas: drawFog(width, height, seed, veilOf(light), stage.camera.horizonY + 0.06),
      depth: 0.8,
      kind: 'fog',
    });
  else if (isSunLow(light) && image.time === 'dawn' && place !== 'sea')
    layers.push({
      canvas: drawFog(width, height, seed, veilOf(light), stage.camera.horizonY + 0.02, 0.22),
      depth: 0.4,
      kind: 'fog',
    });
  if (light.weather === 'rain' || light.weather === 'storm')
    layers.push({ canvas: drawRain(width, height, seed), depth: 0.95, kind: 'weather' });
  if (light.weather === 'snow')
    layers.push({ canvas: drawSnowfall(width, height, seed), depth: 0.95, kind: 'weather' });
  if (/\bfireflies\b/i.test(image.prompt))
    layers.push({ canvas: drawFireflies(width, height, stage.camera.horizonY, seed), depth: 0.9, kind: 'fireflies' });
  return layers;
}
