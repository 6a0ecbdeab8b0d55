/** Reading a plane between its pixels. */

/** Bilinear sample at pixel coordinates (0 is the centre of the first pixel); outside, the edge goes on. */
export function sample(plane: Uint8Array, width: number, height: number, x: number, y: number): number {
  const cx = x < 0 ? 0 : Math.min(x, width - 1.001);
  const cy = y < 0 ? 0 : Math.min(y, height - 1.001);
  const column = cx | 0;
  const row = cy | 0;
  const fx = cx - column;
  const fy = cy - row;
  const at = row * width + column;
  const top = (plane[at] as number) * (1 - fx) + (plane[at + 1] as number) * fx;
  const bottom = (plane[at + width] as number) * (1 - fx) + (plane[at + width + 1] as number) * fx;
  return top + (bottom - top) * fy;
}
