/** Reading the audit log: an account its own lines, operators those of every account. */
import type { AuditEvent } from '../../../schema/audit.ts';
import { AuditEventEntity } from '../../../schema/entities/users.ts';
import type { AuditLogArgs } from '../../../schema/inputs/account.ts';
import type { Principal } from '../../auth/principal.ts';
import { byId, type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { Accounts } from './account.service.ts';

/** Newest first. */
const EVENTS: Listing<{ id: string }> = { name: 'AuditEvent', order: 'desc', keyOf: ({ id }) => id };

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

/** Hides the network address where another account did it. */
function withoutOthers(event: AuditEvent, { userId }: Pick<Principal, 'userId'>): AuditEvent {
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

  /** What happened to the caller's account, newest first. The network address is absent where another account did it. */
  own(principal: Pick<Principal, 'userId'>, page: PageRequest): Promise<Connection<AuditEvent>> {
    return this.#read({ userId: principal.userId }, page, (row) => withoutOthers(showEvent(row), principal));
  }

  /** One line on the caller's account; undefined when there is none. */
  async read(principal: Principal, id: string): Promise<AuditEvent | undefined> {
    const row = await this.#p.db.em().findOne(AuditEventEntity, { id, userId: principal.userId });
    return row ? withoutOthers(showEvent(row), principal) : undefined;
  }

  /** Operators only: every line, or those of one account or action. Throws 403. */
  async all(principal: Principal, wanted: AuditLogArgs): Promise<Connection<AuditEvent>> {
    await this.#accounts.requireOperator(principal);
    const { userId, action } = wanted;
    const where = { ...(userId == null ? {} : { userId }), ...(action == null ? {} : { action }) };
    return this.#read(where, wanted, showEvent);
  }

  #read(
    where: { userId?: string; action?: string },
    page: PageRequest,
    show: (row: AuditEventEntity) => AuditEvent,
  ): Promise<Connection<AuditEvent>> {
    const read = (keyset: Keyset) => {
      const [between, options] = byId(keyset);
      return this.#p.db.em().find(AuditEventEntity, { ...where, ...between }, options);
    };
    return readPage(page, EVENTS, read, show);
  }
}
