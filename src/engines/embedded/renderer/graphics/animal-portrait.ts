/**
 * Portraits of animals: the head of the art in the fur that is named, in clothes, with a rig that lets it speak. What it
 * wears is read as a person's is.
 */
import type { Rig } from '../../../ports/index.ts';
import { headOf } from './animal-heads.ts';
import { drawStill, lighter } from './art/index.ts';
import type { Canvas } from './canvas.ts';
import { describePerson, lookOf } from './portrait/index.ts';
import type { ImagePlan } from './prompt.ts';

export function paintBust(image: ImagePlan, width: number, height: number, seed: number): { canvas: Canvas; rig: Rig } {
  const [subject] = image.subjects.filter(({ sprite }) => headOf(sprite));
  const { beast, fur } = headOf(subject?.sprite ?? '') ?? { beast: 'cat' };
  const traits = describePerson(image.prompt, seed);
  // Animals wear glasses where they are said to, or their calling has some; chance gives them none.
  const glasses = SIGHTED.test(image.prompt) ? traits.glasses : 'none';
  const worn = lookOf({ ...traits, species: 'ghost', glasses }, seed);
  const skin = subject?.colour ? lighter(subject.colour, subject.colour === '#1d1e22' ? 0.12 : 0.03) : fur;
  const { skin: _ghostly, ...look } = worn;
  const eyes = GLOWS[beast] ?? look.eyes;
  return drawStill({ ...look, head: beast, eyes, ...(skin ? { skin } : {}) }, width, height);
}

const SIGHTED =
  /\b(?:(?:eye|sun)?glasses|spectacles|bespectacled|monocle|goggles|shades|aviators|eye ?patch|professors?|teachers?|librarians?|scholars?|scientists?|pirates?)\b/i;
/** What is in the sockets of those without eyes. */
const GLOWS: Readonly<Record<string, string>> = { skull: '#8fe3ff', pumpkin: '#ffd84a' };
