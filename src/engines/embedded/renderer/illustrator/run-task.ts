/** Does one task of the illustrator from start to encoded bytes. Called in its thread; tests call it directly. */

import type { Rig } from '../../../ports/index.ts';
import { type Canvas, emptyCanvas } from '../graphics/canvas.ts';
import { editFaces } from '../graphics/edit/apply.ts';
import { blur } from '../graphics/edit/pixels.ts';
import { readEdits } from '../graphics/edit/read.ts';
import { rigOfPart } from '../graphics/edit/rig-after-edit.ts';
import { decodeImage, encodeImage } from '../graphics/image-files.ts';
import { paintPrompt } from '../graphics/paint.ts';
import { editSize, type Size } from '../graphics/sizes.ts';
import { type Drawing, type DrawingStep, redrawn, withStep } from './drawing.ts';
import type { Outcome, Task } from './task.ts';

interface Painted {
  canvas: Canvas;
  rig?: Rig | undefined;
}

/** Throws badInput for images that cannot be decoded, words that cannot be set and edits that cannot be done. */
export async function runTask(task: Task): Promise<Outcome> {
  if (task.kind === 'generate') {
    const { prompt, width, height, seed } = task;
    return outcomeOf(paintPrompt(prompt, width, height, seed), { prompt, width, height, seed, steps: [] });
  }
  const { images, aspectRatio, seed, drawing: drawn } = task;
  const edits = readEdits(task.prompt, images.length, drawn !== undefined);
  const changed = drawn && redrawn(drawn, edits);
  const drawing = changed ?? drawn;
  // What is drawn otherwise is in the drawing already, and no step.
  const step = {
    edits: edits.filter(({ op }) => op !== 'rework' && op !== 'reword'),
    seed,
    ...(aspectRatio === undefined ? {} : { aspectRatio }),
  };
  const anew = changed && drawAnew(changed);
  const inputs = anew ? [anew.canvas] : await Promise.all(images.map((image) => decodeImage(image)));
  return outcomeOf(edited(inputs, step, anew ? anew.rig : task.rig), drawing && withStep(drawing, step));
}

async function outcomeOf({ canvas, rig }: Painted, drawing: Drawing | undefined): Promise<Outcome> {
  const { width, height } = canvas;
  return { image: await encodeImage(canvas), width, height, ...(rig ? { rig } : {}), ...(drawing ? { drawing } : {}) };
}

/** Draws an image again, from its prompt through all its edits. */
function drawAnew({ prompt, words, changes, width, height, seed, steps }: Drawing): Painted {
  const painted: Painted = paintPrompt(prompt, width, height, seed, words, changes);
  return steps.reduce((one, step) => edited([one.canvas], step, one.rig), painted);
}

function edited(inputs: Canvas[], { edits, aspectRatio, seed }: DrawingStep, face: Rig | undefined): Painted {
  const size = editSize(inputs, aspectRatio);
  const isFixed = aspectRatio !== undefined && aspectRatio !== 'match_input_image';
  const isJoined = edits.some((edit) => edit.op === 'collage');
  const prepared = inputs.map((input, i) =>
    isFixed && !isJoined ? covered(input, size) : i === 0 || isFixed ? resized(input, size) : input,
  );
  const known = face && (isFixed && !isJoined ? fittedRig(face, inputs[0] as Canvas, size, 'max') : face);
  const { image, rig } = editFaces(prepared, edits, seed, known);
  if (!isFixed) return { canvas: image, rig };
  return { canvas: contained(image, size), rig: rig && fittedRig(rig, image, size, 'min') };
}

/** The rig of an image that covers a size ('max') or stands whole in it ('min'), in the middle. */
function fittedRig(rig: Rig, from: Size, { width, height }: Size, by: 'max' | 'min'): Rig | undefined {
  const k = Math[by](width / from.width, height / from.height);
  const [w, h] = [width / k, height / k];
  return rigOfPart(rig, from, { x: (from.width - w) / 2, y: (from.height - h) / 2, w, h });
}

/** The input at the working size, whole: with a fixed ratio and a collage to come only its own proportions count. */
function resized(input: Canvas, size: Size): Canvas {
  const k = Math.max(size.width / input.width, size.height / input.height);
  if (k === 1) return input;
  const { canvas, ctx } = emptyCanvas(input.width * k, input.height * k);
  ctx.drawImage(input, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function covered(input: Canvas, size: Size): Canvas {
  const { canvas, ctx } = emptyCanvas(size.width, size.height);
  const k = Math.max(size.width / input.width, size.height / input.height);
  ctx.drawImage(
    input,
    (size.width - input.width * k) / 2,
    (size.height - input.height * k) / 2,
    input.width * k,
    input.height * k,
  );
  return canvas;
}

/** The result in a fixed ratio, nothing cut off: what is left over is filled with its own blurred edge. */
function contained(edited: Canvas, size: Size): Canvas {
  if (edited.width === size.width && edited.height === size.height) return edited;
  const k = Math.min(size.width / edited.width, size.height / edited.height);
  const ground = blur(covered(edited, size), 0.03);
  const ctx = ground.getContext('2d');
  ctx.drawImage(
    edited,
    (size.width - edited.width * k) / 2,
    (size.height - edited.height * k) / 2,
    edited.width * k,
    edited.height * k,
  );
  return ground;
}
