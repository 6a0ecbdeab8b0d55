/**
 * Portraits as layers of art: a look (plain data) becomes a still and its rig, and later, of the rig alone, every frame
 * of a video. Knows nothing of prompts (the illustrator reads them) or of sounds (the talking head does).
 */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import type { Rig } from '../../../../ports/index.ts';
import { paintFrame, REST } from './compose.ts';
import { layersOf } from './layers.ts';
import type { Look } from './look.ts';
import { rigOf } from './portrait-rig.ts';

export { BEASTS } from './beasts.ts';
export { type Box, movingBoxes, type Pose, paintFrame, REST } from './compose.ts';
export { type Act, type Figure, paintFigure, seatedShare } from './figure.ts';
export { type Layers, layersOf } from './layers.ts';
export { isLook, type Look, type Motif, type Worn } from './look.ts';
export { lighter } from './tint.ts';

/** A look at rest as an image, and its rig. */
export function drawStill(look: Look, width: number, height: number): { canvas: Canvas; rig: Rig } {
  const layers = layersOf(look, width, height);
  const canvas = createCanvas(width, height);
  paintFrame(canvas.getContext('2d'), layers, REST);
  return { canvas, rig: rigOf(layers) };
}
