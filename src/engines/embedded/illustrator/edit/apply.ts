/** Carries out operations read from an edit prompt on one to five pictures, and joins them when asked. */
import type { Rig } from '../../../ports.ts';
import { type Canvas } from '../canvas.ts';
import { checkGlyphs } from '../lettering/index.ts';
import { blurBackground } from './focus.ts';
import { blend, collage } from './join.ts';
import * as px from './pixels.ts';
import { addSubject, caption, weather } from './place.ts';
import { rigAfter } from './rig.ts';
import type { Edit } from './rules.ts';
import { crop, flip, frame, rotate } from './shape.ts';
import * as strokes from './strokes.ts';

/** Applies the operations in order: to every picture until they are joined, to the one picture after. Deterministic for a seed. */
export function applyEdits(pictures: Canvas[], edits: readonly Edit[], seed: number): Canvas {
  return editFaces(pictures, edits, seed, undefined).picture;
}

/** As `applyEdits`. @param rig the first picture's face, when known: what comes back is where it is afterwards */
export function editFaces(
  pictures: Canvas[],
  edits: readonly Edit[],
  seed: number,
  rig: Rig | undefined,
): { picture: Canvas; rig: Rig | undefined } {
  checkGlyphs(edits.flatMap((edit) => (edit.op === 'caption' ? [edit.words] : [])));
  let current = pictures;
  let face = rig;
  for (const edit of edits) {
    const before = current[0] as Canvas;
    if (edit.op === 'collage' || edit.op === 'blend') {
      if (current.length === 1) continue;
      current = [edit.op === 'collage' ? collage(current, edit.kind) : blend(current)];
      face = undefined;
      continue;
    }
    current = current.map((picture, i) => applyOne(picture, edit, seed + i, face));
    face &&= rigAfter(face, edit, before, current[0] as Canvas);
  }
  return { picture: current[0] as Canvas, rig: face };
}

function applyOne(picture: Canvas, edit: Exclude<Edit, { op: 'collage' | 'blend' }>, seed: number, rig?: Rig): Canvas {
  switch (edit.op) {
    case 'grey':
      return px.toGrey(picture);
    case 'sepia':
      return px.sepia(picture);
    case 'sketch':
      return strokes.sketch(picture);
    case 'invert':
      return px.invert(picture);
    case 'posterize':
      return px.posterize(px.saturate(picture, 1.3), 5);
    case 'cartoon':
      return strokes.cartoon(picture);
    case 'painting':
      return px.saturate(strokes.paintStrokes(picture, 0.006), 1.12);
    case 'vignette':
      return px.vignette(picture);
    case 'night':
      return px.nightGrade(picture);
    case 'golden':
      return px.goldenGrade(picture);
    case 'sharpen':
      return px.sharpen(picture);
    case 'pixelate':
      return px.pixelate(picture);
    case 'blurBackground':
      return blurBackground(picture, rig);
    case 'blur':
      return px.blur(picture, 0.011 * edit.amount);
    case 'brighten':
      return px.brighten(picture, edit.amount);
    case 'contrast':
      return px.stretchContrast(picture, edit.amount);
    case 'saturate':
      return px.saturate(picture, edit.amount);
    case 'warm':
      return px.warm(picture, edit.amount);
    case 'tint':
      return px.tint(picture, edit.colour);
    case 'crop':
      return crop(picture, edit.region);
    case 'rotate':
      return rotate(picture, edit.degrees);
    case 'flip':
      return flip(picture, edit.axis);
    case 'frame':
      return frame(picture, edit);
    case 'caption':
      return caption(picture, edit);
    case 'weather':
      return weather(picture, edit, seed);
    case 'add':
      return addSubject(picture, edit, seed);
  }
}
