/**
 * Portraits by the embedded illustrator: a text becomes a person, an image and the rig a talking head needs. It uses
 * no model and no photograph: art of layers is chosen, coloured and put together, the same for the same text.
 */
import type { Canvas } from '@napi-rs/canvas';
import type { Rig } from '../../../../ports/index.ts';
import { drawStill } from '../art/index.ts';
import { describePerson } from './describe.ts';
import { lookOf } from './look.ts';
import { seedOf } from './random.ts';
import type { PersonTraits } from './traits.ts';

export { describePerson } from './describe.ts';
export { lookOf } from './look.ts';
export type { PersonTraits } from './traits.ts';

/** How a portrait is drawn. */
export interface PortraitOptions {
  /** Pixels, 64..4096 a side. */
  width: number;
  height: number;
  /** Default: derived from the text, so that the same text gives the same person. */
  seed?: number;
}

/** A drawn portrait, and where its face is. */
export interface Portrait {
  /** JPEG, quality 92. */
  image: Uint8Array;
  mediaType: string;
  rig: Rig;
  traits: PersonTraits;
}

/** A person of traits as an image and its rig. Deterministic: same traits, size and seed, same bytes. */
export function drawPortrait(
  traits: PersonTraits,
  { width, height, seed }: Required<PortraitOptions>,
): { canvas: Canvas; rig: Rig } {
  return drawStill(lookOf(traits, seed), width, height);
}

/** Reads the text (a prompt, or a name and personality) and draws that person. */
export async function portraitFor(text: string, options: PortraitOptions): Promise<Portrait> {
  const seed = options.seed ?? seedOf(text.trim().toLowerCase());
  const traits = describePerson(text, seed);
  const { canvas, rig } = drawPortrait(traits, { width: options.width, height: options.height, seed });
  const image = await canvas.encode('jpeg', 92);
  return {
    image: new Uint8Array(image.buffer, image.byteOffset, image.byteLength),
    mediaType: 'image/jpeg',
    rig,
    traits,
  };
}
