/**
 * Lines of the audit log. By a statement, not the ORM: it is sent without being waited for, once for however many lines
 * (50 rows cost 4.1 times as much as entities: docs/decisions/0002).
 */
import type { AuditAction } from '../../schema/audit.ts';
import { prepared } from '../../schema/entities/tables.ts';
import { unnest } from '../kernel/prepared.ts';

/** Lines of one action; what differs from line to line is an array. */
export interface Lines {
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

/** Sent without awaiting the answer, so that a change does not wait for its line of the log. */
export const insertLines = prepared((tables, given: Lines) =>
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
