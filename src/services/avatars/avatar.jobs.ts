/** The jobs of avatars: the idle video of a face, which plays between turns. */
import type { JobWork, QueueSettings } from '../work/job.port.ts';
import type { IdleVideos } from './idle-video.service.ts';

/** The queue of idle videos. */
export const avatarQueues = {
  idle: { retryLimit: 2, longestS: 120, spare: 'one' },
} satisfies Record<string, QueueSettings>;

/** The work of avatars in this process. */
export function avatarJobs(idleVideos: IdleVideos): Record<keyof typeof avatarQueues, JobWork> {
  return { idle: { atOnce: 1, run: ({ id, signal }) => idleVideos.render(id, signal) } };
}
