/** The jobs of avatars: a new face is fitted for speaking, and its idle video is made, which plays between turns. */
import type { JobWork, QueueSettings } from '../work/job.port.ts';
import type { FaceFitting } from './face-fitting.service.ts';
import type { IdleVideos } from './idle-video.service.ts';

/** The queues of idle videos and of faces. */
export const avatarQueues = {
  idle: { retryLimit: 2, longestS: 120, spare: 'one' },
  face: { retryLimit: 2, longestS: 120, spare: 'one' },
} satisfies Record<string, QueueSettings>;

interface Work {
  idleVideos: IdleVideos;
  faceFitting: FaceFitting;
}

/** The work of avatars in this process. */
export function avatarJobs({ idleVideos, faceFitting }: Work): Record<keyof typeof avatarQueues, JobWork> {
  return {
    idle: { atOnce: 1, run: ({ id, signal }) => idleVideos.render(id, signal) },
    face: { atOnce: 1, run: ({ id, signal }) => faceFitting.fit(id, signal) },
  };
}
