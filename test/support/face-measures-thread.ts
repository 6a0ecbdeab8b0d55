/** The landmark library on decoded frames, in a thread: its arrays must be of its own realm, which a test's are not. */
import { loadLandmarker } from '../../src/engines/embedded/faces/landmarker.ts';
import { serve } from '../../src/engines/embedded/serve.ts';
import type { FrameTask, SeenFace } from './face-measures.ts';

interface Result {
  rotation?: { angle: { yaw: number; pitch: number; roll: number } } | null;
  embedding?: number[];
}

let models: ReturnType<typeof loadLandmarker> | undefined;

serve<FrameTask>(async ({ rgba, width, height }) => {
  models ??= loadLandmarker({ descriptors: true });
  const rgb = new Uint8Array(width * height * 3);
  for (let i = 0; i < width * height; i++) rgb.set(rgba.subarray(i * 4, i * 4 + 3), i * 3);
  const [face] = await (await models).find({ rgb, width, height });
  if (!face) return undefined;
  const { rotation, embedding = [] } = face as typeof face & Result;
  return { points: face.points, angle: rotation?.angle ?? { yaw: 0, pitch: 0, roll: 0 }, embedding } satisfies SeenFace;
});
