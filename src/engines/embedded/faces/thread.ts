/** The face detector's thread: one still a task, the models loaded with the first. */
import { serve } from '../../ports/serve.ts';
import { detectFace, type Near } from './detect.ts';
import { type Landmarker, loadLandmarker } from './landmarker.ts';

let models: Promise<Landmarker> | undefined;

serve<{ image: Uint8Array; near?: Near }>(async ({ image, near }) => {
  models ??= loadLandmarker();
  return detectFace(await models, image, near);
});
