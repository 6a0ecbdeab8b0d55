/**
 * One image from one prompt: reads it, chooses the painter, letters it and applies a named style of painting. Runs
 * wherever it is called; `index.ts` calls it in a thread.
 */
import type { Rig } from '../../../ports/index.ts';
import { paintAbstract } from './abstract.ts';
import { paintBust } from './animal-portrait.ts';
import type { Canvas } from './canvas.ts';
import { applyStyle } from './edit/painting-styles.ts';
import { reworkedPlan } from './edit/rework.ts';
import type { Change } from './edit/rules.ts';
import { type Lettered, paintLettering } from './lettering/index.ts';
import { paintObject } from './object.ts';
import { describePerson, drawPortrait } from './portrait/index.ts';
import { type ImagePlan, readPrompt } from './prompt.ts';
import { hashText } from './random.ts';
import { paintScene } from './scene/index.ts';

/** A painted image. */
export interface Painting {
  canvas: Canvas;
  image: ImagePlan;
  /** Where the face is, for portraits. */
  rig?: Rig;
  /** The lines that were lettered. */
  lines?: Lettered['lines'];
}

/** The seed of a prompt that brings none. */
const seedOf = (prompt: string): number => hashText(prompt.trim().toLowerCase());

/**
 * Paints a prompt at a size. The same prompt, size and seed give the same pixels. Throws badInput('prompt', ...) for
 * words no typeface can set. @param words to letter instead of the prompt's.
 * @param changes of what the prompt has to be seen, in order
 */
export function paintPrompt(
  prompt: string,
  width: number,
  height: number,
  seed = seedOf(prompt),
  words?: string[],
  changes: readonly Change[] = [],
): Painting {
  const asked = changes.reduce((plan, change) => reworkedPlan(plan, change) ?? plan, readPrompt(prompt));
  const image = { ...asked, ...(words ? { words } : {}) };
  let rig: Rig | undefined;
  const paintBase = (what: ImagePlan, w: number, h: number): Canvas => {
    if (what.kind === 'scene') return paintScene(what, w, h, seed);
    if (what.kind === 'object') return paintObject(what, w, h, seed);
    if (what.kind === 'abstract') return paintAbstract(what, w, h, seed);
    const portrait =
      what.kind === 'bust'
        ? paintBust(what, w, h, seed)
        : drawPortrait(describePerson(what.prompt, seed), { width: w, height: h, seed });
    rig = portrait.rig;
    return portrait.canvas;
  };
  // A logo is one without words, too.
  const isLogo = image.lettering === 'logo' && (image.kind === 'scene' || image.kind === 'object');
  if (image.words.length > 0 || isLogo) {
    const { canvas, lines } = paintLettering(image, width, height, seed, paintBase);
    return { canvas, lines, image, ...rigIn(withoutLook(rig)) };
  }
  const canvas = paintBase(image, width, height);
  if (!image.style) return { canvas, image, ...rigIn(rig) };
  return { canvas: applyStyle(canvas, image.style), image, ...rigIn(withoutLook(rig)) };
}

const rigIn = (rig: Rig | undefined): Pick<Painting, 'rig'> => (rig ? { rig } : {});

/** In a named style, or beside letters, a portrait is no longer what its look says. */
function withoutLook(rig: Rig | undefined): Rig | undefined {
  if (!rig) return undefined;
  const { look: _drawn, ...rest } = rig;
  return rest;
}
