/**
 * The audit log: sensitive actions, each written in its own transaction, so that what was done is on record exactly when
 * it was done. Lines carry ids, an address and a request id; never a secret, nor a text of a user.
 */
import type { Database, Tx } from '../kernel/database.ts';
import { newId } from '../kernel/ids.ts';
import type { Origin, Principal } from './principal.ts';

/** Every action that is written down. */
export const AUDIT_ACTIONS = [
  'account_created',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'password_changed',
  'email_changed',
  'email_verified',
  'api_key_created',
  'api_key_revoked',
  'app_registered',
  'app_changed',
  'app_secret_rotated',
  'app_deleted',
  'consent_given',
  'grant_given',
  'grant_revoked',
  'gift_confirmed',
  'visibility_changed',
  'access_link_created',
  'access_link_revoked',
  'credits_granted',
  'memory_system_selected',
  'instance_keys_rotated',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Who did it: a caller, or where somebody without a credential (or an app by its secret) called from. */
export interface Actor extends Partial<Pick<Principal, 'userId' | 'kind' | 'credentialId' | 'clientId'>> {
  origin?: Origin | undefined;
}

/** What it was done to. */
export interface AuditSubject {
  /** The account it is about. */
  userId: string | null;
  /** Id of the thing. */
  subject?: string | null;
  detail?: string;
}

const INSERT = `insert into audit_event (id, user_id, actor_user_id, credential_kind, credential_id, client_id, action,
    subject, detail, address, request_id, created_at)
  select id, user_id, $4, $5, $6, $7, $8, subject, detail, $9, $10, $11
  from unnest($1::text[], $2::text[], $3::text[], $12::text[]) as a (id, user_id, subject, detail)`;

export class AuditLog {
  readonly #ports: { db: Pick<Database, 'rows'>; clock: { now(): number } };
  /** Events that this process wrote, by action: a metric. */
  readonly counts = new Map<AuditAction, number>();

  constructor(ports: { db: Pick<Database, 'rows'>; clock: { now(): number } }) {
    this.#ports = ports;
  }

  /** Written with the transaction: it fails where this cannot be written. */
  record(tx: Tx, by: Actor, action: AuditAction, ...about: AuditSubject[]): void {
    if (about.length === 0) return;
    tx.send(INSERT, this.#values(by, action, about));
    tx.afterCommit(() => this.#count(action, about.length));
  }

  /** For what changes nothing and so has no transaction: a failed sign-in. */
  async recordAlone(by: Actor, action: AuditAction, about: AuditSubject): Promise<void> {
    await this.#ports.db.rows(INSERT, this.#values(by, action, [about]));
    this.#count(action, 1);
  }

  #count(action: AuditAction, n: number): void {
    this.counts.set(action, (this.counts.get(action) ?? 0) + n);
  }

  #values(by: Actor, action: AuditAction, about: AuditSubject[]): unknown[] {
    const nowMs = this.#ports.clock.now();
    return [
      about.map(() => newId('aud', nowMs)),
      about.map(({ userId }) => userId),
      about.map(({ subject }) => subject ?? null),
      by.userId ?? null,
      by.kind ?? null,
      by.credentialId ?? null,
      by.clientId ?? null,
      action,
      by.origin?.address ?? null,
      by.origin?.requestId ?? null,
      nowMs,
      about.map(({ detail }) => detail ?? null),
    ];
  }
}
