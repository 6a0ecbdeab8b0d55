/**
 * A scene in motion: the illustrator's layers shifted by their depth before a moving camera, with drifting clouds,
 * living water, swaying trees, lights that flicker and subjects that move.
 */
import type { Canvas } from '../graphics/canvas.ts';
import type { ImagePlan } from '../graphics/prompt.ts';
import { seeded } from '../graphics/random.ts';
import { type Spot, type Stage, sceneParts } from '../graphics/scene/index.ts';
import { drawLightning } from '../graphics/scene/weather.ts';
import { type CameraMoves, poseAt } from './camera-moves.ts';
import { firelight } from './firelight.ts';
import { drawMoving, LAYER_MOTIONS, type MovingLayer } from './layer-motion.ts';
import type { FrameContext, SceneContext } from './planes-canvas.ts';
import {
  type Box,
  hideCovered,
  merged,
  type PreparedLayer,
  preparedLayer,
  type SceneLayer,
} from './prepared-layers.ts';
import { plain } from './sprites.ts';
import { subjectMotion } from './subject-motion.ts';
import { gleams, type Placement, SWING } from './water.ts';

/** Draws one moment in YUV: second `t`, share `p` of the video. */
export type Painter = (ctx: FrameContext, t: number, p: number) => void;
/** The same of what only frames in planes can show. */
export type ScenePainter = (ctx: SceneContext, t: number, p: number) => void;

/** A scene that can be painted frame by frame. */
export interface Scenery {
  paint: ScenePainter;
  stage: Stage;
  /** How far the camera has gone at share `p`, in pixels of the frame: particles in the air shift by it. */
  shift(p: number, t: number): { x: number; y: number };
}

/** Size, length and chances of a scene. */
export interface SceneryOptions {
  width: number;
  height: number;
  seconds: number;
  seed: number;
  moves: CameraMoves;
  draft: boolean;
}

/** Pixels a layer may have: more would take longer to paint than it gains in sharpness. */
const LAYER_PIXELS = { usual: 1_150_000, large: 1_700_000, draft: 420_000 };
/** Painted anew as particles, or not at all. */
const REPLACED = new Set(['weather', 'fireflies', 'bubbles']);
/** Layers that do not stay where they are hide nothing for certain. */
const LOOSE = new Set(['clouds', 'fog', 'aurora', 'water', 'foam', 'shafts', 'rays', 'glow']);

export function scenery(image: ImagePlan, options: SceneryOptions): Scenery {
  const { width, height, moves, seed, seconds } = options;
  const overscan = 1 + 2 * moves.reach;
  const most = options.draft
    ? LAYER_PIXELS.draft
    : height * width > 1_200_000
      ? LAYER_PIXELS.large
      : LAYER_PIXELS.usual;
  const k = Math.min(1, Math.sqrt(most / (width * height * overscan * overscan))) * overscan;
  const [w, h] = [Math.round(width * k), Math.round(height * k)];
  const { layers, stage } = partsOf(image, w, h, seed);
  const kept = layers.filter(({ kind }) => !REPLACED.has(kind));
  const prepared = merged(kept, isPlain).flatMap((layer) => preparedLayer(layer) ?? []);
  // Water's bands swing aside: they hide what is behind them only where the frame's edge is farther off than that.
  const isWide = moves.reach * 0.45 * width > SWING * (height / 720);
  hideCovered(
    prepared,
    (one) => isFixed(one) || (isWide && one.kind === 'water'),
    h * (moves.reach + moves.closer * 0.5 + 0.01),
  );
  const movingLayers = prepared.map((layer): MovingLayer => {
    if (layer.spot) {
      const inward = inwards(layer.spot, layer.box, w, h, overscan * (1 + moves.closer * 0.8));
      return { layer, inward, motion: subjectMotion(layer.spot, image.prompt, moves.pace, seconds, w, seed) };
    }
    if (layer.covers) return { layer, gleams: gleams(stage.light, layer, layer.covers, seed) };
    return { layer };
  });
  const flash = flashes(seed, seconds);
  const glare = plain([226, 230, 255]);
  const fires = firelight(image, stage, movingLayers, seed);
  const base = overscan * (width / w);

  function placed(depth: number, p: number, t: number): Placement {
    const pose = poseAt(moves, p, t);
    const scale = base * (1 + moves.closer * pose.near * (0.3 + 0.7 * depth));
    const far = 0.1 + 0.9 * depth;
    return {
      x: (width - w * scale) / 2 - pose.x * moves.reach * far * width,
      y: (height - h * scale) / 2 - pose.y * moves.reach * far * height,
      scale,
    };
  }

  return {
    stage,
    shift(p, t) {
      const pose = poseAt(moves, p, t);
      return { x: pose.x * moves.reach * width, y: pose.y * moves.reach * height };
    },
    paint(ctx, t, p) {
      for (const moving of movingLayers) {
        const at = placed(moving.layer.depth, p, t);
        drawMoving(ctx, moving, at, { t, p, width, height, pace: moves.pace, flash: flash(t) });
      }
      fires?.(ctx, t, (depth) => placed(depth, p, t));
      const light = flash(t);
      if (light > 0.02 && image.weather === 'storm') {
        ctx.globalAlpha = 0.3 * light;
        ctx.drawImage(glare, 0, 0, width, height);
        ctx.globalAlpha = 1;
      }
    },
  };
}

/** Moves with the camera alone. */
const isPlain = ({ kind, spot }: SceneLayer): boolean => !spot && !(kind in LAYER_MOTIONS);

const isFixed = ({ kind, spot }: PreparedLayer): boolean => !spot && !LOOSE.has(kind);

/** A storm's bolt is hung in afterwards: painted with the scene it would stand mirrored in the water all the time. */
function partsOf(image: ImagePlan, w: number, h: number, seed: number): ReturnType<typeof sceneParts> {
  if (image.weather !== 'storm') return sceneParts(image, w, h, seed);
  const parts = sceneParts({ ...image, weather: 'rain' }, w, h, seed);
  // Figures are drawn moment by moment: darkened would be the first of them alone.
  for (const { canvas, cycle } of parts.layers) if (!cycle) darken(canvas);
  const behind = parts.layers.findIndex(({ kind }) => kind === 'clouds') + 1;
  const canvas = drawLightning(w, h, parts.stage.camera.horizonY, seed);
  if (behind > 0) parts.layers.splice(behind, 0, { canvas, depth: 0.07, kind: 'lightning' });
  return parts;
}

/** Rain's grey day becomes a storm's. */
function darken(canvas: Canvas): void {
  const ctx = canvas.getContext('2d');
  ctx.globalCompositeOperation = 'source-atop';
  ctx.fillStyle = 'rgba(14,18,38,.46)';
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.globalCompositeOperation = 'source-over';
}

/**
 * Subjects were arranged on a layer larger than the frame: they are brought together by as much as the frame is smaller,
 * and wholly inside it. Only what hangs in the air may be moved up or down.
 */
function inwards({ mode }: Spot, box: Box, w: number, h: number, overscan: number): { x: number; y: number } {
  const [x, y] = [box.x + box.w / 2, box.y + box.h / 2];
  const into = (at: number, size: number, all: number) => {
    const room = Math.max(0, all / overscan - size) / 2;
    const wanted = (at - all / 2) / overscan;
    return all / 2 + Math.min(room, Math.max(-room, wanted)) - at;
  };
  const isAloft = mode === 'fly' || mode === 'float';
  return { x: into(x, box.w, w), y: isAloft ? into(y, box.h, h) : 0 };
}

/** Lightning: a few double flashes, 0 to 1, fading fast. */
function flashes(seed: number, seconds: number): (t: number) => number {
  const random = seeded(seed, 'flashes');
  const times: number[] = [];
  for (let at = 0.35 + random() * 0.6; at < seconds; at += 1.4 + random() * 2.4) times.push(at, at + 0.16);
  return (t) => times.reduce((most, at) => (t < at ? most : Math.max(most, Math.exp(-(t - at) * 7))), 0);
}
