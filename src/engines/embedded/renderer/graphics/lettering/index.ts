/**
 * Lettering: the words of a prompt set into an image, whole and legible, on the thing the prompt names (neon, sign,
 * poster, card, slate ...) or over the painting itself. Refuses characters no font has; never drops or changes a word.
 */
import { badInput } from '../../../../ports/errors.ts';
import type { ImagePlan } from '../prompt.ts';
import { seeded } from '../random.ts';
import type { Lettering } from '../vocabulary.ts';

import { type Face, missingGlyphs } from './fonts.ts';
import type { Lettered, PaintBase } from './lettering-task.ts';
import { LETTERING_STYLES } from './styles.ts';

export type { Lettered, PaintBase } from './lettering-task.ts';

const FACES: Record<Lettering, [Face, Face]> = {
  neon: ['hand', 'plain'],
  chalk: ['hand', 'hand'],
  wedding: ['elegantItalic', 'elegant'],
  logo: ['plain', 'plain'],
  poster: ['poster', 'plain'],
  book: ['elegant', 'plain'],
  banner: ['elegant', 'plain'],
  sign: ['plain', 'plain'],
  handwritten: ['hand', 'hand'],
  caption: ['plain', 'plain'],
};

/** Throws badInput('prompt', ...) naming characters that cannot be set. Call before anything is charged or drawn. */
export function checkGlyphs(words: readonly string[], field = 'prompt'): void {
  // Every face falls back to the plain one, so that one decides.
  const missing = [
    ...new Set(
      words.flatMap((text) => missingGlyphs(text, 'hand').filter((c) => missingGlyphs(c, 'elegant').length > 0)),
    ),
  ];
  if (missing.length > 0) {
    const shown = missing.slice(0, 12).join(' ');
    throw badInput(
      field,
      `asks for characters that our typefaces do not have: ${shown}. Latin, Greek and Cyrillic letters can be drawn.`,
    );
  }
}

/** Paints an image whose point is its words. */
export function paintLettering(
  image: ImagePlan,
  width: number,
  height: number,
  seed: number,
  paintBase: PaintBase,
): Lettered {
  checkGlyphs(image.words);
  const random = seeded(seed, 'lettering');
  const paintWords = LETTERING_STYLES[image.lettering];
  return paintWords({ image, width, height, random, paintBase, faces: facesFor(image) });
}

/** The prompt may ask for a hand other than the surface's own. */
function facesFor(image: ImagePlan): [Face, Face] {
  const text = image.prompt.toLowerCase();
  if (/\b(hand-?written|handwriting|cursive|script|brush)\b/.test(text)) return ['hand', 'hand'];
  if (/\b(elegant|serif|classic|classy|fancy|luxur\w+|vintage)\b/.test(text)) return ['elegant', 'elegant'];
  if (/\b(bold|block letters|heavy|impact|huge letters)\b/.test(text)) return ['poster', 'plain'];
  return FACES[image.lettering];
}
