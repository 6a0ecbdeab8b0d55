/** The face detector's thread: one still a task. Erasable TypeScript only: tests run it unbuilt. */
import { serve } from '../serve.ts';
import { detectFace } from './detect.ts';

serve<{ image: Uint8Array }>(({ image }) => detectFace(image));
