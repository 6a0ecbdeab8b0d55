/** A process that works: the jobs and periodic tasks of every domain (`*.jobs.ts`), on the cores of this machine. */
import os from 'node:os';
import { localName } from '../engines/local/installed.ts';
import { openWorkerLease } from '../jobs/worker-lease.ts';
import { startWorkers } from '../jobs/workers.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import type { JobKind } from '../kernel/job-kinds.ts';
import { accountJobs, accountTasks } from '../services/accounts/account.jobs.ts';
import { avatarJobs } from '../services/avatars/avatar.jobs.ts';
import { brainJobs, brainTasks } from '../services/brain/brain.jobs.ts';
import { imageJobs, imageTasks } from '../services/images/image.jobs.ts';
import { maintenanceTasks } from '../services/maintenance/maintenance.jobs.ts';
import { speechJobs, speechTasks } from '../services/speech/speech.jobs.ts';
import { type ReplyWriter, turnJobs } from '../services/turns/turn.jobs.ts';
import { videoJobs } from '../services/videos/video.jobs.ts';
import { webhookJobs, webhookTasks } from '../services/webhooks/webhook.jobs.ts';
import type { JobWork, PeriodicTask, WorkerMachine } from '../services/work/job.port.ts';
import type { App } from './app.ts';

/** Remote talking heads take minutes each; with fewer slots the sound of an account's next turns would wait behind them. */
const REMOTE_RENDERS_AT_ONCE = 16;

/** A worker that takes jobs in this process. */
export interface RunningWorker {
  /** Requeues what runs. */
  stop(): Promise<void>;
}

export async function startWorker(app: App): Promise<RunningWorker> {
  const { boss, db, log, sessionUrl } = app;
  const kinds = app.config.WORKER_KINDS;
  const lease = await openWorkerLease({ db, url: sessionUrl, kinds, log, broker: app.broker });
  const workers = startWorkers({
    boss,
    db,
    lease,
    jobs: app.jobs,
    log,
    tracer: app.tracer,
    kinds,
    outageMs: app.config.OUTAGE_SECONDS * SECOND_MS,
    work: workOf(app),
  });
  const tasks = tasksOf(app).map((task) => repeat(task, app));
  return {
    async stop() {
      app.embeddings.stop();
      // All at once: a periodic task that waits for the database must not delay the abort of running jobs.
      await Promise.all([workers.stop(), ...tasks.map((stopTask) => stopTask())]);
      await lease.close();
    },
  };
}

function workOf(app: App): Record<JobKind, JobWork> {
  const { config, services } = app;
  const machine = machineOf(app);
  return {
    ...turnJobs(app, writerOf(app), machine),
    ...speechJobs(app, machine),
    ...imageJobs(app.imageRenders),
    ...videoJobs(app.videoRenders, config.VIDEO_CONCURRENCY),
    ...avatarJobs(services),
    ...brainJobs({ training: services.training, memory: app.memory }),
    ...accountJobs(services),
    ...webhookJobs(app.webhookDeliveries),
  };
}

const tasksOf = (app: App): PeriodicTask[] => [
  ...maintenanceTasks(app),
  ...speechTasks(app.talkingHeadCancellations),
  ...imageTasks(app.imageRenders),
  ...brainTasks(app),
  ...accountTasks(app.services),
  ...webhookTasks(app.webhookDeliveries),
];

function machineOf({ config, engines }: App): WorkerMachine {
  const cores = os.availableParallelism();
  // With a preview each remote one is also drawn here.
  const onlyWaits = engines.remoteTalkingHead && config.TALKING_HEAD_PREVIEW === 'off';
  return { cores, rendersAtOnce: config.RENDER_CONCURRENCY || (onlyWaits ? REMOTE_RENDERS_AT_ONCE : cores) };
}

function writerOf({ config, engines }: App): ReplyWriter {
  if (engines.chatIsEmbedded) return 'embedded';
  return localName(config.CHAT_MODEL) === undefined ? 'remote' : 'local';
}

/** Runs a task at intervals, never twice at once; the returned function stops it. */
function repeat({ name, everyMs, run }: PeriodicTask, app: App): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<unknown> | undefined;
  const begin = () => {
    running ??= run(stopping.signal)
      .catch((error: unknown) => app.log.warn({ err: error, task: name }, 'periodic task failed'))
      .finally(() => {
        running = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
