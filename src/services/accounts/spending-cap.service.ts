/**
 * What other users may spend of an owner's credits: the owner of a public avatar can set a cap per UTC day. Every
 * hold that a non-owner opens is counted, open ones with what they hold, ended ones with what they captured.
 */
import { type Kysely, sql } from 'kysely';
import type { Avatar } from '../../../schema/avatar.ts';
import { prepared, type Tables } from '../../../schema/entities/tables.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { unnest } from '../../kernel/prepared.ts';
import { type HoldRequest, insufficientCredits, lockPayers, openHolds } from '../../ledger/holds.ts';
import { avatars, showAvatar } from '../avatars/avatar.repository.ts';
import { isVisitAllowed } from '../conversations/conversation.access.ts';
import type { Platform } from '../platform/platform.port.ts';

/** Whose avatar is rendered, and for whom. */
export interface Rendering {
  avatarId: string;
  ownerUserId: string;
  callerUserId: string;
  /** Set for who talks on the avatar's page: their own caps hold as well, whoever they are. */
  visitorId?: string | null;
}

/** The cap of an avatar, and what other users spent of it since the day began; both in micro-credits. */
const spentToday = prepared((tables, given: { avatarId: string; dayMs: number }) =>
  tables
    .selectFrom('avatar as a')
    .select(['a.non_owner_cap_per_day as cap'])
    .select(({ selectFrom }) =>
      selectFrom('non_owner_spending as s')
        .innerJoin('ledger_hold as h', 'h.id', 's.hold_id')
        .select(sql<string>`coalesce(sum(case when h.state = 'open' then h.amount else h.captured end), 0)`.as('sum'))
        .whereRef('s.avatar_id', '=', 'a.id')
        .where('s.created_at', '>=', given.dayMs)
        // Nothing is added up where there is no cap.
        .where('a.non_owner_cap_per_day', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('spent'),
    )
    .where('a.id', '=', given.avatarId),
);

/** What holds of avatar `a` since the day began come to; `where` says whose. */
const spentOnPage = (by: Kysely<Tables>, dayMs: number) =>
  by
    .selectFrom('non_owner_spending as s')
    .innerJoin('ledger_hold as h', 'h.id', 's.hold_id')
    .select(sql<string>`coalesce(sum(case when h.state = 'open' then h.amount else h.captured end), 0)`.as('sum'))
    .where('s.created_at', '>=', dayMs);

/** A visitor's caps, what was spent under each since the day began, in micro-credits, and whether they may still talk. */
const visitorDay = prepared((tables, given: { visitorId: string; avatarId: string; dayMs: number }) =>
  tables
    .selectFrom('visitor as v')
    .innerJoin('avatar as a', 'a.id', 'v.avatar_id')
    .select(['a.talk_cap_per_visitor as capPerVisitor', 'a.talk_cap_per_day as capPerDay'])
    .select(['a.talk_audience as talkAudience', 'v.blocked_at as visitorBlockedAt', 'v.token_hash as visitorTokenHash'])
    .select(
      spentOnPage(tables, given.dayMs)
        .where('s.visitor_id', '=', given.visitorId)
        .$asScalar()
        .$notNull()
        .as('spentByVisitor'),
    )
    .select(
      spentOnPage(tables, given.dayMs)
        .where('s.avatar_id', '=', given.avatarId)
        .where('s.visitor_id', 'is not', null)
        .$asScalar()
        .$notNull()
        .as('spentByAll'),
    )
    .where('v.id', '=', given.visitorId),
);

interface Noted {
  holdIds: string[];
  avatarId: string;
  visitorId: string | null;
  nowMs: number;
}

const noteSpending = prepared((tables, given: Noted) =>
  tables
    .insertInto('non_owner_spending')
    .columns(['hold_id', 'avatar_id', 'visitor_id', 'created_at'])
    .expression(
      tables
        .selectFrom(unnest<{ id: string }, 'h'>('h', { id: ['text', given.holdIds] }))
        .select(({ val }) => [
          'h.id',
          val(given.avatarId).as('avatar_id'),
          val(given.visitorId).as('visitor_id'),
          val(given.nowMs).as('created_at'),
        ]),
    ),
);

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
  const note = noteSpending.filled({ holdIds, avatarId, visitorId, nowMs });
  tx.send(note.sql, note.values);
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
