/** The jobs of turns: a reply is written, and each of its chunks is rendered. */
import type { JobWork, QueueSettings, WorkerMachine } from '../work/job.port.ts';
import type { Replies } from './reply.service.ts';
import type { TurnRenders } from './turn-render.service.ts';

/** Queues of turns. */
export const turnQueues = {
  // Mostly a wait for a chat engine.
  reply: { retryLimit: 10, longestS: 900, spare: 'as many' },
  render: { retryLimit: 10, longestS: 900, spare: 'one' },
} satisfies Record<string, QueueSettings>;

/** Replies of one account that wait for a remote chat engine, so more of them run at once than there are cores. */
const REMOTE_REPLIES_AT_ONCE = 8;
/** Replies of all accounts; so many that those waiting for a memory or chat engine that does not answer leave slots to others. */
const REPLY_SLOTS = 16;
/** A local model writes one reply at a time: one is being written, one is next, and the others wait as jobs, which have no deadline. */
const LOCAL_REPLY_SLOTS = 2;

/** Where replies are written: by rules in this process, by a model in a thread of it, or by a server. */
export type ReplyWriter = 'embedded' | 'local' | 'remote';

/** The work of turns in this process. */
export function turnJobs(
  { replies, turnRenders }: { replies: Replies; turnRenders: TurnRenders },
  writer: ReplyWriter,
  { cores, rendersAtOnce }: WorkerMachine,
): Record<keyof typeof turnQueues, JobWork> {
  return {
    reply: {
      // The embedded chat occupies a core: more replies of one account at once would only keep other accounts waiting.
      atOnce: { embedded: Math.max(2, cores), local: 1, remote: REMOTE_REPLIES_AT_ONCE }[writer],
      slots: writer === 'local' ? LOCAL_REPLY_SLOTS : REPLY_SLOTS,
      run: ({ id, ...run }) => replies.write(id, run),
      // A reply gets its number from the last statement of the transaction that accepts it, and cannot be claimed before.
      claim: { whenEnqueued: false, take: (tx, given) => replies.claim(tx, given) },
    },
    render: {
      atOnce: rendersAtOnce,
      run: ({ id, ...run }) => turnRenders.render(id, run),
      claim: { whenEnqueued: true, take: (tx, given) => turnRenders.claim(tx, given) },
    },
  };
}
