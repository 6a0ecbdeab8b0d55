/** Carries out operations read from an edit prompt on one to five images, and joins them when asked. */
import type { Rig } from '../../../../ports/index.ts';
import { type Canvas } from '../canvas.ts';
import { checkGlyphs } from '../lettering/index.ts';
import { crop, flip, frame, rotate } from './crop-and-turn.ts';
import { blurBackground } from './focus.ts';
import { blend, collage } from './join.ts';
import { addSubject, caption, weather } from './overlays.ts';
import * as strokes from './painting-styles.ts';
import * as px from './pixels.ts';
import { rigAfter } from './rig-after-edit.ts';
import type { Edit } from './rules.ts';

/** Applies the operations in order: to every image until they are joined, to the one image after. Deterministic for a seed. */
export function applyEdits(images: Canvas[], edits: readonly Edit[], seed: number): Canvas {
  return editFaces(images, edits, seed, undefined).image;
}

/** As `applyEdits`. @param rig the first image's face, when known: what comes back is where it is afterwards */
export function editFaces(
  images: Canvas[],
  edits: readonly Edit[],
  seed: number,
  rig: Rig | undefined,
): { image: Canvas; rig: Rig | undefined } {
  checkGlyphs(edits.flatMap((edit) => (edit.op === 'caption' ? [edit.words] : [])));
  let current = images;
  let face = rig;
  for (const edit of edits) {
    const before = current[0] as Canvas;
    // The caller has drawn the image anew with these words already, so there is nothing left to do here.
    if (edit.op === 'reletter' || edit.op === 'rework' || edit.op === 'reword') continue;
    if (edit.op === 'collage' || edit.op === 'blend') {
      if (current.length === 1) continue;
      current = [edit.op === 'collage' ? collage(current, edit.kind) : blend(current)];
      face = undefined;
      continue;
    }
    current = current.map((image, i) => applyOne(image, edit, seed + i, face));
    face &&= rigAfter(face, edit, before, current[0] as Canvas);
  }
  return { image: current[0] as Canvas, rig: face };
}

function applyOne(
  image: Canvas,
  edit: Exclude<Edit, { op: 'collage' | 'blend' | 'reletter' | 'rework' | 'reword' }>,
  seed: number,
  rig?: Rig,
): Canvas {
  switch (edit.op) {
    case 'grey':
      return px.toGrey(image);
    case 'sepia':
      return px.sepia(image);
    case 'sketch':
      return strokes.sketch(image);
    case 'invert':
      return px.invert(image);
    case 'posterize':
      return px.posterize(px.saturate(image, 1.3), 5);
    case 'cartoon':
      return strokes.cartoon(image);
    case 'painting':
      return px.saturate(strokes.paintStrokes(image, 0.006), 1.12);
    case 'vignette':
      return px.vignette(image);
    case 'night':
      return px.nightGrade(image);
    case 'golden':
      return px.goldenGrade(image);
    case 'sharpen':
      return px.sharpen(image);
    case 'pixelate':
      return px.pixelate(image);
    case 'blurBackground':
      return blurBackground(image, rig);
    case 'blur':
      return px.blur(image, 0.011 * edit.amount);
    case 'brighten':
      return px.brighten(image, edit.amount);
    case 'contrast':
      return px.stretchContrast(image, edit.amount);
    case 'saturate':
      return px.saturate(image, edit.amount);
    case 'warm':
      return px.warm(image, edit.amount);
    case 'tint':
      return px.tint(image, edit.colour);
    case 'crop':
      return crop(image, edit.region);
    case 'rotate':
      return rotate(image, edit.degrees);
    case 'flip':
      return flip(image, edit.axis);
    case 'frame':
      return frame(image, edit);
    case 'caption':
      return caption(image, edit);
    case 'weather':
      return weather(image, edit, seed);
    case 'add':
      return addSubject(image, edit, seed);
  }
}
