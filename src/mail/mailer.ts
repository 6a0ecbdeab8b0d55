/**
 * The mail port: sends one mail by SMTP, or only looks whether it could. Where it fails, the error says what the server answered and never to whom the
 * mail was to go: errors are logged.
 */
import { onDemand } from '../kernel/on-demand.ts';

const nodemailer = onDemand<typeof import('nodemailer')>('nodemailer');

/** A mail, as text and as HTML. */
export interface Mail {
  /** One address that `isMailable`. */
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends mails. Throws MailError. */
export interface Mailer {
  /** Resolves once the server took the mail. Throws MailError. */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

/** The mail server, and the sender's name. */
export interface MailerOptions {
  /** smtp://user:password@host:port or smtps://...; with a password only by TLS, unless `?requireTLS=false` */
  url: string;
  from: { name: string; address: string };
}

/**
 * True for an address that every program reads as one, without quotes. A comma in another would make two of it, also in
 * the envelope.
 */
export const isMailable = (address: string): boolean =>
  /^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_`{|}~-]+@[\p{L}\p{M}\p{N}.-]+$/u.test(address);

/** What nodemailer reports of a failure. */
interface Failure {
  code?: string;
  responseCode?: number;
  command?: string;
}

/** A mail was not sent, or it is unknown whether it was. */
export class MailError extends Error {
  override readonly name = 'MailError';
  /** The server refused this mail for good (5xx): sending it again changes nothing. */
  readonly isRefused: boolean;
  /** The connection ended after the text was sent: the server may have taken it all the same. */
  readonly mayHaveArrived: boolean;

  constructor({ code = '', responseCode = 0, command = '' }: Failure) {
    super(`The mail was not sent: ${[code, responseCode, command].filter(Boolean).join(' ')}.`);
    this.isRefused = responseCode >= 500 && ['EENVELOPE', 'EMESSAGE'].includes(code);
    this.mayHaveArrived = code === 'EABORT' || (command === 'DATA' && responseCode === 0);
  }
}

const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };
const NO_ATTACHMENTS = { disableFileAccess: true, disableUrlAccess: true };

function transportTo(url: string) {
  const { password, searchParams } = new URL(url);
  // A password is not sent in the clear, unless the address says that it may be.
  const tls = password && !searchParams.has('requireTLS') ? { requireTLS: true } : {};
  return nodemailer().createTransport({ ...TIMEOUTS, ...NO_ATTACHMENTS, ...tls, url });
}

/** Greets the server and signs in, without a mail. Throws MailError. */
export async function checkMailServer(url: string): Promise<void> {
  const transport = transportTo(url);
  try {
    await transport.verify();
  } catch (error) {
    throw new MailError(error as Failure);
  } finally {
    transport.close();
  }
}

/** The mailer of the configured server. */
export function openMailer({ url, from }: MailerOptions): Mailer {
  const transport = transportTo(url);
  return {
    async send({ to, ...mail }, signal) {
      if (!isMailable(to)) throw new MailError({ code: 'EENVELOPE', responseCode: 501 });
      const recipient = { name: '', address: to };
      const envelope = { from: from.address, to: [to] };
      try {
        await transport.sendMail({ ...mail, from, to: recipient, envelope, signal });
      } catch (error) {
        throw new MailError(error as Failure);
      }
    },
  };
}
