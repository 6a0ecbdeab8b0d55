/** Kinds of background work; each has its own concurrency, so that long renders do not starve turns. */
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

/** One of them. */
export type JobKind = (typeof JOB_KINDS)[number];
