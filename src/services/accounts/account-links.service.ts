/**
 * Links that let their holder set a new password or take a new address for an account. Mailed by a job of the transaction
 * that asks for it, or shown to an operator. Each works once and for a while; its token is kept as its SHA-256 alone.
 */
import { AccountLinkEntity } from '../../../schema/entities/users.ts';
import type { ChangeEmailInput, ResetPasswordInput } from '../../../schema/inputs/account.ts';
import { hashPassword } from '../../auth/passwords.ts';
import type { Origin, Principal } from '../../auth/principal.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { isUniqueViolation } from '../../kernel/constraint-errors.ts';
import type { Tx } from '../../kernel/database.ts';
import { badInput, ERRORS, PlatformError } from '../../kernel/errors.ts';
import { newId, randomText, sha256 } from '../../kernel/ids.ts';
import { changeMail, resetMail } from '../../mail/account-mails.ts';
import { isMailable, type Mailer } from '../../mail/mailer.ts';
import type { Platform } from '../platform/platform.port.ts';
import { endSessions, requirePassword, type SessionPorts } from './account-settings.service.ts';
import type { EmailVerification } from './email-verification.service.ts';
import { deliverMail, type MailAttempt } from './mail-delivery.service.ts';
import { accountLinks, emailVerifications, users } from './user.repository.ts';

const LINK_MS = { reset_password: 30 * MINUTE_MS, change_email: DAY_MS } as const;
/** An account is sent one link of a purpose in so long, and so many a day. */
const BETWEEN_LINKS_MS = 2 * MINUTE_MS;
const LINKS_A_DAY = 5;
const TOKEN_CHARS = 43;
/** Ids of these links begin with it; by the prefix of its id a mail job knows which mail to send. */
export const ACCOUNT_LINK = 'lnk';

type Purpose = keyof typeof LINK_MS;
type Ports = Pick<Platform, 'db' | 'clock' | 'config' | 'log' | 'jobs' | 'audit' | 'passwordCost'> & SessionPorts;

const addressTaken = () => new PlatformError('CONFLICT', 'This address has an account by now.');

/** Makes, mails and takes these links. */
export class AccountLinks {
  readonly #p: Ports;
  readonly #mailer: Mailer | undefined;
  readonly #verification: Pick<EmailVerification, 'confirm'>;

  constructor(platform: Ports, mailer: Mailer | undefined, verification: Pick<EmailVerification, 'confirm'>) {
    this.#p = platform;
    this.#mailer = mailer;
    this.#verification = verification;
  }

  /**
   * Mails a link to the account with this address, if there is one with a password here. True in any case, so
   * that the answer does not show whether there is an account. Throws UNAVAILABLE where no mail is sent.
   */
  async requestReset(email: string): Promise<true> {
    if (!this.#mailer) throw new PlatformError('UNAVAILABLE', 'This site sends no mail: ask its operator for a link.');
    const user = await this.#resettable(email);
    if (user) await this.#p.db.transaction((tx) => this.#ask(tx, user.id, 'reset_password', null));
    return true;
  }

  /** An operator's: the link itself. Throws NOT_FOUND where no account of this address has a password to reset. */
  async resetLink(email: string): Promise<string> {
    const user = await this.#resettable(email.trim().toLowerCase());
    if (!user) throw new PlatformError('NOT_FOUND', 'No account with this address has a password to reset.');
    const token = randomText(TOKEN_CHARS);
    await this.#p.db.transaction((tx) => this.#add(tx, user.id, 'reset_password', null, sha256(token)));
    return this.#address('reset-password', token);
  }

  /** Sets the password and ends every session and every other link. Throws NOT_FOUND, CONFLICT (used) or EXPIRED. */
  async resetPassword({ token, newPassword }: ResetPasswordInput, origin: Origin): Promise<true> {
    const { user: known } = await this.#take(this.#p.db.em(), token, 'reset_password');
    const passwordHash = await hashPassword(newPassword, this.#p.passwordCost);
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).lock(known.id);
      const { user: owner } = await this.#take(tx.em, token, 'reset_password');
      const user = await users(tx.em).withId(owner.id);
      user.passwordHash = passwordHash;
      this.#p.audit.record(tx, { userId: user.id, origin }, 'password_changed', { userId: user.id, detail: 'by link' });
      await accountLinks(tx.em).dropOpen(user.id);
      await endSessions(tx, this.#p, user.id);
    });
    return true;
  }

  /**
   * Gives the caller's account another address: false while the link that is mailed to it waits to be followed, true at
   * once where no mail is sent. An address that has an account is mailed nothing, and the answer does not show that.
   */
  async changeEmail(principal: Principal, { email, password }: ChangeEmailInput): Promise<boolean> {
    const { db } = this.#p;
    const user = await users(db.em()).withId(principal.userId);
    if (!user.passwordHash) throw new PlatformError('FORBIDDEN', 'This account signs in elsewhere.');
    await requirePassword(user, password);
    if (this.#isOperator(user.email)) throw new PlatformError('FORBIDDEN', 'An operator’s address is configured.');
    if (this.#isOperator(email)) throw badInput('email', 'cannot be used.');
    if (!isMailable(email)) throw badInput('email', 'is not an e-mail address.');
    if (!this.#mailer) {
      if (await users(db.em()).withEmail(email)) throw badInput('email', 'already has an account.');
      await db.transaction((tx) => this.#move(tx, user.id, email, principal));
      return true;
    }
    const isSent = await db.transaction((tx) => this.#ask(tx, user.id, 'change_email', email));
    if (isSent) return false;
    const details = { retryAfterSeconds: BETWEEN_LINKS_MS / 1_000 };
    throw new PlatformError('RATE_LIMITED', ERRORS.RATE_LIMITED.text, { details });
  }

  /** Throws NOT_FOUND, CONFLICT (used, or the address has an account by now) or EXPIRED. */
  async confirmEmailChange(token: string, origin: Origin): Promise<true> {
    const { user: known } = await this.#take(this.#p.db.em(), token, 'change_email');
    await this.#p.db.transaction(async (tx) => {
      await users(tx.em).lock(known.id);
      const { user, email } = await this.#take(tx.em, token, 'change_email');
      const isTaken = !email || (await users(tx.em).withEmail(email)) !== null;
      if (isTaken) throw addressTaken();
      await this.#move(tx, user.id, email, { userId: user.id, origin });
      await this.#verification.confirm(tx, user.id, origin);
    });
    return true;
  }

  /** The job: makes the token and mails it. Throws when another attempt may help; gives up when the link is too old. */
  async send(id: string, run: MailAttempt): Promise<void> {
    const { db, clock, config, log } = this.#p;
    const token = randomText(TOKEN_CHARS);
    const found = await db.transaction(async (tx) => {
      const link = await accountLinks(tx.em).findOne({ id }, { populate: ['user'] });
      if (!link || link.usedAt || link.expiresAt <= clock.now()) return undefined;
      link.tokenHash = sha256(token);
      return { link, user: link.user.unwrap(), isTaken: link.email ? await this.#hasAccount(tx, link.email) : false };
    });
    const to = found?.link.email ?? found?.user.email;
    if (!this.#mailer || !found || !to || found.isTaken) return;
    const { user, link } = found;
    const isReset = link.purpose === 'reset_password';
    const address = this.#address(isReset ? 'reset-password' : 'change-email', token);
    const mail = (isReset ? resetMail : changeMail)({
      to,
      displayName: user.displayName ?? null,
      link: address,
      siteUrl: config.SITE_URL,
    });
    const refusal = await deliverMail(this.#mailer, mail, run);
    if (refusal) log.warn({ userId: user.id, err: refusal }, 'account mail refused');
    else log.info({ userId: user.id, purpose: link.purpose }, 'account mail sent');
  }

  /** The account whose password a link may set: not one that signs in elsewhere, and not an operator's. */
  async #resettable(email: string): Promise<{ id: string } | undefined> {
    const user = await users(this.#p.db.em()).withEmail(email);
    return user?.passwordHash && !this.#isOperator(email) ? user : undefined;
  }

  /** False where the account was sent one a short while ago, or has used up the day's. */
  async #ask(tx: Tx, userId: string, purpose: Purpose, email: string | null): Promise<boolean> {
    const nowMs = this.#p.clock.now();
    await users(tx.em).lock(userId);
    await users(tx.em).holdCaller(userId);
    const sent = await accountLinks(tx.em).askedSince(userId, purpose, nowMs - DAY_MS);
    if (sent.length >= LINKS_A_DAY || sent.some(({ createdAt }) => createdAt > nowMs - BETWEEN_LINKS_MS)) return false;
    const id = await this.#add(tx, userId, purpose, email, null);
    await this.#p.jobs.enqueue(tx, 'mail', { id, account: userId });
    return true;
  }

  async #add(tx: Tx, userId: string, purpose: Purpose, email: string | null, tokenHash: string | null) {
    const createdAt = this.#p.clock.now();
    const id = newId(ACCOUNT_LINK, createdAt);
    const expiresAt = createdAt + LINK_MS[purpose];
    tx.em.create(AccountLinkEntity, { id, user: userId, purpose, email, tokenHash, createdAt, expiresAt });
    await tx.em.flush();
    return id;
  }

  /** The link of a token, used from now on in a transaction. */
  async #take(em: Tx['em'], token: string, purpose: Purpose): Promise<AccountLinkEntity> {
    const nowMs = this.#p.clock.now();
    const link = await accountLinks(em).ofToken(sha256(token), purpose, em.isInTransaction());
    if (!link) throw new PlatformError('NOT_FOUND', 'This link is not known.');
    if (link.usedAt) throw new PlatformError('CONFLICT', 'This link was used already.');
    if (link.expiresAt <= nowMs) throw new PlatformError('EXPIRED', 'This link is too old.');
    if (em.isInTransaction()) link.usedAt = nowMs;
    return link;
  }

  /** Links that were mailed to the earlier address become invalid. */
  async #move(tx: Tx, userId: string, email: string, by: Parameters<Ports['audit']['record']>[1]): Promise<void> {
    await users(tx.em).lock(userId);
    await users(tx.em).holdCaller(userId);
    (await users(tx.em).withId(userId)).email = email;
    try {
      await tx.em.flush();
    } catch (error) {
      // Another account took the address since it was looked up.
      if (isUniqueViolation(error)) throw addressTaken();
      throw error;
    }
    await emailVerifications(tx.em).nativeDelete({ user: userId });
    await accountLinks(tx.em).dropOpen(userId);
    this.#p.audit.record(tx, by, 'email_changed', { userId });
  }

  async #hasAccount(tx: Tx, email: string): Promise<boolean> {
    return (await users(tx.em).withEmail(email)) !== null;
  }

  #address(page: string, token: string): string {
    return `${this.#p.config.SITE_URL}/${page}?token=${token}`;
  }

  #isOperator(email: string | null | undefined): boolean {
    return this.#p.config.OPERATOR_EMAILS.some((operator) => operator.toLowerCase() === email);
  }
}
