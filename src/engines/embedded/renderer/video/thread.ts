/**
 * The video engine's worker thread: one video at a time, drawn or made of images of ours. Leaves between frames when its
 * caller has gone. What is made of a user's video is made in a decoder process (`decoders/process.ts`).
 */
import os from 'node:os';
import '../../codec/webcodecs.ts';
import { serve } from '../../../ports/serve.ts';
import type { SeededVideoQuery } from './compose.ts';
import { makeVideo } from './render.ts';

// A video takes a core for many seconds: turns that are being spoken beside it come first. On Linux this is of the thread
// alone; elsewhere it would be of the whole process.
if (process.platform === 'linux') os.setPriority(0, os.constants.priority.PRIORITY_BELOW_NORMAL);

/** A video to be made. */
export interface VideoTask {
  query: SeededVideoQuery;
}

serve<VideoTask>(async ({ query }, run) => {
  const file = await makeVideo(query, run);
  if (!file) return; // Nobody waits for it.
  run.piece({ progress: 1 });
  run.piece(file);
});
