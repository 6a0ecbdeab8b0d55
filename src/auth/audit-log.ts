/**
 * The audit log: sensitive actions, each written in its own transaction, so that what was done is on record exactly when
 * it was done. Lines carry ids, an address and a request id; never a secret, nor a text of a user.
 */

import type { AuditAction } from '../../schema/audit.ts';
import { prepared } from '../../schema/entities/tables.ts';
import type { Database, Tx } from '../kernel/database.ts';
import { newId } from '../kernel/ids.ts';
import { unnest } from '../kernel/prepared.ts';
import type { Origin, Principal } from './principal.ts';

/** Who did it: a caller, or where a caller without a credential (or an app by its secret) called from. */
export interface Actor extends Partial<Pick<Principal, 'userId' | 'kind' | 'credentialId' | 'clientId'>> {
  origin?: Origin | undefined;
}

/** What it was done to. */
export interface AuditSubject {
  /** The account it is about. */
  userId: string | null;
  /** Id of the thing that the action was done to. */
  subject?: string | null;
  detail?: string;
}

interface Lines {
  ids: string[];
  userIds: (string | null)[];
  subjects: (string | null)[];
  details: (string | null)[];
  actorUserId: string | null;
  credentialKind: string | null;
  credentialId: string | null;
  clientId: string | null;
  action: AuditAction;
  address: string | null;
  requestId: string | null;
  createdAt: number;
}

/** Prepared: sent without waiting, so that no change waits for its line. */
const insert = prepared((tables, given: Lines) =>
  tables
    .insertInto('audit_event')
    .columns([
      ...(['id', 'user_id', 'actor_user_id', 'credential_kind', 'credential_id', 'client_id'] as const),
      ...(['action', 'subject', 'detail', 'address', 'request_id', 'created_at'] as const),
    ])
    .expression(
      tables
        .selectFrom(
          unnest<{ id: string; user_id: string | null; subject: string | null; detail: string | null }, 'a'>('a', {
            id: ['text', given.ids],
            user_id: ['text', given.userIds],
            subject: ['text', given.subjects],
            detail: ['text', given.details],
          }),
        )
        .select(({ val }) => [
          'a.id',
          'a.user_id',
          val(given.actorUserId).as('actor_user_id'),
          val(given.credentialKind).as('credential_kind'),
          val(given.credentialId).as('credential_id'),
          val(given.clientId).as('client_id'),
          val(given.action).as('action'),
          'a.subject',
          'a.detail',
          val(given.address).as('address'),
          val(given.requestId).as('request_id'),
          val(given.createdAt).as('created_at'),
        ]),
    ),
);

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
    const { sql, values } = insert.filled(this.#lines(by, action, about));
    tx.send(sql, values);
    tx.afterCommit(() => this.#count(action, about.length));
  }

  /** For what changes nothing and so has no transaction: a failed sign-in. */
  async recordAlone(by: Actor, action: AuditAction, about: AuditSubject): Promise<void> {
    await insert(this.#ports.db, this.#lines(by, action, [about]));
    this.#count(action, 1);
  }

  #count(action: AuditAction, n: number): void {
    this.counts.set(action, (this.counts.get(action) ?? 0) + n);
  }

  #lines(by: Actor, action: AuditAction, about: AuditSubject[]): Lines {
    const createdAt = this.#ports.clock.now();
    return {
      ids: about.map(() => newId('aud', createdAt)),
      userIds: about.map(({ userId }) => userId),
      subjects: about.map(({ subject }) => subject ?? null),
      details: about.map(({ detail }) => detail ?? null),
      actorUserId: by.userId ?? null,
      credentialKind: by.kind ?? null,
      credentialId: by.credentialId ?? null,
      clientId: by.clientId ?? null,
      action,
      address: by.origin?.address ?? null,
      requestId: by.origin?.requestId ?? null,
      createdAt,
    };
  }
}
