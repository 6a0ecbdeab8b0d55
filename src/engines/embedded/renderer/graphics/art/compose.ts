/**
 * One frame of a portrait: its layers moved against each other as the head turns, and eyes and mouth painted between
 * them. The still is the frame of the pose at rest.
 */
import type { SKRSContext2D } from '@napi-rs/canvas';
import { art, type Head } from './art.ts';
import { type Frame, isBeast, JOINT } from './art-units.ts';
import { BEASTS, type Beast } from './beasts.ts';
import {
  type EyePose,
  type MouthLook,
  type MouthPose,
  paintBeastEyes,
  paintBeastMouth,
  paintEyes,
  paintMouth,
} from './features.ts';
import type { LayerName, Layers } from './layers.ts';
import type { Expression, Look } from './look.ts';
import { blend, lighter, lightness } from './tint.ts';

/** How the head and the chest stand; 0 is at rest. */
export interface HeadPose {
  /** -1 to 1 all: shifts, turns and lean of the head; `breath` of the chest. */
  swayX: number;
  swayY: number;
  yaw: number;
  pitch: number;
  roll: number;
  breath: number;
  /** 0 to 1. */
  brows: number;
}

/** All that changes from one frame of a portrait to the next. */
export type Pose = MouthPose & EyePose & HeadPose;

/** The pose of the still. */
export const REST: Pose = {
  ...{ open: 0, wide: 0, press: 0, bite: 0, tongue: 0, lids: 0, gazeX: 0, gazeY: 0 },
  ...{ swayX: 0, swayY: 0, yaw: 0, pitch: 0, roll: 0, breath: 0, brows: 0 },
};

/** How far before the head's middle a layer lies: what turns with it, in shares of `TURN`. */
const DEPTH: Readonly<Record<Exclude<LayerName, 'body'> | 'features', number>> = {
  behind: 0.06,
  skin: 0.16,
  face: 1.25,
  beard: 0.8,
  features: 1,
  lip: 1.1,
  brows: 1,
  hair: 0.24,
  hat: 0.28,
  glasses: 1.1,
};
/** Units of a full turn, sway, nod, breath and rise of the brows; radians of a full lean. */
const TURN = 1.15;
const NOD = 0.8;
const SWAY = 0.7;
const BREATH = 0.16;
const BROW = 0.75;
const LEAN = 0.045;

/** Paints the whole frame; what the pen’s canvas held is covered. */
export function paintFrame(pen: SKRSContext2D, layers: Layers, pose: Pose): void {
  const { frame, of, backdrop } = layers;
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.drawImage(backdrop, 0, 0);
  const lay = (name: LayerName, rise = 0) => {
    const layer = of[name];
    if (!layer) return;
    moveHead(pen, frame, pose, DEPTH[name as keyof typeof DEPTH], rise);
    pen.drawImage(layer.canvas, layer.x, layer.y);
  };
  lay('behind');
  if (of.body) {
    pen.setTransform(1, 0, 0, 1, 0, -pose.breath * BREATH * frame.scale);
    pen.drawImage(of.body.canvas, of.body.x, of.body.y);
  }
  lay('skin');
  lay('face');
  lay('beard');
  moveHead(pen, frame, pose, DEPTH.features, 0);
  pen.transform(frame.scale, 0, 0, frame.scale, frame.x, frame.y);
  paintFeatures(pen, layers.look, pose);
  lay('lip');
  lay('brows', pose.brows);
  lay('hair');
  lay('hat');
  lay('glasses');
  pen.setTransform(1, 0, 0, 1, 0, 0);
}

/** The pen, in pixels, as a layer of that depth moves with the head. @param rise of the brows, 0 to 1 */
function moveHead(pen: SKRSContext2D, { scale, x, y }: Frame, pose: Pose, depth: number, rise: number): void {
  const turn = pose.roll * LEAN;
  const [jx, jy] = [x + JOINT.x * scale, y + JOINT.y * scale];
  const dx = (pose.swayX * SWAY + pose.yaw * TURN * depth) * scale;
  const dy = (pose.swayY * SWAY * 0.7 + pose.pitch * NOD * depth - rise * BROW - pose.breath * BREATH * 0.6) * scale;
  pen.setTransform(1, 0, 0, 1, jx + dx, jy + dy);
  pen.rotate(turn);
  pen.translate(-jx, -jy);
}

/** Pixels, even. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Where frames differ: the head within its reach, and the shoulders, which move with `breath` alone. */
export function movingBoxes({ frame, of }: Layers): { head: Box; body: Box } {
  const { width, height, scale } = frame;
  const boxOf = (names: readonly LayerName[], by: number): Box => {
    const layers = names.flatMap((name) => of[name] ?? []);
    const even = (value: number, most: number) => Math.min(most, Math.max(0, Math.round(value / 2) * 2));
    return {
      left: even(Math.min(...layers.map(({ x }) => x)) - by, width),
      top: even(Math.min(...layers.map(({ y }) => y)) - by, height),
      right: even(Math.max(...layers.map(({ x, canvas }) => x + canvas.width)) + by, width),
      bottom: even(Math.max(...layers.map(({ y, canvas }) => y + canvas.height)) + by, height),
    };
  };
  return {
    head: boxOf(['behind', 'skin', 'beard', 'hair', 'hat', 'glasses'], Math.ceil(3.2 * scale)),
    body: boxOf(['body'], Math.ceil(0.4 * scale) + 2),
  };
}

const LIPS = '#88024e';

function paintFeatures(pen: SKRSContext2D, look: Look, pose: Pose): void {
  if (isBeast(look)) {
    const beast = BEASTS[look.head] as Beast;
    const own = look.skin ? { ...beast, fur: look.skin } : beast;
    paintBeastMouth(pen, own, look.eyes, pose);
    paintBeastEyes(pen, own, own.fur, look.eyes, pose);
    return;
  }
  const skin = look.skin ?? '#e6ae8f';
  const { eyes } = art().heads[look.head] as Head;
  paintEyes(
    pen,
    {
      boxes: eyes,
      iris: look.eyes,
      irisAtRight: look.eyeAtRight ?? look.eyes,
      lid: lidOf(skin),
      lash: '#2a2228',
      lashes: look.lashes === true,
    },
    pose,
  );
  paintMouth(pen, mouthOf(look), pose);
}

/** The colour of closed lids on a skin, both '#rrggbb'. */
export const lidOf = (skin: string): string => lighter(skin, -0.055);

/** How far the corners of the mouth are up at rest. */
const SMILES: Readonly<Record<Expression | 'smile', number>> = { smile: 1, serious: 0.15, sad: -0.9, angry: -0.6 };

/** A person's mouth, in units. */
export function mouthOf(look: Look): MouthLook {
  const skin = look.skin ?? '#e6ae8f';
  const line = lightness(skin) < 0.42 ? blend(LIPS, '#c4467e', 0.3) : LIPS;
  return {
    x: 16.1,
    y: 24.15,
    half: 3.05,
    line,
    smile: SMILES[look.expression ?? 'smile'],
    ...(look.lips ? { lips: look.lips } : {}),
  };
}
