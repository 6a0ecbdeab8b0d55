/**
 * Confirming an e-mail address by a mailed link. The mail is a job of the transaction that asks for it; each attempt
 * makes a token of its own, kept as its SHA-256 alone. Links are few by account, since anyone may type anyone's address.
 */
import { EmailVerificationEntity } from '../../../schema/entities/users.ts';
import type { Origin, Principal } from '../../auth/principal.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/database.ts';
import { ERRORS, PlatformError } from '../../kernel/errors.ts';
import { randomText, sha256 } from '../../kernel/ids.ts';
import { verificationMail } from '../../mail/account-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { Platform } from '../platform/platform.port.ts';
import { deliverMail, type MailAttempt } from './mail-delivery.service.ts';
import { emailVerifications, users } from './user.repository.ts';
import { grantWelcome } from './welcome-credits.service.ts';

/** How long a mailed link works, milliseconds. */
const LINK_MS = DAY_MS;
/** An account is sent one link in so long, and so many a day. */
const BETWEEN_LINKS_MS = 2 * MINUTE_MS;
const LINKS_A_DAY = 5;
const TOKEN_CHARS = 43;

type Ports = Pick<Platform, 'db' | 'clock' | 'config' | 'log' | 'jobs' | 'audit'>;

/** Mailing links that prove an address, and taking them. */
export class EmailVerification {
  readonly #p: Ports;
  readonly #mailer: Mailer | undefined;

  constructor(platform: Ports, mailer: Mailer | undefined) {
    this.#p = platform;
    this.#mailer = mailer;
  }

  /** Whether new accounts are sent a link. */
  get isAsked(): boolean {
    return this.#p.config.VERIFY_EMAIL !== 'off';
  }

  /** Sends a link to the account's address, once the transaction is committed. */
  ask(tx: Tx, userId: string): Promise<void> {
    return this.#p.jobs.enqueue(tx, 'mail', { id: userId, account: userId });
  }

  /**
   * Sends it again, to the caller or to an address. By address it answers true whatever there is behind it; for the
   * caller false when the address is confirmed, and RATE_LIMITED when the last link is too fresh or the day's are used up.
   */
  async resend(to: Principal | { email: string } | undefined): Promise<boolean> {
    if (!to) throw new PlatformError('UNAUTHENTICATED');
    const known = users(this.#p.db.em());
    const isByAddress = 'email' in to;
    const user = isByAddress ? await known.withEmail(to.email.trim().toLowerCase()) : await known.withId(to.userId);
    if (!this.isAsked || !user?.email || user.emailVerified) return isByAddress;
    const isSent = await this.#p.db.transaction((tx) => this.#askAgain(tx, user.id));
    if (isSent || isByAddress) return true;
    const details = { retryAfterSeconds: BETWEEN_LINKS_MS / 1_000 };
    throw new PlatformError('RATE_LIMITED', ERRORS.RATE_LIMITED.text, { details });
  }

  async #askAgain(tx: Tx, userId: string): Promise<boolean> {
    const nowMs = this.#p.clock.now();
    if (!(await users(tx.em).askForLink(userId, nowMs, nowMs - BETWEEN_LINKS_MS))) return false;
    if ((await emailVerifications(tx.em).sentSince(userId, nowMs - DAY_MS)) >= LINKS_A_DAY) return false;
    await this.ask(tx, userId);
    return true;
  }

  /**
   * The job: makes a link and mails it. Throws when another attempt may help; there is no last attempt, they only become rarer.
   */
  async send(userId: string, run: MailAttempt): Promise<void> {
    const { db, clock, config, log } = this.#p;
    const user = await users(db.em()).findOne({ id: userId });
    if (!this.#mailer || !user?.email || user.emailVerified) return;
    const token = randomText(TOKEN_CHARS);
    const tokenHash = sha256(token);
    const nowMs = clock.now();
    await db.transaction(async (tx) => {
      tx.em.create(EmailVerificationEntity, { tokenHash, user: userId, createdAt: nowMs, expiresAt: nowMs + LINK_MS });
    });
    const { email: to, displayName } = user;
    const link = `${config.SITE_URL}/verify-email?token=${token}`;
    const mail = verificationMail({ to, displayName: displayName ?? null, link, siteUrl: config.SITE_URL });
    const refusal = await deliverMail(this.#mailer, mail, run, () => this.#forget(tokenHash));
    if (refusal) log.warn({ userId, err: refusal }, 'verification mail refused');
    else log.info({ userId }, 'verification mail sent');
  }

  /** A link whose mail was not sent is deleted, and does not count in the day's limit. */
  async #forget(tokenHash: string): Promise<void> {
    await this.#p.db.transaction((tx) => tx.em.nativeDelete(EmailVerificationEntity, { tokenHash }));
  }

  /** Confirms the address that the token was sent to. Throws NOT_FOUND, CONFLICT (used) or EXPIRED. */
  async verify(token: string, origin: Origin): Promise<boolean> {
    const nowMs = this.#p.clock.now();
    const tokenHash = sha256(token);
    const known = await emailVerifications(this.#p.db.em()).findOne({ tokenHash });
    await this.#p.db.transaction(async (tx) => {
      // The account before its link, as its deletion locks them.
      if (known) await users(tx.em).hold(known.user.id);
      const link = await emailVerifications(tx.em).ofToken(tokenHash);
      if (!link) throw new PlatformError('NOT_FOUND', 'This link is not known.');
      if (link.usedAt) throw new PlatformError('CONFLICT', 'This link was used already.');
      if (link.expiresAt <= nowMs) throw new PlatformError('EXPIRED', 'This link is too old.');
      link.usedAt = nowMs;
      await this.confirm(tx, link.user.id, origin);
    });
    return true;
  }

  /** Grants, once, the credits that waited for the address to be confirmed. */
  async confirm(tx: Tx, userId: string, origin?: Origin): Promise<void> {
    if (!(await users(tx.em).verifyEmail(userId))) return;
    this.#p.audit.record(tx, { userId, origin }, 'email_verified', { userId });
    await grantWelcome(tx, this.#p, userId);
  }
}
