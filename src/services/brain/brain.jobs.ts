/** The jobs of the brain: training on what its owner names, and facts that were stated in a turn. */
import { SECOND_MS } from '../../kernel/clock.ts';
import type { JobWork, PeriodicTask, QueueSettings } from '../work/job.port.ts';
import type { Embeddings } from './embedding.service.ts';
import type { MemoryPort } from './memory.port.ts';
import type { Training } from './training.service.ts';

/** Queues of the brain. */
export const brainQueues = {
  train: { retryLimit: 10, longestS: 900, spare: 'as many' },
  remember: { retryLimit: 6, longestS: 120, spare: 'as many' },
} satisfies Record<string, QueueSettings>;

/** Trainings wait for servers outside of the platform; one owner's slow pages must not keep the next one waiting. */
const TRAININGS_AT_ONCE = 2;

/** How often stated facts are looked for that a memory system could not take. */
const RETRY_PENDING_MS = SECOND_MS;
/** How often memories are looked for that wait for their vector. */
const EMBED_MS = 500;

/** The work of the brain in this process. */
export function brainJobs({
  training,
  memory,
}: {
  training: Training;
  memory: MemoryPort;
}): Record<keyof typeof brainQueues, JobWork> {
  return {
    train: { atOnce: TRAININGS_AT_ONCE, run: (run) => training.run(run) },
    remember: { atOnce: 1, run: ({ id }) => memory.remember(id) },
  };
}

/** What of memories is looked for now and then. */
export const brainTasks = ({ embeddings, memory }: { embeddings: Embeddings; memory: MemoryPort }): PeriodicTask[] => [
  { name: 'embedding', everyMs: EMBED_MS, run: () => embeddings.round() },
  { name: 'pending memories', everyMs: RETRY_PENDING_MS, run: () => memory.retryPending() },
];
