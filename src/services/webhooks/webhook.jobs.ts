/** The jobs of webhooks: a job is one attempt at one delivery. */
import type { JobWork, PeriodicTask, QueueSettings } from '../work/job.port.ts';
import type { WebhookDeliveries } from './webhook-delivery.service.ts';

/** The queue of webhooks. */
export const webhookQueues = {
  // A retry of the job repeats what failed on our side, such as recording the outcome; repeating the call is a new job.
  webhook: { retryLimit: 10, longestS: 60, spare: 'as many' },
} satisfies Record<string, QueueSettings>;

/** Webhooks wait for servers outside of the platform. */
const WEBHOOKS_AT_ONCE = 4;
/** How often due deliveries are enqueued. */
const DUE_MS = 500;

/** The work of webhooks in this process. */
export function webhookJobs(deliveries: WebhookDeliveries): Record<keyof typeof webhookQueues, JobWork> {
  return { webhook: { atOnce: WEBHOOKS_AT_ONCE, run: ({ id, signal }) => deliveries.send(id, signal) } };
}

/** Enqueues what is due. */
export const webhookTasks = (deliveries: WebhookDeliveries): PeriodicTask[] => [
  { name: 'webhooks', everyMs: DUE_MS, run: () => deliveries.enqueueDue() },
];
