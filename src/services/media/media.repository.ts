/** Whose stored files are, and how large: what the quota of storage counts. It stores no file itself. */
import type { Database, Tx } from '../../kernel/database.ts';
import { sent } from '../../kernel/prepared.ts';
import type { Platform } from '../platform/platform.port.ts';
import { disown, own, ownPaid, payerOf } from './media.queries.ts';

type Writer = Pick<Tx | Database, 'rows'>;

/** A file of an account. Written again under the same key it counts once. */
export async function recordMedia(db: Writer, userId: string, key: string, bytes: number): Promise<void> {
  await own(db, { userId, key, bytes });
}

/** A file made by paid work: it is of the account that pays; of no account where nothing is paid. */
export async function recordPaidMedia(db: Writer, holdId: string | null, key: string, bytes: number): Promise<void> {
  if (holdId === null) return;
  const [payer] = await payerOf(db, { holdId });
  if (payer) await recordMedia(db, payer.user_id, key, bytes);
}

/** The same in the transaction that shows the file, without waiting; nothing for a file that is no new one (0 bytes). */
export function sendPaidMediaRecord(
  tx: Pick<Tx, 'send'>,
  holdId: string | null,
  { key, bytes }: { key: string; bytes: number },
): void {
  if (holdId !== null && bytes > 0) void ownPaid(sent(tx), { holdId, key, bytes });
}

/** Files that are removed count no more. */
export async function forgetMedia(db: Writer, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await disown(db, { keys });
}

/** Does what gives a stored file its row; where that fails, the file goes, since nothing refers to it. */
export async function removeFileOnError<T>(
  { store }: Pick<Platform, 'store'>,
  key: string | null,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (key !== null) await store.remove(key).catch(() => {});
    throw error;
  }
}
