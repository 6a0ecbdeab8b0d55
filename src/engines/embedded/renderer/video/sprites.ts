/** Small things that float in a video, drawn once, in the colours of the encoder, and stamped many times. */
import { type Canvas, emptyCanvas } from '../graphics/canvas.ts';
import type { Rgb } from '../graphics/colour.ts';
import { yuvColour } from './frame-canvas.ts';

const SIDE = 48;

/** A round dot with a soft edge. @param core share of the radius that is fully painted */
export function dot(colour: Rgb, core: number): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, SIDE);
  const r = SIDE / 2;
  const soft = ctx.createRadialGradient(r, r, 0, r, r, r);
  soft.addColorStop(0, yuvColour(colour, 1));
  soft.addColorStop(Math.min(0.95, core), yuvColour(colour, core > 0.05 ? 1 : 0.5));
  soft.addColorStop(Math.min(0.98, core + (1 - core) * 0.4), yuvColour(colour, 0.22));
  soft.addColorStop(1, yuvColour(colour, 0));
  ctx.fillStyle = soft;
  ctx.fillRect(0, 0, SIDE, SIDE);
  return canvas;
}

/** A light with a bright middle and rays of its own colour: stars, sparks, fireflies. */
export function light(middle: Rgb, halo: Rgb): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, SIDE);
  const r = SIDE / 2;
  const soft = ctx.createRadialGradient(r, r, 0, r, r, r);
  soft.addColorStop(0, yuvColour(middle, 1));
  soft.addColorStop(0.14, yuvColour(middle, 0.95));
  soft.addColorStop(0.24, yuvColour(halo, 0.5));
  soft.addColorStop(0.55, yuvColour(halo, 0.12));
  soft.addColorStop(1, yuvColour(halo, 0));
  ctx.fillStyle = soft;
  ctx.fillRect(0, 0, SIDE, SIDE);
  return canvas;
}

/** The warm air round a flame: no bright middle, for the flame itself is painted. */
export function blaze(): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, SIDE);
  const r = SIDE / 2;
  const soft = ctx.createRadialGradient(r, r, 0, r, r, r);
  soft.addColorStop(0, yuvColour([255, 214, 130], 0.5));
  soft.addColorStop(0.3, yuvColour([255, 170, 80], 0.3));
  soft.addColorStop(0.65, yuvColour([255, 140, 60], 0.1));
  soft.addColorStop(1, yuvColour([255, 130, 50], 0));
  ctx.fillStyle = soft;
  ctx.fillRect(0, 0, SIDE, SIDE);
  return canvas;
}

/** A leaf or petal lying along x, with a darker rib. */
export function leaf(colour: Rgb, rib: Rgb): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, SIDE);
  const m = SIDE / 2;
  ctx.fillStyle = yuvColour(colour);
  ctx.beginPath();
  ctx.moveTo(3, m);
  ctx.quadraticCurveTo(m, m - 17, SIDE - 3, m);
  ctx.quadraticCurveTo(m, m + 17, 3, m);
  ctx.fill();
  ctx.strokeStyle = yuvColour(rib, 0.7);
  ctx.lineWidth = 1.6;
  ctx.beginPath();
  ctx.moveTo(5, m);
  ctx.lineTo(SIDE - 6, m);
  ctx.stroke();
  return canvas;
}

/** An air bubble: a ring with a gleam. */
export function bubble(): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, SIDE);
  const m = SIDE / 2;
  ctx.strokeStyle = yuvColour([226, 250, 255], 0.75);
  ctx.fillStyle = yuvColour([190, 236, 250], 0.16);
  ctx.lineWidth = 2.5;
  ctx.beginPath();
  ctx.arc(m, m, m - 3, 0, 7);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = yuvColour([255, 255, 255], 0.85);
  ctx.beginPath();
  ctx.ellipse(m * 0.68, m * 0.62, 5, 3, -0.7, 0, 7);
  ctx.fill();
  return canvas;
}

/** A gleam on water: wide and flat. */
export function gleam(colour: Rgb): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, SIDE / 4);
  const [w, h] = [SIDE, SIDE / 4];
  ctx.translate(w / 2, h / 2);
  ctx.scale(1, h / w);
  const soft = ctx.createRadialGradient(0, 0, 0, 0, 0, w / 2);
  soft.addColorStop(0, yuvColour(colour, 1));
  soft.addColorStop(0.4, yuvColour(colour, 0.7));
  soft.addColorStop(1, yuvColour(colour, 0));
  ctx.fillStyle = soft;
  ctx.fillRect(-w / 2, -w / 2, w, w);
  return canvas;
}

/** An upright line: enlarged, its middle column becomes a stroke as wide as a third of it, with soft edges. */
export function streak(colour: Rgb): Canvas {
  const { canvas, ctx } = emptyCanvas(3, 3);
  ctx.fillStyle = yuvColour(colour);
  ctx.fillRect(1, 0, 1, 3);
  return canvas;
}

/** A level line from bright to nothing, soft at its edges as `streak` is. */
export function meteorTail(): Canvas {
  const { canvas, ctx } = emptyCanvas(SIDE, 3);
  const soft = ctx.createLinearGradient(0, 0, SIDE, 0);
  soft.addColorStop(0, yuvColour([255, 255, 255], 0.9));
  soft.addColorStop(1, yuvColour([200, 220, 255], 0));
  ctx.fillStyle = soft;
  ctx.fillRect(0, 1, SIDE, 1);
  return canvas;
}

/** Nothing but a colour. */
export function plain(colour: Rgb): Canvas {
  const { canvas, ctx } = emptyCanvas(2, 2);
  ctx.fillStyle = yuvColour(colour);
  ctx.fillRect(0, 0, 2, 2);
  return canvas;
}
