/** Snow that lies on what stands in it. */
import { type Canvas, emptyCanvas } from '../canvas.ts';
import { smoothstep } from '../numbers.ts';

/** A drawing with snow on all that looks up, deepest where it is level. */
export function snowCovered(drawing: Canvas, tall: number): Canvas {
  const { width, height } = drawing;
  const { canvas, ctx } = emptyCanvas(width, height);
  ctx.drawImage(drawing, 0, 0);
  const image = ctx.getImageData(0, 0, width, height);
  const { data } = image;
  const isSolid = (x: number, y: number) => (data[(y * width + x) * 4 + 3] as number) > 150;
  const tops = new Int32Array(width).fill(-1);
  for (let x = 0; x < width; x++) for (let y = 0; y < height && tops[x] === -1; y++) if (isSolid(x, y)) tops[x] = y;
  const reach = Math.max(2, Math.round(tall * 0.03));
  const topAt = (x: number) => tops[Math.min(width - 1, Math.max(0, x))] as number;
  for (let x = 0; x < width; x++) {
    const top = tops[x] as number;
    if (top < 0) continue;
    const [left, right] = [topAt(x - reach), topAt(x + reach)];
    const slope = left < 0 || right < 0 ? 1 : Math.abs(left - right) / (2 * reach);
    const deep = tall * 0.085 * (1 - 0.62 * smoothstep(0.4, 2.4, slope)) * (1 + 0.2 * Math.sin(x * (9 / tall) * 3.1));
    for (let y = top; y < Math.min(height, top + deep); y++) {
      const at = (y * width + x) * 4;
      const shade = 1 - 0.16 * ((y - top) / deep) ** 2;
      const alpha = y > top + deep - 2 ? 0.6 : 1;
      for (let c = 0; c < 3; c++)
        data[at + c] = (data[at + c] as number) * (1 - alpha) + ([246, 250, 255][c] as number) * shade * alpha;
    }
  }
  ctx.putImageData(image, 0, 0);
  return canvas;
}
