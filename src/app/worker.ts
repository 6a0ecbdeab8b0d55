/** A process that works: the handlers of every kind of job, each one call of a service. */
import os from 'node:os';
import { localName } from '../engines/local/installed.ts';
import { openWorkerLease } from '../jobs/worker-lease.ts';
import { startWorkers } from '../jobs/workers.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../kernel/clock.ts';
import { ACCOUNT_LINK } from '../services/accounts/account-links.service.ts';
import type { App } from './app.ts';

/** Replies of one account that wait for a remote chat engine, so more of them run at once than there are cores. */
const REMOTE_REPLIES_AT_ONCE = 8;
/** Replies of all: what waits for a memory or a chat engine that does not answer holds few of them. */
const REPLY_SLOTS = 16;
/** A local model writes one after another: one is written, one is ready, the others wait as jobs, which have no deadline. */
const LOCAL_REPLY_SLOTS = 2;

/** Talking heads of one account that are made elsewhere wait for minutes; their sound is not to wait behind them. */
const REMOTE_RENDERS_AT_ONCE = 16;

/** Of one account; others find a slot beside these. The embedded illustrator has one thread, others wait on a network. */
const IMAGES_AT_ONCE = 3;

/** Trainings wait for other people's pages; one owner's slow pages must not keep the next one waiting. */
const TRAININGS_AT_ONCE = 2;

/** Mails wait for other people's servers. */
const MAILS_AT_ONCE = 4;

/** Webhooks wait for other people's servers. */
const WEBHOOKS_AT_ONCE = 4;

/** How often stated facts are looked for that a memory system could not take. */
const RETRY_PENDING_MS = 1_000;
/** How often files of deleted things are looked for that are still in the store. */
const REMOVE_MEDIA_MS = 5_000;
/** How often images are looked for whose web process died: their holds go back within a minute of that. */
const ORPHANED_MS = 10_000;
/** How often memories are looked for that wait for their vector. */
const EMBED_MS = 500;
/** How often events are looked for that are to be sent to webhooks. */
const WEBHOOKS_MS = 500;

/** A worker that takes jobs in this process. */
export interface RunningWorker {
  /** Gives back what runs. */
  stop(): Promise<void>;
}

export async function startWorker(app: App): Promise<RunningWorker> {
  const { boss, db, log, sessionUrl } = app;
  const cores = os.availableParallelism();
  // With a preview each of them is drawn here as well.
  const onlyWaits = app.engines.remoteTalkingHead && app.config.TALKING_HEAD_PREVIEW === 'off';
  const renders = app.config.RENDER_CONCURRENCY || (onlyWaits ? REMOTE_RENDERS_AT_ONCE : cores);
  const isLocal = localName(app.config.CHAT_MODEL) !== undefined;
  const lease = await openWorkerLease({ db, url: sessionUrl, log, broker: app.broker });
  const workers = startWorkers({
    boss,
    db,
    lease,
    jobs: app.jobs,
    log,
    tracer: app.tracer,
    kinds: app.config.WORKER_KINDS,
    outageMs: app.config.OUTAGE_SECONDS * SECOND_MS,
    slots: { reply: isLocal ? LOCAL_REPLY_SLOTS : REPLY_SLOTS },
    concurrency: {
      // Written here they are work of a core: more of one account at once would only keep the next account waiting.
      reply: app.engines.chatIsEmbedded ? Math.max(2, cores) : isLocal ? 1 : REMOTE_REPLIES_AT_ONCE,
      render: renders,
      speak: renders,
      image: IMAGES_AT_ONCE,
      video: app.config.VIDEO_CONCURRENCY,
      train: TRAININGS_AT_ONCE,
      remember: 1,
      idle: 1,
      mail: MAILS_AT_ONCE,
      export: 1,
      webhook: WEBHOOKS_AT_ONCE,
    },
    claims: {
      // A reply has its number by the last statement of the transaction that accepts it: not before that it can be taken.
      reply: { whenEnqueued: false, take: (tx, given) => app.replies.claim(tx, given) },
      render: { whenEnqueued: true, take: (tx, given) => app.turnRenders.claim(tx, given) },
    },
    handlers: {
      reply: ({ id, ...run }) => app.replies.write(id, run),
      render: ({ id, ...run }) => app.turnRenders.render(id, run),
      speak: ({ id, signal, ...attempts }) => app.speechRenders.render(id, attempts, signal),
      image: ({ id, signal }) => app.imageRenders.render(id, signal),
      video: ({ id, signal, ...attempts }) => app.videoRenders.render(id, attempts, signal),
      train: (run) => app.services.training.run(run),
      export: ({ id, ...run }) => app.services.accountExports.make(id, run),
      remember: ({ id }) => app.memory.remember(id),
      mail: ({ id, ...run }) =>
        id.startsWith(`${ACCOUNT_LINK}_`)
          ? app.services.accountLinks.send(id, run)
          : app.services.emailVerification.send(id, run),
      webhook: ({ id, signal }) => app.webhookDeliveries.send(id, signal),
      idle: ({ id, signal }) => app.services.idleVideos.render(id, signal),
    },
  });
  const rounds = [
    // Ends orphaned work.
    every(MINUTE_MS, app, 'orphan reaper', () => app.orphanReaper.reap()),
    every(REMOVE_MEDIA_MS, app, 'media removal', () => app.removals.round()),
    every(REMOVE_MEDIA_MS, app, 'talking head cancellation', () => app.talkingHeadCancellations.round()),
    every(ORPHANED_MS, app, 'orphaned images', () => app.imageRenders.refuseOrphans()),
    every(EMBED_MS, app, 'embedding', () => app.embeddings.round()),
    every(WEBHOOKS_MS, app, 'webhooks', () => app.webhookDeliveries.enqueueDue()),
    every(RETRY_PENDING_MS, app, 'pending memories', () => app.memory.retryPending()),
    every(HOUR_MS, app, 'retention cleanup', () => app.retentionCleanup.run()),
    every(HOUR_MS, app, 'export cleanup', () => app.services.accountExports.removeOld()),
    every(HOUR_MS, app, 'visitor cleanup', () => app.visitorCleanup.run()),
    every(HOUR_MS, app, 'retention', () => app.retention.run()),
    every(HOUR_MS, app, 'key rotation', () => app.keyRotation.rotateOld()),
  ];
  return {
    async stop() {
      app.embeddings.stop();
      // At once: a round that waits for the database keeps no running work from hearing of the stop.
      await Promise.all([workers.stop(), ...rounds.map((stopRound) => stopRound())]);
      await lease.close();
    },
  };
}

/** Does something now and then, never twice at once; returns what stops it. */
function every(ms: number, app: App, task: string, work: () => Promise<unknown>): () => Promise<void> {
  let round: Promise<unknown> | undefined;
  const begin = () => {
    round ??= work()
      .catch((error: unknown) => app.log.warn({ err: error, task }, 'periodic task failed'))
      .finally(() => {
        round = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, ms);
  return async () => {
    clearInterval(timer);
    await round;
  };
}
