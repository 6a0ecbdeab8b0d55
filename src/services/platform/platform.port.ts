/**
 * What the services are built from: the ports of the layers below, chosen in `src/app`. A service takes the ones it
 * needs by name; none reaches another through a global.
 */
import type { Logger } from 'pino';
import type { AuditLog } from '../../auth/audit-log.ts';
import type { PasswordCost } from '../../auth/passwords.ts';
import type { Decoders } from '../../engines/decoders/index.ts';
import type { Engines } from '../../engines/ports/index.ts';
import type { Notifier } from '../../events/notifier.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import type { Database, Tx } from '../../kernel/database.ts';
import type { JobKind } from '../../kernel/job-kinds.ts';
import type { RemoteCalls } from '../../kernel/remote-calls.ts';
import type { Replicas } from '../../kernel/replicas.ts';
import type { Tracer } from '../../kernel/spans.ts';
import type { JobOrigin } from '../../kernel/work-account.ts';
import type { MediaLinks } from '../../storage/links.ts';
import type { SafeFetch } from '../../storage/safe-fetch.ts';
import type { MediaStore } from '../../storage/store.ts';

/** A job to enqueue. */
export interface NewJob {
  id: string;
  /** The user who asked for the work: accounts share the worker slots. */
  account: string;
  /** Work of moments comes before work of minutes. */
  isQuick?: boolean;
  /** The request that asked for it, where that is another one than the one under way. */
  origin?: JobOrigin | null;
}

/** The queue, as services see it. */
export interface Jobs {
  /** Enqueues in the caller's transaction: the job exists exactly when the state it belongs to does. */
  enqueue(tx: Tx, kind: JobKind, job: NewJob): Promise<void>;
}

/** The ports that services are built on; each takes the part it needs. */
export interface Platform {
  db: Database;
  /** Where lists and conversations are read, which need not be PostgreSQL itself. */
  replicas: Replicas;
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
  /** What the hash of a password takes. */
  passwordCost: PasswordCost;
  /** Undefined where no collector of spans is configured. */
  tracer: Tracer | undefined;
}
