/**
 * The talking head's worker thread: one video at a time, from still and speech to fragments. Leaves between frames
 * when its reader has gone.
 */
import type { Mark, Rig } from '../../../ports/index.ts';
import { serve, type TaskRun } from '../../../ports/serve.ts';
import { startVideo } from '../../codec/fragments.ts';
import { isLook } from '../graphics/art/index.ts';
import { levels } from './energy.ts';
import { facelessPainter } from './faceless-painter.ts';
import { fallbackPainter } from './fallback/fallback-painter.ts';
import { layeredPainter } from './layered-painter.ts';
import { meshPainter } from './mesh/mesh-painter.ts';
import { motionTimeline } from './motion.ts';
import { mouthTimeline } from './mouth-track.ts';
import { type FramePainter } from './painter.ts';
import { longSideOf, readStill, sizeOfStill } from './still.ts';

/** A video to be made. */
export interface VideoTask {
  image: Uint8Array;
  rig: Rig | undefined;
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  /** Longest side in pixels. */
  size: number;
  /** Longest side where the image itself is as large. */
  upTo?: number;
  fps: number;
}

serve<VideoTask>(async (given, run) => {
  const size = given.upTo ? Math.max(given.size, Math.min(given.upTo, await longSideOf(given.image))) : given.size;
  const task = { ...given, size };
  const { width, height } = await sizeOfStill(task.image, task.size);
  const video = await startVideo({ width, height, fps: task.fps, audio: task }, (piece) => run.piece(piece));
  try {
    await shoot(await painterOf(task, video.frames), video, run);
  } finally {
    video.close();
  }
});

async function shoot(
  painter: FramePainter,
  video: Awaited<ReturnType<typeof startVideo>>,
  run: TaskRun,
): Promise<void> {
  for (let index = 0; index < video.frames; index++) {
    if (run.stopped()) return;
    painter.draw(index);
    await video.add(painter.frame);
  }
  await video.finish();
}

async function painterOf(task: VideoTask, frames: number): Promise<FramePainter> {
  const { pcm, rate, fps, rig, marks, image, size } = task;
  const seed = pcm.length * 31 + marks.length;
  if (!rig) return facelessPainter(await readStill(image, size), levels(pcm, rate, fps, frames), fps, seed);
  const mouths = mouthTimeline({ pcm, rate, marks, fps, frames });
  const motion = motionTimeline({ pcm, rate, fps, frames, seed, press: mouths.press });
  if (isLook(rig.look)) return layeredPainter(rig.look, await sizeOfStill(image, size), mouths, motion);
  const still = await readStill(image, size);
  return rig.landmarks ? meshPainter(still, rig, mouths, motion) : fallbackPainter(still, rig, mouths, motion);
}
