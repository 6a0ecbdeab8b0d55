/** Users, their sessions and their keys as they are stored. */
import { LockMode, raw } from '@mikro-orm/core';
import { SqlEntityRepository } from '@mikro-orm/postgresql';
import type { Tables } from '../../../schema/entities/tables.ts';
import {
  AccountLinkEntity,
  ApiKeyEntity,
  EmailVerificationEntity,
  SessionEntity,
  UserEntity,
} from '../../../schema/entities/users.ts';
import type { User } from '../../../schema/user.ts';
import type { Database } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import { repositoryOf } from '../../kernel/repository.ts';

/** Public data of a user. */
export interface FoundUser extends Record<string, unknown> {
  userId: string;
  displayName: string | null;
  streamUsername: string | null;
}

/** A user who signs up. */
export interface NewUser {
  id: string;
  email: string;
  passwordHash: string;
  displayName: string | null;
  createdAt: number;
  emailVerified: boolean;
}

/** Users with this name on the streaming platform, in upper or lower case. */
const bearing = (name: string) => ({ [raw((alias) => `lower(${alias}.stream_username)`)]: name.toLowerCase() });

class UserRepository extends SqlEntityRepository<UserEntity> {
  /** Throws NOT_FOUND. */
  async withId(id: string): Promise<UserEntity> {
    const user = await this.findOne({ id });
    if (!user) throw new PlatformError('NOT_FOUND', 'User not found.');
    return user;
  }

  /** Locks the account's row until the transaction ends. */
  async lock(id: string): Promise<void> {
    await this.findOne({ id }, { fields: ['id'], lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /**
   * Keeps an account from being deleted until the transaction ends; false where it was: its row stays, without a way to sign in. First
   * in a transaction, as the deletion locks the row before all else.
   */
  async hold(id: string): Promise<boolean> {
    const standing = await this.em
      .getKysely<Tables>()
      .selectFrom('app_user')
      .select('id')
      .where('id', '=', id)
      .where(({ or, eb }) => or([eb('email', 'is not', null), eb('issuer', 'is not', null)]))
      .forKeyShare()
      .execute();
    return standing.length > 0;
  }

  /** The same for the caller. Throws UNAUTHENTICATED where the account was deleted after the request was authenticated. */
  async holdCaller(id: string): Promise<void> {
    if (!(await this.hold(id))) throw new PlatformError('UNAUTHENTICATED', 'This account was deleted.');
  }

  /** The hash of the password, which stays until the transaction ends. */
  async lockHash(id: string): Promise<UserEntity['passwordHash']> {
    const user = await this.findOne({ id }, { fields: ['passwordHash'], lockMode: LockMode.PESSIMISTIC_READ });
    return user?.passwordHash;
  }

  withEmail(email: string): Promise<UserEntity | null> {
    return this.findOne({ email });
  }

  /** Replaces the hash of a password by another one of the same password; nothing when it is not the stored one. */
  async renewHash(id: string, passwordHash: string, renewed: string): Promise<void> {
    await this.nativeUpdate({ id, passwordHash }, { passwordHash: renewed });
  }

  /** Public names by id. */
  async names(ids: readonly string[]): Promise<Map<string, FoundUser>> {
    const users = await this.find({ id: { $in: [...ids] } }, { fields: ['displayName', 'streamUsername'] });
    return new Map(users.map((user) => [user.id, nameOf(user)]));
  }

  /** Whether an id or, in any case, a name on the streaming platform; ids before names. */
  async withIdOrName(idOrName: string): Promise<UserEntity | null> {
    return (await this.findOne({ id: idOrName })) ?? (await this.findOne(bearing(idOrName)));
  }

  /** Whether a user other than this one has the name on the streaming platform; upper and lower case are the same. */
  async isStreamNameOfAnother(name: string, userId: string): Promise<boolean> {
    return (await this.count({ ...bearing(name), id: { $ne: userId } })) > 0;
  }

  /** Removes the name from any other user that has it. */
  async takeStreamName(name: string, userId: string): Promise<void> {
    const others = { [raw('lower(stream_username)')]: name.toLowerCase(), id: { $ne: userId } };
    await this.nativeUpdate(others, { streamUsername: null });
  }

  /** False when the address has an account; by Kysely, for a refused insert would end the transaction. */
  async add(user: NewUser): Promise<boolean> {
    const { id, email, passwordHash: password_hash, displayName: display_name, createdAt: created_at } = user;
    const verification = {
      email_verified: user.emailVerified,
      verification_asked_at: user.emailVerified ? null : created_at,
    };
    const made = await this.em
      .getKysely<Tables>()
      .insertInto('app_user')
      .values({ id, email, password_hash, display_name, created_at, ...verification })
      .onConflict((on) => on.column('email').doNothing())
      .returning('id')
      .execute();
    return made.length > 0;
  }

  /** False where the address was confirmed already; parallel calls wait for each other, and one returns true. */
  async verifyEmail(id: string): Promise<boolean> {
    return (await this.nativeUpdate({ id, emailVerified: false }, { emailVerified: true })) > 0;
  }

  /** Takes the turn to be sent a link; false for the confirmed, and for who took one since `sinceMs`. */
  async askForLink(id: string, nowMs: number, sinceMs: number): Promise<boolean> {
    const isDue = { $or: [{ verificationAskedAt: null }, { verificationAskedAt: { $lte: sinceMs } }] };
    const asked = await this.nativeUpdate({ id, emailVerified: false, ...isDue }, { verificationAskedAt: nowMs });
    return asked > 0;
  }
}
/** Users of an entity manager. */
export const users = repositoryOf(UserEntity, UserRepository);

class EmailVerificationRepository extends SqlEntityRepository<EmailVerificationEntity> {
  /** Locked to the end of the transaction. */
  ofToken(tokenHash: string): Promise<EmailVerificationEntity | null> {
    return this.findOne({ tokenHash }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }

  /** How many links were sent to an account. */
  sentSince(userId: string, sinceMs: number): Promise<number> {
    return this.count({ user: userId, createdAt: { $gt: sinceMs } });
  }
}
/** Mailed links that wait for their click. */
export const emailVerifications = repositoryOf(EmailVerificationEntity, EmailVerificationRepository);

class AccountLinkRepository extends SqlEntityRepository<AccountLinkEntity> {
  /** In a transaction locked to its end. */
  ofToken(
    tokenHash: string,
    purpose: AccountLinkEntity['purpose'],
    isLocked: boolean,
  ): Promise<AccountLinkEntity | null> {
    return this.findOne({ tokenHash, purpose }, isLocked ? { lockMode: LockMode.PESSIMISTIC_WRITE } : {});
  }

  askedSince(user: string, purpose: AccountLinkEntity['purpose'], sinceMs: number): Promise<{ createdAt: number }[]> {
    return this.find({ user, purpose, createdAt: { $gt: sinceMs } }, { fields: ['createdAt'] });
  }

  /** Links that wait to be followed are void. */
  async dropOpen(user: string): Promise<void> {
    // Writes first that a link was just used: used links stay, only open ones are dropped.
    await this.em.flush();
    await this.nativeUpdate({ user, usedAt: null }, { tokenHash: null, expiresAt: 0 });
  }
}
/** Links that set a new password or address. */
export const accountLinks = repositoryOf(AccountLinkEntity, AccountLinkRepository);

class SessionRepository extends SqlEntityRepository<SessionEntity> {
  async end(id: string, nowMs: number): Promise<void> {
    await this.nativeUpdate({ id, revokedAt: null }, { revokedAt: nowMs });
  }

  standing(userId: string): Promise<SessionEntity[]> {
    return this.find({ user: userId, revokedAt: null });
  }
}
/** Signed-in sessions. */
export const sessions = repositoryOf(SessionEntity, SessionRepository);

class ApiKeyRepository extends SqlEntityRepository<ApiKeyEntity> {
  /** The user's own keys, without the tokens that apps hold; oldest first. */
  ofUser(userId: string): Promise<ApiKeyEntity[]> {
    return this.find({ user: userId, clientId: null, revokedAt: null }, { orderBy: { createdAt: 'asc' } });
  }

  /** False where the user has no such key, or has revoked it. */
  async revokeOwn(id: string, userId: string, nowMs: number): Promise<boolean> {
    const standing = { id, user: userId, clientId: null, revokedAt: null };
    return (await this.nativeUpdate(standing, { revokedAt: nowMs })) > 0;
  }

  /** Keys and apps' tokens. */
  standing(userId: string): Promise<ApiKeyEntity[]> {
    return this.find({ user: userId, revokedAt: null });
  }
}
/** API keys. */
export const apiKeys = repositoryOf(ApiKeyEntity, ApiKeyRepository);

/** The user behind an id or a name on the streaming platform (any case). Throws NOT_FOUND with `missing`. */
export async function findUser(db: Pick<Database, 'em'>, idOrName: string, missing: string): Promise<FoundUser> {
  const user = await users(db.em()).withIdOrName(idOrName);
  if (!user) throw new PlatformError('NOT_FOUND', missing);
  return nameOf(user);
}

const nameOf = (user: Pick<UserEntity, 'id' | 'displayName' | 'streamUsername'>): FoundUser => ({
  userId: user.id,
  displayName: user.displayName ?? null,
  streamUsername: user.streamUsername ?? null,
});

/** A user as the API shows one. */
export const showUser = (user: UserEntity): User => ({
  ...nameOf(user),
  email: user.email ?? null,
  emailVerified: user.emailVerified,
});
