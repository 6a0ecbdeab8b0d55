/**
 * How much work of each kind one account may have waiting: far more than a person needs, and so little that a fetch for others,
 * which looks past what waits of an account with its full share, stays a matter of milliseconds. More is refused as every
 * overload is, before anything is written or charged. Images are counted by their requests (`images/image.service.ts`).
 */
import type { Tx } from '../../kernel/database.ts';
import { busy } from '../../kernel/errors.ts';
import type { JobKind } from '../../kernel/job-kinds.ts';
import { MOST_WAITING } from '../../kernel/limits.ts';
import { fullConversation, fullQueue } from './waiting-work.queries.ts';

/** Kinds of work that callers ask for. */
export type AskedKind = keyof typeof MOST_WAITING & JobKind;

/**
 * In the transaction that accepts work, sent with its other statements: throws UNAVAILABLE where as much waits as may.
 * @param conversationId where the work is a reply
 */
export async function checkWaiting(
  tx: Pick<Tx, 'rows'>,
  { account, kinds, conversationId }: { account: string; kinds: readonly AskedKind[]; conversationId?: string },
): Promise<void> {
  const full = await Promise.all([
    ...kinds.map((kind) => fullQueue(tx, { kind, account, allBut: MOST_WAITING[kind] - 1 })),
    ...(conversationId === undefined ? [] : [fullConversation(tx, { conversationId, allBut: MOST_WAITING.reply - 1 })]),
  ]);
  if (full.every((rows) => rows.length === 0)) return;
  throw busy('Too much is being made: try again later.');
}
