/** The face detector's thread: one task at a time, the models loaded with the first. */
import { serve } from '../../ports/serve.ts';
import { detectFace, type Near } from './detect.ts';
import { type Landmarker, loadLandmarker, type Pixels } from './landmarker.ts';
import { lipsApart } from './lips-apart.ts';
import type { View } from './view.ts';

/** What the thread is asked. */
export type FaceTask =
  | { kind: 'detect'; image: Uint8Array; near: Near | undefined }
  | { kind: 'lipsApart'; pixels: Pixels; face: View };

let models: Promise<Landmarker> | undefined;

serve<FaceTask>(async (task) => {
  models ??= loadLandmarker();
  const loaded = await models;
  return task.kind === 'detect' ? detectFace(loaded, task.image, task.near) : lipsApart(loaded, task.pixels, task.face);
});
