/**
 * The owner's side of an avatar's page: who may talk there and what they may cost, who has come, and who may not come
 * again. What changes here holds at once, also for visitors who are talking.
 */

import { AvatarEntity } from '../../../schema/entities/avatars.ts';
import { VisitorEntity } from '../../../schema/entities/visitors.ts';
import type { TalkAudience } from '../../../schema/enums.ts';
import type { SetTalkSettingsInput, SetVisitorBlockedInput } from '../../../schema/inputs/visitor.ts';
import type { TalkSettings as Shown, Visitor } from '../../../schema/visitor.ts';
import type { Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { type Connection, type Keyset, type Listing, type PageRequest, readPage } from '../../kernel/keyset.ts';
import { FIRST_TALK_CAPS } from '../../kernel/limits.ts';
import { newTalkSlug } from '../../kernel/slugs.ts';
import { avatars } from '../avatars/avatar.repository.ts';
import type { Platform } from '../platform/platform.port.ts';
import { spentByVisitors, visitorsOf } from './visitor.queries.ts';

/** Newest first. */
const VISITORS: Listing<{ id: string }> = { name: 'Visitor', order: 'desc', keyOf: ({ id }) => id };

type Needs = Pick<Platform, 'db' | 'clock' | 'config' | 'notifier' | 'audit' | 'log'>;

export class TalkSettings {
  readonly #p: Needs;

  constructor(platform: Needs) {
    this.#p = platform;
  }

  /** Of an own avatar; 404 for any other. */
  async read(principal: Principal, avatarId: string): Promise<Shown> {
    return this.#show(await avatars(this.#p.db.em()).owned(avatarId, principal.userId));
  }

  /**
   * Changes what is given. When the page is first opened its address is made, which stays,
   * and caps that were never named get `FIRST_TALK_CAPS`.
   */
  async set(principal: Principal, { avatarId, ...input }: SetTalkSettingsInput): Promise<Shown> {
    const changed = await this.#p.db.transaction(async (tx) => {
      // One change at a time: two that open it at once would make it two addresses, and the first caps would replace named ones.
      const avatar = await avatars(tx.em).lockOwned(avatarId, principal.userId);
      const before = avatar.talkAudience;
      if (input.audience != null) avatar.talkAudience = input.audience;
      if (input.creditsPerVisitor !== undefined) avatar.talkCapPerVisitor = input.creditsPerVisitor;
      if (input.creditsPerDay !== undefined) avatar.talkCapPerDay = input.creditsPerDay;
      if (input.greeting !== undefined) avatar.talkGreeting = input.greeting;
      if (avatar.talkAudience !== 'nobody' && avatar.talkSlug == null) {
        avatar.talkSlug = newTalkSlug(avatar.displayName);
        // An owner who opens it with one click has not said that visitors may spend all their credits.
        if (input.creditsPerVisitor === undefined) avatar.talkCapPerVisitor ??= FIRST_TALK_CAPS.perVisitor;
        if (input.creditsPerDay === undefined) avatar.talkCapPerDay ??= FIRST_TALK_CAPS.perDay;
      }
      avatar.updatedAt = this.#p.clock.now();
      if (avatar.talkAudience !== before) {
        const detail = `talk: ${avatar.talkAudience}`;
        this.#p.audit.record(tx, principal, 'visibility_changed', {
          userId: principal.userId,
          subject: avatarId,
          detail,
        });
        // Rows of conversations are forgotten, so that no visitor is let in by an old one; open sockets are checked by the periodic check.
        tx.afterCommit(() => this.#p.notifier.emit('avatar', avatarId));
      }
      return { avatar, audience: { before, now: avatar.talkAudience } };
    });
    this.#p.log.info({ avatarId, ...changed.audience }, 'talk settings changed');
    return this.#show(changed.avatar);
  }

  /** Who has come to an own avatar's page, the newest first. */
  async visitors(principal: Principal, avatarId: string, page: PageRequest): Promise<Connection<Visitor>> {
    await avatars(this.#p.db.em()).owned(avatarId, principal.userId);
    const dayMs = this.#dayMs();
    const read = (keyset: Keyset) => visitorsOf(this.#p.db, { avatarId, dayMs, ...keyset });
    return readPage(page, VISITORS, read, shown);
  }

  /** One visitor of an own avatar's page; null for one of another's. */
  async visitor(principal: Principal, visitorId: string): Promise<Visitor | null> {
    const own = { id: visitorId, avatar: { owner: principal.userId } };
    const visitor = await this.#p.db.em().findOne(VisitorEntity, own);
    if (!visitor) return null;
    // As a page of the list that ends with it: `below` itself is left out, and nothing comes between an id and itself with `!`.
    const page: Keyset = { above: null, below: `${visitorId}!`, descending: true, limit: 1 };
    const [row] = await visitorsOf(this.#p.db, { avatarId: visitor.avatar.id, dayMs: this.#dayMs(), ...page });
    return row?.id === visitorId ? shown(row) : null;
  }

  /** Shuts a visitor of an own avatar out, or lets them in again. 404 for one of another's. */
  async setBlocked(principal: Principal, { visitorId, isBlocked }: SetVisitorBlockedInput): Promise<boolean> {
    await this.#p.db.transaction(async (tx) => {
      const visitor = await tx.em.findOne(VisitorEntity, { id: visitorId, avatar: { owner: principal.userId } });
      if (!visitor) throw new PlatformError('NOT_FOUND', 'Visitor not found.');
      visitor.blockedAt = isBlocked ? this.#p.clock.now() : null;
      const avatarId = visitor.avatar.id;
      tx.afterCommit(() => {
        this.#p.notifier.emit('avatar', avatarId);
        if (isBlocked) this.#p.notifier.emit('revoked', `visitor ${visitorId}`);
      });
    });
    this.#p.log.info({ visitorId, isBlocked }, 'visitor blocked or let in');
    return isBlocked;
  }

  #dayMs(): number {
    const nowMs = this.#p.clock.now();
    return nowMs - (nowMs % DAY_MS);
  }

  async #show(avatar: AvatarEntity): Promise<Shown> {
    const [spent] = await spentByVisitors(this.#p.db, { avatarId: avatar.id, dayMs: this.#dayMs() });
    return {
      avatarId: avatar.id,
      audience: avatar.talkAudience as TalkAudience,
      creditsPerVisitor: avatar.talkCapPerVisitor ?? null,
      creditsPerDay: avatar.talkCapPerDay ?? null,
      greeting: avatar.talkGreeting ?? null,
      url: avatar.talkSlug ? `${this.#p.config.SITE_URL}/a/${avatar.talkSlug}` : null,
      spentToday: BigInt(spent?.sum ?? 0),
    };
  }
}

/** A visitor as the owner of the avatar sees them. */
const shown = ({
  id,
  displayName,
  tokenHash,
  createdAt,
  seenAt,
  blockedAt,
  ...row
}: Awaited<ReturnType<typeof visitorsOf>>[number]): Visitor => ({
  visitorId: id,
  isSignedIn: tokenHash === null,
  displayName,
  spentToday: BigInt(row.spentToday),
  spent: BigInt(row.spent),
  turns: Number(row.turns),
  isBlocked: blockedAt !== null,
  createdAt,
  seenAt,
});
