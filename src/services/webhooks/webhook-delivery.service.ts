/**
 * Sends events to webhook endpoints. Each attempt is a job, enqueued when it is due; between attempts a delivery is only a row with
 * a date, so that a receiver that is away occupies no slot of the queue. An event is sent at least once, and for at most three days;
 * receivers recognise repetitions by `webhook-id`.
 */
import { LockMode, type SqlEntityManager } from '@mikro-orm/postgresql';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from '../../../schema/entities/webhooks.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { NoAnswerError } from '../../kernel/remote-calls.ts';
import type { Seal } from '../../kernel/sealing.ts';
import type { GuardedFetch } from '../../storage/guarded-client.ts';
import { FetchRefusal } from '../../storage/safe-connect.ts';
import type { Platform } from '../platform/platform.port.ts';
import { takeDueWebhooks } from './webhook-delivery.queries.ts';
import { signatureHeaders } from './webhook-signature.codec.ts';

/** Seconds from one attempt to the next; the last one begins 68 hours after the first. */
const WAITS_S = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800, 43_200, 57_600, 86_400];
/** An event that could not be delivered for so long is given up. */
const LONGEST_MS = 3 * DAY_MS;
/** A delivery whose job was enqueued so long ago and has not ended is enqueued again: the job was lost. */
const LOST_MS = 10 * MINUTE_MS;
const BATCH = 100;
const GONE = 410;

type Needs = Pick<Platform, 'db' | 'clock' | 'log' | 'jobs' | 'remote'>;

/** How an attempt ended. */
interface Outcome {
  status: number | null;
  /** Why it failed; null where the receiver took it. */
  error: string | null;
}

export class WebhookDeliveries {
  readonly #p: Needs;
  readonly #seal: Pick<Seal, 'open'>;
  readonly #fetch: GuardedFetch;

  constructor(platform: Needs, seal: Pick<Seal, 'open'>, guardedFetch: GuardedFetch) {
    this.#p = platform;
    this.#seal = seal;
    this.#fetch = guardedFetch;
  }

  /** Enqueues the deliveries that are due; several workers may do so at once. Returns how many. */
  async enqueueDue(): Promise<number> {
    const { db, clock, jobs } = this.#p;
    let all = 0;
    for (;;) {
      const nowMs = clock.now();
      const due = await db.transaction(async (tx) => {
        const taken = await takeDueWebhooks(tx, { nowMs, lostMs: nowMs - LOST_MS, limit: BATCH });
        for (const { id, userId } of taken) await jobs.enqueue(tx, 'webhook', { id, account: userId });
        return taken.length;
      });
      all += due;
      if (due < BATCH) return all;
    }
  }

  /** Runs one attempt. Whatever the receiver answers is recorded and ends the job; throws only where recording fails. */
  async send(id: string, signal: AbortSignal): Promise<void> {
    const em = this.#p.db.em();
    const row = await em.findOne(WebhookDeliveryEntity, { id, state: 'sending' }, { populate: ['endpoint'] });
    if (!row) return;
    const endpoint = row.endpoint.unwrap();
    if (endpoint.disabledAt) return this.#note(row, { status: null, error: 'The endpoint is disabled.' }, true);
    const outcome = await this.#post(row, endpoint, signal);
    // Stopped with the worker: nothing is recorded, and another worker makes the attempt again.
    signal.throwIfAborted();
    await this.#note(row, outcome, outcome.status === GONE);
  }

  async #post(row: WebhookDeliveryEntity, endpoint: WebhookEndpointEntity, signal: AbortSignal): Promise<Outcome> {
    const nowMs = this.#p.clock.now();
    const body = JSON.stringify({
      type: row.eventType,
      timestamp: new Date(row.createdAt).toISOString(),
      data: row.data,
    });
    const isOldSigning = endpoint.previousSecret && (endpoint.previousSecretUntil ?? 0) > nowMs;
    const secrets = [endpoint.secret, ...(isOldSigning ? [endpoint.previousSecret ?? ''] : [])];
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'avatar-platform-webhooks/1',
      ...signatureHeaders(
        { id: row.id, timestampS: Math.floor(nowMs / SECOND_MS), body },
        secrets.map((sealed) => this.#seal.open(sealed, endpoint.id)),
      ),
    };
    const address = `${endpoint.id} ${new URL(endpoint.url).origin}`;
    try {
      const to = {
        service: 'webhook',
        address,
        isNoAnswer: (error: unknown) => !(error instanceof FetchRefusal),
      } as const;
      const { status } = await this.#p.remote.call(to, signal, (ending) =>
        this.#fetch(endpoint.url, { method: 'POST', headers, body, signal: ending }),
      );
      const isTaken = status >= 200 && status < 300;
      return { status, error: isTaken ? null : `It answered ${status}.` };
    } catch (error) {
      return { status: null, error: inWords(error) };
    }
  }

  async #note(row: WebhookDeliveryEntity, { status, error }: Outcome, isFinal: boolean): Promise<void> {
    const { db, clock, log } = this.#p;
    const nowMs = clock.now();
    const attempts = row.attempts + 1;
    const waitMs = (WAITS_S[attempts - 1] ?? Number.POSITIVE_INFINITY) * SECOND_MS;
    const isOver = isFinal || nowMs + waitMs > row.begunAt + LONGEST_MS;
    const ended = { status, error, attempts };
    const state = error === null ? 'delivered' : isOver ? 'failed' : 'waiting';
    const change = {
      delivered: { ...ended, state: 'delivered', deliveredAt: nowMs },
      failed: { ...ended, state: 'failed' },
      waiting: { ...ended, state: 'waiting', dueAt: nowMs + waitMs },
    } as const;
    const isNoted = await db.transaction(async ({ em }) => {
      // The endpoint is locked before its delivery, in the order in which deleting an endpoint locks them; else they could deadlock.
      const locked = { fields: ['id'], lockMode: LockMode.PESSIMISTIC_WRITE } as const;
      if (!(await em.findOne(WebhookEndpointEntity, row.endpoint.id, locked))) return false;
      const noted = await em.nativeUpdate(
        WebhookDeliveryEntity,
        { id: row.id, state: 'sending', attempts: row.attempts },
        change[state],
      );
      if (noted > 0) await this.#noteEndpoint(em, row, state, status, nowMs);
      return noted > 0;
    });
    // Another job of the same delivery was first, or its endpoint is gone.
    if (!isNoted) return;
    const seen = { deliveryId: row.id, endpointId: row.endpoint.id, event: row.eventType, attempts, status };
    if (error === null) log.info(seen, 'webhook delivered');
    else log.info({ ...seen, reason: error, isOver }, 'webhook not delivered');
  }

  /** Disables an endpoint that accepted nothing for as long as this event was tried; its owner can enable it again. */
  async #noteEndpoint(
    em: SqlEntityManager,
    row: WebhookDeliveryEntity,
    state: string,
    status: number | null,
    nowMs: number,
  ): Promise<void> {
    const id = row.endpoint.id;
    if (state === 'delivered') {
      await em.nativeUpdate(WebhookEndpointEntity, { id }, { deliveredAt: nowMs });
      return;
    }
    if (state !== 'failed') return;
    const standing = { id, disabledAt: null };
    const reason = status === GONE ? 'gone' : 'failing';
    const silent = reason === 'gone' ? {} : { $or: [{ deliveredAt: null }, { deliveredAt: { $lt: row.begunAt } }] };
    const off = await em.nativeUpdate(
      WebhookEndpointEntity,
      { ...standing, ...silent },
      { disabledAt: nowMs, disabledReason: reason },
    );
    if (off > 0) this.#p.log.warn({ endpointId: id, reason }, 'webhook endpoint disabled');
  }
}

/** Why the call failed, in words for the endpoint's owner that reveal nothing of our network or of the answer. */
function inWords(error: unknown): string {
  if (error instanceof FetchRefusal) return 'The address may not be called, or answered too much.';
  if (error instanceof NoAnswerError) return 'It did not answer in time, or could not be reached.';
  return 'The connection failed.';
}
