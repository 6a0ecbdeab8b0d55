/** The face detector's thread: one still a task. Stays erasable TypeScript, as worker threads run it unbuilt in tests. */
import { serve } from '../serve.ts';
import { detectFace } from './detect.ts';

serve<{ image: Uint8Array }>(({ image }) => detectFace(image));
