/** The jobs of video generation. */
import type { JobWork, QueueSettings } from '../work/job.port.ts';
import type { VideoRenders } from './video-render.service.ts';

/** The queue of generated videos. */
export const videoQueues = {
  // Twenty seconds of 1080p at 48 frames take minutes on a busy machine.
  video: { retryLimit: 10, longestS: 3_600, spare: 'none' },
} satisfies Record<string, QueueSettings>;

/**
 * The work of video generation in this process.
 * @param atOnce VIDEO_CONCURRENCY: each takes some hundred MB
 */
export function videoJobs(renders: VideoRenders, atOnce: number): Record<keyof typeof videoQueues, JobWork> {
  return { video: { atOnce, run: ({ id, signal, ...attempts }) => renders.render(id, attempts, signal) } };
}
