/**
 * What operators see and do beside the command line: accounts, background work and what failed of it, whether everything
 * that is configured answers, storage. Every method throws FORBIDDEN for other users.
 */
import { AccountUsageEntity } from '../../../schema/entities/usage.ts';
import { UserEntity } from '../../../schema/entities/users.ts';
import type { OperatorUsersArgs } from '../../../schema/inputs/account.ts';
import type { AccountSummary, EngineCheck, FailedJob, JobQueue, StorageUsed } from '../../../schema/operators.ts';
import type { Principal } from '../../auth/principal.ts';
import {
  byId,
  type Connection,
  cutPage,
  type Keyset,
  type Listing,
  PAGE_ITEMS,
  type PageRequest,
  readPage,
} from '../../kernel/keyset.ts';
import { balanceOf } from '../../ledger/reads.ts';
import type { Accounts } from '../accounts/account.service.ts';
import type { Platform } from '../platform/platform.port.ts';
import { storageUsed } from './operator.queries.ts';

const USERS: Listing<{ userId: string }> = { name: 'AccountSummary', order: 'desc', keyOf: ({ userId }) => userId };

const FAILED: Listing<FailedJob> = {
  name: 'FailedJob',
  order: 'desc',
  keyOf: ({ failedAt, jobId }) => `${failedAt}.${jobId}`,
  key: /^\d{1,15}\.[\w-]{1,80}$/,
};

/** What operators are shown of background work, and may do with it. */
export interface OperatorJobs {
  queues(): Promise<JobQueue[]>;
  /** The newest first. */
  failed(): Promise<FailedJob[]>;
  /** Gives one more attempts, or all (null); how many were given any. */
  retry(jobId: string | null): Promise<number>;
}

/** What operators see of an instance, and do to it. */
export class Operators {
  readonly #p: Pick<Platform, 'db'>;
  readonly #accounts: Pick<Accounts, 'requireOperator'>;
  readonly #jobs: OperatorJobs;
  readonly #examine: () => Promise<EngineCheck[]>;
  #examining: Promise<EngineCheck[]> | undefined;

  constructor(
    platform: Pick<Platform, 'db'>,
    accounts: Pick<Accounts, 'requireOperator'>,
    jobs: OperatorJobs,
    examine: () => Promise<EngineCheck[]>,
  ) {
    this.#p = platform;
    this.#accounts = accounts;
    this.#jobs = jobs;
    this.#examine = examine;
  }

  /** Users with an account, the newest first, without anonymous visitors. */
  async users(principal: Principal, { search, ...page }: OperatorUsersArgs): Promise<Connection<AccountSummary>> {
    await this.#accounts.requireOperator(principal);
    const words = search?.trim();
    const like = { $ilike: `%${(words ?? '').replace(/[\\%_]/g, '\\$&')}%` };
    const registered = { $or: [{ email: { $ne: null } }, { issuer: { $ne: null } }] };
    const found = words ? { $or: [{ id: words }, { email: like }, { displayName: like }] } : {};
    const read = async (keyset: Keyset): Promise<AccountSummary[]> => {
      const [between, options] = byId(keyset);
      const rows = await this.#p.db.em().find(UserEntity, { $and: [registered, found, between] }, options);
      return this.#summaries(rows);
    };
    return readPage(page, USERS, read, (summary) => summary);
  }

  async queues(principal: Principal): Promise<JobQueue[]> {
    await this.#accounts.requireOperator(principal);
    return this.#jobs.queues();
  }

  async failedJobs(principal: Principal, page: PageRequest): Promise<Connection<FailedJob>> {
    await this.#accounts.requireOperator(principal);
    const newest = (await this.#jobs.failed()).sort((a, b) => (FAILED.keyOf(a) < FAILED.keyOf(b) ? 1 : -1));
    return cutPage({ ...page, first: page.first ?? (page.last == null ? PAGE_ITEMS : null) }, FAILED, newest);
  }

  /** How many jobs were given more attempts. */
  async retry(principal: Principal, jobId: string | null): Promise<number> {
    await this.#accounts.requireOperator(principal);
    return this.#jobs.retry(jobId);
  }

  /** Checks everything that is configured; callers who ask meanwhile get the same answers. */
  async health(principal: Principal): Promise<EngineCheck[]> {
    await this.#accounts.requireOperator(principal);
    this.#examining ??= this.#examine().finally(() => {
      this.#examining = undefined;
    });
    return this.#examining;
  }

  async storage(principal: Principal): Promise<StorageUsed> {
    await this.#accounts.requireOperator(principal);
    const [used] = await storageUsed(this.#p.db, {});
    return { bytes: Number(used?.bytes ?? 0), accounts: Number(used?.accounts ?? 0) };
  }

  async #summaries(rows: readonly UserEntity[]): Promise<AccountSummary[]> {
    const ids = rows.map(({ id }) => id);
    const usage = await this.#p.db.em().find(AccountUsageEntity, { user: { $in: ids }, kind: 'storageBytes' });
    const bytes = new Map(usage.map(({ user, used }) => [user.id, used]));
    const balances = await Promise.all(ids.map((id) => balanceOf(this.#p.db, id)));
    return rows.map(({ id, displayName, email, emailVerified, createdAt }, index) => ({
      ...{ userId: id, displayName, email, emailVerified, createdAt },
      available: balances[index]?.available ?? 0n,
      storageBytes: bytes.get(id) ?? 0,
    }));
  }
}
