/** What users and operators see of the ledger: balances, their lines, and the audit. Reads only. */
import type { Balance, LedgerEntry, UsageLine } from '../../schema/user.ts';
import type { Database } from '../kernel/database.ts';
import { idsFrom } from '../kernel/ids.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../kernel/keyset.ts';
import { type LedgerKind, labelOf, USED_LABELS, usageOf } from '../kernel/ledger-kinds.ts';
import {
  type AuditLine,
  accountsOf,
  auditLines,
  entryOfIds,
  holdLines,
  type LineRow,
  linesOf,
  linesOfLabel,
  openHoldOfId,
  usedSince,
} from './ledger.queries.ts';

type Reader = Pick<Database, 'rows'>;

/** Balance of a user (`me.balance`): zeroes for one who never had credits. */
export async function balanceOf(db: Reader, userId: string): Promise<Balance> {
  const rows = await accountsOf(db, { userId });
  const balance: Balance = { available: 0n, transferable: 0n, welcome: 0n, held: 0n, locked: [] };
  for (const row of rows) {
    const free = BigInt(row.balance) - BigInt(row.held);
    balance.available += free;
    balance.held += BigInt(row.held);
    if (row.kind === 'global') balance.transferable = free;
    else if (row.kind === 'welcome') balance.welcome = free;
    else if (row.creator_user_id) balance.locked.push({ creatorUserId: row.creator_user_id, amount: free });
  }
  return balance;
}

/** One line of a user's accounts by its id; null where there is none. */
export async function ledgerLine(db: Reader, userId: string, id: string): Promise<LedgerEntry | null> {
  const [transferId = '', accountId] = id.split(/:(.*)/s);
  const [row] = accountId
    ? await entryOfIds(db, { userId, transferId, accountId })
    : await openHoldOfId(db, { userId, id });
  return row ? showLine(row) : null;
}

/** Newest first. */
const LINES: Listing<{ place: string }> = {
  name: 'LedgerEntry',
  order: 'desc',
  keyOf: ({ place }) => place,
  key: /^\w{1,40}(:[\w:-]{1,200})?$/,
};

const showLine = (row: LineRow): LedgerEntry => ({
  id: row.id,
  kind: row.kind,
  amount: BigInt(row.amount),
  sourceRef: row.source,
  memo: row.memo,
  creatorUserId: row.creator,
  createdAt: row.at,
});

/**
 * Lines of a user's accounts, newest first: every entry, and every hold that is still open; `kind` leaves the others out.
 * A transfer that touches two accounts of the user has two lines.
 */
export function ledgerPage(
  db: Reader,
  userId: string,
  { kind = null, ...page }: PageRequest & { kind?: LedgerKind | null } = {},
): Promise<Connection<LedgerEntry>> {
  const read = (keyset: Keyset) => {
    const values = { userId, ...keyset };
    if (kind === null) return linesOf(db, values);
    return kind === 'hold' ? holdLines(db, values) : linesOfLabel(db, { ...values, label: labelOf(kind) });
  };
  return readPage(page, LINES, read, showLine);
}

/** What a user's credits were used for since then, by day (UTC) and kind. Ids begin with their time. */
export async function usageSince(db: Reader, userId: string, sinceMs: number): Promise<UsageLine[]> {
  const rows = await usedSince(db, { userId, from: idsFrom('tfr', sinceMs), labels: USED_LABELS });
  return rows.flatMap(({ day, kind: label, count, credits }) => {
    const kind = usageOf(label);
    return kind ? [{ day, kind, count, credits: BigInt(credits) }] : [];
  });
}

/** Checks every invariant of the ledger in one snapshot, by a function in PostgreSQL. Reads whole tables: for operators. */
export const auditLedger = (db: Reader): Promise<AuditLine[]> => auditLines(db, {});
