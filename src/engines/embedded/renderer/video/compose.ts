/**
 * Decides what a video shows from what it was given: a place in motion, an image panned over, images that follow
 * one another, references on cards, and what is in the air before all of it.
 */
import type { Rig, VideoQuery } from '../../../ports/index.ts';
import { smoothstep } from '../graphics/numbers.ts';
import { paintPrompt } from '../graphics/paint.ts';
import type { ImagePlan } from '../graphics/prompt.ts';
import { airOf } from './atmosphere.ts';
import { lidsOf, shutEyed } from './blink.ts';
import { type CameraMoves, readCameraMoves } from './camera-moves.ts';
import { flowing } from './flow.ts';
import { toYuv } from './frame-canvas.ts';
import { panels } from './panels.ts';
import { type AirKind, air } from './particles.ts';
import type { Shape } from './plan.ts';
import { type Painter, type ScenePainter, scenery } from './scenery.ts';
import { readFace, readImage, stillPainter, stillSize } from './stills.ts';
import { readSubject } from './subject.ts';

/** A query with the seed that everything random in it comes from. */
export type SeededVideoQuery = Omit<VideoQuery, 'signal'> & { seed: number };

/** What a video shows and sounds like. */
export interface Composition {
  paint: ScenePainter;
  /** The place to be heard; absent where no scene is shown. */
  heard?: ImagePlan;
  air: AirKind[];
}

/** Decides from query and prompt what a video shows. */
export async function compose(query: SeededVideoQuery, shape: Shape, seconds: number): Promise<Composition> {
  const moves = readCameraMoves(query.prompt, query.seed, seconds);
  const names = (query.references ?? []).flatMap(({ name }) => name ?? []);
  const image = readSubject(query.prompt, names);
  const isScene = !query.image && image.kind === 'scene' && image.words.length === 0 && !image.style;
  const kinds = airOf(query.prompt, image, isScene, query.promptUpsampling !== false);
  const stage = { ...shape, seconds, seed: query.seed, moves, draft: query.draft === true };
  const back = query.image
    ? { paint: await opening(query.image, query.imageRig, stage), horizon: 0.5, shift: undefined }
    : isScene
      ? sceneBack(image, stage)
      : await paintedBack(image, stage);
  const wind = query.seed % 2 ? 1 : -1;
  const options = { ...shape, seed: query.seed, pace: moves.pace, horizon: back.horizon, wind };
  const airs = kinds.map((kind) => air(kind, options));
  const cards = await cardsOf(query, stage);
  const closing = query.lastFrameImage ? await closingOf(query.lastFrameImage, stage) : undefined;
  const paint: ScenePainter = (ctx, t, p) => {
    back.paint(ctx, t, p);
    const shift = back.shift?.(p, t) ?? { x: 0, y: 0 };
    for (const one of airs) one(ctx, t, shift.x, shift.y);
    cards?.(ctx, t, p);
    closing?.(ctx, t, p);
  };
  return { paint, air: kinds, ...(isScene ? { heard: image } : {}) };
}

/** What every painter of a video is given. */
export interface StageOptions extends Shape {
  seconds: number;
  seed: number;
  moves: CameraMoves;
  draft: boolean;
}

interface Back {
  paint: ScenePainter;
  horizon: number;
  shift: ((p: number, t: number) => { x: number; y: number }) | undefined;
}

function sceneBack(image: ImagePlan, options: StageOptions): Back {
  const { paint, stage, shift } = scenery(image, options);
  const hasHorizon = image.place !== 'space' && image.place !== 'underwater';
  return { paint, shift, horizon: hasHorizon ? stage.camera.horizonY : 1 };
}

async function opening(image: Uint8Array, rig: Rig | undefined, options: StageOptions): Promise<Painter> {
  const { width, height, moves, draft, seconds, fps, seed } = options;
  const { open, shut, face } = await readFace(image, 'image', ...stillSize(width, height, draft), rig);
  const blinks = shut && { shut, lids: lidsOf(seconds, fps, seed, 'opening') };
  return stillPainter(open, {
    width,
    height,
    moves,
    role: 'opens',
    ...(blinks ? { blinks } : {}),
    ...(face ? { face } : {}),
  });
}

/** Portraits, still lifes, abstracts and lettering are painted once, then moved as an image. */
async function paintedBack(image: ImagePlan, options: StageOptions): Promise<Back> {
  const { width, height, moves, draft, seed, seconds, fps } = options;
  const [w, h] = stillSize(width, height, draft);
  const { canvas, rig } = paintPrompt(image.prompt, w, h, seed);
  const painted = toYuv(canvas);
  // Beside letters and in a named style the face is not where, or not what, its rig says.
  const face = image.words.length === 0 && !image.style ? rig : undefined;
  const shut = face && shutEyed(painted, face);
  const blinks = shut && { shut, lids: lidsOf(seconds, fps, seed, 'painted') };
  const living = { ...(face ? { face } : {}), ...(blinks ? { blinks } : {}) };
  const still = stillPainter(painted, { width, height, moves, role: 'free', ...living });
  const paint = image.kind === 'abstract' && image.words.length === 0 ? flowing(painted, options) : still;
  return { paint, horizon: 0.5, shift: undefined };
}

/** The references on cards, after an opening frame has been seen alone. */
export async function cardsOf(query: SeededVideoQuery, options: StageOptions): Promise<Painter | undefined> {
  const { references = [] } = query;
  if (references.length === 0) return undefined;
  const after = query.image ? Math.min(1.2, options.seconds * 0.2) : 0.15;
  return panels(references, { ...options, after });
}

/** Share of a video after which its closing frame begins to be seen. */
export const closesFrom = (seconds: number): number => Math.max(0.3, 1 - 3.2 / seconds);

/** Fades in over the last part and stands whole and still in the last frame. */
export async function closingOf(bytes: Uint8Array, options: StageOptions): Promise<Painter> {
  const { width, height, seconds, moves, draft } = options;
  const image = await readImage(bytes, 'lastFrameImage', ...stillSize(width, height, draft));
  const still = stillPainter(image, { width, height, moves: { ...moves, shake: 0 }, role: 'closes' });
  const from = closesFrom(seconds);
  const whole = 1 - Math.min(0.12, 0.5 / seconds);
  return (ctx, t, p) => {
    ctx.globalAlpha = smoothstep(from, whole, p);
    if (ctx.globalAlpha > 0) still(ctx, t, p);
    ctx.globalAlpha = 1;
  };
}
