/**
 * How a domain declares its background work, in its `*.jobs.ts`: the queues it has, what is done for a job, and what is looked for
 * now and then. `src/jobs` runs it: it knows leases, slots and retries, and no domain.
 */
import type { Tx } from '../../kernel/database.ts';
import type { Attempts } from './attempt-failure.rules.ts';

/** Settings of a queue, the same in every process. */
export interface QueueSettings {
  /** Attempts after the first, whatever ended them: errors, of which ATTEMPTS_ON_ERROR end the work, and workers that stop or die. */
  retryLimit: number;
  /** After this the work is aborted, and has failed. */
  longestS: number;
  /**
   * Worker slots beside those that one account may fill: an equal number again where the work is mostly waiting, one
   * where it takes a core, none where it takes so much memory that only as many may run as the operator said.
   */
  spare: 'as many' | 'one' | 'none';
}

/** What a handler knows about its attempt. */
export interface JobRun extends Attempts {
  id: string;
  /** An earlier attempt of this job failed, died or was requeued. */
  isRetry: boolean;
  /** Aborted when the worker stops (its reason is WorkerStoppingError), or when the work takes longer than its queue allows. */
  signal: AbortSignal;
  /** Ends the job within a transaction: the last of its work, which saves the commit of its own. */
  complete(tx: Tx): void;
}

/** Does the work of one attempt. */
export type JobHandler = (run: JobRun) => Promise<void>;

/** Work that was taken by the transaction that starts its job. */
export interface TakenWork {
  /** Begins what leaves no trace, before that transaction commits. Either `run` or `drop` follows. */
  prepare?(): void;
  /** Adds to that transaction what is there in time, where it was not the one that enqueued the job. */
  join?(tx: Tx): Promise<void>;
  /** Ends what `prepare` began: it was not committed, this is unknown, or the worker stops before it has run. */
  drop?(): void;
  /** Does it, in place of the handler of its kind. */
  run: JobHandler;
}

/** How the work of a first attempt is taken in the transaction that starts its job. */
export interface JobClaim {
  /** Whether it can be taken by the transaction that enqueues the job, too. */
  whenEnqueued: boolean;
  /**
   * Sends the statement at once.
   * @param given the work's id, and the job that must have been started by this transaction (`STARTED_JOB_SETTING`);
   * null where it is enqueued and started by it
   */
  take(tx: Pick<Tx, 'rows'>, given: { id: string; startedJob: string | null }): Promise<TakenWork>;
}

/** What is done for the jobs of one kind in this process. */
export interface JobWork {
  /** How much of it one account may have under way here. */
  atOnce: number;
  /** How much of it all accounts may have under way here, where it is not `atOnce` and the queue's spare. */
  slots?: number;
  /** Mostly one call of a service. */
  run: JobHandler;
  /** Where a first attempt is taken by the transaction that starts its job. */
  claim?: JobClaim;
}

/** What every worker process does now and then, whatever jobs there are. */
export interface PeriodicTask {
  /** As it is called in the log when it fails. */
  name: string;
  everyMs: number;
  /** @param stopping aborted when the worker stops, which waits for the end of it */
  run(stopping: AbortSignal): Promise<unknown>;
}

/** What the work of all domains shares on this machine. */
export interface WorkerMachine {
  cores: number;
  /** Turns and one-shot speech of one account that are rendered at once. */
  rendersAtOnce: number;
}
