/** The jobs of one-shot speech, and what is looked after of talking heads that providers make. */
import { SECOND_MS } from '../../kernel/clock.ts';
import type { JobWork, PeriodicTask, QueueSettings, WorkerMachine } from '../work/job.port.ts';
import type { SpeechRenders } from './speech-render.service.ts';
import type { TalkingHeadCancellations } from './talking-head-cancellations.service.ts';

/** The queue of one-shot speech. */
export const speechQueues = {
  speak: { retryLimit: 10, longestS: 900, spare: 'one' },
} satisfies Record<string, QueueSettings>;

/** How often orders are looked for whose result is not wanted any more. */
const CANCEL_MS = 5 * SECOND_MS;

/** The work of one-shot speech in this process. */
export function speechJobs(
  { speechRenders }: { speechRenders: SpeechRenders },
  { rendersAtOnce }: WorkerMachine,
): Record<keyof typeof speechQueues, JobWork> {
  return {
    speak: {
      atOnce: rendersAtOnce,
      run: ({ id, signal, ...attempts }) => speechRenders.render(id, attempts, signal),
    },
  };
}

/** What is cancelled at providers now and then. */
export const speechTasks = (cancellations: TalkingHeadCancellations): PeriodicTask[] => [
  { name: 'talking head cancellation', everyMs: CANCEL_MS, run: () => cancellations.round() },
];
