/**
 * What the services are built from: the ports of the layers below, chosen in `src/app`. A service takes the ones it
 * needs by name; none reaches another through a global.
 */
import type { Logger } from 'pino';
import type { AuditLog } from '../auth/audit-log.ts';
import type { Decoders } from '../engines/decoders/index.ts';
import type { Engines } from '../engines/ports.ts';
import type { Notifier } from '../events/notifier.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import type { Database, Tx } from '../kernel/database.ts';
import type { RemoteCalls } from '../kernel/remote-calls.ts';
import type { MediaLinks } from '../storage/links.ts';
import type { SafeFetch } from '../storage/safe-fetch.ts';
import type { MediaStore } from '../storage/store.ts';

/** Kinds of background work; each has its own concurrency, so that long renders do not starve turns. */
export type JobKind =
  | 'reply'
  | 'render'
  | 'speak'
  | 'image'
  | 'video'
  | 'train'
  | 'remember'
  | 'idle'
  | 'mail'
  | 'export'
  | 'webhook';

/** A job to enqueue. */
export interface NewJob {
  id: string;
  /** The user who asked for the work: accounts share the worker slots. */
  account: string;
  /** Work of moments comes before work of minutes. */
  isQuick?: boolean;
}

/** The queue, as services see it. */
export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists exactly when the state it belongs to does. */
  enqueue(tx: Tx, kind: JobKind, job: NewJob): Promise<void>;
}

/** The ports that services are built on; each takes the part it needs. */
export interface Platform {
  db: Database;
  clock: Clock;
  config: Config;
  log: Logger;
  notifier: Notifier;
  store: MediaStore;
  links: MediaLinks;
  safeFetch: SafeFetch;
  engines: Engines;
  /** Through which remote addresses are called. */
  remote: RemoteCalls;
  /** Opens media that we did not make; nothing else does. */
  decoders: Decoders;
  jobs: Jobs;
  audit: AuditLog;
}
