/**
 * Draws a face that has a rig but no landmarks, which `mesh/mesh-painter.ts` needs: one drawn by an earlier release,
 * edited, or set by an owner's clicks. Joins the painters of mouth, eyes and head over one working copy of the source.
 */
import type { Rig } from '../../../../ports/index.ts';
import { eyePainter } from '../../graphics/face/eye-painter.ts';
import { faceShape } from '../../graphics/face/geometry.ts';
import { headMask } from '../mask.ts';
import type { MotionTrack } from '../motion.ts';
import type { MouthTrack } from '../mouth-track.ts';
import { type FramePainter, valuesAt } from '../painter.ts';
import { OVERSAMPLE, type Still } from '../still.ts';
import { createWarp } from '../warp.ts';
import { headPainter } from './head-painter.ts';
import { mouthPainter } from './mouth-painter.ts';

/** @param mouths the mouth of each frame @param motion eyes and head of each frame */
export function fallbackPainter(still: Still, rig: Rig, mouths: MouthTrack, motion: MotionTrack): FramePainter {
  const { width, height, source } = still;
  const face = faceShape(rig, source);
  const mask = headMask(face, width, height, OVERSAMPLE);
  const warp = createWarp(source, mask);
  const mouth = mouthPainter(face, source, warp.source);
  const eyes = eyePainter(face.eyes, source, warp.source);
  const head = headPainter(face, mask, warp, [mouth.area, ...eyes.areas]);
  return {
    frame: warp.frame,
    draw(index) {
      mouth.paint(valuesAt(mouths, index));
      const { lids, gazeX, gazeY, breath: _still, ...pose } = valuesAt(motion, index);
      eyes.paint(lids, gazeX, gazeY);
      head.paint(pose);
    },
  };
}
