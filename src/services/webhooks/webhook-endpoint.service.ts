/**
 * Webhook endpoints, to which an account or one of its apps has its events sent, and the log of deliveries. An endpoint's secret is
 * shown once, when it is made; it is stored encrypted, not hashed, because every event is signed with it.
 */
import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { WebhookDeliveryEntity, WebhookEndpointEntity } from '../../../schema/entities/webhooks.ts';
import type {
  CreateWebhookEndpointInput,
  RotateWebhookSecretInput,
  UpdateWebhookEndpointInput,
} from '../../../schema/inputs/webhook.ts';
import type {
  SendWebhookPayload,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookSecretPayload,
} from '../../../schema/webhook.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { byId, type Connection, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import type { Seal } from '../../kernel/sealing.ts';
import { TEST_EVENT } from '../../kernel/webhook-events.ts';
import { checkKeptUrl, FetchRefusal, readAllowHosts } from '../../storage/safe-connect.ts';
import { keepResult } from '../accounts/idempotency.service.ts';
import { checkQuota } from '../accounts/quota.service.ts';
import { users } from '../accounts/user.repository.ts';
import { oauthClients } from '../oauth/oauth-client.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { newWebhookSecret } from './webhook-signature.codec.ts';

/** Newest first. */
const DELIVERIES: Listing<WebhookDeliveryEntity> = { name: 'WebhookDelivery', order: 'desc', keyOf: ({ id }) => id };

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'audit' | 'log'>;

export class WebhookEndpoints {
  readonly #p: Needs;
  readonly #seal: Pick<Seal, 'seal'>;

  constructor(platform: Needs, seal: Pick<Seal, 'seal'>) {
    this.#p = platform;
    this.#seal = seal;
  }

  /** Throws BAD_INPUT for an address that may not be called, NOT_FOUND for another's app, QUOTA_EXCEEDED. */
  async create(principal: Principal, input: CreateWebhookEndpointInput): Promise<WebhookSecretPayload> {
    this.#checkUrl(input.url);
    const createdAt = this.#p.clock.now();
    const id = newId('whe', createdAt);
    const secret = newWebhookSecret();
    return this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      if (input.clientId != null) await oauthClients(tx.em).lockOwned(input.clientId, principal.userId);
      const made = tx.em.create(WebhookEndpointEntity, {
        id,
        user: principal.userId,
        client: input.clientId ?? null,
        url: input.url,
        events: input.events,
        description: input.description ?? null,
        secret: this.#seal.seal(secret, id),
        createdAt,
      });
      await checkQuota(tx, this.#p.config, principal.userId, 'webhooks');
      this.#p.audit.record(tx, principal, 'webhook_created', { userId: principal.userId, subject: id });
      const created = { endpoint: showEndpoint(made), secret };
      keepResult(tx, principal, created);
      return created;
    });
  }

  /** The caller's, oldest first. */
  async list(principal: Principal): Promise<WebhookEndpoint[]> {
    const mine = { user: principal.userId };
    return (await this.#p.db.em().find(WebhookEndpointEntity, mine, { orderBy: { id: 'asc' } })).map(showEndpoint);
  }

  /** Changes one of the caller's. One that is enabled again gets the events from then on. */
  async update(principal: Principal, input: UpdateWebhookEndpointInput): Promise<WebhookEndpoint> {
    if (input.url != null) this.#checkUrl(input.url);
    return this.#p.db.transaction(async (tx) => {
      const row = await lockOwned(tx.em, input.id, principal);
      if (input.url != null) row.url = input.url;
      if (input.events != null) row.events = input.events;
      if (input.description !== undefined) row.description = input.description;
      if (input.isEnabled === true) Object.assign(row, { disabledAt: null, disabledReason: null });
      if (input.isEnabled === false && !row.disabledAt) {
        Object.assign(row, { disabledAt: this.#p.clock.now(), disabledReason: 'owner' });
      }
      this.#p.audit.record(tx, principal, 'webhook_changed', { userId: principal.userId, subject: row.id });
      return showEndpoint(row);
    });
  }

  /** A new secret. For `keepOldFor` seconds (default a day) events are signed with the previous one too. */
  async rotateSecret(principal: Principal, input: RotateWebhookSecretInput): Promise<WebhookSecretPayload> {
    const keepMs = (input.keepOldFor ?? DAY_MS / SECOND_MS) * SECOND_MS;
    const secret = newWebhookSecret();
    return this.#p.db.transaction(async (tx) => {
      const row = await lockOwned(tx.em, input.id, principal);
      Object.assign(row, {
        previousSecret: keepMs > 0 ? row.secret : null,
        previousSecretUntil: keepMs > 0 ? this.#p.clock.now() + keepMs : null,
        secret: this.#seal.seal(secret, row.id),
      });
      this.#p.audit.record(tx, principal, 'webhook_secret_rotated', { userId: principal.userId, subject: row.id });
      const rotated = { endpoint: showEndpoint(row), secret };
      keepResult(tx, principal, rotated);
      return rotated;
    });
  }

  /** Deletes one of the caller's with its log; waiting deliveries are not sent. */
  async remove(principal: Principal, id: string): Promise<string> {
    await this.#p.db.transaction(async (tx) => {
      tx.em.remove(await lockOwned(tx.em, id, principal));
      this.#p.audit.record(tx, principal, 'webhook_deleted', { userId: principal.userId, subject: id });
    });
    return id;
  }

  /** What was sent to one of the caller's, newest first. */
  async deliveries(principal: Principal, id: string, page: PageRequest): Promise<Connection<WebhookDelivery>> {
    const em = this.#p.db.em();
    await owned(em, id, principal);
    return readPage(
      page,
      DELIVERIES,
      (keyset) => {
        const [where, how] = byId(keyset);
        return em.find(WebhookDeliveryEntity, { ...where, endpoint: id }, how);
      },
      showDelivery,
    );
  }

  /** One event of the caller's log; undefined where there is none. */
  async delivery(principal: Principal, id: string): Promise<WebhookDelivery | undefined> {
    const row = await this.#p.db.em().findOne(WebhookDeliveryEntity, { id, endpoint: { user: principal.userId } });
    return row ? showDelivery(row) : undefined;
  }

  /** Sends a test event to one of the caller's, whatever events it subscribes to. */
  async test(principal: Principal, id: string): Promise<SendWebhookPayload> {
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      const endpoint = await lockOwned(tx.em, id, principal);
      refuseDisabled(endpoint);
      const row = tx.em.create(WebhookDeliveryEntity, {
        id: newId('whd', nowMs),
        endpoint,
        eventType: TEST_EVENT,
        subjectId: newId('tst', nowMs),
        data: { endpointId: id },
        dueAt: nowMs,
        begunAt: nowMs,
        createdAt: nowMs,
      });
      const sent = { delivery: showDelivery(row) };
      keepResult(tx, principal, sent);
      return sent;
    });
  }

  /** Sends an event of the caller's log once more, under its id. Throws CONFLICT while it is still being tried. */
  async resend(principal: Principal, id: string): Promise<WebhookDelivery> {
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      const mine = { id, endpoint: { user: principal.userId } };
      // Locked: a worker that claims it meanwhile is either seen below, or waits and then sends it once.
      const row = await tx.em.findOne(WebhookDeliveryEntity, mine, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!row) throw new PlatformError('NOT_FOUND', 'Webhook delivery not found.');
      refuseDisabled(await row.endpoint.loadOrFail());
      if (row.state === 'sending') throw new PlatformError('CONFLICT', 'It is being sent.');
      // With a fresh start: otherwise the next failure of an event that was given up would disable the endpoint.
      Object.assign(row, { state: 'waiting', dueAt: nowMs, begunAt: nowMs, attempts: 0 });
      return showDelivery(row);
    });
  }

  #checkUrl(url: string): void {
    try {
      checkKeptUrl(url, readAllowHosts(this.#p.config.FETCH_ALLOW_HOSTS));
    } catch (error) {
      if (!(error instanceof FetchRefusal)) throw error;
      throw badInput('url', 'must be an https address that can be called from here.');
    }
  }
}

async function owned(em: SqlEntityManager, id: string, { userId }: Principal): Promise<WebhookEndpointEntity> {
  const row = await em.findOne(WebhookEndpointEntity, { id, user: userId });
  if (!row) throw notFound();
  return row;
}

/** The same, locked for a change: of two rotations at once the second keeps the first one's secret as its previous one. */
async function lockOwned(em: SqlEntityManager, id: string, { userId }: Principal): Promise<WebhookEndpointEntity> {
  const row = await em.findOne(WebhookEndpointEntity, { id, user: userId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw notFound();
  return row;
}

const notFound = (): PlatformError => new PlatformError('NOT_FOUND', 'Webhook endpoint not found.');

function refuseDisabled({ disabledAt }: WebhookEndpointEntity): void {
  if (disabledAt) throw new PlatformError('CONFLICT', 'This webhook endpoint is disabled.');
}

const showEndpoint = (row: WebhookEndpointEntity): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  events: row.events,
  description: row.description ?? null,
  clientId: row.client?.id ?? null,
  isEnabled: !row.disabledAt,
  disabledReason: row.disabledReason ?? null,
  previousValidUntil: row.previousSecretUntil ?? null,
  deliveredAt: row.deliveredAt ?? null,
  createdAt: row.createdAt,
});

const showDelivery = (row: WebhookDeliveryEntity): WebhookDelivery => ({
  id: row.id,
  endpointId: row.endpoint.id,
  eventType: row.eventType,
  subjectId: row.subjectId,
  state: row.state,
  attempts: row.attempts,
  status: row.status ?? null,
  error: row.error ?? null,
  nextAttemptAt: row.state === 'waiting' ? row.dueAt : null,
  deliveredAt: row.deliveredAt ?? null,
  createdAt: row.createdAt,
});
