/** Reading the audit log: an account its own lines, operators those of everybody. */
import type { AuditEvent, AuditPage } from '../../../schema/audit.ts';
import { AUDIT_ACTIONS } from '../../auth/audit-log.ts';
import type { Principal } from '../../auth/principal.ts';
import { badInput } from '../../kernel/errors.ts';
import { LIMITS } from '../../kernel/limits.ts';
import { oneOf } from '../input-fields.ts';
import type { Platform } from '../platform.ts';
import type { Accounts } from './account.service.ts';

export interface AuditPageRequest {
  first?: number | null;
  after?: string | null;
}

const COLUMNS = `id, action, user_id as "userId", actor_user_id as "actorUserId", credential_kind as "credentialKind",
  credential_id as "credentialId", client_id as "clientId", subject, detail, address, request_id as "requestId",
  created_at::float8 as "createdAt"`;

export class AuditEvents {
  readonly #p: Pick<Platform, 'db'>;
  readonly #accounts: Pick<Accounts, 'requireOperator'>;

  constructor(platform: Pick<Platform, 'db'>, accounts: Pick<Accounts, 'requireOperator'>) {
    this.#p = platform;
    this.#accounts = accounts;
  }

  /** What happened to the caller's account, newest first. Where another account did it, from where is not told. */
  async own(principal: Principal, page: AuditPageRequest): Promise<AuditPage> {
    const { events, endCursor } = await this.#read('user_id = $3', [principal.userId], page);
    const shown = events.map((event) => {
      const isOthers = event.actorUserId !== null && event.actorUserId !== principal.userId;
      return isOthers ? { ...event, address: null, credentialId: null, requestId: null } : event;
    });
    return { events: shown, endCursor };
  }

  /** Operators only: every line, or those of one account or action. Throws 403. */
  async all(
    principal: Principal,
    where: { userId?: string | null; action?: string | null },
    page: AuditPageRequest,
  ): Promise<AuditPage> {
    await this.#accounts.requireOperator(principal);
    const action = where.action == null ? null : oneOf('action', where.action, AUDIT_ACTIONS);
    const asked = [
      { column: 'user_id', value: where.userId ?? null },
      { column: 'action', value: action },
    ].filter(({ value }) => value !== null);
    const sql = asked.map(({ column }, index) => `${column} = $${index + 3}`).join(' and ');
    const values = asked.map(({ value }) => value);
    return this.#read(sql || 'true', values, page);
  }

  async #read(where: string, values: unknown[], page: AuditPageRequest): Promise<AuditPage> {
    const first = page.first ?? 50;
    if (first < 1 || first > LIMITS.pageSize) throw badInput('first', `must be from 1 to ${LIMITS.pageSize}.`);
    const events = await this.#p.db.rows<AuditEvent & Record<string, unknown>>(
      `select ${COLUMNS} from audit_event where ${where} and ($2::text is null or id < $2) order by id desc limit $1`,
      [first, page.after ?? null, ...values],
    );
    return { events, endCursor: events.length === first ? (events.at(-1)?.id ?? null) : null };
  }
}
