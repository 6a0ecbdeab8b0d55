/** The jobs of images, whose callers wait for them. */
import { SECOND_MS } from '../../kernel/clock.ts';
import type { JobWork, PeriodicTask, QueueSettings } from '../work/job.port.ts';
import type { ImageRenders } from './image-render.service.ts';

/** The queue of images. */
export const imageQueues = {
  // A caller waits for it, two minutes at most.
  image: { retryLimit: 10, longestS: 120, spare: 'one' },
} satisfies Record<string, QueueSettings>;

/** Images of one account; other accounts have slots of their own. The embedded illustrator has one thread, providers are waited for. */
const IMAGES_AT_ONCE = 3;

/** How often images are looked for whose web process died: their holds are released within a minute. */
const ORPHANED_MS = 10 * SECOND_MS;

/** The work of images in this process. */
export function imageJobs(renders: ImageRenders): Record<keyof typeof imageQueues, JobWork> {
  return { image: { atOnce: IMAGES_AT_ONCE, run: ({ id, signal }) => renders.render(id, signal) } };
}

/** Refuses images that no caller waits for. */
export const imageTasks = (renders: ImageRenders): PeriodicTask[] => [
  { name: 'orphaned images', everyMs: ORPHANED_MS, run: () => renders.refuseOrphans() },
];
