/** Kinds of background work; each has its own concurrency, so that long renders do not starve turns. New ones at the end: locks name them by their place. */
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
] as const;

/** The setting of a transaction that names the job it has started: what takes the work of a job in it looks at that. */
export const STARTED_JOB_SETTING = 'avatar.started_job';

/** One of them. */
export type JobKind = (typeof JOB_KINDS)[number];
