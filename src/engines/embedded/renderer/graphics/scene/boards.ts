/** A floor of boards, which rooms, stages and piers have. */
import type { Context } from '../canvas.ts';
import { css, type Rgb, scale } from '../colour.ts';
import { between, type Random } from '../random.ts';

/** Boards that run away from the viewer, in pixels from where the floor begins; their edges would meet at `vanishY`. */
export function drawBoards(
  ctx: Context,
  width: number,
  height: number,
  { floorY, vanishY }: { floorY: number; vanishY: number },
  paint: Rgb,
  random: Random,
): void {
  const board = width * 0.085;
  const at = (x: number, y: number) => width / 2 + (x - width / 2) * ((y - vanishY) / (height - vanishY));
  for (let i = -14; i < 14; i++) {
    const [a, b] = [width / 2 + i * board, width / 2 + (i + 1) * board];
    ctx.fillStyle = css(scale(paint, between(random, 0.82, 1.12)));
    ctx.beginPath();
    ctx.moveTo(at(a, floorY), floorY);
    ctx.lineTo(at(b, floorY) + 1, floorY);
    ctx.lineTo(b + 1, height);
    ctx.lineTo(a, height);
    ctx.fill();
    ctx.strokeStyle = 'rgba(34,18,9,.38)';
    ctx.lineWidth = Math.max(1, width * 0.0015);
    ctx.stroke();
  }
}
