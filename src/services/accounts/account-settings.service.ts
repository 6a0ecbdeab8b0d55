/** What users change about their own account: name and password, and where they are signed in. */
import { SessionEntity, type UserEntity } from '../../../schema/entities/users.ts';
import type { ChangePasswordInput } from '../../../schema/inputs/account.ts';
import type { OpenSession, User } from '../../../schema/user.ts';
import { hashPassword, verifyPassword } from '../../auth/passwords.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Tx } from '../../kernel/database.ts';
import { PlatformError } from '../../kernel/errors.ts';
import type { Platform } from '../platform/platform.port.ts';
import { sessions, showUser, users } from './user.repository.ts';

/** Throws FORBIDDEN for a wrong password; an account that signs in elsewhere has none to ask for. */
export async function requirePassword(user: UserEntity, password: string): Promise<void> {
  if (user.passwordHash && !(await verifyPassword(password, user.passwordHash))) {
    throw new PlatformError('FORBIDDEN', 'The password is wrong.');
  }
}

/** Ports for ending a session: the time, and the notifier for other processes. */
export type SessionPorts = Pick<Platform, 'clock'> & { notifier: Pick<Platform['notifier'], 'emit'> };

/** Ends every session of an account but one, once the transaction is committed; how many. */
export async function endSessions(
  tx: Tx,
  { clock, notifier }: SessionPorts,
  userId: string,
  but?: string,
): Promise<number> {
  const ended = (await sessions(tx.em).standing(userId)).filter(({ id }) => id !== but);
  for (const session of ended) session.revokedAt = clock.now();
  tx.afterCommit(() => {
    for (const { id } of ended) notifier.emit('revoked', `credential ${id}`);
  });
  return ended.length;
}

type Ports = Pick<Platform, 'db' | 'clock' | 'notifier' | 'audit' | 'passwordCost'>;

/** Changing name, address and password, and ending sessions. */
export class AccountSettings {
  readonly #p: Ports;

  constructor(platform: Ports) {
    this.#p = platform;
  }

  async rename(principal: Principal, displayName: string | null): Promise<User> {
    return this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      const user = await users(tx.em).withId(principal.userId);
      user.displayName = displayName;
      return showUser(user);
    });
  }

  /** Sets a new password and ends every other session. Throws FORBIDDEN when the current one is wrong. */
  async changePassword(principal: Principal, { currentPassword, newPassword }: ChangePasswordInput): Promise<boolean> {
    await requirePassword(await users(this.#p.db.em()).withId(principal.userId), currentPassword);
    const passwordHash = await hashPassword(newPassword, this.#p.passwordCost);
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).holdCaller(principal.userId);
      (await users(tx.em).withId(principal.userId)).passwordHash = passwordHash;
      this.#p.audit.record(tx, principal, 'password_changed', { userId: principal.userId });
      await endSessions(tx, this.#p, principal.userId, principal.credentialId);
    });
    return true;
  }

  /** Where the caller is signed in, newest first. */
  async list(principal: Principal): Promise<OpenSession[]> {
    const standing = { user: principal.userId, revokedAt: null, expiresAt: { $gt: this.#p.clock.now() } };
    const rows = await this.#p.db.em().find(SessionEntity, standing, { orderBy: { id: 'desc' } });
    return rows.map(({ id, createdAt, expiresAt }) => ({
      sessionId: id,
      createdAt,
      expiresAt,
      isCurrent: id === principal.credentialId,
    }));
  }

  /** Ends every session, this one too; keys and apps stay. How many were ended. */
  async signOutEverywhere(principal: Principal): Promise<number> {
    return this.#p.db.transaction(async (tx) => {
      this.#p.audit.record(tx, principal, 'signed_out', { userId: principal.userId, detail: 'everywhere' });
      return endSessions(tx, this.#p, principal.userId);
    });
  }
}
