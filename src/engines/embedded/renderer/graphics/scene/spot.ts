/** One subject at its place in a scene, and which way it looks. */
import type { Subject } from '../prompt.ts';

/** Where one subject is, and how. */
export interface Spot {
  subject: Subject;
  /** Centre and foot in pixels. */
  x: number;
  foot: number;
  /** Visible height in pixels. */
  size: number;
  mode: 'stand' | 'swim' | 'fly' | 'float';
  flip: boolean;
  tilt: number;
  /** Its number among subjects of the same noun, from 0. */
  nth: number;
}

/** Sprites that look to the right in the emoji set; the others look left. */
export const FACES_RIGHT: ReadonlySet<string> = new Set([
  'duck',
  'swan',
  'automobile',
  'bird',
  'black-bird',
  'person-rowing-boat',
  'motor-boat',
  'fish',
  'goose',
  'penguin',
  'black-cat',
]);
/** Which way a subject looks as it is drawn: needed to move it. */
export const facesRight = (spot: Spot): boolean => FACES_RIGHT.has(spot.subject.sprite) !== spot.flip;
