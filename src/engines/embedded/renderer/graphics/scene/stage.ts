/** Where in a finished place subjects may stand, swim and fly, and in what light. */
import type { Rgb } from '../colour.ts';
import type { Light } from './light.ts';
import type { Surface } from './recipes.ts';
import type { Camera } from './terrain.ts';

/** What a place offers its subjects. `heightAt` is the land’s, in metres; `haze` the air’s over a distance. */
export interface Stage {
  camera: Camera;
  light: Light;
  /** Where what is heavy lies, of a place in which all else floats: a share of the height. */
  bed?: number;
  surface: Surface | 'water' | 'none' | 'floor';
  /** Rows (fractions of the height) between which feet may stand: from here to the lower edge. */
  groundTop: number;
  heightAt(x: number, z: number): number;
  haze(paint: Rgb, metres: number): Rgb;
  /** First and last row of open water. */
  water?: { top: number; bottom: number };
  /** The middle is taken (a river, a road): stand to its sides. */
  sides?: boolean;
  /** Of a window, in pixels: its middle and upper edge, and how wide it is. */
  sill?: { x: number; y: number; wide: number };
  /** Snow lies on what stands there. */
  isSnowed?: boolean;
}
