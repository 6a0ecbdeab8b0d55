/** Reading the audit log: an account its own lines, operators those of everybody. */
import type { AuditEvent, AuditPage } from '../../../schema/audit.ts';
import { AuditEventEntity } from '../../../schema/entities/users.ts';
import type { AuditLogArgs } from '../../../schema/inputs/account.ts';
import type { PageArgs } from '../../../schema/inputs/page.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Platform } from '../platform.ts';
import type { Accounts } from './account.service.ts';

/** A line as the API shows it. */
const showEvent = ({ id, action, userId, actorUserId, createdAt, ...rest }: AuditEventEntity): AuditEvent => ({
  ...{ id, action, userId, actorUserId, createdAt },
  credentialKind: rest.credentialKind,
  credentialId: rest.credentialId,
  clientId: rest.clientId,
  subject: rest.subject,
  detail: rest.detail,
  address: rest.address,
  requestId: rest.requestId,
});

/** Where another account did it, from where is not told. */
function withoutOthers(event: AuditEvent, { userId }: Principal): AuditEvent {
  const isOthers = event.actorUserId != null && event.actorUserId !== userId;
  return isOthers ? { ...event, address: null, credentialId: null, requestId: null } : event;
}

export class AuditEvents {
  readonly #p: Pick<Platform, 'db'>;
  readonly #accounts: Pick<Accounts, 'requireOperator'>;

  constructor(platform: Pick<Platform, 'db'>, accounts: Pick<Accounts, 'requireOperator'>) {
    this.#p = platform;
    this.#accounts = accounts;
  }

  /** What happened to the caller's account, newest first. Where another account did it, from where is not told. */
  async own(principal: Principal, page: PageArgs): Promise<AuditPage> {
    const { events, endCursor } = await this.#read({ userId: principal.userId }, page);
    return { events: events.map((event) => withoutOthers(event, principal)), endCursor };
  }

  /** One line on the caller's account; undefined when there is none. */
  async read(principal: Principal, id: string): Promise<AuditEvent | undefined> {
    const row = await this.#p.db.em().findOne(AuditEventEntity, { id, userId: principal.userId });
    return row ? withoutOthers(showEvent(row), principal) : undefined;
  }

  /** Operators only: every line, or those of one account or action. Throws 403. */
  async all(principal: Principal, wanted: AuditLogArgs): Promise<AuditPage> {
    await this.#accounts.requireOperator(principal);
    const { userId, action } = wanted;
    return this.#read({ ...(userId == null ? {} : { userId }), ...(action == null ? {} : { action }) }, wanted);
  }

  async #read(where: { userId?: string; action?: string }, page: PageArgs): Promise<AuditPage> {
    const first = page.first ?? 50;
    const behind = page.after == null ? {} : { id: { $lt: page.after } };
    const rows = await this.#p.db
      .em()
      .find(AuditEventEntity, { ...where, ...behind }, { orderBy: { id: 'desc' }, limit: first });
    const events = rows.map(showEvent);
    return { events, endCursor: events.length === first ? (events.at(-1)?.id ?? null) : null };
  }
}
