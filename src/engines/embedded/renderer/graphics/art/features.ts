/**
 * Eyes and mouth, painted for every frame in the art's manner. The pen is in the art's units. A pose at rest is the
 * still: open eyes that look ahead and a closed, gentle smile.
 */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { Box } from './art.ts';
import type { Beast } from './beasts.ts';
import { blend, lighter } from './tint.ts';

/** The context to paint with; the caller has set its units. */
export type Pen = SKRSContext2D;

/** What the mouth does; all 0 is a closed smile. */
export interface MouthPose {
  /** How far the mouth is open, 0 (closed) to 1. */
  open: number;
  /** Shape of the lips, -1 (rounded) to 1 (spread). */
  wide: number;
  /** 0 to 1: lips pressed, as at p, b, m. */
  press: number;
  /** 0 to 1: upper teeth on the lower lip, as at f, v. */
  bite: number;
  /** 0 to 1: the tongue's tip is up. */
  tongue: number;
}

/** What the eyes do; all 0 looks ahead. */
export interface EyePose {
  /** How far the lids are down, 0 (open) to 1 (shut). */
  lids: number;
  /** Direction of the gaze, -1 to 1: to the viewer's right, and down. */
  gazeX: number;
  gazeY: number;
}

const INK = '#2e2530';
const INSIDE = '#7d0548';
const DEEP = '#4a0630';
const TONGUE = '#ee5a86';

/** Where a mouth is and its colours ('#rrggbb'). */
export interface MouthLook {
  x: number;
  y: number;
  /** Half the width at rest. */
  half: number;
  line: string;
  /** Colour of painted lips. */
  lips?: string;
  /** How far the corners are up at rest, -1 to 1 (a smile). */
  smile: number;
}

/** A person's mouth: a dark crescent that opens downwards. */
export function paintMouth(pen: Pen, { x, y, half, line, lips, smile: atRest }: MouthLook, pose: MouthPose): void {
  const { open, wide, press, bite, tongue } = pose;
  const round = Math.max(0, -wide);
  const k = half / 3.1;
  const w = half * (1 + 0.14 * Math.max(0, wide) - 0.5 * round - 0.1 * open * (1 - round) - 0.08 * press);
  const smile = atRest * (1 - 0.35 * open) * (1 - 0.85 * round) * (1 - 0.3 * press);
  const gap = (open * 3.5 + round * 0.9 * (1 - press) + bite * 0.5) * k * (1 - press);
  const corner = y - 0.42 * k * smile + gap * 0.18;
  const top = y + 0.5 * k * smile - gap * 0.2 - 0.22 * k;
  const bottom = top + (0.72 - 0.3 * press) * k + gap;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  // Fuller towards the corners the more it is open: a crescent becomes a bean, a rounded mouth a ring.
  const fullness = 0.5 + 0.28 * Math.min(1, gap / (1.6 * k)) + 0.12 * round;
  const shape = () => {
    pen.beginPath();
    pen.moveTo(x - w, corner);
    curveTo(pen, x, w, fullness, corner, top, 1);
    curveTo(pen, x, w, fullness, corner, bottom, -1);
    pen.closePath();
  };
  if (lips) {
    shape();
    pen.strokeStyle = lips;
    pen.lineWidth = 0.85 * k;
    pen.stroke();
  }
  shape();
  pen.fillStyle = gap > 0.3 * k ? shadeOf(pen, top, bottom) : line;
  pen.fill();
  pen.strokeStyle = lips ?? line;
  pen.lineWidth = 0.3 * k;
  pen.stroke();
  if (gap < 0.32 * k) return;
  pen.save();
  shape();
  pen.clip();
  const low = bottom - gap * (0.34 + 0.22 * tongue);
  pen.fillStyle = TONGUE;
  pen.beginPath();
  pen.ellipse(x, bottom + gap * 0.16, w * 0.72, Math.max(0.1, bottom + gap * 0.16 - low), 0, 0, Math.PI * 2);
  pen.fill();
  // Upper teeth: where the mouth is open enough to show them, never in a rounded one.
  const teeth = Math.max(bite, Math.min(1, Math.max(0, (gap / k - 0.7) / 0.9)) * (1 - Math.min(1, round * 1.8)));
  if (teeth > 0.12) {
    pen.fillStyle = '#fdfbff';
    pen.beginPath();
    const deep = top + Math.min(0.95 * k, gap * 0.32) * Math.min(1, teeth * 1.4) + 0.12 * k;
    pen.moveTo(x - w, corner - k);
    pen.lineTo(x + w, corner - k);
    pen.lineTo(x + w, corner + 0.2 * k);
    pen.bezierCurveTo(x + w * 0.7, deep + 0.25 * k, x - w * 0.7, deep + 0.25 * k, x - w, corner + 0.2 * k);
    pen.closePath();
    pen.fill();
  }
  pen.restore();
}

/** Half of the mouth's outline: from one corner over the middle to the other. */
function curveTo(pen: Pen, x: number, w: number, full: number, corner: number, middle: number, side: 1 | -1): void {
  // A cubic passes 3/4 of the way to its control points.
  const control = corner + (middle - corner) / 0.75;
  pen.bezierCurveTo(x - side * w * full, control, x + side * w * full, control, x + side * w, corner);
}

function shadeOf(pen: Pen, top: number, bottom: number) {
  const shade = pen.createLinearGradient(0, top, 0, bottom);
  shade.addColorStop(0, DEEP);
  shade.addColorStop(1, INSIDE);
  return shade;
}

/** Where both eyes are, left and right as seen, and their colours ('#rrggbb'). */
export interface EyeLook {
  boxes: readonly [Box, Box];
  iris: string;
  irisAtRight: string;
  lid: string;
  lash: string;
  lashes: boolean;
}

/** Paints both eyes of a person. */
export function paintEyes(pen: Pen, look: EyeLook, pose: EyePose): void {
  for (const [i, box] of look.boxes.entries())
    paintEye(pen, box, i === 0 ? -1 : 1, i === 0 ? look : { ...look, iris: look.irisAtRight }, pose);
}

/** The white: an arch over a flat lower lid. */
function arch(pen: Pen, [x, y, w, h]: Box): void {
  pen.beginPath();
  pen.moveTo(x + 0.42, y + h);
  pen.bezierCurveTo(x - 0.25, y + h, x + 0.02, y + h * 0.62, x + w * 0.13, y + h * 0.42);
  pen.bezierCurveTo(x + w * 0.29, y - h * 0.14, x + w * 0.71, y - h * 0.14, x + w * 0.87, y + h * 0.42);
  pen.bezierCurveTo(x + w - 0.02, y + h * 0.62, x + w + 0.25, y + h, x + w - 0.42, y + h);
  pen.closePath();
}

function paintEye(pen: Pen, box: Box, side: -1 | 1, look: EyeLook, { lids, gazeX, gazeY }: EyePose): void {
  const [x, y, w, h] = box;
  const middle = x + w / 2;
  pen.save();
  arch(pen, box);
  pen.clip();
  pen.fillStyle = '#fff';
  pen.fillRect(x - 1, y - 1, w + 2, h + 2);
  const radius = w * 0.315;
  const cx = middle - side * w * 0.07 + gazeX * w * 0.16;
  const cy = y + h * 0.8 + gazeY * h * 0.16;
  const iris = pen.createRadialGradient(cx, cy + radius * 0.5, radius * 0.3, cx, cy, radius);
  iris.addColorStop(0, lighter(look.iris, 0.12));
  iris.addColorStop(0.75, look.iris);
  iris.addColorStop(1, lighter(look.iris, -0.13));
  disc(pen, cx, cy, radius, radius, iris);
  disc(pen, cx, cy, radius * 0.57, radius * 0.57, '#08060a');
  pen.globalAlpha = 0.9;
  disc(pen, cx - radius * 0.32, cy - radius * 0.5, radius * 0.34, radius * 0.24, '#fff6f2');
  pen.globalAlpha = 0.3;
  disc(pen, cx + radius * 0.5, cy - radius * 0.02, radius * 0.2, radius * 0.3, '#fff6f2');
  pen.globalAlpha = 1;
  if (lids > 0.02) {
    const edge = lidEdge(box, lids);
    pen.fillStyle = look.lid;
    pen.beginPath();
    pen.moveTo(x - 1, y - 1);
    pen.lineTo(x + w + 1, y - 1);
    pen.lineTo(x + w + 1, edge - 0.1 * h);
    pen.quadraticCurveTo(middle, edge + 0.16 * h, x - 1, edge - 0.1 * h);
    pen.closePath();
    pen.fill();
  }
  pen.restore();
  paintLashes(pen, box, side, look, lids);
}

const lidEdge = ([, y, , h]: Box, lids: number) => y - h * 0.06 + lids * h * 1.0;

/** The upper lid's line: always with long lashes, else where the lid comes down. */
function paintLashes(pen: Pen, box: Box, side: -1 | 1, { lash, lashes }: EyeLook, lids: number): void {
  const [x, y, w, h] = box;
  const shut = Math.min(1, Math.max(0, lids));
  const thick = lashes ? 0.62 : 0.5 * Math.min(1, shut * 2.5);
  if (thick < 0.05) return;
  pen.strokeStyle = lash;
  pen.lineCap = 'round';
  pen.lineWidth = thick;
  const [outer, inner] = side > 0 ? [x + w, x] : [x, x + w];
  const rise = (1 - shut) * h;
  pen.beginPath();
  pen.moveTo(inner + side * w * 0.1, y + h * 0.86 - rise * 0.42);
  pen.bezierCurveTo(
    inner + side * w * 0.27,
    y + h * 1.04 - rise * 1.13,
    outer - side * w * 0.27,
    y + h * 1.04 - rise * 1.13,
    outer - side * w * 0.06,
    y + h * 0.9 - rise * 0.5,
  );
  if (lashes) pen.lineTo(outer + side * 0.38, y + h * 0.78 - rise * 0.55);
  pen.stroke();
}

function disc(pen: Pen, x: number, y: number, rx: number, ry: number, fill: string | CanvasGradientLike): void {
  pen.fillStyle = fill as string;
  pen.beginPath();
  pen.ellipse(x, y, Math.max(0.01, rx), Math.max(0.01, ry), 0, 0, Math.PI * 2);
  pen.fill();
}

type CanvasGradientLike = ReturnType<Pen['createRadialGradient']>;

/** Eyes of those who are no people. @param fur '#rrggbb' of the lids */
export function paintBeastEyes(pen: Pen, { eyes }: Beast, fur: string, glow: string, pose: EyePose): void {
  for (const [i, x] of [eyes.left, eyes.right].entries()) {
    const dx = pose.gazeX * Math.min(0.45, eyes.rx * 0.4);
    const dy = pose.gazeY * Math.min(0.35, eyes.ry * 0.2);
    const open = 1 - Math.min(1, Math.max(0, pose.lids));
    if (eyes.kind === 'almond') paintAlmond(pen, x, i === 0 ? -1 : 1, eyes, fur, pose);
    else if (open < 0.12) paintShut(pen, x, eyes, eyes.kind === 'lamp' ? glow : INK);
    else if (eyes.kind === 'lamp') paintLamp(pen, x + dx, eyes.y + dy, eyes.rx, eyes.ry * open, glow);
    else {
      const ry = eyes.ry * open;
      pen.fillStyle = INK;
      pen.beginPath();
      if (eyes.kind === 'round') pen.ellipse(x + dx, eyes.y + dy, eyes.rx, ry, 0, 0, Math.PI * 2);
      else pen.roundRect(x + dx - eyes.rx, eyes.y + dy - ry, eyes.rx * 2, ry * 2, Math.min(eyes.rx, ry));
      pen.fill();
      pen.globalAlpha = 0.85;
      disc(pen, x + dx + eyes.rx * 0.3, eyes.y + dy - ry * 0.48, eyes.rx * 0.3, ry * 0.2, '#fff');
      pen.globalAlpha = 1;
    }
  }
}

function paintShut(pen: Pen, x: number, { y, rx, ry }: Beast['eyes'], colour: string): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 0.6;
  pen.lineCap = 'round';
  pen.beginPath();
  pen.moveTo(x - rx * 1.2, y + ry * 0.2);
  pen.quadraticCurveTo(x, y + ry * 0.75, x + rx * 1.2, y + ry * 0.2);
  pen.stroke();
}

function paintLamp(pen: Pen, x: number, y: number, rx: number, ry: number, glow: string): void {
  pen.save();
  pen.shadowColor = glow;
  pen.shadowBlur = 12;
  const light = pen.createLinearGradient(0, y - ry, 0, y + ry);
  light.addColorStop(0, lighter(glow, 0.16));
  light.addColorStop(1, lighter(glow, -0.1));
  pen.fillStyle = light;
  pen.beginPath();
  pen.roundRect(x - rx, y - ry, rx * 2, ry * 2, Math.min(rx, ry));
  pen.fill();
  pen.restore();
}

function paintAlmond(
  pen: Pen,
  x: number,
  side: -1 | 1,
  { y, rx, ry }: Beast['eyes'],
  fur: string,
  pose: EyePose,
): void {
  pen.save();
  pen.translate(x, y);
  pen.rotate(side * 0.42);
  pen.beginPath();
  pen.ellipse(0, 0, rx, ry, 0, 0, Math.PI * 2);
  pen.clip();
  const dark = pen.createRadialGradient(-rx * 0.2, ry * 0.3, 0, 0, 0, ry);
  dark.addColorStop(0, '#5a4354');
  dark.addColorStop(1, '#2c1a2a');
  pen.fillStyle = dark;
  pen.fillRect(-rx, -ry, rx * 2, ry * 2);
  pen.rotate(-side * 0.42);
  disc(pen, rx * 0.25 + pose.gazeX * 0.8, -ry * 0.42 + pose.gazeY * 0.6, rx * 0.34, ry * 0.3, 'rgba(255,255,255,.85)');
  if (pose.lids > 0.02) {
    pen.fillStyle = lighter(fur, -0.07);
    pen.fillRect(-rx * 1.6, -ry * 1.2, rx * 3.2, ry * 2.4 * Math.min(1, pose.lids));
  }
  pen.restore();
}

/** Mouths of those who are no people. */
export function paintBeastMouth(pen: Pen, { mouth, fur }: Beast, glow: string, pose: MouthPose): void {
  const { kind, x, y, w } = mouth;
  if (kind === 'slot') paintSlot(pen, mouth, glow, pose);
  else if (kind === 'smile') paintMouth(pen, { x, y, half: w / 2, line: blend(INK, fur, 0.12), smile: 1 }, pose);
  else paintMuzzle(pen, mouth, pose);
}

/** Two curls below the nose, and a jaw that opens under them. */
function paintMuzzle(pen: Pen, { x, y, w }: Beast['mouth'], pose: MouthPose): void {
  const round = Math.max(0, -pose.wide);
  const half = (w / 2) * (1 + 0.12 * Math.max(0, pose.wide) - 0.3 * round - 0.06 * pose.press);
  const gap = (pose.open * w * 0.5 + round * w * 0.1 + pose.bite * 0.4) * (1 - pose.press);
  const sag = w * 0.24;
  if (gap > 0.25) {
    const inner = half * (0.6 - 0.12 * round);
    const bottom = y + sag * 0.75 + gap;
    pen.beginPath();
    pen.moveTo(x - inner, y + sag * 0.62);
    pen.quadraticCurveTo(x - inner * 0.5, y + sag * 0.95, x, y + sag * 0.3);
    pen.quadraticCurveTo(x + inner * 0.5, y + sag * 0.95, x + inner, y + sag * 0.62);
    pen.bezierCurveTo(
      x + inner * 1.08,
      bottom + gap * 0.15,
      x - inner * 1.08,
      bottom + gap * 0.15,
      x - inner,
      y + sag * 0.62,
    );
    pen.closePath();
    pen.fillStyle = shadeOf(pen, y, bottom);
    pen.fill();
    pen.strokeStyle = INK;
    pen.lineWidth = w * 0.05;
    pen.lineJoin = 'round';
    pen.stroke();
    pen.save();
    pen.clip();
    disc(pen, x, bottom + gap * 0.1, inner * 0.68, gap * (0.48 + 0.2 * pose.tongue), TONGUE);
    pen.restore();
  }
  pen.strokeStyle = INK;
  pen.lineWidth = w * 0.115;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
  pen.beginPath();
  pen.moveTo(x - half, y + sag * 0.18);
  pen.bezierCurveTo(x - half * 0.95, y + sag * 1.2, x - half * 0.1, y + sag * 1.25, x, y);
  pen.bezierCurveTo(x + half * 0.1, y + sag * 1.25, x + half * 0.95, y + sag * 1.2, x + half, y + sag * 0.18);
  pen.stroke();
}

/** The robot's: a dark slot in which its voice glows. */
function paintSlot(pen: Pen, { x, y, w }: Beast['mouth'], glow: string, pose: MouthPose): void {
  const round = Math.max(0, -pose.wide);
  const half = (w / 2) * (1 + 0.12 * Math.max(0, pose.wide) - 0.35 * round);
  const high = 0.55 + (pose.open * 1.75 + round * 0.55) * (1 - pose.press);
  pen.fillStyle = '#2c1f3c';
  pen.beginPath();
  pen.roundRect(x - half, y - high, half * 2, high * 2, Math.min(1.3, high));
  pen.fill();
  pen.fillStyle = glow;
  const inner = Math.max(0.14, high - 0.5);
  pen.beginPath();
  pen.roundRect(x - half * 0.76, y - inner, half * 1.52, inner * 2, Math.min(0.8, inner));
  pen.fill();
}
