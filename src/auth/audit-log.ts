/**
 * The audit log: sensitive actions, each written in its own transaction, so that what was done is on record exactly when
 * it was done. Lines carry ids, an address and a request id; never a secret, nor a text of a user.
 */

import type { AuditAction } from '../../schema/audit.ts';
import type { Database, Tx } from '../kernel/database.ts';
import { newId } from '../kernel/ids.ts';
import { insertLines, type Lines } from './audit-log.queries.ts';
import type { Origin, Principal } from './principal.ts';

/**
 * Who did it: a caller with a credential, or else only the address that was called from (an app by its secret also has none).
 */
export interface Actor extends Partial<Pick<Principal, 'userId' | 'kind' | 'credentialId' | 'clientId'>> {
  origin?: Origin | undefined;
}

/** What the action was done to. */
export interface AuditSubject {
  /** The account it is about. */
  userId: string | null;
  /** Id of the thing that the action was done to. */
  subject?: string | null;
  detail?: string;
}

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
    const { sql, values } = insertLines.filled(this.#lines(by, action, about));
    tx.send(sql, values);
    tx.afterCommit(() => this.#count(action, about.length));
  }

  /** For actions that change nothing and so have no transaction, such as a failed sign-in. */
  async recordAlone(by: Actor, action: AuditAction, about: AuditSubject): Promise<void> {
    await insertLines(this.#ports.db, this.#lines(by, action, [about]));
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
