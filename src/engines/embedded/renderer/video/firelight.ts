/** The light of fires and candles in a video: it swells and sinks over what is near, as flames do. It draws no flame. */
import type { ImagePlan } from '../graphics/prompt.ts';
import { seeded } from '../graphics/random.ts';
import type { Stage } from '../graphics/scene/index.ts';
import type { MovingLayer } from './layer-motion.ts';
import type { FrameContext } from './planes-canvas.ts';
import { blaze } from './sprites.ts';
import type { Placement } from './water.ts';

/** Where a flame is, and how far it shines, in pixels of its layer. */
interface Fire {
  x: number;
  y: number;
  reach: number;
  depth: number;
}

const BURNING = /^(candle|jack-o-lantern)$/;
const FIREPLACE = /\b(fire ?places?|hearth|chimney ?piece|open fire|log fire)\b/i;
/** Middle of the illustrator's fireplace, as a share of a room's width. */
const HEARTH_X = 0.82;
const STRENGTH = 0.5;

function firesOf(image: ImagePlan, stage: Stage, movingLayers: readonly MovingLayer[]): Fire[] {
  const candles = movingLayers.flatMap(({ layer: { spot, depth }, inward = { x: 0, y: 0 } }) =>
    spot && BURNING.test(spot.subject.sprite)
      ? [{ x: spot.x + inward.x, y: spot.foot + inward.y - spot.size * 0.8, reach: spot.size * 1.7, depth }]
      : [],
  );
  const room = movingLayers.find(({ layer }) => layer.kind === 'room')?.layer;
  if (!room || !FIREPLACE.test(image.prompt)) return candles;
  const { width, height } = room.canvas;
  const hearth = { x: HEARTH_X * width, y: (stage.groundTop - 0.14) * height, reach: height * 0.46, depth: room.depth };
  return [hearth, ...candles];
}

/** Undefined where nothing burns. @param placed where a layer of a depth lies at that moment */
export function firelight(
  image: ImagePlan,
  stage: Stage,
  movingLayers: readonly MovingLayer[],
  seed: number,
): ((ctx: FrameContext, t: number, placed: (depth: number) => Placement) => void) | undefined {
  const random = seeded(seed, 'firelight');
  const fires = firesOf(image, stage, movingLayers).map((fire) => ({ ...fire, phase: random() * 6.283 }));
  if (fires.length === 0) return undefined;
  const shine = blaze();
  return (ctx, t, placed) => {
    for (const { x, y, reach, depth, phase } of fires) {
      const flicker =
        0.5 + 0.2 * Math.sin(t * 7.3 + phase) + 0.18 * Math.sin(t * 12.7 + phase * 2) + 0.12 * Math.sin(t * 21.1);
      const { x: left, y: top, scale } = placed(depth);
      const r = reach * scale * (0.94 + 0.06 * flicker);
      ctx.globalAlpha = STRENGTH * Math.max(0, flicker);
      ctx.drawImage(shine, left + x * scale - r, top + y * scale - r, r * 2, r * 2);
    }
    ctx.globalAlpha = 1;
  };
}
