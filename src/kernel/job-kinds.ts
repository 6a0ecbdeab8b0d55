/**
 * Kinds of background work; each has its own concurrency, so that long renders do not starve turns. Add new ones at the end:
 * advisory locks are numbered by the place in this list.
 */
export const JOB_KINDS = [
  'reply',
  'render',
  'speak',
  'image',
  'video',
  'train',
  'remember',
  'idle',
  'mail',
  'export',
  'webhook',
  'face',
] as const;

/** The setting by which a transaction names the job that it has started; statements that claim the job's work check it. */
export const STARTED_JOB_SETTING = 'avatar.started_job';

/** One of them. */
export type JobKind = (typeof JOB_KINDS)[number];
