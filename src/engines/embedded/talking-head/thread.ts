/**
 * The talking head's worker thread: one video at a time, from still and speech to fragments. Leaves between frames
 * when its reader has gone.
 */
import type { Mark, Rig } from '../../ports.ts';
import { startVideo } from '../codec/fragments.ts';
import { serve, type TaskRun } from '../serve.ts';
import { levels } from './energy.ts';
import { meshPainter } from './mesh/painter.ts';
import { motionTimeline } from './motion.ts';
import { mouthTimeline } from './mouth-track.ts';
import { type Painter, puppet } from './puppet.ts';
import { scene } from './scene.ts';
import { readStill, type Still } from './still.ts';

export interface VideoTask {
  image: Uint8Array;
  rig: Rig | undefined;
  pcm: Int16Array;
  rate: number;
  marks: Mark[];
  /** Longest side in pixels. */
  size: number;
  fps: number;
}

serve<VideoTask>(async (task, run) => {
  const still = await readStill(task.image, task.size);
  const { width, height } = still;
  const video = await startVideo({ width, height, fps: task.fps, audio: task }, (piece) => run.piece(piece));
  try {
    const painter = painterOf(task, still, video.frames);
    await shoot(painter, video, run);
  } finally {
    video.close();
  }
});

async function shoot(painter: Painter, video: Awaited<ReturnType<typeof startVideo>>, run: TaskRun): Promise<void> {
  for (let index = 0; index < video.frames; index++) {
    if (run.stopped()) return;
    painter.draw(index);
    await video.add(painter.frame);
  }
  await video.finish();
}

function painterOf(task: VideoTask, still: Still, frames: number): Painter {
  const { pcm, rate, fps, rig, marks } = task;
  const seed = pcm.length * 31 + marks.length;
  if (!rig) return scene(still, levels(pcm, rate, fps, frames), fps, seed);
  const mouths = mouthTimeline({ pcm, rate, marks, fps, frames });
  const motion = motionTimeline({ pcm, rate, fps, frames, seed });
  return rig.landmarks ? meshPainter(still, rig, mouths, motion) : puppet(still, rig, mouths, motion);
}
