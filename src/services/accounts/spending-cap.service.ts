/**
 * What other users may spend of an owner's credits: the owner of a public avatar can set a cap per UTC day. Every
 * hold that a non-owner opens is counted, open ones with what they hold, ended ones with what they captured.
 */
import type { Avatar } from '../../../schema/avatar.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { type HoldRequest, insufficientCredits, lockPayers, openHolds } from '../../ledger/holds.ts';
import { avatars, showAvatar } from '../avatars/avatar.repository.ts';
import { isVisitAllowed } from '../conversations/conversation.access.ts';
import type { Platform } from '../platform/platform.port.ts';
import { noteSpending, spentToday, visitorDay } from './spending-cap.queries.ts';

/** Whose avatar is rendered, and for whom. */
export interface Rendering {
  avatarId: string;
  ownerUserId: string;
  callerUserId: string;
  /** Set for a visitor who talks on the avatar's page: caps of visitors hold as well, also for signed-in ones. */
  visitorId?: string | null;
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
  const { avatarId, ownerUserId, callerUserId, visitorId = null } = rendering;
  const isOthers = callerUserId !== ownerUserId || visitorId !== null;
  const isStrange = (request: HoldRequest) => isOthers && request.userId === ownerUserId;
  const wanted = requests.reduce((sum, request) => sum + (isStrange(request) ? request.amount : 0n), 0n);
  if (wanted === 0n) return openHolds(tx, requests, nowMs);
  // With the payer locked, no other user can open a hold between the sum and ours.
  await lockPayers(tx, requests);
  const dayMs = nowMs - (nowMs % DAY_MS);
  if (visitorId !== null) await checkVisitor(tx, { visitorId, avatarId, dayMs }, wanted);
  const [day] = await spentToday(tx, { avatarId, dayMs });
  if (day?.cap != null && BigInt(day.spent) + wanted > BigInt(day.cap)) throw insufficientCredits(wanted, 0n, false);
  const ids = await openHolds(tx, requests, nowMs);
  const holdIds = ids.filter((_, index) => isStrange(requests[index]!));
  // Last, because it locks the avatar: deleting an avatar locks conversations and replies first.
  tx.beforeCommit(`spending:${ids.join()}`, () => ({
    ...noteSpending.filled({ holdIds, avatarId, visitorId, nowMs }),
    committed: () => {},
  }));
  return ids;
}

const VISITOR_CAP_REACHED = 'You have heard as much as you can today. Ask for text, or come back tomorrow.';
const DAY_CAP_REACHED = 'This avatar has spoken enough for today. Ask for text, or come back tomorrow.';

/** Behind the payer's lock: throws where the visitor may talk no more, or for no more credits today. */
async function checkVisitor(
  tx: Tx,
  given: { visitorId: string; avatarId: string; dayMs: number },
  wanted: bigint,
): Promise<void> {
  const [day] = await visitorDay(tx, given);
  if (!day || !isVisitAllowed(day)) throw new PlatformError('FORBIDDEN', 'This avatar can no longer be talked with.');
  const passes = (cap: number | null, spent: string) => cap !== null && BigInt(spent) + wanted > BigInt(cap);
  if (passes(day.capPerVisitor, day.spentByVisitor)) {
    throw new PlatformError('INSUFFICIENT_CREDITS', VISITOR_CAP_REACHED);
  }
  if (passes(day.capPerDay, day.spentByAll)) {
    throw new PlatformError('INSUFFICIENT_CREDITS', DAY_CAP_REACHED);
  }
}

/** The owner's side of the cap. */
export class SpendingCaps {
  readonly #p: Pick<Platform, 'db' | 'clock'>;

  constructor(platform: Pick<Platform, 'db' | 'clock'>) {
    this.#p = platform;
  }

  /** Sets what other users may spend per UTC day on an avatar of the caller, in micro-credits; null lifts the cap. */
  async set(principal: Principal, avatarId: string, creditsPerDay: bigint | null): Promise<Avatar> {
    return this.#p.db.transaction(async (tx) => {
      const avatar = await avatars(tx.em).owned(avatarId, principal.userId);
      avatar.nonOwnerCapPerDay = creditsPerDay;
      avatar.updatedAt = this.#p.clock.now();
      return showAvatar(avatar);
    });
  }
}
