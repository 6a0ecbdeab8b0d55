/**
 * The face as a puppet: takes one frame's pose and draws it. Joins the painters of mouth, eyes and head over one
 * working copy of the source.
 */

import type { Rig } from '../../ports.ts';
import { type Planes, planesOf } from '../codec/colour.ts';
import { eyePainter } from './eyes.ts';
import { faceShape } from './geometry.ts';
import { headPainter } from './head.ts';
import { headMask } from './mask.ts';
import type { MotionTrack } from './motion.ts';
import { mouthPainter } from './mouth.ts';
import type { MouthTrack } from './mouth-track.ts';
import { copyOf, OVERSAMPLE, type Still } from './still.ts';
import { restFrame } from './warp.ts';

export interface Painter {
  /** The I420 frame that `draw` writes into. */
  frame: Uint8Array;
  draw(index: number): void;
}

export function puppet(still: Still, rig: Rig, mouths: MouthTrack, motion: MotionTrack): Painter {
  const { width, height, source } = still;
  const working: Planes = copyOf(source);
  const frame = new Uint8Array((width * height * 3) / 2);
  const planes = planesOf(frame, width, height);
  restFrame(source, planes);
  const face = faceShape(rig, source);
  const mouth = mouthPainter(face, source, working);
  const eyes = eyePainter(face.eyes, source, working);
  const mask = headMask(face, width, height, OVERSAMPLE);
  const head = headPainter(face, mask, working, planes, [mouth.area, ...eyes.areas]);
  return {
    frame,
    draw(index) {
      mouth.paint(at(mouths, index));
      const { lids, gazeX, gazeY, breath: _still, ...pose } = at(motion, index);
      eyes.paint(lids, gazeX, gazeY);
      head.paint(pose);
    },
  };
}

/** One frame's values out of tracks that hold all frames'. */
export function at<Track extends object>(track: Track, index: number): { [Name in keyof Track]: number } {
  const entries = Object.entries(track as Record<string, Float32Array>).map(([name, values]) => [
    name,
    values[index] ?? 0,
  ]);
  return Object.fromEntries(entries) as { [Name in keyof Track]: number };
}
