/**
 * Accounts: signing up, in and out, who am I, operators and what they grant. Passwords never leave this
 * file but as a hash; a wrong e-mail and a wrong password are one error.
 */

import { OAuthClientEntity } from '../../../schema/entities/oauth.ts';
import { SessionEntity, type UserEntity } from '../../../schema/entities/users.ts';
import type { GrantCreditsInput, LedgerArgs, SignInInput, SignUpInput } from '../../../schema/inputs/account.ts';
import type { Balance, LedgerEntry, Session, UsageLine, User } from '../../../schema/user.ts';
import type { IdTokens } from '../../auth/id-tokens.ts';
import { hashPassword, isOutdated, verifyPassword } from '../../auth/passwords.ts';
import type { Origin, Principal } from '../../auth/principal.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { fromMicro } from '../../kernel/credits.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, PlatformError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Connection } from '../../kernel/keyset.ts';
import { balanceOf, ledgerLine, ledgerPage, usageSince } from '../../ledger/reads.ts';
import { grant } from '../../ledger/transfers.ts';
import { isMailable } from '../../mail/mailer.ts';
import type { Platform } from '../platform/platform.port.ts';
import type { EmailVerification } from './email-verification.service.ts';
import { keepResult } from './idempotency.service.ts';
import { apiKeys, type FoundUser, sessions, showUser, users } from './user.repository.ts';
import { grantWelcome } from './welcome-credits.service.ts';

const SESSION_MS = 30 * DAY_MS;
/** How many times a sign-in checks the password again because it was changed, or its hash renewed, meanwhile. */
const SIGN_INS = 3;

type Ports = Pick<Platform, 'db' | 'clock' | 'config' | 'log' | 'notifier' | 'audit' | 'passwordCost'>;

interface NewAccount {
  email: string;
  password: string;
  displayName: string | null;
  /** False: its credits wait until the link is followed that it is sent. */
  emailVerified: boolean;
}

export class Accounts {
  readonly #p: Ports;
  readonly #idTokens: IdTokens;
  readonly #verification: EmailVerification;

  constructor(platform: Ports, idTokens: IdTokens, verification: EmailVerification) {
    this.#p = platform;
    this.#idTokens = idTokens;
    this.#verification = verification;
  }

  /** Throws EMAIL_NOT_VERIFIED once the account is made, where signing in waits for the link as well. */
  async signUp({ email, password, displayName = null }: SignUpInput, origin?: Origin): Promise<Session> {
    if (this.#isOperatorEmail(email)) throw badInput('email', 'cannot be used to sign up.');
    const emailVerified = !this.#verification.isAsked;
    if (!emailVerified && !isMailable(email)) throw badInput('email', 'is not an e-mail address.');
    const user = await this.#create({ email, password, displayName, emailVerified }, origin);
    this.#requireVerified(user);
    const session = await this.#openSession(user, origin);
    if (!session) throw new PlatformError('UNAUTHENTICATED');
    return session;
  }

  async signIn({ email, password }: SignInInput, origin?: Origin): Promise<Session> {
    for (let attempt = 1; ; attempt += 1) {
      const user = await this.#byEmail(email);
      if (attempt > SIGN_INS || !(await verifyPassword(password, user?.passwordHash)) || !user) {
        // The address that was tried is not logged: users type passwords there by mistake.
        await this.#p.audit.recordAlone({ origin }, 'sign_in_failed', { userId: user?.id ?? null });
        throw new PlatformError('UNAUTHENTICATED', 'E-mail or password is wrong.');
      }
      this.#requireVerified(user);
      user.passwordHash = await this.#renewHash(user, password);
      const session = await this.#openSession(user, origin);
      if (session) return session;
    }
  }

  /**
   * A hash of an earlier form or cost is replaced while the password is known, unless another one was set meanwhile. Returns the
   * hash that is stored then.
   */
  async #renewHash({ id, passwordHash }: UserEntity, password: string): Promise<UserEntity['passwordHash']> {
    if (!passwordHash || !isOutdated(passwordHash, this.#p.passwordCost)) return passwordHash;
    const renewed = await hashPassword(password, this.#p.passwordCost);
    await this.#p.db.transaction((tx) => users(tx.em).renewHash(id, passwordHash, renewed));
    return renewed;
  }

  async signOut(principal: Principal): Promise<boolean> {
    await this.#p.db.transaction(async (tx) => {
      await sessions(tx.em).end(principal.credentialId, this.#p.clock.now());
      this.#p.audit.record(tx, principal, 'signed_out', {
        userId: principal.userId,
        subject: principal.credentialId,
      });
      tx.afterCommit(() => this.#p.notifier.emit('revoked', `credential ${principal.credentialId}`));
    });
    return true;
  }

  async user(userId: string): Promise<User> {
    return showUser(await users(this.#p.db.em()).withId(userId));
  }

  /** Public names of users, in the order asked, for the loader behind `Avatar.avatarOwnerDisplayName`. */
  async owners(userIds: readonly string[]): Promise<(FoundUser | undefined)[]> {
    const byId = await users(this.#p.db.em()).names(userIds);
    return userIds.map((id) => byId.get(id));
  }

  balance(userId: string): Promise<Balance> {
    return balanceOf(this.#p.db, userId);
  }

  ledger(userId: string, page: LedgerArgs): Promise<Connection<LedgerEntry>> {
    return ledgerPage(this.#p.db, userId, page);
  }

  /** One line of it; null where it is not this user's. */
  ledgerEntry(userId: string, id: string): Promise<LedgerEntry | null> {
    return ledgerLine(this.#p.db, userId, id);
  }

  /** What was used on each of the last days (UTC), today the last. */
  usage(userId: string, days: number): Promise<UsageLine[]> {
    const today = Math.floor(this.#p.clock.now() / DAY_MS);
    return usageSince(this.#p.db, userId, (today - days + 1) * DAY_MS);
  }

  /** Operators only. Grants global credits, or credits locked to a creator. */
  async grantCredits(principal: Principal, request: GrantCreditsInput): Promise<Balance> {
    const operator = await this.requireOperator(principal);
    await this.user(request.userId);
    if (request.lockedToCreatorUserId) await this.user(request.lockedToCreatorUserId);
    const source = newId('grt');
    return this.#p.db.transaction(async (tx) => {
      await grant(tx, { ...request, source, memo: `granted by ${operator.userId}` }, this.#p.clock.now());
      const { userId, amount } = request;
      this.#p.audit.record(tx, principal, 'credits_granted', {
        userId,
        subject: source,
        detail: String(fromMicro(amount)),
      });
      const balance = await balanceOf(tx, userId);
      keepResult(tx, principal, balance);
      return balance;
    });
  }

  /** True for the account of an operator. */
  isOperator({ email }: Pick<User, 'email'>): boolean {
    return email != null && this.#isOperatorEmail(email);
  }

  /** Throws 403 unless the caller's account is one of OPERATOR_EMAILS, made at start. */
  async requireOperator(principal: Principal): Promise<User> {
    const user = await users(this.#p.db.em()).withId(principal.userId);
    if (!user.email || !this.#isOperatorEmail(user.email)) throw new PlatformError('FORBIDDEN', 'Operators only.');
    return showUser(user);
  }

  /**
   * Makes the operator accounts of the configuration. A user who has signed up with an operator's address is locked out: the
   * account has OPERATOR_PASSWORD from now on, and its sessions, keys and tokens end.
   */
  async ensureOperators(): Promise<void> {
    const { OPERATOR_EMAILS, OPERATOR_PASSWORD } = this.#p.config;
    if (!OPERATOR_PASSWORD) return;
    for (const address of OPERATOR_EMAILS) {
      const email = address.toLowerCase();
      const operator = (await this.#byEmail(email)) ?? (await this.#createOperator(email, OPERATOR_PASSWORD));
      if (!(await verifyPassword(OPERATOR_PASSWORD, operator.passwordHash))) {
        await this.#takeOver(operator.id, OPERATOR_PASSWORD);
      }
    }
  }

  /** Of processes that start at once on a new database, one makes the account and the others find it made. */
  async #createOperator(email: string, password: string): Promise<UserEntity> {
    try {
      return await this.#create({ email, password, displayName: 'Operator', emailVerified: true });
    } catch (error) {
      const made = await this.#byEmail(email);
      if (!made) throw error;
      return made;
    }
  }

  #byEmail(email: string): Promise<UserEntity | null> {
    return users(this.#p.db.em()).withEmail(email);
  }

  async #takeOver(userId: string, password: string): Promise<void> {
    const passwordHash = await hashPassword(password, this.#p.passwordCost);
    await this.#p.db.transaction(async (tx) => {
      const nowMs = this.#p.clock.now();
      Object.assign(await users(tx.em).withId(userId), { passwordHash, emailVerified: true });
      this.#p.audit.record(tx, {}, 'password_changed', { userId });
      // The account's former user knows the secrets of its apps: none of them gets a token for this account any more.
      await tx.em.nativeUpdate(OAuthClientEntity, { owner: userId }, { serviceAvatar: null });
      const ended = [...(await sessions(tx.em).standing(userId)), ...(await apiKeys(tx.em).standing(userId))];
      for (const credential of ended) credential.revokedAt = nowMs;
      tx.afterCommit(() => {
        for (const { id } of ended) this.#p.notifier.emit('revoked', `credential ${id}`);
        this.#p.log.warn({ userId, ended: ended.length }, 'operator password set');
      });
    });
  }

  /** The demo account; one that a broken-off first run left behind is taken over with the new password. */
  async demo(email: string, password: string): Promise<User> {
    const passwordHash = await hashPassword(password, this.#p.passwordCost);
    const known = await this.#p.db.transaction(async (tx) => {
      const user = await users(tx.em).withEmail(email);
      if (user) user.passwordHash = passwordHash;
      return user;
    });
    return showUser(known ?? (await this.#create({ email, password, displayName: 'Demo', emailVerified: true })));
  }

  /** Credits of the demo account, which exists only on the embedded database. */
  async grantDemoCredits(userId: string, amount: bigint): Promise<void> {
    const nowMs = this.#p.clock.now();
    await this.#p.db.transaction((tx) => grant(tx, { userId, amount, source: `demo:${userId}`, memo: 'demo' }, nowMs));
  }

  /** Puts a new account on record, and gives it the credits that everyone starts with, to try things. */
  async welcome(tx: Tx, userId: string, emailVerified: boolean, origin?: Origin): Promise<void> {
    this.#p.audit.record(tx, { userId, origin }, 'account_created', { userId });
    if (emailVerified) await grantWelcome(tx, this.#p, userId);
  }

  async #create({ password, ...account }: NewAccount, origin?: Origin): Promise<UserEntity> {
    const passwordHash = await hashPassword(password, this.#p.passwordCost);
    const nowMs = this.#p.clock.now();
    return this.#p.db.transaction(async (tx) => {
      const id = newId('usr', nowMs);
      const isNew = await users(tx.em).add({ ...account, id, passwordHash, createdAt: nowMs });
      if (!isNew) throw badInput('email', 'already has an account.');
      await this.welcome(tx, id, account.emailVerified, origin);
      if (!account.emailVerified) await this.#verification.ask(tx, id);
      return users(tx.em).withId(id);
    });
  }

  #requireVerified(user: UserEntity): void {
    const isRequired = this.#p.config.VERIFY_EMAIL === 'signin';
    if (isRequired && !user.emailVerified) throw new PlatformError('EMAIL_NOT_VERIFIED');
  }

  /** Undefined where another password was set since this one was found right, or the account was deleted: nothing is opened. */
  async #openSession(user: UserEntity, origin: Origin | undefined): Promise<Session | undefined> {
    const nowMs = this.#p.clock.now();
    const session = { sessionId: newId('ses', nowMs), issuedAtMs: nowMs, expiresAtMs: nowMs + SESSION_MS };
    const isOpen = await this.#p.db.transaction(async (tx) => {
      const { sessionId: id, issuedAtMs: createdAt, expiresAtMs: expiresAt } = session;
      const userId = user.id;
      if ((await users(tx.em).lockHash(userId)) !== user.passwordHash) return false;
      tx.em.create(SessionEntity, { id, user: userId, createdAt, expiresAt });
      this.#p.audit.record(tx, { userId, origin }, 'signed_in', { userId, subject: id });
      return true;
    });
    if (!isOpen) return undefined;
    const idToken = await this.#idTokens.sign({ ...session, userId: user.id });
    return { idToken, expiresAt: session.expiresAtMs, user: showUser(user) };
  }

  #isOperatorEmail(email: string): boolean {
    return this.#p.config.OPERATOR_EMAILS.some((operator) => operator.toLowerCase() === email);
  }
}
