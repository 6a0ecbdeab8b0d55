/**
 * Land as a height field seen in perspective: each pixel column marches away from the viewer, so crests hide what lies
 * behind, faces turn to or from the sun, and distance fades into the haze. It knows nothing of what grows on it.
 */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import type { Rgb } from '../colour.ts';
import type { Light } from './light.ts';

/** How a scene is seen. */
export interface Camera {
  width: number;
  height: number;
  /** Fraction of the image's height where the horizon lies. */
  horizonY: number;
  /** Metres above the ground plane. */
  eye: number;
  /** Pixels per unit of slope. */
  focal: number;
}

/** A camera for an image of that size in pixels; the other two as in `Camera`. */
export function cameraOf(width: number, height: number, horizonY: number, eye: number): Camera {
  return { width, height, horizonY, eye, focal: Math.max(width * 0.62, height * 0.85) };
}

/** Where the ground plane (or a point `up` metres above it) at distance z appears. */
export const groundY = (camera: Camera, z: number, up = 0): number =>
  camera.horizonY * camera.height + ((camera.eye - up) * camera.focal) / z;

/** A height field between two distances in metres, marched through in `steps`. */
export interface Land {
  near: number;
  far: number;
  steps: number;
  /** Metres above the plane. */
  heightAt(x: number, z: number): number;
  /** Paint before light: slope is 0 for level ground, 1 for a wall. */
  paint(x: number, z: number, h: number, slope: number, out: Float32Array): void;
  /** Metres at which two thirds of the colour is gone in clear air. */
  clearness: number;
}

/** One stretch of land, transparent above its crest. */
export function drawLand(camera: Camera, light: Light, land: Land): Canvas {
  const { width, height } = camera;
  const { canvas, ctx } = emptyCanvas(width, height);
  const image = ctx.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const { steps } = land;
  const depths = new Float32Array(steps + 1);
  for (let i = 0; i <= steps; i++) depths[i] = land.near * (land.far / land.near) ** (i / steps);
  const heights = sampleHeights(camera, land, depths);
  const paint = new Float32Array(3);
  const colour: [number, number, number] = [0, 0, 0];
  for (let x = 0; x < width; x++) {
    let lowest = height;
    let previous: [number, number, number] | undefined;
    for (let i = 0; i <= steps; i++) {
      const z = depths[i] as number;
      const h = heights[i * width + x] as number;
      const top = camera.horizonY * height + ((camera.eye - h) * camera.focal) / z;
      if (top >= lowest) continue;
      shadePoint(camera, light, land, depths, heights, x, i, paint, colour);
      const first = Math.max(0, Math.floor(top));
      const packed = (colour[2] << 16) | (colour[1] << 8) | colour[0];
      // Colours run into each other over the span, else near ground shows the steps of the march as tiles.
      const bottom = Math.min(height, Math.ceil(lowest)) - 1;
      const span = Math.max(1, bottom - first);
      for (let y = bottom; y > first; y--)
        pixels[y * width + x] = 0xff000000 | blend(previous, colour, (bottom - y) / span);
      previous = colour.slice() as [number, number, number];
      // The crest's own pixel is covered in part: that is the antialiasing.
      const at = first * width + x;
      if (top >= 0 && (pixels[at] as number) === 0) pixels[at] = (Math.round((1 - (top - first)) * 255) << 24) | packed;
      else if (top >= 0) pixels[at] = 0xff000000 | packed;
      lowest = Math.max(top, 0);
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}

/** A pixel between two colours. No function is made in here: the build names each as it is made, four times the rest of the land. */
function blend(from: readonly number[] | undefined, to: readonly number[], t: number): number {
  const [r, g, b] = to as [number, number, number];
  if (!from) return (b << 16) | (g << 8) | r;
  const [fromR, fromG, fromB] = from as [number, number, number];
  return (
    (Math.round(fromB + (b - fromB) * t) << 16) |
    (Math.round(fromG + (g - fromG) * t) << 8) |
    Math.round(fromR + (r - fromR) * t)
  );
}

function sampleHeights(camera: Camera, land: Land, depths: Float32Array): Float32Array {
  const { width } = camera;
  const heights = new Float32Array(depths.length * width);
  // Every second column is computed and the ones between interpolated: crests keep their shape, the time halves.
  for (let i = 0; i < depths.length; i++) {
    const z = depths[i] as number;
    const row = i * width;
    for (let x = 0; x < width; x += 2) heights[row + x] = land.heightAt(((x - width / 2) * z) / camera.focal, z);
    for (let x = 1; x < width; x += 2) {
      heights[row + x] =
        ((heights[row + x - 1] as number) + (heights[row + Math.min(width - 2 + (width % 2), x + 1)] as number)) / 2;
    }
  }
  return heights;
}

function shadePoint(
  camera: Camera,
  light: Light,
  land: Land,
  depths: Float32Array,
  heights: Float32Array,
  x: number,
  i: number,
  paint: Float32Array,
  colour: [number, number, number],
): void {
  const { width, focal } = camera;
  const z = depths[i] as number;
  const h = heights[i * width + x] as number;
  const left = Math.max(0, x - 2);
  const right = Math.min(width - 1, x + 2);
  const ahead = Math.min(depths.length - 1, i + 1);
  const behind = Math.max(0, i - 1);
  const dx =
    ((heights[i * width + right] as number) - (heights[i * width + left] as number)) / (((right - left) * z) / focal);
  const dz =
    ((heights[ahead * width + x] as number) - (heights[behind * width + x] as number)) /
    ((depths[ahead] as number) - (depths[behind] as number));
  const length = Math.sqrt(dx * dx + dz * dz + 1);
  const [lx, ly, lz] = light.direction;
  // A little of the sun comes back from all around, or level ground under a low sun would be mud.
  const facing = 0.1 + 0.9 * Math.max(0, (-dx * lx + ly - dz * lz) / length);
  land.paint(((x - width / 2) * z) / focal, z, h, 1 - 1 / length, paint);
  const air = Math.exp((-z * light.hazeDensity) / land.clearness);
  // A sky above lights level ground more than walls.
  const sky = 0.75 + 0.25 / length;
  const haze: Rgb = light.haze;
  for (let c = 0; c < 3; c++) {
    const value =
      (paint[c] as number) * ((light.ambient[c] as number) * sky + (light.key[c] as number) * facing * 1.15);
    colour[c] = Math.min(255, Math.round((haze[c] as number) + (Math.min(255, value) - (haze[c] as number)) * air));
  }
}
