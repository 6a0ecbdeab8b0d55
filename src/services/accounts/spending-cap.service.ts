/**
 * What other users may spend of an owner's credits: the owner of a public avatar can set a cap per UTC day. Every
 * hold that a non-owner opens is counted, open ones with what they hold, ended ones with what they captured.
 */
import type { Avatar } from '../../../schema/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput } from '../../kernel/errors.ts';
import { type HoldRequest, insufficientCredits, lockPayers, openHolds } from '../../ledger/holds.ts';
import { avatars, showAvatar } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform.ts';

/** Whose avatar is rendered, and for whom. */
export interface Rendering {
  avatarId: string;
  ownerUserId: string;
  callerUserId: string;
}

/**
 * Opens holds for rendering an avatar, as `openHolds`; those that a non-owner opens at the owner's cost must fit into
 * what the owner's cap leaves of today. Throws INSUFFICIENT_CREDITS, before anything is held.
 */
export async function openRenderHolds(
  tx: Tx,
  rendering: Rendering,
  requests: HoldRequest[],
  nowMs: number,
): Promise<string[]> {
  const { avatarId, ownerUserId, callerUserId } = rendering;
  const isStrange = (request: HoldRequest) => callerUserId !== ownerUserId && request.userId === ownerUserId;
  const wanted = requests.reduce((sum, request) => sum + (isStrange(request) ? request.amount : 0n), 0n);
  if (wanted === 0n) return openHolds(tx, requests, nowMs);
  // With the payer locked, no other user can open a hold between the sum and ours.
  await lockPayers(tx, requests);
  const [day] = await tx.rows<{ cap: string | null; spent: string }>(
    `select a.stranger_cap_per_day::text as cap, case when a.stranger_cap_per_day is null then '0' else (
       select coalesce(sum(case when h.state = 'open' then h.amount else h.captured end), 0)
       from stranger_spending s join ledger_hold h on h.id = s.hold_id
       where s.avatar_id = a.id and s.created_at >= $2)::text end as spent
     from avatar a where a.id = $1`,
    [avatarId, nowMs - (nowMs % DAY_MS)],
  );
  if (day?.cap != null && BigInt(day.spent) + wanted > BigInt(day.cap)) throw insufficientCredits(wanted, 0n, false);
  const ids = await openHolds(tx, requests, nowMs);
  tx.send(
    `insert into stranger_spending (hold_id, avatar_id, created_at) select id, $2, $3 from unnest($1::text[]) as h (id)`,
    [ids.filter((_, index) => isStrange(requests[index]!)), avatarId, nowMs],
  );
  return ids;
}

/** The owner's side of the cap. */
export class SpendingCaps {
  readonly #p: Pick<Platform, 'db' | 'clock'>;

  constructor(platform: Pick<Platform, 'db' | 'clock'>) {
    this.#p = platform;
  }

  /** Sets what other users may spend per UTC day on an avatar of the caller, in micro-credits; null lifts the cap. */
  async set(principal: Principal, avatarId: string, creditsPerDay: bigint | null): Promise<Avatar> {
    if (creditsPerDay !== null && creditsPerDay < 0n) throw badInput('creditsPerDay', 'must not be below 0.');
    return this.#p.db.transaction(async (tx) => {
      const avatar = await avatars(tx.em).owned(avatarId, principal.userId);
      avatar.strangerCapPerDay = creditsPerDay;
      avatar.updatedAt = this.#p.clock.now();
      return showAvatar(avatar);
    });
  }
}
